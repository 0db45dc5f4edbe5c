"""Experiment 1: whether random trees that are good under a local budget are good under a global one.

Its results are scatter plots of random trees with Pearson's r.
"""

__all__ = ["CORRELATION", "random_trees"]

from typing import TYPE_CHECKING

import numpy as np

from experiments.experiment import Cell, Experiment, Frame, Row, data_of
from experiments.findings import Findings, Table
from experiments.paper_figures import paper_figure
from experiments.plan import DEPTH, Plan
from hedgerow.adversary import worst_case
from hedgerow.engine.pool import SolutionPool
from hedgerow.instance import Instance
from hedgerow.plot._style import INK, LINE_STYLES, SIZE, Look, dress, house_style
from hedgerow.run import Options
from hedgerow.tree.splits import candidate_splits
from hedgerow.tree.structure import tree_of
from hedgerow.tree.tree import Tree
from hedgerow.uncertainty import GlobalBudget, LocalBudget, Uncertainty

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SETTINGS = {"N": "Γ_glob = N·Γ_loc", "1": "Γ_glob = Γ_loc"}


def random_trees(instance: Instance, count: int, seed: int) -> list[Tree]:
    """Return random trees of full depth, each leaf with a solution drawn from the set of the samples' optima.

    The paper does not say which solutions its random trees hold; these reproduce its figures, the best per leaf don't.
    """
    # Imported here, since compiled kernels take time to load.
    from hedgerow.engine.structures.space import SearchSpace

    pool = SolutionPool(instance)
    for row in range(instance.n_samples):
        pool.add(instance.problem.best_solution(instance.costs[row : row + 1]).solution[None])
    splits = candidate_splits(instance.question_values, questions=instance.questions)
    rng = np.random.default_rng(seed)
    structures = SearchSpace(instance, Options(), splits, pool).draw(rng, count)
    leaves = rng.integers(len(pool), size=(count, 2**instance.depth))
    return [
        tree_of(structure, splits, pool.solutions[chosen]) for structure, chosen in zip(structures, leaves, strict=True)
    ]


def _work(cell: Cell, plan: Plan) -> list[Row]:
    data = data_of(cell)
    local = LocalBudget(fraction=cell.fraction).bind(data.train, DEPTH)
    sets: dict[str, Uncertainty] = {
        "local": local,
        "global_N": GlobalBudget(cell.n_samples * local.budget),
        "global_1": GlobalBudget(local.budget),
    }
    instance = Instance.create(data.problem, data.train, depth=DEPTH)
    instances = {name: instance.under(uncertainty) for name, uncertainty in sets.items()}
    # The same trees for every λ.
    trees = random_trees(instance, plan.size.n_trees, seed=cell.seed_id)
    return [{name: worst_case(tree, under).bound for name, under in instances.items()} for tree in trees]


def _findings(results: Frame, plan: Plan) -> Findings:
    """Return the correlations, with the paper's beside them, and their plots."""
    rows = []
    for ratio, words in _SETTINGS.items():
        for fraction in sorted(results["fraction"].unique()):
            r, shown = _pearson(results, ratio, fraction), f"{fraction:.2f}"
            paper = paper_figure(plan.family, "correlation", ratio, shown)
            rows.append((words, shown, r, paper, None if paper is None else r - paper))
    table = Table(
        "correlation",
        "Pearson's r of worst cases under both sets",
        ("budgets", "λ", "r", "paper", "difference"),
        rows,
        decimals=4,
    )
    return Findings([table], {"correlation": lambda: _scatter(results)})


def _pearson(results: Frame, ratio: str, fraction: float) -> float:
    these = results[results["fraction"] == fraction]
    return float(np.corrcoef(these[f"global_{ratio}"], these["local"])[0, 1])


def _scatter(results: Frame) -> "Figure":
    """Draw a plot per setting and λ; each point is a tree."""
    fractions = sorted(results["fraction"].unique())
    with house_style():
        from matplotlib.figure import Figure

        figure = Figure(figsize=(2.6 * len(fractions) + 0.4, 5.6), layout="constrained")
        axes = figure.subplots(len(_SETTINGS), len(fractions), squeeze=False, sharex=True, sharey=True)
        colour = LINE_STYLES[0][0]
        for row, (ratio, words) in enumerate(_SETTINGS.items()):
            for column, fraction in enumerate(fractions):
                ax = axes[row, column]
                these = results[results["fraction"] == fraction]
                points: Look = {"s": 4, "color": colour, "alpha": 0.25, "linewidths": 0, "rasterized": True}
                ax.scatter(these[f"global_{ratio}"], these["local"], **points)
                dress(
                    ax,
                    title=f"{words}, λ = {fraction:.2f}",
                    x="worst case, global" if row == len(_SETTINGS) - 1 else "",
                    y="worst case, local" if column == 0 else "",
                )
                ax.title.set_fontsize(SIZE)
                r = _pearson(results, ratio, fraction)
                ax.text(0.05, 0.93, f"r = {r:.2f}", transform=ax.transAxes, va="top", color=INK)
    return figure


CORRELATION = Experiment(
    title="Experiment 1: worst cases of random trees under both sets",
    columns=("local", "global_N", "global_1"),
    cells=lambda plan: [
        Cell(plan.family, seed_id, 4, 5, "random_trees", "none", fraction)
        for seed_id in plan.seed_ids
        for fraction in plan.size.correlated
    ],
    n_rows=lambda _cell, plan: plan.size.n_trees,
    work=_work,
    findings=_findings,
    compares_methods=False,
)
