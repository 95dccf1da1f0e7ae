"""How often intervals for reviewers hold the truth: ``python benchmarks/reviewers_coverage.py``.

Simulates calibrated and miscalibrated predictions whose true calibration error, ICI and net benefit
are known, and counts. Percentile and basic intervals of the bootstrap are beside those of rocviz.
``--sets`` data sets for each line; with 1,000 it takes half an hour.
"""

from __future__ import annotations

import argparse

import numpy as np
from scipy.optimize import isotonic_regression
from scipy.special import expit, logit

from rocviz.core.calibration import flexible_calibration
from rocviz.core.comparison import calibration_error

#: What is done to the log-odds of true probabilities: a slope and a shift.
MODELS = {"calibrated": (1.0, 0.0), "slope 1.2": (1.2, 0.0), "shift 0.3": (1.0, 0.3)}
MODELS |= {"slope 2": (2.0, 0.0), "shift 1": (1.0, 1.0)}


def miscalibrated(prob, model):
    steep, shift = MODELS[model]
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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=200)
    parser.add_argument("--samples", type=int, nargs="*", default=[100, 300, 1000])
    options = parser.parse_args()
    many = np.random.default_rng(1).beta(1, 2, 10**6)
    rng = np.random.default_rng(0)
    print(
        "| number | predictions | samples | true | mean | coverage | width | percentiles | basic |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for model in MODELS:
        gap = miscalibrated(many, model) - many
        true = {"calibration error": np.sqrt(np.mean(gap**2)), "ICI": np.mean(np.abs(gap))}
        for n in options.samples:
            rows = {name: [] for name in true}
            for _ in range(options.sets):
                prob = rng.beta(1, 2, n)
                y, said = rng.random(n) < prob, miscalibrated(prob, model)
                found = calibration_error(y, said, n_resamples=50, random_state=rng)
                ends = bootstrap_ends(y, said, rng)
                rows["calibration error"].append((found.error, (found.lower, found.upper), *ends))
                ici = flexible_calibration(y, said, n_resamples=200, random_state=rng).ici
                rows["ICI"].append((ici.value, (ici.lower, ici.upper), None, None))
            for name, row in rows.items():
                values, *intervals = zip(*row, strict=True)
                held = []
                for kind in intervals:
                    if kind[0] is None:
                        held.append("")
                        continue
                    low, high = np.array(kind).T
                    inside = (low <= true[name] + 1e-12) & (true[name] <= high)
                    held.append(f"{100 * inside.mean():.0f} %")
                width = np.mean([high - low for low, high in intervals[0]])
                print(
                    f"| {name} | {model} | {n:,} | {true[name]:.3f} | {np.mean(values):.3f} "
                    f"| {held[0]} | {width:.3f} | {held[1]} | {held[2]} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
