"""What the core gives is frozen and travels: every class of which there is an instance."""

import pickle
from dataclasses import fields, is_dataclass
from itertools import product

import callables
import numpy as np
import pytest

RESULTS = {
    name: make
    for name, make in callables.INSTANCES.items()
    if not name.endswith("Display") and name not in ("Story", "PairwiseLoss", "PairwiseLossAt")
}


def arrays(result, depth=0):
    """Yield every array of a result and of the results within."""
    values = result if isinstance(result, tuple | list) else ()
    if is_dataclass(result):
        values = [getattr(result, field.name) for field in fields(result)]
    if isinstance(result, np.ndarray):
        yield result
    elif depth < 4:
        for value in values:
            yield from arrays(value, depth + 1)


@pytest.mark.filterwarnings("ignore")  # of so few samples
@pytest.mark.parametrize("name", RESULTS)
def test_results_are_frozen_and_can_be_pickled(name):
    result = RESULTS[name]()
    again = pickle.loads(pickle.dumps(result))
    kept, sent = [*arrays(result)], [*arrays(again)]
    assert len(kept) == len(sent)
    for one, other in zip(kept, sent, strict=True):
        np.testing.assert_array_equal(one, other)
        assert not one.flags.writeable
        assert not other.flags.writeable
    names = ["another", *(field.name for field in fields(result)[:1])]
    for one, attribute in product((result, again), names):
        with pytest.raises(AttributeError):
            setattr(one, attribute, 1)
