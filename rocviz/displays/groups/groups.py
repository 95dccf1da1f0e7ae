"""GroupsDisplay: curves by group with a policy, rates of each group, and a criterion's cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Self

from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from rocviz.core.base.naming import name_texts, score_name
from rocviz.core.base.samples import Samples
from rocviz.core.base.validation import check_aligned, check_choice, labels_of_classes
from rocviz.core.groups.policy import (
    CRITERIA,
    GroupPolicy,
    common_region,
    cost_optimal_policy,
    criterion_curve,
)
from rocviz.core.groups.ranking import check_rankings, rank_clustered_groups
from rocviz.core.groups.summary import summary_of
from rocviz.core.roc.segments import RankedSegments
from rocviz.displays.base.data import estimator_scores
from rocviz.displays.base.display import Display
from rocviz.displays.base.style import named_styles
from rocviz.displays.groups.pictures import (
    RATES,
    GroupsScene,
    curves_picture,
    equal_value,
    group_letters,
    largest_groups,
    price_picture,
    rates_picture,
    score_bounds,
    scores_picture,
)
from rocviz.theme import Theme
from rocviz.words import ClassNames

#: The pictures, with their titles.
KINDS = {
    "curves": (curves_picture, "ROC curves of the groups"),
    "scores": (scores_picture, "Scores by group"),
    "rates": (rates_picture, "What each group gets"),
    "price": (price_picture, "What the promise costs"),
}


class GroupsDisplay(Display):
    """Groups of people under a policy: their curves, scores and rates, and the policy's cost.

    The pictures are those of :class:`rocviz.GroupsExplorer`.

    Parameters
    ----------
    rankings : mapping of label to RankedSegments
        The six largest groups are drawn.
    policy : GroupPolicy
        The policy for the same groups, see :func:`rocviz.core.groups.cost_optimal_policy`.
    labels : pair of str, or mapping of label to str, optional
        Names of the negative and of the positive class, or of 0 and 1.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn last.
    figure_ : matplotlib Figure
    picture_ : rocviz.pictures.Picture
        What was drawn, as a value.

    Raises
    ------
    ValueError
        If an argument is invalid, or a group has no point in the policy.

    See Also
    --------
    rocviz.core.groups.group_summary : The numbers, with differences between groups.

    References
    ----------
    Hardt, Price and Srebro (2016).

    Examples
    --------
    >>> from rocviz import GroupsDisplay
    >>> from rocviz.datasets import make_groups
    >>> data = make_groups((300, 100), random_state=0)
    >>> display = GroupsDisplay.from_predictions(data.y_true, data.y_score, data.groups)
    >>> display.policy.criterion
    'equal_opportunity'
    """

    def __init__(
        self,
        rankings: Mapping[Any, RankedSegments],
        policy: GroupPolicy,
        *,
        labels: Any = None,
    ) -> None:
        rankings = check_rankings(rankings)
        if not isinstance(policy, GroupPolicy):
            raise ValueError(f"policy must be a GroupPolicy; got {type(policy).__name__}.")
        missing = [name for name in rankings if name not in policy.points]
        if missing or len(policy.points) != len(rankings):
            raise ValueError("policy must have a point for each group of rankings, and no others.")
        name_texts(rankings, "rankings")
        self.rankings = rankings
        self.policy = policy
        self._name_classes(labels)

    #: Samples by group that come in clusters, for intervals.
    _clustered: Mapping[Any, Samples] | None = None

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike | Mapping[Any, RankedSegments],
        y_score: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
        clusters: ArrayLike | None = None,
        pos_label: Any = None,
        criterion: str = "equal_opportunity",
        cost_fp: float = 1.0,
        cost_fn: float = 1.0,
        tolerance: float = 0.0,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        kind: str = "curves",
        labels: Any = None,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the cost-optimal policy that meets a criterion.

        Parameters
        ----------
        y_true : array-like, shape (n_samples,), or mapping of label to RankedSegments
            Labels of exactly two classes, both in every group; or, alone, segments by group.
        y_score : array-like of float, shape (n_samples,), optional
            Scores, higher means more positive.
        groups : array-like, shape (n_samples,), optional
            Group of each sample; none may be missing.
        sample_weight : array-like of float, shape (n_samples,), optional
        clusters : array-like, shape (n_samples,), optional
            Samples of one cluster (one patient's, say) vary together, which the intervals of rates
            allow for. Only with labels.
        pos_label : label, optional
            The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
        criterion : str, default="equal_opportunity"
            See :func:`rocviz.core.groups.cost_optimal_policy`.
        cost_fp, cost_fn : float, default=1.0
            Costs of a false alarm and of a miss.
        tolerance : float, default=0.0
            Largest difference between the rates that are promised to be equal.
        labels : mapping of label to str, or pair of str, optional
            Names of the classes: by label, or of the negative and of the positive class. By default
            the labels themselves, unless they are 0 and 1, -1 and 1, or booleans.
        curve_kwargs, kind, ax, theme
            As for :meth:`plot`.

        Returns
        -------
        GroupsDisplay

        Raises
        ------
        ValueError
            If an argument is invalid. Then no figure is made.
        """
        rankings, samples = rank_clustered_groups(
            y_true, y_score, groups, clusters, sample_weight, pos_label
        )
        policy = cost_optimal_policy(
            rankings, criterion=criterion, cost_fp=cost_fp, cost_fn=cost_fn, tolerance=tolerance
        )
        classes = (0, 1)
        if not isinstance(y_true, Mapping):
            classes = labels_of_classes(y_true, pos_label)
        display = cls(rankings, policy, labels=ClassNames.of(*classes, labels))
        display._clustered = samples
        display._score_name = score_name(y_score) or "score"
        return display.plot(ax=ax, kind=kind, curve_kwargs=curve_kwargs, theme=theme)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        groups: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        clusters: ArrayLike | None = None,
        response_method: str = "auto",
        pos_label: Any = None,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        kind: str = "curves",
        criterion: str = "equal_opportunity",
        cost_fp: float = 1.0,
        cost_fn: float = 1.0,
        tolerance: float = 0.0,
        labels: Any = None,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the cost-optimal policy that meets a criterion, for a fitted classifier's scores.

        Parameters
        ----------
        estimator : fitted classifier
            Of two classes.
        X : array-like, shape (n_samples, n_features)
        y : array-like, shape (n_samples,)
            True labels.
        groups : array-like, shape (n_samples,)
            Group of each sample; none may be missing.
        response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
            ``"auto"`` takes probabilities where the classifier has them.
        pos_label : label, optional
            By default the estimator's own ``pos_label_``; needed where it has none and its classes
            are not 0 and 1, -1 and 1, or booleans.
        cost_fp, cost_fn, sample_weight, clusters, curve_kwargs, kind, criterion, tolerance
            As for :meth:`from_predictions`.
        labels
            As for :meth:`from_predictions`.
        ax, theme
            As for :meth:`from_predictions`.

        Returns
        -------
        GroupsDisplay

        Raises
        ------
        ValueError
            If an argument is invalid. Then no figure is made.
        """
        if isinstance(estimator, Mapping):
            raise ValueError("estimator must be one classifier; make one display for each.")
        check_aligned(X=X, y=y)
        scores, pos_label, _ = estimator_scores(
            estimator, X, response_method=response_method, pos_label=pos_label, name=None
        )
        return cls.from_predictions(
            y,
            scores,
            groups,
            criterion=criterion,
            cost_fp=cost_fp,
            cost_fn=cost_fn,
            tolerance=tolerance,
            sample_weight=sample_weight,
            clusters=clusters,
            pos_label=pos_label,
            kind=kind,
            curve_kwargs=curve_kwargs,
            labels=labels,
            ax=ax,
            theme=theme,
        )

    def plot(
        self,
        ax: Axes | None = None,
        *,
        kind: str = "curves",
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the display.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default on those of a new figure.
        kind : {"curves", "scores", "rates", "price"}, default="curves"
            The picture: the ROC curves with the points of the policy and the lines that tie them;
            scores by class with the thresholds; the rates of each group with 95 % intervals
            (Wilson); or the cost over the value that is equal in all groups.
        curve_kwargs : dict, or list of dict, optional
            Properties of matplotlib's ``Line2D``, such as ``{"color": "C1"}``, for the curves; a
            list gives those of each.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        GroupsDisplay
            Itself.

        Raises
        ------
        ValueError
            If an argument is invalid. Then no figure is made.
        """
        picture, title = KINDS[check_choice(kind, "kind", tuple(KINDS))]
        scene = self._scene()
        names = [f"group:{i}" for i in range(len(scene.shown))] if kind == "curves" else []
        style: dict[str, Any] = {"own": named_styles(names, curve_kwargs), "heading": title}
        self._show(partial(picture, scene), ax, theme, width=6.4, height=6.0, **style)
        return self

    def _scene(self) -> GroupsScene:
        policy = self.policy
        criterion = self.policy.criterion
        texts = dict(zip(self.rankings, name_texts(self.rankings, "rankings"), strict=True))

        def with_texts(by_name: Mapping[Any, Any]) -> dict[str, Any]:
            return {texts[name]: value for name, value in by_name.items()}

        rankings = with_texts(self.rankings)
        shown = largest_groups(rankings)
        use: dict[str, Any] = {
            "cost_fp": policy.cost_fp,
            "cost_fn": policy.cost_fn,
            "population": with_texts(policy.population),
            "prevalence": with_texts(policy.prevalence),
        }
        fields: dict[str, Any] = dict(vars(policy))
        for field in ("points", "rules", "prevalence", "population"):
            fields[field] = with_texts(fields[field])
        named = GroupPolicy(**fields)
        first = shown[0].name
        # without a criterion, the cost of predicting the same share of each group positive
        priced = CRITERIA[2] if criterion == "none" else criterion
        samples = None if self._clustered is None else with_texts(self._clustered)
        summary = summary_of(rankings, samples, named)
        intervals = {}
        for group in shown:
            intervals[group.name] = [summary.interval(group.name, rate) for rate in RATES]
        return GroupsScene(
            classes=self._classes,
            score=self._score_name,
            shown=shown,
            letters=group_letters(shown),
            bounds=score_bounds(rankings),
            criterion=criterion,
            policy=named,
            free=cost_optimal_policy(rankings, **use),
            curve=criterion_curve(rankings, criterion=priced, **use),
            value=equal_value(named, criterion, first),
            group=first,
            common=common_region(rankings) if criterion == "equalized_odds" else None,
            intervals=intervals,
        )
