"""Several places: what a score is worth in each, on average, and in the next one.

Numbers of sites are combined by a random-effects model: sites differ in truth, and the variance of
that is estimated.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import expit, logit

from rocviz.core.base.blocks import rows_by_number
from rocviz.core.base.frozen import MAX_ROWS, DataFrame, Frozen, frame_html, in_lines, to_frame
from rocviz.core.base.logistic_levels import class_probabilities
from rocviz.core.base.naming import prefix_error_with
from rocviz.core.base.normal import normal_quantile, student_quantile
from rocviz.core.base.samples import Samples, check_scored
from rocviz.core.base.validation import (
    Floats,
    Weights,
    check_aligned,
    check_choice,
    check_fraction,
    check_same_length,
    check_text,
    check_vector,
    check_weights,
    clipped_probabilities,
    describe,
    label_column,
    number_categories,
)
from rocviz.core.calibration.recalibration import (
    CalibrationData,
    calibration_data,
    fit_recalibration,
    ratio_dispersion,
    ratio_of_sums,
)
from rocviz.core.roc.auc_intervals import AUCSpread, auc_spread, clustered_spread
from rocviz.core.roc.segments import RankedSegments

#: The numbers of each site, with the scales on which they are combined.
MEASURES = {"auc": "logit", "observed_expected": "log", "slope": "identity"}

#: What they are called at the beginning of a line.
TITLES = {"auc": "AUC", "observed_expected": "Observed over expected", "slope": "Slope"}

#: Scales on which estimates are combined.
SCALES = ("identity", "log", "logit")

#: Sites below which no interval is given.
MIN_SITES = 3

_TAU_TOLERANCE = 1e-13
# Of sites whose AUC shows no variance; with more, those that take their places decide the mean.
_MAX_SHARE_REPLACED = 0.25


# ---------------------------------------------------------------------- combining estimates


@dataclass(frozen=True, eq=False)
class RandomEffects(Frozen):
    """Estimates of several sites, their mean, and what to expect of a new site.

    Made by :func:`random_effects` and :func:`compare_sites`. Estimates and the mean are on the
    ``scale``; :meth:`to_frame` gives them as they are read.

    Parameters
    ----------
    measure : str
        Name of the number.
    scale : str
        ``"identity"``, ``"log"`` or ``"logit"``: the scale of all numbers below.
    sites : tuple
        Those that have an estimate.
    estimate, standard_error : ndarray of float, shape (n_sites,)
    weight : ndarray of float, shape (n_sites,)
        Of each site in the mean; they sum to 1.
    tau_squared : float
        Variance between sites, Paule and Mandel's.
    mean : float
    lower, upper : float
        Ends of the interval of the mean; ``nan`` with fewer than three sites, or for AUCs of which
        more than a quarter show no variance.
    prediction_lower, prediction_upper : float
        Ends of the interval in which the true value of a new site is expected; likewise.
    confidence : float
    reason : str
        Why there is no interval; empty if there is one.
    """

    measure: str
    scale: str
    sites: tuple[Any, ...]
    estimate: Floats
    standard_error: Floats
    weight: Floats
    tau_squared: float
    mean: float
    lower: float
    upper: float
    prediction_lower: float
    prediction_upper: float
    confidence: float
    reason: str = ""

    def _as_read(self, numbers: Floats) -> Floats:
        """Convert numbers on the scale to those that are read, such as AUCs from log odds."""
        if self.scale == "logit":
            return np.asarray(expit(numbers))
        return np.exp(numbers) if self.scale == "log" else numbers

    @property
    def average(self) -> tuple[float, float, float]:
        """Mean and the ends of its interval, as they are read."""
        value, lower, upper = self._as_read(np.array([self.mean, self.lower, self.upper])).tolist()
        return value, lower, upper

    @property
    def prediction(self) -> tuple[float, float]:
        """Ends of the interval for a new site, as they are read."""
        ends = np.array([self.prediction_lower, self.prediction_upper])
        lower, upper = self._as_read(ends).tolist()
        return lower, upper

    def to_frame(self) -> DataFrame:
        """Tabulate one row per site, then the mean and the interval for a new site.

        Returns
        -------
        pandas.DataFrame
            Columns ``row, site, value, lower, upper, weight``, as they are read; ``row`` is
            ``"site"``, ``"mean"`` or ``"new site"``. Intervals of sites are normal ones on the
            scale.
        """
        steps = normal_quantile(self.confidence) * self.standard_error
        n_sites = len(self.sites)
        value, lower, upper = self.average
        columns = (self.estimate, self.estimate - steps, self.estimate + steps)
        values, lows, highs = (self._as_read(column).tolist() for column in columns)
        new_lower, new_upper = self.prediction
        return to_frame(
            row=["site"] * n_sites + ["mean", "new site"],
            site=np.array([*self.sites, None, None], dtype=object),  # whole numbers stay whole
            value=[*values, value, value],
            lower=[*lows, lower, new_lower],
            upper=[*highs, upper, new_upper],
            weight=[*self.weight.tolist(), 1.0, np.nan],
        )


def random_effects(
    estimate: ArrayLike,
    standard_error: ArrayLike,
    *,
    sites: ArrayLike | None = None,
    measure: str = "estimate",
    scale: str = "identity",
    confidence: float = 0.95,
) -> RandomEffects:
    """Combine estimates of several sites, which differ in truth, by a random-effects model.

    Parameters
    ----------
    estimate : array-like of float, shape (n_sites,)
        At least one, on the ``scale``: log odds of AUCs, for example.
    standard_error : array-like of float, shape (n_sites,)
        Of these; positive.
    sites : array-like, shape (n_sites,), optional
        Names; by default they are numbered from 0.
    measure : str, default="estimate"
        What is estimated.
    scale : {"identity", "log", "logit"}, default="identity"
        Scale of the estimates.
    confidence : float, default=0.95
        Strictly between 0 and 1.

    Raises
    ------
    ValueError
        If an argument is invalid.

    Notes
    -----
    The variance between sites ``tau_squared`` is that for which the weighted sum of squares has
    its expectation ``n_sites - 1`` (Paule and Mandel, 1982). The interval of the mean has
    Student's quantile of ``n_sites - 1`` degrees of freedom (Hartung and Knapp, 2001); their
    factor is 1 where the variance between sites is positive, and is not taken below 1 where it is 0
    (sites that agree by chance would give an interval of no width). The interval for a new site
    adds ``tau_squared`` to the squared error and has ``n_sites - 2`` degrees of freedom (Higgins,
    Thompson and Spiegelhalter, 2009).

    References
    ----------
    Paule and Mandel (1982). Hartung and Knapp (2001). Higgins, Thompson and Spiegelhalter (2009).

    Examples
    --------
    >>> combined = random_effects([1.2, 0.8, 1.9, 1.1, 0.4], [0.2, 0.3, 0.22, 0.4, 0.14])
    >>> round(combined.mean, 3), round(combined.tau_squared, 3)
    (1.072, 0.268)
    >>> round(combined.lower, 2), round(combined.prediction_lower, 2)
    (0.36, -0.77)
    """
    values = check_vector(estimate, "estimate")
    errors = check_vector(standard_error, "standard_error")
    check_same_length(values.size, standard_error=errors)
    if not values.size:
        raise ValueError("estimate is empty; at least one site is needed.")
    if errors.min() <= 0:
        raise ValueError(f"standard_error must be positive; the smallest is {errors.min():.6g}.")
    check_choice(scale, "scale", SCALES)
    check_text(measure, "measure")
    level = check_fraction(confidence, "confidence")
    names = list(range(values.size))
    if sites is not None:
        column = label_column(sites, "sites")
        check_same_length(values.size, sites=column)
        names = column.tolist()
    return _combine(measure, scale, names, values, errors, level)


def _combine(
    measure: str,
    scale: str,
    names: list[Any],
    values: Floats,
    errors: Floats,
    level: float,
    reason: str = "",
) -> RandomEffects:
    """Combine checked estimates; ``reason`` is why there is to be no interval."""
    k = values.size
    tau_squared = paule_mandel(values, errors**2)
    weight = 1 / (errors**2 + tau_squared)
    mean = float(weight @ values / weight.sum())
    of_mean = float(1 / weight.sum())
    lower = upper = new_lower = new_upper = np.nan
    if k < MIN_SITES:
        sites = "One site is" if k == 1 else "Two sites are"
        reason = f"{sites} too few for an interval of the mean, or for one of a new site."
    if not reason:
        half = float(student_quantile(level, k - 1.0)) * np.sqrt(of_mean)
        lower, upper = mean - half, mean + half
        half = float(student_quantile(level, k - 2.0)) * np.sqrt(tau_squared + of_mean)
        new_lower, new_upper = mean - half, mean + half
    share = weight / weight.sum()
    ends = (float(lower), float(upper), float(new_lower), float(new_upper))
    return RandomEffects(
        measure, scale, tuple(names), values, errors, share, tau_squared, mean, *ends, level, reason
    )


def paule_mandel(values: Floats, variances: Floats) -> float:
    """Estimate the variance between sites, at least 0.

    Examples
    --------
    >>> round(paule_mandel(np.array([-1.0, 1.0]), np.array([0.5, 0.5])), 9)
    1.5
    """

    def surplus(tau_squared: float) -> float:
        weight = 1 / (variances + tau_squared)
        away = values - weight @ values / weight.sum()
        return float(weight @ away**2) - (values.size - 1)

    if values.size == 1 or surplus(0.0) <= 0:
        return 0.0
    # there the sum of squares is a quarter of the number of sites at most
    high = float(np.ptp(values)) ** 2
    return float(brentq(surplus, 0.0, high, xtol=_TAU_TOLERANCE * high, rtol=1e-14))


# ---------------------------------------------------------------------- sites


@dataclass(frozen=True, eq=False)
class SiteComparison(Frozen):
    """A score in several sites: its numbers in each, on average, and for a new one.

    Made by :func:`compare_sites`.

    Parameters
    ----------
    sites : tuple
        All sites.
    n_pos, n_neg : ndarray of float, shape (n_sites,)
        Weight of positives and negatives of each.
    auc : RandomEffects or None
        AUCs, combined as log odds; ``None`` if no site has one.
    observed_expected : RandomEffects or None
        Observed over expected positives, combined as logarithms; ``None`` if scores are no
        probabilities.
    slope : RandomEffects or None
        Calibration slopes; ``None`` if scores are no probabilities or no site has one.
    pooled_auc : float
        AUC of all samples together, as if they were of one site.
    mean_within_auc : float
        Plain mean of the AUCs of the sites; ``nan`` if none has one. The two differ where scores
        are not on one scale, or where scores tell sites of many positives from those of few.
    confidence : float
    reasons : tuple of str
        Sentences on what is left out, replaced or missing, and why.
    """

    sites: tuple[Any, ...]
    n_pos: Floats
    n_neg: Floats
    auc: RandomEffects | None
    observed_expected: RandomEffects | None
    slope: RandomEffects | None
    pooled_auc: float
    mean_within_auc: float
    confidence: float
    reasons: tuple[str, ...] = ()

    @property
    def measures(self) -> dict[str, RandomEffects]:
        """The combined numbers that there are, by name."""
        found = {name: getattr(self, name) for name in MEASURES}
        return {name: value for name, value in found.items() if value is not None}

    def to_frame(self) -> DataFrame:
        """Tabulate one row per site: counts, and each number with its interval.

        Returns
        -------
        pandas.DataFrame
            Indexed by ``site``, with columns ``n_pos, n_neg`` and, for each number such as ``auc``,
            ``auc, auc_lower, auc_upper``; ``nan`` where a site has none.
        """
        frame = to_frame(site=list(self.sites), n_pos=self.n_pos, n_neg=self.n_neg)
        frame = frame.set_index("site")
        for name, combined in self.measures.items():
            table = combined.to_frame()
            table = table[table["row"] == "site"].set_index("site")
            frame[name] = table["value"]
            frame[f"{name}_lower"] = table["lower"]
            frame[f"{name}_upper"] = table["upper"]
        return frame

    def means_to_frame(self) -> DataFrame:
        """Tabulate one row per number: mean, its interval, and that for a new site.

        Returns
        -------
        pandas.DataFrame
            Indexed by ``measure``, with columns ``n_sites, mean, lower, upper, prediction_lower,
            prediction_upper, tau_squared``; the last is on the scale of the number.
        """
        rows = []
        for name, combined in self.measures.items():
            value, lower, upper = combined.average
            new_lower, new_upper = combined.prediction
            rows.append(
                {
                    "measure": name,
                    "n_sites": len(combined.sites),
                    "mean": value,
                    "lower": lower,
                    "upper": upper,
                    "prediction_lower": new_lower,
                    "prediction_upper": new_upper,
                    "tau_squared": combined.tau_squared,
                }
            )
        return to_frame(rows).set_index("measure")

    def __repr__(self) -> str:
        means = []
        for name, combined in self.measures.items():
            means.append(f"mean {name} {combined.average[0]:.4g}")
        opening = f"<SiteComparison: {len(self.sites)} sites, "
        return "\n".join(in_lines(opening, means or ["no numbers"], ">"))

    def _repr_html_(self) -> str:
        sentences = []
        for name, combined in self.measures.items():
            value, lower, upper = combined.average
            low, high = combined.prediction
            sentences.append(
                f"mean {name} {value:.4g} ({lower:.4g} to {upper:.4g}), in a new site {low:.4g} "
                f"to {high:.4g}"
            )
        sentences += self.reasons[:MAX_ROWS]
        table = frame_html(self.to_frame().round(4), "sites", na_rep="–")
        return "".join([table, *(f"<p>{escape(sentence)}</p>" for sentence in sentences)])


class _Site(NamedTuple):
    """Checked samples of one site."""

    name: Any
    samples: Samples

    @property
    def n_pos(self) -> float:
        """Weight of the positives."""
        return float(self.samples.w[self.samples.positive].sum())

    @property
    def n_neg(self) -> float:
        """Weight of the negatives."""
        return float(self.samples.w[~self.samples.positive].sum())


def compare_sites(
    y_true: ArrayLike,
    y_score: ArrayLike,
    sites: ArrayLike,
    *,
    sample_weight: Weights = None,
    clusters: ArrayLike | None = None,
    pos_label: Any = None,
    confidence: float = 0.95,
) -> SiteComparison:
    """Compare a score between sites: hospitals, years, or folds that are kept apart.

    Parameters
    ----------
    y_true, y_score, pos_label
        As for :meth:`RankedSegments.from_scores`. Only probabilities have calibration.
    sites : array-like, shape (n_samples,)
        Site of each sample; none may be missing.
    sample_weight : array-like of float, shape (n_samples,), optional
        How often each sample is repeated; not negative.
    clusters : array-like, shape (n_samples,), optional
        Samples of one cluster (one patient's, say) vary together. A cluster that is in two sites
        counts as two.
    confidence : float, default=0.95
        Of all intervals; strictly between 0 and 1.

    Raises
    ------
    ValueError
        If an argument is invalid, or the weights of a site claim less than one sample of a class.

    See Also
    --------
    rocviz.displays.practice.SitesDisplay : The forest plot.
    random_effects : The mean of estimates that are there already.

    Notes
    -----
    *AUCs* have DeLong's standard error (Obuchowski's, with clusters) on the scale of log odds.
    Where it cannot be estimated, as for an AUC of 1, the site enters with ``(m * AUC + 1/2) /
    (m + 1)``, m the size of its smaller class, and the error of m independent pairs, which is the
    largest one.

    *Observed over expected* enters as its logarithm, with the error of
    :func:`rocviz.core.calibration.calibration_summary`. A site of one class, or with predictions
    that are all 0 or as good as 0, has 1/2 added to both numbers and Poisson's error. *Slopes* are
    those of logistic recalibration; a site whose classes a threshold separates has none.

    Sites of one class have no AUC and no slope. With fewer than three sites that have a number,
    or where more than a quarter of the AUCs show no variance, there is no interval of the mean.
    ``reasons`` names these sites and says so.

    *Coverage* at 95 %, in simulations of eight sites of 50 to 1,000 samples each, with AUCs of .5,
    .85 and .995, prevalences of .5 and .05, and standard deviations between sites of .3 (log odds
    of AUCs) and .2 (logarithms of observed over expected): means of AUCs 90 to 100 %, of ratios and
    slopes 89 to 100 %; numbers of a new site 84 to 100 %. Fewer are covered where sites are small:
    74 % of ratios in a new site with two or three positives in each, and means of AUCs of .995 with
    25 or fewer of the rarer class in each, which in most data sets have no interval.

    *When not to use it.* A mean over sites describes no patient: patients of one site get that
    site's model. A wide interval for a new site is the message, not a fault of the method.

    References
    ----------
    Debray et al. (2017). Paule and Mandel (1982). Hartung and Knapp (2001).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> site = np.repeat(["A", "B", "C", "D"], 200)
    >>> prob = rng.beta(1, 2, 800)
    >>> y = rng.random(800) < prob ** np.repeat([1.0, 1.5, 0.8, 1.0], 200)
    >>> compared = compare_sites(y, prob, site)
    >>> compared.to_frame()["observed_expected"].round(2).tolist()
    [1.04, 0.63, 1.18, 1.02]
    >>> compared.means_to_frame().loc["auc", ["lower", "upper"]].round(2).tolist()
    [0.75, 0.85]
    """
    level = check_fraction(confidence, "confidence")
    found, is_probability = _by_site(y_true, y_score, sites, sample_weight, clusters, pos_label)
    rows: dict[str, list[tuple[Any, float, float]]] = {name: [] for name in MEASURES}
    aucs = []
    n_replaced = 0
    reasons = []
    for site in found:
        with prefix_error_with(f"sites: {describe(site.name)}"):
            has_both = site.n_pos > 0 and site.n_neg > 0
            if has_both:
                spread = _auc_spread(site)
                aucs.append(spread.auc)
                value, error, replaced = _logit_auc(spread)
                rows["auc"].append((site.name, value, error))
                if replaced:
                    n_replaced += 1
                    reasons.append(
                        f"Site {site.name}: its AUC of {spread.auc:.4g} shows no variance and "
                        f"enters as {float(expit(value)):.4g}."
                    )
            else:
                reasons.append(
                    f"Site {site.name} has one class only, and so no AUC"
                    f"{' and no slope' if is_probability else ''}."
                )
            if is_probability:
                data = _calibration_data(site) if has_both else None
                rows["observed_expected"].append((site.name, *_log_ratio(site, data)))
                if data is not None:
                    slope, error, reason = _slope(data)
                    if reason:
                        reasons.append(f"Site {site.name}: {reason}")
                    else:
                        rows["slope"].append((site.name, slope, error))
    combined = {}
    for name, of_sites in rows.items():
        if of_sites:
            names, values, errors = zip(*of_sites, strict=True)
            why = ""
            if name == "auc" and n_replaced > _MAX_SHARE_REPLACED * len(aucs):
                why = (
                    f"{n_replaced} of {len(aucs)} AUCs show no variance, so there is no interval "
                    "of the mean, and none of a new site."
                )
            combined[name] = _combine(
                name, MEASURES[name], list(names), np.array(values), np.array(errors), level, why
            )
            if combined[name].reason:
                reasons.append(f"{TITLES[name]}: {combined[name].reason}")
    if not is_probability:
        reasons.append("Scores that are no probabilities have no calibration.")
    return SiteComparison(
        sites=tuple(site.name for site in found),
        n_pos=np.array([site.n_pos for site in found]),
        n_neg=np.array([site.n_neg for site in found]),
        auc=combined.get("auc"),
        observed_expected=combined.get("observed_expected"),
        slope=combined.get("slope"),
        pooled_auc=_pooled_auc(found),
        mean_within_auc=float(np.mean(aucs)) if aucs else np.nan,
        confidence=level,
        reasons=tuple(reasons),
    )


def _by_site(
    y_true: ArrayLike,
    y_score: ArrayLike,
    sites: ArrayLike,
    sample_weight: Weights,
    clusters: ArrayLike | None,
    pos_label: Any,
) -> tuple[list[_Site], bool]:
    """Check samples, and divide them by site; tell whether scores are probabilities."""
    check_aligned(y_true=y_true, y_score=y_score, sites=sites)
    if isinstance(y_true, RankedSegments):
        raise ValueError("y_true must be labels: segments do not know which site a sample is of.")
    samples = check_scored(y_true, sample_weight, pos_label, clusters, y_score=y_score)
    n_samples = len(label_column(y_true, "y_true"))
    names, code = number_categories(sites, n_samples, "sites")
    weight = check_weights(sample_weight, n_samples)
    if weight is not None:
        code = code[weight > 0]
    score = samples.scores[0]
    prob = clipped_probabilities(score)
    values = score if prob is None else prob
    found = []
    for rows in rows_by_number(code):
        name = names[code[rows[0]]]
        unit = None
        if samples.unit is not None:
            unit = np.unique(samples.unit[rows], return_inverse=True)[1]
        of_site = Samples(samples.positive[rows], (values[rows],), samples.w[rows], unit)
        found.append(_Site(name, of_site))
    return found, prob is not None


def _auc_spread(site: _Site) -> AUCSpread:
    """Compute the AUC of a site with its variance."""
    samples = site.samples
    if samples.unit is not None:
        return clustered_spread(samples.positive, samples.scores[0], samples.w, samples.unit)
    segments = RankedSegments._of_samples(samples)
    return auc_spread(segments.pos, segments.neg)


def _logit_auc(spread: AUCSpread) -> tuple[float, float, bool]:
    """Compute the log odds of an AUC and their standard error; tell whether it was replaced."""
    both = spread.auc * spread.wrong
    if spread.variance > 0 and both > 0:
        return float(logit(spread.auc)), float(np.sqrt(spread.variance)) / both, False
    m = min(spread.n_pos, spread.n_neg) if spread.n_clusters is None else spread.n_clusters
    auc = (m * spread.auc + 0.5) / (m + 1)
    return float(logit(auc)), float(1 / np.sqrt(m * auc * (1 - auc))), True


def _log_ratio(site: _Site, data: CalibrationData | None) -> tuple[float, float]:
    """Compute the logarithm of observed over expected positives, and its standard error.

    A site of one class has no ``data`` for calibration.
    """
    ratio = np.inf if data is None else ratio_of_sums(data)
    if data is None or np.isinf(ratio):
        observed = site.n_pos + 0.5
        expected = float(site.samples.w @ site.samples.scores[0]) + 0.5
        return float(np.log(observed / expected)), float(1 / np.sqrt(observed))
    shift, factor = ratio_dispersion(data, ratio)
    yes, no = class_probabilities(data.log_odds + shift)
    return float(np.log(ratio)), float(np.sqrt(factor * (data.n @ (yes * no)))) / site.n_pos


def _slope(data: CalibrationData) -> tuple[float, float, str]:
    """Compute the calibration slope of a site with its standard error, or why there is none."""
    fit = fit_recalibration(data)
    if np.isnan(fit.slope):
        return np.nan, np.nan, "all predictions are the same, so they have no slope."
    if np.isinf(fit.slope):
        return np.nan, np.nan, "a threshold separates its classes, so it has no finite slope."
    return fit.slope, float(np.sqrt(fit.covariance[1, 1])), ""


def _calibration_data(site: _Site) -> CalibrationData:
    """Count both classes of a site at each distinct probability."""
    samples = site.samples
    return calibration_data(
        samples.positive, samples.scores[0], samples.w, samples.unit, pos_label=True
    )


def _pooled_auc(found: list[_Site]) -> float:
    """Compute the AUC of the samples of all sites together."""
    together = [site.samples for site in found]
    positive = np.concatenate([samples.positive for samples in together])
    score = np.concatenate([samples.scores[0] for samples in together])
    weight = np.concatenate([samples.w for samples in together])
    return RankedSegments._of_samples(Samples(positive, (score,), weight, None)).auc
