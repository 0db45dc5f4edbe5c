"""Lower bounds on the cost of any tree, for any number of samples.

A tree's worst case is at least its nominal cost. That is at least what as many solutions as it has leaves cost if
every sample could pick the best of them, which is at least what the samples' own optima cost. Bounds are losses, to
be minimised, like everything that methods hand to a run.
"""

__all__ = [
    "clairvoyant_losses",
    "k_solutions_bound",
    "listed_losses",
    "most_listed",
    "most_plans",
    "raise_bound_by_plans",
    "spread_out",
]

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.engine_parameters import ENGINE
from hedgerow.instance import Instance
from hedgerow.run import Deadline, Options, Run
from hedgerow.tolerances import VALUE


def clairvoyant_losses(instance: Instance, deadline: Deadline | None = None) -> FloatArray:
    """Return for each sample a loss that no solution beats: its own optimum's, as far as the oracle has proved it.

    Their sum is a lower bound on any tree.

    Parameters
    ----------
    instance
        Problem and samples.
    deadline
        When to stop asking the oracle; −∞ stands for the remaining samples.

    Examples
    --------
    >>> from hedgerow import Instance
    >>> from hedgerow.engine.bounds import clairvoyant_losses
    >>> from hedgerow.problems import Selection
    >>> clairvoyant_losses(Instance.create(Selection(2, 1), [[1.0, 3.0], [4.0, 2.0]]))
    array([1., 2.])
    """
    deadline = Deadline() if deadline is None else deadline
    losses = np.full(instance.n_samples, -np.inf)
    for row in range(instance.n_samples):
        if deadline.passed():
            break
        best = instance.problem.best_solution(instance.costs[row : row + 1], time_limit=deadline.remaining())
        losses[row] = instance.weights[row] * instance.sign * best.bound
    return losses


def most_plans(instance: Instance, options: Options) -> int:
    """Return how many different plans a tree may hold."""
    leaves = min(1 << instance.depth, options.max_leaves or 1 << instance.depth)
    return leaves * options.plans_per_leaf


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
    if listed is None:
        listed = problem.vertices(most)  # the best for any set of samples is one of them
    return None if listed is None else instance.losses(listed)


def raise_bound_by_plans(
    instance: Instance, run: Run, options: Options, losses: FloatArray | None, share: float
) -> None:
    """Bound all trees by what as many plans, or else the samples' own optima, cost; within a share of the time.

    `losses` are those of all solutions on every sample; None where they can't be listed.
    """
    deadline = Deadline(share * run.deadline.remaining())
    if losses is None:
        bound = float(clairvoyant_losses(instance, deadline).sum())
    else:
        bound = k_solutions_bound(losses, most_plans(instance, options), deadline)
    run.raise_bound(min(run.value, bound), "bound without a tree")


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
    shares, best, scale, since_better = least.copy(), float(least.sum()), 1.0, 0
    for _ in range(min(ENGINE.most_steps, 1 + ENGINE.most_entries_read // loss.size)):
        if target - best <= VALUE * max(1.0, abs(best)) or deadline.passed():
            break
        spare = np.minimum(loss - shares[:, None], 0.0)
        worth = spare.sum(axis=0)
        picked = np.argsort(worth, kind="stable")[:count]
        bound = float(shares.sum() + worth[picked].sum())
        since_better = 0 if bound > best else since_better + 1
        best = max(best, bound)
        if since_better == ENGINE.patience:
            scale, since_better = scale / 2.0, 0
        # A row that no solution serves should offer more, one that several serve less.
        slope = 1.0 - (spare[:, picked] < 0.0).sum(axis=1)
        length = float(slope @ slope)
        if length <= 0.0:
            break
        shares += scale * max(0.0, target - bound) / length * slope
    return best
