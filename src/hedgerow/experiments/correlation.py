"""Experiment 1: whether random trees that are good under a local budget are good under a global one."""

__all__ = ["CORRELATION"]

import numpy as np

from hedgerow.adversary import worst_case
from hedgerow.engine.pool import SolutionPool
from hedgerow.experiments.cell import Cell, Row
from hedgerow.experiments.correlation_findings import findings
from hedgerow.experiments.experiment import Experiment
from hedgerow.experiments.plan import Plan
from hedgerow.experiments.procedures import DEPTH
from hedgerow.experiments.training import data_of
from hedgerow.instance import Instance
from hedgerow.run import Options
from hedgerow.splits import candidate_splits
from hedgerow.structure import tree_of
from hedgerow.tree import Tree
from hedgerow.uncertainty import GlobalBudget, LocalBudget, Uncertainty

_SIZE, _N_SAMPLES = 4, 5
_METHOD = "random_trees"


def random_trees(instance: Instance, count: int, seed: int) -> list[Tree]:
    """Return random trees of full depth, each leaf with a solution drawn from the set of the samples' optima.

    The paper does not say which solutions its random trees hold; these reproduce its figures, the best per leaf don't.
    """
    # Imported here, since compiled kernels take time to load.
    from hedgerow.engine.tables.space import SearchSpace

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


def _cells(plan: Plan) -> list[Cell]:
    return [
        Cell(plan.family, seed_id, _SIZE, _N_SAMPLES, _METHOD, "none", fraction)
        for seed_id in plan.seed_ids
        for fraction in plan.size.correlated
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


def _n_rows(cell: Cell, plan: Plan) -> int:
    del cell
    return plan.size.n_trees


CORRELATION = Experiment(
    title="Experiment 1: worst cases of random trees under both sets",
    columns=("local", "global_N", "global_1"),
    cells=_cells,
    n_rows=_n_rows,
    work=_work,
    findings=findings,
    compares_methods=False,
)
