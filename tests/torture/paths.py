"""Bounds against trees on instances that are too large for brute force: no bound is above a tree that others found."""

from contextlib import nullcontext

import numpy as np

from hedgerow import Nominal, Tree, solve, worst_case
from hedgerow.engine.bounds import k_solutions_bound
from hedgerow.run import Deadline
from hedgerow.tree.splits import GRID_POINTS
from tests.methods.exact.tiny import on_path
from tests.torture.plain import Plain, leaves_of
from tests.torture.values import PATHS, near, scale_of
from tests.torture.world import Kind, world

SECONDS = 1.0
"""What each way has; bounds hold whenever a search is stopped."""

MOST_SOLUTIONS = 20
TREES_BESIDE = 12
OTHERS = ("local_search", "scenario_generation", "auto", "fix_tree", "fix_solutions", "alternate", "greedy", "nominal")
WAYS = (
    ("exact", "midpoints", ""),
    ("exact", "grid", ""),
    ("exact", "continuous", ""),
    ("local_search", "grid", ""),
    *(("exact", "midpoints", path) for path in sorted(set(PATHS))),
    *(("exact", "continuous", path) for path in ("intervals", "prices")),
    *((method, "midpoints", "") for method in OTHERS),
)
"""Method, thresholds, and the path that the exact method is sent down; see `PATHS`."""


def covers(bound, tree):
    """Return whether a bound over one set of thresholds holds for trees over another one."""
    return bound in (tree, "continuous") or (bound == "grid" and tree == "midpoints" and 0.5 in GRID_POINTS)


def beside(nested, rng, instance, step):
    """Return a tree with its thresholds moved a little, and at times with another solution at a leaf."""
    if "solution" in nested:
        solutions = instance.problem.all_solutions(MOST_SOLUTIONS)
        return {"solution": solutions[rng.integers(len(solutions))].tolist()} if rng.random() < 0.1 else nested
    moved = nested["threshold"] + step * float(rng.choice([0.0, 0.0, -1.0, -0.5, -0.01, 0.01, 0.5, 1.0]))
    sides = {side: beside(nested[side], rng, instance, step) for side in ("left", "right")}
    return {**nested, "threshold": moved, **sides}


class Paths(Kind):
    """One instance, solved in several ways: what one proves no other one may beat."""

    name = "paths"

    def draw(self, rng):
        least = int(rng.integers(16, 41))
        drawn = world(rng, least_samples=least, most_samples=least, most_solutions=MOST_SOLUTIONS, depths=(1, 2, 3, 4))
        rules = {}
        if rng.random() < 0.15:
            rules = {"min_samples_leaf": int(rng.integers(2, 5))}
        elif rng.random() < 0.1:
            rules = {"max_leaves": int(rng.integers(2, 4))}
        chosen = [0, *rng.choice(np.arange(1, len(WAYS)), 3, replace=False).tolist()]
        return drawn, rules, [WAYS[number] for number in chosen], int(rng.integers(1_000))

    def check(self, case):
        drawn, rules, ways, seed = case
        instance = drawn.instance
        sign, scale = Plain(instance).sign, scale_of(instance)
        bounds, trees = [("without a tree", "continuous", self._without_tree(instance))], []
        for way in ways:
            found = self._solved(instance, rules, way, seed)
            name = f"{way[0]} at {way[1]}{f' by {way[2]}' if way[2] else ''}"
            value = self._value(found.tree, instance, name)
            assert near(sign * found.objective, value, scale), f"{name} reports {found.objective}, not {sign * value}"
            assert found.gap >= 0.0, f"{name}: gap {found.gap}"
            # Where all thresholds can't be settled, the result says that its bound is about midpoints.
            bounds.append((name, found.thresholds, sign * found.lower_bound))
            trees.append((name, way[1], value))
            if not rules:
                trees += self._trees_beside(found.tree, instance, drawn.step, name, seed)
        for who, over, bound in bounds:
            for whose, among, value in trees:
                if covers(over, among):
                    over_by = bound - value
                    assert over_by <= 1e-9 * scale, f"the bound of {who}, {bound}, is above {value}, a tree of {whose}"

    def _without_tree(self, instance):
        losses = instance.losses(instance.problem.all_solutions(MOST_SOLUTIONS))
        return k_solutions_bound(losses, 2**instance.depth, Deadline(SECONDS))

    def _solved(self, instance, rules, way, seed):
        method, thresholds, path = way
        options = {"thresholds": thresholds, "time_limit": SECONDS, "random_state": seed, **rules}
        if thresholds == "continuous" and not isinstance(instance.uncertainty, Nominal):
            options["threshold_margin"] = 0.0
        with on_path(path, blind=True) if path else nullcontext():
            return solve(instance, method=method, round_thresholds=False, **options)

    def _value(self, tree, instance, name):
        """Return what a tree costs in the worst case, by the adversary and, where samples are on their own, apart."""
        plain, attack = Plain(instance), worst_case(tree, instance)
        value = plain.sign * attack.bound
        leaves = leaves_of(tree.to_dict())
        loss = plain.loss(np.array([solution for _, solution in leaves]))
        if not plain.together:
            moves = plain.move_costs([path for path, _ in leaves])
            spare = np.where(plain.budget > 0.0, plain.budget + plain.slack, 0.0)
            expected = float(np.where(moves <= spare[:, None], loss, -np.inf).max(axis=1).sum())
            assert near(value, expected, float(np.abs(loss).sum())), f"{name}: worst case {value}, apart {expected}"
        return value

    def _trees_beside(self, tree, instance, step, name, seed):
        rng = np.random.default_rng(seed)
        for _ in range(TREES_BESIDE):
            nested = beside(tree.to_dict(), rng, instance, step)
            yield f"{name}, changed to {nested}", "anywhere", self._value(Tree.from_dict(nested), instance, name)
