"""The foundation: worst cases under both budgets, their memory, and routing."""

import statistics
import subprocess
import sys
from functools import partial

import numpy as np

from benchmarks.measure import peak_megabytes, seconds
from benchmarks.outcome import Goal, Outcome, Table
from hedgerow import GlobalBudget, Instance, LocalBudget, Tree, worst_case
from hedgerow.adversary import move_costs
from hedgerow.problems import ShortestPath
from hedgerow.tree.question_kinds import best_for_each

SEEDS = range(5)
FRACTIONS = (0.001, 0.01, 0.05)
MIP_SECONDS = 120.0
LARGE_SEEDS = range(12)
LARGE_FRACTIONS = (0.001, 0.005, 0.01, 0.02, 0.05)
MEMORY_SIZES = (50_000, 100_000, 200_000)


def run() -> Outcome:
    """Measure everything in one go."""
    _warm_up()
    kernel_table, kernel_goals = _kernel_against_mip()
    global_table, global_goals = _large_global()
    local_table, local_goals = _large_local()
    memory_table, memory_goals = _memory()
    return Outcome(
        "Foundation",
        [kernel_table, global_table, local_table, memory_table],
        [*kernel_goals, *global_goals, *local_goals, *memory_goals],
        note="Times are CPU seconds on one core, compilation left out. Samples: three scenarios on a 4 × 4 grid with "
        "up to 25 % noise, as in the paper; trees: random splits with solutions that are best for some sample.",
    )


def _world(seed: int, n_samples: int, depth: int) -> tuple[Tree, ShortestPath, np.ndarray]:
    rng = np.random.default_rng(seed)
    problem = ShortestPath.grid(4)
    n_items = len(problem.item_names)
    midpoint, deviation = rng.uniform(10.0, 30.0, (3, n_items)), rng.uniform(0.0, 0.25, (3, n_items))
    scenario = rng.integers(0, 3, n_samples)
    noise = rng.uniform(-1.0, 1.0, (n_samples, n_items))
    costs = np.round(midpoint[scenario] * (1.0 + deviation[scenario] * noise), 5)
    items = rng.integers(0, n_items, 2**depth - 1)
    thresholds = costs[rng.integers(0, n_samples, items.size), items]
    solutions = best_for_each(problem, costs[rng.integers(0, n_samples, 2**depth)])
    return Tree.full(items, thresholds, solutions), problem, costs


def _warm_up() -> None:
    tree, problem, costs = _world(0, 10, 2)
    worst_case(tree, Instance.create(problem, costs, uncertainty=GlobalBudget(1.0)))


def _kernel_against_mip() -> tuple[Table, list[Goal]]:
    """Time the exact global worst case at N = 1,000 and K = 4 against the same MIP on HiGHS."""
    from benchmarks.adversary_model import solve_knapsack_mip
    from hedgerow.adversary.knapsack import solve_knapsack
    from hedgerow.errors import SolverError

    rows, ratios, agree = [], [], True
    for seed, fraction in ((seed, fraction) for seed in SEEDS for fraction in FRACTIONS):
        tree, problem, costs = _world(seed, 1_000, 2)
        instance = Instance.create(problem, costs, uncertainty=GlobalBudget(fraction=fraction), depth=2)
        loss, price = instance.losses(tree.solutions), move_costs(tree, costs, instance.uncertainty)
        assert isinstance(instance.uncertainty, GlobalBudget)
        budget = float(np.max(instance.uncertainty.budget))
        found = solve_knapsack(loss, price, budget)
        ours = seconds(partial(solve_knapsack, loss, price, budget))
        try:
            by_mip = partial(solve_knapsack_mip, loss, price, budget, time_limit=MIP_SECONDS)
            theirs = seconds(by_mip, repeats=1)
            value, proven = by_mip()[0], True
            agree &= found.exact and abs(value - found.value) <= 1e-6 * abs(value)
        except SolverError:  # out of time: the ratio is then larger still
            theirs, proven = MIP_SECONDS, False
        ratios.append(theirs / ours)
        rows.append((seed, fraction, 1e3 * ours, 1e3 * theirs, ratios[-1], found.exact, proven))
    table = Table(
        "kernel_against_mip",
        "Exact global worst case, N = 1,000, K = 4: our kernel and the same MIP on HiGHS",
        ("seed", "λ", "kernel [ms]", "HiGHS [ms]", "ratio", "kernel exact", "HiGHS proven"),
        rows,
    )
    least, median = min(ratios), statistics.median(ratios)
    return table, [
        Goal(
            "global worst case, N = 1,000, K = 4, against HiGHS",
            f"{least:,.0f}× at least, {median:,.0f}× in the median",
            "at least 100×",
            least >= 100.0,
        ),
        Goal("… both find the same optimum", "yes" if agree else "no", "always", agree),
    ]


def _large_global() -> tuple[Table, list[Goal]]:
    """Time whole global worst cases on 100,000 samples, over so many cases that a rare hard one is among them."""
    rows: list[tuple[object, ...]] = []
    slowest, n_unproven, n_cases = 0.0, 0, 0
    for fraction in LARGE_FRACTIONS:
        times, gaps = [], []
        for seed in LARGE_SEEDS:
            tree, problem, costs = _world(seed, 100_000, 2)
            instance = Instance.create(problem, costs, uncertainty=GlobalBudget(fraction=fraction), depth=2)
            attack = worst_case(tree, instance)
            gaps.append(abs(attack.bound - attack.value) / abs(attack.value) if not attack.exact else 0.0)
            times.append(seconds(partial(worst_case, tree, instance), repeats=1))
        unproven = sum(gap > 0.0 for gap in gaps)
        rows.append((fraction, len(times), statistics.median(times), max(times), unproven, max(gaps)))
        slowest, n_unproven, n_cases = max(slowest, *times), n_unproven + unproven, n_cases + len(times)
    table = Table(
        "large_global",
        "Global worst case, N = 100,000, K = 4, from tree and samples to attack",
        ("λ", "cases", "median [s]", "slowest [s]", "unproven", "largest relative gap"),
        rows,
    )
    return table, [
        Goal("global worst case, N = 100,000, K = 4", f"{slowest:.2f} s at most", "below 5 s", slowest < 5.0),
        Goal("… proven to be the worst", f"{n_cases - n_unproven} of {n_cases}", "always", not n_unproven),
    ]


def _large_local() -> tuple[Table, list[Goal]]:
    """Time local worst cases and routing on a million samples."""
    rows, spent = [], {}
    for depth in (2, 4):
        tree, problem, costs = _world(1, 1_000_000, depth)
        instance = Instance.create(problem, costs, uncertainty=LocalBudget(fraction=0.05), depth=depth)
        attacked = seconds(partial(worst_case, tree, instance))
        routed = seconds(partial(tree.predict, costs))
        spent[depth] = (attacked, routed)
        rows.append((depth, tree.n_leaves, attacked, routed))
    table = Table(
        "large_local",
        "Local worst case and predict, N = 1,000,000",
        ("depth", "K", "local worst case [s]", "predict [s]"),
        rows,
    )
    return table, [
        Goal("local worst case, N = 1,000,000, K = 4", f"{spent[2][0]:.2f} s", "below 1 s", spent[2][0] < 1.0),
        Goal("predict, 1,000,000 rows, depth 4", f"{spent[4][1]:.2f} s"),
    ]


def _memory() -> tuple[Table, list[Goal]]:
    """Measure the peak memory of a global worst case, in a process of its own for each size."""
    rows = []
    for n_samples in MEMORY_SIZES:
        command = [sys.executable, "-c", f"from benchmarks.foundation import tell_memory; tell_memory({n_samples})"]
        peak = float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        rows.append((n_samples, 4, peak, peak * 2**20 / (4 * n_samples)))
    table = Table(
        "memory", "Memory of a global worst case, beyond the samples", ("N", "K", "peak [MB]", "bytes per N·K"), rows
    )
    first, last = rows[0][-1], rows[-1][-1]
    return table, [
        Goal(
            "memory of a global worst case from N = 50,000 to 200,000",
            f"{first:.0f} → {last:.0f} bytes per N·K",
            "linear in N·K",
            last <= 1.25 * first,
        )
    ]


def tell_memory(n_samples: int) -> None:
    """Print the peak memory of one global worst case; run in a process of its own."""
    _warm_up()
    tree, problem, costs = _world(0, n_samples, 2)
    instance = Instance.create(problem, costs, uncertainty=GlobalBudget(fraction=0.01), depth=2)
    print(peak_megabytes(lambda: worst_case(tree, instance)))
