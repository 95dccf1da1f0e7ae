"""The page of coverage: its simulation runs, and the page says what was measured."""

import importlib
import sys

import numpy as np
import pytest

MODULES = ("coverage_data", "coverage_parts", "reviewers_coverage")


@pytest.fixture(scope="module")
def program(root):
    """Import the program with its modules, which are no part of the package."""
    sys.path.insert(0, str(root / "benchmarks"))
    yield importlib.import_module("reviewers_coverage")
    sys.path.remove(str(root / "benchmarks"))
    for name in MODULES:
        sys.modules.pop(name, None)


def setting(row):
    return row.interval, row.score, row.prevalence, row.n


def test_the_page_is_what_the_numbers_say(program):
    rows = program.read()
    assert program.page_text(rows) == program.PAGE.read_text(encoding="utf-8")
    assert program.numbers_text(rows) == program.NUMBERS.read_text(encoding="utf-8")
    # a line of the page has one number for each setting
    assert len(set(map(setting, rows))) == len(rows)


def test_every_setting_of_every_part_is_measured(program):
    measured = {(row.part, row.score, row.prevalence, row.n) for row in program.read()}
    listed = set()
    for name, part in program.PARTS.items():
        listed |= {(name, cell.score, cell.prevalence, cell.n) for cell in part.cells}
    assert measured == listed


def test_nothing_is_below_its_promise(program):
    rows = program.read()
    assert [row for row in rows if row.is_below] == []
    promised = [row for row in rows if row.promise]
    assert len(promised) > 0.8 * len(rows)


@pytest.mark.parametrize("name", ["proportions", "rates", "scoring_list"])
def test_a_part_runs_with_few_data_sets(program, name):
    part = program.PARTS[name]
    cell = part.cells[0]
    rows = program.simulate(name, part, cell, 5)
    known = {row.interval for row in program.read() if row.part == name}
    assert {row.interval for row in rows} <= known
    for row in rows:
        assert (row.score, row.prevalence, row.n) == (cell.score, cell.prevalence, cell.n)
        assert row.sets == 5
        assert 0 <= row.coverage <= 1
    assert rows == program.simulate(name, part, cell, 5)


def test_intervals_that_are_missing_are_counted_apart(program):
    outcomes = iter([True, False, None, False] * 10)
    cell = program.Cell("good", 0.5, 50)
    part = program.Part(lambda _: lambda _: {"an interval": next(outcomes)}, cells=(cell,))
    (row,) = program.simulate("some", part, cell, 40)
    assert (row.sets, row.none, row.coverage) == (30, 0.25, 0.3333)
    assert (row.drawn, row.is_below) == (40, True)
    assert "no interval in 25 %" in program.page_text([row])
    none = program.Part(lambda _: lambda _: {"an interval": None}, cells=(cell,))
    (row,) = program.simulate("some", none, cell, 4)
    assert row.sets == 0
    assert np.isnan(row.coverage)
    assert not row.is_below


def test_a_page_with_a_share_below_its_promise_says_so(program):
    row = program.Row("some", "an interval", "0.95", "good", 0.5, 50, 400, 0.0, 0.91, 0.014)
    assert "| **.910** |" in program.page_text([row])
    assert "| .925 |" in program.page_text([row._replace(coverage=0.925)])
    assert "| .910 |" in program.page_text([row._replace(promise="0.9")])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["auc", "precision", "proportions", "rates", "scoring_list"])
def test_the_numbers_are_those_of_the_program(program, name):
    part = program.PARTS[name]
    cell = program.Cell("good", 0.5, 50)
    new = program.simulate(name, part, cell, part.sets_of(cell))
    of_cell = (cell.score, cell.prevalence, cell.n)
    old = [row for row in program.read() if row.part == name]
    old = [row for row in old if (row.score, row.prevalence, row.n) == of_cell]
    assert sorted(new) == sorted(old)


@pytest.mark.slow
def test_every_part_runs(program):
    for name, part in program.PARTS.items():
        known = {row.interval for row in program.read() if row.part == name}
        found = {row.interval for row in program.simulate(name, part, part.cells[0], 2)}
        assert found <= known, name
