"""Worst cases and optima against brute force."""

from contextlib import nullcontext

import numpy as np

from hedgerow import Tree, evaluate, solve, worst_case
from tests.methods.exact.tiny import on_path
from tests.torture.plain import Plain, leaves_of
from tests.torture.world import A_LITTLE, Kind, with_placeholders, world

PROVING = ("exact", "scenario_generation")
ANYWHERE = "all thresholds"
OTHERS = (
    "auto",
    "fix_tree",
    "fix_solutions",
    "alternate",
    "local_search",
    "greedy",
    "nominal",
    "one_solution",
    ANYWHERE,
)
PATHS = (
    "intervals",
    "intervals",
    "intervals",
    "tables",
    "prices",
    "listing",
    "listing, intervals",
    "oracle",
)
"""Ways through the exact method that small instances go only if sent there, without good first trees."""


def near(value, other, scale):
    return abs(value - other) <= 1e-9 * max(abs(value), abs(other), scale)


def scale_of(instance, has_placeholders=False):
    """Return the size of sums of costs, which rounding errors are measured by; placeholders are no part of these."""
    losses = np.abs(instance.losses(instance.problem.all_solutions(10_000)))
    if has_placeholders:
        return float(max(losses.min(axis=1).sum(), losses.sum(axis=0).min()))
    return float(losses.sum(axis=0).max())


def draw_tree(rng, drawn, plain, solutions, depth, path=()):
    """Draw a tree whose thresholds lie between lattice points, some of them beyond all readings.

    In close worlds they also lie on readings, ε beside them, and within ε of another threshold on the path.
    """
    if depth == 0 or rng.random() < 0.15:
        return {"solution": solutions[rng.integers(len(solutions))].tolist()}
    question = plain.questions[rng.integers(len(plain.questions))]
    near = plain.value(question, rng.integers(len(plain.readings)))
    # Half a step beside a value, a quarter where sums of readings lie on half steps.
    steps, step = [-1.0, 1.0], (0.5 if len(question) == 1 else 0.25) * drawn.step
    if drawn.close:
        before = [threshold for asked, threshold in path if asked == question]
        near = before[-1] if before and rng.random() < 0.6 else near
        steps = [-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 1.0 + A_LITTLE, 1.0 - A_LITTLE, 2.0]
        step = plain.epsilon if rng.random() < 0.5 else step
    threshold = float(near + rng.choice(steps) * step)
    path = (*path, (question, threshold))
    sides = {side: draw_tree(rng, drawn, plain, solutions, depth - 1, path) for side in ("left", "right")}
    if len(question) == 1 and question[0][1] == 1.0:
        return {"item": question[0][0], "threshold": threshold, **sides}
    terms = {str(item): coefficient for item, coefficient in question}
    return {"question": {"name": str(terms), "coefficients": terms}, "threshold": threshold, **sides}


class Adversary(Kind):
    """The worst case of a random tree, and the attack that attains it."""

    name = "adversary"

    def draw(self, rng):
        drawn = world(rng, most_samples=5, most_solutions=8, depths=(0, 1, 2, 3))
        instance = drawn.instance
        nested = draw_tree(rng, drawn, Plain(instance), instance.problem.all_solutions(8), drawn.depth)
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
            shown = evaluate(tree, instance.problem, drawn.costs, instance.uncertainty, context=drawn.observations)
            assert near(plain.sign * shown.robust, expected, scale), "evaluate says otherwise"


class Optimum(Kind):
    """The best tree: proven by the methods that prove, bounded by all, over midpoints and over all thresholds."""

    name = "optimum"

    def draw(self, rng):
        drawn = world(rng, most_samples=4, most_solutions=4, depths=(1, 1, 1, 2), most_features=2, most_digits=9)
        proving = str(rng.choice(PROVING, p=[0.8, 0.2]))
        path = str(rng.choice(PATHS)) if proving == "exact" and rng.random() < 0.7 else ""
        other = str(rng.choice(OTHERS)) if rng.random() < 0.5 else proving
        limits = {}
        if rng.random() < 0.3:
            limits["min_samples_leaf"] = int(rng.integers(1, 1 + len(drawn.costs)))
        if rng.random() < 0.2:
            limits["max_leaves"] = int(rng.integers(1, 5))
        if rng.random() < 0.15:
            drawn = with_placeholders(rng, drawn)
        return drawn, proving, path, other, int(rng.integers(1_000)), limits

    def check(self, case):
        drawn, proving, path, other, seed, of_leaves = case
        instance = drawn.instance
        plain = Plain(instance)
        expected = plain.optimum(drawn.depth, instance.problem.all_solutions(12), **of_leaves)
        scale = scale_of(instance, drawn.has_placeholders)
        options = {"thresholds": "midpoints", "time_limit": 60.0, "random_state": seed, **of_leaves}
        with on_path(path, blind=True) if path else nullcontext():
            found = solve(instance, method=proving, **options)
        self._check_value(found, plain, instance, scale, proving)
        # Where questions share readings within ε of each other, a model of all trees may end without a proof. So may
        # models of leaves, which stand in for a list of solutions, beside costs that are a billion times as large.
        is_hard = proving == "scenario_generation" and drawn.close and drawn.questions
        is_hard = is_hard or (path in ("listing", "listing, intervals", "oracle") and drawn.has_placeholders)
        # Beyond 20 samples, which these paths stand for, global budgets have bounds only, and so have local ones with
        # limits on shared readings.
        is_local = instance.uncertainty.is_separable
        is_hard = is_hard or (path in ("intervals", "prices", "listing, intervals") and not is_local)
        is_hard = is_hard or (path == "prices" and is_local and bool(drawn.questions))
        if not (is_hard and found.status == "feasible"):
            assert found.status == "optimal", f"{proving} ends as {found.status}"
            assert near(plain.sign * found.objective, expected, scale), f"{proving}: {found.objective}, not {expected}"
        assert plain.sign * found.lower_bound <= expected + 1e-9 * scale, f"{proving}: bound above the optimum"
        if other == proving:
            return
        limits = {"time_limit": 60.0, "iteration_limit": 20, "thresholds": "midpoints"}
        if other == ANYWHERE:
            limits = {"time_limit": 1.0, "threshold_margin": 0.0, "thresholds": "continuous"}
        method = "exact" if other == ANYWHERE else other
        tried = solve(instance, method=method, random_state=seed, **limits, **of_leaves)
        self._check_value(tried, plain, instance, scale, other)
        assert plain.sign * tried.lower_bound <= expected + 1e-9 * scale, f"{other}: bound above the optimum"
        if other == ANYWHERE:
            best = plain.sign * tried.objective
            assert tried.status != "optimal" or best <= expected + 1e-6 * scale, f"{other}: midpoints have {expected}"
        else:
            assert plain.sign * tried.objective >= expected - 1e-9 * scale, f"{other} beats the optimum {expected}"

    def _check_value(self, result, plain, instance, scale, method):
        leaves = leaves_of(result.tree.to_dict())
        loss = plain.loss(np.array([solution for _, solution in leaves]))
        worst = plain.worst([path for path, _ in leaves], loss)
        assert near(plain.sign * result.objective, worst, scale), f"{method} reports {result.objective}, not {worst}"
        assert result.gap >= 0.0, f"{method}: gap {result.gap}"
        for _, solution in leaves:
            trouble = instance.problem.infeasibility(solution)
            assert trouble is None, f"{method}: a leaf is not feasible: {trouble}"
