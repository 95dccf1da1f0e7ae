"""The command that repeats the papers' experiments, on a few repetitions and stand-in data."""

import csv
import importlib.util
import re

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import ShuffleSplit

from rocviz import simulate_classifiers

# Columns of settings and of published numbers.
FIXED = {
    *("what", "data", "configuration", "measure", "stage", "published"),
    *("classifiers", "correlation", "M", "loss of pairs", "floor", "metric", "method"),
}


@pytest.fixture
def module(root, monkeypatch):
    monkeypatch.syspath_prepend(root / "benchmarks" / "reproduce")
    return importlib.import_module


@pytest.fixture
def docs(root):
    return root / "docs" / "reproduction"


def read(file):
    with file.open(encoding="utf-8") as lines:
        return list(csv.reader(lines))


@pytest.fixture
def copies(tmp_path):
    """A folder with data of the right form; what they say does not matter."""
    X, y = load_breast_cancer(return_X_y=True)
    X = X[:, :9]
    tables = {
        "coimbra": np.column_stack((X[:116], y[:116])),
        "wisconsin": np.column_stack((X, y))[np.arange(683) % 569],
    }
    folder = tmp_path / "copies"
    folder.mkdir()
    for name, table in tables.items():
        np.savetxt(folder / f"{name}.csv", table, delimiter=",", fmt="%g")
    drawn = simulate_classifiers(100, np.linspace(0.6, 0.9, 10), random_state=0)
    rows = [
        [*map(str, 1 - row), '"yes"' if label else '"no"']
        for row, label in zip(drawn.scores, drawn.y_true, strict=True)
    ]
    header = ",".join("abcdefghij") + ",y"
    (folder / "bank.csv").write_text("\n".join([header, *map(",".join, rows)]))
    return folder


@pytest.fixture
def command(root, module):
    place = root / "benchmarks" / "reproduce" / "__main__.py"
    spec = importlib.util.spec_from_file_location("reproduce", place)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.mark.slow
def test_every_table_of_the_docs_is_made_again(command, copies, tmp_path, docs, capsys):
    options = ["--quick", "--jobs", "1", "--data", str(copies), "--out", str(tmp_path / "made")]
    assert command.main(options) == 0
    made = {file.stem: read(file) for file in (tmp_path / "made").glob("*.csv")}
    shown = {file.stem: read(file) for file in docs.glob("*.csv")}
    assert made.keys() == shown.keys()
    told = capsys.readouterr().out
    for name, (header, *rows) in made.items():
        assert name in told
        assert header == shown[name][0]
        if name == "flach_lexrank":
            del shown[name][4:]  # a quick run does not load more than what is shipped
        # names of settings and published numbers do not depend on how much is run
        fixed = [i for i, column in enumerate(header) if column in FIXED]
        assert [[row[i] for i in fixed] for row in rows] == [
            [row[i] for i in fixed] for row in shown[name][1:]
        ]


def test_what_cannot_be_had_is_said_and_the_rest_is_done(command, module, monkeypatch, capsys):
    def unreachable(*_, **__):
        raise OSError("no network")

    monkeypatch.setattr(module("data"), "fetch_openml", unreachable)
    monkeypatch.setattr(module("natarajan"), "METRICS", {"f1": "F1"})
    assert command.main(["--quick", "--jobs", "1", "natarajan"]) == 1
    told = capsys.readouterr().out
    assert "natarajan_figure_1" in told
    assert "natarajan: the rest needs data that are not to be had: no network" in told
    with pytest.raises(FileNotFoundError, match=r"bank\.csv"):
        module("data").load_bank(None)
    for wrong in (["darwin"], ["--data", "no/such/folder"]):
        with pytest.raises(SystemExit):
            command.main(wrong)


def test_the_rarer_class_is_positive_and_rows_with_gaps_are_left_out(module, monkeypatch):
    def fetched(name, **options):
        assert (name, options["version"], options["as_frame"]) == ("breast-w", 1, False)
        return np.array([[1, 2], [3, np.nan], [5, 6], [7, 8]]), np.array(list("mmab"), object)[
            [2, 0, 2, 3]
        ]

    data = module("data")
    monkeypatch.setattr(data, "fetch_openml", fetched)
    X, y = data.load("wisconsin", None)
    assert X.tolist() == [[1, 2], [5, 6], [7, 8]]
    assert y.tolist() == [0, 0, 1]


def test_numbers_are_written_as_in_the_docs(module):
    report = module("report")
    written = [report.number(value) for value in (0.5, -0.25, 1.5, -0.0001, -12)]
    assert written == [".500", "−.250", "1.500", ".000", "−12.000"]
    assert report.mean_and_error([1, 2, 3], 2) == "2.00 ± .58"


def test_the_published_splits_are_the_paper_s(module):
    """Coimbra has 52 controls before 64 patients; stage 0 knows nothing but their share."""
    hanselle, y = module("hanselle"), np.repeat([0, 1], [52, 64])
    for way, measures in hanselle.published().items():
        for fold, curve in measures["train entropy"].items():
            train, _ = next(ShuffleSplit(1, test_size=0.33, random_state=fold).split(y))
            share = np.array([y[train].mean(), 1 - y[train].mean()])
            close = 1e-5 if "beta" in way else 1e-6
            assert curve[0] == pytest.approx(-(share * np.log2(share)).sum(), abs=close)


def test_a_list_like_the_published_one_counts_as_alike(module):
    hanselle = module("hanselle")
    known = hanselle.published()["before, bisect"]
    found = np.zeros((21, len(hanselle.WAYS), len(hanselle.MEASURES), 10))
    for fold in range(20):
        found[fold, list(hanselle.WAYS).index("before, bisect")] = [
            known[measure][fold] for measure in hanselle.MEASURES
        ]
    found[0, :, 0, 9] += 0.02
    rows = [row for row in hanselle.same_splits(found).rows if row[0] == "before, bisect"]
    assert [row[-2] for row in rows[1::2]] == ["19 of 20", "20 of 20", "20 of 20"]
    published, here = rows[:2]
    assert (published[-3], here[-3], here[-1]) == (".501", ".502", ".001")


def test_a_single_classifier_is_its_own_crowd(module):
    y, scores = simulate_classifiers(200, [0.7, 0.8], random_state=0)
    best, hindsight, woc, fidel = module("kim").one_subset(y, scores, 1, 0)
    assert best == pytest.approx(hindsight, abs=1e-12)
    assert (woc, fidel) == pytest.approx((best, best), abs=1e-12)


def test_the_gain_is_the_difference_of_two_columns(docs):
    header, *rows = read(docs / "menon_figure_1.csv")
    for row in rows:
        cell = dict(zip(header, row, strict=True))
        by_logistic, by_rank, gain = (
            float(cell[name].split(" ± ")[0].replace("−", "-"))
            for name in ("logistic + isotonic", "rank + isotonic", "gain of ranking first")
        )
        assert gain == pytest.approx(by_logistic - by_rank, abs=0.106)


def test_jaccard_follows_from_f1(module, docs):
    natarajan = module("natarajan")
    rows = {row[0]: row[1:] for row in read(docs / "natarajan_table_2.csv")}
    assert rows["IMAGE"] == [".9190 / .7455", ".7499 / .7500", ".7515 / .7623"]
    f1, printed = natarajan.TABLE_2["BREAST CANCER"]
    assert (natarajan.PUBLISHED["f1"], natarajan.PUBLISHED["jaccard"]) == (f1, printed)
    assert all(best and gap < 1e-12 for best, gap in natarajan.one_draw(7))


def test_the_examples_come_out_as_printed(module):
    for what, printed, here in module("flach").examples().rows:
        if " of " in printed:
            assert here == printed
            continue
        wanted, got = (text.split()[-1] for text in (printed, here))
        if wanted.startswith("."):
            got = f"{float(got):.{len(wanted) - 1}f}".removeprefix("0")
        assert float(got) == float(wanted), what


def test_every_table_is_shown(docs):
    page = (docs.parent / "reproduction.md").read_text("utf-8")
    included = re.findall(r"^:file: reproduction/(.+)\.csv$", page, re.MULTILINE)
    assert sorted(included) == sorted(file.stem for file in docs.glob("*.csv"))
