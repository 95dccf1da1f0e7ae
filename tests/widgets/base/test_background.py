"""Background work: complete results or none, immediate stops, reported errors."""

from __future__ import annotations

import asyncio
import sys
import threading

import numpy as np
import pytest

from rocviz import (
    FermiDiracExplorer,
)
from rocviz.widgets.base import background
from rocviz.widgets.base.background import Background, opening, step, stepping


@pytest.fixture
def outcomes():
    return []


def make(job, outcomes):
    return Background(
        "work",
        job,
        lambda r: outcomes.append(("done", r)),
        lambda e: outcomes.append(("failed", e)),
        lambda: None,
    )


def test_a_result_arrives_whole(outcomes):
    work = make(lambda progress, stop: sum(progress(range(5))), outcomes)
    work.start()
    work.wait(60)
    assert outcomes == [("done", 10)]
    assert not work.is_running
    assert work.share == 1.0


def test_an_error_is_reported(outcomes):
    def job(progress, stop):
        raise ValueError("too few")

    work = make(job, outcomes)
    work.start()
    work.wait(60)
    assert outcomes == [("failed", "too few")]


def test_a_stop_drops_the_running_job(outcomes):
    go = threading.Event()
    ended = threading.Event()

    def job(progress, stop):
        go.wait(60)
        assert stop()
        ended.set()
        return 1

    work = make(job, outcomes)
    work.start()
    assert work.is_running
    work.stop()
    assert not work.is_running
    go.set()
    assert ended.wait(60)
    assert outcomes == []


def test_starting_again_forgets_the_first(outcomes):
    first = threading.Event()
    jobs = iter([lambda: first.wait(60), lambda: None])

    def job(progress, stop):
        next(jobs)()
        return "second" if not first.is_set() else "first"

    work = make(job, outcomes)
    work.start()
    work.start()
    work.wait(60)
    first.set()
    assert outcomes == [("done", "second")]


def test_in_a_kernel_results_come_on_its_own_thread(outcomes):
    async def kernel():
        here = threading.current_thread()
        arrived = asyncio.Event()

        def done(result):
            outcomes.append((threading.current_thread() is here, result))
            arrived.set()

        work = Background("work", lambda p, s: list(p("abc")), done, outcomes.append, lambda: None)
        work.start()
        await asyncio.wait_for(arrived.wait(), 60)

    asyncio.run(kernel())
    assert outcomes == [(True, ["a", "b", "c"])]


def test_a_closed_loop_gets_no_result(outcomes):
    closed = threading.Event()
    work = make(lambda progress, stop: closed.wait(60), outcomes)

    async def cell():
        work.start()

    asyncio.run(cell())
    closed.set()
    work.wait(60)  # an exception in a thread would be a warning, and that an error
    assert outcomes == []


def test_inner_steps_move_the_bar_and_can_be_stopped(outcomes):
    waiting = threading.Event()
    go = threading.Event()

    def job(progress, stop):
        with stepping(4, progress, stop):
            step("the first")
            step("the second")
            waiting.set()
            go.wait(60)
            step("the third")
            outcomes.append("went on")

    work = make(job, outcomes)
    work.start()
    assert waiting.wait(60)
    assert work.share == 0.25
    work.stop()
    go.set()
    work.wait(60)
    assert outcomes == []


# ---------------------------------------------------------------------- opening


def test_a_bar_is_shown_while_waiting(monkeypatch, capsys):
    with opening(2):
        step("at once")
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(background, "BAR_DELAY_SECONDS", -1.0)
    with opening(2):
        step("the first")
        step("the second")
    shown = capsys.readouterr().err
    assert "the first:   0%" in shown
    assert "the second:  50%" in shown
    step("nothing is being opened")
    assert capsys.readouterr().err == ""


Y = np.arange(12) % 2
SCORE = np.arange(12) / 12
TWO = {"one": SCORE, "two": SCORE[::-1]}
BITS = np.column_stack((Y[::-1], np.arange(12) // 6))
OPENED = {
    "ROCExplorer": "curve of b",
    "EnsembleExplorer": "ranking by each",
    "FermiDiracExplorer": "resampling",
    "DecisionExplorer": "drawing outcomes",
    "LexicographicExplorer": "learning the order",
    "ScoringListExplorer": "counting the samples",
}


@pytest.mark.parametrize("name", OPENED)
def test_an_explorer_opens_in_as_many_steps_as_its_bar_has(name, on_own_data, monkeypatch):
    steps = []
    totals = []
    monkeypatch.setattr("rocviz.widgets.decisions.data.MAX_SAMPLES_OF_EXACT_OUTCOMES", 1)
    monkeypatch.setattr(background._Bar, "step", lambda _bar, text: steps.append(text))
    monkeypatch.setattr(background._Bar, "close", lambda bar: totals.append(bar._total))
    on_own_data(name).close()
    assert totals == [len(steps)]
    assert OPENED[name] in steps
    assert steps[-1] == "drawing"


def test_waiting_for_an_exact_result_shows_a_bar(monkeypatch, capsys):
    monkeypatch.setattr("rocviz.widgets.fermi_dirac.explorer.MAX_SAMPLES_OF_QUICK_BOOTSTRAP", 1)
    monkeypatch.setattr("rocviz.widgets.fermi_dirac.state.MAX_SAMPLES_OF_QUICK_INTERVALS", 1)

    def interrupt(*_):
        raise KeyboardInterrupt

    async def cell():
        explorer = FermiDiracExplorer(Y, SCORE)
        shown = explorer.result
        monkeypatch.setattr(background, "BAR_DELAY_SECONDS", -1.0)
        with monkeypatch.context() as patch:
            patch.setattr("rocviz.core.roc.auc_variance._of_resamples", interrupt)
            with pytest.raises(KeyboardInterrupt):
                explorer.to_frame()
        assert explorer.is_preview
        assert explorer.result is shown
        assert "bootstrap" in explorer.to_frame().index
        assert not explorer.is_preview
        explorer.close()

    asyncio.run(cell())
    assert "resampling" in capsys.readouterr().err


# ---------------------------------------------------------------------- modules


def test_modules_are_imported_while_a_kernel_is_idle(monkeypatch, tmp_path):
    tmp_path.joinpath("wanted_soon.py").write_text(
        "import threading\nloaded_by = threading.current_thread()\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(background, "BAR_DELAY_SECONDS", 0.0)

    async def kernel():
        background.import_soon("wanted_soon")
        while not hasattr(sys.modules.get("wanted_soon"), "loaded_by"):
            await asyncio.sleep(0)
        assert sys.modules.pop("wanted_soon").loaded_by is not threading.main_thread()
        monkeypatch.setattr(sys, "platform", "emscripten")
        background.import_soon("wanted_soon")

    background.import_soon("wanted_soon")
    assert "wanted_soon" not in sys.modules
    asyncio.run(kernel())
    assert "wanted_soon" not in sys.modules


@pytest.mark.parametrize("in_a_loop", [False, True])
def test_work_is_done_without_threads(outcomes, monkeypatch, in_a_loop):
    def refuse(_thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    work = make(lambda progress, _stop: sum(progress(range(4))), outcomes)
    if in_a_loop:

        async def wait():
            work.start()
            assert work.is_running
            while work.is_running:
                await asyncio.sleep(0)

        asyncio.run(wait())
    else:
        work.start()
    work.wait()
    assert outcomes == [("done", 6)]
    assert not work.is_running
    work.close()
