"""Worst cases and optima against brute force."""

import numpy as np

from hedgerow import Tree, evaluate, solve, worst_case
from tests.torture.plain import Plain, leaves_of
from tests.torture.world import world

PROVING = ("exact", "scenario_generation")
OTHERS = ("auto", "fix_tree", "fix_solutions", "alternate", "local_search", "greedy", "nominal", "one_solution")


def near(value, other, scale):
    return abs(value - other) <= 1e-9 * max(abs(value), abs(other), scale)


def scale_of(instance):
    return float(np.abs(instance.losses(instance.problem.all_solutions(10_000))).sum(axis=0).max())


def draw_tree(rng, plain, solutions, depth):
    """Draw a tree whose thresholds lie between lattice points, some of them beyond all readings."""
    if depth == 0 or rng.random() < 0.15:
        return {"solution": solutions[rng.integers(len(solutions))].tolist()}
    item = int(rng.integers(plain.readings.shape[1]))
    # Half a step beside a value: the lattice has steps of the world's scale, 1000 ε.
    threshold = float(
        plain.readings[rng.integers(len(plain.readings)), item] + rng.choice([-1, 1]) * 500 * plain.epsilon
    )
    sides = {side: draw_tree(rng, plain, solutions, depth - 1) for side in ("left", "right")}
    return {"item": item, "threshold": threshold, **sides}


class Adversary:
    """The worst case of a random tree, and the attack that attains it."""

    name = "adversary"

    def draw(self, rng):
        drawn = world(rng, most_samples=5, most_solutions=8, depths=(0, 1, 2, 3))
        instance = drawn.instance
        nested = draw_tree(rng, Plain(instance), instance.problem.all_solutions(8), drawn.depth)
        return drawn, nested

    def check(self, case):
        drawn, nested = case
        instance, tree = drawn.instance, Tree.from_dict(nested)
        plain, leaves = Plain(instance), leaves_of(nested)
        loss = plain.loss(np.array([solution for _, solution in leaves]))
        expected = plain.worst([path for path, _ in leaves], loss)
        attack = worst_case(tree, instance)
        scale = float(np.abs(loss).sum())
        assert attack.exact, "the attack is not exact"
        assert near(plain.sign * attack.bound, expected, scale), f"worst case {attack.bound}, by brute force {expected}"
        landed = tree.apply(attack.observations)
        assert (landed == attack.leaf).all(), "an attack lands in another leaf than it names"
        spent = np.asarray(attack.price)
        if not plain.nominal:
            over = spent.sum() - plain.budget[0] if plain.together else (spent - plain.budget).max()
            assert over <= 1e-8 * max(plain.scale, 1e-300), f"the attack spends {over} too much"
        if (drawn.weights == 1.0).all():
            shown = evaluate(tree, instance.problem, drawn.costs, instance.uncertainty, observations=drawn.observations)
            assert near(plain.sign * shown.robust, expected, scale), "evaluate says otherwise"

    def smaller(self, case):
        drawn, nested = case
        for row in range(len(drawn.costs)):
            less = drawn.without_row(row)
            if less is not None:
                yield less, nested
        for side in ("left", "right"):
            if side in nested:
                yield drawn, nested[side]

    def told(self, case):
        return f"{case[0].code()}; Tree.from_dict({case[1]!r})"


class Optimum:
    """The best tree: proven by the methods that prove, bounded by all."""

    name = "optimum"

    def draw(self, rng):
        drawn = world(rng, most_samples=4, most_solutions=4, depths=(1, 1, 1, 2), most_features=2)
        return drawn, str(rng.choice(PROVING, p=[0.8, 0.2])), str(rng.choice(OTHERS)), int(rng.integers(1_000))

    def check(self, case):
        drawn, proving, other, seed = case
        instance = drawn.instance
        plain = Plain(instance)
        expected = plain.optimum(drawn.depth, instance.problem.all_solutions(8))
        scale = scale_of(instance)
        found = solve(instance, method=proving, thresholds="midpoints", time_limit=60.0, random_state=seed)
        assert found.status == "optimal", f"{proving} ends as {found.status}"
        self._check_value(found, plain, instance, scale, proving)
        assert near(plain.sign * found.objective, expected, scale), f"{proving}: {found.objective}, not {expected}"
        tried = solve(
            instance, method=other, thresholds="midpoints", iteration_limit=20, time_limit=60.0, random_state=seed
        )
        self._check_value(tried, plain, instance, scale, other)
        assert plain.sign * tried.objective >= expected - 1e-9 * scale, f"{other} beats the optimum {expected}"
        assert plain.sign * tried.lower_bound <= expected + 1e-9 * scale, f"{other}: bound above the optimum"

    def _check_value(self, result, plain, instance, scale, method):
        leaves = leaves_of(result.tree.to_dict())
        loss = plain.loss(np.array([solution for _, solution in leaves]))
        worst = plain.worst([path for path, _ in leaves], loss)
        assert near(plain.sign * result.objective, worst, scale), f"{method} reports {result.objective}, not {worst}"
        assert result.gap >= 0.0, f"{method}: gap {result.gap}"
        for _, solution in leaves:
            trouble = instance.problem.infeasibility(solution)
            assert trouble is None, f"{method}: a leaf is not feasible: {trouble}"

    def smaller(self, case):
        for row in range(len(case[0].costs)):
            less = case[0].without_row(row)
            if less is not None:
                yield less, *case[1:]

    def told(self, case):
        return f"{case[0].code()}; methods {case[1]} and {case[2]}, random_state={case[3]}"
