"""The command line: `python -m benchmarks.golden record|compare [--part NAMES] [--against FOLDER]`."""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from benchmarks.golden.cases import Case, Run, all_cases, read, write
from benchmarks.measure import use_one_core
from benchmarks.outcome import Goal, Outcome, Table
from benchmarks.progress import told

_SLOWER, _SECONDS = 1.25, 0.05
_WIDER, _GAP = 1.25, 0.001
_REPEATS = 2
_ROOT = Path(__file__).parents[2]
_HEADER = (
    "Golden runs, written by `python -m benchmarks.golden record`; edit nothing here.",
    "seconds: CPU time on one core, kernels loaded, taken on a machine that others used as well; the lower of two runs",
    "where a run takes less than 5 s. Limits count CPU time. Compare times side by side (`compare --against FOLDER`).",
    "global, N = 50: the gap after 30 s, not after the 120 s that other benchmarks allow.",
    "commit: the last change of the package before the run. nominal_min_samples_leaf is younger than the rest, since",
    "proofs of such trees were unsound before; a comparison with an earlier checkout calls the sound ones slower.",
)


class Comparison(NamedTuple):
    """A case with the run to compare with, the stored run, and that of the present checkout."""

    case: Case
    before: Run
    stored: Run
    now: Run

    def complaints(self) -> list[str]:
        """Return what got worse, in a few words each."""
        before, now = self.before, self.now
        checks = {
            "contradicts": now.contradicts(self.stored),
            "not proven": before.proven and not now.proven,
            "slower": self.slower,
            "wider gap": not before.proven and now.gap > _WIDER * before.gap + _GAP,
        }
        return [words for words, true in checks.items() if true]

    @property
    def slower(self) -> bool:
        """Whether it takes more than a quarter longer."""
        return self.ratio > _SLOWER

    @property
    def ratio(self) -> float:
        """How many times longer it takes, a small allowance left out."""
        return max(self.now.seconds - _SECONDS, 0.0) / max(self.before.seconds, 1e-9)

    @property
    def difference(self) -> float:
        """By how much the objectives differ, relative to the one before."""
        return abs(self.now.objective - self.before.objective) / max(abs(self.before.objective), 1e-9)


def main(arguments: list[str] | None = None) -> int:
    """Record the file, or compare with it; return 1 if anything got worse."""
    options = _parser().parse_args(arguments)
    use_one_core()
    from benchmarks.golden.running import measured

    if options.command == "answer":
        for line in sys.stdin:
            print(json.dumps(measured(Case(*json.loads(line)))), flush=True)
        return 0
    if options.command == "record":
        _record(measured, options.part)
        return 0
    with _runner(options.against) as before:
        comparisons = list(_compared(before, measured, options.part))
    from rich.console import Console

    from benchmarks import report

    report.show(Console(width=None if sys.stdout.isatty() else 150), _outcome(comparisons))
    return int(any(comparison.complaints() for comparison in comparisons))


def _parser() -> argparse.ArgumentParser:
    parts = list(dict.fromkeys(case.part for case in all_cases()))
    parser = argparse.ArgumentParser(prog="python -m benchmarks.golden", description="Compare with stored runs.")
    parser.add_argument(
        "command", choices=("record", "compare", "answer"), help="answer: run cases from standard input"
    )
    parser.add_argument("--part", type=lambda text: text.split(","), default=parts, help=f"among {', '.join(parts)}")
    parser.add_argument("--against", type=Path, metavar="FOLDER", help="another checkout, to be timed side by side")
    return parser


def _record(measured: Callable[[Case], Run], parts: list[str]) -> None:
    """Run the cases of some parts, and write them beside the others that are stored."""
    import hedgerow
    from benchmarks import machine

    folder = str(Path(hedgerow.__file__).parent)
    last_change = ("git", "-C", folder, "log", "-1", "--format=%h", "--", folder)
    commit = subprocess.run(last_change, capture_output=True, text=True, check=True).stdout.strip()
    try:
        runs = read()
    except FileNotFoundError:
        runs = {}
    for case in told([case for case in all_cases() if case.part in parts], "golden runs"):
        runs[case] = measured(case), commit
    facts = (f"{heading}: {fact}" for heading, fact in machine.describe().items())
    write({case: runs[case] for case in all_cases() if case in runs}, (*_HEADER, *facts))


@contextmanager
def _runner(folder: Path | None) -> Iterator[Callable[[Case], Run] | None]:
    """Yield what runs a case in another checkout, in a process that stays; None without one."""
    if folder is None:
        yield None
        return
    command = [sys.executable, "-m", "benchmarks.golden", "answer"]
    environment = {**os.environ, "PYTHONPATH": str((folder / "src").resolve())}
    with subprocess.Popen(
        command, cwd=_ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield partial(_answer, process)
        process.communicate()


def _answer(process: "subprocess.Popen[str]", case: Case) -> Run:
    assert process.stdin is not None
    assert process.stdout is not None
    print(json.dumps(case), file=process.stdin, flush=True)
    return Run(*json.loads(process.stdout.readline()))


def _compared(
    other: Callable[[Case], Run] | None, measured: Callable[[Case], Run], parts: list[str]
) -> Iterator[Comparison]:
    """Yield the comparisons; what seems slower is measured again, since machines vary, and the shortest times count."""
    for case, (stored, _) in told([row for row in read().items() if row[0].part in parts], "golden runs"):
        before, now = other(case) if other else stored, measured(case)
        if before.contradicts(stored):
            before = stored  # the other checkout is wrong, and no measure
        comparison = Comparison(case, before, stored, now)
        for _ in range(_REPEATS):
            if comparison.slower:
                before = _quicker(before, other(case)) if other else stored
                comparison = Comparison(case, before, stored, _quicker(comparison.now, measured(case)))
        yield comparison


def _quicker(one: Run, other: Run) -> Run:
    return min(one, other, key=lambda run: run.seconds)


def _outcome(comparisons: list[Comparison]) -> Outcome:
    parts = dict.fromkeys(comparison.case.part for comparison in comparisons)
    flagged = [comparison for comparison in comparisons if comparison.complaints()]
    by_part = Table(
        "parts",
        "By part",
        (
            "part",
            "rows",
            "proven",
            "now",
            "largest difference",
            "gap",
            "now",
            "CPU [s]",
            "now",
            "worst ratio",
            "flagged",
        ),
        [_row(part, [each for each in comparisons if each.case.part == part]) for part in parts],
    )
    worse = Table(
        "worse",
        "What got worse",
        ("case", "what", "objective", "now", "gap", "now", "CPU [s]", "now"),
        [_flagged_row(comparison) for comparison in flagged],
    )
    return Outcome(
        "Golden runs",
        [by_part, worse],
        [Goal("rows that got worse", f"{len(flagged)} of {len(comparisons)}", "none", not flagged)],
        note=f"Slower: more than {_SLOWER} times the CPU time plus {_SECONDS} s, in the best of {_REPEATS + 1} runs.",
    )


def _flagged_row(comparison: Comparison) -> tuple[object, ...]:
    before, now = comparison.before, comparison.now
    figures = (before.objective, now.objective, before.gap, now.gap, before.seconds, now.seconds)
    return str(comparison.case), ", ".join(comparison.complaints()), *figures


def _row(part: str, comparisons: list[Comparison]) -> tuple[object, ...]:
    before, now = [each.before for each in comparisons], [each.now for each in comparisons]
    return (
        part,
        len(comparisons),
        sum(run.proven for run in before),
        sum(run.proven for run in now),
        max(each.difference for each in comparisons),
        max(run.gap for run in before),
        max(run.gap for run in now),
        sum(run.seconds for run in before),
        sum(run.seconds for run in now),
        max(each.ratio for each in comparisons),
        sum(bool(each.complaints()) for each in comparisons),
    )


if __name__ == "__main__":
    sys.exit(main())
