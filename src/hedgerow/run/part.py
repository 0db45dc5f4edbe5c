"""A part of a run's work that can be done anywhere: it depends on what it begins with, and on nothing else."""

__all__ = ["Part", "Standing"]

import math
from dataclasses import dataclass

import numpy as np

from hedgerow.instance import Instance
from hedgerow.run.deadline import Deadline
from hedgerow.run.interrupt import Interrupt
from hedgerow.run.run import Run
from hedgerow.tree import Tree


@dataclass(frozen=True, eq=False)
class Standing:
    """How far a run has come: its best tree, that one's worst-case loss, and what is proven.

    Examples
    --------
    >>> from hedgerow import Tree
    >>> from hedgerow.run.part import Standing
    >>> Standing(Tree.single([1.0, 0.0]), 7.0).bound
    -inf
    """

    tree: Tree | None
    loss: float
    bound: float = -math.inf

    @classmethod
    def of(cls, run: Run) -> "Standing":
        """Return where a run stands now."""
        return cls(run.tree, run.value, run.bound)


class Part(Run):
    """A run of its own that begins where another one stands.

    Parameters
    ----------
    instance
        What is solved.
    before
        Where the whole run stood when the part was handed out.
    deadline, interrupt
        When to stop.
    iteration_limit, rng
        The part's own.
    """

    def __init__(
        self,
        instance: Instance,
        before: Standing,
        deadline: Deadline,
        interrupt: Interrupt,
        *,
        iteration_limit: int | None = None,
        rng: np.random.Generator | None = None,
    ) -> None:
        super().__init__(instance, deadline=deadline, interrupt=interrupt, iteration_limit=iteration_limit, rng=rng)
        self._before = before.tree
        if before.tree is not None:
            self.offer(before.tree, before.loss)
        self.raise_bound(before.bound)

    @property
    def found(self) -> tuple[Tree, float] | None:
        """The best tree with its worst-case loss, if it is better than the one from before."""
        return None if self.tree is None or self.tree is self._before else (self.tree, self.value)
