"""The ensemble explorer: its constructor and its pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

from numpy.typing import ArrayLike

from rocviz.widgets.base.explorer import Explorer
from rocviz.widgets.base.own_data import FromPredictions, both_given
from rocviz.widgets.base.stage import Panel
from rocviz.widgets.ensembles.data import OwnEstimators, OwnScores
from rocviz.widgets.ensembles.samples import SIGNED_TRACK, samples_picture
from rocviz.widgets.ensembles.state import ALIKE_GRID, EnsembleState
from rocviz.widgets.ensembles.view import (
    classifiers_picture,
    correlation_picture,
    crowd_picture,
    evidence_picture,
)
from rocviz.widgets.ensembles.votes import share_at, votes_picture

if TYPE_CHECKING:
    from rocviz.widgets.ensembles.inputs import EnsembleInputs


class EnsembleExplorer(EnsembleState, FromPredictions, Explorer):
    """See when a crowd of classifiers ranks better than the best of them, and what each says.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), optional
        Labels of exactly two classes. Without data: a sandbox of simulated classifiers.
    scores : array-like of float, shape (n_samples, n_classifiers), table, or mapping, optional
        One column per classifier, higher means more positive, of samples that no classifier was
        trained on; or ``{name: scores}``. One half of the samples measures the classifiers, the
        crowd is judged on the other.
    clusters : array-like, shape (n_samples,), optional
        Samples of one cluster (one patient's, say) vary together: they stay in one half, and the
        test is of clusters. Only with scores.
    pos_label : label, optional
        The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
    labels : mapping of label to str, or pair of str, optional
        Names of the classes in sentences and pictures: by label, or of the negative and of the
        positive class. By default the labels themselves, unless they are 0 and 1, -1 and 1, or
        booleans, which name nothing.
    correlation : float, optional
        Correlation of any two classifiers' scores within a class: how alike they err. From 0 to 1.
    members : tuple, optional
        Names of the classifiers in the crowd, or their positions counted from 0.
    method : {'fidel', 'woc', 'correlation-aware'}, optional
        Method that combines the members of the crowd.
    strategy : {'disjoint', 'shared'}, optional
        Whether each classifier is trained on its own share of the samples, or all on the same ones.
    n_resamples : int, optional
        Number of random splits in the comparison of AUCs by the number of classifiers. From 2 to
        10,000.
    item : int, optional
        The sample whose evidence is shown: its row among the evaluation samples.
    auc_low : float, optional
        True AUC of the first simulated classifier. From 0.3 to 0.98.
    auc_high : float, optional
        True AUC of the last simulated classifier; the others lie evenly between. From 0.3 to 0.98.
    last_classifier : {'regular', 'expert', 'reversed'}, optional
        The last classifier: like the others, half-way to perfect, or worse than random.
    n_classifiers : int, optional
        Number of simulated classifiers. From 1 to 12.
    n_samples : int, optional
        Number of samples drawn to measure the classifiers on, and again to evaluate the crowd. From
        20 to 100,000.
    prevalence : float, optional
        Share of positives drawn. From 0.02 to 0.98.
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
    result : EnsembleResult
        What is on screen: ``result.ensemble`` is the :class:`rocviz.core.ensembles.RankEnsemble` of
        all classifiers, ``result.crowd`` of those that are in. While the user drags a control, it
        may be a preview from ``result.preview`` samples; what Python sets is always computed from
        all.

    Raises
    ------
    ValueError
        If the data are invalid; nothing is drawn in that case.
    TypeError
        If an input is unknown; the message lists the ones there are.

    See Also
    --------
    rocviz.EnsembleDisplay : The same pictures in matplotlib.
    rocviz.FiDELClassifier : The crowd as an estimator.

    References
    ----------
    Kim et al. (2021), section on ensemble classification.

    Examples
    --------
    >>> explorer = EnsembleExplorer(correlation=0.2, seed=1)
    >>> explorer.members = [0, 3, 6]
    >>> explorer.members
    ('classifier 1', 'classifier 4', 'classifier 7')
    >>> explorer.result.item.contributions.shape
    (1, 3)
    >>> explorer.close()
    """

    def __init__(
        self,
        y_true: ArrayLike | None = None,
        scores: Any = None,
        *,
        clusters: ArrayLike | None = None,
        pos_label: Any = None,
        labels: Any = None,
        **inputs: Unpack[EnsembleInputs],
    ) -> None:
        data = None
        if isinstance(scores, OwnScores):
            data = scores
        elif both_given(
            {"clusters": clusters, "pos_label": pos_label, "labels": labels},
            y_true=y_true,
            scores=scores,
        ):
            data = OwnScores(y_true, scores, clusters=clusters, pos_label=pos_label, labels=labels)
        super().__init__(data, **inputs)

    @classmethod
    def from_estimators(
        cls,
        estimators: Any,
        X: Any,
        y: ArrayLike,
        *,
        pos_label: Any = None,
        labels: Any = None,
        **inputs: Unpack[EnsembleInputs],
    ) -> EnsembleExplorer:
        """Train classifiers on one half of the samples and open on their scores of the other.

        Samples are divided one by one, so there is no ``clusters``: samples of one patient would be
        in both halves. Train classifiers on the samples of other patients, and give their scores
        with ``clusters``.

        Parameters
        ----------
        estimators : mapping of str to classifier, or list of (str, classifier)
            Not fitted; ones that are wrapped in a ``FrozenEstimator`` are used as they are.
        X : array-like, shape (n_samples, n_features)
            Samples.
        y : array-like, shape (n_samples,)
            Their labels, of exactly two classes.
        pos_label : label, optional
            The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
        labels : mapping of label to str, or pair of str, optional
            Names of the classes, as :class:`EnsembleExplorer` takes them.
        **inputs
            See :class:`EnsembleExplorer`; among them ``strategy``: every classifier learns from
            its own share of the training half (``"disjoint"``), or all from all of it
            (``"shared"``). It can be changed on screen; each is trained when first looked at.

        Returns
        -------
        EnsembleExplorer

        Raises
        ------
        ValueError
            If :class:`rocviz.FiDELClassifier` cannot be trained on the data.
        """
        data = OwnEstimators(estimators, X, y, pos_label=pos_label, labels=labels)
        return cls(None, data, **inputs)

    # ------------------------------------------------------------------ pictures

    copied_attributes = ("_experiments",)
    #: Compares crowds of every size in a thread.
    comparison: Any = None

    #: The fold of the rail that opens with it.
    opened = "the item"

    def _make_panels(self) -> dict[str, Panel]:
        self.comparison = self._task("compare", self.compare_crowds, self.show_comparison)
        self.observe(self._stop_if_stale, names=list(self.input_names()))
        of_item = ("item", self._drag_item)
        among_samples = {"alike": ("correlation", self._drag_between_signs), "item": of_item}
        among_votes = {"alike": ("correlation", self._drag_alike), "item": of_item}
        on_click = {"members": self.toggle, "left out": self.toggle}
        return {
            "samples": Panel(samples_picture, drags=among_samples),
            "votes": Panel(votes_picture, drags=among_votes, on_click=on_click),
            "crowd": Panel(crowd_picture, parts=("crowd", "auc", "tests", "experiment")),
            "classifiers": Panel(
                classifiers_picture,
                on_click={"points": self.toggle},
                parts=("ensemble", "crowd", "law"),
            ),
            "correlation": Panel(correlation_picture, parts=("ensemble", "crowd")),
            "item": Panel(evidence_picture),
        }

    def _drag_alike(self, x: float, _y: float) -> None:
        """Move the correlation to the mouse, in whole steps of its slider."""
        self.correlation = ALIKE_GRID.value(round(share_at(x) * ALIKE_GRID.steps))

    def _drag_between_signs(self, x: float, _y: float) -> None:
        """Move the correlation to the mouse on the shorter track below the samples."""
        self.correlation = ALIKE_GRID.value(round(share_at(x, SIGNED_TRACK) * ALIKE_GRID.steps))

    def _drag_item(self, x: float, _y: float) -> None:
        """Take the item at the mouse, the first one on the right."""
        last = self.result.n_items - 1
        self.select_item(1 + round((1.0 - share_at(x)) * last))

    def _stop_if_stale(self, change: Any) -> None:
        if change["name"] not in ("method", "item"):
            self.comparison.stop()
