"""One run of a method on one instance, measured: value, bound, status and time."""

import math
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from benchmarks import scope
from benchmarks.measure import cpu_limit
from benchmarks.outcome import Goal
from hedgerow import GlobalBudget, Instance, LocalBudget, solve
from hedgerow.compiled import count_loaded
from hedgerow.run import Interrupt, Options, Result
from hedgerow.tree.splits import ThresholdSet

BUDGETS: Final[dict[str, type[LocalBudget] | type[GlobalBudget]]] = {"local": LocalBudget, "global": GlobalBudget}
PROOF_COLUMNS = ("value", "bound", "gap", "status", "time [s]", "wall [s]")
NOTE = (
    "“time” is CPU time on one core, compilation left out, and is what goals are compared with; “wall” is what a clock "
    "showed, on a machine that others may have used as well. Time limits count CPU time too. Thresholds are not "
    "rounded."
)

BUSY = 5.0
"""How many times longer a run may take by the clock, should others use the machine."""

_WARM_UP_SECONDS = 1.0
_warm: set[tuple[object, ...]] = set()


@dataclass(frozen=True)
class Proof:
    """What came of one run.

    Attributes
    ----------
    value, bound, gap, status
        As in `hedgerow.run.Result`.
    seconds, wall
        CPU and wall-clock time of the whole call.
    result
        Everything else.
    """

    value: float
    bound: float
    gap: float
    status: str
    seconds: float
    wall: float
    result: Result

    @property
    def proven(self) -> bool:
        """Whether the tree is proven optimal."""
        return self.status == "optimal"

    @property
    def row(self) -> tuple[object, ...]:
        """The figures in the order of `PROOF_COLUMNS`."""
        return self.value, self.bound, self.gap, self.status, self.seconds, self.wall

    def in_words(self) -> str:
        """Return time and outcome for people."""
        gap = "no bound" if math.isinf(self.gap) else f"gap {self.gap:.2%}"
        return f"{self.seconds:.2f} s, " + ("proven" if self.proven else f"{self.status}, {gap}")


def prove(instance: Instance, *, limit: float, thresholds: ThresholdSet = "midpoints", method: str = "exact") -> Proof:
    """Solve the instance with the kernels loaded, and measure it; if a kernel was compiled on the clock, once more."""
    settings = Options(thresholds=thresholds, round_thresholds=False)
    _load_kernels(instance, settings, method)
    n_loaded = count_loaded()
    proof = _measured(instance, settings, method, limit)
    return proof if count_loaded() == n_loaded else _measured(instance, settings, method, limit)


def _measured(instance: Instance, settings: Options, method: str, limit: float) -> Proof:
    limit = scope.seconds(limit)
    cpu, wall = time.process_time(), time.perf_counter()
    interrupt = Interrupt()
    with cpu_limit(limit, interrupt.request):
        result = solve(
            instance,
            method=method,
            options=settings,
            time_limit=BUSY * limit,
            random_state=0,
            interrupt=interrupt,
        )
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    status = "time_limit" if result.status == "interrupted" else result.status
    return Proof(result.objective, result.lower_bound, result.gap, status, cpu, wall, result)


def _load_kernels(instance: Instance, settings: Options, method: str) -> None:
    """Run instances of a new kind for a moment first, so that no kernel is compiled or loaded on the clock."""
    sizes = instance.n_samples <= 10, instance.n_samples <= 20
    kind = (method, type(instance.uncertainty), type(instance.problem), instance.depth, settings.thresholds, *sizes)
    if kind not in _warm:
        _warm.add(kind)
        solve(instance, method=method, options=settings, time_limit=_WARM_UP_SECONDS, random_state=0)


def all_proven(proofs: Iterable[Proof], what: str) -> Goal:
    """Return the goal that every run ends with a proof."""
    proofs = list(proofs)
    count = sum(proof.proven for proof in proofs)
    return Goal(what, f"{count} of {len(proofs)} proven", "all", count == len(proofs))


def proven_within(what: str, proof: Proof, goal: float) -> Goal:
    """Return the goal that one run ends with a proof in time."""
    return Goal(what, proof.in_words(), f"proven within {goal:g} s", proof.proven and proof.seconds <= goal)
