"""Time the ROC explorer in a real browser: from a key press to the changed picture.

``python benchmarks/response.py`` opens JupyterLab in Chromium at n = 100,000, presses an arrow
key on the threshold slider again and again, and prints the median and the 95th percentile of
the time until the page has changed for the last time. The promise: under 50 and 100 ms.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "browser"))

import find_chromium
from lab import FLAGS, Lab, Notebook
from playwright.sync_api import sync_playwright

WATCH = """() => {
    window.pressed = window.changed = 0;
    new MutationObserver(() => { window.changed = performance.now(); }).observe(
        document.querySelector('.rocviz'),
        {subtree: true, childList: true, attributes: true, characterData: true});
    document.querySelector('.rocviz .knob-held .noUi-handle').addEventListener(
        'keydown', () => { window.pressed = performance.now(); }, true);
}"""
# milliseconds between two key presses; asking the page meanwhile would slow down what is measured
PAUSE = 250


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=100_000)
    parser.add_argument("--steps", type=int, default=60)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        lab = Lab(Path(folder))
        try:
            browser = playwright.chromium.launch(executable_path=find_chromium.find(), args=FLAGS)
            page = browser.new_page(viewport={"width": 1280, "height": 1500})
            name = lab.write(
                "response.ipynb",
                "from rocviz import ROCExplorer",
                f"explorer = ROCExplorer(n_samples={options.samples})\nexplorer",
            )
            Notebook(page, lab, name).run_all()
            slider = page.locator(".rocviz .knob-held .noUi-handle").first
            page.locator(".rocviz svg.svg-figure path.dot").first.wait_for()
            page.evaluate(WATCH)
            slider.focus()
            waits = []
            for _ in range(options.steps):
                page.keyboard.press("ArrowRight")
                page.wait_for_timeout(PAUSE)
                waits.append(page.evaluate("window.changed - window.pressed"))
        finally:
            lab.stop()
    waits = sorted(waits[3:])  # the first steps warm up
    median, late = statistics.median(waits), waits[int(0.95 * len(waits))]
    print(f"n = {options.samples:,}: median {median:.0f} ms, 95th percentile {late:.0f} ms")
    return 0 if median < 50 and late < 100 else 1


if __name__ == "__main__":
    sys.exit(main())
