"""Families of instances: a new one is a line in this table."""

__all__ = ["FAMILIES", "Data", "Family"]

from collections.abc import Callable
from dataclasses import dataclass

from hedgerow.arrays import FloatArray
from hedgerow.datasets import paper_shortest_path
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
    """

    load: Callable[[int, int, int], Data]
    n_seeds: int


def _shortest_path(seed_id: int, n_samples: int, size: int) -> Data:
    return Data(*paper_shortest_path(seed_id, n_samples, size))


FAMILIES: dict[str, Family] = {"shortest-path": Family(_shortest_path, 20)}
