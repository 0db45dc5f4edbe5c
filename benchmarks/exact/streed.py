"""Nominal trees over a fixed pool of options, against STreeD (the package `pystreed`), which is made for them."""

import time

import numpy as np

from benchmarks import scope
from benchmarks.instances import recipe_costs
from benchmarks.outcome import Goal, Outcome, Table
from benchmarks.progress import tell, told
from benchmarks.proof import NOTE, Proof, prove
from hedgerow import Instance, Nominal
from hedgerow.arrays import FloatArray
from hedgerow.methods.registry import METHODS
from hedgerow.problems import ExplicitSet
from hedgerow.splits import candidate_splits

_N_SAMPLES, _N_ITEMS, _N_OPTIONS, _N_LEVELS = 100, 40, 20, 11
_LIMIT = 120.0
_SEEDS = (0, 1, 2)
_COLUMNS = ("depth", "seed", "method", "value", "bound", "status", "time [s]", "STreeD value", "STreeD time [s]")


def run() -> Outcome:
    """Compare values and times at depths 2 and 3."""
    try:
        import pystreed  # noqa: F401
    except ImportError:
        tell("nominal trees: skipped, pystreed is not installed (pip install 'hedgerow[bench]')")
        return Outcome("Nominal trees against STreeD", [], [], note="Skipped: `pystreed` was not installed.")
    methods = [name for name in ("nominal", "exact") if name in METHODS]
    rows, goals = [], []
    for depth in told((2, 3), "nominal trees"):
        proofs: dict[str, list[tuple[Proof, float, float]]] = {name: [] for name in methods}
        for seed in scope.some(_SEEDS):
            instance = _instance(seed, depth)
            value, spent = _streed(instance)
            for name in methods:
                proof = prove(instance, limit=_LIMIT, method=name)
                tell(f"depth {depth}, seed {seed}: {name} {proof.in_words()}; STreeD {spent:.2g} s")
                proofs[name].append((proof, value, spent))
                rows.append((depth, seed, name, proof.value, proof.bound, proof.status, proof.seconds, value, spent))
        goals += [goal for name in methods for goal in _goals(depth, name, proofs[name])]
    note = (
        "Costs by the paper's recipe; options are random selections of 10 items; observations are the costs' ranks in "
        f"{_N_LEVELS} classes, so that our {_N_LEVELS - 1} midpoints per item and STreeD's binary features are the "
        f"same splits. STreeD's time is that of `fit`, binary features given. {NOTE}"
    )
    return Outcome("Nominal trees against STreeD", [Table("runs", "All runs", _COLUMNS, rows)], goals, note=note)


def _instance(seed: int, depth: int) -> Instance:
    costs = recipe_costs(seed, _N_SAMPLES, _N_ITEMS)
    rng = np.random.default_rng(seed)
    options = np.zeros((_N_OPTIONS, _N_ITEMS))
    for option in options:
        option[rng.choice(_N_ITEMS, 10, replace=False)] = 1.0
    ranks = np.argsort(np.argsort(costs, axis=0, kind="stable"), axis=0, kind="stable")
    classes = (ranks * _N_LEVELS // _N_SAMPLES).astype(np.float64)
    problem = ExplicitSet(options)
    return Instance.create(problem, costs, observations=classes, uncertainty=Nominal(), depth=depth)


def _streed(instance: Instance) -> tuple[float, float]:
    """Return the optimum by STreeD, recomputed from what it predicts, and the CPU seconds of its `fit`."""
    from pystreed import STreeDInstanceCostSensitiveClassifier

    splits = candidate_splits(instance.observations)
    features = (instance.observations[:, splits.item] <= splits.threshold).astype(np.int32)
    losses: FloatArray = instance.losses(instance.problem.all_solutions(_N_OPTIONS))
    model = STreeDInstanceCostSensitiveClassifier(max_depth=instance.depth, time_limit=scope.seconds(_LIMIT))
    start = time.process_time()
    model.fit(features, losses)
    spent = time.process_time() - start
    chosen = np.asarray(model.predict(features), dtype=np.int64)
    return float(losses[np.arange(len(losses)), chosen].sum()), spent


def _goals(depth: int, name: str, runs: list[tuple[Proof, float, float]]) -> list[Goal]:
    same = sum(abs(proof.value - value) <= 1e-6 * abs(value) for proof, value, _ in runs)
    ours, theirs = sum(proof.seconds for proof, _, _ in runs), sum(spent for _, _, spent in runs)
    what = f"nominal tree of depth {depth}, {name}"
    return [
        Goal(f"{what}: same optimum as STreeD", f"{same} of {len(runs)}", "always", same == len(runs)),
        Goal(f"{what}: time", f"{ours:.2f} s, STreeD {theirs:.2f} s", "not slower", ours <= theirs),
    ]
