"""ScoreCardDisplay: a scoring list on one page, to be printed and filled in by hand.

Its picture is made by :func:`rocviz.displays.scoring_lists.card_picture.card_picture`.
"""

from __future__ import annotations

from dataclasses import replace
from os import PathLike
from typing import Any, Self, Unpack

from matplotlib import rc_context
from matplotlib.axes import Axes

from rocviz.core.base.validation import Bools, check_choice, check_number
from rocviz.core.scoring_lists.decisions import check_limits, stops
from rocviz.core.scoring_lists.scoring_list import ScoringList
from rocviz.core.scoring_lists.stage import ScoringStage, predicts_positive
from rocviz.core.scoring_lists.stage_band import StageBand
from rocviz.displays.base.display import Display, Theming
from rocviz.displays.base.draw_picture import draw_picture
from rocviz.displays.base.figure import save_figure
from rocviz.displays.base.style import rc, resolve_theme
from rocviz.displays.scoring_lists.card_picture import PAPERS, card_picture
from rocviz.displays.scoring_lists.pictures import METHODS
from rocviz.displays.scoring_lists.stage import check_list, list_of
from rocviz.files import output_path
from rocviz.pictures import Picture, Words
from rocviz.theme import Theme
from rocviz.words import amount, percent

_MAX_QUESTIONS = 36


class _Look(Theming, total=False):
    stage: int
    lower: float | None
    upper: float | None
    use: str
    cost_fn: float | None
    band: bool
    confidence: float
    method: str
    correction: str | None
    paper: str


class ScoreCardDisplay(Display):
    """One page with the questions of a scoring list, their points, and what each total means.

    Where limits are given, every question says at which total one may stop. Use
    :meth:`from_estimator` to make one from a fitted estimator; the constructor takes a list.

    Parameters
    ----------
    scoring_list : ScoringList
    title : str, default="Score card"
    pos_label : str, optional
        What is probable, as it is called in a sentence: "heart disease".
    note : str, optional
        A text at the foot of the card, such as whose data the numbers are from.

    Attributes
    ----------
    figure_ : matplotlib Figure
        Of the size of the paper.
    ax_ : matplotlib Axes
        The whole page.
    picture_ : rocviz.pictures.Picture
        What was drawn, as a value.
    rows_ : list
        What stands in the rows of the second table.

    Raises
    ------
    ValueError
        If ``scoring_list`` is of another type.

    See Also
    --------
    ScoringList : The numbers.
    StageDisplay : One stage as a picture.

    Examples
    --------
    >>> from rocviz import ScoreCardDisplay
    >>> from rocviz.datasets import load_scoring_list_example
    >>> card = ScoreCardDisplay(load_scoring_list_example()).plot(lower=0.1, upper=0.9)
    >>> [(row.low, row.high) for row in card.rows_]
    [(3, 4), (2, 2), (1, 1), (0, 0), (-2, -1)]
    """

    def __init__(
        self,
        scoring_list: ScoringList,
        *,
        title: str = "Score card",
        pos_label: str | None = None,
        note: str | None = None,
    ) -> None:
        self.scoring_list = check_list(scoring_list)
        self.title = title
        self.pos_label = pos_label
        self.note = note

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        *,
        title: str = "Score card",
        pos_label: str | None = None,
        note: str | None = None,
        **style: Unpack[_Look],
    ) -> Self:
        """Draw the card of a fitted scoring list.

        Parameters
        ----------
        estimator : fitted ProbabilisticScoringList, or ScoringList
        title, pos_label, note : str, optional
            See the class; ``pos_label`` defaults to the name of the positive class, if that
            is a string.
        stage : int, default=-1
            How many questions it has; negative numbers count from the end.
        lower, upper : float, optional
            Limits within [0, 1] at which one stops, as for ``ScoringList.decide``.
        use : {"point", "interval"}, default="point"
            What has to be beyond the limit.
        cost_fn : float, optional
            Cost M of a miss, in false alarms: which totals are predicted positive at the end. Not
            together with limits.
        band : bool, default=True
            Print intervals, if the list has counts.
        confidence, method, correction
            Of the intervals, as for :meth:`rocviz.core.scoring_lists.ScoringStage.band`.
        paper : {"a4", "letter"}, default="a4"
        theme : Theme or {"light", "dark", "lecture"}, optional
            Only its colours matter: the paper decides on the size of type.

        Returns
        -------
        ScoreCardDisplay

        Raises
        ------
        ValueError
            If ``estimator`` or the data are invalid. Then no figure is made.
        """
        cls._check_keywords("from_estimator", style)
        scoring_list, label = list_of(estimator, None)
        if pos_label is None and isinstance(label, str):
            pos_label = label
        return cls(scoring_list, title=title, pos_label=pos_label, note=note).plot(**style)

    def plot(
        self,
        *,
        stage: int = -1,
        lower: float | None = None,
        upper: float | None = None,
        use: str = "point",
        cost_fn: float | None = None,
        band: bool = True,
        confidence: float = 0.95,
        method: str = "clopper-pearson",
        correction: str | None = "bonferroni",
        paper: str = "a4",
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the card.

        Parameters
        ----------
        stage : int, default=-1
            How many questions it has; negative numbers count from the end.
        lower, upper : float, optional
            Limits within [0, 1] at which one stops, as for ``ScoringList.decide``.
        use : {"point", "interval"}, default="point"
            What has to be beyond the limit.
        cost_fn : float, optional
            Cost M of a miss, in false alarms: which totals are predicted positive at the end. Not
            together with limits.
        band : bool, default=True
            Print intervals, if the list has counts.
        confidence, method, correction
            Of the intervals, as for :meth:`rocviz.core.scoring_lists.ScoringStage.band`.
        paper : {"a4", "letter"}, default="a4"
        theme : Theme or {"light", "dark", "lecture"}, optional
            Only its colours matter: the paper decides on the size of type.

        Returns
        -------
        ScoreCardDisplay
            Itself.

        Raises
        ------
        ValueError
            If an argument is invalid, or the list has more than 36 questions or
            none. Then no figure is made.
        """
        look = replace(resolve_theme(theme), lecture=False)  # the paper decides on sizes
        scoring_list = self.scoring_list
        k = scoring_list.stage_number(stage)
        if not 1 <= k <= _MAX_QUESTIONS:
            raise ValueError(
                f"stage must ask from 1 to {_MAX_QUESTIONS} questions to fit a card; got {k}."
            )
        check_choice(paper, "paper", tuple(PAPERS))
        check_limits(lower, upper, use)
        has_limits = lower is not None or upper is not None
        if cost_fn is not None:
            cost_fn = check_number(cost_fn, "cost_fn", above=0.0)
            if has_limits:
                raise ValueError("cost_fn and limits cannot be combined; give only one of them.")
        bands = None
        if scoring_list.stages[0].has_counts and (band or use == "interval"):
            bands = []
            for of_list in scoring_list.stages:
                bands.append(of_list.band(confidence, method=method, correction=correction))
        ends: list[tuple[Bools, Bools]] = []
        for i, of_list in enumerate(scoring_list.stages):
            if cost_fn is not None:
                is_positive = predicts_positive(of_list.probability, cost_fn)
                ends.append((~is_positive, is_positive))
            else:
                stage_band = None if bands is None else bands[i]
                ends.append(stops(of_list, stage_band, lower=lower, upper=upper, use=use))
        printed = bands[k] if band and bands is not None else None
        notes = [
            _source(printed, scoring_list.stages[k]),
            _rule(lower, upper, use, cost_fn),
            self.note,
        ]
        texts = self.title, self._subtitle(has_limits), "\n".join(filter(None, notes))
        zones = _zones(has_limits, cost_fn)
        self.picture_, self.rows_ = card_picture(
            scoring_list, k, printed, ends, zones, texts, paper
        )
        self.ax_ = _page(paper, look)
        self.figure_ = self.ax_.figure
        draw_picture(_without_halos(self.picture_, look), self.ax_, look)
        return self

    def save(self, path: str | PathLike[str]) -> None:
        """Save the card as a file in its paper size.

        Parameters
        ----------
        path : str or path
            Ends in ``.pdf``, ``.svg`` or ``.png``.

        Raises
        ------
        ValueError
            If nothing has been drawn yet, or the path has another ending.
        OSError
            If the file cannot be written; an existing one is then as it was.
        """
        if not hasattr(self, "figure_"):
            raise ValueError("the card has not been drawn yet: call plot first.")
        path = output_path(path, (".pdf", ".svg", ".png"))
        save_figure(self.figure_, path, dpi=200)

    def _subtitle(self, has_limits: bool) -> str:
        words = "Ask in this order and add the points of every yes."
        if self.pos_label is not None:
            words = f"Probability of {self.pos_label}. {words}"
        return words + (" Stop when a total allows it." if has_limits else "")


def _page(paper: str, theme: Theme) -> Axes:
    """Make axes that fill a new pyplot figure of the paper's size."""
    import matplotlib.pyplot as plt

    with rc_context(rc(theme)):
        figure = plt.figure(figsize=[side / 72 for side in PAPERS[paper]])
        return figure.add_axes((0, 0, 1, 1), label="card")


def _without_halos(picture: Picture, theme: Theme) -> Picture:
    """Give words their colours, so that they have no halo on tinted rows."""
    marks = []
    for mark in picture.marks:
        if isinstance(mark, Words):
            mark = replace(mark, each=list(map(theme.colour, mark.roles)))
        marks.append(mark)
    return replace(picture, marks=tuple(marks))


def _source(band: StageBand | None, stage: ScoringStage) -> str:
    """Describe the source of a card's numbers."""
    if not stage.has_counts:
        return "The probabilities were written by hand; the card holds no data behind them."
    pos, neg = stage.counts
    text = f"From {amount(pos.sum())} positive and {amount(neg.sum())} negative cases."
    if band is None:
        return text
    together = " for all totals together" if band.correction else ""
    return f"{text} Intervals: {percent(band.confidence)}{together}, {METHODS[band.method]}."


def _rule(lower: float | None, upper: float | None, use: str, cost_fn: float | None) -> str:
    """Describe when a total is unlikely, likely or predicted negative."""
    if cost_fn is not None:
        return (
            f"Called negative only where that is at least {cost_fn:g} times as probable as "
            "positive."
        )
    what = "probability" if use == "point" else "whole interval"
    parts = []
    if lower is not None:
        parts.append(f"unlikely: {what} at most {percent(lower)}")
    if upper is not None:
        parts.append(f"likely: {what} at least {percent(upper)}")
    return "; ".join(parts).capitalize() + "." if parts else ""


def _zones(has_limits: bool, cost_fn: float | None) -> dict[int, str]:
    if has_limits:
        return {-1: "unlikely", 0: "not sure", 1: "likely"}
    if cost_fn is not None:
        return {-1: "negative", 1: "positive"}
    return {}
