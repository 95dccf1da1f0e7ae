"""Walks through every explorer's state, which must be consistent after every step.

A step that was refused, or whose observer raised, leaves inputs, view, result and
sentence unchanged. After any other step a new state with the same inputs has the same result and
sentence.
"""

import importlib
import pkgutil
from contextlib import contextmanager
from dataclasses import fields, is_dataclass

import numpy as np
import pytest
import traitlets
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test
from judge import check_length, ignore_warnings_of_others, limited
from values import VALUES

import rocviz.widgets
from rocviz.widgets.base.state import ExplorerState

pytestmark = ignore_warnings_of_others

#: Fields that depend on the walk, such as the rankers tried.
MEMORY = {"tried"}
MAX_SAMPLES = 600  # so that a walk is many steps
FORMULAS = ["2*u / (p + v)", "u / (v + p - u)", "sqrt(u*(1-v-p+u)/(p*(1-p)))", "u"]
FEW = settings(max_examples=settings().max_examples // 10)
data_of_step = st.data()


class Raised(BaseException):
    """Raised by an observer of the user's; like an interruption, it is no ``Exception``."""


def state_kinds():
    """List every explorer's state by name, found by looking into rocviz.widgets."""
    for module in pkgutil.walk_packages(rocviz.widgets.__path__, "rocviz.widgets."):
        if module.name.endswith(".state"):
            importlib.import_module(module.name)
    kinds = {}
    waiting = [ExplorerState]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        # an explorer is a state too, with pictures that would be drawn at every step
        if kind.__name__.endswith("State") and kind.compute is not ExplorerState.compute:
            kinds[kind.__name__] = kind
    return dict(sorted(kinds.items()))


def likely_numbers(state, name, control):
    """Draw numbers near the present one, and from the control's grid."""
    now = getattr(state, name)
    if isinstance(state.traits()[name], traitlets.Int):
        numbers = st.sampled_from([-2, -1, 1, 2, 10]).map(lambda step: int(now) + step)
    else:
        numbers = st.sampled_from([now * 1.1, now / 3, now + 0.01, 0.0, 1.0, 0.5])
    grid = getattr(control, "grid", None)
    if callable(grid):
        grid = grid(state)
    if grid is not None:
        numbers |= st.integers(0, grid.steps).map(grid.value)
    if name.startswith("n_"):
        return numbers.map(lambda number: min(number, MAX_SAMPLES))
    return numbers


def likely_values(state, name):
    """Draw plausible values of an input; rules across inputs may still refuse them."""
    trait = state.traits()[name]
    control = trait.metadata.get("control")
    now = getattr(state, name)
    if name == "preset":
        return st.sampled_from(state.preset_names)
    if name == "formula":
        return st.sampled_from(FORMULAS)
    if isinstance(trait, traitlets.Enum):
        return st.sampled_from(list(trait.values))
    if isinstance(trait, traitlets.Bool):
        return st.booleans()
    if isinstance(trait, traitlets.Int | traitlets.Float):
        return likely_numbers(state, name, control)
    values = st.sampled_from([None, (), (0,), (1, 0), (0, 1), (0.3, 0.6), ("a",), now])
    options = getattr(control, "options", None)
    if options and not callable(options):
        values |= st.tuples(st.sampled_from(list(options)))
    if isinstance(now, tuple) and now:
        values |= st.lists(st.sampled_from(now), max_size=len(now), unique_by=repr).map(tuple)
    return values


def visible_parts(state):
    """Collect the visible parts of a state."""
    return {**state.inputs(), **state.view(), "sentence": state.sentence}


def difference(before, after):
    """List what differs between the visible parts of two states."""
    return {name: (before[name], after[name]) for name in before if before[name] != after[name]}


def alike(one, other, depth=0):
    """Whether two results hold the same, up to rounding."""
    if one is other or depth > 8:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray) and one.dtype.kind != "f":
        return one.shape == other.shape and bool((one == other).all())
    if isinstance(one, np.ndarray | float):
        if np.shape(one) != np.shape(other):
            return False
        return bool(np.allclose(one, other, rtol=1e-9, atol=1e-12, equal_nan=True))
    if is_dataclass(one):
        names = {field.name for field in fields(one)} - MEMORY
        return all(alike(getattr(one, name), getattr(other, name), depth + 1) for name in names)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(
            alike(one[key], other[key], depth + 1) for key in one
        )
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(
            alike(a, b, depth + 1) for a, b in zip(one, other, strict=True)
        )
    return bool(one == other) if isinstance(one, str | int | bool | frozenset) else True


class Walk(RuleBasedStateMachine):
    """A walk through the state of an explorer."""

    kind: type[ExplorerState]

    def __init__(self):
        super().__init__()
        self.state = self.kind()

    @contextmanager
    def whole_or_not_at_all(self, *refusals):
        """Take a step in time, which a refusal leaves undone."""
        before = visible_parts(self.state)
        result = self.state.result
        try:
            with limited():
                yield
        except refusals as error:
            # Python does not write numbers of thousands of digits into traitlets' message
            if type(error) is ValueError and "Exceeds the limit" not in str(error):
                raise
            assert difference(before, visible_parts(self.state)) == {}, "a refusal changed it"
            assert self.state.result is result, "a refusal left another result"
            check_length(error)

    def draw_input(self, data):
        return data.draw(st.sampled_from(list(self.state.input_names())))

    def draw_inputs(self, data):
        """Draw likely values of up to three inputs, and sometimes a hostile one."""
        names = st.lists(
            st.sampled_from(list(self.state.input_names())), min_size=1, max_size=3, unique=True
        )
        values = {name: data.draw(likely_values(self.state, name)) for name in data.draw(names)}
        if data.draw(st.sampled_from([False, False, False, False, True])):
            values[self.draw_input(data)] = VALUES[data.draw(st.sampled_from(list(VALUES)))]()
        return values

    @rule(data=data_of_step)
    def set_one(self, data):
        name = self.draw_input(data)
        value = data.draw(likely_values(self.state, name))
        with self.whole_or_not_at_all(traitlets.TraitError):
            setattr(self.state, name, value)

    @rule(data=data_of_step)
    def set_hostile(self, data):
        names = [*self.state.input_names(), *self.state.view_names()]
        name = data.draw(st.sampled_from(names))
        value = data.draw(st.sampled_from(list(VALUES)))
        with self.whole_or_not_at_all(traitlets.TraitError, TypeError, ValueError):
            setattr(self.state, name, VALUES[value]())

    @rule(data=data_of_step)
    def update(self, data):
        values = self.draw_inputs(data)
        with self.whole_or_not_at_all(traitlets.TraitError, ValueError):
            self.state.update(**values)

    @rule(data=data_of_step, fails=st.booleans())
    def set_in_a_batch(self, data, fails):
        values = self.draw_inputs(data)
        with (
            self.whole_or_not_at_all(traitlets.TraitError, ValueError, Raised),
            self.state.batch(),
        ):
            for name, value in values.items():
                setattr(self.state, name, value)
            if fails:
                raise Raised("in a batch")

    @rule(data=data_of_step)
    def update_before_an_observer_that_raises(self, data):
        def refuse(_change):
            raise Raised("by an observer")

        name = self.draw_input(data)
        value = data.draw(likely_values(self.state, name))
        watched = data.draw(st.sampled_from([*self.state.input_names(), "result"]))
        self.state.observe(refuse, names=[watched])
        try:
            with self.whole_or_not_at_all(traitlets.TraitError, Raised):
                self.state.update(**{name: value})
        finally:
            self.state.unobserve(refuse, names=[watched])

    @rule(data=data_of_step)
    def arrange(self, data):
        pictures = st.sampled_from(list(self.state.pictures))
        controls = st.sampled_from(list(self.state.controls()))
        panels = data.draw(st.lists(pictures, unique=True))
        unfolded = data.draw(st.lists(controls, max_size=2, unique=True))
        focus = data.draw(pictures)
        with self.whole_or_not_at_all(traitlets.TraitError):
            self.state.update(panels=tuple(panels), focus=focus, unfolded=tuple(unfolded))

    @rule()
    def reset(self):
        with self.whole_or_not_at_all():
            self.state.reset()

    @rule()
    def make_another(self):
        """Compare with a new state of the same inputs."""
        other = self.kind(**self.state.inputs())
        assert other.inputs() == self.state.inputs()
        assert alike(other.result, self.state.result)
        assert other.sentence == self.state.sentence

    def teardown(self):
        self.make_another()


def take_walks(kind, **options):
    """Look for a walk through a state that goes wrong; Hypothesis shortens it."""
    walk = type(f"{kind.__name__}Walk", (Walk,), {"kind": kind})
    run_state_machine_as_test(walk, settings=settings(FEW, **options))


@pytest.mark.parametrize("name", state_kinds())
def test_walks_through_a_state(name):
    take_walks(state_kinds()[name])


def test_a_walk_that_goes_wrong_is_found():
    class BrokenState(state_kinds()["FermiDiracState"]):
        def compute(self):
            if self.auc != self.traits()["auc"].default_value:
                raise ZeroDivisionError
            return super().compute()

    with pytest.raises(ZeroDivisionError):
        take_walks(BrokenState, max_examples=20, phases=[Phase.generate])
