"""Explorers use the names of classes, of scores and of models in sentences and pictures."""

import contextlib
import io
import json
import re
import zlib

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rocviz import (
    DecisionExplorer,
    EnsembleExplorer,
    FermiDiracExplorer,
    GroupsExplorer,
    LexicographicExplorer,
    MulticlassExplorer,
    RankedSegments,
    RankingLossExplorer,
    ROCExplorer,
    ScoringList,
    ScoringListExplorer,
)
from rocviz.core.base.naming import score_name
from rocviz.core.curve_spaces.spaces import SPACES
from rocviz.widgets.roc.view import (
    confusion_note,
    pairs_picture,
    people_picture,
    scores_picture,
)
from rocviz.words import ClassNames

RNG = np.random.default_rng(0)
Y = (np.arange(60) % 3 == 0).astype(int)
SCORE = np.clip(0.3 + 0.3 * Y + RNG.normal(0, 0.15, Y.size), 0, 1).round(3)
SCORE[1] = 1.0  # of a negative: where errors of its kind cost most, no threshold is best
KIND = np.where(Y == 1, "malignant", "benign")
LONG = "a tumour that has spread to several of the neighbouring organs"


def texts(explorer):
    """Collect all words in the picture of the scores."""
    picture = scores_picture(explorer, explorer.result, True)
    pairs = pairs_picture(explorer, explorer.result, True)
    assert pairs.x.label.startswith(explorer.class_names.shortened().negatives)
    return [text for mark in picture.marks for text in getattr(mark, "text", ())]


@pytest.fixture
def opened():
    """Open explorers that are closed after the test."""
    explorers = []

    def open_(*data, **inputs):
        explorers.append(ROCExplorer(*data, show_band=False, **inputs))
        return explorers[-1]

    yield open_
    for explorer in explorers:
        explorer.close()


@pytest.mark.parametrize(
    ("labels", "positives", "predicted"),
    [
        ((0, 1), "positives", "positive"),
        ((1, 0), "positives", "positive"),
        ((-1, 1), "positives", "positive"),
        ((False, True), "positives", "positive"),
        (("negative", "positive"), "positives", "positive"),
        (("benign", "malignant"), "malignant", "malignant"),
        (("ham", "spam"), "spam", "spam"),
        ((1, 2), "labelled 2", "2"),
        ((1.0, 2.0), "labelled 2", "2"),
        (("no", "yes"), "labelled yes", "yes"),
        (("<=50K", ">50K"), "labelled >50K", ">50K"),
        (("a", " two\n words "), "two words", "two words"),
        (("x", " "), "labelled ' '", "' '"),
    ],
)
def test_samples_are_named_by_their_labels(labels, positives, predicted):
    names = ClassNames.of(*labels)
    assert (names.positives, names.positive) == (positives, predicted)


def test_labels_that_read_alike_name_nothing():
    assert not ClassNames.of("a  b", "a b").is_named


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (("benign", "benign"), "labels gives two classes the same name, 'benign'"),
        (("a", "a "), "labels gives two classes the same name"),
        (("benign",), "labels must name two classes; got"),
        (("a", "b", "c"), "labels must name two classes; got"),
        (("benign", 1), "a name in labels must be text .*; got 1"),
        (("benign", " "), "labels must not hold a blank name"),
        (("benign", "\ud800"), "a name in labels must be text that can be encoded"),
        ("malignant", "labels must be the names of the negative and of the positive class"),
        (1, "labels must be the names of the negative and of the positive class"),
        ({"a", "b"}, "labels must be the names of the negative and of the positive class"),
        ({0: "benign", 2: "malignant"}, "labels names 2, which is not one of the labels 0, 1"),
        ({0: "benign"}, "labels must name two classes; got"),
    ],
)
def test_unsuitable_names_are_refused(labels, words):
    with pytest.raises(ValueError, match=words):
        ROCExplorer(Y, SCORE, labels=labels)


def test_names_without_data_are_refused():
    with pytest.raises(ValueError, match="labels must come with y_true and y_score"):
        ROCExplorer(labels=("benign", "malignant"))


@pytest.mark.parametrize(
    "data",
    [
        ((KIND, SCORE), {"pos_label": "malignant"}),
        ((Y, SCORE), {"labels": ("benign", "malignant")}),
        ((Y == 1, SCORE), {"labels": {True: "malignant", False: "benign"}}),
        ((RankedSegments.from_scores(Y, SCORE),), {"labels": ("benign", "malignant")}),
    ],
)
def test_the_roc_explorer_names_both_classes(opened, data):
    arguments, inputs = data
    explorer = opened(*arguments, **inputs, cost_fn=0.01)
    table = explorer.result.table
    found = f"finds {table.tp:n} of 20 malignant and raises {table.fp:n} false alarm"
    assert found in explorer.sentence
    assert "among 40 benign" in explorer.sentence
    assert "never predicting malignant is cheaper" in explorer.sentence
    notes = " ".join(sentence.text for sentence in explorer.sentences[1:])
    assert "of those predicted malignant really are malignant" in notes
    assert explorer.about == "own data · 20 malignant, 40 benign"
    assert {"malignant", "benign"} <= set(texts(explorer))
    note = confusion_note(explorer, explorer.result, is_large=True)
    assert '<th class="is-positive" title="malignant">+ malignant</th>' in note
    explorer.update(cost_fn=1.0, cost_referral=0.1, refer=True)
    assert "malignant" in explorer.sentence
    assert "benign" in explorer.sentence
    assert 'title="benign"' in confusion_note(explorer, explorer.result, is_large=True)


def test_data_that_do_not_say_have_positives_and_negatives(opened):
    explorer = opened(Y, SCORE)
    assert "of 20 positives and raises" in explorer.sentence
    assert "among" not in explorer.sentence
    assert "negatives" in texts(explorer)
    assert "is +" in confusion_note(explorer, explorer.result, is_large=True)


def test_the_code_names_the_classes(opened):
    explorer = opened(Y.tolist(), SCORE.tolist(), labels=("benign", "malignant"))
    printed = io.StringIO()
    explorer.threshold = float(SCORE[2])
    with contextlib.redirect_stdout(printed):
        exec(explorer.code(), {})
    table = explorer.result.table
    counts = f"{table.tp} malignant found {table.fp} benign predicted malignant"
    assert counts in printed.getvalue()


def test_long_names_are_short_in_pictures_and_whole_in_notes(opened):
    explorer = opened(Y, SCORE, labels=("benign", LONG))
    assert LONG not in explorer.sentence
    assert " of 20 a tumour that has… and raises " in explorer.sentence
    assert any(LONG in sentence.text for sentence in explorer.sentences[1:])
    assert all(len(text) <= 24 for text in texts(explorer))
    assert f'title="{LONG}"' in confusion_note(explorer, explorer.result, is_large=False)


def test_names_are_text_and_no_markup(opened):
    explorer = opened(Y, SCORE, labels=("<b>", "<i>"))
    note = confusion_note(explorer, explorer.result, is_large=True)
    assert "<i>" not in note
    assert "&lt;i&gt;" in note
    assert "<i>" not in explorer.first_sentence.html


@pytest.mark.parametrize(
    "score",
    [
        pd.Series(SCORE, name="CA 125 (U/ml)"),
        pd.DataFrame({"CA 125 (U/ml)": SCORE}),
    ],
)
def test_a_score_has_the_name_of_its_column(opened, score):
    explorer = opened(Y, score, focus="scores")
    assert "CA 125 (U/ml) finds" in explorer.sentence
    picture = scores_picture(explorer, explorer.result, True)
    assert picture.x.label == "CA 125 (U/ml)"
    assert "CA 125 (U/ml)" in people_picture(explorer, explorer.result, True)["ends"].text
    assert score_name(pd.Series(SCORE)) is None


def test_a_single_model_is_named(opened):
    explorer = opened(Y, {"forest": SCORE})
    assert " forest finds " in explorer.sentence
    assert "the classifier finds" in opened(Y, SCORE).sentence


def test_a_pipeline_has_the_name_of_the_model_in_it():
    X = SCORE.reshape(-1, 1)
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, Y)
    explorer = ROCExplorer.from_estimator(model, X, Y, show_band=False)
    assert " LogisticRegression finds " in explorer.sentence
    explorer.close()


def test_a_recorded_page_names_the_classes(opened):
    explorer = opened(KIND, SCORE, pos_label="malignant", panels=["scores"])
    recording = explorer.record(threshold=[0.3, 0.6])
    (part,) = json.loads(zlib.decompress(recording.packed))["parts"].values()
    (column,) = [column for column in part["columns"] if column["name"] == "sentence"]
    assert len(column["values"]) > 1
    assert all(" malignant and raises" in sentence for sentence in column["values"])


BITS = np.column_stack((SCORE > 0.5, np.arange(Y.size) % 2, np.arange(Y.size) % 4 > 1)).astype(
    float
)
GROUPS = np.where(np.arange(Y.size) % 2 == 0, "A", "B")
SCORES = {"a": SCORE, "b": np.roll(SCORE, 3)}
BITS_LIST = ScoringList.from_counts([0, 1], [2, 1], BITS, Y)

#: How each explorer opens on labels.
OPENED = {
    "decision": lambda y, **names: DecisionExplorer(y, SCORE, **names),
    "ensemble": lambda y, **names: EnsembleExplorer(y, SCORES, **names),
    "Fermi-Dirac": lambda y, **names: FermiDiracExplorer(y, SCORE, **names),
    "groups": lambda y, **names: GroupsExplorer(y, SCORE, GROUPS, **names),
    "lexicographic": lambda y, **names: LexicographicExplorer(
        BITS, y, categorical_features=[0, 1, 2], **names
    ),
    "ranking loss": lambda y, **names: RankingLossExplorer(
        np.column_stack((SCORE, BITS[:, 1])), y, **names
    ),
    "ROC": lambda y, **names: ROCExplorer(y, SCORE, show_band=False, **names),
    "scoring list": lambda y, **names: ScoringListExplorer(BITS_LIST, BITS, y, **names),
}


def words_of(explorer):
    """Collect all that an explorer says: sentences, about, titles, words in large pictures."""
    said = [sentence.text for sentence in explorer.sentences]
    said.append(explorer.about)
    said += map(explorer.title, explorer.pictures)
    for panel in explorer._panels.values():
        picture = panel._draw(explorer, explorer.result, True)
        said += [picture.x.label, picture.y.label]
        for mark in picture.marks:
            said += [*getattr(mark, "text", ()), *(getattr(mark, "readings", None) or ())]
            for rows in getattr(mark, "choices", ()):
                said += [entry.text for entry in rows]
    return " | ".join(said)


#: What is called positive or negative whatever the classes' names.
OF_ANY_CLASS = re.compile(
    r"(true|false)\W+(positive|negative)s?( rate)?|(positive|negative) predictive value", re.I
)


@pytest.mark.parametrize("name", OPENED)
def test_every_explorer_of_two_classes_names_them(name):
    opens = OPENED[name]
    by_label = opens(KIND, pos_label="malignant")
    by_name = opens(Y, labels=("benign", "malignant"))
    nameless = opens(Y)
    words = words_of(by_label)
    assert "malignant" in words
    assert not re.findall(r".{20}\b(?:positive|negative)s?\b", OF_ANY_CLASS.sub("", words))
    assert words == words_of(by_name)
    assert "malignant" not in words_of(nameless)
    assert by_name.code().startswith("# positive: 'malignant', negative: 'benign'\n")
    for explorer in (by_label, by_name, nameless):
        explorer.close()


@pytest.mark.parametrize("space", SPACES)
def test_curves_in_every_space_name_the_classes(opened, space):
    named = opened(KIND, SCORE, pos_label="malignant", space=space)
    assert not re.findall(
        r".{20}\b(?:positive|negative)s?\b", OF_ANY_CLASS.sub("", words_of(named))
    )
    assert "malignant" not in words_of(opened(Y, SCORE, space=space))


def test_one_of_several_models_is_named_with_its_own_hull_too(opened):
    explorer = opened(Y, SCORES, hull_over="model", model="b")
    assert " b finds " in explorer.sentence


@pytest.mark.parametrize("name", OPENED)
def test_unsuitable_names_are_refused_by_every_explorer(name):
    for labels, words in (
        (("a", "a"), "labels gives two classes the same name, 'a'"),
        (("a",), "labels must name two classes"),
        (("a", 1), "a name in labels must be text"),
    ):
        with pytest.raises(ValueError, match=words):
            OPENED[name](Y, labels=labels)
    explorer = OPENED[name](Y)
    explorer.close()
    with pytest.raises(ValueError, match=r"labels must come with|go together"):
        type(explorer)(labels=("a", "b"))


@pytest.mark.parametrize(
    ("criterion", "words"),
    [
        ("none", "are predicted malignant and .* of those labelled malignant in it are found"),
        ("demographic_parity", "of both groups are predicted malignant"),
        ("equal_opportunity", "of those labelled malignant in both groups are found"),
        ("predictive_equality", "of those labelled benign in both groups are predicted malignant"),
        ("equalized_odds", "of those labelled benign raise a false alarm"),
        ("predictive_parity", "predicted malignant in both groups are malignant"),
    ],
)
def test_promises_name_the_classes(criterion, words):
    explorer = GroupsExplorer(KIND, SCORE, GROUPS, pos_label="malignant", criterion=criterion)
    assert re.search(words, explorer.sentence)
    explorer.close()


@pytest.mark.parametrize(
    ("k", "which"), [(0, "none of 60"), (5, "the top 5 of 60"), (60, "all 60")]
)
def test_decisions_name_the_class_that_is_predicted(k, which):
    named = DecisionExplorer(KIND, SCORE, pos_label="malignant", k=k)
    assert named.sentence.startswith(f"Predicting malignant for {which}")
    nameless = DecisionExplorer(Y, SCORE, k=k)
    assert nameless.sentence.startswith(f"Predicting {which} positive")
    for explorer in (named, nameless):
        explorer.close()


def test_tables_say_what_the_data_call_their_classes_score_and_model():
    score = pd.Series(SCORE, name="CA 125 (U/ml)")
    classes = {"positive": "malignant", "negative": "benign"}
    groups = np.where(np.arange(Y.size) % 2, "A", "B")
    probabilities = {"forest": SCORE}
    attributes = np.column_stack((SCORE > 0.4, np.arange(Y.size) % 2)).astype(int)
    named = {"pos_label": "malignant"}
    for explorer, expected in (
        (
            ROCExplorer(KIND, score, show_band=False, **named),
            {**classes, "score": score.name, "model": score.name},
        ),
        (
            ROCExplorer(KIND, probabilities, show_band=False, refer=True, **named),
            {**classes, "model": "forest"},
        ),
        (GroupsExplorer(KIND, score, groups, **named), {**classes, "score": score.name}),
        (DecisionExplorer(KIND, SCORE, **named), classes),
        (FermiDiracExplorer(KIND, SCORE, **named), classes),
        (LexicographicExplorer(attributes, KIND, **named), classes),
        (ROCExplorer(Y, SCORE, show_band=False, labels=("benign", "malignant")), classes),
        (ROCExplorer(Y, SCORE, show_band=False), {}),
    ):
        frame = explorer.to_frame()
        assert frame.attrs == expected, type(explorer).__name__
        # the columns of another data set have the same names
        other = type(explorer)(refer=True) if "zone" in frame.index.names else type(explorer)()
        plain = other.to_frame()
        assert set(plain.columns) <= set(frame.columns)
        assert bool(plain.attrs) == other.class_names.is_named
        other.close()
        explorer.close()


def test_before_any_question_nothing_is_decided():
    explorer = ScoringListExplorer(lower=0.0, upper=1.0, answers=())
    assert "Before any question nothing is decided. " in words_of(explorer)
    explorer.close()


def test_several_classes_have_the_names_that_are_given():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3
    prob = rng.dirichlet(np.ones(3), 60)
    names = ("healthy", "benign", "malignant")
    explorer = MulticlassExplorer(y, prob, labels=names)
    by_label = MulticlassExplorer(y, prob, labels=dict(enumerate(names)))
    assert explorer.names == by_label.names == names
    assert "healthy" in explorer.sentence
    explorer.update(label="malignant", one_vs_rest="malignant")
    assert "y_true == 2" in explorer.code()
    for one in (explorer, by_label):
        one.close()
    for wrong, words in (
        (names[:2], "labels must name 3 classes"),
        (("a", "b", "a"), "labels gives two classes the same name, 'a'"),
        ({5: "a"}, "labels names 5, which is not one of the labels 0, 1, 2"),
        ("abc", "labels must be the names of the classes in their order"),
    ):
        with pytest.raises(ValueError, match=words):
            MulticlassExplorer(y, prob, labels=wrong)
