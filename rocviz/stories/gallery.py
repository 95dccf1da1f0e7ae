"""The gallery of ``rocviz app``: every story, the lecture and every explorer, one at a time."""

from __future__ import annotations

import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import traitlets

from rocviz.stories.lecture import open_lecture, planned_minutes
from rocviz.stories.shipped import NAMES, open_story
from rocviz.theme import get_theme, set_theme
from rocviz.widgets.base.widget import OneWidget, reference, script, shipped, style_sheet

STORIES_HEADING = "Stories"
EXPLORERS_HEADING = "Explorers"
LECTURE_TITLE = "A whole lecture"
LECTURE_PLACE = len(NAMES)  # of its card, after those of the stories
#: Every explorer by its title, with a description.
EXPLORER_CARDS = {
    "ROCExplorer": ("ROC curve", "Threshold, hull, costs, calibration"),
    "FermiDiracExplorer": ("Temperature of a ranking", "Levels filled by positives"),
    "EnsembleExplorer": ("Crowds of classifiers", "Does the crowd beat the best?"),
    "ScoringListExplorer": ("Scoring list", "Questions one after another"),
    "DecisionExplorer": ("Decisions", "How many to predict positive"),
    "LexicographicExplorer": ("Lexicographic ranker", "The first difference decides"),
    "RankingLossExplorer": ("Ranking loss", "Probabilities from a ranking"),
    "GroupsExplorer": ("Groups", "One score, several kinds of people"),
    "MulticlassExplorer": ("Several classes", "Three classes, one triangle"),
}


class Gallery(OneWidget):
    """A page with every story, the lecture and every explorer, one at a time.

    Attributes
    ----------
    shown : Story, Explorer or None
        The open story or explorer.

    Examples
    --------
    >>> gallery = Gallery()
    >>> gallery.choose(0)
    >>> gallery.shown.index
    0
    >>> gallery.close()
    """

    _esm = shipped(script("gallery.js"))
    _css = shipped(style_sheet() + Path(__file__).with_name("menu.css").read_text(encoding="utf-8"))
    _anywidget_id = shipped("rocviz.Gallery")

    _cards: Any = traitlets.List().tag(sync=True)
    #: Index of the open card, or -1, and what it opened, as :func:`.reference` names it.
    _place = traitlets.Int(-1).tag(sync=True)
    _opened = traitlets.Unicode().tag(sync=True)
    _lecture = traitlets.Bool(False).tag(sync=True)
    #: Why a card that was pressed was not opened.
    _message = traitlets.Unicode().tag(sync=True)

    def __init__(self) -> None:
        super().__init__()
        self.shown: Any = None
        cards = []
        for name in NAMES:
            text = Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8")
            about = text.splitlines()[0].removeprefix("# ").split(". ")[0]
            read = tomllib.loads(text)
            title = "Start here" if name == "start" else EXPLORER_CARDS[read["explorer"]][0]
            about = f"{about}. {read['minutes']} minutes."
            cards.append({"group": STORIES_HEADING, "title": title, "about": about})
        about = f"All of it with one clicker and a clock. {planned_minutes():n} minutes."
        cards.append({"group": STORIES_HEADING, "title": LECTURE_TITLE, "about": about})
        for title, about in EXPLORER_CARDS.values():
            cards.append({"group": EXPLORERS_HEADING, "title": title, "about": about})
        self._cards = cards
        self._lecture = get_theme().lecture
        self.observe(lambda change: set_theme(lecture=change["new"]), "_lecture")
        self._open_widget(self._received)

    def _received(self, content: dict[str, Any]) -> None:
        """Open the card that was pressed, or say why that is impossible, as in marimo."""
        try:
            self.choose(int(content["open"]))
        except Exception as error:
            why = str(error) or type(error).__name__
            self._message = (
                f"This could not be opened here ({why}). In a notebook, show it in a cell."
            )
            raise

    def choose(self, place: int) -> None:
        """Open a card in place of the one that was open.

        Parameters
        ----------
        place : int
            Index of the card, from 0; -1 goes back to the cards.
        """
        before = self.shown
        opened: Any = None
        if place == LECTURE_PLACE:
            opened = open_lecture()
        elif 0 <= place < LECTURE_PLACE:
            opened = open_story(NAMES[place])
        elif place >= 0:
            explorer = list(EXPLORER_CARDS)[place - LECTURE_PLACE - 1]
            opened = getattr(import_module("rocviz"), explorer)()
        self.shown = opened
        with self.hold_sync():
            self._place = place
            self._message = ""
            self._opened = reference(self.shown) if self.shown is not None else ""
        if before is not None:
            before.close()

    def close(self) -> None:
        """Close the gallery and what it has opened."""
        if self.shown is not None:
            self.shown.close()
        super().close()
