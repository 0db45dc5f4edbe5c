"""Questions that read several items under local budgets: reach, bounds and optima of intervals of root thresholds."""

import numpy as np
import pytest

from hedgerow import Instance, LocalBudget, solve, worst_case
from hedgerow.engine.intervals import Intervals
from hedgerow.engine.pool import complete_pool
from hedgerow.engine.samples import samples_of
from hedgerow.problems import ExplicitSet, Selection
from hedgerow.run import Options
from hedgerow.tree.questions import Question
from hedgerow.tree.splits import Splits, candidate_splits
from tests.engine.worlds import assert_no_bound_is_above

COEFFICIENTS = [-1.0, 1.0, 2.0, 0.5, 0.0]


def world(rng, n_samples, *, limited=None):
    """Return an instance with questions that share items, and options; values lie on a lattice half of the time."""
    n_items = int(rng.integers(2, 4))
    lattice = rng.random() < 0.5
    rows = rng.integers(0, 5, (n_samples, n_items)) * 1.0 if lattice else rng.uniform(0, 5, (n_samples, n_items))
    matrix = np.unique(rng.choice(COEFFICIENTS, (3, n_items)), axis=0)
    questions = [
        Question.of({item: number for item, number in enumerate(row) if number}, f"question {place}")
        for place, row in enumerate(matrix)
        if row.any()
    ] or [Question.of_item(0)]
    given = {}
    if rng.random() < 0.4 if limited is None else limited:
        given["limits"] = rng.choice([0.0, 0.5, 1.0, 2.0, np.inf], (n_samples, n_items))
    if rng.random() < 0.4:
        given["prices"] = rng.choice([0.5, 1.0, 2.0], n_items)
    budget = rng.integers(0, 8, n_samples) * 0.5 if lattice else float(rng.uniform(0.0, 4.0))
    instance = Instance.create(
        ExplicitSet(np.eye(3), sense="max" if rng.random() < 0.3 else "min"),
        rng.integers(-4, 9, (n_samples, 3)).astype(float),
        observed=rows,
        weights=rng.choice([0.5, 1.0, 2.0], n_samples),
        uncertainty=LocalBudget(budget, epsilon=float(rng.choice([0.001, 0.25, 0.7])), **given),
        depth=int(rng.choice([1, 2, 2])),
        questions=questions,
    )
    options = Options(
        method="exact",
        thresholds="midpoints",
        min_samples_leaf=min(n_samples, int(rng.choice([0, 0, 1, 2]))),
        max_leaves=None if rng.random() < 0.6 else int(rng.integers(1, 5)),
        time_limit=None,
        round_thresholds=False,
    )
    return instance, options


@pytest.mark.parametrize("kind", ["continuous", "midpoints"])
@pytest.mark.parametrize("seed", range(3))
def test_no_bound_on_the_way_to_a_tree_is_above_it(seed, kind):
    rng = np.random.default_rng(seed)
    costs = rng.uniform(5.0, 30.0, (25, 5)).round(2)
    uncertainty = LocalBudget(float(rng.uniform(1.0, 4.0)))
    instance = Instance.create(Selection(5, 2), costs, uncertainty=uncertainty, questions=["plans:4", "items"])
    pool = complete_pool(instance)
    splits = candidate_splits(instance.question_values, "midpoints", instance.questions)
    samples = samples_of(instance, pool.losses, None if kind == "continuous" else splits, 0.0)
    intervals = Intervals(samples, 2, 0)
    for _ in range(8):
        whole = intervals.whole()[rng.integers(len(instance.questions))]
        listed = splits.threshold[splits.question == whole.question]
        at = float(rng.uniform(whole.low, whole.high)) if kind == "continuous" else float(rng.choice(listed))
        assert_no_bound_is_above(intervals, whole, at)


@pytest.mark.parametrize("seed", range(12))
def test_no_threshold_is_better_than_the_best_over_all_of_them(seed, monkeypatch):
    """Candidates that lie close together are settled over midpoints, which brute force confirms."""
    rng = np.random.default_rng(seed)
    instance, options = world(rng, 5, limited=False)
    options = options.replace(threshold_margin=float(rng.choice([0.0, 0.1])))
    found = solve(instance, options.replace(thresholds="continuous"), random_state=0)
    assert (found.status, found.thresholds) == ("optimal", "continuous")
    assert worst_case(found.tree, instance, margin=options.threshold_margin).bound == pytest.approx(found.objective)

    def many(given, *_):
        values = given.question_values
        ends = [(question, column.min(), column.max()) for question, column in enumerate(values.T)]
        kept = [(question, np.sort(rng.uniform(low, high, 60))) for question, low, high in ends if low < high]
        cuts = np.concatenate([cut for _, cut in kept])
        return Splits(np.repeat([question for question, _ in kept], 60), cuts, cuts, cuts, instance.questions)

    monkeypatch.setattr(Instance, "splits", many)
    listed = solve(instance, options, random_state=0)
    assert listed.status == "optimal"
    assert instance.sign * found.objective <= instance.sign * listed.objective + 1e-9


def test_entry_limits_leave_midpoints():
    rng = np.random.default_rng(1)
    instance, options = world(rng, 5, limited=True)
    found = solve(instance, options.replace(thresholds="continuous"), random_state=0)
    assert (found.status, found.thresholds) == ("optimal", "midpoints")
    assert "midpoints" in found.message
