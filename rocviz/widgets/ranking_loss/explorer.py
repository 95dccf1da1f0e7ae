"""The ranking loss explorer: its constructor, its pictures and the actions on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from rocviz.widgets.base.background import Background
from rocviz.widgets.base.explorer import Explorer
from rocviz.widgets.base.own_data import both_given
from rocviz.widgets.base.stage import Panel
from rocviz.widgets.ranking_loss.data import OwnSamples
from rocviz.widgets.ranking_loss.result import RankingLossResult
from rocviz.widgets.ranking_loss.state import WIPE_GRID, RankingLossState
from rocviz.widgets.ranking_loss.view import (
    bound_picture,
    error_picture,
    link_picture,
    samples_picture,
)

if TYPE_CHECKING:
    from rocviz.widgets.ranking_loss.inputs import RankingLossInputs

MAX_SAMPLES_WITHOUT_PREVIEW = 50_000  # samples on which training takes about a second


class RankingLossExplorer(RankingLossState, Explorer):
    """See what ranking first does for probabilities, and where a sigmoid cannot follow.

    Parameters
    ----------
    X : array-like, shape (n_samples, n_features), optional
        The user's samples, with at least two columns. Without them: points in the plane whose true
        probability is known.
    y : array-like, shape (n_samples,), optional
        Their labels, of exactly two classes.
    pos_label : label, optional
        The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
    labels : mapping of label to str, or pair of str, optional
        Names of the classes in sentences and pictures: by label, or of the negative and of the
        positive class. By default the labels themselves, unless they are 0 and 1, -1 and 1, or
        booleans, which name nothing.
    a : float, optional
        Floor of the true probability; of a sigmoid, the probability one unit below its middle. From
        0 to 0.5.
    wipe : float, optional
        Score at which one of two methods gives way to the other in the picture of both. From -3.6
        to 3.2.
    n_samples : int, optional
        Number of samples to train on. From 10 to 100,000.
    methods : tuple, optional
        Names of the methods that are shown.
    calibration : {'isotonic', 'laplace-hull'}, optional
        Isotonic fit of the methods with “+ isotonic”: plain, or with its steps pulled towards one
        half.
    alpha : float, optional
        Weight of every method's penalty, relative to its mean loss. From 1e-09 to 1000.
    loss : {'logistic', 'squared_hinge'}, optional
        Loss of a pair of a positive and a negative.
    n_repeats : int, optional
        Number of repetitions of the experiment. From 2 to 1,000.
    link : {'step', 'sigmoid'}, optional
        Shape of the true probability over the true score.
    border : float, optional
        True score at which the true probability is one half; the larger, the fewer positives. From
        -3 to 3.
    seed : int, optional
        Seed of the sample drawn.
    preset : str, optional
        Name of a teaching situation: it sets its own inputs and resets all others.
    panels : tuple, optional
        Names of the pictures that are shown, in their order.
    focus : str, optional
        Name of the large picture. Unless it is set, or a title clicked, the first of the panels is
        large; ``None`` goes back to that.
    unfolded : tuple, optional
        Names of the controls outside the folds; by default the explorer's own choice.

    Attributes
    ----------
    result : RankingLossResult
        What is on screen: ``result.errors`` by method, ``result.experiment`` the
        :class:`rocviz.core.ranking_loss.RankingExperiment` as far as it has been run.

    Raises
    ------
    ValueError
        If the data are invalid; nothing is drawn in that case.
    TypeError
        If an input is unknown; the message lists the ones there are.

    See Also
    --------
    rocviz.RankIsotonicClassifier : Ranks first.
    rocviz.estimators.ranking_loss.synthetic_ranking_experiment : The experiment in one call.

    Notes
    -----
    There is no ``from_estimator`` and no ``from_predictions``: what is shown are the methods'
    own trainings on the samples, which cannot be told from a trained model or its scores.

    References
    ----------
    Menon et al. (2012), sections 4 and 5.2.

    Examples
    --------
    >>> explorer = RankingLossExplorer(a=1 / 32)
    >>> errors = explorer.result.errors
    >>> errors["logistic"] > 3 * errors["rank + isotonic"]
    True
    >>> explorer.close()
    """

    def __init__(
        self,
        X: Any = None,
        y: ArrayLike | None = None,
        *,
        pos_label: Any = None,
        labels: Any = None,
        **inputs: Unpack[RankingLossInputs],
    ) -> None:
        data = None
        if both_given({"pos_label": pos_label, "labels": labels}, X=X, y=y):
            data = OwnSamples(X, y, pos_label=pos_label, labels=labels)
        super().__init__(data, **inputs)

    # ------------------------------------------------------------------ pictures

    #: The fold of the rail that opens with it.
    opened = "experiment"
    #: Runs the experiment in a thread.
    experiment: Any = None

    def _make_panels(self) -> dict[str, Panel]:
        # each floor is shown when it is done, and kept if the experiment is stopped
        self.experiment = Background(
            "run the experiment",
            self.run_experiment,
            self._on_experiment,
            self._note,
            self._show_progress,
        )
        self._tasks = (*self._tasks, self.experiment)
        return {
            "links": Panel(
                link_picture,
                drags={"floor": ("a", self._drag_level), "wipe": ("wipe", self._drag_wipe)},
            ),
            "errors": Panel(error_picture, drags={"floor": ("a", self._drag_floor)}),
            "samples": Panel(samples_picture, parts=("samples", "plane", "ranker", "logistic")),
            "bound": Panel(bound_picture, parts=("examples",)),
        }

    # ------------------------------------------------------------------ actions of the user

    def _drag_floor(self, power: float, _y: float) -> None:
        """Move the floor to the mouse, in whole steps of its slider."""
        self.a = float(2.0 ** (round(2 * np.clip(power, -9, -1)) / 2))

    def _drag_level(self, _x: float, a: float) -> None:
        """Move the floor to the probability at the mouse."""
        self.a = round(float(np.clip(a, 2.0**-9, 0.5)), 3)

    def _drag_wipe(self, score: float, _y: float) -> None:
        """Move the wipe to the mouse, in whole steps of its slider."""
        self.wipe = WIPE_GRID.value(WIPE_GRID.position(score))

    # ------------------------------------------------------------------ the experiment

    def _show_progress(self) -> None:
        self.show_experiment()
        self._show_controls()

    def _on_experiment(self, _done: None) -> None:
        self._show_progress()

    # ------------------------------------------------------------------ previews

    def takes_long(self, changed: set[str]) -> bool:
        """Whether scorers are trained on too many samples to be quick."""
        return self.size > MAX_SAMPLES_WITHOUT_PREVIEW and self.needs_preview(changed)

    def _complete(self, result: RankingLossResult) -> None:
        _ = result.plane
        for method in result.methods.values():
            _ = method.scorer.segments
