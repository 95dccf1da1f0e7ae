"""Files as R, Excel, databases and statistics programs write them, and what a report reads."""

import bz2
import csv
import gzip
import io
import lzma
import sys
import zipfile
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rocviz import cli, evaluation_report
from rocviz.report.files import Columns, read_predictions
from rocviz.report.reading import TextOptions

pytestmark = pytest.mark.usefixtures("few_resamples")

OUTCOMES = [1, 0, 1, 0, 1, 0]
FOREST = [0.83, 0.12, 0.64, 0.415, 0.97, 0.05]
TREE = [0.7, 0.3, 0.2, 0.4, 0.9, 0.1]

PLAIN_CSV = """outcome,forest,tree
1,0.83,0.7
0,0.12,0.3
1,0.64,0.2
0,0.415,0.4
1,0.97,0.9
0,0.05,0.1
"""
# write.csv2(table): row names, quotes, semicolons and decimal commas
R_CSV2 = """"";"outcome";"forest";"tree"
"1";1;0,83;0,7
"2";0;0,12;0,3
"3";1;0,64;0,2
"4";0;0,415;0,4
"5";1;0,97;0,9
"6";0;0,05;0,1
"""
# write.table(table): spaces, and no name above the row names
R_TABLE = """"outcome" "forest" "tree"
"a1" 1 0.83 0.7
"a2" 0 0.12 0.3
"a3" 1 0.64 0.2
"a4" 0 0.415 0.4
"a5" 1 0.97 0.9
"a6" 0 0.05 0.1
"""
SEMICOLONS = PLAIN_CSV.replace(",", ";").replace(".", ",")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read(name, *scores, options=None, **columns):
    columns = {"label": "outcome", "scores": scores, **columns}
    return read_predictions(name, Columns(**columns), options)


def check_numbers(predictions, **models):
    """Compare what was read with the outcomes and scores of this module."""
    expected = models or {"forest": FOREST, "tree": TREE}
    np.testing.assert_array_equal(predictions.arguments["y_true"], np.equal(OUTCOMES, 1))
    assert predictions.models == list(expected)
    for name, score in expected.items():
        np.testing.assert_allclose(predictions.arguments["y_score"][name], score, rtol=1e-12)


def with_tabs(text):
    return text.replace(",", "\t")


def excel_book(text):
    """Make a stand-in for a workbook, as its reader need not be installed."""

    class Book:
        sheet_names = ("first", "second")

        def __init__(self, path):
            pass

        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def parse(self, sheet, *, header, na_values):
            """Give the cells with their types, as a reader of workbooks does."""
            assert header is None
            names = next(csv.reader(io.StringIO(text)))
            values = pd.read_csv(io.StringIO(text), na_values=na_values).astype(object)
            return pd.DataFrame([names, *values.to_numpy().tolist()])

    return Book


TEXTS = {
    "R write.csv2": (R_CSV2, ["semicolons", "decimal commas in 'forest', 'tree'", "no name"]),
    "R write.csv": (R_CSV2.replace(",", ".").replace(";", ","), ["no name"]),
    "R write.table": (R_TABLE, ["spaces", "no name"]),
    "R write.table, semicolons": (R_TABLE.replace(" ", ";"), ["semicolons", "no name"]),
    "readr": (R_CSV2.replace('""', '"...1"', 1), ["semicolons", "no name"]),
    "pandas to_csv": (None, ["'Unnamed: 0' (no name)"]),
    "Excel, German": (SEMICOLONS, ["semicolons", "decimal commas"]),
    "Excel, separator line": ("sep=;\n" + SEMICOLONS, ["decimal commas"]),
    "Excel, tabs": (with_tabs(PLAIN_CSV), ["tabs between columns (--sep)"]),
    "Excel, trailing separators": (
        "\n".join(f"{line};" for line in SEMICOLONS.splitlines()),
        ["semicolons"],
    ),
    "database, bars": (PLAIN_CSV.replace(",", "|"), ["bars between columns (--sep)"]),
    "database, aligned": (PLAIN_CSV.replace(",", " | "), ["bars"]),
    "SAS, many spaces": (PLAIN_CSV.replace(",", "   "), ["spaces"]),
    "spaces around names": (PLAIN_CSV.replace("forest,tree", " forest , tree "), []),
    "empty lines": ("\n\n" + PLAIN_CSV.replace("\n", "\r\n") + "\r\n", []),
    "old Macintosh": (PLAIN_CSV.replace("\n", "\r"), []),
}


@pytest.mark.parametrize("program", TEXTS)
def test_texts_of_programs_are_read(program):
    text, words = TEXTS[program]
    if text is None:
        text = pd.read_csv(io.StringIO(PLAIN_CSV)).to_csv()
    Path("table.txt").write_text(text, encoding="utf-8", newline="")
    predictions = read("table.txt")
    check_numbers(predictions)
    remarks = " ".join(predictions.remarks)
    assert bool(remarks) == bool(words)
    for word in words:
        assert word in remarks


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "utf-16", "utf-16-le", "utf-8-sig"])
@pytest.mark.parametrize("separator", [",", ";"])
def test_encodings_are_recognised(encoding, separator):
    text = PLAIN_CSV.replace("outcome", "größe").replace(",", separator)
    Path("table.csv").write_bytes(text.encode(encoding))
    predictions = read("table.csv", label="größe")
    check_numbers(predictions)
    is_said = any("(--encoding)" in remark for remark in predictions.remarks)
    assert is_said == (encoding != "utf-8-sig")


def test_a_letter_far_from_the_beginning_decides_the_encoding(monkeypatch):
    monkeypatch.setattr("rocviz.report.reading.HEAD_BYTES", 64)
    text = PLAIN_CSV.replace("outcome", "place,outcome").replace("\n1,", "\nA,1,")
    text = text.replace("\n0,", "\nB,0,").replace("A,1,0.97", "Köln,1,0.97")
    Path("table.csv").write_bytes(text.encode("latin-1"))
    predictions = read("table.csv", group="place")
    check_numbers(predictions)
    assert "Köln" in predictions.arguments["groups"]
    assert "cp1252 (--encoding)" in predictions.remarks[0]


def test_options_override_what_is_recognised():
    Path("table.csv").write_bytes("outcome;für\n1;1,234\n0;2,345\n1;5\n0;1\n".encode("cp437"))
    with pytest.raises(ValueError, match="add --decimal , or --decimal"):
        read("table.csv")
    comma = read("table.csv", options=TextOptions(";", ",", "cp437"))
    assert comma.arguments["y_score"]["für"].tolist() == [1.234, 2.345, 5.0, 1.0]
    point = read("table.csv", options=TextOptions("semicolon", ".", "cp437"))
    assert point.arguments["y_score"]["für"].tolist() == [1234.0, 2345.0, 5.0, 1.0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sep": "::"}, "--sep must be one character"),
        ({"decimal": "x"}, "--decimal must be"),
        ({"encoding": "utf-99"}, "there is no encoding 'utf-99'"),
    ],
)
def test_options_without_a_meaning_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        read("table.csv", options=TextOptions(**options))


def _zipped(data):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("table.csv", data)
    return file.getvalue()


@pytest.mark.parametrize(
    ("ending", "compress"),
    [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress), ("zip", _zipped)],
)
def test_compressed_texts_are_read(ending, compress):
    Path(f"table.csv.{ending}").write_bytes(compress(R_CSV2.encode("utf-16")))
    predictions = read(f"table.csv.{ending}")
    check_numbers(predictions)
    assert "compression" in predictions.remarks[0]
    assert "utf-16" in predictions.remarks[0]


def test_a_pipe_may_be_compressed(monkeypatch):
    pipe = io.TextIOWrapper(io.BytesIO(gzip.compress(R_CSV2.encode())))
    monkeypatch.setattr(sys, "stdin", pipe)
    check_numbers(read("-"))


@pytest.mark.parametrize(
    ("written", "values"),
    [
        (["83%", "12%", "64%", "41.5%", "97%", "5%"], FOREST),
        (["83 %", "12 %", "64 %", "41,5 %", "97 %", "5 %"], FOREST),
        (["1.234,5", "0,5", "-3", "7,25e2", "1.000.000,0", ",5"], [1234.5, 0.5, -3, 725, 1e6, 0.5]),
        (["1,234.5", "2,000", "-3", "7.25e2", "1,000,000", ".5"], [1234.5, 2e3, -3, 725, 1e6, 0.5]),
        (["1 234,5", "0,5", "\u22123", "1\u202f000", "4", "5"], [1234.5, 0.5, -3, 1000, 4, 5]),
    ],
)
def test_numbers_are_read_as_they_are_written(written, values):
    pd.DataFrame({"outcome": OUTCOMES, "a": written}).to_csv("table.csv", index=False)
    check_numbers(read("table.csv"), a=values)


def test_one_model_with_decimal_commas_and_one_without():
    table = pd.read_csv(io.StringIO(PLAIN_CSV))
    table["forest"] = table["forest"].map(lambda score: str(score).replace(".", ","))
    text = table.to_csv(sep=";", index=False)
    Path("table.csv").write_text(text)
    predictions = read("table.csv")
    check_numbers(predictions)
    assert "decimal commas in 'forest' (--decimal)" in predictions.remarks[0]


def test_cells_of_excel_may_be_numbers_beside_text(monkeypatch):
    class Book(excel_book(PLAIN_CSV)):
        def parse(self, sheet, **options):
            cells = super().parse(sheet, **options)
            cells[2] = ["tree", 0.7, "0,3", "0,2", 0.4, "0,9", 0.1]
            return cells

    monkeypatch.setattr(pd, "ExcelFile", Book)
    check_numbers(read("table.xlsx"))


def test_marks_hold_for_all_pieces(monkeypatch):
    monkeypatch.setattr("rocviz.report.reading.ROWS_PER_PIECE", 2)
    scores = ["7", "9", "0,5", "1,25", "1,234", "3"]
    pd.DataFrame({"outcome": OUTCOMES, "a": scores}).to_csv("t.csv", sep=";", index=False)
    check_numbers(read("t.csv"), a=[7, 9, 0.5, 1.25, 1.234, 3])
    percent = ["7", "9", "5", "12%", "34%", "3%"]
    pd.DataFrame({"outcome": OUTCOMES, "a": percent}).to_csv("t.csv", index=False)
    with pytest.raises(ValueError, match="with and without %"):
        read("t.csv")


@pytest.mark.parametrize(
    ("column", "role"),
    [
        (pd.Series(range(6)), "numbers of the rows"),
        (pd.Series([5, 9, 1, 8, 3, 4], name="patient_id"), "an id, perhaps for --cluster"),
        (pd.Series([5, 9, 1, 8, 3, 4], name="PatientID"), "an id, perhaps for --cluster"),
        (pd.Series([51, 59, 61, 48, 33, 40], name="age"), "groups, as for --group"),
        (pd.Series([1, 2, 3, 1, 2, 3], name="fold"), "folds, as for --fold"),
        (pd.Series([1, 2, 3, 1, 2, 3], name="weight"), "weights, as for --weight"),
        (pd.Series([0, 1, 1, 1, 0, 0], name="relapse"), "labels of two classes"),
        (pd.Series([True, False] * 3), "true or false"),
        (pd.Series(["2024-05-01", "2024-06-01"] * 3), "words"),
        (pd.Series([date(2024, 5, 1), date(2024, 6, 1)] * 3), "words"),
        (pd.Series(pd.date_range("2024", periods=6)), "a date or a duration"),
        (pd.Series([timedelta(days=2)] * 6), "a date or a duration"),
        (pd.Series([np.nan] * 6), "empty"),
        (1 - pd.Series(FOREST), "1 minus 'forest'"),
    ],
)
def test_columns_that_are_no_scores_are_left_out_and_named(column, role):
    name = column.name or "p_0"
    table = pd.read_csv(io.StringIO(PLAIN_CSV)).rename(columns={"forest": "p_1"})
    table[name] = column.to_numpy()
    table.to_parquet("table.parquet")
    predictions = read("table.parquet")
    check_numbers(predictions, p_1=FOREST, tree=TREE)
    role = role.replace("forest", "p_1")
    assert predictions.remarks == [
        f"Not taken as scores: '{name}' ({role}); --score takes other columns."
    ]
    if role.startswith(("true", "words", "a date")):
        with pytest.raises(ValueError, match="holds text among its numbers"):
            read("table.parquet", "tree", name)


@pytest.mark.parametrize(
    ("names", "labels"),
    [
        (["p_0", "p_1"], [0, 1]),
        (["p0", "p1"], [0, 1]),
        (["X0", "X1"], [0, 1]),
        ([".pred_No", ".pred_Yes"], ["No", "Yes"]),
        (["No", "Yes"], ["No", "Yes"]),
        (["prob well", "prob ill"], ["well", "ill"]),
        (["p_well", "risk"], ["well", "ill"]),
    ],
)
def test_complementary_columns_are_one_model(names, labels):
    table = pd.DataFrame({"outcome": np.array(labels)[OUTCOMES]})
    table[names[0]] = (1 - np.array(FOREST)).round(2)
    table[names[1]] = FOREST
    table.to_csv("table.csv", index=False)
    positive = None if labels == [0, 1] else labels[1]
    predictions = read("table.csv", positive=positive)
    assert predictions.models == [names[1]]
    assert f"'{names[0]}' (1 minus '{names[1]}')" in predictions.remarks[0]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"a": FOREST, "b": [3, 5, 1, 2, 2, 8]}, r"--score a, or --score a b\.$"),
        (
            {"a": FOREST, "b 1": [30, 55, 1, 2, 2, 99.5]},
            r"'b 1' is per cent, add --percent \"b 1\"",
        ),
        (
            {"a": [30, 55, 1, 2, 2, 99.5], "b": [30, 55, 1, 2, 2.5, 99.5]},
            "'a', 'b' are per cent, add --percent a b",
        ),
        ({"a": FOREST, "b": [0.17, 0.88, 0.36, 0.585, 0.03, 0.95]}, "--score a or --score b"),
        ({"hard": [1, 0, 1, 0, 0, 0]}, "'hard': labels of two classes.*--score"),
    ],
)
def test_doubts_say_which_scores_to_write(columns, message):
    pd.DataFrame({"outcome": OUTCOMES, **columns}).to_csv("table.csv", index=False)
    with pytest.raises(ValueError, match=message):
        read("table.csv")
    check_numbers(read("table.csv", *columns), **columns)


def test_percent_without_a_sign():
    table = pd.DataFrame({"outcome": OUTCOMES, "forest": FOREST, "tree": np.multiply(TREE, 100)})
    table.to_csv("table.csv", index=False)
    predictions = read("table.csv", percent=["tree"])
    check_numbers(predictions)
    assert "per cent in 'tree', divided by 100" in predictions.remarks[0]


def test_per_cent_is_divided_once_and_offered():
    table = pd.DataFrame({"outcome": OUTCOMES, "tree": np.multiply(TREE, 100)})
    table.to_csv("table.csv", index=False)
    predictions = read("table.csv")
    check_numbers(predictions, tree=np.multiply(TREE, 100))
    assert "Scores from 0 to 100 in 'tree'" in predictions.remarks[0]
    table["tree"] = table["tree"].astype(str) + "%"
    table.assign(other=0.5).to_csv("table.csv", index=False)
    check_numbers(read("table.csv", "tree", percent=["tree"]), tree=TREE)
    with pytest.raises(ValueError, match="--percent: column 'other' is none of the scores"):
        read("table.csv", "tree", percent=["other"])


@pytest.mark.parametrize("scores", [["forest,tree"], ["forest, tree"], ["forest", "tree"]])
def test_scores_may_be_separated_by_commas(scores):
    Path("table.csv").write_text(PLAIN_CSV)
    check_numbers(read("table.csv", *scores))


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"label": "Outcome"}, "did you mean 'outcome'"),
        ({"label": "outcme"}, "did you mean 'outcome'"),
        ({"scores": ["forest,trees"]}, "no column 'trees'; did you mean 'tree'"),
        ({"weight": "zzz"}, "no column 'zzz'; its columns are"),
    ],
)
def test_names_that_were_meant(columns, message):
    Path("table.csv").write_text(PLAIN_CSV)
    with pytest.raises(ValueError, match=message):
        read("table.csv", **columns)


def test_several_columns_of_one_name():
    text = PLAIN_CSV.replace("forest,tree", "model,model")
    Path("table.csv").write_text(text)
    for scores in ((), ("model",)):
        with pytest.raises(ValueError, match="several columns"):
            read("table.csv", *scores)
    lines = PLAIN_CSV.splitlines()
    joined = [f"id,{lines[0]},id", *(f"{line[0]}7,{line},8{line[0]}" for line in lines[1:])]
    Path("table.csv").write_text("\n".join(joined))
    check_numbers(read("table.csv"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("outcome,a\n1,0,83\n0,0,12\n1,0,5\n", "row 2 has 3 fields, the header 2; .*if numbers"),
        ("outcome;a\n1;0,83\n0;0.12\n1;0,5\n", "mixes decimal commas and points: '0,83'"),
        ("outcome;a\n1;0,83\n0;n/e\n1;0,5\n", "'n/e' in row 3"),
        ("sep=;\noutcome;a\n1;0,83\n0;n/e\n1;0,5\n", "'n/e' in row 4"),
        ("outcome;a\n1;83%\n0;12\n1;5%\n", "with and without %"),
        ("outcome,a\n1,0.8\n0,\\N\n1,.\n", "no value in row 3 and in 1 more"),
    ],
)
def test_damaged_columns_are_never_dropped(text, message):
    Path("table.csv").write_text(text)
    with pytest.raises(ValueError, match=message):
        read("table.csv")


def test_decimal_numbers_of_databases():
    table = pd.DataFrame({"outcome": OUTCOMES, "forest": [Decimal(str(p)) for p in FOREST]})
    table = table.assign(tree=[str(p).replace(".", ",") for p in TREE])
    table.index = [0, 0, 1, 1, 2, 2]
    table.to_parquet("table.parquet")
    check_numbers(read("table.parquet"))


@pytest.mark.parametrize("ending", ["feather", "json", "jsonl", "dta"])
def test_other_kinds_of_files(ending):
    table = pd.read_csv(io.StringIO(PLAIN_CSV))
    name = f"table.{ending}"
    if ending == "feather":
        table.to_feather(name)
    elif ending == "dta":
        table["outcome"] = pd.Categorical.from_codes(OUTCOMES, ["well", "ill"])
        table.to_stata(name)
        assert read(name, positive="ill").arguments["y_true"].tolist()[:2] == ["ill", "well"]
        return
    else:
        table.to_json(name, orient="records", lines=ending == "jsonl")
    check_numbers(read(name))


@pytest.mark.parametrize(
    ("name", "reader", "words"),
    [
        ("t.xlsx", "ExcelFile", "reading Excel files needs openpyxl: pip install openpyxl, or"),
        ("t.xls", "ExcelFile", "pip install xlrd, or save the table as CSV"),
        ("t.sav", "read_spss", "pip install pyreadstat, or save the table as CSV"),
    ],
)
def test_readers_that_are_not_installed(monkeypatch, name, reader, words):
    def missing(*_, **__):
        raise ImportError("Missing optional dependency")

    monkeypatch.setattr(pd, reader, missing)
    Path(name).write_bytes(b"PK\x03\x04")
    with pytest.raises(ValueError, match=words):
        read(name)


def test_excel_says_which_sheet_it_reads(monkeypatch):
    monkeypatch.setattr(pd, "ExcelFile", excel_book(PLAIN_CSV))
    predictions = read("table.xlsx")
    check_numbers(predictions)
    assert "the first of its 2 sheets, 'first'" in predictions.remarks[0]


def test_excel_has_several_columns_of_one_name(monkeypatch):
    text = PLAIN_CSV.replace("forest,tree", "model,model")
    monkeypatch.setattr(pd, "ExcelFile", excel_book(text))
    with pytest.raises(ValueError, match="several columns have the name 'model'"):
        read("table.xlsx")


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("t.rds", b"\x00", "in R, save the table with write.csv"),
        ("t.pkl", b"\x80", "table.to_csv"),
        ("t.csv", b"\x89PNG\x00\x01", "it is no table in text"),
        ("t.zip", b"PK\x03\x04 and nothing", "cannot be read"),
        ("t.csv.gz", b"\x1f\x8b\x08", "cannot be read"),
    ],
)
def test_what_cannot_be_read_says_what_to_do(name, data, message):
    Path(name).write_bytes(data)
    with pytest.raises(ValueError, match=message):
        read(name)


def test_an_archive_of_several_files():
    with zipfile.ZipFile("t.zip", "w") as archive:
        archive.writestr("a.csv", PLAIN_CSV)
        archive.writestr("b.csv", PLAIN_CSV)
    with pytest.raises(ValueError, match="holds 2 files; unpack it"):
        read("t.zip")
    with zipfile.ZipFile("t.zip", "w") as archive:
        archive.writestr("xl/workbook.xml", "")
    with pytest.raises(ValueError, match=r"it is an Excel file; let its name end in \.xlsx"):
        read("t.zip")


def test_a_patient_id_is_no_group():
    table = pd.DataFrame({"outcome": OUTCOMES * 50, "patient": range(300)})
    table["a"] = np.linspace(0, 1, 300)
    table.to_csv("table.csv", index=False)
    with pytest.raises(
        ValueError, match=r"column 'patient' has 300 .*44,850 pairs.*minutes.*--cluster"
    ):
        read("table.csv", group="patient")
    with pytest.raises(ValueError, match=r"groups has 300 .*as clusters; .*at most 20 groups"):
        evaluation_report(table["outcome"], table["a"], groups=table["patient"])


def test_a_class_of_one_sample():
    with pytest.raises(ValueError, match=r"1 positive and 1 negative samples.*at least 2 of each"):
        evaluation_report([0, 1], [0.2, 0.8])


def test_classes_are_found_under_the_names_of_r():
    label = np.array(["cat", "dog", "owl"] * 4)
    table = pd.DataFrame({"outcome": label, "age": range(30, 42)})
    for name in ("cat", "dog", "owl"):
        table[f".pred_{name}"] = np.where(label == name, 0.5, 0.25)
    table["other"] = 7.5
    table.to_csv("table.csv", index=False)
    predictions = read("table.csv")
    assert list(predictions.arguments["y_score"]) == ["cat", "dog", "owl"]
    assert "'other' (named after no class)" in predictions.remarks[0]


def test_the_page_and_the_terminal_say_what_was_read(capsys, undrawn):
    rows = R_CSV2.splitlines()
    Path("table.csv").write_text("\n".join([rows[0], *rows[1:] * 4]))
    status = cli.main(["report", "table.csv", "--label", "outcome", "-o", "page.md"])
    err = capsys.readouterr().err
    assert status == 0
    words = "The file was read with semicolons between columns (--sep); decimal commas in"
    assert words in err
    assert "Not taken as scores: 'Unnamed: 0' (no name)" in err
    page = Path("page.md").read_text("utf-8")
    assert "table.csv · read with semicolons between columns" in page.replace("\\", "").replace(
        "`", ""
    )


# ---------------------------------------------------------------------- sheets, titles, no names


def test_a_sheet_is_named_or_numbered(monkeypatch):
    tables = {"notes": "a,b\n1,2\n", "my data": PLAIN_CSV}

    class Book(excel_book(PLAIN_CSV)):
        sheet_names = list(tables)

        def parse(self, sheet, **options):
            return excel_book(tables[self.sheet_names[sheet]])(None).parse(sheet, **options)

    monkeypatch.setattr(pd, "ExcelFile", Book)
    for sheet in ("my data", "2"):
        check_numbers(read("table.xlsx", options=TextOptions(sheet=sheet)))
    with pytest.raises(ValueError, match="no sheet 'data'; its sheets are 'notes', 'my data'"):
        read("table.xlsx", options=TextOptions(sheet="data"))
    with pytest.raises(ValueError, match=r"no column 'outcome'.*its columns are 'a', 'b'"):
        read("table.xlsx")


def test_a_text_has_no_sheets():
    Path("t.csv").write_text(PLAIN_CSV)
    with pytest.raises(ValueError, match=r"t\.csv has no sheets; leave out --sheet"):
        read("t.csv", options=TextOptions(sheet="2"))


def test_a_sheet_may_have_a_title_and_empty_cells_around(monkeypatch):
    class Book(excel_book(PLAIN_CSV)):
        def parse(self, sheet, **options):
            cells = super().parse(sheet, **options)
            cells.insert(0, "margin", None)
            title = pd.DataFrame([[None, "Predictions of May", None, None], [None] * 4])
            title.columns = cells.columns
            end = pd.DataFrame([[None] * 4], columns=cells.columns)
            return pd.concat([title, cells, end], ignore_index=True)

    monkeypatch.setattr(pd, "ExcelFile", Book)
    predictions = read("table.xlsx")
    check_numbers(predictions)
    assert "2 lines above the names of the columns left out" in predictions.remarks[0]


@pytest.mark.parametrize("table", [PLAIN_CSV, SEMICOLONS, with_tabs(PLAIN_CSV)])
@pytest.mark.parametrize("title", ["Predictions of May 2026\n", "SELECT *;\n\nFROM t;\n"])
def test_lines_of_a_title_are_left_out_and_named(table, title):
    Path("t.csv").write_text(title + table)
    predictions = read("t.csv")
    check_numbers(predictions)
    assert "above the names of the columns left out" in predictions.remarks[0]
    damaged = table.replace("0.97", "high").replace("0,97", "high")
    Path("t.csv").write_text(title + damaged)
    row = (title + damaged).splitlines()
    number = next(i for i, line in enumerate(row, 1) if "high" in line)
    with pytest.raises(ValueError, match=f"'high' in row {number}"):
        read("t.csv")


@pytest.mark.parametrize("table", [PLAIN_CSV, SEMICOLONS, with_tabs(PLAIN_CSV)])
@pytest.mark.parametrize("header", [None, False])
def test_a_file_without_names_of_columns(table, header):
    Path("t.csv").write_text(table.partition("\n")[2])
    options = TextOptions(header=header)
    predictions = read("t.csv", options=options, label="1")
    check_numbers(predictions, **{"column 2": FOREST, "column 3": TREE})
    assert "'column 1' to 'column 3'" in predictions.remarks[0]
    assert ("--header" in predictions.remarks[0]) == (header is None)
    only = read("t.csv", "2,3", options=options, label="column 1", described=["2"])
    check_numbers(only, **{"column 2": FOREST, "column 3": TREE})
    assert list(only.arguments["describe"]) == ["column 2"]
    with pytest.raises(ValueError, match=r"no column 'outcome'.*'column 1'"):
        read("t.csv", options=options)
    with pytest.raises(ValueError, match="has no column 'column 1'"):
        read("t.csv", options=TextOptions(header=True), label="column 1")


def test_a_sheet_without_names_of_columns(monkeypatch):
    class Book(excel_book(PLAIN_CSV)):
        def parse(self, sheet, **options):
            return super().parse(sheet, **options).iloc[1:].reset_index(drop=True)

    monkeypatch.setattr(pd, "ExcelFile", Book)
    check_numbers(read("t.xlsx", label="1"), **{"column 2": FOREST, "column 3": TREE})


def test_names_that_are_numbers_are_names():
    Path("t.csv").write_text("y,0,1\n0,0.8,0.2\n1,0.3,0.7\n1,0.4,0.6\n0,0.9,0.1\n")
    assert read("t.csv", label="y").models == ["1"]
    Path("t.csv").write_text("2019,2020\n0,0.2\n1,0.7\n1,0.6\n0,0.1\n")
    assert read("t.csv", "2020", label="2019").models == ["2020"]


def test_the_command_takes_numbers_of_columns(capsys, undrawn):
    Path("t.csv").write_text(PLAIN_CSV.partition("\n")[2] * 5)
    words = ["report", "t.csv", "--label", "1", "--primary", "3", "--no-header", "-o", "r.md"]
    assert cli.main(words) == 0
    assert "Scores: column 2, column 3" in capsys.readouterr().err
    assert "column 3 was named as the primary model" in Path("r.md").read_text("utf-8")


# ---------------------------------------------------------------------- zstd


def zstd_packed(text):
    pyarrow = pytest.importorskip("pyarrow")
    sink = pyarrow.BufferOutputStream()
    with pyarrow.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(text.encode())
    return sink.getvalue().to_pybytes()


def test_zstd_compression(monkeypatch):
    Path("t.csv.zst").write_bytes(zstd_packed(PLAIN_CSV))
    predictions = read("t.csv.zst")
    check_numbers(predictions)
    assert "zstd compression" in predictions.remarks[0]
    for package in ("zstandard", "pyarrow"):
        monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ValueError, match="reading zstd files needs zstandard: pip install zstand"):
        read("t.csv.zst")


def test_zstd_by_its_own_package(monkeypatch):
    packed = zstd_packed(PLAIN_CSV)

    class ZstdDecompressor:
        def stream_reader(self, file, *, read_across_frames):
            assert read_across_frames
            assert file.read() == packed
            return io.BytesIO(PLAIN_CSV.encode())

    module = type(sys)("zstandard")
    module.ZstdDecompressor = ZstdDecompressor
    monkeypatch.setitem(sys.modules, "zstandard", module)
    Path("t.csv").write_bytes(packed)
    check_numbers(read("t.csv"))


def test_damaged_zstd_is_one_line():
    Path("t.csv.zst").write_bytes(zstd_packed(PLAIN_CSV)[:20])
    with pytest.raises(ValueError, match=r"t\.csv\.zst (cannot be read|is empty)"):
        read("t.csv.zst")


# ---------------------------------------------------------------------- files of other programs


def predictions_of_classes(pattern):
    """Write probabilities of three classes as a program names their columns."""
    names = ["setosa", "versicolor", "virginica"]
    prob = np.random.default_rng(0).dirichlet([1, 1, 1], 12)
    table = pd.DataFrame(prob, columns=[pattern.format(name) for name in names])
    table["class"] = np.array(names)[np.arange(12) % 3]
    return table


@pytest.mark.parametrize(
    "pattern",
    ["probability({})", "P (class={})", "confidence({})", ".pred_{}", "P_{}", "prob.{}", "{}"],
)
def test_names_of_columns_of_classes(pattern):
    table = predictions_of_classes(pattern)
    table.to_csv("t.csv", index=False)
    scores = read("t.csv", label="class").arguments["y_score"]
    assert list(scores) == ["setosa", "versicolor", "virginica"]
    np.testing.assert_allclose(scores["setosa"], table.iloc[:, 0])


def test_a_probability_of_the_predicted_class_is_no_score():
    actual = np.array(["no", "yes"])[np.arange(20) % 2]
    predicted = np.roll(actual, 3)
    table = pd.DataFrame({"actual": actual, "predicted": predicted})
    table["prediction"] = np.linspace(0.5, 1, 20)
    table.to_csv("t.csv", index=False)
    with pytest.raises(ValueError, match="may be the probability of the predicted class"):
        read("t.csv", label="actual", positive="yes")
    assert read("t.csv", "prediction", label="actual", positive="yes").models == ["prediction"]
    table.loc[0, "prediction"] = 0.2
    table.to_csv("t.csv", index=False)
    assert read("t.csv", label="actual", positive="yes").models == ["prediction"]
    table[["actual", "prediction"]].query("prediction >= .5").to_csv("t.csv", index=False)
    assert read("t.csv", label="actual", positive="yes").models == ["prediction"]


def test_several_measurements_are_not_guessed_to_be_models():
    Path("t.csv").write_text("low,lwt,bwt\n1,130,2523\n0,155,2551\n1,105,2557\n0,108,2594\n")
    with pytest.raises(ValueError, match=r"may be measurements; say which .* --score lwt"):
        read("t.csv", label="low")
    assert read("t.csv", "lwt", "bwt", label="low").models == ["lwt", "bwt"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (" y |  p\n---+-----\n 1 | 0.5\n(1 row)\n", "drawn with lines, as psql and Markdown do"),
        ("| y | p |\n|:--|---|\n| 1 | 0.5 |\n", "drawn with lines, as psql and Markdown do"),
        ("<!DOCTYPE html><table></table>", "it is HTML; save the table as CSV"),
        ('<?xml version="1.0"?>\n<data></data>', "it is XML; save the table as CSV"),
        ("@relation x\n@attribute y {0,1}\n@data\n1\n", "it is an ARFF file"),
        ("y\n0\n1\n", "holds no columns besides 'y'; scores must be beside the labels"),
        ('y,p\n0,"[0.4,0.6]"\n1,"[0.1,0.9]"\n', "'p': lists of numbers, which must be columns"),
        ("569,30,ill,well\n1,2,3,4,5,6\n", "leave out lines above the names of the columns"),
    ],
)
def test_files_that_are_no_tables_of_scores(text, message):
    Path("t.txt").write_text(text)
    with pytest.raises(ValueError, match=message):
        read("t.txt", label="y")


def test_names_after_a_mark_of_comments():
    np.savetxt("t.csv", [[1, 0.8], [0, 0.3], [1, 0.4]], delimiter=",", header="y,p")
    predictions = read("t.csv", label="y")
    np.testing.assert_array_equal(predictions.arguments["y_score"]["p"], [0.8, 0.3, 0.4])


def test_a_label_of_very_many_values_is_none():
    pd.DataFrame({"y": np.arange(70) * 3, "p": np.linspace(0, 1, 70)}).to_csv("t.csv", index=False)
    with pytest.raises(ValueError, match=r"holds 70 different values.*at most 50 classes"):
        read("t.csv", "p", label="y")


def test_any_error_of_a_reader_is_one_line(monkeypatch):
    class ReadstatError(Exception):
        pass

    def read_spss(path):
        raise ReadstatError("Invalid file, or file has unsupported features.")

    monkeypatch.setattr(pd, "read_spss", read_spss)
    Path("t.sav").write_bytes(b"SR")
    with pytest.raises(ValueError, match=r"no SPSS file .*unsupported features\); save the table"):
        read("t.sav")


def test_identifiers_that_repeat_are_named():
    table = pd.DataFrame({"outcome": np.arange(120) % 2, "p": np.linspace(0, 1, 120)})
    table["patient_id"] = [f"P{k // 3:03}" for k in range(120)]
    table.to_csv("t.csv", index=False)
    for scores in ((), ("p",)):
        (remark,) = [text for text in read("t.csv", *scores).remarks if "repeat" in text]
        assert "--cluster patient_id makes intervals right" in remark
    table["No"] = (1 - table["p"]).round(2)  # a probability is no number of a patient
    table.drop(columns="patient_id").to_csv("t.csv", index=False)
    assert not any("repeat" in text for text in read("t.csv", "p").remarks)
    table = table.drop(columns="No")
    table.to_csv("t.csv", index=False)
    for options in ({"cluster": "patient_id"}, {"group": None, "fold": None}):
        if "cluster" not in options:
            table["patient_id"] = np.arange(120) * 7
            table["id"] = np.arange(120) % 5  # folds of some programs
            table.to_csv("t.csv", index=False)
        assert not any("repeat" in text for text in read("t.csv", **options).remarks)
