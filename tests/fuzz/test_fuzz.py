"""A small slice of ``make fuzz``, the same in every run, and the failures that it has found."""

from zlib import crc32

import arguments
import loaders
import numpy as np
import pytest
import states
from callables import public_callables
from judge import judge

#: Callables of the core that are quick; every so many of their cases is run.
CASE_STRIDE = 97
SLOW_NAMES = (
    "Display",
    "Explorer",
    "Classifier",
    "compare_",
    "_experiment",
    "simulate_coverage",
    "_report",
)


def test_every_callable_is_known():
    """Every public name can be called; the arguments of a new one go into callables.py."""
    missing = {
        name: set(one.required) - set(one.right)
        for name, one in public_callables().items()
        if set(one.required) - set(one.right)
    }
    assert missing == {}
    for name in public_callables():
        if not any(part in name for part in SLOW_NAMES):
            arguments.nan_of(name)


def chosen(case):
    """Whether a case is in the slice, which does not depend on other public names."""
    return (
        crc32(repr(case).encode()) % CASE_STRIDE == 0 and case[0].islower() and "." not in case[0]
    )


def test_hostile_arguments():
    quick = [case for case in arguments.cases() if not any(part in case[0] for part in SLOW_NAMES)]
    wrong = {case: arguments.run(case) for case in quick if chosen(case)}
    assert {case: found for case, found in wrong.items() if found} == {}


@pytest.mark.parametrize("case", arguments.FOUND, ids=" ".join)
def test_arguments_that_failed(case):
    assert arguments.run(case) is None


@pytest.mark.parametrize("name", states.state_kinds())
def test_a_walk_through_a_state(name):
    taken, wrong = states.random_walk(states.state_kinds()[name], 0, 10)
    assert wrong is None, taken


@pytest.mark.parametrize("name", loaders.LOADERS)
def test_random_values_are_refused(name, tmp_path):
    for seed in (*range(4), *loaders.FOUND.get(name, ())):
        assert loaders.run(name, seed, tmp_path) is None, seed


# ---------------------------------------------------------------------- the judge judges


def give(result):
    return lambda **_: result


def fail(error):
    def failing(**_):
        raise error

    return failing


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (give(1.0), None),
        (give({"a": [np.array([np.nan])]}), "NaN in result['a'][]"),
        (fail(ValueError("x must be a number")), None),
        (fail(ValueError("unhashable")), "no argument named: ValueError: unhashable"),
        (fail(KeyError("x")), "KeyError: 'x'"),
        (lambda x: np.float64(1) / np.float64(x[0]), "RuntimeWarning"),
        (lambda x: x.append(1), "x was changed"),
    ],
)
def test_the_judge_distinguishes_refusals_from_failures(call, complaint):
    fault = judge(call, {"x": [0.0]}, {"x"})
    assert fault == complaint if complaint is None else fault.startswith(complaint)


def test_slow_cases_are_stopped():
    def endless(x):
        while True:
            x += 1

    fault = judge(endless, {"x": 0}, {"x"}, seconds=0.05)
    assert fault.startswith("TooLong")


def test_a_walk_is_shrunk():
    class Broken(states.state_kinds()["FermiDiracState"]):
        def compute(self):
            if self.auc == 0.9:
                raise ZeroDivisionError
            return super().compute()

    steps = [("set", {"auc": auc}, None) for auc in (0.7, 0.6, 0.9, 0.8)]
    assert states.walk(Broken, steps) == (3, "ZeroDivisionError: ")
    assert states.smallest(Broken, steps) == [steps[2]]
