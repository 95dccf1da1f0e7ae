"""ScoreCardDisplay: the card is right, fits the page, and can be printed."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from matplotlib import colors as mcolors
from matplotlib import pyplot as plt

from rocviz import ScoreCardDisplay, ScoringList
from rocviz.datasets import load_scoring_list_example
from rocviz.displays.scoring_lists.score_card import CardRow, card_rows, chance, interval
from rocviz.theme import Theme


def learned(d=6, calibration="isotonic", missing="error", names=None, thresholds=False, copies=1):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, d)) if thresholds else rng.random((500, d)) < 0.4
    scores = np.resize([1, -2, 1, 2, 3, -1], d)
    y = rng.random(500) < 1 / (1 + np.exp(1 - X @ scores))
    return ScoringList.from_counts(
        range(d),
        scores,
        X,
        y,
        thresholds=rng.normal(size=d) if thresholds else None,
        calibration=calibration,
        missing=missing,
        feature_names=names,
        sample_weight=np.full(500, copies),
    )


def printed(card):
    return [text.get_text() for text in card.ax_.texts]


def test_the_example():
    card = ScoreCardDisplay(load_scoring_list_example(), title="Table 1").plot(lower=0.1, upper=0.9)
    text = printed(card)
    assert text[0] == "Table 1"
    assert [text.index(name) for name in ("f3", "f1", "f2", "f4")] == sorted(
        text.index(name) for name in ("f3", "f1", "f2", "f4")
    )
    assert text.count("+1") == 2
    assert {"−2", "+2"} <= set(text)
    # (f3, f1): -2 says 0.1; (f3, f1, f2): 2 says 0.9; after f4: -2 and -1, 3 and 4
    assert text.count("−2 or less") == 2
    assert text.count("−1 or less") == text.count("2 or more") == text.count("3 or more") == 1
    assert [(row.low, row.high, row.least, row.zone) for row in card.rows_] == [
        (3, 4, 0.9, 1),
        (2, 2, 0.7, 0),
        (1, 1, 0.6, 0),
        (0, 0, 0.2, 0),
        (-2, -1, 0.1, -1),
    ]
    assert {"3 to 4", "−2 to −1", "90 %", "10 %", "rule in", "not sure", "rule out"} <= set(text)
    assert "interval" not in text
    assert any("written by hand" in words for words in text)


def test_counts_and_intervals():
    scoring_list = learned()
    card = ScoreCardDisplay(
        scoring_list, pos_label="heart disease", note="Synthetic. For teaching only."
    ).plot(confidence=0.9)
    stage = scoring_list.stages[6]
    band = scoring_list.stages[6].band(0.9)
    text = printed(card)
    for i, total in enumerate(stage.totals):
        (row,) = [row for row in card.rows_ if row.low <= total <= row.high]
        assert row.least == row.most == stage.probability[i]
        assert row.lower <= band.lower[i]
        assert row.upper >= band.upper[i]
        together = (stage.totals >= row.low) & (stage.totals <= row.high)
        assert row.n == stage.n[together].sum()
        assert f"{row.pos:.0f} of {row.n:.0f}" in text
        low, high = int(np.floor(100 * row.lower)), int(np.ceil(100 * row.upper))
        assert f"{low} – {high} %" in text
    pos = scoring_list.stages[0].pos[0]
    foot = "\n".join(text)
    assert f"From {pos:.0f} positive and {500 - pos:.0f} negative cases." in foot
    assert "Intervals: 90 % for all totals together, Clopper–Pearson." in foot
    assert "Synthetic. For teaching only." in text
    assert "heart disease" in text[1]
    assert "rule in" not in text
    plain = ScoreCardDisplay(scoring_list).plot(band=False)
    assert "interval" not in printed(plain)


def test_probabilities_from_counts_are_never_printed_as_certain():
    counted = CardRow(0, 0, 0.0, 0.0, 0.0, 0.3, 0.0, 14.0, 0)
    assert chance(counted) == "< 1 %"
    assert chance(replace(counted, most=0.003)) == "< 0.3 %"
    assert chance(replace(counted, least=1.0, most=1.0)) == "> 99 %"
    assert chance(replace(counted, least=0.995, most=1.0)) == "> 99.5 %"
    assert chance(replace(counted, n=np.nan)) == "0 %"
    assert chance(replace(counted, n=np.nan, least=1e-300, most=1e-300)) == "< 0.1 %"
    assert chance(replace(counted, most=1e-300)) == "< 0.1 %"


def test_intervals_near_0_and_1_are_rounded_outwards():
    next_to_zero = CardRow(0, 0, 0.0, 0.0, 0.0, 1e-16, 0.0, 14.0, 0)
    assert interval(next_to_zero) == "0 – 1 %"
    assert interval(replace(next_to_zero, lower=1 - 2**-53, upper=1.0)) == "99 – 100 %"
    assert interval(replace(next_to_zero, lower=0.3, upper=0.57)) == "30 – 57 %"


def test_limits_on_intervals():
    scoring_list = learned()
    point = ScoreCardDisplay(scoring_list).plot(lower=0.2, upper=0.8)
    whole = ScoreCardDisplay(scoring_list).plot(lower=0.2, upper=0.8, use="interval", band=False)

    def sure(card):
        return sum(row.n for row in card.rows_ if row.zone)

    band = scoring_list.stages[6].band()
    beyond = (band.upper <= 0.2) | (band.lower >= 0.8)
    assert sure(whole) == scoring_list.stages[6].n[beyond].sum() < sure(point)
    assert any("whole interval at least 80 %" in words for words in printed(whole))


def test_costs_decide_at_every_total():
    scoring_list = learned(calibration="beta")
    card = ScoreCardDisplay(scoring_list).plot(cost_fn=10)
    for row in card.rows_:
        assert row.zone == (1 if 10 * row.least > 1 - row.least else -1)
    text = printed(card)
    assert {"positive", "negative"} <= set(text)
    assert "stop if the total is" not in text
    assert any("at least 10 times as probable" in words for words in text)


def test_missing_values_have_their_points():
    text = printed(ScoreCardDisplay(learned(missing="zero")).plot())
    assert "not known" in text
    assert text.count("0") >= 6


def test_a_long_question_keeps_its_threshold():
    rng = np.random.default_rng(0)
    scoring_list = ScoringList.from_counts(
        [0, 1],
        [1, 2],
        rng.integers(0, 200_000, (60, 2)),
        rng.random(60) < 0.5,
        thresholds=[75_684.5, 157_117.5],
        feature_names=["platelets per cubic millimetre of blood " * 4, "a" * 200],
    )
    text = "\n".join(printed(ScoreCardDisplay(scoring_list).plot(lower=0.1, upper=0.9)))
    assert "… > 75684.5" in text
    assert "> 157117.5" in text


def test_a_card_of_the_first_questions():
    scoring_list = learned()
    text = printed(ScoreCardDisplay(scoring_list).plot(stage=2))
    assert "x1" in text
    assert "x2" not in text
    assert "What the total means after the last question" in text
    assert "What the total means after the question" in printed(
        ScoreCardDisplay(scoring_list).plot(stage=1)
    )


def test_rows_that_are_near_are_joined_but_never_across_a_limit():
    stage = learned(calibration="beta").stages[6]
    no = stage.probability <= 0.1
    yes = stage.probability >= 0.8
    band = stage.band()
    every = card_rows(stage, band, no, yes, 99)
    assert [row.low for row in every] == stage.totals.tolist()
    for room in (8, 5, 3, 1):
        rows = card_rows(stage, band, no, yes, room)
        assert len(rows) == max(room, 3)
        assert [row.zone for row in rows] == sorted((row.zone for row in rows), reverse=True)
        assert sum(row.n for row in rows) == stage.n_samples
        assert rows[0].high == stage.totals[0]
        assert rows[-1].low == stage.totals[-1]
        for upper, lower in pairwise(rows):
            assert upper.low > lower.high
            assert upper.least >= lower.most


# ---------------------------------------------------------------- the page

LONG_QUESTIONS = [
    "Pain that gets worse at effort",
    "Male, or woman past the menopause, with pain for more than a week",
    "A question " * 30,
    "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverleihung",
    "<&> $x_1^2$",
    "Smoker",
]

CARDS = {
    "example": (load_scoring_list_example, {"lower": 0.1, "upper": 0.9}),
    "negative points": (learned, {"lower": 0.1, "upper": 0.8}),
    "costs": (learned, {"cost_fn": 10}),
    "long words": (
        lambda: learned(names=LONG_QUESTIONS, missing="zero"),
        {"lower": 0.1, "upper": 0.9},
    ),
    "many": (
        lambda: learned(20, "beta", "zero", thresholds=True),
        {"lower": 0.1, "upper": 0.9, "use": "interval"},
    ),
    "most": (lambda: learned(36, "sigmoid"), {"lower": 0.3}),
    "many cases": (lambda: learned(copies=99), {"lower": 0.1, "upper": 0.8}),
    "no intervals": (lambda: learned(copies=99), {"band": False}),
    "one": (lambda: learned(1), {"upper": 0.5}),
}


@pytest.mark.parametrize("name", CARDS)
def test_everything_fits_on_the_page(name):
    # one kind of paper is the wider, the other the higher
    paper = ("a4", "letter")[list(CARDS).index(name) % 2]
    make, how = CARDS[name]
    card = ScoreCardDisplay(
        make(),
        title="A score card whose title takes more than a single line",
        pos_label="coronary heart disease",
        note="Made for a test. " * 12,
    ).plot(paper=paper, theme="light", **how)
    figure = card.figure_
    figure.draw_without_rendering()
    width, height = figure.get_size_inches()
    assert (round(width, 2), round(height, 2)) == {"a4": (8.27, 11.69), "letter": (8.5, 11.0)}[
        paper
    ]
    margin = 0.3 * figure.dpi
    boxes = [(text, text.get_window_extent()) for text in card.ax_.texts if text.get_text()]
    for text, box in boxes:
        assert box.x0 >= margin, text
        assert box.x1 <= figure.bbox.x1 - margin, text
        assert box.y0 >= margin, text
        assert box.y1 <= figure.bbox.y1 - margin, text
    for i, (first, box) in enumerate(boxes):
        for other, more in boxes[:i]:
            assert not box.shrunk(0.98, 0.7).overlaps(more.shrunk(0.98, 0.7)), (first, other)


def test_names_are_drawn_literally():
    card = ScoreCardDisplay(learned(names=LONG_QUESTIONS)).plot()
    assert "<&> $x_1^2$" in printed(card)
    card.figure_.draw_without_rendering()
    (text,) = [text for text in card.ax_.texts if text.get_text() == "<&> $x_1^2$"]
    assert not text.get_parse_math()


def test_themes():
    look = Theme(dark=True)
    card = ScoreCardDisplay(learned()).plot(theme=look)
    assert mcolors.same_color(card.figure_.get_facecolor(), look.colour("paper"))
    assert card.ax_.texts[0].get_color() == look.colour("text")
    hall = ScoreCardDisplay(learned()).plot(theme="lecture")
    assert hall.ax_.texts[0].get_size() == card.ax_.texts[0].get_size()


@pytest.mark.parametrize("kind", ["pdf", "svg", "png"])
def test_cards_can_be_printed(kind, tmp_path):
    card = ScoreCardDisplay(load_scoring_list_example())
    with pytest.raises(ValueError, match="not been drawn yet"):
        card.save(tmp_path / f"card.{kind}")
    card.plot().save(tmp_path / f"card.{kind}")
    written = (tmp_path / f"card.{kind}").read_bytes()
    assert len(written) > 5000
    if kind == "pdf":
        assert b"/MediaBox [ 0 0 595" in written
    if kind == "png":
        assert plt.imread(tmp_path / "card.png").shape[:2] == (2338, 1653)


def test_from_estimator():
    card = ScoreCardDisplay.from_estimator(
        load_scoring_list_example(), title="By hand", upper=0.9, paper="letter"
    )
    assert printed(card)[0] == "By hand"


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"stage": 0}, "stage must ask from 1 to 36 questions to fit a card; got 0"),
        ({"lower": 0.5, "upper": 0.1}, "lower must not be above upper"),
        ({"cost_fn": 3, "upper": 0.5}, "cost_fn and limits cannot be combined"),
    ],
)
def test_bad_input_makes_no_figure(how, message):
    with pytest.raises(ValueError, match=message):
        ScoreCardDisplay(learned()).plot(**how)
    assert plt.get_fignums() == []


def test_bad_lists_make_no_figure():
    with pytest.raises(ValueError, match="needs the band"):
        ScoreCardDisplay(load_scoring_list_example()).plot(upper=0.9, use="interval")
    with pytest.raises(ValueError, match="from 1 to 36 questions"):
        ScoreCardDisplay(learned(37)).plot()
    assert plt.get_fignums() == []
