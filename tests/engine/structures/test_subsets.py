"""Tables over subsets of samples against brute force."""

import numpy as np
import pytest
from hypothesis import given, settings

from hedgerow.engine.structures.subsets import subset_costs, subset_tables
from tests.engine.structures.brute_force import subset, tables


@settings(max_examples=80)
@given(tables())
def test_subset_costs_are_the_best_sums(loss):
    """F(S) for every subset S, F of none being 0."""
    n_samples = len(loss)
    expected = [loss[subset(mask, n_samples)].sum(axis=0).min() if mask else 0.0 for mask in range(2**n_samples)]
    assert subset_costs(loss) == pytest.approx(np.array(expected))


@settings(max_examples=30)
@given(tables())
def test_no_number_of_solutions_is_cheaper_than_each_samples_own(loss):
    """The second table is what as many solutions as samples cost."""
    n_samples = len(loss)
    expected = [sum(loss[row].min() for row in subset(mask, n_samples)) for mask in range(2**n_samples)]
    assert subset_tables(subset_costs(loss))[1] == pytest.approx(np.array(expected))
