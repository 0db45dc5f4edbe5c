"""Paper instances of some sizes under one kind of budget, with a goal for each size."""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks import scope
from benchmarks.instances import paper
from benchmarks.outcome import Goal, Table
from benchmarks.progress import told
from benchmarks.proof import BUDGETS, PROOF_COLUMNS, Proof, prove

FRACTION = 0.05


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
        Seconds within which the median run should be proven; None where the gap is reported only.
    """

    kind: str
    grid: int
    n_samples: int
    seeds: Sequence[int]
    limit: float
    goal: float | None
    depth: int = 2


def measure(sizes: Sequence[Size], what: str) -> tuple[Table, list[Goal]]:
    """Return all runs as a table, and one goal per size."""
    rows: list[tuple[object, ...]] = []
    goals = []
    for size in told(sizes, what):
        proofs = []
        for seed in scope.some(size.seeds):
            uncertainty = BUDGETS[size.kind](fraction=FRACTION)
            instance = paper(seed, size.n_samples, size.grid, uncertainty, size.depth)
            proofs.append(prove(instance, limit=size.limit))
            place = size.kind, f"{size.grid}×{size.grid}", size.n_samples, size.depth, seed
            rows.append((*place, *proofs[-1].row))
        goals.append(_goal(size, proofs))
    columns = ("set", "grid", "N", "depth", "seed", *PROOF_COLUMNS)
    return Table("runs", f"{what}, λ = {FRACTION}", columns, rows), goals


def _goal(size: Size, proofs: Sequence[Proof]) -> Goal:
    what = f"{size.kind}, {size.grid}×{size.grid}, N = {size.n_samples}, depth {size.depth}, {len(proofs)} seeds"
    median = statistics.median(proof.seconds for proof in proofs)
    proven = sum(proof.proven for proof in proofs)
    gap = max(proof.gap for proof in proofs)
    value = f"{proven} of {len(proofs)} proven, median {median:.2f} s"
    if proven < len(proofs):
        value += ", no bound" if math.isinf(gap) else f", gap up to {gap:.2%}"
    if size.goal is None:
        return Goal(what, value)
    return Goal(what, value, f"proven within {size.goal:g} s", proven == len(proofs) and median <= size.goal)
