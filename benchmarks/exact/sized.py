"""Paper instances of some sizes under one kind of budget, with a goal for each size."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks import scope
from benchmarks.instances import paper
from benchmarks.outcome import Goal, Table
from benchmarks.progress import told
from benchmarks.proof import BUDGETS, PROOF_COLUMNS, Proof, prove
from hedgerow.tree.splits import ThresholdSet

FRACTION = 0.05
SEEDS = (0, 5, 9, 13, 17)
"""Easy and hard instances; goals are about the worst of them."""


@dataclass(frozen=True)
class Size:
    """One size that is tried.

    Attributes
    ----------
    kind
        "local" or "global".
    grid, n_samples, depth
        Size of the instances and of the tree.
    seeds
        The instances.
    limit
        Seconds for each.
    goal
        Seconds within which every run should be proven; None where the gap is what counts.
    thresholds
        The set of thresholds.
    gap
        The largest gap that is good enough where runs need not be proven.
    """

    kind: str
    grid: int
    n_samples: int
    seeds: Sequence[int]
    limit: float
    goal: float | None
    depth: int = 2
    thresholds: ThresholdSet = "midpoints"
    gap: float | None = None


def measure(sizes: Sequence[Size], what: str) -> tuple[Table, list[Goal]]:
    """Return all runs as a table, and one goal per size."""
    rows: list[tuple[object, ...]] = []
    goals = []
    for size in told(sizes, what):
        proofs = []
        for seed in scope.some(size.seeds):
            uncertainty = BUDGETS[size.kind](fraction=FRACTION)
            instance = paper(seed, size.n_samples, size.grid, uncertainty, size.depth)
            proofs.append(prove(instance, limit=size.limit, thresholds=size.thresholds))
            place = size.kind, f"{size.grid}×{size.grid}", size.n_samples, size.depth, size.thresholds, seed
            rows.append((*place, *proofs[-1].row))
        goals.append(_goal(size, proofs))
    columns = ("set", "grid", "N", "depth", "thresholds", "seed", *PROOF_COLUMNS)
    return Table("runs", f"{what}, λ = {FRACTION}", columns, rows), goals


def _goal(size: Size, proofs: Sequence[Proof]) -> Goal:
    what = (
        f"{size.kind}, {size.grid}×{size.grid}, N = {size.n_samples}, depth {size.depth}, {size.thresholds}, "
        f"{len(proofs)} seeds"
    )
    worst = max(proof.seconds for proof in proofs)
    proven = sum(proof.proven for proof in proofs)
    gap = max(proof.gap for proof in proofs)
    value = f"{proven} of {len(proofs)} proven, worst {worst:.2f} s"
    if proven < len(proofs):
        value += ", no bound" if math.isinf(gap) else f", gap up to {gap:.2%}"
    if size.gap is not None:
        return Goal(what, value, f"gap of at most {size.gap:.1%} within {size.limit:g} s", gap <= size.gap)
    if size.goal is None:
        return Goal(what, value)
    return Goal(what, value, f"all proven within {size.goal:g} s", proven == len(proofs) and worst <= size.goal)
