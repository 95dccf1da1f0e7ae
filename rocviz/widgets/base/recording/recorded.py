"""What every explorer can do with recordings of itself: make them, and write pages of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rocviz.widgets.base.recording.recording import Recording

from rocviz.widgets.base.preview import ONE_AT_A_TIME


class Recorded:
    """An explorer that can be recorded."""

    #: Attributes with what long experiments have found, which a recording keeps.
    copied_attributes: tuple[str, ...] = ()
    #: Attributes that note where it has been, which in a recording is nowhere.
    cleared_attributes: tuple[str, ...] = ()

    def to_html(self, path: str | Path, *, live: Any = None, scripts: str | None = None) -> Path:
        """Write a page that shows the explorer anywhere, without Python and network.

        Parameters
        ----------
        path : str or Path
            Ending in ``.html``.
        live : str, sequence of str, mapping or Recording, optional
            Which controls move in the page: names, or names with values as for :meth:`record`.
            By default none does; the page then has picture, words, numbers and code.
        scripts : str, optional
            Of a live page: see :meth:`.Recording.to_html`.

        Returns
        -------
        Path
            Where the page was written.

        Raises
        ------
        ValueError
            If the path ends otherwise, or a control cannot be recorded.
        """
        path = Path(path)
        if path.suffix.lower() not in (".html", ".htm"):
            raise ValueError(f"path must end in .html; got {path.name!r}.")
        if live is None:
            from rocviz.widgets.base.still import write_page

            with ONE_AT_A_TIME:
                return write_page(self, path)
        if not hasattr(live, "to_html"):
            names = (live,) if isinstance(live, str) else live
            live = self.record(**dict(live if hasattr(live, "keys") else dict.fromkeys(names, ...)))
        return Path(live.to_html(path, scripts=scripts))

    def record(
        self,
        *,
        progress: Callable[[Iterable[Any]], Iterable[Any]] | None = None,
        **controls: Any,
    ) -> Recording:
        """Record what the explorer shows while controls move, so that pages can play it.

        The explorer itself is not moved. Every picture is recorded as the large one, too. A page
        says so when something is touched in it that is not recorded.

        Parameters
        ----------
        progress : callable, optional
            Wraps the states, as ``tqdm.tqdm`` does; by default a bar, if it takes long.
        **controls
            What is recorded of each control, by its name: ``...`` for its values, at most 101 of
            them; a number, for at most so many; or the values. Several controls make a grid. Of
            an input that buttons or clicks set, such as the answers in a scoring list, the values
            are those that they lead to, so that they work in the page.

        Returns
        -------
        Recording

        Raises
        ------
        ValueError
            If there is no such control, a value cannot be set, or the states are too many.

        Examples
        --------
        >>> from rocviz import FermiDiracExplorer
        >>> explorer = FermiDiracExplorer(panels=["levels", "roc"])
        >>> explorer.record(temperature=11, prevalence=[0.3, 0.5]).n_states
        33
        >>> explorer.close()
        """
        from rocviz.widgets.base.recording.recorder import record

        return record(self, controls, progress)
