"""Nominal trees over a fixed pool of options, against STreeD (the package `pystreed`), which is made for them."""

import time
from dataclasses import dataclass

import numpy as np

from benchmarks import scope
from benchmarks.instances import recipe_costs
from benchmarks.outcome import Goal, Outcome, Table
from benchmarks.progress import tell, told
from benchmarks.proof import BUSY, NOTE, PROOF_COLUMNS, Proof, prove
from hedgerow import Instance, Nominal
from hedgerow.problems import ExplicitSet
from hedgerow.tree.splits import candidate_splits

_N_SAMPLES, _N_ITEMS, _N_OPTIONS, _N_LEVELS = 100, 40, 20, 11
_LIMIT = 120.0
_SEEDS = {2: (0, 1, 2), 3: (0,)}
_COLUMNS = ("depth", "seed", *PROOF_COLUMNS, "STreeD value", "STreeD proven", "STreeD time [s]")


@dataclass(frozen=True)
class _Theirs:
    """What STreeD found: the value recomputed from what it predicts, and the CPU seconds of its `fit`."""

    value: float
    proven: bool
    seconds: float


def run() -> Outcome:
    """Compare values and times at depths 2 and 3."""
    try:
        import pystreed  # noqa: F401
    except ImportError:
        tell("nominal trees: skipped, pystreed is not installed (pip install 'hedgerow[bench]')")
        return Outcome("Nominal trees against STreeD", [], [], note="Skipped: `pystreed` was not installed.")
    rows, goals = [], []
    for depth, seeds in told(_SEEDS.items(), "nominal trees"):
        pairs = []
        for seed in scope.some(seeds):
            instance = _instance(seed, depth)
            theirs, proof = _streed(instance), prove(instance, limit=_LIMIT)
            tell(f"depth {depth}, seed {seed}: {proof.in_words()}; STreeD {theirs.seconds:.2f} s")
            pairs.append((proof, theirs))
            rows.append((depth, seed, *proof.row, theirs.value, theirs.proven, theirs.seconds))
        goals += _goals(depth, pairs)
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
    return Instance.create(problem, costs, observed=classes, uncertainty=Nominal(), depth=depth)


def _streed(instance: Instance) -> _Theirs:
    from pystreed import STreeDInstanceCostSensitiveClassifier

    splits = candidate_splits(instance.question_values, questions=instance.questions)
    features = (instance.observations[:, splits.question] <= splits.threshold).astype(np.int32)
    options = instance.problem.all_solutions(_N_OPTIONS)
    assert options is not None
    losses = instance.losses(options)
    model = STreeDInstanceCostSensitiveClassifier(max_depth=instance.depth, time_limit=BUSY * scope.seconds(_LIMIT))
    start = time.process_time()
    model.fit(features, losses)
    spent = time.process_time() - start
    chosen = np.asarray(model.predict(features), dtype=np.int64)
    value = float(losses[np.arange(len(losses)), chosen].sum())
    return _Theirs(value, bool(model.fit_result.is_optimal()), spent)


def _goals(depth: int, pairs: list[tuple[Proof, _Theirs]]) -> list[Goal]:
    same = sum(abs(proof.value - theirs.value) <= 1e-6 * abs(theirs.value) for proof, theirs in pairs)
    ours, theirs = sum(proof.seconds for proof, _ in pairs), sum(theirs.seconds for _, theirs in pairs)
    proven = sum(proof.proven for proof, _ in pairs), sum(theirs.proven for _, theirs in pairs)
    what = f"nominal trees of depth {depth}"
    return [
        Goal(f"{what}: same value as STreeD", f"{same} of {len(pairs)}", "always", same == len(pairs)),
        Goal(
            f"{what}: time",
            f"{ours:.2f} s, {proven[0]} proven; STreeD {theirs:.2f} s, {proven[1]} proven (of {len(pairs)})",
            "not slower",
            ours <= theirs and proven[0] == len(pairs),
        ),
    ]
