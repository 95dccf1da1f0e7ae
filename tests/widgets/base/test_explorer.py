"""Common behaviour of explorers, tested on the ROC explorer: life, files, themes, drags."""

from __future__ import annotations

import base64
import json
import sys
import threading
import zlib

import numpy as np
import pytest
from matplotlib.offsetbox import AnnotationBbox
from page import Page

import rocviz
from rocviz import ROCExplorer
from rocviz.widgets.base import widget
from rocviz.widgets.base.recording.recording import Recording
from rocviz.widgets.base.still import compose

Y = [0, 1, 0, 1, 1, 0]
P = [0.1, 0.4, 0.4, 0.8, 0.9, 0.6]


@pytest.fixture
def explorer():
    opened = ROCExplorer(Y, P)
    yield opened
    opened.close()


def test_handle_and_state_follow_each_other(explorer):
    page = Page(explorer)
    explorer.threshold = 0.8
    assert page.marks("roc")["point"].x[0] == explorer.result.operating_point[0]
    assert page.marks("roc")["point"].hint is not None
    page.drag("roc", "point", 0.4, 1.0)
    fpr, tpr = explorer.result.operating_point
    assert fpr > 0.3
    handle = page.marks("roc")["point"]
    assert (handle.x[0], handle.y[0]) == (fpr, tpr)
    assert handle.hint is None  # "drag" stands beside it no more


@pytest.mark.parametrize("suffix", [".svg", ".pdf", ".png"])
def test_saves_without_a_browser(explorer, tmp_path, suffix):
    path = explorer.save(tmp_path / f"figure{suffix}")
    start = {".svg": b"<?xml", ".pdf": b"%PDF", ".png": b"\x89PNG"}[suffix]
    assert path.read_bytes().startswith(start)


def test_nothing_changes_while_a_picture_is_drawn(explorer, monkeypatch):
    # a kernel may handle a message of the browser's in another thread
    thread = threading.Thread(target=setattr, args=(explorer, "threshold", 0.8))
    seen = []

    def draw(*_):
        if not seen:
            thread.start()
        thread.join(0.1)
        seen.append((explorer.threshold, explorer.result))

    monkeypatch.setattr("rocviz.widgets.base.still.draw_picture", draw)
    before = explorer.threshold, explorer.result
    explorer.static_figure()
    assert seen == [before] * len(explorer.panels)
    thread.join(60)
    assert explorer.threshold == 0.8


def test_other_files_are_refused_before_anything_is_drawn(explorer, tmp_path):
    with pytest.raises(ValueError, match=r"path must end in \.svg"):
        explorer.save(tmp_path / "figure.gif")
    with pytest.raises(ValueError, match=r"path must end in \.html"):
        explorer.to_html(tmp_path / "page.txt")
    assert list(tmp_path.iterdir()) == []


def test_a_still_page_stands_alone_and_has_its_sentence_once(explorer, tmp_path):
    explorer.threshold = 0.4
    path = explorer.to_html(tmp_path / "page.html", live=False)
    page = path.read_text(encoding="utf-8")
    assert page.count(f"<h1>{explorer.sentences[0].html}</h1>") == 1
    assert page.count(explorer.sentence) == 1  # the picture's alternative text
    assert not set(map(type, compose(explorer, None, "").artists)) & {AnnotationBbox}
    assert set(map(type, compose(explorer, None).artists)) & {AnnotationBbox}
    assert "http" not in page.split("</style>")[1].split("<details>")[0].replace("data:", "")
    assert "At threshold" in page
    assert "precision" in page
    assert "RankedSegments" in page


def test_a_page_lets_the_main_control_move(explorer, tmp_path, monkeypatch):
    recorded = []
    monkeypatch.setattr(Recording, "to_html", lambda self, path, **_: recorded.append(self) or path)
    explorer.to_html(tmp_path / "page.html")
    explorer.to_html(tmp_path / "page.html", live=["cost_fn"])
    axes = []
    for recording in recorded:
        part = json.loads(zlib.decompress(recording.packed))["parts"][""]
        axes.append([axis["name"] for axis in part["scenes"][0]["axes"]])
    assert axes == [["threshold"], ["cost_fn"]]


def test_the_save_button_never_overwrites(explorer, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = Page(explorer)
    page.press("save")
    page.press("save")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["ROCExplorer-2.png", "ROCExplorer.png"]
    assert "ROCExplorer-2.png" in page.drawer


def test_the_sentence_colours_its_numbers(explorer):
    assert "rocviz-positive" in Page(explorer).sentence
    assert repr(explorer) == f"ROCExplorer: {explorer.sentence}"


def test_from_estimator_scores_each_model():
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.svm import LinearSVC

    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    y = np.where(X[:, 0] + rng.normal(size=80) > 0, "yes", "no")
    models = {"nb": GaussianNB().fit(X, y), "lr": LogisticRegression().fit(X, y)}
    explorer = ROCExplorer.from_estimator(models, X, y, pos_label="yes")
    assert list(explorer.data.scores) == ["nb", "lr"]
    want = rocviz.RankedSegments.from_scores(
        y, models["nb"].predict_proba(X)[:, 1], pos_label="yes"
    ).auc
    assert explorer.result.segments.auc == want
    explorer.close()
    explorer = ROCExplorer.from_estimator(LinearSVC().fit(X, y), X, y, pos_label="no")
    assert explorer.result.segments.auc > 0.5
    assert explorer.calibration == "isotonic"
    explorer.close()
    with pytest.raises(TypeError, match="y_score"):
        ROCExplorer.from_predictions(Y)


def test_the_threshold_slider_follows_other_scores():
    explorer = ROCExplorer(Y, 100 * np.array(P) + 5)
    page = Page(explorer)
    page.move("threshold", position=0)
    assert explorer.threshold == 15
    page.move("threshold", position=1000)
    assert explorer.threshold == 95
    explorer.preset = "good"
    assert page.control("threshold")["text"] == "0.500"
    explorer.reset()
    assert 15 <= explorer.threshold <= 95
    explorer.close()


def test_a_control_never_shows_another_value_than_the_state(explorer):
    explorer.threshold = 0.4237
    assert Page(explorer).control("threshold")["text"] == "0.424"
    assert explorer.threshold == 0.4237
    sandbox = ROCExplorer(preset="random")
    assert sandbox.separation == 0.05
    assert Page(sandbox).control("separation")["text"] == "0.05"
    sandbox.close()


def test_refused_values_are_explained_at_the_control():
    explorer = ROCExplorer(Y, 10 * np.array(P))
    page = Page(explorer)
    page.move("calibration", index=0)
    assert explorer.calibration == "isotonic"
    assert "needs scores in [0, 1]" in page.control("calibration")["problem"]
    explorer.close()


def test_joining_by_the_buttons(explorer):
    page = Page(explorer)
    n = len(explorer.result.segments)
    explorer.threshold = 0.8
    page.move("join_next")
    assert len(explorer.result.segments) == n - 1
    page.move("undo_joins")
    assert len(explorer.result.segments) == n
    assert page.control("undo_joins") == {"hidden": True}
    explorer.reliability_by = "score"
    for segment in (2, 1):
        index = page.marks("reliability")["circles"].keys.index(segment)
        page.click("reliability", "circles", index)
    assert explorer.joined == (2,)


def test_circles_of_other_segments_are_not_joined():
    explorer = ROCExplorer(preset="many ties", calibration="hull", reliability_by="score")
    page = Page(explorer)
    n = len(explorer.result.segments)
    assert len(explorer.result.reliability.n) < n
    page.click("reliability", "circles", 0)
    page.click("reliability", "circles", 1)
    assert len(explorer.result.segments) == n
    explorer.close()


def test_very_many_scores_show_a_sample_of_circles():
    explorer = ROCExplorer(n_samples=5000, reliability_by="score", focus="reliability")
    points = explorer.result.reliability
    marks = Page(explorer).marks("reliability")
    assert len(points.n) > 4000
    circles = marks["circles"]
    assert len(circles.keys) == len(circles.x) == 250
    assert np.array_equal(circles.x, points.predicted[circles.keys])
    assert marks["words notes"].text[0].startswith("250 of 4,")
    explorer.close()


def test_presets_name_the_bias_of_the_probabilities():
    explorer = ROCExplorer(preset="over-confident")
    assert explorer.sentence.endswith(" Its scores are over-confident.")
    assert "over-confident: too close to 0 and 1" in explorer.sentences[2].text
    explorer.preset = "under-confident"
    assert "under-confident: too far from 0 and 1" in explorer.sentences[2].text
    explorer.preset = "perfect"
    assert explorer.result.segments.auc == 1
    explorer.close()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep freed memory by themselves")
def test_memory_is_reused_between_steps():
    import resource

    def faults():
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        for _ in range(20):
            arrays = [np.ones(100_000) for _ in range(6)]
            del arrays
        return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

    faults()  # makes room
    assert faults() < 2000  # 22,800 where each array is handed back to the system


def test_displayed_explorers_have_a_picture_for_static_pages(explorer, monkeypatch):
    shown = []
    monkeypatch.setattr(widget, "display", lambda bundle, **about: shown.append((bundle, about)))
    explorer._ipython_display_()
    ((bundle, about),) = shown
    assert base64.b64decode(bundle["image/png"]).startswith(b"\x89PNG")
    assert about["metadata"]["image/png"]["alt"] == explorer.sentence
