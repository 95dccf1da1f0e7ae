"""Halves with the same shares of the classes: those of scikit-learn, without scikit-learn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import train_test_split

from rocviz.core.base.halves import stratified_halves


@given(
    counts=st.lists(st.integers(2, 40), min_size=2, max_size=4),
    kind=st.sampled_from([int, float, str]),
    seed=st.integers(0, 99),
)
def test_halves_are_those_of_scikit_learn(counts, kind, seed):
    labels = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(counts)), counts))
    labels = labels.astype(kind)
    wanted = train_test_split(
        np.arange(labels.size), test_size=0.5, stratify=labels, random_state=0
    )
    for half, theirs in zip(stratified_halves(labels), wanted, strict=True):
        np.testing.assert_array_equal(half, theirs)


def test_each_half_has_both_classes_even_of_two():
    for n in range(2, 30):
        labels = np.repeat([True, False], [2, n])
        assert all(set(labels[half]) == {True, False} for half in stratified_halves(labels))


def test_a_class_of_one_is_refused():
    with pytest.raises(ValueError, match="two or more of each class"):
        stratified_halves(np.array([0, 0, 1]))
