"""Numbers and comparatives on pages and in chapters agree with their computation.

Numbers are found by themselves (:mod:`prose`): in a chapter a cell of the same section has to show
them, on a page a table, an included file, code, a formula, or the test that the page names. The
rest is in ``CLAIMS``, each with its computation.
"""

import ast
import csv
import re
import sys
import tomllib
from functools import cache
from itertools import combinations
from pathlib import Path

import nbformat
import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import logit
from scipy.stats import t

from rocviz import (
    FermiDirac,
    RankedSegments,
    binormal_scores,
    calibration_map,
    optimal_decision,
)
from rocviz.core.fermi_dirac import auc_sample_size
from rocviz.core.groups import cost_optimal_policy
from rocviz.core.ranking_loss import ranking_bound
from rocviz.datasets import (
    load_breast_cancer_scores,
    load_scoring_list_example,
    make_groups,
)
from rocviz.stories.lecture import PLAN_FILE

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import course_minutes
from prose import Claim, numbers, shown_values, unbacked

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
COURSE = {path.stem: path for path in sorted((ROOT / "notebooks").glob("*.ipynb"))}
#: Pages with results. Times and sizes, which depend on the machine, are on others.
PAGES = {
    name: ROOT / "docs" / f"{name}.md"
    for name in (
        "auc_intervals",
        "board_plans",
        "curve_spaces",
        "decisions",
        "fermi_dirac",
        "fidel",
        "groups",
        "lexicographic",
        "ranking_loss",
        "reproduction",
        "scoring_lists",
        "what_we_found",
    )
}
_SOLUTION = re.compile(r"<details><summary>If you give up.*?</details>", re.DOTALL)
_FOLD = re.compile(r"<details>.*?</details>", re.DOTALL)


# ---------------------------------------------------------------------- what cells and tables show


@cache
def chapter(name):
    return nbformat.read(COURSE[name], as_version=4)


def shown_by(cell):
    return "\n".join(
        f"{output.get('text', '')}\n{output.get('data', {}).get('text/plain', '')}"
        for output in cell.get("outputs", [])
    )


def out(name, start):
    """Find the output of the one cell that contains these words."""
    (cell,) = [c for c in chapter(name).cells if c.cell_type == "code" and start in c.source]
    return shown_by(cell)


def after(text, *labels):
    """Find the numbers that stand behind each label, on its line."""
    results = []
    for label in labels:
        (line,) = re.findall(rf"{re.escape(label)}(.*)", text)
        results.append([float(x) for x in re.findall(r"[−-]?\d*\.?\d+(?:e[-+]\d+)?", line)])
    return results


def tables_of(text, folder):
    """Collect the lines of tables on a page, and the files that it includes."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    files = re.findall(r"^:file: (\S+)", text, flags=re.MULTILINE)
    return [*lines, *((folder / name).read_text("utf-8") for name in files)]


def prose_of(name):
    text = PAGES[name].read_text("utf-8") if name in PAGES else None
    if text is None:
        cells = (c.source for c in chapter(name).cells if c.cell_type == "markdown")
        text = _SOLUTION.sub("", "\n\n".join(cells))
    return text


# ---------------------------------------------------------------------- claims with a computation


def scores():
    data = load_breast_cancer_scores()
    return RankedSegments.from_scores(data.y_true, data.y_prob)


def tumours():
    segments = scores()
    return f"{segments.n_samples:.0f}", f"{segments.n_pos:.0f}"


def ill_people():
    """Count the ill in the data of the first picture."""
    people = binormal_scores(
        100, prevalence=0.4, separation=1.6, over_confidence=0.6, random_state=4
    )
    return str(int(people.y_true.sum()))


def a_lower_threshold_pays():
    even = scores().optimal_point(cost_fp=1, cost_fn=1)
    costly = scores().optimal_point(cost_fp=1, cost_fn=10)
    return costly.threshold < 0.03 and costly.tpr > even.tpr and costly.fpr > even.fpr


def minutes_of_the_lecture():
    plan = tomllib.loads(PLAN_FILE.read_text("utf-8"))
    return sum(part["minutes"] for part in plan["part"])


def gained_by_forgetting():
    """Count the pairs in the right order, ties half, before and after the nurse forgets."""

    def pairs(*groups):
        pos, neg = np.array(groups).T
        return np.triu(np.outer(pos, neg), 1).sum() + (pos * neg).sum() / 2

    return f"{pairs((9, 5), (1, 5)) - pairs((2, 3), (4, 1), (3, 1), (1, 5)):.0f}"


def patients_for_an_auc():
    common = auc_sample_size(0.8, 0.5, width=0.1).n_samples
    rare = auc_sample_size(0.8, 0.01, width=0.1).n_samples
    return f"{rare / common:.0f}"


def best_by_luck():
    best, nested = after(out("13_in_practice", "GridSearchCV("), "best of twenty:", "nested  ")
    return best[0] - 0.5 > 3 * best[1] and abs(nested[0] - 0.5) < nested[1]


def groups_joined_by_the_hull():
    ranking = RankedSegments([4.0, 3, 2, 1], [2, 4, 3, 1], [3, 1, 1, 5])
    return {1: "none", 2: "two", 3: "three"}[len(ranking) - len(ranking.hull()) + 1]


def canonical_factors():
    taken = np.array(list(combinations(range(1, 8), 3)))
    energy = taken.sum(axis=1)

    def weights(beta):
        w = np.exp(-beta * (energy - 6))
        return w / w.sum()

    w = weights(brentq(lambda beta: weights(beta) @ energy - 8, 0, 5, xtol=1e-14))
    canonical = np.array([w[(taken == rung).any(axis=1)].sum() for rung in range(1, 8)])
    law = FermiDirac.from_auc(5 / 6, n_pos=3, n_neg=4).probability()
    factors = np.exp(np.diff(logit(canonical)))
    return (
        ", ".join(f"{factor:.3f}"[1:] for factor in factors),
        f"{np.abs(canonical - law).max():.3f}",
    )


def within(places, *values):
    """Write the spread of values, rounded up."""
    return f"{np.ceil(np.ptp(values) * 10**places - 1e-6) / 10**places:.{places}f}"


def law_by_tenths():
    rows = re.findall(r"says ([\d.]+), it is ([\d.]+)", out("03_fermi_dirac", "array_split"))
    gaps = [abs(float(a) - float(b)) for a, b in rows]
    return f"{gaps[1]:.2f}", f"{gaps[5]:.2f}"


def cut_of_the_law():
    best, law = after(out("03_fermi_dirac", "best in the data"), "best in the data:", "at r*:")
    return f"{best[0] - law[0]:.0f}", f"{best[1] - law[1]:.3f}"


def rare_intervals():
    (row,) = after(out("03_fermi_dirac", "for share in (0.3"), " 5% positive: Fermi-Dirac")
    return f"{100 * row[0]:.0f}"


def equal_classifiers():
    rows = re.findall(r"^0\.0 .*$", out("04_fidel", "for n_validation in (50, 100"), re.MULTILINE)
    gaps = [float(row.split()[4]) - float(row.split()[5]) for row in rows]
    return f"{gaps[-1]:.3f}", f"{gaps[0]:.3f}"


def gain_of_correlation_aware():
    rows = re.findall(r"^0\.4 .*$", out("04_fidel", "for n_validation in (50, 500)"), re.MULTILINE)
    few, many = (float(row.split()[6]) - float(row.split()[5]) for row in rows)
    return f"{many:.2f}" if abs(few) < 0.008 else False


def one_in():
    shown = re.findall(r"P\(malignant\) (\S+)", out("04_fidel", "tumours.strategy"))
    disjoint, shared = map(float, shown)
    return f"{round(1 / disjoint, -3):,.0f}".replace(",", " ") if 1e-6 < shared < 2e-6 else False


def lost_by_an_order():
    rows = re.findall(
        r"order ([\d.]+), naive Bayes ([\d.]+)", out("08_lexicographic_rankers", "def compare_auc")
    )
    gaps = [float(b) - float(a) for a, b in rows]
    return f"{gaps[2]:.2f}", f"{gaps[3]:.2f}"


def order_beside_others():
    """Read AUC, difference, Brier score, difference by model."""
    text = out("08_lexicographic_rankers", "class Attributes")
    rows = re.findall(r"^(\w.*?)  +([\d.]+) .*?  ([01]?\.\d{3})  +([+-].*)$", text, re.MULTILINE)
    return {name.strip(): (float(auc), float(brier), tail) for name, auc, brier, tail in rows}


def differences_beyond_chance():
    stars = {name: row[2].count("*") for name, row in order_beside_others().items()}
    return {k: v for k, v in stars.items() if v} == {"logistic, scaled": 2, "forest": 1}


def saved_by(what):
    def compute():
        text = out("10_one_data_set", "def saving")
        (row,) = re.findall(rf"^{what} .*?([+-][\d.]+) ± ([\d.]+) ", text, re.MULTILINE)
        return row[0].lstrip("+"), row[1]

    return compute


def saved_by_another_model():
    text = out("10_one_data_set", "def saving")
    return re.search(r"in place of the tree, both at 1/6, saves ([\d.]+) ± ([\d.]+)", text).groups()


def closest_crowd():
    text = out("10_one_data_set", "mean of all five")
    alone, *crowds = after(
        text, "logistic alone", "mean of all five", "fidel  ", "woc  ", "correlation-aware"
    )
    mean, *others = crowds
    best_auc = max(row[0] for row in others)
    lowest_brier = min(row[1] for row in others)
    return alone[0] > mean[0] > best_auc and alone[1] < mean[1] < lowest_brier


def family_of_eight():
    text = out("10_one_data_set", "nine models on")
    lower = re.findall(r"^\d +([+-]?[\d.]+) +([\d.]+) *$", text, re.MULTILINE)
    return f"{sorted(float(p) for _, p in lower)[3]:.3f}"


def card_beside_logistic():
    text = out("10_one_data_set", "in the envelope")
    fair = re.search(r"saves ([+-])([\d.]+) ± ([\d.]+) against logistic regression at 1/6", text)
    return fair.groups()[1:] if fair[1] == "-" else False


def caution_saves_in_the_hospital():
    text = out("06_scoring_lists_from_data", "practice = 135")
    *_, hospital = re.findall(r"what caution costs: ([+-][\d.]+) ± ([\d.]+)", text)
    mean, error = map(float, hospital)
    return mean < -2 * error


def mean_of_halves():
    text = out("03_fermi_dirac", "splits in which the law")
    raw, law, hull = (row[0] for row in after(text, "\nnaive Bayes:", "Fermi-Dirac:", "Laplace:"))
    every = after(text, "better than naive Bayes:")[0][0] == 100
    return (f"{law:.3f}"[1:], f"{raw:.3f}"[1:]) if every and abs(law - hull) < 0.005 else False


def table(name):
    with (ROOT / "docs" / "reproduction" / f"{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def cell(text):
    """Read a cell: a mean, and an error if there is one."""
    return [float(x.replace("−", "-")) for x in text.split(" ± ")]


def caution(data, stage="5"):
    (row,) = [
        row
        for row in table("hanselle_caution")
        if row["data"] == data and row["decided by"] == "difference"
    ]
    return cell(row[stage])


def caution_on_three():
    coimbra = caution("Coimbra")
    pima = caution("Pima")
    cohort = caution("chest pain (synthetic)")
    if abs(pima[0]) > 2 * pima[1]:
        return False
    return tuple(f"{abs(value):.3f}"[1:] for value in (*coimbra, *cohort))


def lexrank_differences():
    return [cell(row["LexRank − naive Bayes"]) for row in table("flach_lexrank")]


def lexrank_range():
    means = [mean for mean, _ in lexrank_differences()]
    return f"+{max(means):.3f}".replace("+0", "+"), f"−{-min(means):.3f}".replace("−0", "−")


def bound_of_four():
    return f"{ranking_bound(0.25, 0.5, method='printed'):.4f}"


def two_hills():
    law = optimal_decision([1, 0.3, 0.3, 0.3, 0.3, 0.3], "f1").utilities
    return f"{law[6] - law[5]:.5f}"


def floors_by_penalty():
    """Read figure 1 of Menon et al. with a strong penalty: two floors, by method."""
    rows = [row for row in table("menon_figure_1") if row["floor"] in ("1/512", "1/128")]
    by = {
        (row["loss of pairs"].split(",")[0], row["loss of pairs"][-3:], row["floor"]): row
        for row in rows
    }
    low = by["logistic", "0.1", "1/512"]
    high = by["logistic", "0.1", "1/128"]
    return tuple(f"{cell(row['logistic'])[0]:.0f}" for row in (low, high))


def bent():
    data = load_breast_cancer_scores()
    probability = calibration_map(scores(), method="sigmoid")(data.y_prob)
    both = (np.mean((p - data.y_true) ** 2) for p in (data.y_prob, probability))
    return tuple(f"{loss:.3f}" for loss in both)


def above_new_patterns():
    (row,) = after(out("08_lexicographic_rankers", "seen patterns"), "new patterns :")
    return f"{row[1] - row[2]:.2f}"


def back_after_a_no():
    return f"{100 * load_scoring_list_example().predict_proba([[0, 1, 1, 0]], 4)[0]:.0f} %"


def bits_of_the_prevalence():
    q = np.array([135, 1064]) / 1199
    return f"{-(q * np.log2(q)).sum():.3f}"


def errors_of_equal_shares():
    text = out("11_fair_to_whom", 'policies("none", "equal')
    pattern = r"equal shares: (\S+) more false alarms and (\S+) more misses .* as (\S+) false"
    return re.search(pattern, text).groups()


def errors_of_equal_opportunity():
    """Count the errors per 1000 people that equal opportunity adds on the page."""
    data = make_groups((700, 300), prevalence=(0.5, 0.3), separation=(2.0, 1.2), random_state=0)
    arguments = (data.y_true, data.y_score, data.groups)
    free = cost_optimal_policy(*arguments)
    fair = cost_optimal_policy(*arguments, criterion="equal_opportunity")
    share_added = fair.probability(*arguments[1:]) - free.probability(*arguments[1:])
    false_alarms = share_added[data.y_true == 0].sum()
    misses = -share_added[data.y_true == 1].sum()
    return f"{false_alarms + misses:.0f}", f"{false_alarms:.0f}", f"{misses:.0f}"


def gains_over_the_mean(is_few):
    """Read how many standard errors each method is above the mean, by data and method."""
    with (ROOT / "docs" / "measured" / "ensemble_mean.csv").open(encoding="utf-8") as file:
        rows = [
            row for row in csv.DictReader(file) if (row["validation samples"] == "60") is is_few
        ]
    gains = {}
    for row in rows:
        for column, text in row.items():
            method, is_difference, _ = column.partition(" − mean")
            if is_difference:
                mean, error = cell(text)
                gains[row["data"], method] = mean / error
    return gains


def rivals_with_few_samples():
    return max(gains_over_the_mean(True).values()) <= 2


def fidel_beside_the_mean():
    gains = gains_over_the_mean(True) | {
        (*key, "all"): gain for key, gain in gains_over_the_mean(False).items()
    }
    fidel = [gain for key, gain in gains.items() if key[1] == "FiDEL"]
    woc = [gain for key, gain in gains.items() if key[:2] == ("odd digits", "wisdom of crowds")]
    return max(map(abs, fidel)) <= 2 and max(woc) < -2


def rivals_with_many_samples():
    many = gains_over_the_mean(False)
    return all(many["odd digits", method] > 2 for method in ("stacking", "correlation-aware"))


def _first_odds_ratio():
    return after(out("08_lexicographic_rankers", "model = LexProb"), "worst perimeter")[0][-1]


def cut_of_the_forty():
    y_prob = np.random.default_rng(2).beta(0.5, 1.6, 40)
    best = optimal_decision(y_prob, "f1")
    return f"{best.threshold:.2f}"[1:] if best.n_predicted_positive == 10 else False


PEAKS = r"(\.62558), (\.58736), (\.57415), (\.56932), (\.56788) and (\.\d+)"


def peaks():
    law = optimal_decision([1, 0.3, 0.3, 0.3, 0.3, 0.3], "f1").utilities
    return tuple(f"{value:.5f}"[1:] for value in law[1:])


def weak_penalty():
    (row,) = re.findall(r"^\| 1/128 \|(.*)\|$", prose_of("ranking_loss"), re.MULTILINE)
    _, _, logistic, repaired, _, ranked = (value.strip() for value in row.split("|"))
    return logistic, repaired, ranked


def label_frequency_too_small():
    p = np.array([0.9, 0.05])
    return f"{100 * (1 - (p @ p) / p.sum()):.0f} %"


N1, N2, N3, N4 = list(COURSE)[1:5]
TUMOURS = ("00_start_here", N1, N2, N3, "08_lexicographic_rankers")
CLAIMS = [
    # the hooks and the data
    *(Claim(name, r"(\d+) tumours, (\d+) (?:of them )?malignant", tumours) for name in TUMOURS),
    Claim("00_start_here", r"The Brier score falls from (0\.\d+) to (0\.\d+), because it", bent),
    Claim(
        N1,
        r"The first is the steepest: (0\.4) up and (0\.1) to the right",
        lambda: (f"{4 / 10}", f"{1 / 10}"),
    ),
    Claim(
        N3,
        r"40 % are positive, here (\d+ %)",
        lambda: f"{scores().prevalence:.0%}".replace("%", " %"),
    ),
    Claim(
        "08_lexicographic_rankers",
        r"the mean probability is (0\.\d+) above the share",
        above_new_patterns,
    ),
    Claim("00_start_here", r"The best threshold is below (0\.03)", a_lower_threshold_pays),
    Claim("00_start_here", r"100 people, (40) of them ill", ill_people),
    Claim("00_start_here", r"\*\*(90) minutes\*\*", lambda: f"{minutes_of_the_lecture()}"),
    Claim(
        N1,
        r"the score rises by \*\*(\d+) of the 100 pairs",
        gained_by_forgetting,
    ),
    Claim(
        N1,
        r"The AUC rises by less than (0\.01)",
        lambda: 0 < scores().hull().auc - scores().auc < 0.01,
    ),
    Claim(
        N2,
        r"On its hull (none|two|three) of the groups are (?:one|joined)",
        groups_joined_by_the_hull,
    ),
    Claim(
        N2,
        r"hull, isotonic and beta are within (0\.004) of each other",
        lambda: _half_losses() <= 0.004,
    ),
    Claim(N2, r"counts such an error as (36)", lambda: round(-np.log(np.finfo(float).eps)) == 36),
    Claim(
        N2,
        r"Naive Bayes predicts (0\.65) there",
        lambda: f"{(3 / 2 * 5 / 4) / (1 + 3 / 2 * 5 / 4):.2f}",
    ),
    Claim(N2, r"the model finds (147) of the", lambda: f"{scores().at_threshold(0.5).tp:.0f}"),
    Claim(N1, r"A1 = A2 = 1 \((0\.75)\)", lambda: f"{3 / 4}"),
    # chapter 3
    Claim(N3, r"(0\.8966) is the AUC", lambda: f"{scores().auc:.4f}"),
    Claim(
        N3,
        r"by the factors ([.\d, ]+) from rung to rung\. The probabilities differ by (0\.\d+)",
        canonical_factors,
    ),
    Claim(N3, r"but (0\.\d\d) off in the second tenth and (0\.\d\d) in the sixth", law_by_tenths),
    Claim(
        N3,
        r"off by (\d+) ranks of 569, and a threshold at its \$r\^\*\$ loses (0\.\d+)",
        cut_of_the_law,
    ),
    Claim(N3, r"interval holds in (\d+) of 100", rare_intervals),
    Claim(N3, r"every one of the 100 splits, (\.\d+) against (\.\d+) on average", mean_of_halves),
    Claim(
        N3,
        r"good to ± (0\.003) near 0\.95, ± (0\.007) near 0\.6",
        lambda: tuple(f"{2 * np.sqrt(p * (1 - p) / 20_000):.3f}" for p in (0.95, 0.6)),
    ),
    # chapter 4
    Claim(N4, r"items the loss is (0\.\d+); with 50 it is (0\.\d+)", equal_classifiers),
    Claim(
        N4,
        r"items the gain over FiDEL is (0\.\d+); with 50 it cannot be told",
        gain_of_correlation_aware,
    ),
    Claim(N4, r"a probability of one in ([\d ]+); trained", one_in),
    Claim(
        N4, r"AUCs from 0\.55 to 0\.75, it takes about (seven) classifiers", lambda: _level_at(7)
    ),
    Claim(N4, r"On these (\d+) tumours scikit-learn's", lambda: str(round(0.4 * 569))),
    # chapters 5 to 7
    Claim("05_scoring_lists", r"it would be back to (\d+ %)", back_after_a_no),
    Claim(
        "05_scoring_lists", r"more than the (0\.\d+) bits of the constant", bits_of_the_prevalence
    ),
    Claim("06_scoring_lists_from_data", r"About (\d+) others", lambda: str(569 - 60)),
    Claim("07_decisions", r"a number with (\d+) digits", lambda: str(len(str(2**100)))),
    Claim("07_decisions", r"all (\d+) labellings", lambda: str(2**10)),
    Claim("06_scoring_lists_from_data", r"caution \*\*saves\*\*", caution_saves_in_the_hospital),
    Claim("07_decisions", r"\*\*up\*\* again, by (0\.\d+)", two_hills),
    # chapters 8 and 9
    Claim(
        "08_lexicographic_rankers",
        r"equally strong attributes it loses (0\.\d+), with nine (0\.\d+)",
        lost_by_an_order,
    ),
    Claim(
        "08_lexicographic_rankers",
        r"Two differences are beyond chance, those of the Brier scores of logistic",
        differences_beyond_chance,
    ),
    Claim(
        "09_probabilities_from_rankings",
        r"so the factor is (1\.63)",
        lambda: f"{np.sqrt(2 / 3) / 0.5:.2f}",
    ),
    # chapter 10
    Claim("10_one_data_set", r"1/6 saves (0\.\d+) ± (0\.\d+)", saved_by("logistic")),
    Claim("10_one_data_set", r"it matters little, (0\.\d+) ± (0\.\d+)", saved_by("naive Bayes")),
    Claim(
        "10_one_data_set",
        r"at the same threshold saves (0\.\d+) ± (0\.\d+)",
        saved_by_another_model,
    ),
    Claim("10_one_data_set", r"No crowd is better, .* comes closest", closest_crowd),
    Claim("10_one_data_set", r"corrected p-values of at most (0\.\d+)", family_of_eight),
    Claim("10_one_data_set", r"the card costs (0\.\d+) ± (0\.\d+) more", card_beside_logistic),
    Claim(
        "10_one_data_set",
        r"lie within (0\.025) of each other",
        lambda: within(
            3,
            *(
                row[0]
                for row in after(
                    out("10_one_data_set", "def cross_validated"),
                    "logistic",
                    "naive Bayes",
                    "neighbours",
                    "forest",
                )
            ),
        ),
    ),
    Claim(
        "11_fair_to_whom",
        r"that is ([\d.]+) more false alarms and ([\d.]+) more misses .* as ([\d.]+) false.*; if",
        errors_of_equal_shares,
    ),
    Claim(
        "08_lexicographic_rankers",
        r"an odds ratio of nearly (300)",
        lambda: 290 < _first_odds_ratio() < 300,
    ),
    Claim("08_lexicographic_rankers", r"a leaf for each of the (32) patterns", lambda: str(2**5)),
    Claim(
        "09_probabilities_from_rankings",
        r"up to (250) billion pairs",
        lambda: f"{500_000**2 / 1e9:.0f}",
    ),
    Claim("13_in_practice", r"disease needs (\d+) times as many patients", patients_for_an_auc),
    Claim("13_in_practice", r"better than chance by more than three standard errors", best_by_luck),
    # pages
    Claim(
        "auc_intervals", r"Standard errors are below (\.004)", lambda: 0.5 / np.sqrt(20_000) < 0.004
    ),
    Claim("fidel", r"no other method is better by more than two", rivals_with_few_samples),
    Claim("fidel", r"ranks as well as the mean, .* loses on the digits", fidel_beside_the_mean),
    Claim("fidel", r"On the digits both gain with 378, and nothing", rivals_with_many_samples),
    Claim(
        "groups",
        r"cost of (\d+) false alarms is not .* (\d+) more false alarms and (\d+) more misses",
        errors_of_equal_opportunity,
    ),
    Claim("decisions", r"F1 ten of the forty .*? probability of (\.\d+)", cut_of_the_forty),
    *(Claim(name, PEAKS, peaks) for name in ("decisions", "what_we_found")),
    Claim("what_we_found", r"higher by \$(6)", lambda: f"{1e5 * float(two_hills()):.0f}"),
    Claim(
        "what_we_found",
        r"thousandths: ([\d.]+) for logistic regression, ([\d.]+) with .*? scores, ([\d.]+) with",
        weak_penalty,
    ),
    Claim(
        "what_we_found", r"the estimate of \$c\$ is (\d+ %) too small", label_frequency_too_small
    ),
    Claim(
        "what_we_found",
        r"by two samples and (\.\d+)\)",
        lambda: table("natarajan_gap")[0]["largest gap of F/(2 − F) and J"],
    ),
    Claim("reproduction", r"Student's (2\.26) for ten folds", lambda: f"{t.ppf(0.975, 9):.2f}"),
    Claim(
        "what_we_found",
        r"caution saves (\.\d+) ± (\.\d+) a patient .*? and costs (\.\d+) ± (\.\d+) on the",
        caution_on_three,
    ),
    Claim("what_we_found", r"naive Bayes goes from (\+\.\d+) to (−\.\d+)", lexrank_range),
    Claim("ranking_loss", r"the printed bound is (0\.2165)", bound_of_four),
    Claim("ranking_loss", r"logistic regression alone are (\d+) and (\d+)", floors_by_penalty),
]

#: Numbers that are no results: sizes of data, assumptions, published values.
GIVEN = {
    "00_start_here": {"0.5"},
    N3: {"1926", "20,000", "51"},
    N4: {"1000", "569"},
    "05_scoring_lists": {"70 %"},
    "06_scoring_lists_from_data": {"48", "95 %", "86 %", "116", "569"},
    "08_lexicographic_rankers": {"30", "60"},
    "09_probabilities_from_rankings": {"120"},
    "10_one_data_set": {"442"},
    "11_fair_to_whom": {"95 %"},
    "12_three_classes": {"50", "178", "475"},
    "board_plans": {"0.95"},
    "decisions": {"17 %"},
    "reproduction": {"0.00001"},
    "what_we_found": {"0.25", "15 %"},
}


def _half_losses():
    rows = after(out(N2, "'Brier score':15"), "hull  ", "isotonic", "beta")
    return np.ptp([row[1] for row in rows])


def _level_at(number):
    """Whether FiDEL is level with the best at this number of classifiers and not before."""
    rows = [line.split() for line in out(N4, "correlation=[0.0, 0.2, 0.4, 0.6]").splitlines()]
    level = {int(r[1]): float(r[5]) - float(r[2]) for r in rows if r and r[0] == "0.4"}
    return "seven" if abs(level[7]) < 0.01 > level[3] + 0.015 else False


# ---------------------------------------------------------------------- the tests


def claimed(name, text):
    """Collect the numbers that claims answer for."""
    computed = (claim.numbers(text) for claim in CLAIMS if claim.page == name)
    return set().union(GIVEN.get(name, set()), *computed)


def unbacked_in_chapter(name, cells=None):
    """Find numbers of a chapter that no cell shows and no claim computes.

    Numbers about an answer are shown by the cells right above it, those of a section by its
    cells, and those of the introduction and the summary by any cell.
    """
    cells = cells or chapter(name).cells
    every = shown_values(*(code_of(c) for c in cells))
    counted = {value for value in every if value == int(value)}
    known = claimed(name, prose_of(name))
    without_source = []
    values: set[float] = set()
    for part in course_minutes.sections(cells):
        head = part[0]["source"] if part and part[0]["cell_type"] == "markdown" else ""
        if head.startswith(("## Sources", "## The course")):
            continue
        section = shown_values(*map(code_of, part)) if re.match(r"## \d", head) else every
        above: list[str] = []
        for cell, following in zip(part, [*part[1:], {"source": ""}], strict=True):
            if cell["cell_type"] == "code":
                above.append(code_of(cell))
                continue
            text = _SOLUTION.sub("", cell["source"])
            is_asked = following["source"].startswith("answer = ...")
            links = re.findall(r"blob/main/docs/([\w/]+\.md)", text)
            pages = [ROOT / "docs" / link for link in links]
            linked = []
            for p in pages:
                linked.extend(tables_of(p.read_text("utf-8"), p.parent))
            near = shown_values(*above, *linked) | counted | values
            without_source += unbacked("\n".join(_FOLD.findall(text)), near)
            open_ = _FOLD.sub("", text)
            if not is_asked:
                without_source += unbacked(open_, near | section)
            values |= {number.value for number in numbers(text)}
            above = []
    return [number for number in without_source if number.written.strip(", ") not in known]


def code_of(cell):
    """Join the code and the outputs of a code cell."""
    return f"{cell['source']}\n{shown_by(cell)}" if cell["cell_type"] == "code" else ""


def source_of(path, name):
    """Find the code of a test, and the constants of its module."""
    text = (ROOT / "tests" / path).read_text("utf-8")
    return "\n".join(
        ast.get_source_segment(text, node)
        for node in ast.parse(text).body
        if getattr(node, "name", name) == name and not isinstance(node, ast.Import | ast.ImportFrom)
    )


def unbacked_on_page(name, text=None):
    """Find numbers of a page that nothing on it shows, nor a test that it names."""
    text = text or prose_of(name)
    without_source = []
    known = claimed(name, text)
    # an entry of what was found stands for itself
    parts = re.split(r"^(?=### )", text, flags=re.MULTILINE) if name == "what_we_found" else [text]
    for part in parts:
        sources = tables_of(part, PAGES[name].parent)
        for link in set(re.findall(r"\]\((\w+)\.md", part)) & set(PAGES):
            sources += tables_of(prose_of(link), PAGES[link].parent)
        sources += re.findall(r"```.*?```", part, flags=re.DOTALL) + re.findall(r"\$[^$]+\$", part)
        sources += [source_of(*link) for link in re.findall(r"<test:([\w/]+\.py)#(\w+)>", part)]
        words = "\n".join(line for line in part.splitlines() if not line.startswith("|"))
        shown = shown_values(*sources)
        without_source += [number for number in unbacked(words, shown) if number.decimals]
    return [number for number in without_source if number.written.strip(", ") not in known]


@pytest.mark.parametrize("name", COURSE)
def test_every_number_of_a_chapter_is_shown_or_computed(name):
    assert [f"{number.written}: {number.context}" for number in unbacked_in_chapter(name)] == []


@pytest.mark.parametrize("name", PAGES)
def test_every_fraction_on_a_page_is_shown_or_computed(name):
    assert [f"{number.written}: {number.context}" for number in unbacked_on_page(name)] == []


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: f"{claim.page}: {claim.sentence[:40]}")
def test_every_claim_is_made_and_holds(claim):
    text = prose_of(claim.page)
    assert claim.matches(text), "no such sentence: take the claim out, or let it find the new words"
    assert claim.problems(text) == []


def changed(text, number):
    """Change the last digit of the first such number."""
    written = number.written.strip(", ")
    place = text.index(written) + max(i for i, sign in enumerate(written) if sign.isdigit())
    return f"{text[:place]}{(int(text[place]) + 3) % 10}{text[place + 1 :]}"


@pytest.mark.parametrize("name", COURSE)
def test_changed_digits_are_found(name):
    """Numbers about answers with two or more decimals: a wrong digit is found."""
    cells = list(chapter(name).cells)
    rng = np.random.default_rng(0)
    texts = [
        (i, number)
        for i, cell in enumerate(cells)
        if cell["cell_type"] == "markdown"
        for fold in _FOLD.findall(_SOLUTION.sub("", cell["source"]))
        for number in numbers("\n".join(x for x in fold.splitlines() if not x.startswith("|")))
        if number.decimals >= 2 and "%" not in number.written
    ]
    tried = [texts[i] for i in rng.permutation(len(texts))[:8]]
    count = 0
    for i, number in tried:
        wrong = changed(cells[i]["source"], number)
        others = [*cells[:i], {"cell_type": "markdown", "source": wrong}, *cells[i + 1 :]]
        text = "\n\n".join(cell["source"] for cell in others if cell["cell_type"] == "markdown")
        claims = [claim for claim in CLAIMS if claim.page == name]
        count += bool(unbacked_in_chapter(name, others)) or any(c.problems(text) for c in claims)
    assert count >= len(tried) / 2
