"""Families of instances: a new one is a line in this table."""

__all__ = ["FAMILIES", "Data", "Family"]

from collections.abc import Callable
from dataclasses import dataclass

from hedgerow.arrays import FloatArray
from hedgerow.datasets import paper_scheduling, paper_shortest_path
from hedgerow.problem import Problem


@dataclass(frozen=True, eq=False)
class Data:
    """One instance: its problem, the samples to train on and those to test on."""

    problem: Problem
    train: FloatArray
    test: FloatArray


@dataclass(frozen=True)
class Family:
    """A family of instances.

    Attributes
    ----------
    load
        Makes the data of an instance from seed id, number of training samples and size.
    n_seeds
        How many instances there are.
    size_name
        What its sizes are.
    in_paper
        Whether the paper's figures are about it.
    """

    load: Callable[[int, int, int], Data]
    n_seeds: int
    size_name: str
    in_paper: bool


def _shortest_path(seed_id: int, n_samples: int, size: int) -> Data:
    return Data(*paper_shortest_path(seed_id, n_samples, size))


def _scheduling(seed_id: int, n_samples: int, size: int) -> Data:
    """Return twice as many jobs as the size, on three machines: 8 jobs where a grid would be 4 × 4."""
    return Data(*paper_scheduling(seed_id, n_samples, n_jobs=2 * size, n_machines=3))


FAMILIES: dict[str, Family] = {
    "shortest-path": Family(_shortest_path, 20, "grid", in_paper=True),
    "scheduling": Family(_scheduling, 20, "half the jobs", in_paper=False),
}
