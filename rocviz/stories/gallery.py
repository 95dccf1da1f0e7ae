"""The gallery that ``rocviz app`` shows: every story and every explorer, one at a time."""

from __future__ import annotations

import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from rocviz.stories.shipped import NAMES, open_story
from rocviz.theme import get_theme, set_theme
from rocviz.widgets.base.stage import WidgetBox, script, style_sheet

STORIES_HEADING = "Stories"
EXPLORERS_HEADING = "Explorers"
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


class Menu(anywidget.AnyWidget):
    """Cards to choose from, or the button that returns to them while a card is open."""

    _esm = script("menu.js")
    _css = style_sheet() + Path(__file__).with_name("menu.css").read_text(encoding="utf-8")

    items: Any = traitlets.List().tag(sync=True)
    now = traitlets.Int(-1).tag(sync=True)
    lecture = traitlets.Bool(False).tag(sync=True)


class Gallery(WidgetBox):
    """A page with every story and every explorer, one at a time.

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

    def __init__(self) -> None:
        self.shown: Any = None
        items = []
        for name in NAMES:
            text = Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8")
            about = text.splitlines()[0].removeprefix("# ").split(". ")[0]
            read = tomllib.loads(text)
            title = "Start here" if name == "start" else EXPLORER_CARDS[read["explorer"]][0]
            about = f"{about}. {read['minutes']} minutes."
            items.append({"group": STORIES_HEADING, "title": title, "about": about})
        for title, about in EXPLORER_CARDS.values():
            items.append({"group": EXPLORERS_HEADING, "title": title, "about": about})
        self.menu = Menu(items=items, lecture=get_theme().lecture)
        self.menu.observe(lambda change: set_theme(lecture=change["new"]), "lecture")
        self.menu.on_msg(lambda _menu, content, _buffers: self.choose(int(content["open"])))
        super().__init__([self.menu])
        self.add_class("rocviz-gallery")

    def choose(self, place: int) -> None:
        """Open a card in place of the one that was open.

        Parameters
        ----------
        place : int
            Index of the card, from 0; -1 goes back to the cards.
        """
        before = self.shown
        self.shown = None
        if 0 <= place < len(NAMES):
            self.shown = open_story(NAMES[place])
        elif place >= 0:
            explorer = list(EXPLORER_CARDS)[place - len(NAMES)]
            self.shown = getattr(import_module("rocviz"), explorer)()
        self.menu.now = place
        self.children = [self.menu] if self.shown is None else [self.menu, self.shown]
        if before is not None:
            before.close()
