"""`rocviz report`: files of many kinds, and one line that says what is wrong with a bad one."""

import gc
import io
import os
import sys
import threading
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rocviz import cli, evaluation_report
from rocviz.report.files import Columns, read_predictions
from rocviz.report.markdown import escape_markdown

pytestmark = pytest.mark.usefixtures("few_resamples")


@pytest.fixture
def table():
    rng = np.random.default_rng(1)
    y = rng.random(300) < 0.3
    return pd.DataFrame(
        {
            "outcome": np.where(y, "ill", "well"),
            "a": 1 / (1 + np.exp(-rng.normal(2.0 * y - 1))),
            "b": rng.integers(0, 9, 300) + 3 * y,
            "age group": np.where(rng.random(300) < 0.5, "old", "young"),
            "times": rng.integers(1, 4, 300),
        }
    )


@pytest.fixture
def run(tmp_path, monkeypatch, capsys, table):
    """Run the command in a folder with the table; return its status and its messages."""
    monkeypatch.chdir(tmp_path)
    table.to_csv("predictions.csv", index=False)

    def run(*words):
        status = cli.main(["report", *words])
        captured = capsys.readouterr()
        return status, captured.out, captured.err.replace("\r", "\n")

    return run


def test_from_a_file_to_a_page(run, tmp_path, table, undrawn):
    status, out, err = run(
        "predictions.csv",
        "--label",
        "outcome",
        "--positive",
        "ill",
        "--score",
        "a,b",
        "--group",
        "age group",
        "--weight",
        "times",
        "--cost-fn",
        "5",
        "--prevalence",
        ".1",
        "-o",
        "page.md",
    )
    assert (status, err.count("Traceback")) == (0, 0)
    assert "Scores: a, b" in err
    assert f"The report is in {tmp_path / 'page.md'}" in out
    expected = evaluation_report(
        table["outcome"],
        table[["a", "b"]],
        groups=table["age group"],
        sample_weight=table["times"],
        cost_fn=5,
        prevalence=0.1,
        pos_label="ill",
        title="Evaluation of predictions.csv",
    )
    written = (tmp_path / "page.md").read_text("utf-8")
    for section in expected.sections:
        for words in section.text:
            assert words in written
    assert " ill and raises " in written


def test_a_page_in_which_nothing_moves(run, tmp_path):
    words = ["predictions.csv", "--label", "outcome", "--positive", "ill", "--score", "a", "b"]
    assert run(*words, "--no-live", "-o", "page.html")[0] == 0
    written = (tmp_path / "page.html").read_text("utf-8")
    assert "<iframe" not in written
    assert '<div class="figures">' in written


def test_garbage_is_collected_as_before_when_the_command_has_ended(run):
    before = gc.get_threshold()
    assert run("missing.csv", "--label", "outcome")[0] == 1
    assert gc.get_threshold() == before


@pytest.mark.slow  # each format is read in test_report_files.py
def test_all_file_formats_give_the_same_report(run, table, monkeypatch):
    table["outcome"] = (table["outcome"] == "ill").astype(int)
    plain = ["--label", "outcome", "--score", "a", "b", "-o", "page.md"]
    pages = []
    table.to_csv("numbers.csv", index=False)
    table.to_parquet("numbers.parquet")
    table.assign(outcome=table["outcome"] == 1).to_csv("booleans.csv", index=False)
    for name in ("numbers.csv", "numbers.parquet", "booleans.csv"):
        assert run(name, *plain, "--title", "T")[0] == 0
        pages.append(Path("page.md").read_text("utf-8").replace(f"{escape_markdown(name)} · ", ""))
    piped = io.TextIOWrapper(io.BytesIO(table.to_csv(index=False).encode()))
    monkeypatch.setattr(sys, "stdin", piped)
    assert run("-", *plain, "--title", "T")[0] == 0
    pages.append(Path("page.md").read_text("utf-8").replace("predictions · ", ""))
    assert len(set(pages)) == 1


def test_a_long_file_is_counted_by_score(run, table):
    columns = Columns("outcome", "ill", ("a", "b"), weight="times")
    reports = []
    predictions = read_predictions(
        "predictions.csv", columns, max_rows=100, progress=lambda *it: reports.append(it)
    ).arguments
    assert reports == [(300, 1.0)]
    whole = read_predictions("predictions.csv", columns).arguments
    assert set(predictions) == {"y_true", "pos_label"}
    counted = evaluation_report(**predictions).to_frame("ranking")
    kept = evaluation_report(**whole).to_frame("ranking")
    pd.testing.assert_frame_equal(counted, kept)
    with pytest.raises(ValueError, match=r"more than 100 rows.*leave out --group"):
        read_predictions(
            "predictions.csv", Columns("outcome", "ill", ["a"], group="age group"), max_rows=100
        )


def test_pieces_are_counted_once(run, table, monkeypatch):
    monkeypatch.setattr("rocviz.report.reading.ROWS_PER_PIECE", 64)
    columns = Columns("outcome", "ill", ("a",))
    whole = evaluation_report(**read_predictions("predictions.csv", columns).arguments)
    for most in (63, 64, 150, 299):
        read = read_predictions("predictions.csv", columns, max_rows=most)
        report = evaluation_report(**read.arguments)
        assert report.data.first.n_samples == 300
        assert report.to_frame("ranking")["auc"][0] == whole.to_frame("ranking")["auc"][0]


@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        (None, [], "there is no file bad.csv"),
        ("", [], "bad.csv is empty"),
        ("y,s\n", [], "bad.csv holds no rows"),
        ("y,s\n1,.2\n0,.1\n", ["--label", "z"], "no column 'z'; its columns are 'y', 's'"),
        ("y,s\n1,.2\n0,.1\n", ["--score", "t"], "no column 't'"),
        ("y,s\n1,.2\n0,.1\n", ["--positive", "2"], "never holds '2'; its labels are '0', '1'"),
        ("y,s\n1,.2\n1,.1\n", [], "column 'y' holds '1' in all 2 rows"),
        ("y,s\na,.2\nb,.1\n", [], "say which is positive: --positive"),
        ("y,s\n1,.2\n0,oops\n1,.3\n", [], "text among its numbers: 'oops' in row 3"),
        ("y,s\n1,a\n0,b\n", [], "no numeric column besides 'y'"),
        ("y,s\n1,a\n0,b\n", ["--score", "s"], "text among its numbers: 'a' in row 2"),
        ("y,s\n1,.2\n0,\n,.3\n0,\n", [], "'y' has no value in row 4; leave"),
        ("y,s\n1,.2\n0,\n0,\n", [], "'s' has no value in row 3 and in 1 more; leave"),
        ("y,s\n1,.2\n0,.1,7\n", [], "cannot be read"),
        ("y,s\n1,inf\n0,.1\n", [], "must be finite"),
        ("y,s,w\n1,.2,1\n0,.1,-1\n", ["--weight", "w"], "sample_weight"),
        ("y,s\n1,.2\n0,.1\n", ["--cost-fn", "-1"], "cost_fn must be at least 0"),
        ("y,s\n1,.2\n0,.1\n", ["--prevalence", "2"], "prevalence"),
        ("y,s\n1,.2\n0,.1\n", ["-o", "page.pdf"], "--output must end in .html or .md"),
        ("y,s\n1,.2\n0,.1\n", ["-o", "no/page.html"], "there is no folder"),
        ("y,s\n1,.2\n0,.1\n", ["-o", "predictions.csv/page.html"], "is a file, not a folder"),
    ],
)
def test_errors_are_reported_in_one_line(run, tmp_path, text, words, message):
    if text is not None:
        (tmp_path / "bad.csv").write_text(text, encoding="utf-8")
    before = set(tmp_path.iterdir())
    status, out, err = run("bad.csv", "--label", "y", *words)
    last_line = [line for line in err.splitlines() if line.strip()][-1]
    assert (status, out) == (1, "")
    assert last_line.startswith("rocviz: ") or "rocviz: " in last_line
    assert message in last_line
    assert set(tmp_path.iterdir()) == before


@pytest.mark.parametrize("name", ["junk.csv", "junk.parquet", "folder"])
def test_files_that_are_no_tables_are_refused(run, tmp_path, name):
    if name == "folder":
        (tmp_path / name).mkdir()
    else:
        (tmp_path / name).write_bytes(np.random.default_rng(0).bytes(300))
    status, _, err = run(name, "--label", "y")
    assert status == 1
    assert f"rocviz: {name} cannot be read" in err


@pytest.fixture
def unread(monkeypatch):
    """Fail if the predictions are read: what cannot be written is refused before."""

    def read(*_, **__):
        pytest.fail("the file was read")

    monkeypatch.setattr("rocviz.report.command.read_predictions", read)


@pytest.mark.parametrize("way", ["same", "spelling", "whole", "link", "hard link", "linked folder"])
@pytest.mark.parametrize("ending", ["html", "md"])
def test_the_predictions_are_never_overwritten(run, tmp_path, table, unread, way, ending):
    name = f"table.{ending}"  # a table of any name may be read
    table.to_csv(name, index=False)
    before = Path(name).read_bytes()
    outputs = {
        "same": name,
        "spelling": f"../{tmp_path.name}/./{name}",
        "whole": str(tmp_path / name),
        "link": f"link.{ending}",
        "hard link": f"hard.{ending}",
        "linked folder": f"folder/{name}",
    }
    Path(outputs["link"]).symlink_to(name)
    Path(outputs["hard link"]).hardlink_to(name)
    Path("folder").symlink_to(tmp_path)
    for source, output in ((name, outputs[way]), (outputs[way], name)):
        status, out, err = run(source, "--label", "outcome", "--positive", "ill", "-o", output)
        assert (status, out) == (1, "")
        assert "--output would overwrite the predictions" in err
        assert f"{Path(output)} and {source} are the same file" in err
    assert Path(name).read_bytes() == before


def test_a_redirected_input_is_never_overwritten(run, table, unread, monkeypatch):
    table.to_csv("table.html", index=False)
    before = Path("table.html").read_bytes()
    with open("table.html") as file:
        monkeypatch.setattr(sys, "stdin", file)
        status, _, err = run("-", "--label", "outcome", "-o", "table.html")
    assert status == 1
    assert "table.html and the standard input are the same file" in err
    assert Path("table.html").read_bytes() == before


def test_the_primary_model_and_clusters_are_columns(run, tmp_path, table, undrawn):
    table["patient"] = np.arange(300) // 3
    table.to_csv("predictions.csv", index=False)
    options = ["--label", "outcome", "--positive", "ill", "--score", "a", "b"]
    status, _, _ = run(
        "predictions.csv", *options, "--primary", "b", "--cluster", "patient", "-o", "page.md"
    )
    assert status == 0
    expected = evaluation_report(
        table["outcome"],
        table[["a", "b"]],
        clusters=table["patient"],
        primary="b",
        pos_label="ill",
        title="Evaluation of predictions.csv",
    )
    written = (tmp_path / "page.md").read_text("utf-8")
    file = f"{escape_markdown('predictions.csv')} · "
    assert written.count(file) == 1
    assert written.replace(file, "") == expected.to_markdown(tmp_path / "page.md")
    status, _, err = run("predictions.csv", *options, "--primary", "c")
    assert status == 1
    assert "primary must be one of a, b" in err


def test_figures_never_overwrite_the_predictions(run, table, unread):
    Path("page_figures").mkdir()
    table.to_csv("page_figures/roc.png", index=False)
    status, _, err = run("page_figures/roc.png", "--label", "outcome", "-o", "page.md")
    assert status == 1
    assert "the figures of page.md go to page_figures, where the predictions are" in err


@pytest.mark.parametrize("what", ["folder", "file of figures", "protected", "protected folder"])
def test_what_cannot_be_written_is_said_before_the_file_is_read(
    run, tmp_path, unread, monkeypatch, what
):
    page = tmp_path / "page.md"
    if what == "folder":
        page.mkdir()
    elif what == "file of figures":
        (tmp_path / "page_figures").write_text("mine")
    elif what == "protected":
        page.write_text("old")
        monkeypatch.setattr("rocviz.files.os.access", lambda path, _: Path(path) != page)
    else:

        def refuse(*_):
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr("rocviz.files.os.open", refuse)
    before = set(tmp_path.iterdir())
    status, out, err = run("predictions.csv", "--label", "outcome", "-o", "page.md")
    monkeypatch.undo()
    assert (status, out) == (1, "")
    assert err.startswith("rocviz: ")
    assert len(err.splitlines()) == 1
    words = {
        "folder": "page.md is a folder, not a file.",
        "file of figures": "page_figures is a file, not a folder.",
        "protected": "page.md is protected against writing.",
        "protected folder": f"no file can be written in {tmp_path}: Permission denied.",
    }
    assert words[what] in err
    assert set(tmp_path.iterdir()) == before


def test_a_pipe_without_a_size_is_read(run, tmp_path, table):
    if not hasattr(os, "mkfifo"):
        pytest.skip("there are no named pipes here")
    os.mkfifo("pipe.csv")
    text = table.to_csv(index=False)
    writer = threading.Thread(target=lambda: (tmp_path / "pipe.csv").write_text(text))
    writer.start()
    pieces = []
    columns = Columns("outcome", "ill", ("a",))
    read_predictions("pipe.csv", columns, progress=lambda *it: pieces.append(it))
    writer.join(60)
    assert pieces == [(300, 0.0)]


def test_what_the_page_warns_of_is_printed_too(run, table, undrawn):
    table.assign(a=1 - table["a"]).to_csv("reversed.csv", index=False)
    words = ["--label", "outcome", "--positive", "ill", "--score", "a", "-o", "page.md"]
    assert "rank worse than chance" in run("reversed.csv", *words)[2]
    assert "worse than chance" not in run("predictions.csv", *words)[2]
