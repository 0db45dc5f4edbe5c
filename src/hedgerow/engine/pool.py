"""A pool of solutions with what each costs on every sample: where X is small all of it, else those seen so far."""

from collections.abc import Callable
from itertools import combinations, islice

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.engine_parameters import ENGINE
from hedgerow.instance import Instance
from hedgerow.run import Run
from hedgerow.tolerances import VALUE

MAX_ENUMERATED = 100_000
"""Largest feasible set that is worked on as a table."""


class SolutionPool:
    """Distinct solutions in the order in which they came, and their losses.

    Attributes
    ----------
    instance
        What the solutions are for.
    solutions
        One solution per row.
    losses
        Per sample (row) and solution (column) the weighted loss, to be minimised.
    complete
        Whether the pool holds, for every solution of the problem, one that is nowhere costlier.
    """

    def __init__(self, instance: Instance, *, complete: bool = False) -> None:
        self.instance = instance
        self._index: dict[bytes, int] = {}
        self.solutions: FloatArray = np.empty((0, len(instance.problem.variable_names)))
        self.losses: FloatArray = np.empty((instance.n_samples, 0))
        self.complete = complete

    def __len__(self) -> int:
        return len(self._index)

    def add(self, solutions: FloatArray, losses: FloatArray | None = None) -> IntArray:
        """Add the solutions that are new; return the places of all of them in the pool. Losses may be known."""
        solutions = np.atleast_2d(solutions) + 0.0  # adding 0.0 turns −0.0 into 0.0
        known = len(self)
        places = np.array([self._index.setdefault(row.tobytes(), len(self._index)) for row in solutions], np.int64)
        new, first = np.unique(places, return_index=True)
        fresh = first[new >= known]
        if fresh.size:
            more = self.instance.losses(solutions[fresh]) if losses is None else _columns(losses, fresh)
            self.solutions = np.concatenate([self.solutions, solutions[fresh]])
            self.losses = np.concatenate([self.losses, more], axis=1) if known else np.ascontiguousarray(more)
        return places


def complete_pool(
    instance: Instance,
    memory_limit: int = ENGINE.most_table_bytes,
    run: Run | None = None,
    must_stop: Callable[[], bool] | None = None,
) -> SolutionPool | None:
    """Return a pool that stands for all solutions, or None if they are too many to list in the run's time.

    Solutions that another one beats or equals on every sample are left out, as far as time allows: no leaf needs them.
    """
    solutions = instance.problem.all_solutions(_most_listed(instance, memory_limit, run, ENGINE.always_listed))
    return None if solutions is None else _pool_of(instance, solutions, run, must_stop)


def vertex_pool(instance: Instance) -> SolutionPool | None:
    """Return the vertices of a continuous problem: all it takes where no sample can be sent to a second leaf."""
    found = instance.problem.vertices(ENGINE.always_listed)
    return None if found is None else _pool_of(instance, found, None)


def near_optimal_pool(instance: Instance, value: float, run: Run) -> SolutionPool | None:
    """Return a pool with all it takes to find any tree with a worst-case loss below `value`, or None if too large.

    In such a tree a sample that is sent to a leaf costs at most what the others, each served at its best, leave of
    `value`. So every solution in use is that good on some sample.
    """
    problem = instance.problem
    counting = instance.weights > 0.0
    if not problem.lists_near_optimal or not counting.any():
        return None
    samples, weights = instance.costs[counting], instance.weights[counting]
    best = np.empty(len(samples))
    for number in range(len(samples)):  # one at a time, with a look at the clock in between
        run.heed()
        best[number] = problem.best_solution(samples[[number]]).value
    slack = value - float(instance.sign * (weights * best).sum())
    # The margin keeps rounding from losing a solution that is just good enough.
    slack += VALUE * max(1.0, abs(value))
    limits = best + instance.sign * slack / weights
    limit = _most_listed(instance, ENGINE.most_table_bytes, run)
    found: dict[bytes, FloatArray] = {}
    for number in range(len(samples)):
        run.heed()
        good = problem.solutions_within(samples[number], float(limits[number]), limit)
        if good is None:
            return None
        found.update((row.tobytes(), row) for row in good + 0.0)
        if len(found) > limit:
            return None
    return _pool_of(instance, np.array(list(found.values())), run)


def optima_pool(instance: Instance, run: Run, *, of_pairs: bool = False) -> SolutionPool:
    """Return the set of the samples' optimal solutions, with the best single solution for all of them first.

    With `of_pairs` the optima for pairs of samples follow. Within half of the time that a run has left; what isn't
    proven optimal by then is the best that was found.
    """
    rows = [np.arange(instance.n_samples), *np.arange(instance.n_samples)[:, None]]
    if of_pairs:
        rows += map(np.array, islice(combinations(range(instance.n_samples), 2), ENGINE.most_pairs))
    pool = SolutionPool(instance)
    for number, some in enumerate(rows):
        if len(pool) and run.must_stop():
            break
        seconds = run.deadline.share(len(rows) - number)
        best = instance.problem.best_solution(instance.costs[some], instance.weights[some], time_limit=seconds)
        pool.add(best.solution[None])
    return pool


def _most_listed(instance: Instance, memory_limit: int, run: Run | None, at_least: int = 0) -> int:
    n_variables = len(instance.problem.variable_names)
    bytes_each = 8 * (instance.n_samples + n_variables)
    most = min(MAX_ENUMERATED, memory_limit // (4 * bytes_each))
    seconds = np.inf if run is None else run.deadline.remaining()
    each_second = min(ENGINE.listed_per_second, ENGINE.entries_per_second / (n_variables + instance.n_samples / 4))
    return most if np.isinf(seconds) else int(min(most, max(at_least, seconds * each_second)))


def _pool_of(
    instance: Instance, solutions: FloatArray, run: Run | None, must_stop: Callable[[], bool] | None = None
) -> SolutionPool:
    """Return a complete pool of the solutions without those that are nowhere better than another one."""
    pool = SolutionPool(instance, complete=True)
    if len(solutions):
        losses = instance.losses(solutions)
        kept = undominated(losses, must_stop if run is None else run.must_stop)
        if run is not None and kept.size > ENGINE.always_listed:
            run.heed()
        pool.add(solutions[kept], _columns(losses, kept))
    return pool


def _columns(losses: FloatArray, numbers: IntArray) -> FloatArray:
    """Return columns in increasing order; all of them are no copy, which takes long on large histories."""
    return losses if numbers.size == losses.shape[1] else losses[:, numbers]


def undominated(losses: FloatArray, must_stop: Callable[[], bool] | None = None) -> IntArray:
    """Return the columns that no other column beats or equals everywhere, in order; the first of equal ones.

    Work stops after a fixed number of comparisons, or earlier where `must_stop` says so. What was not looked at by
    then is returned as well, so that the columns always stand for all of them.

    Examples
    --------
    >>> import numpy as np
    >>> undominated(np.array([[1.0, 2.0, 3.0, 1.0], [5.0, 6.0, 4.0, 5.0]])).tolist()
    [0, 2]
    """
    # A column that beats another one has the smaller sum, so it comes first.
    order = np.argsort(losses.sum(axis=0), kind="stable")
    best = np.empty((min(ENGINE.compared_first, len(losses)), order.size))
    kept = np.empty(order.size, dtype=np.int64)
    count, compared, next_look = 0, 0, 0
    for place, column in enumerate(order):
        if compared >= next_look:
            next_look += ENGINE.compared_at_once
            if compared >= ENGINE.most_compared or (must_stop is not None and must_stop()):
                return np.sort(np.append(kept[:count], order[place:]))
        here = losses[:, column]
        rivals = kept[:count][(best[:, :count] <= here[: len(best), None]).all(axis=0)]
        compared += best[:, :count].size + rivals.size * len(losses)
        if not (losses[:, rivals] <= here[:, None]).all(axis=0).any():
            best[:, count], kept[count] = here[: len(best)], column
            count += 1
    return np.sort(kept[:count])
