"""The course hangs together: both forms of a notebook, its saved outputs, its links, its exercises.

That the outputs are what the cells print today is nbval's business, see the Makefile.
"""

import ast
import re
import subprocess
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path

import jupytext
import nbformat
import numpy as np
import pytest

import rocviz
from rocviz import exercises, stories
from rocviz.exercises._base import Choice

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

import course_minutes

ROOT = Path(__file__).resolve().parents[2]
COURSE = ROOT / "notebooks"
START_CHAPTER = "00_start_here.ipynb"
RANKING = "01_classification_and_ranking.ipynb"
CALIBRATION = "02_probabilities_and_calibration.ipynb"
FERMI_DIRAC = "03_fermi_dirac.ipynb"
FIDEL = "04_fidel.ipynb"
RANKING_LOSS = "09_probabilities_from_rankings.ipynb"
NAMES = sorted(path.name for path in COURSE.glob("*.ipynb"))
CHAPTERS = {int(name[:2]): name for name in NAMES[1:]}
#: Beginnings of alternative texts of explorers.
OPENINGS = (
    "At threshold ",
    "Below ",
    "On these ",
    "At temperature ",
    "The crowd of ",
    "Before any question ",
    "After ",
    "Stop here, ",
    "First ",
    "With the top ",
    "Predicting the top ",
    "On these 1,000 samples (a = 1/8) ",
    "On these 60 samples (a = 0.35) ",
    "Nothing is promised: ",
    "Equal opportunity: ",
    "Equalized odds: ",
)
#: Words of a text that asks for a prediction.
QUESTION_MARK = "**Predict"
#: Beginning of the text about a hidden answer; it is folded like the answer.
SEEN_FOLD = "<details><summary>What you can see</summary>\n\n"
SOLUTION_FOLD = "<details><summary>If you give up: "
FOLD = re.compile(r"<details>.*?</details>", re.DOTALL)
#: Numbers with two or more decimals, which are results rather than settings.
NUMBER = re.compile(r"\d*\.\d\d+")
CHECK = re.compile(r'^check\("(\w+)", (.+)\)$', re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")


@pytest.fixture(params=NAMES)
def name(request):
    return request.param


@pytest.fixture
def notebook(name):
    return read(name)


@cache
def read(name):
    return nbformat.read(COURSE / name, as_version=4)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def prose(notebook):
    return "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def texts(notebook):
    """Collect all text outputs of the cells."""
    shown = []
    for cell in code_cells(notebook):
        for output in cell.outputs:
            data = output.get("data", {})
            shown += [output.get("text", ""), data.get("text/plain", ""), data.get("text/html", "")]
    return "\n".join(shown)


def test_each_notebook_has_both_forms():
    assert list(CHAPTERS) == list(exercises._registry.CHAPTERS)
    assert [Path(name).stem for name in NAMES] == sorted(p.stem for p in COURSE.glob("*.py"))


def test_both_forms_hold_the_same_cells(name, notebook):
    source = jupytext.read((COURSE / name).with_suffix(".py"))
    assert [(c.cell_type, c.source) for c in notebook.cells] == [
        (c.cell_type, c.source) for c in source.cells
    ]
    formats = source.metadata["jupytext"]["formats"]
    assert formats == notebook.metadata["jupytext"]["formats"] == "ipynb,py:percent"


def test_notebooks_were_run_once_from_top_to_bottom(notebook):
    counts = [cell.execution_count for cell in code_cells(notebook)]
    assert counts == list(range(1, len(counts) + 1))
    assert notebook.metadata["kernelspec"]["name"] == "python3"


def test_every_cell_has_saved_its_output(notebook):
    for cell in code_cells(notebook):
        last = ast.parse(cell.source).body[-1]
        shown = isinstance(last, ast.Expr) and not cell.source.endswith(";")
        shown &= not ast.unparse(last).startswith("warnings.")  # returns nothing
        if shown or "print(" in cell.source:
            assert cell.outputs, cell.source


def test_no_cell_has_an_error(notebook):
    for cell in code_cells(notebook):
        for output in cell.outputs:
            assert output.output_type != "error", cell.source
            assert output.get("name") != "stderr", cell.source


def test_every_explorer_has_a_picture_with_an_alternative_text(notebook):
    explorers = [
        cell
        for cell in code_cells(notebook)
        if any("Explorer" in o.get("data", {}).get("text/plain", "") for o in cell.outputs)
    ]
    assert explorers
    for cell in explorers:
        live, still = cell.outputs
        assert "application/vnd.jupyter.widget-view+json" in live.data
        text = still.metadata["image/png"]["alt"]
        assert text.startswith(OPENINGS) or re.match(
            r"\d+ % of [\d,]+ samples are classified", text
        )
        assert re.search(r"\d", text)
        assert len(still.data["image/png"]) > 10_000


def test_notebooks_save_nothing_of_the_machine(name, notebook):
    assert "widgets" not in notebook.metadata
    assert "version" not in notebook.metadata["language_info"]
    everything = texts(notebook) + "".join(cell.source for cell in notebook.cells)
    assert not re.search(r"(?<![\w.])/(home|root|tmp|Users|usr|work)/|\b[A-Z]:\\", everything)
    assert (COURSE / name).stat().st_size < 1_000_000


def test_notebooks_use_no_network(notebook):
    for cell in code_cells(notebook):
        assert not re.search(r"https?:|urllib|requests|fetch_", cell.source)
    assert not re.search(r"!\[[^]]*\]\(http|src=.http", prose(notebook))


def answers(notebook):
    """Yield the cells with outputs between a question or an exercise and the next text.

    An exercise may be answered by the cell after the next text, unless that asks something new.
    """
    has_question = shown = False
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            has_question = (has_question and not shown) or QUESTION_MARK in cell.source
            shown = False
        elif cell.source.startswith("answer = ..."):
            has_question = True
            shown = False
        elif has_question and cell.outputs and not cell.source.startswith("check("):
            shown = True
            yield cell


def test_an_answer_is_hidden_until_its_cell_is_run(notebook):
    for cell in answers(notebook):
        assert cell.metadata.get("jupyter", {}).get("outputs_hidden"), cell.source
        output = cell.outputs[0]
        data = output.get("data", {})
        # JupyterLab leaves this to be read; see tools/run_notebooks.py
        first = (data.get("text/html") or data.get("text/plain") or output.text).split("\n")[0]
        assert first == "Predict first, then run this cell.", cell.source


def shown_by(cell):
    return "\n".join(
        f"{output.get('text', '')}{output.get('data', {}).get('text/plain', '')}"
        for output in cell.outputs
    )


def test_explanations_of_hidden_answers_are_folded(notebook):
    hidden = {cell.source for cell in answers(notebook)}
    numbers_in_text = set()
    printed = set()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            numbers_in_text |= set(NUMBER.findall(cell.source))
            if cell.source in hidden:
                printed |= set(NUMBER.findall(shown_by(cell)))
        else:
            open_ = set(NUMBER.findall(FOLD.sub("", cell.source)))
            if printed:
                assert cell.source.startswith((SEEN_FOLD, SOLUTION_FOLD, "#")), cell.source[:80]
                assert cell.source.count("<details>") == cell.source.count("</details>")
                assert not open_ & printed - numbers_in_text, (
                    cell.source[:80],
                    open_ & printed - numbers_in_text,
                )
            numbers_in_text |= open_
            printed = set()


def test_each_chapter_states_a_duration_of_at_most_an_hour(name, notebook):
    minutes, wait = course_minutes.minutes(Path(name).stem, notebook)
    assert minutes <= 60
    first = " ".join(notebook.cells[2 if name == START_CHAPTER else 0].source.split())
    assert f"Allow about **{minutes} minutes**" in first
    assert (f"and another {wait} for section" in first) == (wait > 0)
    rows = [
        row
        for row in prose(read(START_CHAPTER)).splitlines()
        if "| [" in row and f"({name})" in row
    ]
    assert all(row.endswith(f"| {minutes} |") for row in rows)
    assert len(rows) == (name != START_CHAPTER)


def test_optional_sections_are_needed_by_no_other(notebook):
    def names(part, kind):
        trees = [ast.parse(c["source"]) for c in part if c["cell_type"] == "code"]
        nodes = []
        for tree in trees:
            nodes.extend(ast.walk(tree))
        used = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, kind)}
        definitions = {n.name for n in nodes if isinstance(n, ast.FunctionDef | ast.ClassDef)}
        return used | definitions if kind is ast.Store else used

    parts = course_minutes.sections(course_minutes.read_part(notebook))
    for i, part in enumerate(parts):
        if course_minutes.may_wait(part):
            elsewhere = set().union(*(names(p, ast.Store) for p in parts if p is not part))
            later = [p for p in parts[i + 1 :] if not course_minutes.may_wait(p)]
            needed = set().union(*(names(p, ast.Load) for p in later))
            assert not (names(part, ast.Store) - elsewhere) & needed, part[0]["source"][:60]


def test_long_cells_show_a_bar_and_state_their_duration(name, notebook):
    measured = course_minutes.seconds()[Path(name).stem].keys() - {course_minutes.OTHER_CELLS}
    for before, cell in pairwise(notebook.cells):
        first = cell.source.partition("\n")[0]
        if cell.cell_type == "code" and first in measured:
            measured -= {first}
            assert re.search(r"\b(bar|tqdm|compare|verbose|progress)\b", cell.source), first
            assert "seconds" in before.source, first
    assert not measured, "measure the chapter again, with tools/course_minutes.py"


def test_links_have_targets_in_a_copy_of_the_course(notebook):
    for target in LINK.findall(prose(notebook)):
        repository = "https://github.com/rocviz/rocviz/blob/main/"
        site = "https://rocviz.github.io/rocviz/"
        if target.startswith(repository):
            assert (ROOT / target.removeprefix(repository)).is_file(), target
        elif target.startswith(site):
            page = target.removeprefix(site).removesuffix(".html")
            story = page.removeprefix("live/story-")
            is_written = (ROOT / "docs" / f"{page}.md").is_file()
            assert is_written or story in stories.NAMES or page == "live/lecture", target
        else:
            assert (COURSE / target).is_file(), target
            assert "/" not in target, target


def test_the_start_page_leads_to_every_chapter_and_shows_a_picture_at_once():
    start = read(START_CHAPTER)
    assert set(NAMES) - {START_CHAPTER} <= set(LINK.findall(prose(start)))
    above, picture = start.cells[:2]
    assert len(above.source.splitlines()) <= 4
    assert picture.cell_type == "code"
    assert len(picture.source.splitlines()) <= 6
    assert any("image/png" in output.get("data", {}) for output in picture.outputs)


@pytest.mark.parametrize("name", NAMES)
def test_the_first_explorer_opens_on_two_pictures_at_most_and_one_control(name):
    calls = (
        node
        for cell in code_cells(read(name))
        for node in ast.walk(ast.parse(re.sub("^[%!]", "#", cell.source, flags=re.MULTILINE)))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "").endswith("Explorer")
    )
    first = next(calls)
    arguments = {keyword.arg: keyword.value for keyword in first.keywords}
    panels = ast.literal_eval(arguments["panels"])
    unfolded = ast.literal_eval(arguments["unfolded"])
    explorer = getattr(rocviz, first.func.id)
    kind = next(parent for parent in explorer.__mro__ if parent.__name__.endswith("State"))
    refers = {name: True for name in arguments if name == "refer"}
    state = kind(panels=panels, unfolded=unfolded, **refers)
    assert len(state.panels) <= 2
    controls = state.controls()
    assert sum(controls[control].is_shown(state) for control in state.unfolded) == 1


def test_each_chapter_leads_back_to_the_start():
    for name in NAMES[1:]:
        assert START_CHAPTER in LINK.findall(prose(read(name)))


@pytest.mark.parametrize("number", CHAPTERS)
def test_every_section_asks_for_a_prediction_first(number):
    sections = re.split(r"^## (?=\d)", prose(read(CHAPTERS[number])), flags=re.MULTILINE)[1:]
    assert sections
    assert [section[:40] for section in sections if QUESTION_MARK not in section] == []


@pytest.mark.parametrize("number", CHAPTERS)
def test_only_the_example_exercise_is_solved(number):
    cells = code_cells(read(CHAPTERS[number]))
    open_ = []
    solved = []
    for cell in cells:
        for exercise, answer in CHECK.findall(cell.source):
            (open_ if answer == "answer" else solved).append(exercise)
            if answer == "answer":
                assert cell.source.startswith("answer = ...\n")
                (output,) = cell.outputs
                assert "Put your answer where the dots are" in output.data["text/plain"]
    assert len(open_) == len(set(open_)) >= 3
    assert set(solved) == ({"operating_point"} if number == 1 else set())
    assert {*open_, *solved} == set(exercises.names(number))


def numbers_of(text):
    """Find the numbers in a text that have three decimals or more, as (number, decimals)."""
    return [(float(number), len(number.partition(".")[2])) for number in DECIMALS.findall(text)]


DECIMALS = re.compile(r"\d*\.\d{3,}")


def test_no_answer_is_printed_above_its_exercise(notebook):
    above = []
    for cell in notebook.cells:
        if cell.source.startswith("answer = ..."):
            ((name, _),) = CHECK.findall(cell.source)
            exercise = exercises._registry._find(name)
            for value in () if isinstance(exercise, Choice) else np.ravel(exercise.solution[0]):
                for number, decimals in above:
                    assert abs(number - value) > 0.51 * 10**-decimals, (name, number)
        above += numbers_of(FOLD.sub("", cell.source) if cell.cell_type == "markdown" else "")
        for output in cell.get("outputs", ()):
            pictures = output.get("metadata", {}).get("image/png", {}).get("alt", "")
            above += numbers_of(shown_by(cell) + pictures)


GIVE_UP = re.compile(r"<summary>If you give up: .*?```python\n(.*?)```", re.DOTALL)


@pytest.mark.parametrize("number", CHAPTERS)
def test_solutions_compute_the_answers(number):
    checked = None
    solved = []
    for cell in read(CHAPTERS[number]).cells:
        if cell.cell_type == "code":
            checked = [name for name, answer in CHECK.findall(cell.source) if answer == "answer"]
        else:
            for code in GIVE_UP.findall(cell.source):
                (name,) = checked
                results = {}
                exec(code, results)
                assert exercises.check(name, results["answer"]).correct, name
                solved.append(name)
    assert solved == [
        exercise for exercise in exercises.names(number) if exercise != "operating_point"
    ]


def test_the_checker_does_not_reveal_answers():
    assert texts(read(RANKING)).count("Right.") == 2  # once as text and once as HTML
    for later in list(CHAPTERS.values())[1:]:
        assert "Right." not in texts(read(later))


def rows_of(chapter, start, n_columns):
    """List the rows of numbers that a cell printed, by their first word."""
    (cell,) = [c for c in code_cells(read(chapter)) if start in c.source]
    lines = "".join(o.get("text", "") for o in cell.outputs).replace(",", " ").splitlines()
    numbers = [re.findall(r"\d+\.?\d*", line) for line in lines]
    return [[float(x) for x in row] for row in numbers if len(row) == n_columns]


def test_coverage_as_printed_agrees_with_the_table_below_it():
    quoted = re.findall(
        r"^\| (\d+), ([\d.]+), ([\d.]+) \| (\S+) \| (\S+) \| (\S+) \| (\S+) \|$",
        prose(read(FERMI_DIRAC)),
        flags=re.MULTILINE,
    )
    assert len(quoted) == 4
    printed = rows_of(FERMI_DIRAC, "simulate_coverage(n, share", 7)
    for row, table in zip(printed, quoted, strict=True):
        table = [float(x) for x in table]
        assert row[:3] == table[:3]
        for live, earlier in zip(row[3:], table[3:], strict=True):
            error = (earlier * (1 - earlier) * (1 / 400 + 1 / 1500)) ** 0.5
            assert abs(live - earlier) < 3.5 * error


def test_ensembles_as_printed_agree_with_the_table_below_them():
    quoted = {}
    for c, *cells in re.findall(
        r"^\| ([\d.]+) \| (\S+ / \S+ / \S+) \| (\S+ / \S+ / \S+) \| (\S+ / \S+ / \S+) \|$",
        prose(read(FIDEL)),
        flags=re.MULTILINE,
    ):
        for m, cell in zip((3, 5, 7), cells, strict=True):
            quoted[float(c), m] = [float(x) for x in cell.split(" / ")]
    assert len(quoted) == 12
    printed = rows_of(FIDEL, "compare(n_classifiers=[3, 5, 7], correlation=[0.0, 0.2", 7)
    assert {(c, m) for c, m, *_ in printed} == set(quoted)
    for c, m, best, _, woc, fidel, _ in printed:
        for live, earlier in zip((best, woc, fidel), quoted[c, m], strict=True):
            assert abs(live - earlier) < 0.013


def errors_of(start):
    """Read the errors that a cell of the last chapter printed, by method, line by line."""
    (cell,) = [c for c in code_cells(read(RANKING_LOSS)) if c.source.startswith(start)]
    shown = "".join(o.get("text", "") for o in cell.outputs)
    pattern = r"([a-z+ ]+?) +(?:AUC [\d.]+, squared error +([\d.]+) thous|([\d.]+) ± [\d.]+(?:;|$))"
    lines = [re.findall(pattern, line) for line in shown.splitlines()]
    return [{method.strip(): float(x or z) for method, x, z in line} for line in lines if line]


def test_ranking_first_wins_and_loses_where_the_chapter_says():
    plain = "logistic"
    repaired = "logistic + isotonic"
    ranked = "rank + isotonic"
    *weak, nothing = errors_of("def thousandths")
    assert len(weak) == 4
    for row in weak:
        assert row[repaired] < row[ranked] < row[plain] / 2
        assert row[plain] - row[repaired] > 3 * (row[ranked] - row[repaired])
    assert nothing[plain] < nothing[repaired] == nothing[ranked]
    strong = errors_of("for loss in")
    assert len(strong) == 4
    for row in strong:
        assert row[ranked] < row[repaired] < row[plain] / 10


def test_claims_about_unlabelled_positives_hold():
    shown = errors_of('for correction in ("none"')
    rows = [*shown, *errors_of("fitting = ")]
    none = {}
    divided = {}
    fitting = {}
    for values, four_rows in ((none, rows[:4]), (divided, rows[4:8]), (fitting, rows[8:12])):
        for row in four_rows:
            values.update(row)
    assert len(none) == len(divided) == len(fitting) == 4
    for method, error in divided.items():
        assert 0.4 < error / none[method] < 0.6
        assert fitting[method] > error
    true, low, high = re.search(
        r"c is (\S+); estimates (\S+) to (\S+)", texts(read(RANKING_LOSS))
    ).groups()
    assert float(low) < float(high) < float(true)


def test_run_notebooks_saves_the_outputs_of_cells(tmp_path):
    cells = ["1 + 1", "from pathlib import Path\nprint(len(list(Path().iterdir())))"]
    path = tmp_path / "one.ipynb"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    notebook.metadata["widgets"] = {"state": {}}
    nbformat.write(notebook, path)
    script = ROOT / "tools" / "run_notebooks.py"
    subprocess.run([sys.executable, script, path], check=True, capture_output=True)
    run = nbformat.read(path, as_version=4)
    assert run.cells[0].outputs[0].data["text/plain"] == "2"
    assert run.cells[1].outputs[0].text == "0\n"
    assert "widgets" not in run.metadata
    assert "version" not in run.metadata["language_info"]
