"""Time pages without a kernel: ``python benchmarks/recorded.py`` prints a table.

For every explorer a recording of one control is made and opened from disk in a fresh Chromium with
no network: how long recording takes, how large page and recording are, when the first picture is
there, and how long a step of the control takes until the page is laid out. The last column is the
processor time of a step with all that the page does for it, painting included: unlike the clock it
hardly depends on what else the machine has to do.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import rocviz

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "browser"))

CONTROLS = {
    "ROCExplorer": "threshold",
    "FermiDiracExplorer": "temperature",
    "EnsembleExplorer": "correlation",
    "ScoringListExplorer": "upper",
    "DecisionExplorer": "k",
    "LexicographicExplorer": "preset",
    "RankingLossExplorer": "a",
    "GroupsExplorer": "predicted_positive_rates",
}

#: Go through the values of the first control; milliseconds from asking to the end of a step.
STEPS_SCRIPT = """async () => {
    const took = [];
    for (let round = 0; round < 2; round++) {
        for (let place = 0; place < rocviz.data.scenes[0].axes[0].size; place++) {
            const begun = performance.now();
            rocviz.go(0, place);
            while (rocviz.busy) await rocviz.busy;
            document.body.getBoundingClientRect();
            took.push(performance.now() - begun);
            await new Promise(requestAnimationFrame);
        }
    }
    return took;
}"""


def spent(session: Any) -> float:
    """Read the seconds of processor time of the page's main thread."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return {metric["name"]: metric["value"] for metric in metrics}["TaskDuration"]


def main() -> None:
    """Print the table."""
    from lab import CHROMIUM_FLAGS
    from playwright.sync_api import sync_playwright

    print(
        "explorer               states  recorded s     kB  first picture s  step ms  95 %  cpu ms"
    )
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        for name, control in CONTROLS.items():
            explorer = getattr(rocviz, name)()
            begun = time.perf_counter()
            recording = explorer.record(**{control: ...}, progress=iter)
            recorded = time.perf_counter() - begun
            path = recording.to_html(Path(folder) / f"{name}.html")
            explorer.close()
            browser = playwright.chromium.launch(
                executable_path=os.environ.get("ROCVIZ_BROWSER") or None, args=CHROMIUM_FLAGS
            )
            page = browser.new_context(offline=True).new_page()
            begun = time.perf_counter()
            page.goto(path.as_uri())
            page.wait_for_selector("body[data-ready=yes]")
            page.wait_for_selector("svg path", state="attached")
            first = time.perf_counter() - begun
            session = page.context.new_cdp_session(page)
            session.send("Performance.enable", {"timeDomain": "threadTicks"})
            before = spent(session)
            took = sorted(page.evaluate(STEPS_SCRIPT))
            cpu = 1000 * (spent(session) - before) / len(took)
            browser.close()
            print(
                f"{name:22} {recording.n_states:6} {recorded:11.1f} "
                f"{recording.n_bytes / 1000:6.0f} "
                f"{first:16.2f} {statistics.median(took):8.1f} "
                f"{took[int(0.95 * len(took))]:5.1f} {cpu:7.1f}"
            )


if __name__ == "__main__":
    main()
