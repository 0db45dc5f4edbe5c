"""The stability radius is tight: within it advice never changes, just beyond it the counterfactual comes true."""

import itertools
import math

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from hedgerow import LocalBudget, Tree
from hedgerow.explain import explain
from tests.explain.rules import N_FEATURES, naive_radius, representatives, rows, rules, trees
from tests.worlds import amounts

prices = st.one_of(st.none(), st.lists(st.sampled_from([0.5, 1.0, 2.0]), min_size=3, max_size=3).map(np.array))
limits = st.lists(amounts.map(lambda amount: amount + 0.06), min_size=3, max_size=3).map(np.array)
shares = st.lists(st.floats(-1.0, 1.0), min_size=N_FEATURES, max_size=N_FEATURES).map(np.array)


def advice(tree, row):
    return tree.predict([row])[0].tolist()


def size(change, weights):
    return float(np.abs(change) @ (np.ones(N_FEATURES) if weights is None else weights))


def explained(tree, row, **options):
    return explain(rules(tree, LocalBudget(1.0, **options)), [row])[0]


@given(trees(), rows, prices)
def test_the_radius_is_the_distance_to_the_nearest_box_with_another_solution(tree, row, weights):
    found = explained(tree, row, prices=weights)
    assert found.leaf == tree.apply([row])[0]
    assert found.radius == naive_radius(tree, row, weights)


@given(trees(), rows, prices, st.lists(shares, min_size=5, max_size=5))
def test_misreadings_within_the_radius_never_change_the_advice(tree, row, weights, directions):
    radius = explained(tree, row, prices=weights).radius
    for direction in directions:
        assume(size(direction, weights) > 1e-3)
        scale = 0.999 * radius if math.isfinite(radius) else 1000.0
        misread = row + direction / size(direction, weights) * scale
        assert advice(tree, misread) == advice(tree, row)


@given(trees(), rows, prices, st.sampled_from([1e-3, 1e-6, 1e-9]))
def test_just_beyond_the_radius_the_counterfactual_comes_true(tree, row, weights, epsilon):
    found = explained(tree, row, prices=weights, epsilon=epsilon)
    other = found.counterfactual
    if other is None:
        assert len({tuple(advice(tree, r)) for r in itertools.product(representatives(tree), repeat=3)}) == 1
        return
    misread = row.copy()
    for change in other.conditions:
        assert change.value == row[change.item]
        misread[change.item] = change.new_value
    assert tree.apply([misread])[0] == other.leaf
    assert advice(tree, misread) != advice(tree, row)
    assert found.radius <= size(misread - row, weights) + 1e-9
    assert size(misread - row, weights) <= found.radius + 2 * N_FEATURES * epsilon + 1e-9


@given(trees(), rows, limits, st.lists(shares, min_size=5, max_size=5))
def test_limits_count_and_may_leave_no_way_to_other_advice(tree, row, most, directions):
    found = explained(tree, row, limits=most)
    assert found.radius == naive_radius(tree, row, limits=most)
    assert (found.counterfactual is None) == (naive_radius(tree, row) == math.inf)
    if found.radius == math.inf:
        assert "these rules reckon with" in str(found)
        for direction in directions:
            assert advice(tree, row + 0.999 * direction * most) == advice(tree, row)


@given(trees(), rows, prices, st.one_of(st.none(), limits), amounts)
def test_protected_means_that_the_budget_does_not_reach_the_radius(tree, row, weights, most, budget):
    found = explain(rules(tree, LocalBudget(budget, prices=weights, limits=most)), [row])[0]
    assert found.protected == (found.radius > budget * (1.0 + 1e-9) if budget else None)


def test_a_reading_on_a_threshold_is_safe_downwards_only():
    tree = Tree.full([0], [5.0], [[1.0, 0.0], [0.0, 1.0]])
    found = explain(rules(tree), [[5.0, 0.0, 0.0]])[0]
    assert (found.leaf, found.radius) == (0, 0.0)
    assert "the slightest error leads to another solution" in str(found)
    just_above = explain(rules(tree), [[np.nextafter(5.0, 6.0), 0.0, 0.0]])[0]
    assert just_above.leaf == 1
    assert 0.0 < just_above.radius < 1e-14
    assert "bridge 5.000000000000001 > 5.0" in str(just_above)


def test_a_box_narrower_than_epsilon_still_changes_the_advice():
    a, b = [1.0, 0.0], [0.0, 1.0]
    nested = {"item": 0, "threshold": 5.0, "left": {"solution": a}}
    nested["right"] = {"item": 0, "threshold": 5.0001, "left": {"solution": b}, "right": {"solution": a}}
    tree = Tree.from_dict(nested)
    found = explain(rules(tree, LocalBudget(1.0)), [[4.0, 0.0, 0.0]])[0]
    assert found.radius == 1.0
    (change,) = found.counterfactual.conditions
    assert tree.predict([[change.new_value, 0.0, 0.0]])[0].tolist() == b
