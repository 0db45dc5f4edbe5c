"""Spread jobs over identical machines so that the last one is done early."""

from collections.abc import Iterable
from typing import Any, Final, Unpack

import numpy as np
import scipy.sparse as sp

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import integer_between
from hedgerow.errors import InputError
from hedgerow.problem import CostRows, FeasibleSet, RowBlock, Sense
from hedgerow.problems.base import MAX_ITEMS, Problem, Units, named_or_numbered
from hedgerow.tolerances import FEASIBILITY

_MAX_MACHINES: Final = 1_000


class Scheduling(Problem):
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

    kind = "scheduling"

    def __init__(
        self, jobs: int | Iterable[Any], n_machines: int, *, sense: Sense = "min", **units: Unpack[Units]
    ) -> None:
        super().__init__(named_or_numbered(jobs, "jobs", "job"), **units, sense=sense)
        self.n_machines: Final = integer_between(n_machines, "n_machines", 1, _MAX_MACHINES)
        if self.n_items * self.n_machines > MAX_ITEMS:
            raise InputError(f"there must be at most {MAX_ITEMS} pairs of a job and a machine; got more.")
        self._variable_names = tuple(
            f"{job} on machine {machine}" for job in self.item_names for machine in range(1, self.n_machines + 1)
        )

    @property
    def jobs(self) -> tuple[str, ...]:
        """Names of the jobs."""
        return self.item_names

    @property
    def variable_names(self) -> tuple[str, ...]:
        """Names of a solution's entries: job by job, which machine does it."""
        return self._variable_names

    def cost_rows(self, sample: FloatArray) -> CostRows:
        """Return the machines' loads, one row each."""
        m = self.n_machines
        loads = (sample[np.newaxis, :, np.newaxis] * np.eye(m)[:, np.newaxis, :]).reshape(m, -1)
        return CostRows(loads, np.zeros(m))

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
        return FeasibleSet.of(
            RowBlock([f"the number of machines of '{job}'" for job in self.jobs], [one_each], 1.0, 1.0),
            RowBlock("the order of the machines", [in_order], -np.inf, 0.0),
        )

    def infeasibility(self, solution: FloatArray) -> str | None:
        """Return why the solution is no schedule, in words, or None if it is one; machines may have any order."""
        if np.shape(solution) != (len(self.variable_names),):
            return super().infeasibility(solution)
        return super().infeasibility(self._in_order(solution.reshape(self.n_items, self.n_machines)))

    def _in_order(self, table: FloatArray) -> FloatArray:
        """Return a schedule, jobs by machines, with the machines in the order of their first jobs."""
        used = np.abs(table) > FEASIBILITY
        first_job = np.where(used.any(axis=0), np.argmax(used, axis=0), self.n_items)
        return table[:, np.argsort(first_job, kind="stable")].reshape(-1)

    def _start(self, durations: FloatArray) -> FloatArray:
        """Return a good schedule: the longest job first, always on the machine with the least load."""
        table, load = np.zeros((self.n_items, self.n_machines)), np.zeros(self.n_machines)
        for job in np.argsort(-durations, kind="stable"):
            machine = int(np.argmin(load))
            table[job, machine] = 1.0
            load[machine] += durations[job]
        return self._in_order(table)

    def describe(self, solution: FloatArray) -> str:
        """Return the jobs of each machine, in the order of the machines' first jobs: their numbers mean nothing."""
        if self.infeasibility(solution) is not None:
            return super().describe(solution)
        machine_of = np.argmax(solution.reshape(self.n_items, self.n_machines), axis=1)
        shares = [
            ", ".join(self.item_names[job] for job in np.flatnonzero(machine_of == machine))
            for machine in dict.fromkeys(machine_of.tolist())
        ]
        return " | ".join(shares)
