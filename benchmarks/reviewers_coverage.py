"""Coverage of intervals for reviewers: ``python benchmarks/reviewers_coverage.py``.

Simulates data whose true calibration error, ICI, net benefit, best threshold and regret are known,
and counts. Percentile and basic intervals of the bootstrap stand beside those of the calibration
error. Choose tables by name: ``calibration``, ``recalibration``, ``few``, ``net_benefit``,
``threshold``; ``--sets`` data sets make a line. All of it takes half an hour with 200.
"""

from __future__ import annotations

import argparse

import numpy as np
from scipy.optimize import brentq, isotonic_regression
from scipy.special import expit, logit

from rocviz import RankedSegments
from rocviz.core.calibration import flexible_calibration
from rocviz.core.calibration.recalibration import (
    calibration_data,
    in_the_large,
    intercept_and_slope,
    observed_expected,
)
from rocviz.core.comparison import calibration_error
from rocviz.core.curve_spaces import net_benefit_band
from rocviz.core.decisions import threshold_interval

#: Slope and shift that are applied to the log-odds of true probabilities.
MODEL_PARAMETERS = {"calibrated": (1.0, 0.0), "slope 1.2": (1.2, 0.0), "shift 0.3": (1.0, 0.3)}
MODEL_PARAMETERS |= {"slope 2": (2.0, 0.0), "shift 1": (1.0, 1.0)}
SAMPLE_SIZES = (100, 300, 1000)


def line(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def head(*cells):
    line(*cells)
    print("|" + "---|" * len(cells))


def share(flags):
    return f"{100 * np.mean(flags):.0f} %"


def contains(ends, true):
    return ends[0] <= true + 1e-12 and true <= ends[1] + 1e-12


def miscalibrated(prob, model):
    steep, shift = MODEL_PARAMETERS[model]
    return expit(steep * logit(prob) + shift)


def error(y, prob, weight):
    hull = isotonic_regression(y, weights=weight).x
    return np.sqrt(weight @ ((prob - y) ** 2 - (hull - y) ** 2) / weight.sum())


def bootstrap_ends(y, prob, rng, resamples=100):
    """Compute the percentile and the basic interval of the calibration error."""
    order = np.argsort(prob, kind="stable")
    y = y[order].astype(float)
    prob = prob[order]
    estimate = error(y, prob, np.ones(y.size))
    drawn = []
    for _ in range(resamples):
        times = np.bincount(rng.integers(y.size, size=y.size), minlength=y.size)
        is_drawn = times > 0
        drawn.append(error(y[is_drawn], prob[is_drawn], times[is_drawn].astype(float)))
    low, high = np.quantile(drawn, [0.025, 0.975])
    return (low, high), (max(2 * estimate - high, 0.0), 2 * estimate - low)


def calibration(sets, rng):
    """Calibration errors and ICI, of predictions whose true probabilities are Beta(1, 2)."""
    many = np.random.default_rng(1).beta(1, 2, 10**6)
    head("number", "predictions", "samples", "true", "mean", "rocviz", "percentiles", "basic")
    for model in MODEL_PARAMETERS:
        gap = miscalibrated(many, model) - many
        root = np.sqrt(np.mean(gap**2))
        ici = np.mean(np.abs(gap))
        for n in SAMPLE_SIZES:
            rows = []
            for _ in range(sets):
                prob = rng.beta(1, 2, n)
                y = rng.random(n) < prob
                predicted = miscalibrated(prob, model)
                estimate = calibration_error(y, predicted, n_resamples=50, random_state=rng)
                own = contains((estimate.lower, estimate.upper), root)
                rest = [contains(ends, root) for ends in bootstrap_ends(y, predicted, rng)]
                curve = flexible_calibration(y, predicted, n_resamples=200, random_state=rng).ici
                smooth = contains((curve.lower, curve.upper), ici)
                rows.append((estimate.error, own, *rest, curve.value, smooth))
            value, *covered, mean, smooth = zip(*rows, strict=True)
            means = f"{root:.3f}", f"{np.mean(value):.3f}"
            line("calibration error", model, f"{n:,}", *means, *map(share, covered))
            line(
                "ICI", model, f"{n:,}", f"{ici:.3f}", f"{np.mean(mean):.3f}", share(smooth), "", ""
            )


#: Mean of normal log-odds with a standard deviation of 1.2, for a prevalence of .5 and of .044.
LOG_ODDS_MEANS = {0.5: 0.0, 0.044: -3.6}
#: Multipliers of the log-odds around their mean.
STEEPNESS_FACTORS = {"calibrated": 1.0, "twice too steep": 2.0, "useless": np.inf}


def draw_log_odds(n, rng, mean, steepness):
    """Draw labels and predicted log-odds, which say nothing where the steepness is infinite."""
    while True:
        true = rng.normal(mean, 1.2, n)
        y = rng.random(n) < expit(true)
        if 0 < y.sum() < n:
            break
    if np.isinf(steepness):
        return y, rng.normal(mean, 1.2, n)
    return y, mean + steepness * (true - mean)


def recalibration(sets, rng):
    """Observed over expected, calibration-in-the-large and slope, also of six rows a cluster."""
    head("predictions", "prevalence", "samples", "observed / expected", "in the large", "slope")
    for prevalence, mean in LOG_ODDS_MEANS.items():
        for model, steepness in STEEPNESS_FACTORS.items():
            y, x = draw_log_odds(10**6, np.random.default_rng(1), mean, steepness)
            ratio = y.mean() / expit(x).mean()
            shift = brentq(lambda a, x=x, y=y: expit(x + a).mean() - y.mean(), -5, 5, xtol=1e-4)
            slope = 1 / steepness
            for n in (50, 200, 1000):
                rows = []
                for _ in range(sets):
                    y, x = draw_log_odds(n, rng, mean, steepness)
                    rows.append(_covers(y, expit(x), None, ratio, shift, slope))
                line(model, prevalence, f"{n:,}", *map(share, zip(*rows, strict=True)))
    for far, high, n in ((0.001, 0.2, 50), (0.01, 0.2, 100), (0.02, 0.1, 100), (0.01, 0.5, 50)):
        rows = []
        while len(rows) < sets:
            prob = np.where(rng.random(n) < high, 1 - far, far)
            y = rng.random(n) < prob
            if 0 < y.sum() < n:
                rows.append(_covers(y, prob, None, 1.0, 0.0, 1.0)[:2])
        line(f"{far:g} and {1 - far:g}", high, n, *map(share, zip(*rows, strict=True)), "")
    for n_clusters in (20, 50, 200):
        rows = []
        unit = np.repeat(np.arange(n_clusters), 6)
        while len(rows) < sets:
            own = rng.normal(size=n_clusters)
            y = (rng.random(n_clusters) < expit(own))[unit]
            if 0 < y.sum() < y.size:
                rows.append(_covers(y, expit(own)[unit], unit, 1.0, 0.0, 1.0))
        covered = map(share, zip(*rows, strict=True))
        line("calibrated", "outcomes of clusters", f"6 x {n_clusters}", *covered)


def _covers(y, prob, clusters, ratio, shift, slope):
    """Tell which of three intervals contain the true values."""
    data = calibration_data(y, prob, None, clusters, None)
    estimates = (
        observed_expected(data, 0.95),
        in_the_large(data, 0.95),
        intercept_and_slope(data, 0.95)[1],
    )
    ends = [(estimate.lower, estimate.upper) for estimate in estimates]
    return [contains(pair, true) for pair, true in zip(ends, (ratio, shift, slope), strict=True)]


def few(sets, rng):
    """ICI with few and with more of the rarer class, by the curve that is fitted then."""
    head("predictions", "prevalence", "samples", "of the rarer class", "ICI", "share logistic")
    for prevalence, sizes in ((0.044, (200, 300, 700, 1000)), (0.5, (50, 100, 300))):
        mean = LOG_ODDS_MEANS[prevalence]
        for model in ("calibrated", "twice too steep"):
            _, x = draw_log_odds(10**6, np.random.default_rng(1), mean, STEEPNESS_FACTORS[model])
            ideal = expit(mean + (x - mean) / STEEPNESS_FACTORS[model])
            true = np.abs(expit(x) - ideal).mean()
            for n in sizes:
                rows = []
                for _ in range(sets):
                    y, x = draw_log_odds(n, rng, mean, STEEPNESS_FACTORS[model])
                    curve = flexible_calibration(y, expit(x), n_resamples=200, random_state=rng)
                    covered = contains((curve.ici.lower, curve.ici.upper), true)
                    rows.append((covered, curve.method == "logistic", min(y.sum(), n - y.sum())))
                covered, logistic, rarer = zip(*rows, strict=True)
                line(model, prevalence, n, f"{np.mean(rarer):.0f}", share(covered), share(logistic))


def binormal(n, rng, prevalence):
    """Draw labels and calibrated probabilities, an AUC of 0.8 apart."""
    y = rng.random(n) < prevalence
    return y, expit(1.2 * rng.normal(1.2 * y) - 0.72 + logit(prevalence))


def covers(band, true):
    """Mark the true values that lie inside a band."""
    return (band.lower <= true) & (true <= band.upper)


def net_benefit(sets, rng):
    """Net benefits at a prevalence of 0.2: each threshold by itself, and all at once."""
    t = np.array([0.05, 0.2, 0.5, 0.8, 0.95])
    y, prob = binormal(10**6, rng, 0.2)
    true = net_benefit_band(RankedSegments.from_scores(y, prob), thresholds=t).net_benefit
    head("prevalence", "samples", *(f"at {value:g}" for value in t), "all at once")
    for known in (None, 0.2):
        for n in SAMPLE_SIZES:
            rows = []
            for _ in range(sets):
                segments = RankedSegments.from_scores(*binormal(n, rng, 0.2))
                band = net_benefit_band(segments, thresholds=t, prevalence=known)
                whole = net_benefit_band(
                    segments, thresholds=t, prevalence=known, simultaneous=True
                )
                rows.append([*covers(band, true), covers(whole, true).all()])
            line("known" if known else "of the data", f"{n:,}", *map(share, np.transpose(rows)))


def threshold(sets, rng):
    """Best thresholds for costs at a prevalence of 0.3, their regret and their corrected cost."""
    y, prob = binormal(10**6, rng, 0.3)
    pos = np.sort(prob[y])
    neg = np.sort(prob[~y])
    head("costs", "samples", "threshold", "bound on the regret", "regret", "estimated",
         "cost on the data", "corrected", "true cost")  # fmt: skip
    for cost_fn in (1.0, 5.0):

        def cost(t, cost_fn=cost_fn):
            alarms = neg.size - np.searchsorted(neg, t)
            return (alarms + cost_fn * np.searchsorted(pos, t)) / y.size

        best = 1 / (1 + cost_fn)
        for n in SAMPLE_SIZES:
            rows = []
            for _ in range(sets):
                interval = threshold_interval(
                    *binormal(n, rng, 0.3), cost_fn=cost_fn, n_resamples=200, random_state=rng
                )
                lost = cost(interval.threshold) - cost(best)
                ends = interval.lower, interval.upper
                values = lost, interval.regret, interval.utility, interval.corrected
                is_within = lost <= interval.regret_upper
                rows.append((contains(ends, best), is_within, *values, cost(interval.threshold)))
            covered, within, *columns = zip(*rows, strict=True)
            means = [f"{np.mean(column):.4f}" for column in columns]
            line(f"1 : {cost_fn:g}", f"{n:,}", share(covered), share(within), *means)


def main():
    tables = {
        "calibration": calibration,
        "recalibration": recalibration,
        "few": few,
        "net_benefit": net_benefit,
        "threshold": threshold,
    }
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="*", metavar="table", help=f"of {', '.join(tables)}")
    parser.add_argument("--sets", type=int, default=200)
    options = parser.parse_args()
    if unknown := set(options.tables) - set(tables):
        parser.error(f"unknown table {', '.join(sorted(unknown))}; there are {', '.join(tables)}")
    for name in options.tables or tables:
        print(f"\n{tables[name].__doc__}\n")
        tables[name](options.sets, np.random.default_rng(0))


if __name__ == "__main__":
    main()
