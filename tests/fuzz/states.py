"""Random walks through every explorer's state, which must be consistent after every step.

A step that was refused, or whose observer raised, leaves inputs, view, result and
sentence unchanged. After any other step a new state with the same inputs has the same result and
sentence.
"""

import importlib
import pkgutil
import random
from dataclasses import fields, is_dataclass

import numpy as np
import traitlets
from judge import TooLong, limited, too_long
from values import VALUES

import rocviz.widgets
from rocviz.widgets.base.state import ExplorerState

#: Steps between two comparisons with a new state; every refusal is followed by a comparison.
STEPS_PER_CHECK = 10
#: Fields that depend on the walk, such as the rankers tried.
MEMORY = {"tried"}
MAX_SAMPLES = 600  # samples, so that a walk is many steps


#: What a step may do, and how often of a hundred.
KIND_WEIGHTS = {
    "set": 30,
    "hostile": 20,
    "update": 15,
    "batch": 8,
    "failing batch": 5,
    "raising": 10,
    "preset": 6,
    "reset": 2,
    "view": 4,
}


class Raised(BaseException):
    """Raised by an observer of the user's; like an interruption, it is no ``Exception``."""


def state_kinds():
    """List every explorer's state by name, found by looking into rocviz.widgets."""
    for module in pkgutil.walk_packages(rocviz.widgets.__path__, "rocviz.widgets."):
        if module.name.endswith(".state"):
            importlib.import_module(module.name)
    found, waiting = {}, [ExplorerState]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        # an explorer is a state too, with pictures that would be drawn at every step
        if kind.__name__.endswith("State") and kind.compute is not ExplorerState.compute:
            found[kind.__name__] = kind
    return dict(sorted(found.items()))


def likely(state, name, rng):
    """Make a plausible value of an input; rules across inputs may still refuse it."""
    trait, now = state.traits()[name], getattr(state, name)
    control = trait.metadata.get("control")
    if name == "preset":
        return rng.choice(state.preset_names)
    if name == "formula":
        return rng.choice(["2*u / (p + v)", "u / (v + p - u)", "sqrt(u*(1-v-p+u)/(p*(1-p)))", "u"])
    if isinstance(trait, traitlets.Enum):
        return rng.choice(list(trait.values))
    if isinstance(trait, traitlets.Bool):
        return rng.random() < 0.5
    if isinstance(trait, traitlets.Int | traitlets.Float):
        grid = getattr(control, "grid", None)
        grid = grid(state) if callable(grid) else grid
        if grid is not None and rng.random() < 0.7:
            value = grid.value(rng.randrange(grid.steps + 1))
        elif isinstance(trait, traitlets.Int):
            value = int(now) + rng.choice([-2, -1, 1, 2, 10])
        else:
            value = rng.choice([now * 1.1, now / 3, now + 0.01, 0.0, 1.0, 0.5])
        return min(value, MAX_SAMPLES) if name.startswith("n_") else value
    if isinstance(now, tuple) and now and rng.random() < 0.8:
        few = list(now)
        rng.shuffle(few)
        return tuple(few[: rng.randrange(len(few) + 1)] if rng.random() < 0.5 else few)
    choices = [None, (), (0,), (1, 0), (0, 1), (0.3, 0.6), ("a",), now]
    options = getattr(control, "options", None)
    if options and not callable(options):
        choices.append(tuple(rng.sample(list(options), 1)))
    return rng.choice(choices)


def a_step(state, rng):
    """Make one step as plain data: an action and its arguments."""
    names = [*state.input_names()]
    kind = rng.choices([*KIND_WEIGHTS], KIND_WEIGHTS.values())[0]
    if kind in ("set", "raising"):
        values = {name: likely(state, name, rng) for name in [rng.choice(names)]}
    elif kind == "hostile":
        values = {rng.choice([*names, *state.view_names()]): _Hostile(rng.choice([*VALUES]))}
    elif kind == "preset":
        kind, values = "set", {"preset": likely(state, "preset", rng)}
    elif kind == "view":
        some = rng.sample([*state.pictures], rng.randrange(len(state.pictures) + 1))
        values = {"panels": tuple(some), "focus": rng.choice([*state.pictures])}
        values["unfolded"] = tuple(rng.sample([*state.controls()], rng.randrange(3)))
    else:
        values = {name: likely(state, name, rng) for name in rng.sample(names, min(3, len(names)))}
        if rng.random() < 0.2:
            values[rng.choice(names)] = _Hostile(rng.choice([*VALUES]))
    watched = rng.choice([*names, "result"]) if kind == "raising" else None
    return kind, values, watched


class _Hostile:
    """A hostile value by its name, so that a walk can be printed and walked again."""

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"<{self.name}>"


def _value(value):
    return VALUES[value.name]() if isinstance(value, _Hostile) else value


def take(state, step):
    """Take a step; exceptions propagate."""
    kind, values, watched = step
    values = {name: _value(value) for name, value in values.items()}
    if kind in ("set", "hostile"):
        for name, value in values.items():
            setattr(state, name, value)
    elif kind in ("update", "view"):
        state.update(**values)
    elif kind == "reset":
        state.reset()
    elif kind == "raising":

        def refuse(_change):
            raise Raised

        state.observe(refuse, names=[watched])
        try:
            state.update(**values)
        finally:
            state.unobserve(refuse, names=[watched])
    else:
        with state.batch():
            for name, value in values.items():
                setattr(state, name, value)
            if kind == "failing batch":
                raise Raised


def seen(state):
    """Collect the visible parts of a state."""
    return {**state.inputs(), **state.view()}, state.sentence


def alike(one, other, depth=0):
    """Whether two results hold the same, up to rounding."""
    if one is other or depth > 8:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        if one.shape != other.shape:
            return False
        if one.dtype.kind == "f":
            return bool(np.allclose(one, other, rtol=1e-9, atol=1e-12, equal_nan=True))
        return bool((one == other).all())
    if isinstance(one, float):
        return bool(np.isclose(one, other, rtol=1e-9, atol=1e-12, equal_nan=True))
    if is_dataclass(one):
        return all(
            alike(getattr(one, field.name), getattr(other, field.name), depth + 1)
            for field in fields(one)
            if field.name not in MEMORY
        )
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(
            alike(one[key], other[key], depth + 1) for key in one
        )
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(
            alike(a, b, depth + 1) for a, b in zip(one, other, strict=True)
        )
    return bool(one == other) if isinstance(one, str | int | bool | frozenset) else True


def complaint(state, step):
    """Take a step and describe a fault, or return ``None``."""
    before, result = seen(state), state.result
    try:
        with limited():
            take(state, step)
    except (traitlets.TraitError, TypeError, Raised) as error:
        if isinstance(error, TypeError) and step[0] != "hostile":
            return f"TypeError: {error}"
        if seen(state) != before:
            return f"{type(error).__name__} left it changed: {_difference(before, seen(state))}"
        if state.result is not result:
            return f"{type(error).__name__} left another result"
        return too_long(error)
    except ValueError as error:
        # Python does not write numbers of thousands of digits into traitlets' message
        if "Exceeds the limit" in str(error) and seen(state) == before:
            return None
        return f"ValueError: {error}"
    except TooLong as error:
        return f"it takes {error}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    if step[0] == "failing batch":
        return "a batch that failed did not say so"
    return None


def rebuilt(state):
    """Describe how a new state with the same inputs differs, or return ``None``."""
    fresh = type(state)(**state.inputs())
    if fresh.inputs() != state.inputs():
        return f"made anew it has other inputs: {_difference(seen(state), seen(fresh))}"
    if not alike(fresh.result, state.result):
        return "made anew it has another result"
    if fresh.sentence != state.sentence:
        return f"made anew it says {fresh.sentence!r}, not {state.sentence!r}"
    return None


def _difference(before, after):
    changed = {key: (before[0][key], after[0][key]) for key in before[0]}
    changed = {key: pair for key, pair in changed.items() if pair[0] != pair[1]}
    return f"{changed or (before[1], after[1])}"[:300]


def walk(kind, steps, every=STEPS_PER_CHECK):
    """Take steps from a new state; return their number and a fault or ``None``."""
    state = kind()
    for i, step in enumerate(steps, 1):
        wrong = complaint(state, step)
        if wrong is None and (i % every == 0 or i == len(steps)):
            wrong = rebuilt(state)
        if wrong is not None:
            return i, wrong
    return len(steps), None


def random_walk(kind, seed, length):
    """Take random steps from a seed; return the steps and a fault or ``None``."""
    rng, state, taken = random.Random(seed), kind(), []
    for i in range(1, length + 1):
        taken.append(a_step(state, rng))
        wrong = complaint(state, taken[-1])
        if wrong is None and (i % STEPS_PER_CHECK == 0 or i == length):
            wrong = rebuilt(state)
        if wrong is not None:
            return taken, wrong
    return taken, None


def smallest(kind, steps):
    """Remove steps that a failure does not need."""
    kept = list(steps)
    size = max(len(kept) // 2, 1)
    while size:
        i = 0
        while i < len(kept):
            without = kept[:i] + kept[i + size :]
            if without and walk(kind, without, every=1)[1] is not None:
                kept = without
            else:
                i += size
        size //= 2
    return kept
