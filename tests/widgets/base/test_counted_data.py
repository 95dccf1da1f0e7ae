"""Explorers open on segments that were counted beforehand, for example from large data."""

import numpy as np
import pytest

import rocviz
from rocviz import DecisionExplorer, FermiDiracExplorer, RankedSegments, ROCExplorer
from rocviz.widgets.roc.data import Scored

EXPLORERS = [ROCExplorer, FermiDiracExplorer, DecisionExplorer]


@pytest.fixture
def samples():
    rng = np.random.default_rng(0)
    y = rng.random(400) < 0.3
    return y, np.clip(rng.normal(0.4, 0.15, 400) + 0.2 * y, 0, 1).round(2)


@pytest.mark.parametrize("explorer", EXPLORERS)
def test_segments_give_the_pictures_of_their_samples(explorer, samples):
    counted = explorer(RankedSegments.from_scores(*samples))
    whole = explorer(*samples)
    assert counted.sentence == whole.sentence
    counted.close()
    whole.close()


def test_halves_are_of_samples_not_of_segments(samples):
    assert Scored(samples[0], {"model": samples[1]}).can_hold_out()
    assert not Scored.from_segments(RankedSegments.from_scores(*samples)).can_hold_out()


@pytest.mark.parametrize("explorer", EXPLORERS)
@pytest.mark.parametrize("named", [True, False])
def test_code_recounts_the_pieces(explorer, named, samples, monkeypatch, capsys):
    segments = RankedSegments.from_scores(*samples)
    if named:
        monkeypatch.setattr("__main__.my_segments", segments, raising=False)
    opened = explorer(segments)
    assert ("my_segments.to_samples()" in opened.code()) == named
    space = {"my_segments": segments}
    exec(opened.code(), space)
    assert capsys.readouterr().out
    assert space["sample_weight"].sum() == 400
    opened.close()


def test_pieces_are_explored():
    rng = np.random.default_rng(1)
    pieces = ((rng.random(1000) < 0.5, rng.random(1000)) for _ in range(5))
    explorer = ROCExplorer(RankedSegments.from_partitions(pieces, max_segments=300))
    explorer.threshold = 0.5
    table = explorer.result.table
    assert table.tp + table.fp + table.fn + table.tn == 5000
    explorer.close()


@pytest.mark.parametrize(
    ("explorer", "more"),
    [
        (ROCExplorer, {"y_score": [1, 2]}),
        (ROCExplorer, {"pos_label": 1}),
        (ROCExplorer, {"sample_weight": [1, 2]}),
        (FermiDiracExplorer, {"y_score": [1, 2]}),
        (DecisionExplorer, {"y_prob": [1, 0]}),
    ],
)
def test_segments_must_come_alone(explorer, more):
    with pytest.raises(ValueError, match="give nothing else with them"):
        explorer(RankedSegments([2, 1], [3, 1], [1, 3]), **more)


def test_a_level_for_each_of_a_billion_samples_is_refused():
    with pytest.raises(ValueError, match="up to 10,000,000 samples; it has 1,000,000,000"):
        rocviz.FermiDiracExplorer(RankedSegments([2, 1], [3e8, 2e8], [1e8, 4e8]))


@pytest.mark.parametrize(
    ("segments", "message"),
    [
        (RankedSegments([1, 0], [3e8, 2e8], [1e8, 4e8]), "up to 1,000,000 .* have 1,000,000,000"),
        (RankedSegments([1, 0], [3, 1], [1, 3], highest=[1, 0.5]), "different scores"),
        (RankedSegments([1, 0], [3, 1.5], [1, 3]), "whole numbers of samples"),
        (RankedSegments([2, 1], [3, 1], [1, 3]), r"y_prob must be .*\[0, 1\]"),
    ],
)
def test_decisions_are_about_single_samples(segments, message):
    with pytest.raises(ValueError, match=message):
        DecisionExplorer(segments)
