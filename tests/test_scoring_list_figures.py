"""The command that draws the paper's figures, on a few people and two splits."""

import json

import numpy as np
import pytest
from sklearn.model_selection import ShuffleSplit

from rocviz import ProbabilisticScoringList
from rocviz.datasets import make_chest_pain


@pytest.fixture
def figures(root, monkeypatch):
    monkeypatch.syspath_prepend(str(root / "benchmarks"))
    import scoring_list_figures

    return scoring_list_figures


def test_all_lists_are_counted_and_none_beats_the_best(figures):
    X, y = make_chest_pain(300, return_X_y=True)
    X = X[:, :4].astype(float)
    lists, number = figures.every_list(X, y, (-1, 1), 1000, np.random.default_rng(0))
    assert number == [1, 8, 24, 32, 16]
    assert [len(values) for values in lists] == number
    for k in (1, 2, 4):
        best = ProbabilisticScoringList(
            (-1, 1), search="exhaustive", objective="last", max_stages=k
        ).fit(X, y)
        assert lists[k].min() == pytest.approx(best.stage_losses_[-1])
    drawn, _ = figures.every_list(X, y, (-1, 1), 20, np.random.default_rng(0))
    assert [len(values) for values in drawn] == [1, 8, 20, 20, 16]
    for some, every in zip(drawn, lists, strict=True):
        assert np.isin(some.round(9), every.round(9)).all()


def test_every_curve_is_printed_and_drawn(figures, monkeypatch, tmp_path, capsys):
    options = ["--samples", "150", "--splits", "2", "--lists", "200", "--out", str(tmp_path)]
    options += ["--table", str(tmp_path / "curves.csv")]
    monkeypatch.setattr("sys.argv", ["figures", *options])
    figures.main()
    output = capsys.readouterr().out
    assert output.startswith("Chest pain (synthetic): 150 x 10, 17 positive, 2 splits")
    for curve in ("in it, all", "PSL, beta", "logistic, L2", "from pairs", "PSL, ±1, ±2"):
        line = next(line for line in output.splitlines() if line.startswith(curve))
        assert len(line.removeprefix(curve).split("±")[0].split()) == 11
    header, *rows = (tmp_path / "curves.csv").read_text("utf-8").splitlines()
    assert header == "figure,curve," + ",".join(map(str, range(11)))
    assert {row.split(",")[0] for row in rows} >= {"entropy", "brier", "cures", "all lists"}
    pictures = sorted(path.name for path in tmp_path.glob("*.png"))
    assert pictures == [
        "scoring-lists-chest-pain-synthetic-dark.png",
        "scoring-lists-chest-pain-synthetic-light.png",
    ]


def test_lists_of_another_program_are_compared(figures, monkeypatch, tmp_path, capsys):
    X, y = make_chest_pain(200, return_X_y=True)
    data = tmp_path / "data.csv"
    table = np.column_stack((X, y))
    np.savetxt(data, table, delimiter=",", header=",".join("abcdefghijk"), comments="")
    train, test = next(ShuffleSplit(1, test_size=0.33, random_state=0).split(X))
    model = ProbabilisticScoringList(binarize="preprocess").fit(X[train], y[train])
    theirs = {
        "fold": 0,
        "features": model.features_.tolist(),
        "scores": [*model.scores_.tolist()[:-1], 7],
        "thresholds": model.thresholds_.tolist(),
        "train_ent": (model.stage_losses_ + 0.01).tolist(),
        "test_brier": model.evaluate(X[test], y[test]).brier.tolist(),
    }
    reference = tmp_path / "reference.json"
    reference.write_text(json.dumps({"x|psl_prebin|isotonic": {"models": [theirs]}, "x|y|z": {}}))
    options = ["--data", str(data), "--reference", str(reference)]
    monkeypatch.setattr("sys.argv", ["figures", *options])
    figures.main()
    output = capsys.readouterr().out
    assert "ours minus theirs from -0.01 to -0.01" in output
    assert "the same stages for the first 9.0 on average" in output
    lines = dict(
        line.rsplit("  ", 1) for line in output.splitlines() if line.startswith("test Brier")
    )
    assert len(lines) == 2
    assert len(set(lines.values())) == 1
