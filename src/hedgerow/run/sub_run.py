"""A part of a run that a worker can do: it depends on the state it starts from and on nothing else."""

__all__ = ["RunState", "SubRun"]

import math
from dataclasses import dataclass

import numpy as np

from hedgerow.instance import Instance
from hedgerow.run.deadline import Deadline
from hedgerow.run.interrupt import Interrupt
from hedgerow.run.run import Run
from hedgerow.tree import Tree


@dataclass(frozen=True, eq=False)
class RunState:
    """The state of a run: its best tree, that tree's worst-case loss, and the proven bound.

    Examples
    --------
    >>> from hedgerow import Tree
    >>> from hedgerow.run.sub_run import RunState
    >>> RunState(Tree.single([1.0, 0.0]), 7.0).bound
    -inf
    """

    tree: Tree | None
    loss: float
    bound: float = -math.inf

    @classmethod
    def of(cls, run: Run) -> "RunState":
        """Return the current state of a run."""
        return cls(run.tree, run.value, run.bound)


class SubRun(Run):
    """A run that starts from the state of another one.

    Parameters
    ----------
    instance
        What is solved.
    before
        The state of the whole run when the part was created.
    deadline, interrupt
        When to stop.
    iteration_limit, rng
        The part's own.
    """

    def __init__(
        self,
        instance: Instance,
        before: RunState,
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
        """The best tree with its worst-case loss, if it is better than the one to start from."""
        return None if self.tree is None or self.tree is self._before else (self.tree, self.value)
