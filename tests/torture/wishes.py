"""Wishes and lists of good trees, against brute force at scales from 1e-9 to 1e9."""

from itertools import product

import numpy as np

from hedgerow import InputError, Wishes, alternatives, solve
from tests.torture.plain import Plain
from tests.torture.values import near, scale_of
from tests.torture.world import Kind, world

MARGINS = (0.0, 0.07, 0.3)


def draw_wishes(rng, drawn):
    """Draw one wish or two, as keywords of `Wishes`."""
    instance = drawn.instance
    every = {
        "ask_first": lambda: int(rng.integers(len(instance.questions))),
        "must_not_ask": lambda: [int(rng.integers(instance.n_features))],
        "max_items": lambda: int(rng.integers(0, 2)),
    }
    chosen = rng.choice(list(every), int(rng.integers(1, 3)), replace=False)
    return {str(name): every[str(name)]() for name in chosen}


def named(wishes, instance):
    """Return the wishes with names in place of the numbers of items and questions."""
    names = instance.feature_names
    changes = {
        "ask_first": lambda number: instance.questions[number].label(names),
        "must_not_ask": lambda items: [names[item] for item in items],
    }
    return Wishes(**{key: changes[key](value) if key in changes else value for key, value in wishes.items()})


def keeps(tree, plain, wishes):
    """Return whether the questions of a tree keep the wishes."""
    items = asked_items(tree)
    first = tree[0][0][0] if tree[0] else None
    return (
        ("ask_first" not in wishes or first == plain.questions[wishes["ask_first"]])
        and not items & set(wishes.get("must_not_ask", ()))
        and len(items) <= wishes.get("max_items", len(items))
    )


def asked_items(tree):
    return {item for leaf in tree for question, _, _ in leaf for item, _ in question}


def best_with(plain, depth, solutions, wishes):
    """Return the least worst case over all trees that keep the wishes."""
    best = np.inf
    for tree in plain.trees(depth):
        if keeps(tree, plain, wishes):
            best = min(best, least_worst_case(plain, tree, solutions))
    return best


def least_worst_case(plain, tree, solutions):
    """Return the least worst case of a structure over all plans at its leaves."""
    choices = np.array(list(product(range(len(solutions)), repeat=len(tree))))
    loss = plain.loss(solutions)
    every = plain.assignments(plain.move_costs(tree))
    rows = np.arange(len(loss))
    total = np.array([loss[rows[:, None], choices[:, leaves].T].sum(axis=0) for leaves in every])
    return float(total.max(axis=0).min())


class Wishing(Kind):
    """The best tree that keeps wishes, and what they cost."""

    name = "wishes"

    def draw(self, rng):
        drawn = world(rng, most_samples=4, most_solutions=4, depths=(1, 1, 2), most_features=2, most_digits=9)
        return drawn, draw_wishes(rng, drawn), int(rng.integers(1_000))

    def check(self, case):
        drawn, wishes, seed = case
        instance, plain = drawn.instance, Plain(drawn.instance)
        solutions = instance.problem.all_solutions(12)
        options = {"thresholds": "midpoints", "time_limit": 60.0, "random_state": seed}
        expected = best_with(plain, drawn.depth, solutions, wishes)
        try:
            found = solve(instance, wishes=named(wishes, instance), method="exact", **options)
        except InputError:
            assert np.isinf(expected), f"refused, but {expected} is possible"
            return
        scale = scale_of(instance)
        assert found.status == "optimal", f"ends as {found.status}"
        assert near(plain.sign * found.objective, expected, scale), f"{found.objective}, not {expected}"
        cost, paid = found.wish_cost, expected - plain.optimum(drawn.depth, solutions)
        assert abs(cost.extra_cost - max(0.0, paid)) <= 1e-8 * scale, f"wishes cost {cost.extra_cost}, not {paid}"


class GoodTrees(Kind):
    """All structures within a margin of the best one."""

    name = "alternatives"

    def draw(self, rng):
        drawn = world(rng, most_samples=4, most_solutions=4, depths=(1, 1, 2), most_features=2, most_digits=9)
        return drawn, float(rng.choice(MARGINS)), int(rng.integers(1_000))

    def check(self, case):
        drawn, within, seed = case
        instance, plain = drawn.instance, Plain(drawn.instance)
        solutions = instance.problem.all_solutions(12)
        full = [tree for tree in plain.trees(drawn.depth) if all(len(leaf) == drawn.depth for leaf in tree)]
        found = alternatives(instance, within, thresholds="midpoints", time_limit=60.0, random_state=seed)
        assert found.complete, found.message
        values = np.array([least_worst_case(plain, tree, solutions) for tree in full])
        scale = scale_of(instance)
        best = plain.optimum(drawn.depth, solutions)
        assert near(plain.sign * found.best.objective, best, scale), f"best {found.best.objective}, not {best}"
        limit = best + within * abs(best)
        close = np.abs(values - limit) <= 1e-7 * scale
        least, most = int((values[~close] <= limit).sum()), int((values <= limit + 1e-7 * scale).sum())
        counts = f"{found.n_structures} structures, between {least} and {most} by brute force"
        assert least <= found.n_structures <= most, counts
        if within == 0.0:
            assert found.n_structures == most, counts
        for tree, value in found.trees():
            assert plain.sign * value <= limit + 1e-8 * scale, f"{tree.to_dict()} is beyond the margin"
