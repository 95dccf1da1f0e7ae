"""Reports on more than two classes, from arrays and from files."""

import numpy as np
import pandas as pd
import pytest

from rocviz import cli, evaluation_report
from rocviz.core.multiclass import hand_till_auc, hand_till_covariance, multiclass_brier

CLASS_LABELS = ["cat", "dog", "owl"]


@pytest.fixture(scope="module")
def samples():
    rng = np.random.default_rng(2)
    code = np.arange(240) % 3
    tables = {}
    for name, weight in (("clear", 1.0), ("vague", 0.4)):
        prob = rng.dirichlet([1, 1, 1], 240) + weight * np.eye(3)[code]
        tables[name] = pd.DataFrame(prob / (1 + weight), columns=CLASS_LABELS)
    return np.array(CLASS_LABELS)[code], tables


def test_tables_have_the_numbers_of_the_core(samples):
    y, tables = samples
    report = evaluation_report(y, tables)
    assert repr(report) == "EvaluationReport: 240 samples, 2 models, 7 sections"
    ranking = report.to_frame("ranking").set_index("model")
    for name, table in tables.items():
        auc = hand_till_auc(y, table)
        assert ranking.loc[name, ["auc", "lower", "upper"]].tolist() == pytest.approx(
            [auc.auc, auc.lower, auc.upper]
        )
        assert ranking.loc[name, "macro"] == hand_till_auc(y, table, average="ovr-macro").auc
        right = (table.to_numpy().argmax(axis=1) == np.arange(240) % 3).mean()
        assert report.to_frame("predictions").set_index("model").loc[name, "accuracy"] == right
        calibration = report.to_frame("calibration").set_index("model")
        assert calibration.loc[name, "brier"] == pytest.approx(multiclass_brier(y, table).brier)
    pairs = hand_till_covariance(y, tables).pairs()
    np.testing.assert_allclose(report.to_frame("differences")["p_holm"], pairs["p_holm"])
    text_of_report = " ".join(text for section in report.sections for text in section.text)
    assert f"probability {ranking['auc'].max():.3f}" in text_of_report
    assert "clear ranks better than vague" in text_of_report
    assert "cat (80), dog (80) and owl (80)" in text_of_report


def test_one_model_page_and_figures(samples, tmp_path):
    y, tables = samples
    report = evaluation_report(y, tables["clear"])
    assert set(report.figures) == {"curves", "matrix", "triangle", "reliability"}
    page = report.to_html(tmp_path / "report.html").read_text("utf-8")
    assert page.count("<figure>") == 4
    assert "Differences between models" not in page


def test_weights_count_as_repetitions(samples):
    y, tables = samples
    times = 1 + np.arange(240) % 3
    weighted = evaluation_report(y, tables["vague"], sample_weight=times)
    rows = np.repeat(np.arange(240), times)
    repeated = evaluation_report(y[rows], tables["vague"].iloc[rows].reset_index(drop=True))
    for name in ("ranking", "predictions", "calibration"):
        pd.testing.assert_frame_equal(weighted.to_frame(name), repeated.to_frame(name))
    assert "weighted: 240 rows" in weighted.sections[0].facts


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y_score": np.full((240, 3), 1 / 3)}, "classes"),
        ({"y_score": {}}, "y_score is an empty mapping"),
        ({"groups": ["a"] * 240}, "groups must not be given for more than two classes"),
        ({"cost_fp": 1.0, "prevalence": 0.5}, "cost_fp and prevalence must not be given"),
        ({"pos_label": "cat"}, "exactly two classes"),
    ],
)
def test_bad_input_is_refused_by_name(samples, change, message):
    y, tables = samples
    with pytest.raises(ValueError, match=message):
        evaluation_report(**{"y_true": y, "y_score": tables["clear"], **change})
    if "y_score" not in change:
        wrong = tables["clear"].assign(cat=0.9)
        with pytest.raises(ValueError, match="y_score"):
            evaluation_report(y, wrong)


def test_a_file_with_a_column_for_each_class(samples, tmp_path, monkeypatch, capsys):
    y, tables = samples
    monkeypatch.chdir(tmp_path)
    table = tables["clear"].add_prefix("prob_").assign(kind=y, size=1.5)
    table.to_csv("animals.csv", index=False)
    assert cli.main(["report", "animals.csv", "--label", "kind", "-o", "page.md"]) == 0
    expected = evaluation_report(y, tables["clear"])
    written = (tmp_path / "page.md").read_text("utf-8")
    for section in expected.sections:
        for words in section.text:
            assert words in written
    for words, message in (
        (["--positive", "cat"], "leave out --positive"),
        (["--score", "prob_cat", "prob_dog"], "none is for 'owl'"),
        (["--cost-fn", "3"], "must not be given for more than two classes"),
    ):
        capsys.readouterr()
        assert cli.main(["report", "animals.csv", "--label", "kind", *words]) == 1
        assert message in capsys.readouterr().err
