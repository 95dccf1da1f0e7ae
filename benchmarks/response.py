"""Time every control of every explorer: ``python benchmarks/response.py`` prints a table.

Each control is moved as by a hand, through the rail and inside a running event loop, so previews
are allowed as they are in a notebook. What is timed is the kernel's share of a step, in processor
time. With ``--browser`` it is the whole way instead, in JupyterLab in Chromium: from a key that is
pressed to the last change of the pictures. Where that is a preview, the exact picture that comes
when the hand rests has a column of its own. A missed promise is exit code 1. With ``--calls`` the
calls of rocviz's own functions in one step are counted.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import csv
import statistics
import sys
import tempfile
import time
from collections import Counter
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import rocviz
from rocviz.widgets.base.state import REST_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAX_KERNEL_MILLISECONDS = 15.0  # processor time, median of the steps
# Milliseconds to the last change of the pictures: median, 95th percentile.
MAX_WHOLE_MILLISECONDS = (50.0, 100.0)
# Milliseconds until the page is asked what it has shown: asking it meanwhile would slow down what
# is measured. A hand that rests for longer than REST_SECONDS has its preview made exact, which is
# no step; asking takes time too, and with 800 * REST_SECONDS every now and then the next key met
# that work.
PAUSE_MILLISECONDS = 500 * REST_SECONDS
LATE_MILLISECONDS = 600  # how long a step is waited for
N_WARM_UP_STEPS = 2  # steps that are not counted


# ------------------------------------------------------------------ data


def samples(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw five standard normal columns and labels that depend on them."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 5))
    return X, (X @ (1.2, 0.8, 0.5, 0.3, 0.1) + rng.logistic(size=n) > 0.5).astype(int)


def scores(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw labels and probabilities."""
    X, y = samples(n)
    return y, 1 / (1 + np.exp(-X[:, 0]))


def own_crowd(n: int) -> Any:
    X, y = samples(n)
    return rocviz.EnsembleExplorer(y, {f"column {i}": X[:, i] for i in range(X.shape[1])})


def own_list(n: int) -> Any:
    X, y = samples(n)
    X = (X > 0).astype(int)
    learned = rocviz.ProbabilisticScoringList().fit(X[:1000], y[:1000])
    return rocviz.ScoringListExplorer(learned, X, y, X_test=X, y_test=y)


def own_table(n: int) -> Any:
    X, y = samples(n)
    return rocviz.LexicographicExplorer((X > 0).astype(int), y)


def own_classes(n: int) -> Any:
    rng = np.random.default_rng(0)
    code = np.arange(n) % 4
    prob = rng.dirichlet(np.ones(4), n) + np.eye(4)[code]
    return rocviz.MulticlassExplorer(code, prob / 2)


#: Code that opens each explorer on n own samples.
OPEN_WITH_OWN_DATA: dict[str, Callable[[int], Any]] = {
    "ROCExplorer": lambda n: rocviz.ROCExplorer(*scores(n)),
    "FermiDiracExplorer": lambda n: rocviz.FermiDiracExplorer(*scores(n)),
    "EnsembleExplorer": own_crowd,
    "ScoringListExplorer": own_list,
    "DecisionExplorer": lambda n: rocviz.DecisionExplorer(*scores(n)),
    "LexicographicExplorer": own_table,
    "RankingLossExplorer": lambda n: rocviz.RankingLossExplorer(*samples(n)),
    "GroupsExplorer": lambda n: rocviz.GroupsExplorer(*scores(n), np.resize(["x", "y", "z"], n)),
    "MulticlassExplorer": own_classes,
}


def sandbox(name: str, n: int) -> Any:
    """Make an explorer that draws n samples, or as it opens where it draws none."""
    cls = getattr(rocviz, name)
    return cls(n_samples=n) if "n_samples" in cls.input_names() else cls()


def settings(name: str, sizes: list[int]) -> Iterator[tuple[str, str, Callable[[], Any]]]:
    """Yield the kind of data, their number, and the code that opens the explorer on them."""
    sized = "n_samples" in getattr(rocviz, name).input_names()
    for n in sizes if sized else sizes[:1]:
        yield "sandbox", f"{n:,}" if sized else "as it opens", lambda n=n: sandbox(name, n)
    for n in sizes:
        yield "own", f"{n:,}", lambda n=n: OPEN_WITH_OWN_DATA[name](n)


# ------------------------------------------------------------------ the kernel's share


def moves(explorer: Any, name: str, control: Any) -> Iterator[dict[str, Any]]:
    """Yield the gestures of a user on a control, step by step; none for a fixed control.

    Values of a slider move to their neighbours, turning round at the ends; other gestures take
    turns.
    """
    step = 0
    direction = 1
    while can_be_moved(explorer, control):
        gestures = [content for content, _ in control.gestures(explorer, name)]
        if not gestures:
            gestures = typed_numbers(explorer, control, step)
        if not gestures:
            return
        shown = explorer._rail.values[name].items()
        current = [i for i, content in enumerate(gestures) if content and content.items() <= shown]
        if current:
            if not 0 <= current[0] + direction < len(gestures):
                direction = -direction
            place = current[0] + direction
        else:
            place = step % len(gestures)
        if not 0 <= place < len(gestures):
            return
        yield gestures[place]
        step += 1


def can_be_moved(explorer: Any, control: Any) -> bool:
    """Whether a control can be moved, now or after the preview."""
    if not control.is_enabled(explorer):
        explorer.finish()
    return control.is_shown(explorer) and control.is_enabled(explorer)


def typed_numbers(explorer: Any, control: Any, step: int) -> list[dict[str, Any]]:
    """Choose a new number for each row with a number: a step up, or down again."""
    if not hasattr(control, "rows"):
        return []
    direction = -1 if step % 2 else 1
    contents = []
    for row in control.rows(explorer):
        if row.number:
            number, size = row.number[:2]
            contents.append({"key": row.key, "value": number + direction * size})
    return contents


async def shares(explorer: Any, name: str, control: Any, steps: int) -> tuple[list[float], float]:
    """Measure milliseconds of processor time of each step, and of the last exact result."""
    spent = []
    hand = moves(explorer, name, control)
    for _ in range(steps + N_WARM_UP_STEPS):
        move = next(hand, None)
        if move is None:
            break
        begun = time.process_time()
        explorer._rail.move(name, **move)
        spent.append(1000 * (time.process_time() - begun))
        await asyncio.sleep(0)
    begun = time.process_time()
    preview = explorer.is_preview
    explorer.finish()
    exact = 1000 * (time.process_time() - begun) if preview else 0.0
    explorer.reset()
    return spent[N_WARM_UP_STEPS:], exact


def late(times: list[float]) -> float:
    """Compute the 95th percentile."""
    return sorted(times)[int(0.95 * (len(times) - 1) + 0.5)]


COLUMNS = ("explorer", "data", "samples", "control", "median", "95 %", "exact")
LINE_FORMAT = "{:22} {:8} {:>12}  {:28} {:>7} {:>7} {:>7}  {}"


async def kernel(names: list[str], sizes: list[int], steps: int) -> bool:
    """Print the table of kernel shares; return whether the promise is kept."""
    print(LINE_FORMAT.format(*COLUMNS, ""))
    medians = []
    for name in names:
        for data, size, opened in settings(name, sizes):
            explorer = opened()
            for label, control in explorer.controls().items():
                spent, exact = await shares(explorer, label, control, steps)
                if not spent:
                    continue
                medians.append(statistics.median(spent))
                times = (
                    f"{medians[-1]:.1f}",
                    f"{late(spent):.1f}",
                    f"{exact:.0f}" if exact else "",
                )
                missed = "" if medians[-1] < MAX_KERNEL_MILLISECONDS else "MISSED"
                text = LINE_FORMAT.format(name, data, size, label, *times, missed)
                print(text.rstrip(), flush=True)
            explorer.close()
    n_missed = sum(median >= MAX_KERNEL_MILLISECONDS for median in medians)
    print(
        f"\n{len(medians)} controls, {n_missed} at {MAX_KERNEL_MILLISECONDS:.0f} ms or more; "
        "milliseconds of"
    )
    print("processor time a step, and to make a preview exact once the hand rests")
    return not n_missed


# ------------------------------------------------------------------ the calls of a step


def calls_of_a_step(explorer: Any, name: str) -> Counter[tuple[str, str]]:
    """Count the calls of rocviz's functions in one step of a control, by file and function."""
    inside = str(Path(rocviz.__file__).parent)
    calls: Counter[tuple[str, str]] = Counter()

    def note(frame: Any, event: str, _argument: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(inside):
            calls[code.co_filename[len(inside) + 1 :], code.co_qualname] += 1

    hand = moves(explorer, name, explorer.controls()[name])
    for _ in range(N_WARM_UP_STEPS):
        explorer._rail.move(name, **next(hand))
    move = next(hand)
    sys.setprofile(note)
    try:
        explorer._rail.move(name, **move)
    finally:
        sys.setprofile(None)
    return calls


def print_calls(name: str, control: str, max_calls: int = 40) -> None:
    """Print the files through which a step of a control goes, and its most frequent calls."""
    explorer = sandbox(name, 1000)
    calls = calls_of_a_step(explorer, control or explorer.main_control)
    explorer.close()
    files: Counter[str] = Counter()
    for (file, _), number in calls.items():
        files[file] += number
    for file, number in files.most_common():
        print(f"{number:6} {file}")
    print()
    for (file, function), number in calls.most_common(max_calls):
        print(f"{number:6} {file} {function}")
    print(f"\n{calls.total()} calls of {len(calls)} functions in {len(files)} files")


# ------------------------------------------------------------------ the whole way

# A key counts from the event that the rail tells the kernel of.
WATCH_SCRIPT = """() => {
    window.pressed = window.changed = 0;
    new MutationObserver(() => { window.changed = performance.now(); }).observe(
        document.querySelector('.rocviz .rocviz-pictures'),
        {subtree: true, childList: true, attributes: true, characterData: true});
    const press = () => { window.pressed = performance.now(); };
    const explorer = document.querySelector('.rocviz');
    for (const kind of ['input', 'click']) explorer.addEventListener(kind, press, true);
    // an arrow in a field of numbers makes no event but that of its key
    const typed = (event) => event.target.matches('input.number') && press();
    explorer.addEventListener('keydown', typed, true);
}"""


def movable(explorer: Any, requested: list[str]) -> list[str]:
    """List the controls that can be moved now, or the requested ones of them."""
    names = []
    for name, control in explorer.controls().items():
        if requested and name not in requested:
            continue
        # what is typed is no step of a hand
        if control.recorded_by and next(moves(explorer, name, control), None) is not None:
            names.append(name)
    return names


def key_for(part: Any) -> str:
    """Find the key that changes the control in focus; sliders and choices turn round at ends."""
    kind = part.evaluate("e => e.type")
    if kind == "range":
        at_end = part.evaluate("e => 2 * Number(e.value) > Number(e.max)")
        return "ArrowLeft" if at_end else "ArrowRight"
    if kind == "select-one":
        at_end = part.evaluate("e => e.selectedIndex + 1 === e.options.length")
        return "ArrowUp" if at_end else "ArrowDown"
    return "ArrowUp" if kind == "text" else "Space"


def waits(book: Any, name: str, steps: int) -> tuple[list[float], float]:
    """Measure milliseconds from each of many key presses to the last change of the pictures.

    And from the last key to the exact picture, 0 where the step itself was exact.
    """
    from playwright.sync_api import TimeoutError

    box = book.page.locator(f'.rocviz [data-control="{name}"]')
    inside = book.page.locator(f'[data-control="{name}"]')
    fold = book.page.locator(".rocviz .fold-box:not(.is-open)", has=inside)
    if fold.count():
        fold.locator("button.fold").click()
    inner = box.locator("input.track, select, input[type=checkbox], input.number, button")
    part = inner.first if inner.count() else box
    part.focus()
    milliseconds: list[float] = []
    for step in range(steps + N_WARM_UP_STEPS):
        if step > N_WARM_UP_STEPS and not milliseconds:  # it changes words or tables, no picture
            break
        if part.is_disabled():  # until the hand has rested, or for good
            exact_picture(book)
            if part.is_disabled():
                break
            part.focus()
        part.press(key_for(part))
        book.page.wait_for_timeout(PAUSE_MILLISECONDS)
        try:
            book.page.wait_for_function(
                "window.changed > window.pressed", timeout=LATE_MILLISECONDS
            )
            milliseconds.append(book.page.evaluate("window.changed - window.pressed"))
        except TimeoutError:  # it changed no picture, as the last step of some
            exact_picture(book)  # the hand has rested: the next key is not to meet what comes then
    exact = exact_picture(book)
    book.python("ex.reset()")
    book.settle()
    return milliseconds[N_WARM_UP_STEPS:], exact


def exact_picture(book: Any) -> float:
    """Wait for the exact picture; return the milliseconds since the key, or 0."""
    book.settle()
    while book.value("ex.is_preview"):
        book.page.wait_for_timeout(PAUSE_MILLISECONDS)
    book.settle()
    late = float(book.page.evaluate("window.changed - window.pressed"))
    return late if late > 1000 * REST_SECONDS else 0.0


def browser(
    names: list[str], sizes: list[int], steps: int, controls: list[str], file: Path | None
) -> bool:
    """Print and save the times from key to picture; return whether the promise is kept."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "browser"))
    import find_chromium
    from lab import CHROMIUM_FLAGS, Lab, Notebook
    from pictures import drawn, into_sight
    from playwright.sync_api import sync_playwright

    kept = True
    print(LINE_FORMAT.format(*COLUMNS, ""))
    here = str(Path(__file__).resolve().parent)
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        lab = Lab(Path(folder))
        stack.callback(lab.stop)
        player = stack.enter_context(sync_playwright())
        chromium = player.chromium.launch(executable_path=find_chromium.find(), args=CHROMIUM_FLAGS)
        page = chromium.new_page(viewport={"width": 1366, "height": 768})
        table = csv.writer(stack.enter_context(file.open("w", newline=""))) if file else None
        if table:
            table.writerow(COLUMNS)
        for name in names:
            for data, n in product(("sandbox", "own"), sizes):
                opening = f"response.OPEN_WITH_OWN_DATA[{name!r}]({n})"
                if data == "sandbox":
                    opening = f"response.sandbox({name!r}, {n})"
                cell = (
                    f"import sys; sys.path.insert(0, {here!r})\nimport response\nex = {opening}\nex"
                )
                book = Notebook(page, lab, lab.write(f"{name}-{data}-{n}.ipynb", cell))
                book.run_all()
                drawn(book)
                into_sight(book)
                page.evaluate(WATCH_SCRIPT)
                for control in book.value(f"response.movable(ex, {controls!r})"):
                    milliseconds, exact = waits(book, control, steps)
                    if not milliseconds:
                        continue
                    median = statistics.median(milliseconds)
                    end = late(milliseconds)
                    good = median < MAX_WHOLE_MILLISECONDS[0] and end < MAX_WHOLE_MILLISECONDS[1]
                    kept = kept and good
                    times = (f"{median:.0f}", f"{end:.0f}", f"{exact:.0f}" if exact else "")
                    missed = "" if good else "MISSED"
                    text = LINE_FORMAT.format(name, data, f"{n:,}", control, *times, missed)
                    print(text.rstrip(), flush=True)
                    if table:
                        table.writerow((name, data, n, control, *times))
                book.close()
    rest = f"{1000 * REST_SECONDS:.0f}"
    print("\nmilliseconds from a key to the last change of the pictures, and to the exact picture")
    print(f"where that is a preview; it comes when the hand has rested for {rest}")
    return kept


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("explorers", nargs="*", help=f"of {', '.join(OPEN_WITH_OWN_DATA)}")
    parser.add_argument("--samples", type=int, nargs="+", default=[1000, 100_000])
    parser.add_argument("--steps", type=int, default=20, help="of each control (default: 20)")
    parser.add_argument(
        "--browser",
        nargs="*",
        metavar="control",
        help="the whole way in a real page, of these controls or of all",
    )
    parser.add_argument(
        "--calls",
        nargs="?",
        const="",
        metavar="control",
        help="count the calls of a step instead, of this control or of the main one",
    )
    parser.add_argument("--write", type=Path, metavar="file", help="with --browser: a CSV")
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.explorers) - set(OPEN_WITH_OWN_DATA))
    if unknown:
        parser.error(
            f"unknown explorer {', '.join(unknown)}; there are {', '.join(OPEN_WITH_OWN_DATA)}"
        )
    names = options.explorers or list(OPEN_WITH_OWN_DATA)
    if options.calls is not None:
        for name in names:
            print_calls(name, options.calls)
        return 0
    if options.browser is None:
        kept = asyncio.run(kernel(names, options.samples, options.steps))
    else:
        kept = browser(names, options.samples, options.steps, options.browser, options.write)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
