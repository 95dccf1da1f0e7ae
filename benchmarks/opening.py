"""Time how explorers open: ``python benchmarks/opening.py`` prints the table of docs/hosts.md.

In JupyterLab in Chromium a cell shows an explorer, with bqplot's extension and without it. What is
timed, by the clock, is from the run of the cell to the last picture, and from the controls on. The
kernel has imported rocviz. Other programs make it longer: run it on an idle machine.
"""

from __future__ import annotations

import argparse
import contextlib
import statistics
import sys
import tempfile
from pathlib import Path

N_OPENINGS = 8
WITHOUT_BQPLOT = ("@bqplot/bqplot", "@bqplot/bqscales")

# Run all cells, and return the milliseconds until the controls of a new explorer are there, and
# until each of its pictures that are seen has axes, marks, and a size.
OPEN_SCRIPT = """async () => {
    const begun = performance.now(), since = () => performance.now() - begun;
    const old = new Set(document.querySelectorAll('.rocviz'));
    window.jupyterapp.commands.execute('notebook:run-all-cells');
    const isDrawn = figure => figure.querySelectorAll('.axis .tick').length > 1
        && figure.querySelector('.element')
        && figure.querySelector('.plotarea_events').getBoundingClientRect().width > 20;
    for (let controls = 0;;) {
        await new Promise(requestAnimationFrame);
        const root = [...document.querySelectorAll('.rocviz')].find(e => !old.has(e));
        if (!root?.querySelector('.rocviz-rail-view [data-control]')) continue;
        controls ||= since();
        const figures = [...root.querySelectorAll('.rocviz-figure')]
            .filter(e => e.getBoundingClientRect().width > 0);
        if (figures.length && figures.every(isDrawn)) return [controls, since()];
    }
}"""


def openings(page, lab, name: str, count: int) -> list[tuple[float, float]]:
    """Open an explorer several times, each in a page that has loaded nothing that draws."""
    from lab import Notebook

    times = []
    for i in range(count):
        page.goto("about:blank")
        book = Notebook(page, lab, lab.write(f"{i}.ipynb", f"rocviz.{name}()"))
        book.python(f"import rocviz; rocviz.{name}().close()")
        times.append(tuple(page.evaluate(OPEN_SCRIPT)))
        book.hang_up()
    return times


def seconds(milliseconds: list[float]) -> str:
    """Write median and range of some times."""
    median, low, high = statistics.median(milliseconds), min(milliseconds), max(milliseconds)
    return f"{median / 1000:.2f} s ({low / 1000:.2f} to {high / 1000:.2f} s)"


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("explorer", nargs="?", default="ROCExplorer")
    parser.add_argument("--openings", type=int, default=N_OPENINGS, help=f"({N_OPENINGS})")
    given = parser.parse_args(arguments)
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "browser"))
    import find_chromium
    from lab import CHROMIUM_FLAGS, Lab
    from playwright.sync_api import sync_playwright

    print("| JupyterLab | after the cell was run | after the controls |\n|---|---|---|")
    with contextlib.ExitStack() as stack:
        player = stack.enter_context(sync_playwright())
        chromium = player.chromium.launch(executable_path=find_chromium.find(), args=CHROMIUM_FLAGS)
        for words, disabled in (("with", ()), ("without", WITHOUT_BQPLOT)):
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            lab = Lab(folder, disabled=disabled)
            stack.callback(lab.stop)
            page = chromium.new_page(viewport={"width": 1366, "height": 1000})
            times = openings(page, lab, given.explorer, given.openings)
            whole = seconds([drawn for _, drawn in times])
            after = seconds([drawn - controls for controls, drawn in times])
            print(f"| {words} bqplot's extension | {whole} | {after} |", flush=True)


if __name__ == "__main__":
    main()
