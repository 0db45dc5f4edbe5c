"""Measured data: electricity prices with eight-hour plans, and ways through downtown Chicago."""

from collections.abc import Iterator
from pathlib import Path

from benchmarks import scope
from benchmarks.instances import electricity, traffic
from benchmarks.outcome import Goal, Outcome, Table
from benchmarks.progress import tell, told
from benchmarks.proof import NOTE, PROOF_COLUMNS, Proof, prove, proven_within
from hedgerow import GlobalBudget, Instance, LocalBudget

_LOCAL_GOAL, _GLOBAL_GOAL = 60.0, 120.0
_SLACK = 2.0
_DAYS = (20, 40, 100)
_FRACTIONS = (0.01, 0.05)
_WAYS = ((31, 54), (53, 34))
_GLOBAL_SAMPLES = 10


def run() -> Outcome:
    """Prove trees on measured data where that is at hand."""
    folder = scope.data_folder()
    if folder is None:
        tell("measured data: skipped, no folder with data (say where with --data)")
        return Outcome(
            "Exact, measured data", [], [], note="Skipped: the data was not at hand. It is not ours to copy."
        )
    rows, goals = [], []
    for name, kind, instance in told(list(_instances(folder)), "measured data"):
        goal = _LOCAL_GOAL if kind == "local" else _GLOBAL_GOAL
        proof = prove(instance, limit=_SLACK * goal)
        tell(f"{name}, {kind}: {proof.in_words()}")
        rows.append((name, kind, instance.n_samples, *proof.row))
        what = f"{name}, {kind}"
        goals.append(proven_within(what, proof, goal) if kind == "local" else _nearly(what, proof, goal))
    table = Table("runs", "Measured data, depth 2", ("data", "set", "N", *PROOF_COLUMNS), rows)
    return Outcome("Exact, measured data", [table], goals, note=f"Samples are random rows (seed 0). {NOTE}")


def _instances(folder: Path) -> Iterator[tuple[str, str, Instance]]:
    for n_days in _DAYS:
        load, prices = electricity(folder, n_days)
        for fraction in _FRACTIONS:
            name = f"electricity, {n_days} days, λ = {fraction}"
            yield name, "local", Instance.create(load, prices, uncertainty=LocalBudget(fraction=fraction))
    for source, target in _WAYS:
        ways, times = traffic(folder, source, target, 20)
        local = LocalBudget(fraction=0.05, prices="range")
        name = f"traffic {source}→{target}, 20 observations, λ = 0.05"
        yield name, "local", Instance.create(ways, times, uncertainty=local)
    load, prices = electricity(folder, _GLOBAL_SAMPLES)
    for fraction in _FRACTIONS:
        name = f"electricity, {_GLOBAL_SAMPLES} days, λ = {fraction}"
        yield name, "global", Instance.create(load, prices, uncertainty=GlobalBudget(fraction=fraction))
    for source, target in _WAYS:
        ways, times = traffic(folder, source, target, _GLOBAL_SAMPLES)
        shared = GlobalBudget(fraction=0.05, prices="range")
        name = f"traffic {source}→{target}, {_GLOBAL_SAMPLES} observations, λ = 0.05"
        yield name, "global", Instance.create(ways, times, uncertainty=shared)


def _nearly(what: str, proof: Proof, goal: float) -> Goal:
    met = proof.gap < 0.01 and proof.seconds <= goal
    return Goal(what, proof.in_words(), f"proven or gap under 1 % within {goal:g} s", met)
