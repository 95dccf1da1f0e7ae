"""The state of every explorer: copies are independent, and values are validated."""

import copy
import pickle
import random
from contextlib import nullcontext
from enum import IntEnum
from functools import partial

import numpy as np
import pytest
import traitlets

import rocviz
from rocviz.widgets.decisions.data import OwnBatch
from rocviz.widgets.decisions.state import DecisionState
from rocviz.widgets.ensembles.data import OwnScores
from rocviz.widgets.ensembles.state import EnsembleState
from rocviz.widgets.fermi_dirac.state import FermiDiracState
from rocviz.widgets.groups import GroupsState
from rocviz.widgets.lexicographic.data import OwnTable
from rocviz.widgets.lexicographic.state import LexicographicState
from rocviz.widgets.multiclass import MulticlassState
from rocviz.widgets.ranking_loss.state import RankingLossState
from rocviz.widgets.roc.data import Scored
from rocviz.widgets.roc.state import ROCState
from rocviz.widgets.scoring_lists.state import ScoringListState

# a state, and inputs that are not those it opens with
STATES = {
    "roc": (ROCState, {"threshold": 0.6}),
    "decision": (DecisionState, {"n_samples": 30}),
    "ensemble": (EnsembleState, {"n_classifiers": 3}),
    "groups": (GroupsState, {"criterion": "equalized_odds"}),
    "fermi_dirac": (FermiDiracState, {"auc": 0.9}),
    "multiclass": (MulticlassState, {"label": "B"}),
    "lexicographic": (LexicographicState, {"smoothing": 3.0}),
    "ranking_loss": (RankingLossState, {"calibration": "laplace-hull"}),
    "scoring_list": (ScoringListState, {"stage": 1}),
}
COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
}


@pytest.mark.parametrize("how", COPIES.values(), ids=COPIES.keys())
@pytest.mark.parametrize(("kind", "inputs"), STATES.values(), ids=STATES.keys())
def test_a_copy_is_independent(kind, inputs, how):
    state = kind()
    state.update(**inputs)
    before = state.inputs()
    sentence = state.sentence
    other = how(state)
    assert other.inputs() == before
    assert other.sentence == sentence
    # what the copy does is worked out anew, and is nothing to the original
    result = other.result
    other.reset()
    assert other.inputs() != before
    assert other.result is not result
    assert (state.inputs(), state.sentence) == (before, sentence)
    state.reset()
    assert (other.inputs(), other.sentence) == (state.inputs(), state.sentence)


@pytest.mark.parametrize(("kind", "inputs"), STATES.values(), ids=STATES.keys())
def test_results_can_be_pickled(kind, inputs):
    result = kind().result
    assert type(pickle.loads(pickle.dumps(result))) is type(result)
    assert type(copy.deepcopy(result)) is type(result)


Y = [0, 1, 0, 1, 1, 0]
SCORE = [0.1, 0.7, 0.3, 0.4, 0.9, 0.5]
BITS = [[0, 1], [1, 1], [0, 0], [1, 0], [1, 1], [0, 1]]


@pytest.mark.parametrize("how", COPIES.values(), ids=COPIES.keys())
@pytest.mark.parametrize(
    ("kind", "own"),
    [
        (ROCState, lambda: Scored(Y, {"a": np.array(SCORE)})),
        (DecisionState, lambda: OwnBatch(Y, SCORE)),
        (EnsembleState, lambda: OwnScores(Y, np.column_stack((SCORE, SCORE[::-1])))),
    ],
)
def test_copies_take_their_data_along(kind, own, how):
    state = kind(own())
    other = how(state)
    assert not other.is_sandbox
    assert other.sentence == state.sentence
    assert other.inputs() == state.inputs()


def test_copies_of_data_have_their_own_number():
    own = Scored(Y, {"a": np.array(SCORE)})
    assert copy.deepcopy(own).number != own.number


HOSTILE_VALUES = {
    "huge": 10**400,
    "array": np.array([1.0, 2.0]),
    "empty": np.array([]),
    "word": "x",
}
HOSTILE_VALUES |= {"nan": float("nan"), "nothing": None, "complex": 1j, "nested": [[]]}


class Shouting:
    """An object on which every operation raises."""

    __hash__ = None

    def __eq__(self, other):
        raise RuntimeError("do not compare me")


class Mute(Shouting):
    def __repr__(self):
        raise RuntimeError("do not look at me")


UNREADABLE = {"raises": Shouting(), "no repr": Mute(), "inside": (Mute(),), "10**5000": 10**5000}


@pytest.mark.parametrize("value", [*HOSTILE_VALUES, *UNREADABLE])
@pytest.mark.parametrize(("kind", "inputs"), STATES.values(), ids=STATES.keys())
def test_hostile_values_are_refused_by_name(kind, inputs, value):
    state = kind()
    settled = state.inputs()
    result = state.result
    plain = traitlets.Float, traitlets.Int, traitlets.Enum
    names = [name for name, trait in state.traits(input=True).items() if isinstance(trait, plain)]
    if value in UNREADABLE:
        names = [*state.input_names(), *state.view_names()]
    for name in names:
        with pytest.raises(traitlets.TraitError, match=name):
            setattr(state, name, {**HOSTILE_VALUES, **UNREADABLE}[value])
    assert state.inputs() == settled
    assert state.result is result


#: What each state refuses: its rules, and what only equals a value that it takes.
#: A score that ranks one of the groups hardly better than chance.
NO_COMMON_PRECISION = {"separation_b": 0.1, "criterion": "predictive_parity"}
REFUSED = [
    ("lexicographic", {"order": (1.0, 0.0)}, "order"),
    ("lexicographic", {"preferred": (1.0, 0.0)}, "preferred"),
    ("lexicographic", {"order": (None,)}, "order"),
    ("lexicographic", {"order": 10**400}, "order"),
    ("roc", {"joined": (None,)}, "joined"),
    ("roc", {"joined": ("f",)}, "joined"),
    ("roc", {"joined": (float("nan"),)}, "joined"),
    ("roc", {"joined": (1.5,)}, "joined"),
    ("roc", {"joined": (10**400,)}, "joined"),
    ("fermi_dirac", {"auc": True}, "auc"),
    ("fermi_dirac", {"auc": np.True_}, "auc"),
    ("roc", {"joined": (True,)}, "joined"),
    ("roc", {"metric": np.array("none")}, "metric"),  # equals "none"
    ("lexicographic", {"order": (True, False)}, "order"),
    ("ensemble", {"members": (True, np.True_)}, "members"),
    ("roc", {"threshold": 1.5}, "threshold must be from 0 to 1"),
    ("roc", {"threshold": float("inf")}, "threshold must be from 0 to 1"),
    ("roc", {"cost_fn": 3.0, "threshold": 7.0}, "threshold must be from 0 to 1"),
    ("roc", {"preset": "beauty"}, "preset must be one of good"),
    ("roc", {"model": "beauty"}, "model must be one of"),
    ("roc", {"joined": (0,)}, "joined must be boundaries"),
    ("roc", {"joined": (9999,)}, "joined must be boundaries"),
    ("decision", {"k": 13}, "k must be from 0 to 12"),
    ("decision", {"sample": 13}, "sample must be from 1 to 12"),
    ("decision", {"n_samples": 200_000}, "at most 100,000 in the sandbox"),
    ("decision", {"probabilities": (0.5, 1.5)}, "from 0 to 1"),
    ("decision", {"probabilities": (0.5,) * 31}, "at most 30 samples"),
    ("decision", {"compared_metrics": ("f", "g")}, "compared_metrics must be names"),
    ("ensemble", {"n_classifiers": 7, "members": ()}, "members is empty"),
    ("ensemble", {"members": ("nobody",)}, "members must be among 'classifier 1'"),
    ("ensemble", {"members": (7,)}, "members must be among"),
    ("ensemble", {"members": (0.5,)}, "members must be names or positions"),
    ("ensemble", {"item": 500}, "item must be one of the 500 evaluation rows"),
    ("ensemble", {"auc_low": 0.8, "auc_high": 0.6}, "auc_low must not exceed auc_high"),
    ("groups", {"predicted_positive_rates": (0.1, 0.2, 0.3)}, "predicted_positive_rates"),
    ("groups", {"predicted_positive_rates": (0.1, 2.0)}, "predicted_positive_rates"),
    ("groups", {"prevalences": (0.5, 1.0)}, "prevalences"),
    ("groups", {"prevalences": (0.5,)}, "prevalences"),
    ("groups", {"group": "Z"}, "group"),
    ("groups", NO_COMMON_PRECISION, "'predictive_parity' cannot be met within tolerance=0"),
    ("groups", {**NO_COMMON_PRECISION, "tolerance": 0.1}, "The costs of equal values cannot be"),
    ("lexicographic", {"m": 1e-300}, "m, prior and the weights of segments must"),
    ("lexicographic", {"order": (0, 0)}, "order must be different columns"),
    ("lexicographic", {"order": (2,)}, "order must be whole numbers from 0 to 1"),
    ("lexicographic", {"preferred": (1,)}, "one value per column, 2"),
    ("lexicographic", {"preferred": (1, 2)}, "preferred must be whole numbers from 0 to 1"),
    ("multiclass", {"point": (0.5, 0.5)}, "point must have a number for each of 3 classes"),
    ("multiclass", {"point": (0.5, 0.4, 0.3)}, "point must sum to 1; got 1.2"),
    ("multiclass", {"point": (1.0, 0.0, 0.0)}, "point must be positive numbers; got 0.0"),
    ("multiclass", {"miss_costs": (1.0, -1.0, 1.0)}, "miss_costs must be positive"),
    ("multiclass", {"prevalences": (0.5, 0.25)}, "prevalences must"),
    ("multiclass", {"label": "Z"}, "label must be one of 'A', 'B', 'C'; got 'Z'"),
    ("multiclass", {"one_vs_rest": "Z"}, "one_vs_rest must be one of 'A', 'B', 'C'; got 'Z'"),
    ("multiclass", {"corners": ("A", "B", "B")}, "corners must name 3 of 'A', 'B', 'C'"),
    ("multiclass", {"corners": (1, 2, 3)}, "corners must be names of classes"),
    ("ranking_loss", {"methods": ()}, "methods must be one or more"),
    ("ranking_loss", {"methods": ("forest",)}, "methods must be one or more"),
    ("ranking_loss", {"link": "sigmoid", "a": 0.0}, "a must be above 0 for a sigmoid"),
    ("ranking_loss", {"n_samples": 10, "border": 3.0, "a": 0.0}, "samples drawn are of one class"),
    ("scoring_list", {"by_interval": True}, "by_interval: This list was written by hand"),
    ("scoring_list", {"guarantee": 0.9}, "guarantee: A guarantee needs held-out samples"),
    ("scoring_list", {"risk_averse": True}, "risk_averse: This list was written by hand"),
    ("scoring_list", {"quantity": "auc"}, "quantity 'auc': This list was written by hand"),
    ("scoring_list", {"calibration": "beta"}, "calibration must be one of as given"),
    ("scoring_list", {"scores": (1, 1, 1, 1)}, "scores: To change the points, pass the samples"),
    ("scoring_list", {"scores": (1, 1)}, "scores must have one entry per question, 4; got 2"),
    ("scoring_list", {"scores": (1, 1, 1, 0.5)}, "scores must be whole numbers; got 0.5"),
    ("scoring_list", {"scores": (1, 1, 1, True)}, "scores must be whole numbers; got True"),
    ("scoring_list", {"feature_costs": (1, 1, 1, -1)}, "feature_costs must be numbers from 0 up"),
    ("scoring_list", {"answers": (2,)}, "answers must be 1 .yes., 0 .no. or None"),
    ("scoring_list", {"answers": (1,) * 5}, "answers must have one entry per question"),
    ("scoring_list", {"stage": 5}, "stage must be an integer of at least -5"),
    (
        "scoring_list",
        {"answers": (1, 0), "lower": 0.6, "upper": 0.4},
        "lower must not exceed upper",
    ),
]


# the data on which inputs are refused, where it is not those that an explorer opens on
REFUSED_ON = {
    "lexicographic": {"preset": "twenty instances"},
    "scoring_list": {"preset": "worked example"},
}


@pytest.mark.parametrize(("name", "inputs", "match"), REFUSED)
def test_refused_inputs_change_nothing(name, inputs, match):
    state = STATES[name][0](**REFUSED_ON.get(name, {}))
    settled = state.inputs()
    result = state.result
    sentence = state.sentence
    with pytest.raises(traitlets.TraitError, match=match):
        state.update(**inputs)
    assert state.inputs() == settled
    assert state.result is result
    assert state.sentence == sentence


@pytest.mark.parametrize("value", [["f"], np.array(["f", "x"]), 3, "X"])
def test_refusals_describe_values_in_place_of_text(value):
    with pytest.raises(traitlets.TraitError) as refused:
        DecisionState(metric=value)
    assert str(refused.value).startswith("metric must be one of accuracy, ")
    assert str(refused.value).endswith(f"; got {value!r}.")


def test_numpy_scalars_become_python_s():
    state = DecisionState(prevalence=np.float32(0.25), n_samples=np.int64(20))
    state.update(metric=np.str_("mcc"), source=np.str_("beta"), focus=np.str_(state.panels[1]))
    before = state.prevalence, state.n_samples, state.metric, state.source, state.focus
    assert before == (0.25, 20, "mcc", "beta", state.panels[1])
    assert [type(value) for value in before] == [float, int, str, str, str]


class Size(IntEnum):
    FEW = 20


class Share(float):
    pass


def test_number_like_objects_become_python_s():
    state = DecisionState(prevalence=Share(0.25), n_samples=Size.FEW)
    assert (state.prevalence, state.n_samples) == (0.25, 20)
    assert (type(state.prevalence), type(state.n_samples)) == (float, int)


def test_values_set_by_observers_are_checked():
    state = ScoringListState()
    state.preset = "breast cancer"
    costs = (1.0,) * len(state.scores)
    changes = []

    def observer(change):
        changes.append(change)
        state.unobserve(observer, names=["result"])
        state.feature_costs = costs  # of seven questions, where there are four again

    state.observe(observer, names=["result"])
    with pytest.raises(traitlets.TraitError, match="feature_costs must have one entry per"):
        state.reset()
    assert changes
    assert state.preset == "breast cancer"


def set_all(state, changes):
    for name, value in changes.items():
        setattr(state, name, value)


@pytest.mark.parametrize("watched", ["panels", "focus", "prevalence"])
@pytest.mark.parametrize("together", [False, True])
def test_an_exception_of_an_observer_undoes_view_and_held_changes(watched, together):
    state = FermiDiracState()
    before = state.inputs()
    panels = state.panels
    result = state.result
    other = {"focus": panels[1], "panels": panels[1:], "prevalence": 0.2}

    def refuse(_change):
        raise RuntimeError("no")

    state.observe(refuse, names=[watched])
    context = state.hold_trait_notifications if together else nullcontext
    # observers of the first are told before those of the second
    changes = {"auc": 0.9, watched: other[watched]} if together else {watched: other[watched]}
    with pytest.raises(RuntimeError, match="no"), context():
        set_all(state, changes)
    assert (state.inputs(), state.panels, state.focus) == (before, panels, panels[0])
    assert state.result is result
    state.unobserve(refuse, names=[watched])
    state.update(**other)
    assert state.focus == panels[1]


def test_any_temperature_can_be_set():
    state = FermiDiracState()
    state.temperature = 2**63
    assert state.result.law.auc == pytest.approx(0.5, abs=1e-9)


LARGE_PRESETS = ("large", "very large", "breast cancer")  # situations that are slow to open
MAX_SAMPLES = 1000  # samples that are quick enough


def take_a_step(state, rng):
    """Move one control as a user does; a refused value changes nothing."""
    usable = [
        (n, c) for n, c in state.controls().items() if c.is_shown(state) and c.is_enabled(state)
    ]
    name, control = rng.choice(usable)
    contents = [content for content, _ in control.gestures(state, name)]
    if name == "n_samples":
        contents = contents[: control.grid_of(state).position(MAX_SAMPLES) + 1]
    if name == "preset":
        contents = [
            {"index": i} for i, word in enumerate(state.preset_names) if word not in LARGE_PRESETS
        ]
    try:
        if contents:
            control.apply(state, name, rng.choice(contents))
    except (traitlets.TraitError, ValueError):
        pass


def seen(state):
    """List all texts of a state."""
    view = state.panels, state.focus, [state.title(name) for name in state.panels]
    return state.inputs(), view, state.sentence, state.about, state.code()


@pytest.mark.parametrize("kind", [kind for kind, _ in STATES.values()], ids=STATES.keys())
def test_reset_restores_the_opening_state(kind):
    rng = random.Random(1)
    state = kind()
    opened = seen(state)
    for _ in range(12):
        for _ in range(rng.randint(1, 4)):
            take_a_step(state, rng)
        state.focus = rng.choice(state.panels)
        state.reset()
        assert seen(state) == opened


@pytest.mark.parametrize(
    ("kind", "first", "then"),
    [
        (FermiDiracState, {}, {"auc": 0.9}),  # the chemical potential went its own way back
        (FermiDiracState, {"auc": 1.0}, {"temperature": 0.3}),
        (ScoringListState, {"stage": 2}, {"answers": (1, 1)}),
        (DecisionState, {"k": 3}, {"n_samples": 30}),
        (LexicographicState, {"order": (1, 0)}, {"smoothing": 3.0}),
        (partial(ROCState, Scored(Y, {"a": np.array(SCORE)})), {}, {"preset": "many ties"}),
        (partial(LexicographicState, OwnTable(BITS, Y)), {"smoothing": 2.0}, {"order": ()}),
    ],
)
def test_reset_restores_the_opening_inputs(kind, first, then):
    state = kind(**first)
    opened = seen(state)
    state.update(**then)
    assert seen(state) != opened
    state.reset()
    assert seen(state) == opened


@pytest.mark.parametrize("open_one", [ROCState, rocviz.ROCExplorer])
def test_a_misspelt_attribute_is_refused_with_the_nearest_name(open_one):
    opened = open_one(n_samples=100, show_band=False)
    with pytest.raises(AttributeError, match="no input 'treshold'; did you mean 'threshold'"):
        opened.treshold = 0.6
    with pytest.raises(AttributeError, match=r"no input 'zzz'; it has .*band_method, beta, "):
        opened.zzz = 1
    opened.threshold = 0.6
    opened._own_note = "kept"
