"""Spread jobs over identical machines so that the last one is done early."""

__all__ = ["Scheduling"]

from collections.abc import Iterable, Mapping
from typing import Any, Final, Self, Unpack

import numpy as np
import scipy.sparse as sp

from hedgerow.data.arrays import FloatArray, IntArray, frozen
from hedgerow.data.checks import integer_between
from hedgerow.problem import Best, CostRows, FeasibleSet, Sense
from hedgerow.problems import _reading as reading
from hedgerow.problems._mip_oracle import cheapest_point, model_of
from hedgerow.problems._named import AllOrNothing, Units, named_or_numbered

_LISTED: Final = 100_000
"""Up to this many schedules are listed to find the best one; beyond that a MIP finds it."""

_MAX_MACHINES: Final = 1_000


class Scheduling(AllOrNothing):
    """Spread jobs over identical machines; what counts is the makespan, the load of the busiest machine.

    For sharing out work: print jobs over presses, parcels over vans, batch jobs over
    servers, patients over theatres. The items are the jobs' durations, the variables say which machine does which job,
    and the cost is not linear: f(c, x) is the largest of the machines' loads. The jobs of several samples must be
    spread once for all, so that already the best single schedule is a hard problem; where the schedules are few they
    are listed, elsewhere it is a MIP.

    Since machines are identical, schedules that differ in their numbering only are one. Hedgerow works with the one
    whose machines are numbered in the order of their first jobs.

    Parameters
    ----------
    jobs
        Names of the jobs, or how many there are (they are then called job1, job2, …).
    n_machines
        Number of machines.
    unit
        Unit of the durations.
    sense
        "min" for the makespan; "max" if the smallest load is to be large, as where something is shared fairly.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.problems import Scheduling
    >>> problem = Scheduling(["cut", "glue", "bind", "pack"], 2, unit="h")
    >>> best = problem.best_solution(np.array([[3.0, 2.0, 2.0, 4.0]]))
    >>> problem.describe(best.solution), best.value
    ('cut, glue | bind, pack', 6.0)
    """

    _used, _thing = "set", "a job on a machine"

    def __init__(
        self, jobs: int | Iterable[Any], n_machines: int, *, sense: Sense = "min", **units: Unpack[Units]
    ) -> None:
        super().__init__(named_or_numbered(jobs, "jobs", "job"), **units, sense=sense)
        self.n_machines: Final = integer_between(n_machines, "n_machines", 1, _MAX_MACHINES)
        self._variable_names = tuple(
            f"{job} on machine {machine}" for job in self.item_names for machine in range(1, self.n_machines + 1)
        )

    @property
    def variable_names(self) -> tuple[str, ...]:
        """Names of a solution's entries: job by job, which machine does it."""
        return self._variable_names

    def costs(self, solutions: FloatArray, samples: FloatArray) -> FloatArray:
        """Return the makespan of every schedule k (columns) on every sample j (rows)."""
        by_machine = solutions.reshape(len(solutions), self.n_items, self.n_machines)
        worst: FloatArray = samples @ by_machine[:, :, 0].T
        take = np.maximum if self.sense == "min" else np.minimum
        for machine in range(1, self.n_machines):
            take(worst, samples @ by_machine[:, :, machine].T, out=worst)
        return worst

    def cost_rows(self, sample: FloatArray) -> CostRows:
        """Return the machines' loads, one row each."""
        m = self.n_machines
        loads = (sample[np.newaxis, :, np.newaxis] * np.eye(m)[:, np.newaxis, :]).reshape(m, -1)
        return CostRows(loads, np.zeros(m))

    def best_solution(
        self, samples: FloatArray, weights: FloatArray | None = None, *, time_limit: float | None = None
    ) -> Best:
        """Return the one schedule with the best weighted sum of makespans over the samples."""
        weights = np.ones(len(samples)) if weights is None else weights
        listed = self.all_solutions(_LISTED)
        if listed is not None:
            totals: FloatArray = weights @ self.costs(listed, samples)
            best = int(np.argmin(self._signed(totals)))
            return Best(frozen(listed[best]), float(totals[best]), float(totals[best]))
        return self._best_by_mip(samples, weights, time_limit)

    def cost_bounds(self, samples: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return, for each sample, bounds on the makespan: an even share, the longest job, and all jobs on one machine.

        For the smallest load, the same with reversed signs.
        """
        durations = self._signed(samples)
        total = durations.sum(axis=1)
        # A job of negative duration may share a machine with the longest one, which then is no bound.
        longest = np.where((durations >= 0.0).all(axis=1), durations.max(axis=1), -np.inf)
        lowest = np.maximum(total / self.n_machines, longest)
        highest = np.maximum(np.maximum(durations, 0.0).sum(axis=1), lowest)
        return (lowest, highest) if self.sense == "min" else (-highest, -lowest)

    def _fault(self, chosen: FloatArray) -> str | None:
        machines = chosen.reshape(self.n_items, self.n_machines).sum(axis=1)
        if (machines != 1.0).any():
            job = int(np.argmax(machines != 1.0))
            return f"'{self.item_names[job]}' is done on {int(machines[job])} machines; it must be one"
        return None

    def feasible_set(self) -> FeasibleSet:
        """Return X: each job on one machine, and machines numbered in the order of their first jobs.

        Job j may go to machine m only if an earlier job is on machine m − 1, so that of all schedules which differ in
        the numbering of machines a single one remains.
        """
        n, m = self.n_items, self.n_machines
        one_each = sp.kron(sp.eye_array(n), np.ones((1, m)))
        # x[j, m] − Σ over i < j of x[i, m − 1] ≤ 0 for m ≥ 2
        earlier = sp.csr_array(np.tri(n, k=-1))
        previous = sp.diags_array(np.ones(m - 1), offsets=-1, shape=(m, m)) if m > 1 else sp.csr_array((1, 1))
        in_order = (sp.eye_array(n * m) - sp.kron(earlier, previous)).tocsr()[np.arange(n * m) % m > 0]
        return FeasibleSet.of(([one_each], 1.0, 1.0), ([in_order], -np.inf, 0.0), most=np.tri(n, m).reshape(-1))

    def all_solutions(self, limit: int) -> FloatArray | None:
        """Return every schedule once (one per row), machines in the order of their first jobs, if at most `limit`."""
        n, m = self.n_items, self.n_machines
        if _count(n, m, limit) > limit:
            return None
        machine_of = np.zeros((1, 1), dtype=np.int64)
        for _ in range(1, n):
            choices = np.minimum(machine_of.max(axis=1) + 2, m)
            parent = np.repeat(np.arange(len(machine_of)), choices)
            own = np.arange(len(parent)) - np.repeat(np.cumsum(choices) - choices, choices)
            machine_of = np.column_stack([machine_of[parent], own])
        return self._rows(machine_of)

    def _in_words(self, chosen: FloatArray) -> str:
        machine_of = np.argmax(chosen.reshape(self.n_items, self.n_machines), axis=1)
        # Named in the order of their first jobs: their numbers mean nothing.
        shares = [
            ", ".join(self.item_names[job] for job in np.flatnonzero(machine_of == machine))
            for machine in dict.fromkeys(machine_of.tolist())
        ]
        return " | ".join(shares)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready description."""
        return self._described("scheduling", jobs=list(self.item_names), n_machines=self.n_machines)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the problem that `to_dict` described."""
        options = reading.options(data, "jobs", "n_machines")
        jobs = reading.texts(data, "jobs")
        n_machines = reading.whole(data, "n_machines", 1, _MAX_MACHINES)
        reading.at_most(len(jobs) * n_machines, "pairs of a job and a machine")
        return cls(jobs, n_machines, **options)

    def __repr__(self) -> str:
        return f"Scheduling({self.n_items} jobs, {self.n_machines} machines{self._options_in_words()})"

    def _rows(self, machine_of: IntArray) -> FloatArray:
        """Return schedules as 0/1 vectors from the number of each job's machine."""
        solutions = np.zeros((*machine_of.shape, self.n_machines))
        np.put_along_axis(solutions, machine_of[:, :, np.newaxis], 1.0, axis=2)
        return solutions.reshape(len(machine_of), -1)

    def _best_by_mip(self, samples: FloatArray, weights: FloatArray, time_limit: float | None) -> Best:
        """Minimise Σ_j w_j u_j with u_j at least every machine's load on sample j."""
        model = model_of(self.feasible_set())
        n_variables = model.n_columns
        bounds = self.cost_bounds(samples)
        worst = model.add_variables(len(samples), lower=bounds[0] if self.sense == "min" else -bounds[1])
        for column, sample in zip(worst, self._signed(samples), strict=True):
            less_load = np.column_stack([np.ones(self.n_machines), -self.cost_rows(sample).coefficients])
            model.add_rows(sp.csr_array(less_load), np.append(column, np.arange(n_variables)), 0.0, np.inf)
        start = self._longest_first(self._signed(weights @ samples))
        makespans = self._signed(self.costs(start[np.newaxis], samples)[:, 0])
        costs = np.concatenate([np.zeros(n_variables), weights])
        found = cheapest_point(model, costs, np.concatenate([start, makespans]), time_limit)
        solution = frozen(found.point[:n_variables])
        value = float(weights @ self.costs(solution[np.newaxis], samples)[:, 0])
        bound = min(found.bound, value) if self.sense == "min" else max(-found.bound, value)
        return Best(solution, value, bound)

    def _longest_first(self, durations: FloatArray) -> FloatArray:
        """Return a good schedule: the longest job first, always on the machine with the least load."""
        load, machine_of = np.zeros(self.n_machines), np.empty(self.n_items, dtype=np.int64)
        for job in np.argsort(-durations, kind="stable"):
            machine_of[job] = np.argmin(load)
            load[machine_of[job]] += durations[job]
        number: dict[int, int] = {}
        in_order = [number.setdefault(machine, len(number)) for machine in machine_of.tolist()]
        schedule: FloatArray = self._rows(np.array([in_order]))[0]
        return schedule


def _count(n_jobs: int, n_machines: int, enough: int) -> int:
    """Return the number of ways to share jobs over at most this many machines, or some number above `enough`."""
    # By the number of machines in use: the next job joins one of them, or begins another.
    ways = [0, 1] + [0] * (n_machines - 1)
    for _ in range(1, n_jobs):
        ways = [0] + [used * ways[used] + ways[used - 1] for used in range(1, n_machines + 1)]
        if sum(ways) > enough:
            break
    return sum(ways)
