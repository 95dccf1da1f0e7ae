"""ReferralDisplay: the curve with two thresholds, scores in three zones, what referring costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Self

from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from rocviz.core.base.validation import check_choice
from rocviz.core.practice.referral import ReferralPolicy, referral_policy
from rocviz.core.roc.segments import RankedSegments, check_segments
from rocviz.displays.base.data import check_kind
from rocviz.displays.base.display import ModelDisplay
from rocviz.displays.base.style import named_styles
from rocviz.displays.practice.pictures import (
    ReferralScene,
    curve_picture,
    price_picture,
    scores_picture,
)
from rocviz.theme import Theme

#: The pictures, with their titles.
KINDS = {
    "curve": (curve_picture, "Two thresholds on the ROC curve"),
    "scores": (scores_picture, "Rule out, refer, rule in"),
    "price": (price_picture, "What a referral may cost"),
}


class ReferralDisplay(ModelDisplay):
    """Three answers: who is ruled out, referred and ruled in, and what that costs.

    Use :meth:`from_predictions` or :meth:`from_estimator` to make one from data.

    Parameters
    ----------
    segments : RankedSegments
        The ranking.
    policy : ReferralPolicy
        Of the same ranking, see :func:`rocviz.core.practice.referral_policy`.
    name : str, optional
        Name of the model, for the title.

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
        If an argument is invalid.

    References
    ----------
    Chow (1970). Tortorella (2000).

    Examples
    --------
    >>> from rocviz import binormal_scores
    >>> from rocviz.displays.practice import ReferralDisplay
    >>> data = binormal_scores(400, random_state=0)
    >>> display = ReferralDisplay.from_predictions(data.y_true, data.y_prob, cost_referral=0.2)
    >>> display.policy.is_referring
    True
    """

    def __init__(
        self, segments: RankedSegments, policy: ReferralPolicy, *, name: str | None = None
    ) -> None:
        self.segments = check_segments(segments)
        self.policy = check_kind(policy, "policy", ReferralPolicy, "referral_policy")
        self.name = name

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: Any,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        name: str | None = None,
        cost_fp: float = 1.0,
        cost_fn: float = 1.0,
        cost_referral: float | None = None,
        npv: float | None = None,
        sensitivity: float | None = None,
        ppv: float | None = None,
        specificity: float | None = None,
        max_referred: float | None = None,
        guarantee: float | None = None,
        prevalence: float | None = None,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        kind: str = "curve",
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the two thresholds that are best for costs, keep promises, or refer a share.

        Parameters
        ----------
        y_true : array-like, shape (n_samples,)
            Labels of exactly two classes.
        y_score : array-like of float, shape (n_samples,)
            Scores, higher means more positive.
        cost_fp, cost_fn, cost_referral : float
            Costs of a false alarm, of a miss and of a referral.
        npv, sensitivity, ppv, specificity, max_referred, guarantee, prevalence : float, optional
            As for :func:`rocviz.core.practice.referral_policy`.
        sample_weight : array-like of float, shape (n_samples,), optional
        pos_label : label, optional
            The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
        name : str, optional
            Name of the model.
        curve_kwargs, kind, ax, theme
            As for :meth:`plot`.

        Returns
        -------
        ReferralDisplay

        Raises
        ------
        ValueError
            If an argument is invalid. Then no figure is made.
        """
        segments, samples = cls._sample(
            y_true, y_score, sample_weight=sample_weight, pos_label=pos_label, name=name
        )
        policy = referral_policy(
            segments,
            cost_fp=cost_fp,
            cost_fn=cost_fn,
            cost_referral=cost_referral,
            npv=npv,
            sensitivity=sensitivity,
            ppv=ppv,
            specificity=specificity,
            max_referred=max_referred,
            guarantee=guarantee,
            prevalence=prevalence,
        )
        display = cls(segments, policy, name=samples.name)
        return display.plot(ax=ax, kind=kind, curve_kwargs=curve_kwargs, theme=theme)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        response_method: str = "auto",
        pos_label: Any = None,
        name: str | None = None,
        cost_fp: float = 1.0,
        cost_fn: float = 1.0,
        cost_referral: float | None = None,
        npv: float | None = None,
        sensitivity: float | None = None,
        ppv: float | None = None,
        specificity: float | None = None,
        max_referred: float | None = None,
        guarantee: float | None = None,
        prevalence: float | None = None,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        kind: str = "curve",
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the two thresholds of a fitted classifier's scores.

        Parameters
        ----------
        estimator : fitted classifier
            Of two classes.
        X : array-like, shape (n_samples, n_features)
        y : array-like, shape (n_samples,)
            True labels.
        response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
            ``"auto"`` takes probabilities where the classifier has them.
        pos_label : label, optional
            By default the estimator's own ``pos_label_``; needed where it has none and its classes
            are not 0 and 1, -1 and 1, or booleans.
        name : str, optional
            By default the name of the estimator's class.
        cost_fp, cost_fn, cost_referral, npv, sensitivity, ppv, specificity, max_referred
            As for :meth:`from_predictions`.
        guarantee, prevalence, sample_weight, curve_kwargs, kind, ax, theme
            As for :meth:`from_predictions`.

        Returns
        -------
        ReferralDisplay

        Raises
        ------
        ValueError
            If an argument is invalid. Then no figure is made.
        """
        return cls._from_classifier(
            estimator,
            X,
            y,
            sample_weight=sample_weight,
            response_method=response_method,
            pos_label=pos_label,
            name=name,
            cost_fp=cost_fp,
            cost_fn=cost_fn,
            cost_referral=cost_referral,
            npv=npv,
            sensitivity=sensitivity,
            ppv=ppv,
            specificity=specificity,
            max_referred=max_referred,
            guarantee=guarantee,
            prevalence=prevalence,
            curve_kwargs=curve_kwargs,
            kind=kind,
            ax=ax,
            theme=theme,
        )

    def plot(
        self,
        ax: Axes | None = None,
        *,
        kind: str = "curve",
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the display.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default on those of a new figure.
        kind : {"curve", "scores", "price"}, default="curve"
            The picture: the ROC curve with both points, and the isometrics that touch the hull
            there; the scores of both classes in three zones; or the cost per person against the
            price of a referral.
        curve_kwargs : dict, optional
            Properties of matplotlib's ``Line2D``, such as ``{"color": "C1"}``, for the curve.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        ReferralDisplay
            Itself.

        Raises
        ------
        ValueError
            If an argument is invalid. Then no figure is made.
        """
        picture, title = KINDS[check_choice(kind, "kind", tuple(KINDS))]
        own = named_styles(["curve"] if kind == "curve" else [], curve_kwargs)
        scene = ReferralScene(self.segments, self.policy)
        heading = title if self.name is None else f"{self.name}: {title[0].lower()}{title[1:]}"
        height = 6.0 if kind == "curve" else 4.8
        more: dict[str, Any] = {"own": own, "heading": heading}
        self._show(partial(picture, scene), ax, theme, width=6.4, height=height, **more)
        return self
