"""Structures over all thresholds: whatever threshold is tried, what it does is in the list."""

from itertools import pairwise, product

import numpy as np
import pytest

from hedgerow import Instance, LocalBudget, alternatives
from hedgerow.adversary import move_costs, worst_case
from hedgerow.engine.listing.cells import Behaviours, CellLister, _face, _face_sets
from hedgerow.engine.listing.wished import ground_of
from hedgerow.engine.samples import samples_of
from hedgerow.geometry import affordable
from hedgerow.problems import ExplicitSet
from hedgerow.run import Options
from hedgerow.tree.splits import Splits
from hedgerow.tree.structure import existing_slots, nominal_slots, tree_of

PLANS = np.eye(3)
NUMBERS, DRAWN = (1, 4), 300
CASES = {
    "plain": ({"budget": 1.1}, {}, 2),
    "one question": ({"budget": 1.1}, {}, 1),
    "no margin": ({"budget": 1.1}, {"threshold_margin": 0.0}, 2),
    "wide steps": ({"budget": 1.3, "epsilon": 0.4}, {}, 2),
    "wide steps, no margin": ({"budget": 1.3, "epsilon": 0.4}, {"threshold_margin": 0.0}, 2),
    "own budgets": ({"budget": [0.3, 1.0, 1.5, 0.0]}, {}, 2),
    "prices": ({"budget": 1.1, "prices": [2.0, 0.5]}, {}, 2),
    "limits": ({"budget": 1.5, "limits": [0.4, 0.9]}, {}, 2),
    "rows per leaf": ({"budget": 0.6}, {"min_samples_leaf": 1}, 2),
    "two rows per leaf": ({"budget": 0.3}, {"min_samples_leaf": 2}, 2),
    "three leaves": ({"budget": 0.6}, {"max_leaves": 3}, 2),
}


def instance_of(number, budget, depth):
    rng = np.random.default_rng(number)
    observations = np.round(rng.uniform(0.0, 6.0, size=(4, 2)), 1)
    problem, costs = ExplicitSet(PLANS), rng.integers(1, 9, size=(4, 3)).astype(float)
    return Instance.create(problem, costs, context=observations, uncertainty=LocalBudget(**budget), depth=depth)


def of_structure(question, threshold, instance, margin):
    """Return who reaches which of four slots, where each sample belongs, and the least worst case over all plans."""
    splits = Splits(question, threshold, threshold, threshold, instance.questions)
    structure = np.where(question >= 0, np.arange(3), -1)
    exists = existing_slots(structure)
    shape = tree_of(structure, splits, np.arange(4.0)[:, None])
    cost = move_costs(shape, instance.observations, instance.uncertainty, margin=margin)
    reach = np.zeros((instance.n_samples, 4), dtype=bool)
    budget = np.reshape(instance.uncertainty.budget, (-1, 1))
    reach[:, exists] = affordable(cost, np.broadcast_to(budget, (instance.n_samples, 1)))
    loss = instance.losses(PLANS)
    choices = np.array(list(product(range(3), repeat=4)))
    paid = np.where(reach[None], loss[np.arange(len(loss))[None, :, None], choices[:, None]], -np.inf)
    own = nominal_slots(structure, splits, instance.observations)
    return (reach.tobytes(), own.tobytes()), paid.max(axis=2).sum(axis=1).min(), own, exists


def some_structures(instance, options, rng):
    """Yield what structures with random thresholds do, where they keep the limits on leaves."""
    low, high = instance.observations.min(axis=0), instance.observations.max(axis=0)
    for _ in range(DRAWN):
        question = rng.integers(-1, 2, size=3) if instance.depth == 2 else np.array([-1, rng.integers(-1, 2), -1])
        question[2] = question[2] if question[0] >= 0 else -1
        threshold = rng.uniform(low[question], high[question])
        pattern, least, own, exists = of_structure(question, threshold, instance, options.margin_on(instance))
        if keeps_limits(own, exists, options):
            yield pattern, least


def keeps_limits(own, exists, options):
    rows = np.bincount(own, minlength=4)[exists]
    return rows.min() >= options.min_samples_leaf and exists.sum() <= (options.max_leaves or 4)


def middles_of_widest(block, entry):
    """Return the middle of the widest intervals of root thresholds that a left and a right half have in common."""
    halves = [block.extent[:, block.members[side][number]].T for side, number in enumerate(block.pair[entry])]
    common = [(max(one[0], other[0]), min(one[1], other[1])) for one, other in product(*halves)]
    widest = max(high - low for low, high in common)
    assert widest > 0.0
    return [0.5 * (low + high) for low, high in common if high - low == widest]


@pytest.mark.parametrize("name", CASES)
def test_what_any_thresholds_do_is_listed(name):
    budget, limits, depth = CASES[name]
    for number in NUMBERS if name == "plain" else NUMBERS[:1]:
        instance = instance_of(number, budget, depth)
        options = Options(thresholds="continuous", **limits)
        margin, ground = options.margin_on(instance), ground_of(instance, options)
        lister = CellLister(ground.lister, samples_of(instance, ground.lister.losses, None, margin), depth)
        tried = list(some_structures(instance, options, np.random.default_rng(number)))
        cutoff = 1.1 * min(least for _, least in tried)
        listed, behaviours = {}, Behaviours({})
        for root in lister.roots:
            for block in lister.listed(root, cutoff):
                if block is None:
                    continue
                behaviours.add(block, lister)
                for entry, value in enumerate(block.value):
                    placed = lister.placed(block, entry)
                    pattern, least, own, exists = of_structure(*placed, instance, margin)
                    assert value == pytest.approx(least)
                    assert keeps_limits(own, exists, options)
                    assert block.extent is None or placed[1][0] in middles_of_widest(block, entry)
                    listed[pattern] = value
        good = [(pattern, least) for pattern, least in tried if least < cutoff - 1e-9]
        assert good
        assert [listed.get(pattern) for pattern, _ in good] == pytest.approx([least for _, least in good])
        assert len(behaviours.found) <= len(listed)


def test_alternatives_over_all_thresholds_are_one_tree_per_behaviour_with_its_cells():
    instance = instance_of(1, {"budget": 0.7}, 2)
    found = alternatives(instance, within=0.3, thresholds="continuous", time_limit=None)
    assert found.complete
    seen = set()
    for tree, value in found.trees():
        attack = worst_case(tree, instance, margin=found.best.threshold_margin)
        assert attack.value == pytest.approx(value)
        assert value <= found.best.objective * 1.3 + 1e-9
        seen.add((tree.predict(instance.observations).tobytes(), tuple(np.round(attack.cost, 9))))
    assert len(seen) == found.n_behaviours == found.n_structures > 1
    assert found.values[0] == pytest.approx(found.best.objective)
    for pick in found.picks:
        assert len(pick.proof.cells) == pick.n_questions


def test_a_face_ends_where_lines_meet():
    lower = np.array([True, False])
    assert _face(np.array([0.0, 1.0]), np.array([2.0, 1.0]), lower, 1e-9) == (0.0, 0.5, 0.75)
    assert _face(np.array([2.0, 1.0]), np.array([-1.0, 1.0]), lower, 1e-9) == pytest.approx((1 / 3, 1.0, 0.5))
    assert _face(np.array([2.0, 1.0]), np.array([3.0, 1.0]), lower, 1e-9) is None


def faces_by_sweeping(near, far):
    """Return for each face, by the lines below it, where it begins: at the first end or where two lines cross."""
    slope = far - near
    crossings = {
        (near[one] - near[other]) / (slope[other] - slope[one])
        for one, other in product(range(near.size), repeat=2)
        if slope[one] != slope[other]
    }
    times = np.unique(np.round([0.0, 1.0, *(time for time in crossings if 0.0 < time < 1.0)], 9))
    faces = {}
    for begin, end in pairwise(times):
        order, middle = np.argsort(near + 0.5 * (begin + end) * slope), near + 0.5 * (begin + end) * slope
        for rank in range(near.size - 1):
            if middle[order[rank + 1]] - middle[order[rank]] > 1e-6:
                lower = np.isin(np.arange(near.size), order[: rank + 1])
                faces.setdefault(
                    lower.tobytes(), np.mean(near[order[[rank, rank + 1]]] + begin * slope[order[[rank, rank + 1]]])
                )
    return faces


@pytest.mark.parametrize("seed", range(12))
def test_all_faces_that_begin_in_a_window_are_found(seed):
    """Lines through whole numbers, so that several cross in one point or are the same, and others anywhere."""
    rng, tiny = np.random.default_rng(seed), 1e-9
    near, far = (rng.integers(0, 7, (2, 6)) if seed % 2 else rng.uniform(0.0, 6.0, (2, 6))).astype(float)
    faces = faces_by_sweeping(near, far)
    for windows in ([[-1.0], [9.0]], [[0.5, 4.0], [1.5, 5.5]], [[3.0, 1.0], [3.5, 2.0]], [[2.5], [2.5]]):
        found = {
            lower.tobytes()
            for lower in _face_sets(near, far, np.array(windows), tiny).values()
            if _face(near, far, lower, tiny) is not None
        }
        edges = np.concatenate(windows)
        sure = {key for key, at in faces.items() if any(low <= at <= high for low, high in zip(*windows, strict=True))}
        may = {key for key, at in faces.items() if np.abs(edges - at).min() < 1e-6}
        assert sure - may <= found <= sure | may
    assert _face_sets(near, far, np.array([[2.5], [2.5]]), tiny).keys() >= {
        key for key, at in faces.items() if at == 2.5 and 2.5 in (0.5 * (np.sort(near)[1:] + np.sort(near)[:-1]))
    }
