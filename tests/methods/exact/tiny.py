"""Tiny instances of every kind for hypothesis, and what every exact result must keep."""

from contextlib import contextmanager
from importlib import import_module
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import strategies as st

from hedgerow import GlobalBudget, Instance, LocalBudget, Nominal, solve
from hedgerow.engine import prove
from hedgerow.engine.structures import branching
from hedgerow.problems import ExplicitSet, Selection, ShortestPath
from hedgerow.run import Options
from tests.helpers import Machines
from tests.methods.exact.reference import Reference, questions, routes_to

exact = import_module("hedgerow.methods.exact")

# Few different values give ties between samples, between items, and between distances and budgets.
LATTICE = st.integers(-4, 6).map(lambda step: 0.5 * step)
ANYWHERE = st.integers(-4000, 6000).map(lambda step: step / 997)
NEAR_ONE_ANOTHER = st.integers(0, 6).map(lambda step: 1.0 + 0.0004 * step)
VALUES = [LATTICE, LATTICE, ANYWHERE]
EPSILONS = [0.001, 0.001, 0.001, 0.25]
# Steps ε beyond a threshold that overshoot the next one: boxes between the two can't be entered from below.
LONG_EPSILONS = [0.3, 0.7, 1.2, 3.0]


def matrices(n_rows, n_columns, entries):
    row = st.lists(entries, min_size=n_columns, max_size=n_columns)
    return st.lists(row, min_size=n_rows, max_size=n_rows).map(lambda rows: np.array(rows, dtype=float))


@st.composite
def problems(draw, kinds=("explicit", "table", "selection", "grid", "machines")):
    kind = draw(st.sampled_from(kinds))
    sense = draw(st.sampled_from(["min", "min", "max"]))
    if kind == "grid":
        return ShortestPath.grid(draw(st.integers(2, 3)))
    if kind == "machines":
        return Machines(2, sense)
    if kind == "pair":
        return ExplicitSet(np.eye(2), sense=sense)
    if kind == "table":
        # With unit vectors the costs are the table of losses itself: anything can happen in it.
        return ExplicitSet(np.eye(draw(st.integers(2, 4))), sense=sense)
    n_items = draw(st.integers(2, 3))
    if kind == "selection":
        return Selection(n_items, draw(st.integers(1, n_items)), sense=sense)
    return ExplicitSet(draw(matrices(draw(st.integers(1, 4)), n_items, st.integers(-2, 3))), sense=sense)


@st.composite
def uncertainties(
    draw, n_samples, n_features, sets=("nominal", "local", "each", "global", "global"), epsilons=EPSILONS
):
    kind = draw(st.sampled_from(sets))
    if kind == "nominal":
        return Nominal()
    amounts = st.one_of(
        st.integers(0, 12).map(lambda step: 0.25 * step), st.integers(1, 700).map(lambda step: step / 113)
    )
    options = {"epsilon": draw(st.sampled_from(epsilons))}
    limits = draw(st.sampled_from(["none", "none", "scalar", "items", "each"]))
    if limits == "scalar":
        options["limits"] = draw(amounts)
    elif limits == "items":
        options["limits"] = draw(matrices(1, n_features, amounts))[0]
    elif limits == "each":
        options["limits"] = draw(matrices(n_samples, n_features, st.one_of(amounts, st.just(np.inf))))
    prices = draw(st.sampled_from(["none", "none", "list", "range"]))
    if prices == "range":
        options["prices"] = "range"
    elif prices == "list":
        options["prices"] = draw(matrices(1, n_features, st.sampled_from([0.25, 0.5, 1.0, 3.0])))[0]
    if kind == "each":
        return LocalBudget(draw(matrices(1, n_samples, amounts))[0], **options)
    cls = GlobalBudget if kind == "global" else LocalBudget
    if draw(st.booleans()):
        return cls(draw(amounts), **options)
    return cls(fraction=draw(st.sampled_from([0.0, 0.05, 0.125, 0.25, 0.5, 1.1])), **options)


@st.composite
def instances(draw, depths=(1, 2, 2), max_samples=4, max_features=3, kinds=None, values=VALUES, **options):
    """Draw an instance that brute force can solve; `options` go to `uncertainties`."""
    problem = draw(problems() if kinds is None else problems(kinds))
    n_items = len(problem.item_names)
    depth = draw(st.sampled_from(depths))
    n_samples = draw(st.integers(1, max_samples))
    costs = draw(matrices(n_samples, n_items, draw(st.sampled_from(VALUES))))
    n_features, observations = n_items, None
    if n_items > max_features or draw(st.booleans()):
        n_features = draw(st.integers(1, max_features))
        observations = draw(matrices(n_samples, n_features, draw(st.sampled_from(values))))
    weights = None
    if draw(st.integers(0, 2)) == 0:
        weights = draw(matrices(1, n_samples, st.sampled_from([0.0, 0.5, 1.0, 1.0, 2.0, 3.0])))[0]
        weights = None if not weights.any() else weights
    uncertainty = draw(uncertainties(n_samples, n_features, **options))
    return Instance.create(problem, costs, observed=observations, weights=weights, uncertainty=uncertainty, depth=depth)


@st.composite
def narrow_instances(draw, shapes=("local", "each", "global")):
    """Draw an instance whose ε overshoots neighbouring thresholds, with tables and budgets that make it matter."""
    n_samples = 4
    steps = draw(st.permutations(range(n_samples)))
    spread = draw(matrices(n_samples, 1, st.sampled_from([0.0, 4.0, 8.0])))
    costs = draw(matrices(n_samples, draw(st.integers(3, 4)), st.integers(-9, 9)))
    epsilon = draw(st.sampled_from([0.6, 1.1, 1.3, 2.1]))
    budgets = draw(matrices(1, n_samples, st.sampled_from([0.0, 0.0, 1.0, 2.0, 3.0])))[0]
    shape = draw(st.sampled_from(shapes))
    if shape == "global":
        limits = np.column_stack([budgets, draw(matrices(1, n_samples, st.sampled_from([0.0, 9.0])))[0]])
        uncertainty = GlobalBudget(max(budgets), limits=limits, epsilon=epsilon)
    else:
        uncertainty = LocalBudget(budgets if shape == "each" else max(budgets), epsilon=epsilon)
    observations = np.column_stack([np.array(steps, dtype=float), spread])
    return Instance.create(ExplicitSet(np.eye(costs.shape[1])), costs, observed=observations, uncertainty=uncertainty)


@st.composite
def leaf_limits(draw, n_samples, thresholds="midpoints"):
    """Draw settings that ask for some rows per leaf, or for few leaves, or both."""
    which = draw(st.sampled_from(["samples", "leaves", "both"]))
    return Options(
        thresholds=thresholds,
        min_samples_leaf=draw(st.integers(1, max(1, n_samples // 2))) if which != "leaves" else 0,
        max_leaves=draw(st.integers(1, 4)) if which != "samples" else None,
    )


def with_leaf_limits(**options):
    return instances(**options).flatmap(lambda instance: st.tuples(st.just(instance), leaf_limits(instance.n_samples)))


# -- the engine's paths ------------------------------------------------------------------------------------------------

ROBUST = {"suits_nominal": lambda *_: False, "suits_intervals": lambda *_: False, "_suits_boxes": lambda *_: False}
MANY = {"suits_nominal": lambda *_: False, "MAX_DENSE": 0}
PATHS = {
    "intervals": (MANY, prove, "_settle_local"),
    "tables": (ROBUST, branching, "settle"),
    "prices": (MANY, prove, "PriceIntervals"),
    "listing": ({**ROBUST, "complete_pool": lambda *_: None}, branching, "settle"),
    "listing, intervals": ({**MANY, "complete_pool": lambda *_: None}, prove, "_settle_local"),
    "oracle": ({"complete_pool": lambda *_: None, "near_optimal_pool": lambda *_: None}, branching, "settle"),
    "master": (
        {"complete_pool": lambda *_: None, "near_optimal_pool": lambda *_: None, "MAX_BY_ORACLE": 0},
        exact,
        "scenario_generation",
    ),
}
"""What is patched in the engine so that tiny instances go another way, and the function at the end of that way."""


@contextmanager
def on_path(path, *, blind=False):
    """Send the exact method down one of its paths; `blind` keeps good first trees from it, so bounds must be right.

    Yields a spy: how often the end of the path was reached.
    """
    patches, module, name = PATHS[path]
    with pytest.MonkeyPatch.context() as patch:
        for attribute, value in patches.items():
            for part in (exact, prove):
                patch.setattr(part, attribute, value, raising=False)
        if blind:
            patch.setattr(exact, "search_first", lambda *_, **__: None)
        spy = Mock(wraps=getattr(module, name))
        patch.setattr(module, name, spy)
        yield spy


# -- what must hold ----------------------------------------------------------------------------------------------------


def leaves_of(tree):
    """Return a tree's leaves as the reference writes them, from left to right."""

    def below(nested, path):
        if "solution" in nested:
            return [path]
        item, threshold = nested["item"], nested["threshold"]
        left, right = (*path, (item, threshold, False)), (*path, (item, threshold, True))
        return below(nested["left"], left) + below(nested["right"], right)

    return tuple(below(tree.to_dict(), ()))


def assert_keeps_the_rules(result, instance, settings=None):
    """Every leaf holds a feasible solution, and depth, thresholds and limits on leaves are kept."""
    settings = Options(thresholds="midpoints") if settings is None else settings
    tree = result.tree
    assert tree.depth <= instance.depth
    for solution in tree.solutions:
        assert instance.problem.infeasibility(solution) is None
    leaves = leaves_of(tree)
    asked = questions(instance.observations, settings.thresholds)
    for leaf in leaves:
        for item, threshold, _ in leaf:
            assert any(item == i and abs(threshold - t) <= 1e-12 * max(1.0, abs(t)) for i, t in asked)
    if settings.max_leaves is not None:
        assert len(leaves) <= settings.max_leaves
    if settings.min_samples_leaf:
        for leaf in leaves:
            assert sum(routes_to(leaf, row) for row in instance.observations) >= settings.min_samples_leaf


def true_worst_case(tree, instance):
    """Return the worst-case loss of a finished tree by brute force."""
    reference = Reference(instance)
    numbers = [int(np.argmin(np.abs(reference.solutions - x).max(axis=1))) for x in tree.solutions]
    return reference.worst_of(leaves_of(tree), numbers)


def assert_exact(instance, settings=None, *, path="tables", blind=True):
    """The result is optimal, equal to the reference, with a bound that meets it, and its tree is worth what it says.

    Prices give a bound only.
    """
    settings = Options() if settings is None else settings
    if settings.thresholds is None:
        settings = settings.replace(thresholds="midpoints")
    with on_path(path, blind=blind):
        result = solve(
            instance, method="exact", round_thresholds=False, options=settings, random_state=0, time_limit=None
        )
    expected = Reference(instance, settings).optimum()
    sign = instance.sign
    by_prices = "intervals" in path and instance.depth == 2 and isinstance(instance.uncertainty, GlobalBudget)
    assert_keeps_the_rules(result, instance, settings)
    if result.status == "optimal" or not by_prices:
        assert result.status == "optimal", result
        assert sign * result.objective == pytest.approx(expected, rel=1e-6, abs=1e-8)
        assert result.lower_bound == pytest.approx(result.objective, rel=1e-6, abs=1e-8)
    for row in result.statistics:
        assert sign * row.bound <= expected + 1e-8 * max(1.0, abs(expected)), row
    assert sign * result.lower_bound <= sign * result.objective + 1e-9 * max(1.0, abs(expected))
    assert sign * result.objective == pytest.approx(true_worst_case(result.tree, instance), rel=1e-9, abs=1e-9)
    return result
