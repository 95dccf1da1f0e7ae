"""Coverage of intervals for reviewers: ``python benchmarks/reviewers_coverage.py``.

Simulates data whose true calibration error, ICI, net benefit, best threshold and regret are known,
and counts. Percentile and basic intervals of the bootstrap stand beside those of the calibration
error. Choose tables by name: ``calibration``, ``net_benefit``, ``threshold``; ``--sets`` data sets
make a line. All of it takes a quarter of an hour with 200.
"""

from __future__ import annotations

import argparse

import numpy as np
from scipy.optimize import isotonic_regression
from scipy.special import expit, logit

from rocviz import RankedSegments
from rocviz.core.calibration import flexible_calibration
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


def share(held):
    return f"{100 * np.mean(held):.0f} %"


def holds(ends, true):
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
    y, prob = y[order].astype(float), prob[order]
    found, drawn = error(y, prob, np.ones(y.size)), []
    for _ in range(resamples):
        times = np.bincount(rng.integers(y.size, size=y.size), minlength=y.size)
        some = times > 0
        drawn.append(error(y[some], prob[some], times[some].astype(float)))
    low, high = np.quantile(drawn, [0.025, 0.975])
    return (low, high), (max(2 * found - high, 0.0), 2 * found - low)


def calibration(sets, rng):
    """Calibration errors and ICI, of predictions whose true probabilities are Beta(1, 2)."""
    many = np.random.default_rng(1).beta(1, 2, 10**6)
    head("number", "predictions", "samples", "true", "mean", "rocviz", "percentiles", "basic")
    for model in MODEL_PARAMETERS:
        gap = miscalibrated(many, model) - many
        root, ici = np.sqrt(np.mean(gap**2)), np.mean(np.abs(gap))
        for n in SAMPLE_SIZES:
            rows = []
            for _ in range(sets):
                prob = rng.beta(1, 2, n)
                y, said = rng.random(n) < prob, miscalibrated(prob, model)
                one = calibration_error(y, said, n_resamples=50, random_state=rng)
                own = holds((one.lower, one.upper), root)
                rest = (holds(ends, root) for ends in bootstrap_ends(y, said, rng))
                curve = flexible_calibration(y, said, n_resamples=200, random_state=rng).ici
                smooth = holds((curve.lower, curve.upper), ici)
                rows.append((one.error, own, *rest, curve.value, smooth))
            value, *held, mean, smooth = zip(*rows, strict=True)
            means = f"{root:.3f}", f"{np.mean(value):.3f}"
            line("calibration error", model, f"{n:,}", *means, *map(share, held))
            line(
                "ICI", model, f"{n:,}", f"{ici:.3f}", f"{np.mean(mean):.3f}", share(smooth), "", ""
            )


def binormal(n, rng, prevalence):
    """Draw labels and calibrated probabilities, an AUC of 0.8 apart."""
    y = rng.random(n) < prevalence
    return y, expit(1.2 * rng.normal(1.2 * y) - 0.72 + logit(prevalence))


def net_benefit(sets, rng):
    """Net benefits at a prevalence of 0.2: each threshold by itself, and all at once."""
    t = np.array([0.05, 0.2, 0.5, 0.8, 0.95])
    y, prob = binormal(10**6, rng, 0.2)
    true = net_benefit_band(RankedSegments.from_scores(y, prob), thresholds=t).net_benefit
    head("prevalence", "samples", *(f"at {one:g}" for one in t), "all at once")
    for known in (None, 0.2):
        for n in SAMPLE_SIZES:
            held = []
            for _ in range(sets):
                segments = RankedSegments.from_scores(*binormal(n, rng, 0.2))
                each, whole = (
                    net_benefit_band(segments, thresholds=t, prevalence=known, simultaneous=kind)
                    for kind in (False, True)
                )
                inside, all_inside = (
                    (band.lower <= true) & (true <= band.upper) for band in (each, whole)
                )
                held.append([*inside, all_inside.all()])
            line("known" if known else "of the data", f"{n:,}", *map(share, np.transpose(held)))


def threshold(sets, rng):
    """Best thresholds for costs at a prevalence of 0.3, their regret and their corrected cost."""
    y, prob = binormal(10**6, rng, 0.3)
    pos, neg = np.sort(prob[y]), np.sort(prob[~y])
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
                rows.append((holds(ends, best), is_within, *values, cost(interval.threshold)))
            held, within, *means = zip(*rows, strict=True)
            means = (f"{np.mean(one):.4f}" for one in means)
            line(f"1 : {cost_fn:g}", f"{n:,}", share(held), share(within), *means)


def main():
    tables = {"calibration": calibration, "net_benefit": net_benefit, "threshold": threshold}
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
