"""The command line: `python -m benchmarks [NAME …] [--out FOLDER]`."""

import argparse
import sys
from importlib import import_module
from pathlib import Path

from benchmarks.measure import use_one_core

BENCHMARKS = {
    "foundation": "benchmarks.foundation",
}
"""The table of benchmarks: a name, and the module whose `run()` returns an `Outcome`."""


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmarks that are named, or all; return 1 if a goal is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure how fast Hedgerow is.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"among {', '.join(BENCHMARKS)}; all by default")
    parser.add_argument(
        "--out",
        type=Path,
        default=Path(__file__).parent / "results",
        metavar="FOLDER",
        help="where results are written",
    )
    options = parser.parse_args(arguments)
    unknown = [name for name in options.names if name not in BENCHMARKS]
    if unknown:
        parser.error(f"no benchmark is called {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
    use_one_core()

    from rich.console import Console

    from benchmarks import machine, report

    console = Console()
    facts = machine.describe()
    console.print("\n".join(f"{heading}: {fact}" for heading, fact in facts.items()), highlight=False)
    missed = False
    for name in options.names or BENCHMARKS:
        outcome = import_module(BENCHMARKS[name]).run()
        report.show(console, outcome)
        paths = report.write(options.out, name, outcome, facts)
        console.print(f"written: {', '.join(path.name for path in paths)}", highlight=False)
        missed |= any(goal.met is False for goal in outcome.goals)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
