"""What commands read: a problem with its rows from data files, and rule books with what they ask about."""

__all__ = ["Data", "Rows", "problem_named", "read_rules", "shown_in", "unused_columns", "weights_in"]

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from hedgerow.cli.output import note_later
from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import in_short, list_some
from hedgerow.data.columns import CATEGORY_ADVICE, NO_NAMES
from hedgerow.data.files import read_table
from hedgerow.data.table import Table
from hedgerow.errors import FileFormatError, InputError
from hedgerow.instance import Instance
from hedgerow.problem import Problem, named_after
from hedgerow.rules import RuleBook

_ALLOWED = (
    "grid:4 (paths on a 4 × 4 grid), selection:40:10 (10 of 40 items), a problem file that ends in .toml, "
    "or a model file that ends in .mps or .lp, perhaps with .gz"
)
_FILES = (".toml", ".mps", ".lp", ".mps.gz", ".lp.gz")

# -- a problem and its rows ----------------------------------------------------------------------------------------


class Rows(NamedTuple):
    """The problem, and what was true, observed and read, row by row."""

    problem: Problem
    costs: Table
    context: Table | None
    readings: Table | None
    weights: FloatArray | None

    @property
    def read(self) -> dict[str, Any]:
        """What was observed and read, and how much rows count, as studies take it."""
        return {"context": self.context, "readings": self.readings, "sample_weight": self.weights}

    def instance(self, **options: Any) -> Instance:
        """Return the instance of these rows; options as for `Instance.create`."""
        return Instance.create(**self._asdict(), **options)


@dataclass(frozen=True)
class Data:
    """The problem and the files of its rows, as options."""

    problem: str
    costs: Path
    context: Path | None = None
    features: str | None = None
    weights: str | None = None

    def read(self, readings: Path | None = None) -> Rows:
        """Read all files, with columns matched by name and rows by what tells them apart."""
        table = read_table(self.costs)
        chosen = _items_among(problem_named(self.problem), table, self.weights)
        note_later(unused_columns(table, chosen.item_names, self.weights))
        context = self._context(table)
        read = None
        if readings is not None:
            read = read_table(readings)
            note_later(unused_columns(read, chosen.item_names if context is None else context.columns))
            read.check_beside(table)
        return Rows(chosen, table, context, read, weights_in(table, self.weights))

    def _context(self, costs: Table) -> Table | None:
        """Return the columns of context that a tree may ask about, or None where it asks about the costs."""
        path, features = self.context, self.features
        if path is None:
            if features is not None:
                raise InputError("--features needs --context; without it the tree asks about the costs.")
            return None
        table = read_table(path)
        numeric = table.number_columns()
        names = numeric if features is None else [name.strip() for name in features.split(",")]
        if not names:
            raise InputError(f"{path} has no column of numbers that a tree could ask about.")
        no_numbers = set(table.columns) - set(numeric)
        without_order = [name for name in names if name in no_numbers]
        if without_order:
            raise InputError(f"{path}: these columns hold no numbers: {list_some(without_order)}. {CATEGORY_ADVICE}")
        note_later(f"observing {list_some(names)}")
        note_later(unused_columns(table, names))
        table.check_beside(costs)
        return table.only(names, "context")


def problem_named(text: str) -> Problem:
    """Return the problem that a word of the command line stands for.

    >>> problem_named("grid:4"), problem_named("selection:40:10")
    (ShortestPath.grid(4), Selection(40, 10))
    """
    from hedgerow.problems import Selection, ShortestPath, read_problem

    kind, _, rest = text.partition(":")
    if kind == "grid":
        return ShortestPath.grid(*_whole_numbers(text, rest, "grid:4"))
    if kind == "selection":
        return Selection(*_whole_numbers(text, rest, "selection:40:10"))
    if text.lower().endswith(_FILES):
        return read_problem(Path(text))
    raise InputError(f"PROBLEM must be {_ALLOWED}; got {in_short(text)}.")


def _whole_numbers(text: str, rest: str, example: str) -> list[int]:
    parts = rest.split(":")
    if len(parts) != example.count(":") or not all(
        part.isascii() and part.isdigit() and len(part) < 10 for part in parts
    ):
        raise InputError(f"PROBLEM must be written like {example}; got {in_short(text)}.")
    return [int(part) for part in parts]


def _items_among(problem: Problem, table: Table, weights: str | None) -> Problem:
    """Return the problem with items that the table's columns name.

    Items without names are named after the columns of numbers, if their number is right. A model whose items were not
    chosen gets those variables as items that have a column; the others keep their cost.
    """
    from hedgerow.problems import MixedIntegerProblem

    if not isinstance(problem, MixedIntegerProblem) or problem.items_chosen:
        return named_after(problem, [name for name in table.number_columns() if name != weights])
    columns = table.columns
    known = set(columns)
    items = [name for name in problem.variable_names if name in known]
    if not items:
        raise InputError(
            f"none of the model's variables has a column in the costs: the model has "
            f"{list_some(problem.variable_names)}, the costs have {list_some(columns)}."
        )
    others = [name for name in problem.variable_names if name not in known]
    if others:
        note_later(f"without a column of costs these variables keep the model's own: {list_some(others)}")
    return problem.with_items(items)


def unused_columns(table: Table, names: Iterable[str], *others: str | None) -> str:
    """Return a note on the unused columns of a table; empty if there are none."""
    unused = list(table.others([*names, *(name for name in others if name)]).columns)
    return f"{table.path}: these columns are not used: {list_some(unused)}" if unused else ""


def weights_in(table: Table, column: str | None) -> FloatArray | None:
    """Return a column of weights; None where none is named."""
    return None if column is None else table.numbers([column], "weights")[:, 0]


# -- rule books ----------------------------------------------------------------------------------------------------


def read_rules(path: Path, *, named: bool = True) -> RuleBook:
    """Read a tree file, with a clear message if there is none; by default one that names its readings."""
    if path.is_dir():
        raise InputError(f"{path} is a directory; a tree file is needed.")
    if not path.exists():
        raise InputError(f"{path}: there is no such tree file.")
    rules = RuleBook.load(path)
    if named and rules.asked and not rules.feature_names:
        raise FileFormatError(f"{path}: {NO_NAMES}")
    _ = rules.training  # damage is noticed before anything is printed
    return rules


def shown_in(
    rules: RuleBook, beside: Table, readings: Path | None, context: Path | None, prefix: str = ""
) -> dict[str, FloatArray]:
    """Return what the rules are shown in place of the costs, from files beside that of the costs, by option name."""
    name = "readings" if rules.observes_costs else "context"
    path, other = (readings, context) if rules.observes_costs else (context, readings)
    asked = list_some(rules.asked_names)
    if other is not None:
        raise InputError(f"these rules ask about {asked}: give --{prefix}{name}, no other table of what was read.")
    if path is not None:
        table = read_table(path)
        matrix = rules.reading_matrix(table)
        table.check_beside(beside)
        return {name: matrix}
    if name == "context":
        raise InputError(
            f"these rules ask about {asked}, which are no costs; "
            f"give them for {beside.path} with --{prefix}context FILE."
        )
    return {}
