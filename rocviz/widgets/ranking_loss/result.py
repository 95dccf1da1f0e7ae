"""The result of the ranking loss explorer at one setting: plane, links, errors, the bound."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.ranking_loss.bound import (
    RankingBoundExample,
    ranking_bound,
    ranking_bound_examples,
    worst_ranking,
)
from rocviz.core.ranking_loss.methods import ISOTONIC_SUFFIX, MAPS, scorer_name, train_scorer
from rocviz.core.ranking_loss.results import RankingExperiment
from rocviz.core.roc.segments import RankedSegments
from rocviz.pictures import some_of
from rocviz.widgets.ranking_loss.data import Samples

Floats = NDArray[np.float64]

MAX_DRAWN_SAMPLES = 300  # samples that are drawn in the plane
MAX_FITTED_SAMPLES = 80  # samples that are drawn above and below the fits


@dataclass(frozen=True, eq=False)
class Plane:
    """Some samples in a plane, and directions in it."""

    points: Floats  # (n_shown, 2)
    positive: NDArray[np.bool_]  # (n_shown,)
    labels: tuple[str, str]  # of both axes
    # (2,): of unit length, or zero: `"truth"` where it is known, `"logistic"` and `"rank"`
    directions: dict[str, Floats]


def plane_of(samples: Samples, ranker: Any, logistic: Any) -> Plane:
    """Compute coordinates: as simulated, two standardised columns, or two scores of more.

    With more than two columns one axis is the ranker's score and the other what is left of
    logistic regression's score when the ranker's is taken out. The angle between both directions
    is then that whose cosine is the correlation of both scores.
    """
    size = samples.positive.size
    some = some_of(size, MAX_DRAWN_SAMPLES)
    directions = {"logistic": logistic.coef, "rank": ranker.coef}
    x1, x2 = samples.names[:2]
    if samples.truth is not None:
        points = samples.X[some]
        labels = (x1, x2)
        directions["truth"] = samples.truth.direction
    elif samples.X.shape[1] == 2:
        spread = samples.X.std(axis=0)
        points = _standard(samples.X)[some]
        labels = (f"{x1}, standardised", f"{x2}, standardised")
        directions = {name: coef * spread for name, coef in directions.items()}
    else:
        score = _standard(samples.X @ ranker.coef)
        logistic_score = _standard(samples.X @ logistic.coef)
        correlation = float(np.mean(score * logistic_score))
        rest = _standard(logistic_score - correlation * score)
        points = np.column_stack((score, rest))[some]
        labels = ("the ranker's score", "what logistic regression adds")
        sine = float(np.sqrt(max(1 - correlation**2, 0.0)))
        directions = {"logistic": np.array([correlation, sine]), "rank": np.array([1.0, 0.0])}
    return Plane(
        points, samples.positive[some], labels, {k: _unit(v) for k, v in directions.items()}
    )


def _standard(values: Floats) -> Floats:
    """Standardise columns to mean 0 and variance 1; constant ones to 0."""
    centred = values - values.mean(axis=0)
    spread = centred.std(axis=0)
    flat = spread <= 1e-9 * np.maximum(np.abs(values).max(axis=0), 1e-300)
    return np.asarray(np.where(flat, 0.0, centred / np.where(flat, 1.0, spread)))


def _unit(direction: Floats) -> Floats:
    length = float(np.linalg.norm(direction))
    return direction / length if length else np.zeros(2)


COMBINED_MIX = 0.5  # of the combined method
FINAL_SLOPE = 1e-9  # slope at which training ends
LINK_RANGE = -3.6, 3.2  # standard deviations that links are drawn over; names stand at the left


class Scorer:
    """A trained linear scorer, and its maps from scores to probabilities, each made once.

    The other arguments are those of :func:`rocviz.core.ranking_loss.methods.train_scorer`.
    """

    def __init__(
        self, samples: Samples, name: str, loss: str, alpha: float, tol: float = FINAL_SLOPE
    ) -> None:
        self.name = name
        self.model = train_scorer(
            name, samples.X, samples.positive, alpha=alpha, loss=loss, mix=COMBINED_MIX, tol=tol
        )
        self._train = samples
        self._cache: dict[Any, Any] = {}

    @property
    def coef(self) -> Floats:
        """Coefficients, shape (n_features,)."""
        return self.model.coef

    @cached_property
    def segments(self) -> RankedSegments:
        """Training samples in the scorer's order."""
        return self.model.rank(self._train.X, self._train.positive)

    def cached(self, name: Any, make: Callable[[], Any]) -> Any:
        """Get a result of this scorer by its name, computed when first asked for."""
        if name not in self._cache:
            self._cache[name] = make()
        return self._cache[name]

    def calibration_map(self, calibration: str) -> Any:
        """Get the map from scores to probabilities."""
        return self.cached(("map", calibration), lambda: MAPS[calibration](self.segments))

    def probability(self, X: Floats, calibration: str) -> Floats:
        """Compute probabilities of samples; ``calibration=""`` is the model's own link."""
        if not calibration:
            return self.model.probability(X)
        return np.asarray(self.calibration_map(calibration)(self.model.decision(X)))

    def error(self, calibration: str) -> float:
        """Compute the mean squared difference to the true probability on new points."""
        return float(self.error_below(np.inf, calibration))

    def error_below(self, score: Any, calibration: str) -> Any:
        """Compute the part of the error from new points below a true score, or below each."""

        def measure() -> tuple[Floats, Floats]:
            new = self._train.new
            assert new is not None
            true_score = new.X @ new.direction
            order = np.argsort(true_score)
            squared = (self.probability(new.X, calibration) - new.true_prob) ** 2
            sums = np.cumsum(squared[order])
            return true_score[order], np.append(0.0, sums / squared.size)

        scores, error = self.cached(("error", calibration), measure)
        return error[np.searchsorted(scores, score)]


@dataclass(frozen=True)
class Method(Frozen):
    """One method at one setting."""

    name: str  # as in `rocviz.core.ranking_loss.RankingExperiment`
    scorer: Scorer  # behind it
    calibration: str  # how scores become probabilities; empty if by the model's own link
    link: Floats  # (n_points,): probabilities along the line that is drawn
    error: float | None  # mean squared difference to the true probability, where that is known


@dataclass(frozen=True)
class Step(Frozen):
    """The top step of an isotonic fit: its samples decide on every larger score."""

    n: int  # samples on it
    start: float  # position at which it begins
    # probability for the highest scores, and the true one at the right end of the picture; NaN
    # where unknown
    probability: float
    truth: float


@dataclass(frozen=True, eq=False)
class RankingLossResult(Frozen):
    """Everything the ranking loss explorer shows at one setting.

    Parameters
    ----------
    samples : Samples
        Trained on.
    methods : mapping of str to Method
        Those that are shown.
    ranker, logistic : Scorer
        Always there, shown or not.
    position : ndarray, shape (n_points,)
        Where links are drawn: along the true direction, or the ranker's standardised score.
    truth : ndarray or None
        True probability there.
    observed : tuple of ndarray or None
        Standardised score and share of positives of slices of the user's samples.
    top : Step
        Of the fit on the ranker's scores.
    examples : tuple of RankingBoundExample
        The ranker, then both counterexamples at the same prevalence.
    experiment : RankingExperiment or None
        As far as it has been run, at these settings.
    """

    samples: Samples
    methods: Mapping[str, Method]
    ranker: Scorer
    logistic: Scorer
    position: Floats
    truth: Floats | None
    observed: tuple[Floats, Floats] | None
    top: Step
    examples: tuple[RankingBoundExample, ...]
    experiment: RankingExperiment | None

    @cached_property
    def plane(self) -> Plane:
        """The plane that samples and directions are drawn in."""
        samples = self.samples
        ranker = self.ranker
        logistic = self.logistic
        return ranker.cached("plane", lambda: plane_of(samples, ranker, logistic))

    @cached_property
    def fitted(self) -> tuple[Floats, NDArray[np.bool_]]:
        """Scores of some samples where links are drawn, and whether each is positive."""
        samples = self.samples
        ranker = self.ranker
        return ranker.cached("fitted", lambda: fitted_samples(samples, ranker))

    @property
    def errors(self) -> dict[str, float]:
        """Mean squared difference to the true probability, by method."""
        return {name: m.error for name, m in self.methods.items() if m.error is not None}

    def error_parts(self, name: str, score: Any) -> tuple[Any, Any]:
        """Divide the error of a method into those of new points below and from a true score on.

        Of several scores there are as many parts.
        """
        method = self.methods[name]
        below = method.scorer.error_below(score, method.calibration)
        return below, method.error - below

    @property
    def bound(self) -> float:
        """The most that the ranker's loss can be, given its AUC."""
        return ranking_bound(self.examples[0].auc, self.examples[0].prevalence)

    def to_frame(self) -> DataFrame:
        """Make a table with one row per method shown: error, angle, and AUC on its own samples."""
        rows = []
        for name, method in self.methods.items():
            angle = self.angle(method.scorer)
            rows.append(
                {
                    "method": name,
                    "error to the truth": np.nan if method.error is None else method.error,
                    "degrees off": np.nan if angle is None else angle,
                    "AUC, own samples": method.scorer.segments.auc,
                }
            )
        return to_frame(rows).set_index("method")

    def angle(self, scorer: Scorer) -> float | None:
        """Compute the angle between a scorer's and the true direction in degrees."""
        if self.samples.truth is None:
            return None
        coef = scorer.coef
        if not coef.any():
            return 90.0
        cosine = float(coef @ self.samples.truth.direction / np.linalg.norm(coef))
        return float(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))))


def line_of(samples: Samples, ranker: Scorer, position: Floats) -> Floats:
    """Choose the points of feature space that links are drawn over, one row each.

    Along the true direction; without one, where the features are expected to be, given the
    ranker's score, if they are normal.
    """
    if samples.truth is not None:
        return np.outer(position, samples.truth.direction)
    centre = samples.X.mean(axis=0)
    score = (samples.X - centre) @ ranker.coef
    spread = float(np.sqrt(np.mean(score**2)))
    if not spread:
        return np.tile(centre, (position.size, 1))
    along = (samples.X - centre).T @ score / score.size / spread
    return centre + np.outer(position, along)


def fitted_samples(samples: Samples, ranker: Scorer) -> tuple[Floats, NDArray[np.bool_]]:
    """Choose some samples: their true or standardised scores, and whether each is positive."""
    if samples.truth is not None:
        score = samples.X @ samples.truth.direction
    else:
        score = _standard(samples.X @ ranker.coef)
    some = some_of(score.size, MAX_FITTED_SAMPLES)
    return score[some], samples.positive[some]


def observed_shares(samples: Samples, ranker: Scorer) -> tuple[Floats, Floats] | None:
    """Compute standardised scores and shares of positives of ten slices of the user's samples."""
    if samples.truth is not None:
        return None
    score = samples.X @ ranker.coef
    spread = score.std() or 1.0
    order = np.argsort(score, kind="stable")
    slices = np.array_split(order, min(10, max(order.size // 5, 1)))
    mean_score = np.array([score[rows].mean() for rows in slices])
    share = np.array([samples.positive[rows].mean() for rows in slices])
    return (mean_score - score.mean()) / spread, share


def top_step(
    ranker: Scorer, calibration: str, position: Floats, line: Floats, truth: Floats | None
) -> Step:
    """Count the samples on the top step, and give its probability."""
    segments = ranker.segments
    n = int(segments.hull().n[0])
    lowest = segments.score[np.searchsorted(np.cumsum(segments.n), n)]
    score = line @ ranker.coef
    rises = score[-1] > score[0]
    start = float(np.interp(lowest, score, position)) if rises else float(position[-1])
    highest = ranker.calibration_map(calibration)(segments.score[:1])[0]
    return Step(n, start, float(highest), float("nan") if truth is None else float(truth[-1]))


@cache
def _four() -> RankingBoundExample:
    return ranking_bound_examples()[0]


def bound_examples(ranker: Scorer) -> tuple[RankingBoundExample, ...]:
    """Make the ranker's example, and both counterexamples with the same prevalence.

    With classes of very different size the first of them is none, and is left out.
    """
    mine = RankingBoundExample("the ranker", ranker.segments)
    pi = mine.prevalence
    four = _four().segments
    shared = RankedSegments(
        score=four.score, pos=four.pos * pi / four.n_pos, neg=four.neg * (1 - pi) / four.n_neg
    )
    least = min(pi, 1 - pi)
    even = worst_ranking(1 - least / (6 * (1 - least)), pi, 100)
    examples = [mine]
    for name, segments in (("labels 1, 0, 1, 0", shared), ("evenly spread", even)):
        example = RankingBoundExample(name, segments)
        if example.loss > example.printed_bound:
            examples.append(example)
    return tuple(examples)


def result_of(
    samples: Samples,
    methods: tuple[str, ...],
    calibration: str,
    scorer: Callable[[str], Scorer],
    truth: Callable[[Floats], Floats] | None,
    experiment: RankingExperiment | None,
) -> RankingLossResult:
    """Assemble the result.

    ``calibration`` is for every "+ isotonic"; ``scorer`` gives a trained one by its name; ``truth``
    is the true probability at positions along the true direction.
    """
    position = np.linspace(*LINK_RANGE, 426)
    ranker = scorer("rank")
    line = ranker.cached("line", lambda: line_of(samples, ranker, position))
    shown = {}
    for name in methods:
        base = scorer(scorer_name(name))
        how = calibration if name.endswith(ISOTONIC_SUFFIX) else ""
        error = None if samples.new is None else base.error(how)
        shown[name] = Method(name, base, how, base.probability(line, how), error)
    known = None if truth is None else truth(position)
    return RankingLossResult(
        samples=samples,
        methods=shown,
        ranker=ranker,
        logistic=scorer("logistic"),
        position=position,
        truth=known,
        observed=ranker.cached("observed", lambda: observed_shares(samples, ranker)),
        top=top_step(ranker, calibration, position, line, known),
        examples=ranker.cached("examples", lambda: bound_examples(ranker)),
        experiment=experiment,
    )
