"""The first use on a new machine: from the command to the tree, with an empty cache, on one core."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.outcome import Goal, Outcome, Table

_HEDGEROW = (sys.executable, "-m", "hedgerow")
_FIT = (*_HEDGEROW, "fit", "grid:4", "costs.csv", "--time-limit", "20", "-o", "tree.json")

_FIT_MANY = (*_HEDGEROW, "fit", "grid:4", "many.csv", "--time-limit", "20", "-o", "tree.json")

_METHODS = """
from hedgerow.methods.warm_up import warm_up_steps
for name, step in warm_up_steps().items():
    if "plans" not in name:
        step()
"""

_STEPS = {
    "demo": (*_HEDGEROW, "demo"),
    "exact, local budget": (*_FIT, "--local", "0.05", "--method", "exact"),
    "exact, global budget": (*_FIT, "--global", "0.05", "--method", "exact"),
    "exact, local budget, 30 samples": (*_FIT_MANY, "--local", "0.05", "--method", "exact"),
    "local_search": (*_FIT, "--local", "0.05", "--method", "local_search", "--iteration-limit", "20"),
    "fix_tree": (*_FIT, "--local", "0.05", "--method", "fix_tree", "--iteration-limit", "1000"),
    "evaluate --global": (*_HEDGEROW, "evaluate", "known.json", "many.csv", "--global", "0.05"),
    "all methods in a row": (sys.executable, "-c", _METHODS),
    "hedgerow warm-up, with questions about plans": (*_HEDGEROW, "warm-up"),
}
"""Each with a cache of its own that is empty."""

_AGAIN = {
    "import hedgerow": (sys.executable, "-c", "import hedgerow"),
    "hedgerow --help": (*_HEDGEROW, "--help"),
}
"""As a second start."""

_GOALS = {
    "demo": 8.0,
    "exact, local budget": 6.0,
    "exact, global budget": 18.0,
    "all methods in a row": 50.0,
    "import hedgerow": 0.3,
    "hedgerow --help": 0.5,
}


def run() -> Outcome:
    """Run each command in a process of its own."""
    measured: dict[str, tuple[float, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        _prepare(place)
        for name, command in _STEPS.items():
            with tempfile.TemporaryDirectory() as cache:
                measured[name] = _measured(command, place, cache)
        for name, command in _AGAIN.items():
            measured[name] = min(_measured(command, place, str(place / "warm")) for _ in range(3))
    rows = [(name, cpu, wall, _GOALS.get(name, "")) for name, (cpu, wall) in measured.items()]
    return Outcome(
        "First use",
        [
            Table(
                "times",
                "From the command to the end, with an empty cache",
                ("what", "CPU [s]", "wall [s]", "goal [s]"),
                rows,
            )
        ],
        [
            Goal(name, f"{measured[name][0]:.1f} s", f"at most {goal:g} s", measured[name][0] <= goal)
            for name, goal in _GOALS.items()
        ],
        note="CPU time is what goals are compared with; others may have used the machine as well.",
    )


def _prepare(place: Path) -> None:
    for name, n_samples in (("costs.csv", "5"), ("many.csv", "30")):
        _measured(
            (*_HEDGEROW, "generate", "shortest-path", "--samples", n_samples, "-o", name), place, str(place / "warm")
        )
    known = (*_FIT[:-1], "known.json", "--local", "0.05", "--method", "greedy")
    _measured(known, place, str(place / "warm"))


def _measured(command: tuple[str, ...], place: Path, cache: str) -> tuple[float, float]:
    """Return the CPU and wall-clock seconds of a command."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    cpu, wall = os.times(), time.perf_counter()
    subprocess.run(command, cwd=place, env=environment, check=True, capture_output=True)
    after = os.times()
    spent = after.children_user - cpu.children_user + after.children_system - cpu.children_system
    return spent, time.perf_counter() - wall
