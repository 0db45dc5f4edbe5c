"""Methods on trees that may ask any questions, against all trees there are, with move costs from linear programmes."""

import itertools

import numpy as np
import pytest
from scipy.optimize import linprog

from hedgerow import GlobalBudget, Instance, LocalBudget, Nominal
from hedgerow.adversary import worst_case
from hedgerow.geometry import reach_limit
from hedgerow.methods.solve import solve
from hedgerow.problems import ExplicitSet
from hedgerow.questions import Question
from hedgerow.splits import candidate_splits


def lp_cost(matrix, price, limit, least, most):
    if (least > most).any():
        return np.inf
    if (least <= 0.0).all() and (most >= 0.0).all():
        return 0.0
    rows = np.hstack([matrix, -matrix])
    low, high = np.isfinite(least), np.isfinite(most)
    found = linprog(
        np.tile(price, 2),
        A_ub=np.vstack([rows[high], -rows[low]]),
        b_ub=np.concatenate([most[high], -least[low]]),
        bounds=[(0.0, None if np.isinf(most_here) else most_here) for most_here in np.tile(limit, 2)],
    )
    return found.fun if found.status == 0 else np.inf


def change_range(value, lower, upper, epsilon):
    if lower >= upper or (value <= lower and lower + epsilon > upper):
        return 1.0, 0.0
    floor = lower + epsilon if value <= lower else min(lower + epsilon, value, upper)
    return floor - value, upper - value


class AllTrees:
    """Every full tree of depth 1 or 2 over the candidate splits, each with all solutions at all leaves."""

    def __init__(self, instance):
        self.instance = instance
        self.splits = candidate_splits(instance.question_values, "midpoints", None, instance.questions)
        self.matrix = np.zeros((len(instance.questions), instance.n_features))
        for row, question in enumerate(instance.questions):
            self.matrix[row, list(question.items)] = question.coefficients
        self.known = {}

    def move_costs(self, path):
        if path not in self.known:
            box = {}
            for split, right in path:
                low, high = box.get(self.splits.question[split], (-np.inf, np.inf))
                cut = self.splits.threshold[split]
                box[self.splits.question[split]] = (max(low, cut), high) if right else (low, min(high, cut))
            self.known[path] = np.array([self._cost(values, box) for values in self.instance.question_values])
        return self.known[path]

    def _cost(self, values, box):
        uncertainty, n_items = self.instance.uncertainty, self.instance.n_features
        prices = np.ones(n_items) if uncertainty.prices is None else uncertainty.prices
        limits = np.full(n_items, np.inf) if uncertainty.limits is None else reach_limit(uncertainty.limits)
        ranges = [change_range(values[question], *ends, uncertainty.epsilon) for question, ends in box.items()]
        return lp_cost(self.matrix[list(box)], prices, limits, *np.array(ranges).T)

    def best(self):
        splits, depth = range(len(self.splits)), self.instance.depth
        structures = [[((root, 0),), ((root, 1),)] for root in splits]
        if depth == 2:
            structures = [
                [((root, 0), (left, 0)), ((root, 0), (left, 1)), ((root, 1), (right, 0)), ((root, 1), (right, 1))]
                for root in splits
                for left in splits
                for right in splits
            ]
        return min(self._value(np.array([self.move_costs(path) for path in paths])) for paths in structures)

    def _value(self, cost):
        uncertainty, n_samples = self.instance.uncertainty, self.instance.n_samples
        loss = self.instance.losses(self.instance.problem.all_solutions(99))
        held = np.array(list(itertools.product(range(loss.shape[1]), repeat=len(cost))))
        if isinstance(uncertainty, LocalBudget):
            within = (cost <= reach_limit(uncertainty.budget)).T
            return np.where(within[:, None, :], loss[:, held], -np.inf).max(axis=2).sum(axis=0).min()
        rows, worst = np.arange(n_samples), np.full(len(held), -np.inf)
        for sent in itertools.product(range(len(cost)), repeat=n_samples):
            if cost[sent, rows].sum() <= reach_limit(uncertainty.budget):
                worst = np.maximum(worst, loss[rows[:, None], held[:, sent].T].sum(axis=0))
        return worst.min()


def tiny_instance(seed):
    rng = np.random.default_rng(seed)
    depth, n_samples = (2, 3) if seed % 3 else (1, 4)
    questions = [Question.of_item(int(rng.integers(3)))]
    for number in range(2 if depth == 2 else 4):
        items = rng.choice(3, int(rng.integers(2, 4)), replace=False).tolist()
        numbers = rng.choice([-1.0, 1.0, 2.0], len(items)).tolist()
        questions.append(Question.of(dict(zip(items, numbers, strict=True)), f"question {number}"))
    options = {}
    if rng.random() < 0.5:
        options["prices"] = rng.integers(1, 4, 3) / 2.0
    if rng.random() < 0.4:
        options["limits"] = rng.integers(0, 5, 3) / 1.0
    budget = (LocalBudget if seed % 2 else GlobalBudget)(float(rng.integers(0, 6)), **options)
    costs = rng.integers(0, 12, (n_samples, 3)) / 1.0
    solutions = np.unique(rng.integers(0, 2, (3, 3)) + np.array([0.0, 0.0, 0.5]), axis=0)
    return Instance.create(ExplicitSet(solutions), costs, uncertainty=budget, depth=depth, questions=questions)


@pytest.mark.parametrize("seed", range(10))
def test_methods_agree_with_all_trees(seed):
    instance = tiny_instance(seed)
    best = AllTrees(instance).best()
    proven = solve(instance, method="exact", thresholds="midpoints", time_limit=None)
    assert proven.thresholds == "midpoints"
    assert proven.status == "optimal"
    assert proven.objective == pytest.approx(best)
    assert worst_case(proven.tree, instance).value == pytest.approx(best)
    for method in ("local_search", "fix_tree", "scenario_generation", "one_solution", "nominal"):
        found = solve(instance, method=method, iteration_limit=30, random_state=0)
        assert found.objective >= best - 1e-9, method
        assert found.lower_bound <= best + 1e-9, method
        assert found.objective == pytest.approx(worst_case(found.tree, instance).value), method


def test_attacks_on_questions_land_and_fit_the_budget():
    rng = np.random.default_rng(5)
    n_moved = 0
    for seed in range(30):
        instance = tiny_instance(seed)
        structure = solve(instance.under(Nominal()), method="nominal", time_limit=None).tree
        costs = instance.costs + rng.random(instance.costs.shape)
        instance = Instance.create(
            instance.problem, costs, uncertainty=instance.uncertainty, depth=2, questions=instance.questions
        )
        attack = worst_case(structure, instance)
        n_moved += attack.moved.size
        assert structure.apply(attack.observations).tolist() == attack.leaf.tolist()
        prices = np.ones(3) if instance.uncertainty.prices is None else instance.uncertainty.prices
        change = np.abs(attack.observations - costs)
        assert change @ prices == pytest.approx(attack.price, abs=1e-8)
        if instance.uncertainty.limits is not None:
            assert (change <= reach_limit(instance.uncertainty.limits) + 1e-9).all()
    assert n_moved > 5
