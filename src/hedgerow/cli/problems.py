"""What PROBLEM on the command line stands for: `grid:4`, `selection:40:10`, a problem file or a model file."""

__all__ = ["items_among", "problem_named"]

from pathlib import Path

from hedgerow.checks import in_short, list_some
from hedgerow.cli.notes import Notes
from hedgerow.data_files.table import Table
from hedgerow.errors import InputError
from hedgerow.problem import Problem, named_after

_ALLOWED = (
    "grid:4 (paths on a 4 × 4 grid), selection:40:10 (10 of 40 items), a problem file that ends in .toml, "
    "or a model file that ends in .mps or .lp, perhaps with .gz"
)
_FILES = (".toml", ".mps", ".lp", ".mps.gz", ".lp.gz")


def problem_named(text: str) -> Problem:
    """Return the problem that a word of the command line stands for.

    Examples
    --------
    >>> from hedgerow.cli.problems import problem_named
    >>> problem_named("grid:4"), problem_named("selection:40:10")
    (ShortestPath.grid(4), Selection(40, 10))
    """
    kind, _, rest = text.partition(":")
    if kind == "grid":
        from hedgerow.problems import ShortestPath

        return ShortestPath.grid(_whole_numbers(text, rest, 1)[0])
    if kind == "selection":
        from hedgerow.problems import Selection

        n_items, n_chosen = _whole_numbers(text, rest, 2)
        return Selection(n_items, n_chosen)
    if text.lower().endswith(_FILES):
        from hedgerow.problems import read_problem

        return read_problem(Path(text))
    raise InputError(f"PROBLEM must be {_ALLOWED}; got {in_short(text)}.")


def items_among(problem: Problem, table: Table, notes: Notes, weights: str | None = None) -> Problem:
    """Return the problem with items that the table's columns name.

    Items without names are named after the columns of numbers, if their number is right. A model whose items were not
    chosen gets those variables as items that have a column; the others keep their cost.
    """
    from hedgerow.problems import MixedIntegerProblem

    if not isinstance(problem, MixedIntegerProblem) or problem.items_chosen:
        return named_after(problem, [name for name in table.numeric_columns() if name != weights])
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
        notes.add(f"without a column of costs these variables keep the model's own: {list_some(others)}")
    return problem.with_items(items)


def _whole_numbers(text: str, rest: str, count: int) -> list[int]:
    parts = rest.split(":")
    if len(parts) != count or not all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):
        example = "grid:4" if count == 1 else "selection:40:10"
        raise InputError(f"PROBLEM must be written like {example}; got {in_short(text)}.")
    return [int(part) for part in parts]
