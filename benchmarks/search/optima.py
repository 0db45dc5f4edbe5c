"""How far local search is from proven optima after five seconds, beside fix_tree with the same time."""

import statistics

from benchmarks import scope
from benchmarks.instances import paper
from benchmarks.outcome import Goal, Outcome, Table
from benchmarks.progress import told
from benchmarks.proof import BUDGETS, NOTE, PROOF_COLUMNS, Proof, prove

_SIZES = (("local", 5), ("global", 5), ("local", 10), ("global", 10), ("local", 50))
_SEEDS = (0, 1, 2, 3, 4)
_FRACTION = 0.05
_LIMIT = 5.0
_PROOF_LIMIT = 120.0
_EXCESS = 0.002
_METHODS = ("local_search", "fix_tree")


def run() -> Outcome:
    """Compare both methods with the exact one's proven optimum on the paper's instances."""
    rows: list[tuple[object, ...]] = []
    excess: dict[tuple[str, str, int], list[float]] = {
        (method, kind, n_samples): [] for kind, n_samples in _SIZES for method in _METHODS
    }
    unproven = unsound = 0
    cases = [(kind, n_samples, seed) for kind, n_samples in _SIZES for seed in scope.some(_SEEDS)]
    for kind, n_samples, seed in told(cases, "local search against optima"):
        instance = paper(seed, n_samples, 4, BUDGETS[kind](fraction=_FRACTION))
        optimum = prove(instance, limit=_PROOF_LIMIT)
        unproven += not optimum.proven
        for method in _METHODS:
            proof = prove(instance, limit=_LIMIT, method=method)
            unsound += proof.bound > optimum.value * (1.0 + 1e-6)
            excess[method, kind, n_samples].append(proof.value / optimum.value - 1.0)
            rows.append(_row(method, kind, n_samples, seed, excess[method, kind, n_samples][-1], proof))
    return Outcome(
        "Local search: excess over proven optima",
        [
            Table(
                "summary",
                f"4 × 4, depth 2, λ = {_FRACTION}, {scope.seconds(_LIMIT):g} s each",
                ("set", "N", *(f"{name}, {figure} [%]" for name in _METHODS for figure in ("mean", "largest"))),
                [(*size, *_figures(excess, *size)) for size in _SIZES],
            ),
            Table(
                "runs",
                "All runs",
                ("method", "set", "N", "seed", "excess", "iterations", *PROOF_COLUMNS),
                rows,
                in_report=False,
            ),
        ],
        [
            *(_goal(excess, *size) for size in _SIZES),
            Goal("bounds above a known optimum", f"{unsound} of {len(rows)}", "none", unsound == 0),
        ],
        note=f"{NOTE} Optima that were not proven within {_PROOF_LIMIT:g} s: {unproven} of {len(cases)}.",
    )


def _row(method: str, kind: str, n_samples: int, seed: int, excess: float, proof: Proof) -> tuple[object, ...]:
    return method, kind, n_samples, seed, excess, proof.result.iterations, *proof.row


def _figures(excess: dict[tuple[str, str, int], list[float]], kind: str, n_samples: int) -> tuple[object, ...]:
    of_methods = [excess[method, kind, n_samples] for method in _METHODS]
    return tuple(100.0 * figure for shares in of_methods for figure in (statistics.mean(shares), max(shares)))


def _goal(excess: dict[tuple[str, str, int], list[float]], kind: str, n_samples: int) -> Goal:
    mean, of_fix_tree = (statistics.mean(excess[method, kind, n_samples]) for method in _METHODS)
    return Goal(
        f"{kind}, N = {n_samples}: mean excess",
        f"{mean:.3%} (fix_tree {of_fix_tree:.3%})",
        f"within {_EXCESS:.1%}, and not above fix_tree's",
        mean <= _EXCESS and mean <= of_fix_tree + 1e-9,
    )
