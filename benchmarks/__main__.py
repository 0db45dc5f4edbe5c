"""The command line: `python -m benchmarks [NAME …] [--quick] [--limit SECONDS] [--data FOLDER] [--out FOLDER]`."""

import argparse
import sys
from importlib import import_module
from pathlib import Path

from benchmarks import scope
from benchmarks.measure import use_one_core

BENCHMARKS = {
    "foundation": "benchmarks.foundation",
    "features": "benchmarks.features",
    "first_use": "benchmarks.first_use",
    "methods.excess": "benchmarks.methods.excess",
    "methods.structures": "benchmarks.methods.structures",
    "methods.refinement": "benchmarks.methods.refinement",
    "exact.experiment2": "benchmarks.exact.experiment2",
    "exact.experiment3": "benchmarks.exact.experiment3",
    "exact.local_sizes": "benchmarks.exact.local_sizes",
    "exact.global_sizes": "benchmarks.exact.global_sizes",
    "exact.anywhere": "benchmarks.exact.anywhere",
    "exact.real": "benchmarks.exact.real",
    "exact.implicit": "benchmarks.exact.implicit",
    "exact.depth1": "benchmarks.exact.depth1",
    "exact.grid": "benchmarks.exact.grid",
    "exact.streed": "benchmarks.exact.streed",
    "exact.depth3": "benchmarks.exact.depth3",
    "search.optima": "benchmarks.search.optima",
    "search.scaling": "benchmarks.search.scaling",
    "real.refits": "benchmarks.real.refits",
    "real.shares": "benchmarks.real.shares",
    "serve": "benchmarks.serve",
    "watch": "benchmarks.watch",
}
"""The table of benchmarks: a name, and the module whose `run()` returns an `Outcome`."""

_FILE_WIDTH = 150


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmarks that are named, or all; return 1 if a goal is missed."""
    parser = _parser()
    options = parser.parse_args(arguments)
    unknown = [name for name in options.names if not _named(name)]
    if unknown:
        parser.error(f"no benchmark is called {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
    use_one_core()
    scope.choose(quick=options.quick, limit=options.limit, data=options.data)

    from rich.console import Console

    from benchmarks import machine, report, summary

    console = Console(width=None if sys.stdout.isatty() else _FILE_WIDTH)
    console.print("\n".join(f"{heading}: {fact}" for heading, fact in machine.describe().items()), highlight=False)
    missed = False
    asked_for = [known for name in options.names or BENCHMARKS for known in _named(name)]
    for name in dict.fromkeys(asked_for):
        facts = machine.describe()
        if scope.in_words():
            facts["scope"] = scope.in_words()
        outcome = import_module(BENCHMARKS[name]).run()
        report.show(console, outcome)
        if not outcome.tables:
            continue  # skipped: what an earlier run found stays
        paths = report.write(options.out, name, outcome, facts)
        paths.append(summary.summarise(options.out, BENCHMARKS))
        console.print(f"written: {', '.join(path.name for path in paths)}", highlight=False)
        missed |= any(goal.met is False for goal in outcome.goals)
    return int(missed)


def _named(name: str) -> list[str]:
    """Return the benchmark of that name, or all of the group of that name."""
    return [known for known in BENCHMARKS if known == name or known.startswith(f"{name}.")]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure how fast Hedgerow is.")
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=f"among {', '.join(BENCHMARKS)}, or a whole group such as exact; all by default",
    )
    parser.add_argument("--quick", action="store_true", help="a quick look: few instances, 2 s for each run")
    parser.add_argument("--limit", type=float, metavar="SECONDS", help="most seconds for one run of a method")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="where measured data lies, if anywhere")
    parser.add_argument(
        "--out",
        type=Path,
        default=Path(__file__).parent / "results",
        metavar="FOLDER",
        help="where results are written",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
