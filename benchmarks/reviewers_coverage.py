"""Coverage of all intervals and tests: ``python benchmarks/reviewers_coverage.py``.

Simulates each interval and test of the package on data whose true values are known, and writes what
is promised beside what is measured to docs/measured/coverage.csv and coverage.md. Choose parts by
their names (those of ``coverage_parts.py``), ``--sets`` to draw another number of data sets for
each setting, ``--write`` to write the page again from the numbers that are there. A part replaces
its own rows only. All of it takes an hour. ``--percentiles`` prints the table of
docs/howto/calibration.md, in which the bootstrap's intervals stand beside ours.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np
from coverage_data import PREVALENCES, SAMPLE_SIZES, SCORES, Cell
from coverage_parts import PARTS, Part
from scipy.optimize import isotonic_regression
from scipy.special import expit, logit

from rocviz.core.calibration import flexible_calibration
from rocviz.core.comparison import calibration_error

ROOT = Path(__file__).resolve().parents[1]
NUMBERS = ROOT / "docs" / "measured" / "coverage.csv"
PAGE = ROOT / "docs" / "measured" / "coverage.md"

NOMINAL = 0.95
#: Standard errors of simulation by which a share may lie below its promise, among a thousand.
ALLOWED_ERRORS = 3.0


class Row(NamedTuple):
    """What was measured of an interval in a setting.

    ``sets`` are the data sets with an interval, ``none`` the share of those without one.
    """

    part: str
    interval: str
    promise: str
    score: str
    prevalence: float
    n: int
    sets: int
    none: float
    coverage: float
    standard_error: float

    @property
    def drawn(self) -> int:
        """Number of the data sets, with an interval or without; 0 if none has one."""
        return round(self.sets / (1 - self.none)) if self.sets else 0

    @property
    def is_below(self) -> bool:
        """Whether the share is below what is promised by more than chance explains."""
        if not (self.promise and self.sets):
            return False
        promised = float(self.promise)
        allowed = ALLOWED_ERRORS * np.sqrt(promised * (1 - promised) / self.sets)
        return bool(self.coverage < promised - allowed)


class Promise(NamedTuple):
    """What intervals of a name, or of all that begin so, promise in place of 95 %.

    ``share`` is None where nothing is promised. It is so with fewer expected samples of the rarer
    class than ``rarer``, and for one kind of score only if ``score`` names it.
    """

    begins: str
    share: float | None
    rarer: float = np.inf
    score: str = ""


#: The first that fits counts. The same is in the docstrings.
PROMISES = (
    Promise("auc_interval, widened-delong", 0.92),
    Promise("auc_interval, clusters", 0.86, score="nearly perfect"),
    Promise("auc_interval, clusters", 0.93),
    Promise("auc_interval", None),
    Promise("auc_test, delong,", None),
    Promise("auc_test, delong-mover, p-value", 0.94),
    Promise("auc_test", 0.93),
    Promise("compare_classifiers, AUC", 0.92),
    Promise("compare_classifiers, p-values", 0.94),
    Promise("bootstrap_interval", None),
    Promise("partial_auc", None),
    Promise("roc_band, bootstrap", 0.93),
    Promise("sensitivity_at_specificity, .9, marked", 0.82),
    Promise("specificity_at_sensitivity, .9, marked", 0.82),
    Promise("sensitivity_at_specificity, .9, clusters, marked", 0.82),
    Promise("specificity_at_sensitivity, .9, clusters, marked", 0.82),
    Promise("sensitivity_at_specificity", 0.91),
    Promise("specificity_at_sensitivity", 0.91),
    Promise("ConfusionTable.interval, wilson", 0.82),
    Promise("ConfusionTable.interval, jeffreys", 0.86),
    Promise("binomial_interval, wilson", 0.82),
    Promise("binomial_interval, jeffreys", 0.86),
    Promise("predictive_values, NPV", 0.89, rarer=11),
    Promise("predictive_values", 0.91),
    Promise("average_precision, clusters", 0.89),
    Promise("average_precision", 0.92),
    Promise("abroca", 0.92),
    Promise("calibration_summary, observed / expected", 0.91, rarer=3),
    Promise("calibration_summary, observed", 0.93),
    Promise("calibration_summary, in_the_large, clusters", 0.87, rarer=3),
    Promise("calibration_summary, ICI, twice too steep", None, score="nearly perfect"),
    Promise("calibration_summary, E50, twice too steep", None, score="nearly perfect"),
    Promise("calibration_summary, E90, twice too steep", None, score="nearly perfect"),
    Promise("calibration_summary, ICI", 0.7, score="nearly perfect"),
    Promise("calibration_summary, E50", 0.7, score="nearly perfect"),
    Promise("calibration_summary, E90", 0.7, score="nearly perfect"),
    Promise("calibration_summary, ICI", 0.92),
    Promise("calibration_summary, E50", 0.88),
    Promise("calibration_summary, E90", 0.88),
    Promise("flexible_calibration, spline, band at points, twice", None, score="nearly perfect"),
    Promise("flexible_calibration, spline, whole band, twice", None, score="nearly perfect"),
    Promise("net_benefit_band, at points", 0.9),
    Promise("net_benefit_band, known prevalence, at points", 0.9),
    Promise("net_benefit_band", 0.91),
    Promise("threshold_interval, threshold", 0.8, rarer=5),
    Promise("threshold_interval, threshold", 0.89, rarer=20),
    Promise("threshold_interval, threshold", 0.95),
    Promise("threshold_interval", 0.93),
    Promise("compare_net_benefit", 0.93),
    Promise("compare_folds", 0.92),
    Promise("fold_average", 0.92),
    Promise("hand_till_auc", 0.93),
    Promise("hand_till_covariance", 0.93),
    Promise("ordered_volume", 0.8, rarer=20, score="nearly perfect"),
    Promise("ordered_volume", 0.9),
    Promise("ConfusionMatrix.interval, wilson", 0.82),
    Promise("ConfusionMatrix.interval, jeffreys", 0.86),
    Promise("rate at a threshold, wilson, clusters", 0.82, rarer=3),
    Promise("rate at a threshold, wilson, clusters", 0.9),
    Promise("calibration_error, p-value, clusters", 0.9),
    Promise("classwise_calibration_error, p-value, clusters", 0.9),
    Promise("referral_policy, by cost, ppv", None, rarer=51, score="useless"),
    Promise("referral_policy, by promise, ppv", None, rarer=51, score="useless"),
    Promise("referral_policy, by cost, saving", 0.8),
    Promise("referral_policy, by promise, saving", 0.8),
    Promise("referral_policy", 0.9),
    Promise("compare_sites, AUC", None, rarer=26, score="nearly perfect"),
    Promise("compare_sites, AUC, new site", 0.86),
    Promise("compare_sites, observed / expected, new site", 0.7, rarer=3),
    Promise("compare_sites, observed / expected, new site", 0.84),
    Promise("compare_sites", 0.9),
    Promise("update_model, observed_expected", 0.7, rarer=50),
    Promise("update_model, observed_expected", 0.9),
    Promise("update_model, slope", None, rarer=50),
    Promise("update_model, slope", 0.85),
    Promise("ScoringStage.band, clopper-pearson, each", 0.88),
    Promise("ScoringStage.band, wilson, each", 0.82),
)


def promise(interval: str, cell: Cell) -> str:
    """Find what an interval promises in a setting; empty if nothing."""
    for rule in PROMISES:
        if (
            interval.startswith(rule.begins)
            and cell.rarer < rule.rarer
            and rule.score in ("", cell.score)
        ):
            return "" if rule.share is None else f"{rule.share:g}"
    return f"{NOMINAL:g}"


def simulate(name: str, part: Part, cell: Cell, sets: int) -> list[Row]:
    """Draw data sets of one setting, and count."""
    rng = np.random.default_rng([crc32(name.encode()), part.cells.index(cell)])
    draw_one = part.simulate(cell)
    found = defaultdict(list)
    for _ in range(sets):
        for interval, outcome in draw_one(rng).items():
            found[interval].append(outcome)
    rows = []
    for interval, outcomes in found.items():
        given = [float(outcome) for outcome in outcomes if outcome is not None]
        coverage = float(np.mean(given)) if given else np.nan
        error = float(np.std(given) / np.sqrt(len(given))) if given else np.nan
        rows.append(
            Row(
                part=name,
                interval=interval,
                promise=promise(interval, cell),
                score=cell.score,
                prevalence=cell.prevalence,
                n=cell.n,
                sets=len(given),
                none=round(1 - len(given) / len(outcomes), 4),
                coverage=round(coverage, 4),
                standard_error=round(error, 4),
            )
        )
    return rows


def read(path: Path = NUMBERS) -> list[Row]:
    """Read what was measured, with what is promised now."""
    rows = []
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            cell = Cell(row["score"], float(row["prevalence"]), int(row["n"]))
            rows.append(
                Row(
                    part=row["part"],
                    interval=row["interval"],
                    promise=promise(row["interval"], cell),
                    score=cell.score,
                    prevalence=cell.prevalence,
                    n=cell.n,
                    sets=int(row["sets"]),
                    none=float(row["none"]),
                    coverage=float(row["coverage"]),
                    standard_error=float(row["standard_error"]),
                )
            )
    return rows


def numbers_text(rows: list[Row]) -> str:
    """Write the numbers as CSV."""
    lines = [",".join(Row._fields)]
    for row in rows:
        cells = []
        for value in row:
            text = f"{value:g}" if isinstance(value, float) else str(value)
            cells.append(f'"{text}"' if "," in text else text)
        lines.append(",".join(cells))
    return "\n".join(lines) + "\n"


_HEAD = """# Coverage, promised and measured

How often intervals of rocviz hold the true value, and how often its tests leave alone what is true, in simulated data whose true values are known.
`python benchmarks/reviewers_coverage.py` writes this page; its parts can be run by name.

- **Data.** Normal scores of one variance in both classes, with an AUC of .5 (*useless*), .85 (*good*) and .995 (*nearly perfect*); each sample is
  positive with the prevalence. Predicted probabilities are calibrated; those of a useless score spread like those of a good one. Of several classes,
  a prevalence of .05 is the smallest class's, and .5 stands for equal classes. Of patients, n is their number, with four rows and one outcome each.
  Eight sites have n samples each, and differ in truth. Two thresholds, for referral, are chosen by cost and by promised predictive values on the data,
  and judged by what is true at them. Updates are of predictions that are twice too steep, and judged as they are applied to new samples.
- **Promised** is the share of an interval, nominally .95. A test at a level of 5 % promises not to reject in .95. Less is promised where the function's
  notes say so; in a cell that promises less than its row, the promise follows in brackets. *None* is promised for methods that are kept as they were
  published, for comparison.
- **Measured** is the share of the data sets *with* an interval; the share without one is given as *no interval in* so many %. One standard error
  of simulation is 1.1 points for 400 data sets, 2.2 for 100, 2.8 for 60 and 4.0 for 30; **sets** is their number in each cell, where it differs the least
  and the greatest. A share that is lower than promised by more than three such errors is printed **bold**.
- **No interval** is given where data do not show how much a number varies, such as a slope of classes that a threshold separates by clusters, a
  specificity at a sensitivity that fewer than one positive fixes, a test of groups with fewer than ten samples of a class, or folds without both classes.

"""  # noqa: E501


def _cell_text(row: Row | None, usual: str) -> str:
    """Write what was measured in one setting."""
    if row is None:
        return ""
    text = "" if np.isnan(row.coverage) else f"{row.coverage:.3f}".removeprefix("0")
    if row.is_below:
        text = f"**{text}**"
    if text and row.promise != usual:
        text += f" [{_promise_text(row.promise)}]"
    if row.none >= 0.0005:
        text += f" no interval in {max(round(100 * row.none), 1)} %"
    return text.strip()


def _sets_text(rows: list[Row]) -> str:
    """Write how many data sets were drawn for the settings of a line."""
    drawn = [row.drawn for row in rows if row.drawn]
    if not drawn:
        return "0"
    if min(drawn) == max(drawn):
        return f"{drawn[0]:,}"
    return f"{min(drawn):,} to {max(drawn):,}"


def _promise_text(share: str) -> str:
    return share.removeprefix("0") if share else "none"


def page_text(rows: list[Row]) -> str:
    """Write the page."""
    columns = [(prevalence, n) for prevalence in PREVALENCES for n in SAMPLE_SIZES]
    head = ["interval or test", "promised", "score", "sets"]
    head += [f"{f'{p:g}'.removeprefix('0')}: {n:,}" for p, n in columns]
    lines = [
        "The columns are prevalences with numbers of samples.",
        "",
        "| " + " | ".join(head) + " |",
        "|" + "---|" * len(head),
    ]
    by_line: dict[tuple[str, str], dict[tuple[float, int], Row]] = {}
    for row in rows:
        by_line.setdefault((row.interval, row.score), {})[row.prevalence, row.n] = row
    order = {interval: i for i, (interval, _) in enumerate(by_line)}
    scores = list(SCORES)
    for interval, score in sorted(by_line, key=lambda key: (order[key[0]], scores.index(key[1]))):
        of_line = by_line[interval, score]
        usual = of_line.get((0.5, 1000), next(iter(of_line.values()))).promise
        cells = [interval, _promise_text(usual), score, _sets_text(list(of_line.values()))]
        cells += [_cell_text(of_line.get(column), usual) for column in columns]
        lines.append("| " + " | ".join(cells) + " |")
    return _HEAD + "\n".join(lines) + "\n"


def write(rows: list[Row]) -> None:
    """Write both files."""
    NUMBERS.write_text(numbers_text(rows), encoding="utf-8")
    PAGE.write_text(page_text(rows), encoding="utf-8")


def run(names: list[str], sets: int | None, goes_on: bool) -> None:
    """Simulate parts, and replace their rows, one setting after the other."""
    for name in names:
        part = PARTS[name]
        for cell in part.cells:
            old = read() if NUMBERS.exists() else []
            key = (name, cell.score, cell.prevalence, cell.n)
            rows = [row for row in old if (row.part, row.score, row.prevalence, row.n) != key]
            if goes_on and len(rows) < len(old):
                continue
            rows += simulate(name, part, cell, part.sets_of(cell, sets))
            parts = list(PARTS)
            rows.sort(key=lambda row: parts.index(row.part))
            write(rows)
            print(name, *key[1:], flush=True)


# ---------------------------------------------------------------------- the bootstrap beside ours

#: Slope and shift that are applied to the log-odds of true probabilities.
MODEL_PARAMETERS = {
    "calibrated": (1.0, 0.0),
    "slope 1.2": (1.2, 0.0),
    "shift 0.3": (1.0, 0.3),
    "slope 2": (2.0, 0.0),
    "shift 1": (1.0, 1.0),
}


def line(*cells: object) -> None:
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def share(flags: object) -> str:
    return f"{100 * np.mean(flags):.0f} %"


def contains(ends: tuple[float, float], true: float) -> bool:
    return bool(ends[0] <= true + 1e-12 and true <= ends[1] + 1e-12)


def miscalibrated(prob: np.ndarray, model: str) -> np.ndarray:
    steep, shift = MODEL_PARAMETERS[model]
    return expit(steep * logit(prob) + shift)


def error_of_hull(y: np.ndarray, prob: np.ndarray, weight: np.ndarray) -> float:
    hull = isotonic_regression(y, weights=weight).x
    return np.sqrt(weight @ ((prob - y) ** 2 - (hull - y) ** 2) / weight.sum())


def bootstrap_ends(y, prob, rng, resamples=100):
    """Compute the percentile and the basic interval of the calibration error."""
    order = np.argsort(prob, kind="stable")
    y = y[order].astype(float)
    prob = prob[order]
    estimate = error_of_hull(y, prob, np.ones(y.size))
    drawn = []
    for _ in range(resamples):
        times = np.bincount(rng.integers(y.size, size=y.size), minlength=y.size)
        is_drawn = times > 0
        drawn.append(error_of_hull(y[is_drawn], prob[is_drawn], times[is_drawn].astype(float)))
    low, high = np.quantile(drawn, [0.025, 0.975])
    return (low, high), (max(2 * estimate - high, 0.0), 2 * estimate - low)


def percentiles(sets: int) -> None:
    """Print calibration errors and ICI, of predictions whose true probabilities are Beta(1, 2)."""
    rng = np.random.default_rng(0)
    many = np.random.default_rng(1).beta(1, 2, 10**6)
    head = ("number", "predictions", "samples", "true", "mean", "rocviz", "percentiles", "basic")
    line(*head)
    print("|" + "---|" * len(head))
    for model in MODEL_PARAMETERS:
        gap = miscalibrated(many, model) - many
        root = float(np.sqrt(np.mean(gap**2)))
        ici = float(np.mean(np.abs(gap)))
        for n in (100, 300, 1000):
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
            means = f"{ici:.3f}", f"{np.mean(mean):.3f}"
            line("ICI", model, f"{n:,}", *means, share(smooth), "", "")


def main() -> int:
    """Run what is asked for; the exit code is 1 where a share is below its promise."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="part", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--sets", type=int, help="data sets for each setting")
    parser.add_argument(
        "--continue",
        action="store_true",
        dest="goes_on",
        help="leave out settings that are in the table",
    )
    parser.add_argument("--write", action="store_true", help="write the page again, only")
    parser.add_argument("--percentiles", action="store_true", help="print the bootstrap's table")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"unknown part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    if options.percentiles:
        percentiles(options.sets or 200)
        return 0
    if options.write:
        write(read())
    else:
        run(options.parts or list(PARTS), options.sets, options.goes_on)
    below = [row for row in read() if row.is_below]
    for row in below:
        print("below its promise:", *row[1:], file=sys.stderr)
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())
