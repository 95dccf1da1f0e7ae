"""Time explorers far from their kernel: ``python benchmarks/far_kernel.py`` prints a table.

Between JupyterLab and Chromium is a proxy that keeps everything back for 75 ms in each direction,
as a line to Binder may. Keys are pressed on sliders and handles are dragged, with states sent ahead
and without. A picture follows when it first changes after a hand's event; where the kernel's exact
answer then corrects it, as after a drag to between two states, it is settled later.
"""

from __future__ import annotations

import argparse
import contextlib
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from response import key_for, late

WAY_SECONDS = 0.075  # seconds in each direction
MAX_MILLISECONDS = 30.0  # milliseconds until the picture follows, median, with states sent ahead
PAUSE_MILLISECONDS = 700  # milliseconds between two steps, enough for the answer
PREPARATION_MILLISECONDS = 5000  # milliseconds for recording and sending

#: The slider of an explorer that is moved, and the picture whose handle is dragged.
MOVED_CONTROLS = {
    "ROCExplorer": ("threshold", "roc"),
    "FermiDiracExplorer": ("temperature", "levels"),
    "EnsembleExplorer": ("correlation", ""),
    "ScoringListExplorer": ("upper", "stage"),
    "DecisionExplorer": ("k", "utilities"),
    "LexicographicExplorer": ("smoothing", ""),
    "RankingLossExplorer": ("a", "links"),
}

# All that is visible of the pictures, compared before each frame; areas that only catch the mouse
# are left out. States sent ahead have single precision, so the kernel's answer moves their marks by
# millionths of a pixel, which nobody sees.
WATCH_SCRIPT = """() => {
    const root = document.querySelector('.rocviz');
    const parts = '.rocviz-pictures :is(path, text, rect, td, p, .object_grp)';
    const unseen = e => e && /fill: transparent/.test(e.getAttribute('style'));
    const look = () => [...root.querySelectorAll(parts)].map(e =>
        unseen(e) || unseen(e.firstElementChild) ? '' : [e.getAttribute('d'),
            e.getAttribute('transform'), e.childElementCount ? '' : e.textContent].join()).join();
    const number = /-?\\d+(\\.\\d*)?(e-\\d+)?/g;
    const numbers = text => (text.match(number) ?? []).map(Number);
    const differ = (before, after) => {
        if (before === after) return false;
        if (before.replace(number, '#') !== after.replace(number, '#')) return true;
        const old = numbers(before);
        return numbers(after).some((value, i) => Math.abs(value - old[i]) > 0.01);
    };
    let seen = look(), since = 0;
    window.times = [];
    const frame = () => {
        const next = look();
        if (differ(seen, next)) {
            window.times.push(performance.now() - since);
            seen = next;
        }
        requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    for (const kind of ['input', 'pointermove'])
        root.addEventListener(kind, () => { since = performance.now(); window.times = []; }, true);
}"""


def times(book: Any, act: Any, steps: int) -> tuple[list[float], list[float]]:
    """Measure milliseconds from a step of the user to the first and last change of the pictures."""
    first: list[float] = []
    last: list[float] = []
    for _ in range(steps):
        act()
        book.page.wait_for_timeout(PAUSE_MILLISECONDS)
        changes = book.page.evaluate("window.times")
        if changes:  # else this step changed no picture
            first.append(changes[0])
            last.append(changes[-1])
    return first, last


def keys(book: Any, name: str, steps: int) -> tuple[list[float], list[float]]:
    """Press keys on a slider."""
    part = book.page.locator(f'.rocviz [data-control="{name}"] input.track')
    if not part.is_visible():
        inside = book.page.locator(f'[data-control="{name}"]')
        book.page.locator(".rocviz .fold-box", has=inside).locator("button.fold").click()
    part.hover()
    part.focus()
    key = key_for(part)
    part.press(key)  # says how far the kernel is
    book.page.wait_for_timeout(PREPARATION_MILLISECONDS)
    return times(book, lambda: part.press(key), steps)


def drag(book: Any, picture: str, steps: int) -> tuple[list[float], list[float]]:
    """Drag the handle of a picture, step by step."""
    from pictures import centre, handle, laid_out

    book.python(f"ex.focus = {picture!r}")
    book.page.wait_for_timeout(PAUSE_MILLISECONDS)
    laid_out(book)
    x, y = centre(handle(book, -1))
    mouse = book.page.mouse
    path = iter(range(1, steps + 1))
    mouse.move(x, y)
    book.page.wait_for_timeout(PREPARATION_MILLISECONDS)
    mouse.down()

    def move() -> None:
        far = 9 * next(path)
        mouse.move(x - far, y - far / 2)

    try:
        return times(book, move, steps)
    finally:
        mouse.up()


def moved(book: Any, name: str, steps: int) -> dict[str, tuple[list[float], list[float]]]:
    """Measure the times of every way to move an explorer."""
    slider, picture = MOVED_CONTROLS[name]
    measured = {f"keys on {slider}": keys(book, slider, steps)}
    if picture:
        measured[f"handle in {picture}"] = drag(book, picture, min(steps, 12))
    return measured


ROW_FORMAT = "{:22} {:22} {:>8} {:>8} {:>8} {:>8} {:>8}  {}"


def print_row(name: str, way: str, ahead: Any, without: Any) -> bool:
    """Print a row; return whether the promise is kept."""
    follows, settled = ahead
    numbers = [statistics.median(follows), late(follows), statistics.median(settled)]
    numbers += [statistics.median(without[0]), late(without[0])]
    good = numbers[0] < MAX_MILLISECONDS
    print(
        ROW_FORMAT.format(
            name, way, *(f"{ms:.0f}" for ms in numbers), "" if good else "MISSED"
        ).rstrip()
    )
    sys.stdout.flush()
    return good


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("explorers", nargs="*", help=f"of {', '.join(MOVED_CONTROLS)}")
    parser.add_argument("--steps", type=int, default=20)
    options = parser.parse_args(arguments)
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "browser"))
    import find_chromium
    from lab import CHROMIUM_FLAGS, Lab, Notebook
    from pictures import drawn, into_sight
    from playwright.sync_api import sync_playwright
    from slow_line import SlowLine

    kept = True
    print(ROW_FORMAT.format("", "", "ahead:", "", "", "not:", "", ""))
    print(
        ROW_FORMAT.format("explorer", "hand", "follows", "95 %", "settled", "follows", "95 %", "")
    )
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        lab = Lab(Path(folder))
        stack.callback(lab.stop)
        slow = SlowLine(lab.port)
        stack.callback(slow.close)
        lab.url = slow.url
        player = stack.enter_context(sync_playwright())
        chromium = player.chromium.launch(executable_path=find_chromium.find(), args=CHROMIUM_FLAGS)
        page = chromium.new_page(viewport={"width": 1366, "height": 768})
        for name in options.explorers or MOVED_CONTROLS:
            results = {}
            for ahead in (False, True):
                slow.delay = 0.0
                cell = f"import rocviz\nex = rocviz.{name}()\nex.ahead = {ahead}\nex"
                book = Notebook(page, lab, lab.write(f"{name}-{ahead}.ipynb", cell))
                book.run_all()
                drawn(book)
                into_sight(book)
                page.evaluate(WATCH_SCRIPT)
                slow.delay = WAY_SECONDS
                results[ahead] = moved(book, name, options.steps)
                slow.delay = 0.0
                book.close()
            for way, ahead in results[True].items():
                kept = print_row(name, way, ahead, results[False][way]) and kept
    print(f"\nmedian milliseconds until the pictures move; {1000 * WAY_SECONDS:.0f} ms each way")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
