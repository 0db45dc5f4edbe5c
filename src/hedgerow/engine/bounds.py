"""Lower bounds on the cost of any tree, for any number of samples.

A tree's worst case is at least its nominal cost. That is at least what as many solutions as it has leaves cost if
every sample could pick the best of them, which is at least what the samples' own optima cost. Bounds are losses, to
be minimised, like everything that methods hand to a run.
"""

__all__ = [
    "Shares",
    "bound_without_tree",
    "clairvoyant_losses",
    "k_solutions_bound",
    "listed_losses",
    "most_listed",
    "most_plans",
    "spread_out",
]

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.engine_parameters import ENGINE
from hedgerow.instance import Instance
from hedgerow.problem import FeasibleSet, ListsVertices
from hedgerow.run import Deadline, Options
from hedgerow.tolerances import VALUE


def clairvoyant_losses(instance: Instance, deadline: Deadline | None = None) -> FloatArray:
    """Return for each sample a loss that no solution beats: its own optimum's, as far as the oracle has proved it.

    Their sum is a lower bound on any tree.

    Parameters
    ----------
    instance
        Problem and samples.
    deadline
        When to stop asking the oracle. The remaining samples get the problem's own bounds on their costs, as far as
        these take next to no time, and then what the bounds of the variables say.

    Examples
    --------
    >>> from hedgerow import Instance
    >>> from hedgerow.engine.bounds import clairvoyant_losses
    >>> from hedgerow.problems import Selection
    >>> clairvoyant_losses(Instance.create(Selection(2, 1), [[1.0, 3.0], [4.0, 2.0]]))
    array([1., 2.])
    """
    deadline = Deadline() if deadline is None else deadline
    losses = np.empty(instance.n_samples)
    for row in range(instance.n_samples):
        if deadline.passed():
            losses[row:] = _least_losses(instance, row, deadline)
            break
        best = instance.problem.best_solution(instance.costs[row : row + 1], time_limit=deadline.remaining())
        losses[row] = instance.weights[row] * instance.sign * best.bound
    return losses


def _least_losses(instance: Instance, first: int, deadline: Deadline) -> FloatArray:
    """Return for each sample from one on a number below the loss of every solution, in little time."""
    feasible, losses = instance.problem.feasible_set(), np.empty(instance.n_samples)
    end = deadline.elapsed() + ENGINE.seconds_for_bounds
    for row in range(first, instance.n_samples, ENGINE.samples_at_once):
        some = slice(row, row + ENGINE.samples_at_once)
        if deadline.elapsed() > end:
            losses[some] = [_least_within_bounds(instance, feasible, sample) for sample in instance.costs[some]]
        else:
            below, above = instance.problem.cost_bounds(instance.costs[some])
            losses[some] = below if instance.sign > 0.0 else -above
    weights = instance.weights[first:]
    return np.where(weights > 0.0, losses[first:], 0.0) * weights


def _least_within_bounds(instance: Instance, feasible: FeasibleSet, sample: FloatArray) -> float:
    """Return a number below a sample's loss with any solution: what the bounds of the variables allow."""
    rows = instance.problem.cost_rows(sample)
    coefficients = instance.sign * rows.coefficients
    lower, upper = (bounds[: coefficients.shape[1]] for bounds in (feasible.lower, feasible.upper))
    at_best = np.where(coefficients > 0.0, lower, np.where(coefficients < 0.0, upper, 0.0))
    return float(((coefficients * at_best).sum(axis=1) + instance.sign * rows.constants).max())


def most_plans(instance: Instance, options: Options) -> int:
    """Return how many different plans a tree may hold."""
    leaves = min(1 << instance.depth, options.max_leaves or 1 << instance.depth)
    wished = None if options.wishes is None else options.wishes.max_plans
    most = leaves * options.plans_per_leaf
    return most if wished is None else min(most, wished)


def most_listed(n_samples: int) -> int:
    """Return how many solutions a table of losses may hold for this many samples.

    Examples
    --------
    >>> from hedgerow.engine.bounds import most_listed
    >>> most_listed(100), most_listed(16_000)
    (4000, 1048)
    """
    return int(np.clip(ENGINE.most_entries // n_samples, 16, ENGINE.most_in_table))


def listed_losses(instance: Instance) -> FloatArray | None:
    """Return what every solution (column) costs on every sample (row), or None if that is too large a table."""
    problem, most = instance.problem, most_listed(instance.n_samples)
    listed = problem.all_solutions(most)
    if listed is None and isinstance(problem, ListsVertices):
        listed = problem.vertices(most)  # the best for any set of samples is one of them
    return None if listed is None else instance.losses(listed)


def bound_without_tree(loss: FloatArray | None, instance: Instance, count: int, deadline: Deadline) -> float:
    """Return a loss that no tree with `count` plans beats.

    With the losses of all solutions it is what `count` of them cost without a tree, else what the samples' own optima
    cost.
    """
    if loss is None:
        return float(clairvoyant_losses(instance, deadline).sum())
    return k_solutions_bound(loss, count, deadline)


def spread_out(loss: FloatArray, count: int) -> IntArray:
    """Return columns that together serve the rows well: one after the other, the one that helps most; at most `count`.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.engine.bounds import spread_out
    >>> spread_out(np.array([[0.0, 3.0, 2.0], [5.0, 0.0, 2.0], [1.0, 4.0, 2.0]]), 2)
    array([0, 1])
    """
    served = np.full(len(loss), np.inf)
    chosen: list[int] = []
    for _ in range(min(count, loss.shape[1])):
        chosen.append(int(np.argmin(np.minimum(loss, served[:, None]).sum(axis=0))))
        served = np.minimum(served, loss[:, chosen[-1]])
    return np.unique(chosen)


def k_solutions_bound(loss: FloatArray, count: int, deadline: Deadline | None = None) -> float:
    """Return a number that `count` columns can't beat if every row is served by the best of them.

    Valid for a problem if the columns hold all of its solutions, or all that are not beaten everywhere by another. The
    rows' shares are Lagrangian multipliers, improved by subgradient steps (the p-median problem's classical bound,
    doi:10.1287/mnsc.23.8.789); any shares give a valid bound, so that it may be stopped at any time.

    Parameters
    ----------
    loss
        What each sample (row) costs with each solution (column).
    count
        How many solutions there may be.
    deadline
        When to stop improving the bound.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.engine.bounds import k_solutions_bound
    >>> k_solutions_bound(np.array([[0.0, 3.0, 2.0], [5.0, 0.0, 2.0], [1.0, 4.0, 2.0]]), 1)
    6.0
    """
    deadline = Deadline() if deadline is None else deadline
    count = min(count, loss.shape[1])
    least = loss.min(axis=1)
    target = float(loss[:, spread_out(loss, count)].min(axis=1).sum())
    shares = Shares(least, count, ENGINE.patience)
    shares.best = float(least.sum())
    for _ in range(min(ENGINE.most_steps, 1 + ENGINE.most_entries_read // loss.size)):
        if target - shares.best <= VALUE * max(1.0, abs(shares.best)) or deadline.passed():
            break
        shares.pick(loss)
        if not shares.improve(target):
            break
    return shares.best


class Shares:
    """Rows' shares: what each offers for being served. Any shares give a bound, and steps make them better.

    Parameters
    ----------
    shares
        The first ones.
    count
        How many columns may be picked.
    patience
        Steps become shorter after this number of them without a better bound.

    Attributes
    ----------
    best
        The best bound so far.
    scale
        How long steps are; 1 at first.
    """

    def __init__(self, shares: FloatArray, count: int, patience: int) -> None:
        self.of_rows, self._count, self._patience = shares.copy(), count, patience
        self.best, self.scale, self._since_better = -np.inf, 1.0, 0
        self._spare = np.empty((0, 0))

    def pick(self, loss: FloatArray) -> IntArray:
        """Return the columns that are best for the shares, and note the bound that these give."""
        if self._spare.shape != loss.shape:
            self._spare = np.empty_like(loss)
        np.subtract(loss, self.of_rows[:, None], out=self._spare)
        np.minimum(self._spare, 0.0, out=self._spare)
        worth = self._spare.sum(axis=0)
        picked = np.argsort(worth, kind="stable")[: self._count]
        self._bound = float(self.of_rows.sum() + worth[picked].sum())
        self._since_better = 0 if self._bound > self.best else self._since_better + 1
        self.best = max(self.best, self._bound)
        if self._since_better == self._patience:
            self.scale, self._since_better = self.scale / 2.0, 0
        # A row that no solution serves should offer more, one that several serve less.
        self._slope = 1.0 - (self._spare[:, picked] < 0.0).sum(axis=1)
        return picked

    def improve(self, target: float) -> bool:
        """Change the shares towards a bound of `target`; return whether there is anything to change."""
        length = float(self._slope @ self._slope)
        if length > 0.0:
            self.of_rows += self.scale * max(0.0, target - self._bound) / length * self._slope
        return length > 0.0
