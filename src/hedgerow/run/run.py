"""A run in progress: methods report to it and ask it when to stop.

A part of a run that a worker can do depends on the state it starts from and on nothing else.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from hedgerow.instance import Instance
from hedgerow.run.result import Row, Statistics, Status, relative_gap
from hedgerow.run.stopping import Deadline, Interrupt
from hedgerow.tolerances import OPTIMALITY_GAP, VALUE
from hedgerow.tree.splits import ThresholdSet
from hedgerow.tree.tree import Tree

Monitor: TypeAlias = Callable[[Row], object]
"""Called with each new row of statistics; one that returns False asks the run to stop."""

_SECONDS_BETWEEN_ROWS = 0.5


class StopRunError(Exception):
    """Raised in the middle of a long step when the run has to stop; what was found so far is kept."""


@dataclass(frozen=True, eq=False)
class RunState:
    """The state of a run: its best tree, that tree's worst-case loss, the proven bound, and the thresholds' margin.

    >>> RunState(Tree.single([1.0, 0.0]), 7.0).bound
    -inf
    """

    tree: Tree | None
    loss: float
    bound: float = -math.inf
    margin: float = 0.0


class Run:
    """The clock, the stop criteria, the incumbent and the statistics of one run.

    Methods count iterations with `count`, report trees with `offer` and bounds with `raise_bound`, and go on while
    `running`. Values and bounds are losses, to be minimised; rows have the user's sign.

    Parameters
    ----------
    instance, monitor, interrupt
        As in `hedgerow.solve`; limits are as in `Options`.
    deadline, rng
        When time is up, and the only source of randomness.
    thresholds, margin
        What the bound is about: the set of thresholds, and how far each may be moved. A method that can't do with
        them says here what it did with.
    unit
        What losses were multiplied by; rows are in the user's unit.
    before
        The state of the run that this one is a part of, to begin with.
    """

    def __init__(
        self,
        instance: Instance,
        *,
        deadline: Deadline | None = None,
        iteration_limit: int | None = None,
        gap_limit: float = 0.0,
        stall_limit: int | None = None,
        rng: np.random.Generator | None = None,
        interrupt: Interrupt | None = None,
        monitor: Monitor | None = None,
        thresholds: ThresholdSet = "midpoints",
        margin: float = 0.0,
        unit: float = 1.0,
        before: RunState | None = None,
    ) -> None:
        self.deadline = Deadline() if deadline is None else deadline
        self.rng = np.random.default_rng(0) if rng is None else rng
        self.iterations = 0
        self.tree: Tree | None = None
        self.value = math.inf
        self.bound = -math.inf
        self.message = ""
        self.thresholds: ThresholdSet = thresholds
        self.margin = margin
        self.asked_for_all = False
        self._instance = instance
        self._sign = instance.sign / unit
        self._iteration_limit = iteration_limit
        self._gap_limit = gap_limit
        self._stall_limit = stall_limit
        self._last_better = 0
        self.interrupt = Interrupt() if interrupt is None else interrupt
        self._monitor = monitor
        self._rows: list[Row] = []
        self._ended: Status | None = None
        self._before = before
        if before is not None:
            self.margin = before.margin
            if before.tree is not None:
                self.offer(before.tree, before.loss)
            self.raise_bound(before.bound)

    def fork(
        self,
        instance: Instance,
        deadline: Deadline | None = None,
        iteration_limit: int | None = None,
        stall_limit: int | None = None,
    ) -> "Run":
        """Return a run for a part of the work: same clock, randomness and interrupt, but its own best tree."""
        fork = Run(
            instance,
            deadline=self.deadline if deadline is None else deadline,
            iteration_limit=iteration_limit,
            stall_limit=stall_limit,
            rng=self.rng,
            interrupt=self.interrupt,
            thresholds=self.thresholds,
            margin=self.margin,
        )
        fork.asked_for_all = self.asked_for_all
        return fork

    # -- what methods report -------------------------------------------------------------------------------------

    def offer(self, tree: Tree, value: float, detail: str = "") -> bool:
        """Take the tree if its worst-case loss is better than the best so far; return whether it was.

        Of trees that are equally good at worst the one with fewer questions is kept, then the one that costs less as
        read.
        """
        if self.tree is not None and not _is_better(value, self.value):
            if not _is_better(self.value, value) and self._is_simpler(tree, self.tree):
                self.tree = tree
            return False
        self.tree, self.value, self._last_better = tree, value, self.iterations
        if not _is_better(value, self.bound):
            # A bound that is above the value by rounding alone is the value itself.
            self.bound = min(self.bound, value)
        self._record(detail)
        return True

    def _is_simpler(self, tree: Tree, other: Tree) -> bool:
        """Return whether a tree asks fewer questions than another one, or as many and costs less as read."""
        n_leaves, n_others = tree.simplified().n_leaves, other.simplified().n_leaves
        if n_leaves != n_others:
            return n_leaves < n_others
        return _is_better(self._loss_as_read(tree), self._loss_as_read(other))

    def _loss_as_read(self, tree: Tree) -> float:
        row = tree.choose(self._instance.observations)
        return float(self._instance.losses(tree.solutions)[np.arange(row.size), row].sum())

    def raise_bound(self, bound: float, detail: str = "") -> None:
        """Take a proven lower bound on the optimal loss if it is better than the best so far."""
        if bound > self.bound:
            self.bound = bound
            self._record(detail)

    def count(self, iterations: int = 1, detail: str = "") -> None:
        """Count iterations, and record a row now and then."""
        self.iterations += iterations
        if not self._rows or self.deadline.elapsed() - self._rows[-1].runtime > _SECONDS_BETWEEN_ROWS:
            self._record(detail)

    def say(self, sentence: str) -> None:
        """Add a sentence to the message that users read."""
        self.message = f"{self.message} {sentence}".strip()

    def close(self) -> None:
        """Record the end of the run, unless the last row is its end."""
        if self._rows and self._rows[-1].iteration < self.iterations:
            self._record("the end")

    def end(self, status: Status) -> None:
        """End the run for a reason of the method's own, such as "memory_limit"; the first reason stays."""
        self._ended = self._ended or status

    def shown(self, loss: float) -> float:
        """Return a loss in the user's unit and sign."""
        return self._sign * loss

    @property
    def state(self) -> RunState:
        """The current state, for a part of the run to begin with."""
        return RunState(self.tree, self.value, self.bound, self.margin)

    @property
    def found(self) -> tuple[Tree, float] | None:
        """The best tree with its worst-case loss, if it is better than the one to begin with."""
        first = None if self._before is None else self._before.tree
        return None if self.tree is None or self.tree is first else (self.tree, self.value)

    # -- what methods ask ----------------------------------------------------------------------------------------

    @property
    def gap(self) -> float:
        """Relative gap between the best tree and the bound."""
        return relative_gap(self.value, self.bound)

    @property
    def running(self) -> bool:
        """Whether to go on."""
        if self._ended is None:
            self._ended = self._reason_to_stop()
        return self._ended is None

    def must_stop(self) -> bool:
        """Whether time is up or a stop was requested; for long steps within an iteration, such as a MIP."""
        return self.interrupt.requested or self.deadline.passed()

    def heed(self) -> None:
        """Raise `StopRunError` if the run must stop; for long steps whose partial results are useless."""
        if self.must_stop():
            raise StopRunError

    @property
    def iterations_left(self) -> float:
        """How many more iterations there will be if none of them finds a better tree; infinite without a limit."""
        ends = (self._iteration_limit, None if self._stall_limit is None else self._last_better + self._stall_limit)
        return min((end - self.iterations for end in ends if end is not None), default=math.inf)

    @property
    def status(self) -> Status:
        """How the run ended, or would if it ended now."""
        if self.gap <= OPTIMALITY_GAP:
            return "optimal"
        return self._ended or self._reason_to_stop() or "feasible"

    @property
    def statistics(self) -> Statistics:
        """The rows so far."""
        return Statistics(self._rows)

    def _reason_to_stop(self) -> Status | None:
        if self.gap <= OPTIMALITY_GAP:
            return "optimal"
        if self.gap <= self._gap_limit:
            return "gap_limit"
        if self.interrupt.requested:
            return "interrupted"
        if self.deadline.passed():
            return "time_limit"
        if self.iterations_left > 0:
            return None
        at_limit = self._iteration_limit is not None and self.iterations >= self._iteration_limit
        return "iteration_limit" if at_limit else "stalled"

    def _record(self, detail: str) -> None:
        row = Row(self.deadline.elapsed(), self.iterations, self.shown(self.value), self.shown(self.bound), detail)
        self._rows.append(row)
        if self._monitor is not None and self._monitor(row) is False:
            self.interrupt.request()


def _is_better(value: float, other: float) -> bool:
    """Return whether a loss is lower than another one by more than rounding errors."""
    return value < (other - VALUE * max(1.0, abs(other)) if math.isfinite(other) else other)
