"""Runs an experiment: computes the cells that are missing, writes each at once, and reports progress and results."""

__all__ = ["EXPERIMENTS", "ExperimentProgress", "Outcome", "Pace", "run_experiment"]

import os
import platform
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from joblib import Parallel, delayed

from experiments.comparison import COMPARISON
from experiments.correlation import CORRELATION
from experiments.experiment import Cell, Experiment, Frame, Row
from experiments.findings import Findings, write_findings
from experiments.generalisation import GENERALISATION
from experiments.plan import PROCEDURES, Plan
from experiments.results_file import ResultsFile, claim, one_line
from hedgerow import __version__
from hedgerow.errors import HedgerowError, InputError
from hedgerow.plot._style import house_style
from hedgerow.run.options import processes

EXPERIMENTS: Final[dict[int, Experiment]] = {1: CORRELATION, 2: COMPARISON, 3: GENERALISATION}

_TEXT: Final = ("family", "method", "trained_on", "status", "error")


_UNKNOWN = 1.0
"""Seconds assumed for a cell before anything is known about its method."""


@dataclass(frozen=True)
class ExperimentProgress:
    """Cells done (including earlier runs) and failed, and about how many seconds are left."""

    done: int
    total: int
    failed: int
    seconds_left: float


class Pace:
    """Counts finished cells and estimates the rest: cells of one method take about equally long.

    The number of cells computed at once is estimated from the seconds of work done per second. The plan's time limits
    are used for methods of which no cell is done yet.
    """

    def __init__(
        self,
        cells: Sequence[Cell],
        todo: Sequence[Cell],
        plan: Plan,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._left = Counter(cell.method for cell in todo)
        self._before = len(cells) - len(todo)
        self._total = len(cells)
        self._plan, self._clock, self._started = plan, clock, clock()
        self._seconds: dict[str, list[float]] = defaultdict(list)
        self._failed = 0

    def count(self, cell: Cell, seconds: float, *, failed: bool) -> None:
        """Count a finished cell."""
        self._left[cell.method] -= 1
        self._seconds[cell.method].append(seconds)
        self._failed += failed

    @property
    def progress(self) -> ExperimentProgress:
        """The current progress."""
        done = self._before + sum(map(len, self._seconds.values()))
        left = sum(count * self._expected(method) for method, count in self._left.items())
        worked, passed = sum(map(sum, self._seconds.values())), self._clock() - self._started
        at_once = worked / passed if worked > 0.0 and passed > 0.0 else 1.0
        return ExperimentProgress(done, self._total, self._failed, left / at_once)

    def _expected(self, method: str) -> float:
        seconds = self._seconds[method]
        if seconds:
            # The slowest is left out: the first cell of a process also loads or compiles kernels.
            return (sum(seconds) - max(seconds)) / (len(seconds) - 1) if len(seconds) > 1 else seconds[0]
        procedure = PROCEDURES.get(method)
        limit = None if procedure is None or procedure.ends_by_itself else self._plan.limits(procedure)[0]
        return _UNKNOWN if limit is None else limit


@dataclass(frozen=True)
class Outcome:
    """The outcome of a run.

    Attributes
    ----------
    folder
        Where the files are.
    cells, computed, failed
        How many cells the plan has, how many were computed now, and which of them failed, with their errors.
    findings
        Tables, figures and checks of all results in the folder; None where no cell succeeded.
    """

    folder: Path
    cells: int
    computed: int
    failed: Sequence[tuple[Cell, str]]
    findings: Findings | None


def run_experiment(
    number: int,
    plan: Plan,
    folder: str | Path,
    *,
    workers: int = 1,
    retry_failed: bool = False,
    monitor: Callable[[ExperimentProgress], object] | None = None,
) -> Outcome:
    """Run one of the paper's experiments, or resume it.

    Every finished cell is in `results.csv` at once. When all are done, tables, figures and `report.md` are written
    from all results in the folder, also those of earlier runs with other methods or instances.

    Parameters
    ----------
    number
        1 (do both sets agree), 2 (which method is best) or 3 (size and new data).
    plan
        How much is run.
    folder
        Where everything is written: a new or empty folder, or one of the same experiment.
    workers
        Processes at once; -1 for all processors.
    retry_failed
        Whether cells that failed before are tried again.
    monitor
        Called with the progress whenever a cell is done.

    Examples
    --------
    >>> import tempfile
    >>> from experiments import Plan, run_experiment
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     outcome = run_experiment(1, Plan("smoke", seeds=[0]), folder)
    >>> outcome.cells, outcome.computed, len(outcome.failed)
    (4, 4, 0)
    """
    if number not in EXPERIMENTS:
        raise InputError(f"the experiment must be one of {', '.join(map(str, EXPERIMENTS))}; got {number!r}.")
    experiment = EXPERIMENTS[number]
    if not experiment.compares_methods and (plan.methods is not None or plan.grid):
        raise InputError(f"experiment {number} draws random trees; methods and thresholds can't be chosen.")
    n_jobs = processes(workers, "workers")
    with house_style():
        pass  # figures come last: if they can't be drawn, fail before hours of work
    cells = experiment.cells(plan)
    with claim(Path(folder), number, plan) as claimed:
        file = ResultsFile(claimed / "results.csv", experiment.header)
        _keep_whole_cells(file, experiment, plan, retry_failed=retry_failed)
        known = {Cell.from_row(row) for row in file.rows()}
        todo = [cell for cell in cells if cell not in known]
        pace = Pace(cells, todo, plan)
        calls = (delayed(_computed)(number, plan, cell) for cell in todo)
        with closing(Parallel(n_jobs, batch_size=1, return_as="generator")(calls)) as answers:
            for cell, (lines, seconds) in zip(todo, answers, strict=True):
                file.append([{**asdict(cell), "draw": draw, **line} for draw, line in enumerate(lines)])
                pace.count(cell, seconds, failed="error" in lines[0])
                if monitor is not None:
                    monitor(pace.progress)
        rows = _in_order(file, experiment, plan)
        errors = [(Cell.from_row(row), row["error"]) for row in rows if row["error"]]
        results = _frame_of(rows)
        findings = experiment.findings(results, plan) if len(results) else None
        if findings is not None:
            facts = _facts_of(plan, len({Cell.from_row(row) for row in rows}), len(errors))
            write_findings(claimed, findings, experiment.title, facts)
    mine = set(cells)
    return Outcome(claimed, len(cells), len(todo), [failure for failure in errors if failure[0] in mine], findings)


def _computed(number: int, plan: Plan, cell: Cell) -> tuple[list[Row], float]:
    """Return the rows of a cell of an experiment, or one with an error, and the seconds that they took."""
    started = time.monotonic()
    try:
        return EXPERIMENTS[number].work(cell, plan), time.monotonic() - started
    except Exception as error:  # whatever it is, the other cells go on
        kind = "" if isinstance(error, HedgerowError) else f"{type(error).__name__}: "
        return [{"error": one_line(f"{kind}{error}") or "unknown"}], 0.0


def _keep_whole_cells(file: ResultsFile, experiment: Experiment, plan: Plan, *, retry_failed: bool) -> None:
    """Drop cells with missing rows, as a kill leaves them, and failed ones that are to be tried again."""
    rows = file.rows()
    lines = Counter(map(Cell.from_row, rows))
    failed = {Cell.from_row(row) for row in rows if row["error"]}
    whole = {cell for cell, count in lines.items() if count == experiment.n_rows(cell, plan)}
    keep = (whole - failed) if retry_failed else (whole | failed)
    if len(keep) < len(lines):
        file.replace([row for row in rows if Cell.from_row(row) in keep])


def _in_order(file: ResultsFile, experiment: Experiment, plan: Plan) -> list[dict[str, str]]:
    """Sort the rows, which come in any order, and return them."""
    place = {cell: number for number, cell in enumerate(experiment.cells(plan.whole()))}
    rows = sorted(
        file.rows(), key=lambda row: (place.get(Cell.from_row(row), len(place)), str(row["method"]), int(row["draw"]))
    )
    file.replace(rows)
    return rows


def _frame_of(rows: Sequence[dict[str, str]]) -> Frame:
    """Return the rows without errors as a DataFrame with numeric columns, except for names."""
    import pandas as pd

    frame = pd.DataFrame([row for row in rows if not row["error"]])
    numeric = frame.columns.difference(list(_TEXT))
    frame[numeric] = frame[numeric].apply(pd.to_numeric)
    return frame


def _facts_of(plan: Plan, n_cells: int, n_failed: int) -> list[str]:
    """Return facts about the run, one sentence each."""
    failed = f", of which {n_failed} failed (see the column `error` in results.csv)" if n_failed else ""
    facts = [f"Scale: {plan.scale}. Cells: {n_cells}{failed}."]
    if plan.size.iterations:
        facts.append("Heuristics stop after a number of iterations, so that their results can be repeated.")
    else:
        facts.append(
            f"Time limits: {plan.heuristic_time_limit:g} s for heuristics, {plan.exact_time_limit:g} s for exact "
            "methods; what heuristics find in this time depends on the machine."
        )
    versions = f"Hedgerow {__version__}, Python {platform.python_version()}"
    return [*facts, f"Written by {versions} on {platform.system()} {platform.machine()}, {os.cpu_count()} processors."]
