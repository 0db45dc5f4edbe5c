"""What commands read: a problem with its rows from data files, and rule books with what they ask about."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hedgerow.cli.output import note
from hedgerow.cli.shared import RowFiles
from hedgerow.data.checks import check_exists, in_short, list_some
from hedgerow.data.context import names_rows
from hedgerow.data.files import read_table
from hedgerow.data.table import NO_NAMES, check_beside, number_columns, number_matrix, with_dates
from hedgerow.errors import FileFormatError, InputError
from hedgerow.rules import RuleBook

if TYPE_CHECKING:
    import pandas as pd

    from hedgerow.problems import Problem

_ALLOWED = (
    "grid:4 (paths on a 4 × 4 grid), selection:40:10 (10 of 40 items), a problem file that ends in .toml, "
    "or a model file that ends in .mps or .lp, perhaps with .gz"
)
_FILES = (".toml", ".mps", ".lp", ".mps.gz", ".lp.gz")
_TABLES = (".csv", ".xlsx", ".parquet")

# -- a problem and its rows ------------------------------------------------------------------------------------------


def read_rows(rows: RowFiles) -> tuple["Problem", dict[str, Any]]:
    """Return the problem and the tables of its rows, as `RobustTree.fit` takes them."""
    named = problem_named(rows.problem)
    costs = read_table(rows.costs)
    problem = _items_among(named, costs)
    unused = [name for name in costs.columns if name not in set(problem.item_names)]
    note(f"{rows.costs}: these columns are not used: {list_some(unused)}" if unused else "")
    context = None if rows.context is None else _read_context(rows.context, costs)
    readings = None
    if rows.readings is not None:
        readings = read_table(rows.readings)
        check_beside(readings, costs)
    return problem, {"costs": costs, "readings": readings, "context": context}


def _read_context(path: Path, costs: "pd.DataFrame") -> "pd.DataFrame":
    """Return the columns of context that a tree may ask about: all but those that name rows."""
    table = with_dates(read_table(path))
    check_beside(table, costs)
    names = [str(name) for name, cells in table.items() if not names_rows(cells)]
    if not names:
        raise InputError(f"{path} has no column that a tree could ask about.")
    number_matrix(table, [name for name in number_columns(table) if name in names], "context", gaps=True)
    note(f"asking about {list_some(names)}")
    return table[names]


def problem_named(text: str) -> "Problem":
    """Return the problem that a word of the command line stands for.

    >>> problem_named("grid:4"), problem_named("selection:40:10")
    (ShortestPath(24 items), Selection(40 items))
    """
    from hedgerow.problems import Selection, ShortestPath, read_problem

    if grid := re.fullmatch("grid:([0-9]{1,9})", text):
        return ShortestPath.grid(int(grid[1]))
    if selection := re.fullmatch("selection:([0-9]{1,9}):([0-9]{1,9})", text):
        note(f'{text} makes costs small; for gains, which are to be large, use a file with sense = "max"')
        return Selection(int(selection[1]), int(selection[2]))
    if text.lower().endswith(_FILES):
        return read_problem(Path(text))
    if text.lower().endswith(_TABLES):
        raise InputError(f"the problem comes before the costs: hedgerow fit PROBLEM COSTS.csv; got {in_short(text)}.")
    raise InputError(f"PROBLEM must be {_ALLOWED}; got {in_short(text)}.")


def _items_among(problem: "Problem", table: "pd.DataFrame") -> "Problem":
    """Return the problem with items that the table's columns name.

    Items without names are named after the columns of numbers, if their number is right. A model whose items were not
    chosen gets those variables as items that have a column; the others keep their cost.
    """
    from hedgerow.problems import MixedIntegerProblem

    if not isinstance(problem, MixedIntegerProblem) or problem.items_chosen:
        return problem.named_after(number_columns(table))
    columns = table.columns.tolist()
    known = set(columns)
    items = [name for name in problem.variable_names if name in known]
    if not items:
        raise InputError(
            f"none of the model's variables has a column in the costs: the model has "
            f"{list_some(problem.variable_names)}, the costs have {list_some(columns)}."
        )
    others = [name for name in problem.variable_names if name not in known]
    if others:
        note(f"without a column of costs these variables keep the model's own: {list_some(others)}")
    return problem.with_items(items)


# -- rule books ----------------------------------------------------------------------------------------------------


def read_rules(path: Path, *, named: bool = True) -> RuleBook:
    """Read a tree file, with a clear message if there is none; by default one that names its readings."""
    check_exists(path, "tree file")
    rules = RuleBook.load(path)
    if named and rules.asked and not rules.feature_names:
        raise FileFormatError(f"{path}: {NO_NAMES}")
    _ = rules.training  # damage is noticed before anything is printed
    return rules


def samples_of(
    rules: RuleBook,
    costs: Path | None,
    readings: Path | None = None,
    context: Path | None = None,
    prefix: str = "",
) -> tuple[Any, dict[str, Any]]:
    """Return the table of costs, and as Python takes them: costs, and what the rules are shown instead.

    Other options are called `--readings`, `--context` with a prefix, such as `--test-readings`.
    """
    shown = {f"--{prefix}readings": readings, f"--{prefix}context": context}
    if costs is None:
        orphans = [flag for flag, path in shown.items() if path is not None]
        if orphans:
            raise InputError(f"{orphans[0]} belongs to a file of costs, which is missing.")
        return None, {}
    table, names = read_table(costs), rules.needed_problem().item_names
    samples: dict[str, Any] = {"costs": number_matrix(table, names, "costs")}
    for name, path in (("readings", readings), ("context", context)):
        if path is not None:
            read = read_table(path)
            check_beside(read, table)
            samples[name] = with_dates(read) if name == "context" else rules.readings_of(read)
    if context is None and not rules.observes_costs:
        asked = list_some(rules.asked_names)
        flag = f"--{prefix}context FILE"
        raise InputError(f"these rules ask about {asked}, which are no costs; give them for {costs} with {flag}.")
    return table, samples
