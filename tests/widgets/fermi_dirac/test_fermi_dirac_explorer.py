"""The Fermi-Dirac explorer: one state in two descriptions, without a browser."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest
import traitlets
from page import Page

from rocviz import FermiDirac, FermiDiracExplorer, RankedSegments, auc_interval
from rocviz.core.roc.auc_intervals import METHODS
from rocviz.displays.fermi_dirac.pictures import law_points
from rocviz.widgets.fermi_dirac.result import Ranked
from rocviz.widgets.fermi_dirac.state import TEMPERATURES, FermiDiracState

RNG = np.random.default_rng(3)
Y = (RNG.random(60) < 0.4).astype(int)
S = np.round(RNG.normal(size=60) + 1.2 * Y, 1)


@pytest.fixture
def state():
    return FermiDiracState()


def same_law(state):
    """Whether both descriptions on the state are those of one law."""
    law = FermiDirac.from_auc(state.auc, state.n_pos, state.n_samples - state.n_pos)
    assert state.temperature == pytest.approx(law.temperature / state.n_samples, rel=1e-7)
    assert state.chemical_potential == pytest.approx(law.chemical_potential, rel=1e-7)
    return law


def test_auc_and_prevalence_move_temperature_and_potential(state):
    state.update(auc=0.9, prevalence=0.5)
    law = same_law(state)
    assert law.chemical_potential == pytest.approx(50.5)
    assert 1 / (state.temperature * 100) == pytest.approx(0.0756127, rel=1e-5)


def test_the_potential_moves_the_prevalence_and_keeps_the_temperature(state):
    before = state.temperature
    state.chemical_potential = 60.0
    assert state.temperature == before
    assert state.chemical_potential == pytest.approx(60, abs=1)
    assert state.prevalence == pytest.approx(0.56, abs=0.03)
    same_law(state)


@pytest.mark.parametrize("auc", [0.8, 0.3, 1.0, 0.0])
def test_the_smallest_step_of_the_potential_is_one_positive(auc):
    state = FermiDiracState(auc=auc)
    up = 1 if auc >= 0.5 else -1
    for step, n_pos in ((0.3, 40 + up), (0.3, 40 + 2 * up), (-0.3, 40 + up)):
        state.chemical_potential += step
        assert state.n_pos == n_pos
    assert state.auc == pytest.approx(auc, abs=0.01)


def test_at_infinite_temperature_the_potential_only_counts():
    state = FermiDiracState(auc=0.5, prevalence=0.5)
    state.chemical_potential = 60.0
    assert (state.auc, state.n_pos) == (0.5, 51)


@pytest.mark.parametrize("index", range(0, len(TEMPERATURES), 7))
def test_heating_goes_from_perfect_through_random_to_worse(state, index):
    state.temperature = TEMPERATURES[index]
    half = len(TEMPERATURES) // 2
    assert np.sign(0.5 - state.auc) == np.sign(index - half)
    assert state.prevalence == 0.4
    law = state.result.law
    assert np.isfinite(law_points(law)[1]).all()
    assert law.n_pos == 40


def test_the_ends_and_the_middle_are_exact(state):
    for temperature, auc in ((0.0, 1.0), (np.inf, 0.5), (-0.0, 0.0)):
        state.temperature = temperature
        assert state.auc == auc
    assert state.temperature == 0
    assert "sunk to the very bottom" in state.sentence


def test_own_data_open_on_their_own_auc():
    state = FermiDiracState(Ranked.from_scores(Y, S))
    segments = RankedSegments.from_scores(Y, S)
    assert state.preset == "own data"
    assert (state.auc, state.n_samples, state.n_pos) == (segments.auc, 60, Y.sum())
    fit = state.controls()["fit"]
    assert not fit.is_enabled(state)  # it is theirs already
    state.auc = 0.6
    assert fit.is_enabled(state)
    assert state.result.ranked.segments.auc == segments.auc
    state.fit()
    assert state.auc == segments.auc
    with pytest.raises(traitlets.TraitError, match="n_samples is fixed by your data at 60"):
        state.n_samples = 80
    assert state.n_samples == 60
    state.preset = "warm"
    assert state.n_samples == 100
    state.reset()
    assert state.n_samples == 60


def test_the_best_empirical_rank_is_where_balanced_accuracy_peaks():
    ranked = Ranked.from_labels(np.array([1, 1, 0, 1, 0, 0]))
    assert ranked.best_threshold_rank() == 3.5  # after 2 and after 4 positives ranks are as good
    segments = Ranked.from_scores(Y, S).segments
    informedness = segments.tpr - segments.fpr
    n_before = segments.cumulative_pos + segments.cumulative_neg
    is_best = informedness >= informedness.max() - 1e-12
    best = Ranked.from_scores(Y, S).best_threshold_rank() - 0.5
    assert n_before[is_best].min() <= best <= n_before[is_best].max()


@pytest.mark.parametrize(
    "make",
    [
        lambda: FermiDiracState(auc=0.77, seed=4),
        lambda: FermiDiracState(Ranked.from_scores(Y, S)),
        lambda: FermiDiracState(Ranked.from_scores(np.where(Y == 1, "a", "b"), S, "a")),
    ],
)
def test_the_code_shown_gives_the_numbers_shown(make, run_code):
    state = make()
    names, printed = run_code(state.code())
    assert names["law"].beta == pytest.approx(state.result.law.beta, rel=1e-9)
    for interval in state.result.intervals:
        assert repr(interval.method) in printed
        assert f"lower={interval.lower:.6g}" in printed


@pytest.fixture
def explorer():
    explorer = FermiDiracExplorer()
    yield explorer
    explorer.close()


@pytest.fixture
def page(explorer):
    return Page(explorer)


def test_every_slider_follows_every_other(explorer, page):
    explorer.auc = 0.5
    assert TEMPERATURES[page.control("temperature")["position"]] == float("inf")
    assert page.control("temperature")["text"] == "∞"
    page.move("temperature", position=0)
    assert explorer.auc == 1.0
    page.move("temperature", position=len(TEMPERATURES) - 1)
    assert explorer.auc == 0.0
    page.move("temperature", position=30)
    page.move("chemical_potential", position=54)
    assert (explorer.n_pos, explorer.temperature) == (55, TEMPERATURES[30])
    page.move("chemical_potential", typed="40.5")
    assert explorer.chemical_potential == pytest.approx(40.5, abs=1)
    page.move("chemical_potential", typed="-1e9")
    assert page.control("chemical_potential")["problem"].endswith(" is the nearest there is.")
    with pytest.raises(ValueError, match="n_pos must be from 1 to 99"):
        explorer.set_n_pos(100)
    explorer.preset = "large"
    assert page.control("chemical_potential")["steps"] == 4998
    assert page.control("chemical_potential")["position"] == explorer.n_pos - 1


def test_intervals_of_own_data_are_computed_once(monkeypatch):
    from rocviz.widgets.fermi_dirac import result

    methods = []
    auc_spread = result.auc_spread

    def counted_spread(*arguments, method, **options):
        methods.append(method)
        return auc_spread(*arguments, method=method, **options)

    monkeypatch.setattr(result, "auc_spread", counted_spread)
    state = FermiDiracState(Ranked.from_scores(Y, S))
    assert methods == list(METHODS)
    before = state.result.intervals
    state.temperature = 0.3
    state.auc = 0.7
    assert state.result.intervals == before
    state.confidence = 0.9
    assert len(methods) == len(METHODS)
    options = {"confidence": 0.9, "n_resamples": 500, "random_state": 0}
    for method, interval in zip(METHODS, state.result.intervals, strict=True):
        assert interval == auc_interval(Y, S, method=method, **options)


@pytest.mark.parametrize("data", [{}, {"y_true": Y, "y_score": S}], ids=["sandbox", "own"])
def test_slow_resampling_follows_later(monkeypatch, data):
    monkeypatch.setattr("rocviz.widgets.fermi_dirac.explorer.MAX_SAMPLES_OF_QUICK_BOOTSTRAP", 1)
    monkeypatch.setattr("rocviz.widgets.fermi_dirac.state.MAX_SAMPLES_OF_QUICK_INTERVALS", 1)

    async def cell():
        explorer = FermiDiracExplorer(**data)
        page = Page(explorer)
        assert (explorer.is_preview, len(explorer.result.intervals)) == (True, 5)
        assert "follows later" in page.marks("intervals")["words"].text
        explorer.finish()
        assert len(explorer.result.intervals) == 6
        explorer.confidence = 0.5
        assert not explorer.is_preview
        if not data:
            drawn = explorer.result.ranked
            explorer.auc = 0.6
            assert explorer.is_preview
            assert (explorer.result.law.auc, explorer.result.ranked) == (0.6, drawn)
        explorer.close()

    asyncio.run(cell())


def test_a_fallback_is_named():
    state = FermiDiracState(Ranked.from_scores([0, 1], [0.2, 0.7]))
    assert all(interval.is_fallback for interval in state.result.intervals)
    assert "exact, as widened DeLong finds no variance" in state.sentences[1].text
    explorer = FermiDiracExplorer([0, 1], [0.2, 0.7])
    marks = Page(explorer).marks("intervals")
    assert list(marks["names"].text) == ["exact"] * 6
    np.testing.assert_allclose(marks["bars"].x, [[0.025, 1.0]] * 6)
    explorer.focus = "intervals"
    marks = Page(explorer).marks("intervals")
    assert list(marks["words"].text) == ["0.025 to 1.000"] * 6
    explorer.close()


def test_a_small_picture_has_the_intervals_as_bars(explorer, page):
    marks = page.marks("intervals")
    expected = [[interval.lower, interval.upper] for interval in explorer.result.intervals]
    assert marks["bars"].x.tolist() == expected
    assert marks["points"].x.tolist() == [explorer.result.ranked.segments.auc] * len(expected)
    assert len(marks["names"].text) == len(expected)
    assert marks["names"].x.max() < marks["tracks"].x.min()
    assert "words" not in marks


@pytest.mark.parametrize("focus", ["levels", "roc"])
def test_the_handle_of_the_potential_is_at_the_foot_of_its_line(explorer, page, focus):
    explorer.focus = focus
    marks = page.marks("levels")
    handle, line = marks["potential"], marks["middle"]
    assert handle.x[0] == line.x[0] == explorer.chemical_potential
    assert handle.y[0] == line.y.min() < 0  # away from the curve, which has a handle of its own
    low, _ = page.axes("levels")[1]["limits"]
    assert handle.y[0] > low


def test_no_line_is_drawn_over_the_samples(explorer, page):
    explorer.show_best = True
    names = list(page.marks("levels"))
    first = min(names.index(f"{role} samples") for role in ("positive", "negative"))
    assert max(names.index(name) for name in ("curve", "middle", "best", "prior")) < first


def test_dashed_curves_are_the_law_at_half_and_twice_the_temperature(explorer, page):
    law = explorer.result.law
    for name, factor in (("half", 0.5), ("twice", 2.0)):
        drawn = page.marks("levels")[f"{name} temperature"]
        n_neg = explorer.n_samples - explorer.n_pos
        other = FermiDirac.from_temperature(factor * law.temperature, explorer.n_pos, n_neg)
        assert drawn.y == pytest.approx(other.probability(drawn.x), abs=1e-6)
    assert "dashed" in explorer.sentences[2].text
    explorer.temperature = 0.0  # a step has no half
    assert "half temperature" not in page.marks("levels")
    assert "dashed" not in explorer.sentences[2].text


def test_a_potential_beyond_the_ranks_is_an_arrow_at_the_edge(explorer, page):
    explorer.preset = "few positives"
    assert explorer.chemical_potential < 0
    assert page.marks("levels")["potential"].arrow == "◀"
    assert "middle" not in page.marks("levels")
    explorer.preset = "warm"
    assert page.marks("levels")["potential"].arrow == ""


@pytest.mark.parametrize("prevalence", [0.05, 0.4, 0.5, 0.9])
def test_the_handle_on_the_curve_heats_the_ranking(explorer, page, prevalence):
    explorer.prevalence = prevalence
    n_pos = explorer.n_pos
    areas = []
    for height in (2.0, 0.9, 0.6, 0.3, 0.05, -1.0):
        page.drag("levels", "heat", 0.0, height)
        assert explorer.temperature in TEMPERATURES
        assert explorer.n_pos == n_pos
        areas.append(explorer.auc)
        handle = page.marks("levels")["heat"]
        assert handle.y[0] == explorer.result.law.probability(handle.x[0])
        # no temperature of the slider is nearer to the mouse
        here = TEMPERATURES.index(explorer.temperature) if explorer.temperature else None
        for place in () if here is None else (here - 1, here + 1):
            law = FermiDirac.from_temperature(TEMPERATURES[place] * 100, n_pos, 100 - n_pos)
            aside = law.probability(handle.x[0])
            assert abs(aside - height) >= abs(handle.y[0] - height) - 1e-12
    assert areas == sorted(areas, reverse=True)
    assert (areas[0], areas[-1]) == (1.0, 0.0)


def test_columns_have_as_many_dots_as_samples(explorer, page):
    for auc in (1.0, 0.8, 0.3):
        explorer.auc = auc
        marks = page.marks("levels")
        label = explorer.result.ranked.label.reshape(10, 10)
        for name, counts in (("positive", label.sum(axis=1)), ("negative", (~label).sum(axis=1))):
            dots = marks[f"{name} samples"]
            column = np.round((dots.x - 5.5) / 10).astype(int)
            assert np.bincount(column, minlength=10).tolist() == counts.tolist()
    explorer.n_samples = 1000  # a dot is several samples
    assert (
        sum(len(page.marks("levels")[f"{name} samples"].x) for name in ("positive", "negative"))
        == 200
    )
    assert page.axes("levels")[0]["label"] == "rank; a dot is 5 samples"


def test_the_threshold_rank_is_marked_on_request(explorer, page):
    for panel, mark in (("levels", "best"), ("roc", "best"), ("levels", "best words")):
        assert mark not in page.marks(panel)
    explorer.show_best = True
    marks = page.marks("levels")
    rank = explorer.result.law.threshold_rank
    assert marks["best"].x[0] == rank
    assert marks["best words"].text[0] == f"r* = {rank:.1f}"
    assert "best" in page.marks("roc")


def test_coverage_is_simulated_and_shown(explorer, page):
    explorer.update(auc=0.8, n_samples=50)
    page.move("simulate")
    explorer.simulation.wait(120)
    assert explorer.coverage.n_repeats == 1500
    assert "%" in explorer.coverage_of("delong")
    text = page.marks("intervals")["words"].text[METHODS.index("delong")]
    assert text == f"covers {explorer.coverage_of('delong')}"
    explorer.auc = 1.0
    page.move("simulate")
    explorer.simulation.wait(120)
    assert "raise the temperature" in page.drawer


def test_ties_show_no_order():
    state = FermiDiracState(Ranked.from_scores(np.repeat([1, 0], 50), np.full(100, 0.5)))
    assert state.result.slices.frequency == pytest.approx(0.5)
    assert state.result.slices.n.sum() == 100


def test_own_data_may_be_tiny_or_large():
    state = FermiDiracState(Ranked.from_scores([0, 1, 1], [1, 2, 3]))
    assert (state.n_samples, state.auc) == (3, 1.0)
    large = np.arange(150_000)
    assert FermiDiracState(Ranked.from_scores(large % 3 == 0, large % 1009)).n_samples == 150_000
    with pytest.raises(traitlets.TraitError, match="from 4 to 100,000 in the sandbox"):
        FermiDiracState(n_samples=150_000)


@pytest.mark.parametrize("potential", [float("inf"), -float("inf"), 1e9, -1e9])
@pytest.mark.parametrize("auc", [1.0, 0.8, 0.5, 0.3])
def test_a_distant_potential_leaves_one_sample_of_the_rarer_class(auc, potential):
    state = FermiDiracState(auc=auc)
    state.chemical_potential = potential
    assert 1 <= state.n_pos <= 99


@pytest.mark.parametrize(
    ("auc", "contained", "missing"),
    [(0.8, "Before rank r*", "After"), (0.3, "After rank r*", "best at"), (0.5, "any other", "r*")],
)
def test_the_sentence_has_the_correct_side_of_the_threshold(auc, contained, missing):
    text = FermiDiracState(auc=auc).sentences[1].text
    assert contained in text
    assert missing not in text


@pytest.mark.parametrize(("auc", "verb"), [(1.0, "fills"), (0.5, "is anywhere")])
def test_one_positive_is_written_in_the_singular(auc, verb):
    assert f"one positive {verb}" in FermiDiracState(auc=auc, prevalence=0.01).sentence
