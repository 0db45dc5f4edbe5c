"""Move costs against a definition written a second time, and the rules for strict sides, empty boxes and limits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow import GlobalBudget, LocalBudget, Nominal, Tree
from hedgerow.adversary.move_cost import entry_points, move_costs
from tests.worlds import matrices, naive_move_costs, set_options, trees, values


def chain(*questions):
    """Return the tree that asks the questions one after the other: (item, threshold, which side goes on)."""
    node = {"solution": [1.0]}
    for item, threshold, goes_on in reversed(questions):
        other = "right" if goes_on == "left" else "left"
        node = {"item": item, "threshold": threshold, goes_on: node, other: {"solution": [1.0]}}
    return Tree.from_dict(node)


def cost(tree, row, uncertainty=None):
    return move_costs(tree, np.array([row], dtype=float), uncertainty or LocalBudget(1.0))[0].tolist()


@given(st.data())
def test_the_move_cost_is_the_distance_to_the_leaf_box(data):
    tree = data.draw(trees())
    observations = data.draw(matrices(data.draw(st.integers(1, 4)), 3))
    options = data.draw(set_options(len(observations), 3))
    uncertainty = data.draw(st.sampled_from([LocalBudget, GlobalBudget]))(1.0, **options)
    assert move_costs(tree, observations, uncertainty) == pytest.approx(naive_move_costs(tree, observations, **options))


@given(trees(), matrices(4, 3, st.one_of(values, st.floats(-4.0, 4.0))))
def test_the_nominal_leaf_costs_nothing_and_every_other_leaf_something(tree, observations):
    free = move_costs(tree, observations, LocalBudget(1.0)) == 0.0
    assert np.argmax(free, axis=1).tolist() == tree.apply(observations).tolist()
    assert (free.sum(axis=1) == 1).all()


AT_MOST_2, TWO_SIDES = chain((0, 2.0, "left")), chain((0, 1.0, "left"), (1, 1.0, "left"))
NEVER = np.inf
CASES = {
    "an item that is asked twice is moved once": (chain((0, 5.0, "left"), (0, 3.0, "left")), [7.0], {}, 0, 4.0),
    "an empty box": (chain((0, 5.0, "right"), (0, 3.0, "left")), [4.0], {}, 1, NEVER),
    "a box whose sides meet": (chain((0, 5.0, "right"), (0, 5.0, "left")), [5.0], {}, 1, NEVER),
    "a box as wide as ε": (chain((0, 2.0, "right"), (0, 2.25, "left")), [1.0], {"epsilon": 0.25}, 1, 1.25),
    "ε is paid on the strict side": (AT_MOST_2, [2.0], {"epsilon": 0.5}, 1, 0.5),
    "ε is not paid on the other": (AT_MOST_2, [2.5], {}, 0, 0.5),
    "within ε of the lower side": (AT_MOST_2, [2.0004], {}, 1, 0.0),
    "no limit": (TWO_SIDES, [3.0, 2.0], {}, 0, 3.0),
    "a limit that is just met": (TWO_SIDES, [3.0, 2.0], {"limits": 2.0}, 0, 3.0),
    "a limit that is too low": (TWO_SIDES, [3.0, 2.0], {"limits": 1.9}, 0, NEVER),
    "a limit on one item": (TWO_SIDES, [3.0, 2.0], {"limits": [2.0, 0.5]}, 0, NEVER),
    "a limit on one entry": (TWO_SIDES, [3.0, 2.0], {"limits": [[np.inf, 1.0]]}, 0, 3.0),
    "a limit of zero": (chain((0, 1.0, "left")), [1.0], {"limits": 0.0, "epsilon": 1e-12}, 1, NEVER),
    "an item that need not move": (chain((1, 1.0, "left")), [3.0, 2.0], {"limits": [0.0, 5.0]}, 0, 1.0),
    "prices": (chain((0, 1.0, "left"), (2, 1.0, "left")), [3.0, 0.0, 2.0], {"prices": [10.0, 7.0, 0.5]}, 0, 20.5),
}


@pytest.mark.parametrize("name", CASES)
def test_move_costs_that_can_be_done_by_hand(name):
    tree, row, options, leaf, expected = CASES[name]
    assert cost(tree, row, LocalBudget(9.0, **options))[leaf] == expected


def test_a_box_narrower_than_epsilon_is_entered_from_above_only():
    tree = chain((0, 2.0, "right"), (0, 2.0005, "left"))
    from_below, at_the_side, inside, from_above = (cost(tree, [value])[1] for value in (1.0, 2.0, 2.0002, 3.0))
    assert from_below == np.inf
    assert at_the_side == np.inf
    assert inside == 0.0
    assert from_above == pytest.approx(0.9995)


@given(trees(), matrices(4, 3, st.one_of(values, st.floats(-1e13, 1e13), st.floats(-1e-13, 1e-13))), st.data())
def test_entry_points_land_in_their_leaf_at_the_price_of_the_move(tree, observations, data):
    uncertainty = LocalBudget(1.0, prices=[0.5, 1.0, 2.0])
    costs = move_costs(tree, observations, uncertainty)
    leaves = np.array([data.draw(st.sampled_from(np.flatnonzero(np.isfinite(row)).tolist())) for row in costs])
    moved = entry_points(tree, observations, leaves, uncertainty)
    assert tree.apply(moved).tolist() == leaves.tolist()
    paid = np.abs(moved - observations) @ np.array([0.5, 1.0, 2.0])
    assert paid == pytest.approx(costs[np.arange(4), leaves], rel=1e-12)


def test_where_epsilon_is_lost_to_rounding_the_next_number_is_taken():
    """At 10¹⁷ adding 0.001 changes nothing, and θ itself would go left."""
    tree, here = chain((0, 1e17, "left")), np.array([[1e17]])
    assert tree.apply(here).tolist() == [0]
    moved = entry_points(tree, here, np.array([1]), LocalBudget(100.0))
    assert tree.apply(moved).tolist() == [1]
    assert move_costs(tree, here, LocalBudget(100.0))[0, 1] == moved[0, 0] - 1e17


@pytest.mark.parametrize("kind", [LocalBudget(1.0), Nominal()])
def test_a_margin_lets_every_threshold_move(kind):
    """With a margin a leaf costs no more than it would after any move of the thresholds within it."""
    tree = chain((0, 2.0, "right"), (0, 3.0, "left"), (1, 1.0, "left"))
    observations = np.random.default_rng(0).uniform(0.0, 4.0, (20, 2))
    widened = move_costs(tree, observations, kind, margin=0.4)
    inner = tree.item >= 0
    for shift in np.random.default_rng(1).uniform(-0.4, 0.4, (50, inner.sum())):
        threshold = tree.threshold.copy()
        threshold[inner] += shift
        assert (widened <= move_costs(tree.replace(threshold=threshold), observations, kind) + 1e-12).all()
    assert np.array_equal(move_costs(tree, observations, kind, margin=0.0), move_costs(tree, observations, kind))
    assert (widened == 0.0).sum() > len(observations)
