"""Tables over subsets of samples against brute force."""

import numpy as np
import pytest
from hypothesis import given, settings

from hedgerow.engine.engine_parameters import EngineParameters
from hedgerow.engine.structures import subsets
from hedgerow.engine.structures.subsets import share_out, subset_costs, subset_tables
from tests.engine.structures.brute_force import served_by, subset, tables


@settings(max_examples=80)
@given(tables())
def test_subset_costs_are_the_best_sums(loss):
    """F(S) for every subset S, F of none being 0."""
    n_samples = len(loss)
    expected = [loss[subset(mask, n_samples)].sum(axis=0).min() if mask else 0.0 for mask in range(2**n_samples)]
    assert subset_costs(loss) == pytest.approx(np.array(expected))


@settings(max_examples=30)
@given(tables())
def test_the_tables_of_each_level_serve_with_twice_as_many_solutions(loss):
    """One, two and four solutions; never more for more of them."""
    n_samples = len(loss)
    made = subset_tables(subset_costs(loss), 3)
    assert made.shape == (3, 2**n_samples)
    for level, table in enumerate(made):
        expected = [served_by(loss, subset(mask, n_samples), 2**level) for mask in range(2**n_samples)]
        assert table == pytest.approx(np.array(expected))


@settings(max_examples=50)
@given(tables())
def test_two_of_a_few_listed_solutions_serve_as_well_as_any_division(loss):
    """With many samples pairs of solutions take the place of divisions of subsets."""
    costs = subset_costs(loss)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subsets, "ENGINE", EngineParameters(most_divided=0))
        made = subset_tables(costs, 2, loss)
    np.testing.assert_allclose(made[1], share_out(costs), atol=1e-9)
