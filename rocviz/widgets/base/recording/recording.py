"""What was recorded of an explorer. Plain data; knows no widget."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from rocviz.widgets.base.recording.page import write_live_page


@dataclass(frozen=True)
class Recording:
    """States of an explorer that can be gone through without a kernel.

    Made by :meth:`.Explorer.record` or :meth:`.Story.record`.

    Parameters
    ----------
    title : str
        What a page of it is called.
    sentence : str
        What it shows at first, in words.
    n_states : int
        Number of states.
    packed : bytes
        Everything that changes between them, compressed.

    Examples
    --------
    >>> from rocviz import ROCExplorer
    >>> explorer = ROCExplorer([0, 1, 0, 1, 1], [0.1, 0.4, 0.35, 0.8, 0.9], panels=["roc"])
    >>> explorer.record(threshold=[0.2, 0.5, 0.8])
    Recording of ROCExplorer: 3 states, ... kB
    >>> explorer.close()
    """

    title: str
    sentence: str
    n_states: int
    packed: bytes = field(repr=False)

    def __repr__(self) -> str:
        size = max(round(self.n_bytes / 1000), 1)
        return f"Recording of {self.title}: {self.n_states:,} states, {size:,} kB"

    @property
    def n_bytes(self) -> int:
        """Bytes of it, compressed."""
        return len(self.packed)

    def to_html(self, path: str | Path, *, scripts: str | None = None) -> Path:
        """Write a page in which the recorded controls move, without Python and network.

        Parameters
        ----------
        path : str or Path
            Ending in ``.html``.
        scripts : str, optional
            A folder beside the page, such as ``"scripts"``, for the scripts: pages that name the
            same folder share it. By default they are in the page, which is then one file of 2 MB.

        Returns
        -------
        Path
            Where the page is.

        Raises
        ------
        ValueError
            If the path ends otherwise, or ``scripts`` is no folder beside the page.
        """
        return write_live_page(self, Path(path), scripts)
