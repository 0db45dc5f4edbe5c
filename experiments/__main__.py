"""`python -m experiments 2 --scale smoke --out DIR`: one of the paper's experiments, run, resumed and reported."""

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.progress import Progress, TimeElapsedColumn

from experiments import SCALES, ExperimentProgress, Outcome, Plan, run_experiment
from experiments.findings import markdown
from experiments.plan import FAMILIES
from hedgerow.data.checks import in_short
from hedgerow.errors import HedgerowError, InputError


def main(words: Sequence[str] | None = None) -> int:
    """Run the experiment that the words of a command describe, and return the exit status."""
    try:
        given = _parser().parse_args(words)
        plan = Plan(
            scale=given.scale,
            family=given.family,
            heuristic_time_limit=given.heuristic_time_limit,
            exact_time_limit=given.exact_time_limit,
            methods=None if given.methods is None else tuple(filter(None, given.methods.split(","))),
            seeds=_seeds(given.seeds),
            grid=given.grid,
        )
        with Progress(*Progress.get_default_columns(), TimeElapsedColumn(), transient=True) as bar:
            cells = bar.add_task("cells", total=None)

            def advance(now: ExperimentProgress) -> None:
                bar.update(cells, completed=now.done, total=now.total)

            outcome = run_experiment(
                given.number, plan, given.out, workers=given.workers, retry_failed=given.retry_failed, monitor=advance
            )
    except (HedgerowError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    _print(outcome)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m experiments", description=__doc__)
    parser.add_argument("number", type=int, metavar="1|2|3", help="1 correlation, 2 methods, 3 size and new data")
    parser.add_argument("--out", type=Path, required=True, help="a new folder, or that of a run to go on with")
    parser.add_argument("--scale", default="smoke", help=f"{' or '.join(SCALES)}: a minute, or all of the paper")
    parser.add_argument("--family", default="shortest-path", help=" or ".join(FAMILIES))
    parser.add_argument("--methods", help="only these, separated by commas")
    parser.add_argument("--seeds", help="only these instances: 0-4 or 0,3,7")
    parser.add_argument("--heuristic-time-limit", type=float, default=2.0, help="seconds for each run")
    parser.add_argument("--exact-time-limit", type=float, default=60.0, help="seconds for each run with a proof")
    parser.add_argument("--grid", action="store_true", help="also prove the optimum over the grid of thresholds")
    parser.add_argument("--retry-failed", action="store_true", help="try cells again that failed in an earlier run")
    parser.add_argument("--workers", type=int, default=1, help="processes at once; -1 for all processors")
    return parser


def _print(outcome: Outcome) -> None:
    if outcome.findings is not None:
        for check in outcome.findings.checks:
            print(f"{check.statement}: {check.holds} of {check.of}")
        for table in outcome.findings.tables[:1]:
            print(f"\n{table.title}\n\n{markdown(table)}")
    sys.stdout.flush()
    for cell, error in outcome.failed[:3]:
        print(f"failed: {cell.method} on instance {cell.seed_id} (λ = {cell.fraction:g}): {error}", file=sys.stderr)
    if outcome.failed:
        print(
            f"{len(outcome.failed)} of {outcome.cells} cells failed; --retry-failed tries them again", file=sys.stderr
        )
    report = outcome.folder / "report.md"
    print(f"{outcome.computed} of {outcome.cells} cells computed now; see {report}", file=sys.stderr)


def _seeds(text: str | None) -> tuple[int, ...] | None:
    """Return the numbers in a list such as 0-4,7."""
    if text is None:
        return None
    ranges = [re.fullmatch(r"\s*(\d{1,4})\s*(?:-\s*(\d{1,4})\s*)?", part, re.ASCII) for part in text.split(",")]
    numbers = [number for ends in ranges if ends for number in range(int(ends[1]), int(ends[2] or ends[1]) + 1)]
    if not numbers or not all(ranges):
        raise InputError(f"--seeds must be whole numbers such as 0-4 or 0,3,7; got {in_short(text)}.")
    return tuple(numbers)


if __name__ == "__main__":
    sys.exit(main())
