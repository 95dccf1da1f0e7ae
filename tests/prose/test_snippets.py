"""The Python of README and docs runs, shows what it opens, and says nothing false in comments.

What a comment may be is said in :mod:`snippets`.
"""

import base64
import doctest
import json
import os
import re
import shlex
import subprocess
import sys
import zlib
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

import ipywidgets
import numpy as np
import pandas as pd
import pytest
import sklearn
import traitlets
from matplotlib.offsetbox import TextArea
from packaging.version import Version
from page import Page

sys.path.insert(0, str(Path(__file__).resolve().parent))

from snippets import CODE, NEEDS, ROOT, agrees, name_of, pages, run_snippet, statements_of

from rocviz import FermiDirac, RankedSegments, cli, optimal_decision

pytestmark = pytest.mark.slow

SNIPPETS = [
    pytest.param(name_of(page), code, id=f"{name_of(page)}-{number}")
    for page in pages()
    for number, code in enumerate(CODE.findall(page.read_text("utf-8")), start=1)
]

# ---------------------------------------------------------------------- checks of comments

#: The check of each claim, by page and words.
CHECKS = {}
#: Comments that ask for something and claim nothing.
TO_THE_READER = {
    ("docs/howto/own_scores.md", "take your labels"),
    ("docs/howto/own_scores.md", "and your scores"),
    ("docs/howto/own_scores.md", "take your file"),
    ("docs/howto/scoring_list.md", "take your own data frame"),
}


def says(page, claim):
    """Register a check of what a comment says on a page.

    It is a function of the variables. What comes before its ``yield`` runs before the statement,
    the rest after it.
    """

    def register(check):
        CHECKS[page, claim] = contextmanager(check)
        return check

    return register


def large(explorer):
    """List the pictures that are shown large."""
    return Page(explorer).large_pictures()


@says("README.md", "two pictures side by side")
@says("docs/explorers.md", "two of its pictures, side by side")
@says("docs/lecturers.md", "a second one beside it, in a later cell")
def check_two_large(names):
    yield
    explorer = names["explorer"]
    assert len(explorer.panels) == 2
    assert large(explorer) == list(explorer.panels)


@says("docs/lecturers.md", "one picture")
def check_one(names):
    yield
    assert large(names["explorer"]) == ["scores"]


@says("README.md", "the pictures and the sentence follow")
@says("docs/explorers.md", "the slider, the pictures and the sentence follow")
def check_all_follow(names):
    page = Page(names["explorer"])
    before = dict(page.shown)
    yield
    changed = {name for name, value in page.shown.items() if before[name] != value}
    assert {"sentence", "control threshold"} <= changed
    for panel in names["explorer"].panels:
        assert any(name.startswith(f"mark {panel} ") for name in changed)


@says("README.md", "now the first is large")
@says("docs/explorers.md", "now the first is large")
@says("docs/lecturers.md", "of three, the first is large")
def check_first_is_large(names):
    before = large(names["explorer"])
    yield
    explorer = names["explorer"]
    assert large(explorer) == [explorer.panels[0]] != before


@says("docs/explorers.md", "and now this one")
def check_this_is_large(names):
    yield
    assert large(names["explorer"]) == ["brier"]


@says("README.md", "the pictures that are shown, and the sentence")
def check_saved(names):
    yield
    explorer = names["explorer"]
    figure = explorer.static_figure()
    assert Path("slide.pdf").read_bytes().startswith(b"%PDF")
    titles = {ax.get_title(loc="left") for ax in figure.axes}
    assert titles == {explorer.title(name) for name in explorer.panels}
    words = "".join(area.get_text() for area in figure.findobj(TextArea))
    assert "".join(words.split()) == "".join(explorer.sentence.split())


@says("docs/explorers.md", "if one is refused, neither is set")
def check_neither_is_set(names):
    yield
    explorer = names["explorer"]
    before = explorer.inputs()
    with pytest.raises(traitlets.TraitError):
        explorer.update(cost_fn=2.0, deployment_prevalence=7.0)
    assert explorer.inputs() == before


def recorded(page):
    """Count the values of each control that a page has recorded."""
    packed = re.findall(r'id="recording" type="text/plain">([^<]*)<', Path(page).read_text("utf-8"))
    (part,) = json.loads(zlib.decompress(base64.b64decode(packed[0])))["parts"].values()
    sizes = {}
    for scene in part["scenes"]:
        for axis in scene["axes"]:
            sizes[axis["name"]] = axis["size"]
    return sizes


@says("docs/explorers.md", "the threshold can be moved in the page")
def check_threshold_moves(_names):
    yield
    assert recorded("threshold.html").keys() == {"threshold"}
    assert recorded("threshold.html")["threshold"] > 10


@says("docs/explorers.md", "the costs can be moved")
def check_costs_move(_names):
    yield
    assert recorded("costs.html").keys() == {"cost_fn"}
    assert recorded("costs.html")["cost_fn"] > 10


@says("docs/explorers.md", "a picture with its words, numbers and code")
def check_still_page(names):
    yield
    page = Path("still.html").read_text("utf-8")
    explorer = names["explorer"]
    assert "<script" not in page
    assert "<img" in page
    assert explorer.first_sentence.html in page
    assert "<table" in page
    assert "from rocviz import" in page


@says("docs/explorers.md", "many pages can share the folder of scripts")
def check_shared_scripts(names):
    yield
    files = {path.name: path.read_bytes() for path in Path("scripts").iterdir()}
    names["recording"].to_html("other.html", scripts="scripts")
    assert files == {path.name: path.read_bytes() for path in Path("scripts").iterdir()}
    for page in ("pairs.html", "other.html"):
        assert set(re.findall(r'src="scripts/([^"]+)"', Path(page).read_text("utf-8"))) == set(
            files
        )


@says("docs/explorers.md", "which model to use between which slopes")
def check_model_between_slopes(names):
    yield
    frame = names["explorer"].result.model_hull.to_frame()
    assert {"model", "slope_from", "slope_to"} <= set(frame.columns)
    assert set(frame.model) <= set(names["scores"])


@says("docs/fermi_dirac.md", "of many samples, with ranks from 0 to 1")
def check_limit(names):
    yield
    limit = names["limit"]
    n = 10**6
    many = FermiDirac.from_auc(0.9, n_pos=n // 5, n_neg=4 * n // 5)
    assert many.threshold_rank / n == pytest.approx(limit.threshold_rank, abs=1e-5)
    assert many.temperature / n == pytest.approx(limit.temperature, rel=1e-5)


@says("docs/fermi_dirac.md", "it has the AUC of the data")
def check_auc_of_data(names):
    yield
    data = names["data"]
    auc = RankedSegments.from_scores(data.y_true, data.y_prob).auc
    assert names["fitted"].auc == pytest.approx(auc, abs=1e-12)


@says("docs/groups.md", "the point of B follows")
def check_other_group_follows(names):
    before = names["explorer"].result.policy.to_frame().set_index("group")
    yield
    after = names["explorer"].result.policy.to_frame().set_index("group")
    assert after.tpr["A"] == pytest.approx(0.8, abs=0.02)
    assert after.tpr["B"] == pytest.approx(after.tpr["A"])
    assert before.tpr["B"] != pytest.approx(after.tpr["B"], abs=0.02)


@says("docs/howto/intervals.md", "by DeLong's method, widened where few errors are seen")
def check_default_interval(names):
    yield
    interval = names["auc_interval"](names["y_true"], names["y_prob"])
    assert interval.method == "widened-delong"
    assert interval.is_widened


@says("docs/howto/pipelines.md", "words may stay words")
def check_words_are_taken(names):
    yield
    rows = names["LexProb"]().fit(names["frame"], names["y"]).inspect()
    assert "red" in rows.to_string()


@says("docs/howto/pipelines.md", 'all should begin with "rocviz"')
def check_untrusted_types(names):
    yield
    assert names["unknown"]
    assert all(name.startswith("rocviz") for name in names["unknown"])


@says("docs/howto/rare_classes.md", "a threshold from the training samples")
def check_threshold_of_training(names):
    yield
    X = names["X"]
    y = names["y"]
    logistic = names["logistic"]
    model = names["EmpiricalUtilityClassifier"](logistic, "f1").fit(X, y)
    alone = model.predict(names["X_test"][:200])
    assert (alone == model.predict(names["X_test"])[:200]).all()
    assert 0 < model.threshold_ < 1


@says("docs/howto/rare_classes.md", "the best labels of the test samples together")
def check_labels_of_test(names):
    yield
    y_prob = names["model"].predict_proba(names["X_test"])[:, 1]
    assert (names["predictions"] == optimal_decision(y_prob, "f1").labels).all()


@says("docs/howto/report.md", "a page in which nothing moves")
def check_still_report(names):
    yield
    still = Path("report.html").read_text("utf-8")
    assert 'id="explorer-page"' not in still
    names["report"].to_html("moving.html")
    assert 'id="explorer-page"' in Path("moving.html").read_text("utf-8")


@says("docs/large_data.md", "for the columns that are 0 or 1 already")
def check_binary_columns(names):
    yield
    X, _y = next(names["months"]())
    are_binary = [set(np.unique(column)) <= {0, 1} for column in X.T]
    assert are_binary == [False, True, True, True, True]


# ---------------------------------------------------------------------- the snippets


def claims_of(code):
    """List the claims in the comments of a snippet."""
    claims = []
    for statement in statements_of(code):
        claims.extend(statement.claims)
    return [claim for claim in claims if not NEEDS.match(claim)]


def test_every_comment_has_its_check():
    snippets = [param.values for param in SNIPPETS]
    written = Counter((page, claim) for page, code in snippets for claim in claims_of(code))
    assert {claim for claim in written if claim not in CHECKS.keys() | TO_THE_READER} == set()
    assert {claim for claim in CHECKS.keys() | TO_THE_READER if claim not in written} == set()


@pytest.mark.parametrize(("page", "code"), SNIPPETS)
def test_snippet_runs_and_its_comments_are_true(page, code, tmp_path, monkeypatch):
    needed = NEEDS.search(code)
    if needed and Version(sklearn.__version__) < Version(needed[1]):
        pytest.skip(needed[0])
    monkeypatch.chdir(tmp_path)
    checks = {claim: check for (of, claim), check in CHECKS.items() if of == page}
    names = {}
    try:
        assert list(run_snippet(code, checks, names)) == []
    finally:
        for value in names.values():
            if isinstance(value, ipywidgets.Widget):
                value.close()


def test_the_pages_of_each_kind_of_user_have_snippets():
    with_snippets = {param.values[0] for param in SNIPPETS}
    for page in ("README.md", "docs/students.md", "docs/lecturers.md", "docs/researchers.md"):
        assert page in with_snippets


@pytest.mark.parametrize("page", [page for page in pages() if "\n>>> " in page.read_text("utf-8")])
def test_sessions_at_a_prompt_are_true(page):
    flags = doctest.ELLIPSIS
    failed, tried = doctest.testfile(str(page), module_relative=False, optionflags=flags)
    assert tried > 4
    assert failed == 0


#: Runs each snippet as one cell, and says which widgets were shown and which were left open.
ONE_CELL = """
import json, sys
import ipywidgets
from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from rocviz.widgets.base.widget import WIDGET_MIME_TYPE, OneWidget

shell = InteractiveShell.instance(display_pub_class=CapturingDisplayPublisher)
told = []
for code in json.load(sys.stdin):
    shell.display_pub.outputs.clear()
    result = shell.run_cell(code)
    views = [output["data"].get(WIDGET_MIME_TYPE, {}) for output in shell.display_pub.outputs]
    shown = {view["model_id"] for view in views if view}
    shown |= {one.model_id for one in [result.result] if isinstance(one, ipywidgets.DOMWidget)}
    left = [one for one in shell.user_ns.values() if isinstance(one, OneWidget) and one.comm]
    error = result.error_in_exec or result.error_before_exec
    told.append({
        "error": repr(error) if error else "",
        "shown": sorted(shown),
        "left": sorted({one.model_id for one in left}),
    })
    for one in left:
        one.close()
    shell.reset(new_session=False)
print("\\n" + json.dumps(told))
"""


def test_what_a_snippet_opens_is_shown_when_it_is_one_cell(tmp_path):
    opening = re.compile(r"Explorer\(|Story\(|StoryMaker\(|open_story\(")
    opened = [param for param in SNIPPETS if opening.search(param.values[1])]
    done = subprocess.run(
        [sys.executable, "-c", ONE_CELL],
        input=json.dumps([param.values[1] for param in opened]),
        cwd=tmp_path,
        env={**os.environ, "IPYTHONDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    shown = json.loads(done.stdout.splitlines()[-1])
    for param, output in zip(opened, shown, strict=True):
        assert output["error"] == "", param.id
        assert set(output["left"]) <= set(output["shown"]), (
            f"{param.id} does not show what it opens"
        )
        assert output["shown"] or ".close()" in param.values[1], param.id


def test_the_report_page_shows_what_the_command_says(tmp_path, monkeypatch, capsys):
    page = (ROOT / "docs" / "howto" / "report.md").read_text("utf-8")
    first_rows, said = re.findall(r"^```text\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    (words,) = re.findall(r"^rocviz (report .*)$", page, re.MULTILINE)
    rng = np.random.default_rng(1)
    rows = []
    for number in range(4, 120):
        is_ill = rng.random() < 0.4
        forest = f"{rng.uniform(0.3 * is_ill, 0.7 + 0.3 * is_ill):.2f}".replace(".", ",")
        tree = f"{rng.uniform(0.2 * is_ill, 0.8 + 0.2 * is_ill):.1f}".replace(".", ",")
        age = rng.integers(30, 80)
        rows.append(f'"{number}";"{"ill" if is_ill else "well"}";{forest};{tree};{age}\n')
    monkeypatch.chdir(tmp_path)
    Path("predictions.csv").write_text(first_rows + "".join(rows), "utf-8")
    assert cli.main([*shlex.split(words), "--no-live"]) == 0
    printed = capsys.readouterr().err.replace("\r", "\n").splitlines()
    lines = iter(line.strip() for line in printed)
    for line in said.splitlines():
        assert line in lines  # in this order


def test_the_report_page_explains_every_option(capsys):
    with pytest.raises(SystemExit):
        cli.main(["report", "--help"])
    options = set(re.findall(r"--[a-z][a-z-]+", capsys.readouterr().out)) - {"--help"}
    page = (ROOT / "docs" / "howto" / "report.md").read_text("utf-8")
    table = "".join(line for line in page.splitlines() if line.startswith("| `"))
    assert options - set(re.findall(r"--[a-z][a-z-]+", table)) == set()


def test_the_report_of_the_pages_is_written(tmp_path, monkeypatch, capsys):
    commands = set()
    for page in pages():
        commands.update(re.findall(r"^rocviz (report .*)$", page.read_text("utf-8"), re.M))
    assert commands
    monkeypatch.chdir(tmp_path)
    rows = [("ill", 0.9), ("well", 0.2), ("ill", 0.4), ("well", 0.6), ("ill", 0.8), ("well", 0.1)]
    pd.DataFrame(rows, columns=["outcome", "model"]).to_csv("predictions.csv", index=False)
    for words in commands:
        assert cli.main(shlex.split(words)) == 0
        assert "Scores: model" in capsys.readouterr().err
        assert "predictions.csv" in Path("report.html").read_text("utf-8")


# ---------------------------------------------------------------------- the convention itself


def test_comments_belong_to_their_statements():
    code = """
# about the first
x = [
    1,  # inside
]
x[0]  # -> 1
y = 2  # at its end
print(x, y)
# -> [1]
#    2
assert y == 2  # is checked by itself
"""
    claims = [(statement.claims, statement.value) for statement in statements_of(code)]
    assert claims == [
        (["about the first", "inside"], None),
        ([], "1"),
        (["at its end"], None),
        ([], "[1] 2"),
        ([], None),
    ]


@pytest.mark.parametrize(
    ("want", "got", "is_true"),
    [
        ("0.833", "0.8333333", True),
        ("0.833", "0.8336", False),
        ("0.83", "0.8349", True),
        ("17", "17.4", True),
        ("(0.875, 0.720)", "(0.875, 0.72016)", True),
        ("(0.875, 0.720)", "(0.875,)", False),
        ("1e-05", "1.2e-05", True),
        ("1e-05", "1.6e-05", False),
        ("-0.5", "0.5", False),
        ("array([0.1, 0.20])", "array([0.1   , 0.2001])", True),
        ("0.5", "np.float64(0.5000000001)", True),
        ("threshold 12", "threshold 13", False),
        ("True", "False", False),
        ("0.9 ...", "0.9 and more", True),
    ],
)
def test_values_are_compared_in_the_digits_that_are_written(want, got, is_true):
    assert agrees(want, got) == is_true


def test_false_values_and_claims_fail():
    @contextmanager
    def grows(names):
        before = names["x"]
        yield
        assert names["x"] > before

    checks = {"it grows": grows}
    wrong = run_snippet("x = 1\nx + 1  # -> 3\nx = 2  # it grows\n", checks, {})
    assert list(wrong) == ["x + 1: '3' is '2'"]
    with pytest.raises(AssertionError):
        list(run_snippet("x = 1\nx = 0  # it grows\n", checks, {}))
