"""`hedgerow experiment`: the paper's experiments, run, resumed and reported."""

__all__ = ["experiment"]

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hedgerow.checks import in_short
from hedgerow.cli.options import listed
from hedgerow.cli.output import note, notes_from_the_log, say, show_table
from hedgerow.errors import InputError
from hedgerow.run.progress import CountProgress

if TYPE_CHECKING:
    from hedgerow.experiments import ExperimentProgress, Outcome


def experiment(
    number: int,
    out: Path,
    scale: str = "smoke",
    family: str = "shortest-path",
    methods: str | None = None,
    seeds: str | None = None,
    heuristic_time_limit: float = 2.0,
    exact_time_limit: float = 60.0,
    grid: bool = False,
    retry_failed: bool = False,
    workers: int = 1,
    dask: str | None = None,
) -> None:
    """Run one of the paper's experiments: results, tables, figures and a report in DIR."""
    from hedgerow.experiments import Plan, run_experiment

    if dask is not None and workers != 1:
        raise InputError("--workers and --dask exclude each other; a Dask cluster has its own workers.")
    plan = Plan(
        scale=scale,
        family=family,
        heuristic_time_limit=heuristic_time_limit,
        exact_time_limit=exact_time_limit,
        methods=None if methods is None else tuple(filter(None, listed(methods, "--methods"))),
        seeds=_seeds(seeds),
        grid=grid,
    )
    line = CountProgress("cells")

    def progress(now: "ExperimentProgress") -> None:
        line(now.done, now.total, seconds_left=now.seconds_left, failed=now.failed)

    with notes_from_the_log(), line.shown():
        outcome = run_experiment(
            number, plan, out, workers=workers, dask=dask, retry_failed=retry_failed, monitor=progress
        )
    _tell(outcome)


def _tell(outcome: "Outcome") -> None:
    from hedgerow.experiments.findings import numeric_columns, shown_rows

    if outcome.findings is not None:
        for check in outcome.findings.checks:
            say(f"{check.statement}: {check.holds} of {check.of}")
        if outcome.findings.tables:
            headline = outcome.findings.tables[0]
            say(f"{headline.title}:")
            show_table(headline.header, shown_rows(headline), right=numeric_columns(headline))
    sys.stdout.flush()
    for cell, error in outcome.failed[:3]:
        note(f"failed: {cell.method} on instance {cell.seed_id} (λ = {cell.fraction:g}): {error}")
    if outcome.failed:
        note(f"{len(outcome.failed)} of {outcome.cells} cells failed; --retry-failed tries them again")
    note(f"{outcome.computed} of {outcome.cells} cells computed now; see {outcome.folder / 'report.md'}")


def _seeds(text: str | None) -> tuple[int, ...] | None:
    """Return the numbers in a list such as 0-4,7."""
    if text is None:
        return None
    ranges = [re.fullmatch(r"\s*(\d{1,4})\s*(?:-\s*(\d{1,4})\s*)?", part, re.ASCII) for part in text.split(",")]
    numbers = [number for ends in ranges if ends for number in range(int(ends[1]), int(ends[2] or ends[1]) + 1)]
    if not numbers or not all(ranges):
        raise InputError(f"--seeds must be whole numbers such as 0-4 or 0,3,7; got {in_short(text)}.")
    return tuple(numbers)
