"""One node's question left open, where moves matter: against the move costs of each split in its place."""

from itertools import pairwise

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget
from hedgerow.engine.tables.reach import reading_of, structure_costs
from hedgerow.methods.search.boxes import interval_cost, node_for, write_boxes
from hedgerow.methods.search.value import worst_outside
from hedgerow.problems import ExplicitSet
from hedgerow.tree.questions import Question
from hedgerow.tree.splits import candidate_splits
from hedgerow.tree.structure import NO_SPLIT
from tests.methods.search.worlds import open_node

N_SAMPLES, N_INNER = 12, 7  # with more samples, three questions that share items are bounded only
SUMS = [Question((0, 1), (1.0, -1.0), "difference"), Question((1, 2), (2.0, 1.0), "sum")]


class World:
    """A structure of depth 3 with losses at its slots; questions may share items, and entries have limits."""

    def __init__(self, seed, kind, *, shared, limited):
        rng = self.rng = np.random.default_rng(seed)
        given = {"prices": np.array([1.0, 0.5, 2.0]), "epsilon": rng.choice([0.01, 0.6])}
        if limited:
            given["limits"] = rng.choice([0.0, 1.5, 4.0], (N_SAMPLES, 3))
        budget = rng.choice([0.0, 0.7, 1.6, 3.0], N_SAMPLES) if kind is LocalBudget else 3.0
        instance = Instance.create(
            ExplicitSet(np.eye(2)),
            np.ones((N_SAMPLES, 2)),
            context=rng.integers(0, 7, (N_SAMPLES, 3)) * 1.0,
            uncertainty=kind(budget, **given),
            depth=3,
            questions=[Question.of_item(item) for item in range(3)] + (SUMS if shared else []),
        )
        self.splits = candidate_splits(instance.question_values, "midpoints", None, instance.questions)
        self.reading, self.local = reading_of(instance, self.splits), kind is LocalBudget
        self.structure = rng.integers(0, len(self.splits), N_INNER)
        self.structure[rng.integers(1, N_INNER)] = NO_SPLIT
        self.slot_loss = rng.integers(0, 9, (N_INNER + 1, N_SAMPLES)).astype(float)

    def costs(self, structure):
        out = np.empty((N_INNER + 1, N_SAMPLES))
        structure_costs(structure, self.reading, out)
        return out

    def worth(self, cost, rate):
        """Return per slot and sample the loss less the price of getting there; −∞ where that is beyond the budget."""
        limit = 0.0 if self.local else self.reading.limit
        with np.errstate(invalid="ignore"):
            return np.where(cost <= limit, self.slot_loss - (rate * cost if rate else 0.0), -np.inf)

    def node(self, node, rate):
        """Return a node with its question left open."""
        level = (node + 1).bit_length() - 1
        width = 2 ** (3 - level)
        begin = (node + 1 - 2**level) * width
        cost = self.costs(self.structure)
        outside = np.delete(self.worth(cost, rate), range(begin, begin + width), axis=0).max(axis=0, initial=-np.inf)
        limit = 0.0 if self.local else self.reading.limit
        assert worst_outside(cost, self.slot_loss, limit, rate, begin, begin + width) == pytest.approx(outside)
        slot_loss = self.slot_loss[begin : begin + width]
        return open_node(node, begin, self.structure, slot_loss, outside, self.reading)

    def expected(self, node, rate):
        """Return the value with each split in the node's place, priced; one at a time."""
        found = []
        for split in range(len(self.splits)):
            structure = self.structure.copy()
            structure[node] = split
            found.append(self.worth(self.costs(structure), rate).max(axis=0).sum())
        return np.array(found)


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("limited", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_prices_of_all_splits_of_all_nodes(seed, limited, shared):
    world = World(seed, GlobalBudget, shared=shared, limited=limited)
    numbers = np.arange(len(world.splits))
    for node in range(N_INNER):
        for rate in (0.0, 0.8):
            opened, values = world.node(node, rate), np.full(numbers.size, np.nan)
            opened.price(rate, numbers, values)
            assert values - rate * world.reading.limit == pytest.approx(world.expected(node, rate), abs=1e-7)


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("limited", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_values_of_all_splits_of_all_nodes_under_local_budgets(seed, limited, shared):
    world = World(10 + seed, LocalBudget, shared=shared, limited=limited)
    for node in range(N_INNER):
        opened, values = world.node(node, 0.0), np.full(len(world.splits), np.nan)
        opened.sweep(0, len(world.splits), values)
        assert values == pytest.approx(world.expected(node, 0.0), abs=1e-7)


@pytest.mark.parametrize("seed", range(3))
def test_boxes_have_each_question_once_and_cost_what_their_paths_cost(seed):
    world = World(20 + seed, GlobalBudget, shared=False, limited=bool(seed % 2))
    cost = world.costs(world.structure)
    opened = node_for(N_INNER, N_INNER + 1, world.reading)
    opened.structure[:] = world.structure
    write_boxes(-1, 0, opened)
    whole = opened.boxes
    for slot in range(N_INNER + 1):
        if whole.n_asked[slot] < 0:
            assert np.isinf(cost[slot]).all()
            continue
        asked = whole.item[slot, : whole.n_asked[slot]]
        assert len(set(asked)) == asked.size
        for row in range(N_SAMPLES):
            total = 0.0
            for place, item in enumerate(asked):
                lower, upper = whole.lower[slot, place], whole.upper[slot, place]
                total += interval_cost(row, item, lower, upper, world.reading)
            assert total == pytest.approx(cost[slot, row])


@pytest.mark.parametrize("shared", [False, True])
def test_some_items_at_a_time_have_the_same_values_as_all_at_once(shared):
    world = World(30, LocalBudget, shared=shared, limited=False)
    opened, n_splits = world.node(0, 0.0), len(world.splits)
    together, apart = np.full(n_splits, np.nan), np.full(n_splits, np.nan)
    opened.sweep(0, n_splits, together)
    ends = [*world.splits.first[::2], n_splits]
    for first, last in pairwise(ends):
        opened.sweep(first, last, apart)
    assert np.array_equal(apart, together)
