"""Feasible sets that are not listed: a large grid, and a selection with 847 million choices."""

from benchmarks import scope
from benchmarks.instances import OraclePath, OracleSelection, UnlistedPath, recipe_costs
from benchmarks.outcome import Goal, Outcome, Table
from benchmarks.progress import tell, told
from benchmarks.proof import BUDGETS, NOTE, PROOF_COLUMNS, prove, proven_within
from hedgerow import Instance

_FRACTION = 0.05
_GOAL = 120.0
_LIMIT = 240.0
_N_SAMPLES = 5


def run() -> Outcome:
    """Prove trees over sets of solutions that are known by an oracle and a MIP only."""
    problems = {
        "10×10 grid, good paths listed": (UnlistedPath.grid(10), True),
        "selection of 10 out of 40": (OracleSelection(40, 10), True),
        "10×10 grid, no path listed": (OraclePath.grid(10), False),
    }
    rows, goals = [], []
    runs = [(name, kind) for name in problems for kind in BUDGETS]
    for name, kind in told(scope.some(runs, 4), "implicit X"):
        problem, asked_for = problems[name]
        costs = recipe_costs(0, _N_SAMPLES, problem.n_items)
        instance = Instance.create(problem, costs, uncertainty=BUDGETS[kind](fraction=_FRACTION))
        proof = prove(instance, limit=_LIMIT)
        tell(f"{name}, {kind}: {proof.in_words()}")
        rows.append((name, kind, *proof.row))
        what = f"{name}, {kind}, N = {_N_SAMPLES}"
        goals.append(proven_within(what, proof, _GOAL) if asked_for else Goal(what, proof.in_words()))
    table = Table("runs", f"Implicit X, N = 5, λ = {_FRACTION}, seed 0", ("problem", "set", *PROOF_COLUMNS), rows)
    note = (
        "Costs by the paper's recipe, with as many items as it takes. The grid has 48,620 paths, which the benchmark "
        "keeps the engine from listing: once it may list the good ones, once it has the oracle and the MIP alone."
    )
    return Outcome("Exact, implicit feasible sets", [table], goals, note=f"{note} {NOTE}")
