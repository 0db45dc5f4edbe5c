"""The cases of the golden file, and the file itself."""

import csv
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

FILE = Path(__file__).with_name("runs.csv")

_FRACTIONS = tuple(number / 100 for number in (*range(11), *range(12, 21, 2)))
_SMALL_FRACTIONS = (0.001, 0.005, 0.01, 0.02, 0.05)
_PAPER_SIZES = ((4, 3), (4, 5), (4, 7), (4, 10), (3, 5), (5, 5), (6, 5))
_PAPER_SEEDS = range(20)
_SEEDS = (0, 5, 9, 13, 17)
"""Easy and hard instances."""

_SAME = 1e-6
_LOCAL, _GLOBAL, _BOTH, _NOMINAL = ("local",), ("global",), ("local", "global"), ("nominal",)


class Case(NamedTuple):
    """One run: an instance by the paper's recipe, and what is done with it.

    Attributes
    ----------
    part
        The group that the run belongs to.
    budget, fraction
        The uncertainty set and its λ.
    grid, n_samples, seed
        Size and number of the instance.
    depth, thresholds, min_samples_leaf
        Which trees are allowed.
    method
        A method's name; "worst_case" for a random tree that is attacked, "alternatives" for the number of good trees.
    limit
        CPU seconds.
    """

    part: str
    budget: str
    fraction: float
    grid: int
    n_samples: int
    seed: int
    depth: int = 2
    thresholds: str = "midpoints"
    min_samples_leaf: int = 0
    method: str = "exact"
    limit: float = 60.0

    def __str__(self) -> str:
        leaf = f", min_samples_leaf {self.min_samples_leaf}" if self.min_samples_leaf else ""
        return (
            f"{self.part}: {self.method}, {self.budget}, λ = {self.fraction}, {self.grid}×{self.grid}, "
            f"N = {self.n_samples}, seed {self.seed}, depth {self.depth}, {self.thresholds}{leaf}"
        )


class Run(NamedTuple):
    """What came of a case.

    Attributes
    ----------
    objective
        The worst case of the tree; for alternatives the number of good trees.
    bound
        The other end of what is proven: equal to the objective if the status is "optimal".
    status
        As in `hedgerow.run.Result`; "optimal" for worst cases that are exact and lists that are complete.
    seconds
        CPU time.
    """

    objective: float
    bound: float
    status: str
    seconds: float

    @property
    def proven(self) -> bool:
        """Whether the objective is proven."""
        return self.status == "optimal"

    @property
    def gap(self) -> float:
        """The relative distance between objective and bound."""
        return abs(self.objective - self.bound) / max(abs(self.objective), 1e-9)

    def contradicts(self, other: "Run") -> bool:
        """Return whether two runs of a case can't both be right: what they leave open must overlap."""
        (low, high), (other_low, other_high) = (sorted((run.objective, run.bound)) for run in (self, other))
        tolerance = _SAME * abs(other.objective)
        return low > other_high + tolerance or other_low > high + tolerance


COLUMNS = (*Case._fields, *Run._fields, "commit")


def all_cases() -> list[Case]:
    """Return all cases, part by part."""
    leaf_sizes = [(4, 20), (4, 40)]
    return [
        *_cases("experiment2", _BOTH, [(4, 5)], _PAPER_SEEDS, _FRACTIONS),
        *_cases("experiment3", _BOTH, _PAPER_SIZES, _PAPER_SEEDS),
        *_cases("depth1", _BOTH, [(4, 200)], (0, 1, 2), depth=1),
        *_cases("local", _LOCAL, [(4, 50), (4, 100), (4, 200), (6, 50)]),
        *_cases("global", _GLOBAL, [(6, 10)]),
        *_cases("global", _GLOBAL, [(4, 20)], limit=10.0),
        *_cases("global", _GLOBAL, [(4, 50)], (0, 5, 17), limit=30.0),
        *_cases("continuous", _BOTH, [(4, 5)], _SEEDS, _FRACTIONS, thresholds="continuous"),
        *_cases("continuous", _LOCAL, [(4, 10), (4, 20), (4, 50)], thresholds="continuous"),
        *_cases("continuous", _GLOBAL, [(4, 10)], thresholds="continuous"),
        *_cases("grid", _BOTH, [(4, 5)], range(3), (0.05, 0.1), thresholds="grid"),
        *_cases("depth3", _LOCAL, [(4, 5), (4, 12), (4, 20)], depth=3),
        *_cases("depth3", _GLOBAL, [(4, 5)], (0, 5), depth=3, limit=15.0),
        *_cases("nominal", _NOMINAL, [(4, 60), (4, 120), (4, 250)], fractions=(0.0,)),
        *_cases("nominal", _NOMINAL, [(4, 60)], fractions=(0.0,), depth=3),
        *_cases("min_samples_leaf", _LOCAL, leaf_sizes, _SEEDS, (0.0, 0.05), min_samples_leaf=3),
        *_cases("min_samples_leaf", _LOCAL, [(4, 8)], fractions=(0.0,), depth=3, min_samples_leaf=2, limit=10.0),
        *_cases("min_samples_leaf", _GLOBAL, [(4, 7)], min_samples_leaf=2),
        *_cases("nominal_min_samples_leaf", _NOMINAL, leaf_sizes, fractions=(0.0,), min_samples_leaf=3),
        *_cases(
            "nominal_min_samples_leaf", _NOMINAL, [(4, 8)], fractions=(0.0,), depth=3, min_samples_leaf=2, limit=10.0
        ),
        *_cases("worst_case", _LOCAL, [(4, 100_000)], range(3), (0.001, 0.05), method="worst_case"),
        *_cases("worst_case", _GLOBAL, [(4, 100_000)], range(12), _SMALL_FRACTIONS, method="worst_case"),
        *_cases("alternatives", _LOCAL, [(4, 5), (4, 10)], _SEEDS, (0.01, 0.05), method="alternatives"),
        *_cases("alternatives", _GLOBAL, [(4, 5)], _SEEDS[:3], (0.01, 0.05), method="alternatives"),
        *_cases("local_search", _BOTH, [(4, 20), (4, 200)], method="local_search"),
    ]


def _cases(
    part: str,
    budgets: Iterable[str],
    sizes: Iterable[tuple[int, int]],
    seeds: Iterable[int] = _SEEDS,
    fractions: Iterable[float] = (0.05,),
    **others: Any,
) -> Iterator[Case]:
    for budget, (grid, n_samples), seed, fraction in product(budgets, sizes, seeds, fractions):
        yield Case(part, budget, fraction, grid, n_samples, seed, **others)


def read(path: Path = FILE) -> dict[Case, tuple[Run, str]]:
    """Return the runs of a golden file, each with the commit that it was recorded at."""
    with path.open(encoding="utf-8", newline="") as stream:
        rows = csv.DictReader(line for line in stream if not line.startswith("#"))
        return {_parsed(Case, row): (_parsed(Run, row), row["commit"]) for row in rows}


def _parsed(kind: Any, row: Mapping[str, str]) -> Any:
    return kind(**{name: convert(row[name]) for name, convert in kind.__annotations__.items()})


def write(runs: Mapping[Case, tuple[Run, str]], header: Iterable[str], path: Path = FILE) -> None:
    """Write a golden file; the lines of the header come first, as comments."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        stream.writelines(f"# {line}\n" for line in header)
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(
            (*case, *run._replace(seconds=round(run.seconds, 4)), commit) for case, (run, commit) in runs.items()
        )
