"""The two forms that loaders return."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from rocviz.core.base.frozen import read_only, to_frame
from rocviz.core.base.validation import check_flag


def bunch_or_pair(
    data: NDArray[Any],
    target: NDArray[Any],
    *,
    return_X_y: bool,
    as_frame: bool,
    feature_names: list[str],
    target_column: str = "target",
    attrs: dict[str, Any] | None = None,
    **fields: Any,
) -> Any:
    """Convert attributes and classes to the form that a loader was asked for.

    Both were made for the caller just now; they are locked here. ``target_column`` is the name of
    the classes in a frame, ``attrs`` are the frame's, ``fields`` the bunch's other parts.
    """
    from sklearn.utils import Bunch  # slow to import

    as_frame = check_flag(as_frame, "as_frame")
    return_X_y = check_flag(return_X_y, "return_X_y")
    X: Any = read_only(data)
    y: Any = read_only(target)
    frame = None
    if as_frame:
        frame = to_frame({**dict(zip(feature_names, X.T, strict=True)), target_column: y})
        frame.attrs.update(attrs or {})
        X = frame[feature_names]
        y = frame[target_column]
    if return_X_y:
        return X, y
    return Bunch(data=X, target=y, frame=frame, feature_names=feature_names, **fields)
