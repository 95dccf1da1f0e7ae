"""Long work: whole results or none, stopped at once, errors told."""

from __future__ import annotations

import asyncio
import threading

import pytest

from rocviz.widgets.base.background import Background


@pytest.fixture
def heard():
    return []


def make(job, heard):
    return Background(
        "work", job, lambda r: heard.append(("done", r)), lambda e: heard.append(("failed", e))
    )


def test_a_result_arrives_whole(heard):
    work = make(lambda progress, stop: sum(progress(range(5))), heard)
    work.start()
    work.wait(60)
    assert heard == [("done", 10)]
    assert not work.is_running
    assert work.button.description == "work"
    assert work.bar.layout.display == "none"


def test_an_error_is_told(heard):
    def job(progress, stop):
        raise ValueError("too few")

    work = make(job, heard)
    work.start()
    work.wait(60)
    assert heard == [("failed", "too few")]


def test_a_stop_drops_what_was_under_way(heard):
    go, ended = threading.Event(), threading.Event()

    def job(progress, stop):
        go.wait(60)
        assert stop()
        ended.set()
        return 1

    work = make(job, heard)
    work.button.click()
    assert work.is_running
    assert work.button.description == "stop"
    work.button.click()
    assert not work.is_running
    go.set()
    assert ended.wait(60)
    assert heard == []


def test_starting_again_forgets_the_first(heard):
    first = threading.Event()
    jobs = iter([lambda: first.wait(60), lambda: None])

    def job(progress, stop):
        next(jobs)()
        return "second" if not first.is_set() else "first"

    work = make(job, heard)
    work.start()
    work.start()
    work.wait(60)
    first.set()
    assert heard == [("done", "second")]


def test_in_a_kernel_results_come_on_its_own_thread(heard):
    async def kernel():
        here = threading.current_thread()
        arrived = asyncio.Event()

        def done(result):
            heard.append((threading.current_thread() is here, result))
            arrived.set()

        work = Background("work", lambda p, s: list(p("abc")), done, heard.append)
        work.start()
        await asyncio.wait_for(arrived.wait(), 60)

    asyncio.run(kernel())
    assert heard == [(True, ["a", "b", "c"])]
