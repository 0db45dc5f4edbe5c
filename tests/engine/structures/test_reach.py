"""Move costs of structures, compiled, against the adversary's on the trees that these structures stand for."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow import GlobalBudget, Instance, LocalBudget, Nominal
from hedgerow.adversary import move_costs
from hedgerow.engine.structures.reach import node_path, path_costs, reading_of, structure_costs
from hedgerow.geometry import affordable
from hedgerow.problems import ExplicitSet
from hedgerow.tree.questions import Question
from hedgerow.tree.splits import candidate_splits
from hedgerow.tree.structure import NO_SPLIT, existing_slots, nominal_slots, tree_of
from tests.methods.exact.tiny import LONG_EPSILONS, instances

ITEMS = (Question.of_item(0), Question.of_item(1))
SHARED = (Question.of_item(0), *(Question(pair, (1.0, -1.0), "difference") for pair in ((0, 1), (1, 2), (0, 2))))


def kernel_costs(instance, splits, structure, margin=0.0):
    out = np.full((structure.size + 1, instance.n_samples), np.nan)
    structure_costs(structure, reading_of(instance, splits, margin), out)
    return out


def adversary_costs(instance, splits, structure, uncertainty=None):
    """Return the adversary's move costs per slot; ∞ for slots that don't exist."""
    blank = np.zeros((structure.size + 1, len(instance.problem.variable_names)))
    tree = tree_of(structure, splits, blank)
    cost = np.full((structure.size + 1, instance.n_samples), np.inf)
    cost[existing_slots(structure)] = move_costs(tree, instance.observations, uncertainty or instance.uncertainty).T
    return cost


@st.composite
def cases(draw, **options):
    instance = draw(instances(depths=(1, 2, 3), **options))
    splits = candidate_splits(instance.observations, draw(st.sampled_from(["midpoints", "midpoints", "grid"])))
    node = st.integers(NO_SPLIT, len(splits) - 1)
    n_inner = 2**instance.depth - 1
    structure = draw(st.lists(node, min_size=n_inner, max_size=n_inner))
    return instance, splits, np.array(structure, dtype=np.int64)


def assert_agrees(instance, splits, structure):
    mine = kernel_costs(instance, splits, structure)
    theirs = adversary_costs(instance, splits, structure)
    if isinstance(instance.uncertainty, GlobalBudget):
        assert mine == pytest.approx(theirs, rel=1e-12, abs=1e-12)
    else:
        budget = 0.0 if isinstance(instance.uncertainty, Nominal) else instance.uncertainty.budget
        assert set(np.unique(mine)) <= {0.0, np.inf}
        assert ((mine == 0.0) == affordable(theirs, budget)).all()
    own = nominal_slots(structure, splits, instance.observations)
    assert (mine[own, np.arange(instance.n_samples)] == 0.0).all()


@settings(max_examples=200)
@given(cases())
def test_kernel_and_adversary_agree(case):
    """Same item asked twice, nodes that ask nothing, empty boxes, limits and prices; local ones as 0 or ∞."""
    assert_agrees(*case)


@settings(max_examples=100)
@given(cases(epsilons=LONG_EPSILONS))
def test_kernel_and_adversary_agree_where_a_step_overshoots(case):
    """Boxes too narrow to be entered from below."""
    assert_agrees(*case)


@settings(max_examples=60)
@given(cases(sets=("global",)), st.sampled_from([0.002, 0.3]))
def test_kernel_and_adversary_agree_on_thresholds_that_may_be_moved(case, margin):
    instance, splits, structure = case
    tree = tree_of(structure, splits, np.zeros((structure.size + 1, len(instance.problem.variable_names))))
    theirs = move_costs(tree, instance.observations, instance.uncertainty, margin=margin).T
    mine = kernel_costs(instance, splits, structure, margin)
    assert mine[existing_slots(structure)] == pytest.approx(theirs, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("questions", [ITEMS, SHARED], ids=["items", "shared items"])
def test_what_a_node_costs_suffices_for_one_of_the_leaves_below_it(questions):
    """However nodes below it divide its box further, although each may take another step of ε."""
    rng, depth = np.random.default_rng(0), 3
    observations = rng.integers(0, 9, (6, 3)) * 0.25
    instance = Instance.create(
        ExplicitSet(np.eye(2)),
        rng.uniform(1.0, 9.0, (6, 2)),
        observed=observations,
        uncertainty=GlobalBudget(9.0, epsilon=0.4),
        depth=depth,
        questions=questions,
    )
    splits = candidate_splits(instance.question_values, "midpoints", questions=instance.questions)
    reading = reading_of(instance, splits)
    path, answers, cost = np.empty(depth, np.int64), np.empty(depth, np.int64), np.empty(6)
    for _ in range(150):
        structure = rng.integers(0, len(splits), 7)
        slots = kernel_costs(instance, splits, structure)
        for node in range(7):
            level = (node + 1).bit_length() - 1
            path_costs(node_path(node, structure, path, answers), path, answers, reading, depth - level, cost)
            width = 2 ** (depth - level)
            first = (node + 1 - 2**level) * width
            assert (slots[first : first + width].min(axis=0) <= cost + 1e-9).all()


@pytest.mark.parametrize("budget", [LocalBudget, GlobalBudget])
def test_a_limit_of_zero_allows_no_change_at_all(budget):
    """Not even one below the tolerance that is allowed beyond other limits; the adversary says so too."""
    instance = Instance.create(
        ExplicitSet(np.eye(2)),
        np.eye(2),
        observed=[[0.0], [4e-10]],
        uncertainty=budget(1.0, limits=0.0, epsilon=1e-12),
        depth=1,
    )
    assert_agrees(instance, candidate_splits(instance.observations), np.array([0]))


@pytest.mark.parametrize("budget", [LocalBudget, GlobalBudget])
def test_a_budget_of_zero_affords_no_move_at_all(budget):
    """Readings nearer than the tolerance are not confused without a budget."""
    instance = Instance.create(
        ExplicitSet(np.eye(2)),
        np.eye(2),
        observed=[[0.0], [4e-10]],
        uncertainty=budget(0.0, epsilon=1e-12),
        depth=1,
    )
    splits = candidate_splits(instance.observations)
    assert (kernel_costs(instance, splits, np.array([0])) <= reading_of(instance, splits).limit).tolist() == [
        [True, False],
        [False, True],
    ]
