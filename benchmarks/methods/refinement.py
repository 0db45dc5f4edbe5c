"""Refining a tree's thresholds in one batch, against one adversary MIP for each of the 729 combinations."""

import itertools
import time
from functools import partial

import numpy as np

from benchmarks import scope
from benchmarks.adversary_model import solve_knapsack_mip
from benchmarks.instances import paper
from benchmarks.measure import seconds
from benchmarks.outcome import Goal, Outcome, Table
from benchmarks.progress import told
from hedgerow import GlobalBudget, Instance, Tree
from hedgerow.adversary import move_costs
from hedgerow.engine.pool import complete_pool
from hedgerow.engine.structures.space import SearchSpace
from hedgerow.methods.refine import refine
from hedgerow.run import Options
from hedgerow.tree.splits import GRID_POINTS, between, candidate_splits

_SIZES = (5, 50)
_SEEDS = (0, 1, 2)
_FRACTION = 0.05
_MIPS = 50
_STRUCTURES = 20
_GOAL = 1000.0


def run() -> Outcome:
    """Time both ways on the same trees under a global budget; a local one needs no MIP."""
    rows: list[tuple[int, int, int, float, float, float, bool]] = []
    for n_samples, seed in told([(size, seed) for size in _SIZES for seed in scope.some(_SEEDS)], "refinement"):
        instance = paper(seed, n_samples, 4, GlobalBudget(fraction=_FRACTION))
        tree = _good_tree(instance, seed)
        trees = _combinations(tree, instance)
        refined = refine(tree, instance)
        ours = seconds(partial(refine, tree, instance))
        some = np.random.default_rng(0).choice(len(trees), min(_MIPS, len(trees)), replace=False)
        start = time.process_time()
        values = [_by_mip(trees[number], instance) for number in some]
        theirs = (time.process_time() - start) * len(trees) / len(some)
        sound = refined.objective <= min(values) + 1e-6 * abs(min(values))
        rows.append((n_samples, seed, len(trees), 1e3 * ours, theirs, theirs / ours, sound))
    least = {size: min(row[5] for row in rows if row[0] == size) for size in {row[0] for row in rows}}
    goals = [
        Goal(
            f"refining against 729 adversary MIPs, N = {size}",
            f"{ratio:,.0f}× at least",
            f"{_GOAL:,.0f}×",
            ratio >= _GOAL,
        )
        for size, ratio in sorted(least.items())
    ]
    sound = all(row[6] for row in rows)
    goals.append(Goal("… no MIP finds a better combination", "yes" if sound else "no", "always", sound))
    return Outcome(
        "Methods: refinement",
        [
            Table(
                "refinement",
                f"Depth 2, 4 × 4, λ = {_FRACTION}, global budget",
                ("N", "seed", "combinations", "batch [ms]", "MIPs [s]", "ratio", "batch is best"),
                rows,
            )
        ],
        goals,
        note=f"The time of all MIPs is extrapolated from {_MIPS} random combinations. CPU times; each tree is the "
        f"best of {_STRUCTURES} random structures with its best solutions.",
    )


def _good_tree(instance: Instance, seed: int) -> Tree:
    """Return the best of some random structures with its best solutions; always with three questions."""
    pool = complete_pool(instance)
    assert pool is not None
    space = SearchSpace(
        instance, Options(), candidate_splits(instance.question_values, questions=instance.questions), pool
    )
    found = space.best(space.draw(np.random.default_rng(seed), _STRUCTURES))
    assert found is not None
    return space.tree(found)


def _combinations(tree: Tree, instance: Instance) -> list[Tree]:
    inner = np.flatnonzero(tree.is_inner)
    options = []
    for node in inner:
        values = instance.observations[:, tree.item[node]]
        low, high = values[values <= tree.threshold[node]].max(), values[values > tree.threshold[node]].min()
        options.append([float(between(low, high, share)) for share in GRID_POINTS])
    trees = []
    for chosen in itertools.product(*options):
        threshold = np.array(tree.threshold)
        threshold[inner] = chosen
        trees.append(tree.replace(threshold=threshold))
    return trees


def _by_mip(tree: Tree, instance: Instance) -> float:
    price = move_costs(tree, instance.observations, instance.uncertainty)
    assert isinstance(instance.uncertainty, GlobalBudget)
    budget = float(np.max(instance.uncertainty.budget))
    return solve_knapsack_mip(instance.losses(tree.solutions), price, budget)[0]
