"""What several commands share: options, groups of options with what they stand for, and how their files are read."""

import inspect
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hedgerow.cli.output import note, show_notes
from hedgerow.data.checks import check_exists, in_short, list_some
from hedgerow.data.context import names_rows
from hedgerow.data.files import TableOptions, read_table, table_options
from hedgerow.data.table import NO_NAMES, check_beside, number_columns, number_matrix, with_dates
from hedgerow.data.text_files import json_in, read_json
from hedgerow.errors import FileFormatError, HedgerowError, InputError
from hedgerow.rules import RuleBook
from hedgerow.run.wishes import Wishes
from hedgerow.uncertainty import GlobalBudget, LocalBudget, Uncertainty

if TYPE_CHECKING:
    import pandas as pd

    from hedgerow.problems import Problem


def option(metavar: str | None, words: str, *flags: str, panel: str | None = None, **more: Any) -> Any:
    """Return an option in one of the panels of `--help`."""
    return typer.Option(*flags, metavar=metavar, help=words, rich_help_panel=panel, **more)


def argument(metavar: str, words: str) -> Any:
    """Return an argument."""
    return typer.Argument(metavar=metavar, help=words)


def number(text: str | float) -> float:
    """Return the number that a text stands for; percentages and decimal commas are refused with the right spelling.

    >>> number("0.05")
    0.05
    """
    try:
        return float(text)
    except ValueError:
        plain = str(text).replace(",", ".").rstrip()
        try:
            meant = float(plain[:-1]) / 100.0 if plain.endswith("%") else float(plain)
        except ValueError:
            raise typer.BadParameter(f"{in_short(text)} is not a number.") from None
        raise typer.BadParameter(f"{in_short(text)} is not a number; write {meant:g} instead.") from None


def listed(text: str, flag: str, kind: Callable[[str], Any] = str, otherwise: str = "") -> list[Any]:
    """Return what is separated by commas; `otherwise` is what the option may be instead, for the message."""
    try:
        return [kind(part.strip()) for part in text.split(",")]
    except ValueError:
        what = "whole numbers" if kind is int else "numbers"
        raise InputError(f"{flag} must be {otherwise}{what} separated by commas; got {in_short(text)}.") from None


def seconds(limit: float) -> float | None:
    """Return a time limit as Python takes it: None for no limit."""
    return None if limit == math.inf else limit


def questions_of(text: str) -> Any:
    """Return what `questions=` takes for kinds that are separated by commas; a name that ends in .json is a file."""
    kinds: list[Any] = []
    for part in listed(text, "--questions"):
        try:
            kinds.append(read_json(part, "a set of questions") if part.endswith(".json") else part)
        except FileFormatError as error:
            raise InputError(f"{part}: {error}") from None
    return kinds[0] if len(kinds) == 1 else kinds


# -- single options --------------------------------------------------------------------------------------------------

_READINGS = "What was read in place of the costs, such as forecasts: same rows, same columns."
_CONTEXT = "What else is known, row by row: numbers, flags, categories or dates."
Costs = Annotated[Path, argument("COSTS.csv", "One row per sample, one column per item; .csv, .xlsx or .parquet.")]
Tree = Annotated[Path, argument("TREE.json", "A tree file, as fit writes it.")]
Table = Annotated[Path, argument("READINGS.csv", "One row per decision; .csv, .xlsx or .parquet.")]
Readings = Annotated[Path | None, option("FILE", _READINGS)]
Context = Annotated[Path | None, option("FILE", _CONTEXT)]

_QUESTIONS = "auto, items, plans, plans:8, levels, pairs; several with commas; or a JSON file."
_LEARN_FROM = "With --readings: truth, readings, or resampled (the truth with errors drawn from the pairs)."
Depth = Annotated[int, option("NUMBER", "Most questions on the way to a leaf.")]
PlansPerLeaf = Annotated[int, option("NUMBER", "Most plans at a leaf; the cheapest by the readings is followed.")]
Questions = Annotated[str, option("KINDS", _QUESTIONS)]
QuestionList = Annotated[str, option("LIST", "Kinds of questions to try: items, plans:8, levels, pairs.")]
LearnFrom = Annotated[str, option("NAME", _LEARN_FROM)]

Folds = Annotated[int | None, option("NUMBER", "Into how many blocks of rows in a row they are split.")]

_SEARCH = {"panel": "Search"}
_SEED = "The same seed and iteration limit give the same tree."
TimeLimit = Annotated[float, option("SECONDS", "For the whole call; inf for no limit.", **_SEARCH)]
Seed = Annotated[int, option("NUMBER", _SEED, "--seed", min=0, **_SEARCH)]
Jobs = Annotated[int, option("NUMBER", "Processes at once; -1 for all processors.", "--jobs", **_SEARCH)]

_OUTPUT = ("--output", "-o")
_TABLE = ".csv, .xlsx or .parquet; CSV on standard output by default."
_JSON = "Print one JSON object on standard output; messages go to standard error."
Scores = Annotated[Path | None, option("FILE", _TABLE, *_OUTPUT)]
Text = Annotated[Path | None, option("FILE", "The file; standard output by default.", *_OUTPUT)]
AsJson = Annotated[bool, option(None, _JSON, "--json")]

# -- groups of options -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RowFiles:
    """A problem and the files of its rows."""

    problem: Annotated[str, argument("PROBLEM", "grid:4, selection:40:10 or a file (.toml, .mps, .lp).")]
    costs: Costs
    readings: Readings = None
    context: Context = None


_BUDGETS = {"panel": "How wrong readings may be (at most one budget)"}
_PRICES = 'Price of a unit of change: "range", or one number per item.'
_LOCAL = "Each sample on its own: budget λ · depth · largest range."
_GLOBAL = "All samples together: number of samples times the budget of --local."
_LOCAL_AMOUNT = "Each sample on its own: this absolute budget."
_GLOBAL_AMOUNT = "All samples together: this absolute budget."
_LIMITS = "Largest change of a reading: one number, or one per item."


@dataclass(frozen=True)
class Budget:
    """How wrong readings may be.

    >>> Budget(local=0.05, prices="range", limits="2.5").uncertainty
    LocalBudget(fraction=0.05, limits=2.5, prices='range')
    >>> Budget().uncertainty is None
    True
    """

    local: Annotated[float | None, option("λ", _LOCAL, parser=number, **_BUDGETS)] = None
    global_: Annotated[float | None, option("λ", _GLOBAL, "--global", parser=number, **_BUDGETS)] = None
    local_budget: Annotated[float | None, option("Γ", _LOCAL_AMOUNT, parser=number, **_BUDGETS)] = None
    global_budget: Annotated[float | None, option("Γ", _GLOBAL_AMOUNT, parser=number, **_BUDGETS)] = None
    prices: Annotated[str | None, option("range|LIST", _PRICES, **_BUDGETS)] = None
    limits: Annotated[str | None, option("NUMBER|LIST", _LIMITS, **_BUDGETS)] = None

    @property
    def uncertainty(self) -> Uncertainty | None:
        """The uncertainty set; None if there is no budget."""
        sizes = (self.local, self.global_, self.local_budget, self.global_budget)
        flags = ("--local", "--global", "--local-budget", "--global-budget")
        chosen = [(flag, size) for flag, size in zip(flags, sizes, strict=True) if size is not None]
        if len(chosen) > 1:
            raise InputError(f"at most one budget can be given; got {' and '.join(flag for flag, _ in chosen)}.")
        if not chosen:
            for flag, value in (("--prices", self.prices), ("--limits", self.limits)):
                if value is not None:
                    raise InputError(f"{flag} needs a budget; add one of {', '.join(flags)}.")
            return None
        ((flag, size),) = chosen
        is_amount = flag.endswith("-budget")
        options: dict[str, Any] = {"budget" if is_amount else "fraction": size}
        if self.prices is not None:
            is_range = self.prices.strip() == "range"
            options["prices"] = "range" if is_range else listed(self.prices, "--prices", float, '"range" or ')
        if self.limits is not None:
            amounts = listed(self.limits, "--limits", float, "a number or ")
            options["limits"] = amounts[0] if len(amounts) == 1 else amounts
        try:
            return (LocalBudget if "local" in flag else GlobalBudget)(**options)
        except InputError as error:
            raise InputError(f"{flag}: {error}") from None


_WISHES = 'What a tree should be like: JSON or a file, {"max_items": 3, "must_not_ask": ["Old Bridge"]}.'
WishesText = Annotated[str | None, option("JSON", _WISHES, panel="Wishes")]


def wishes_of(text: str | None) -> Wishes | None:
    """Return the wishes in a JSON object or a file with one; None if there are none.

    >>> wishes_of('{"max_items": 2}').given
    ('max_items',)
    """
    if text is None:
        return None
    try:
        wishes = json_in(text, "wishes") if text.lstrip().startswith("{") else read_json(text, "wishes")
    except HedgerowError as error:
        raise InputError(f"--wishes: {error}") from None
    if not isinstance(wishes, dict):
        raise InputError(f"--wishes must be a JSON object or a file with one; got {in_short(wishes)}.")
    return Wishes.of(wishes)


@dataclass(frozen=True)
class Search:
    """How trees are searched for: parameters of `RobustTree`."""

    method: Annotated[str, option("NAME", "auto, exact, fix_tree, alternate, nominal, …", **_SEARCH)] = "auto"
    iteration_limit: Annotated[int | None, option("NUMBER", "Most iterations.", **_SEARCH)] = None
    random_state: Seed = 0


_SEP = 'What separates columns of CSV: ",", ";", "tab"; guessed if left out.'
_DECIMAL = 'The decimal sign of CSV: "." or ","; guessed if left out.'


@dataclass(frozen=True)
class Tables:
    """How tables are read and written."""

    sep: Annotated[str | None, option("SIGN", _SEP, panel="Tables")] = None
    decimal: Annotated[str | None, option("SIGN", _DECIMAL, panel="Tables")] = None


def flattened(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command for typer: each group becomes its single options, and those of tables are added at the end."""
    own = [*inspect.signature(command).parameters.values()]
    own.append(inspect.Parameter("tables", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Tables))
    groups: dict[str, Any] = {each.name: each.annotation for each in own if is_dataclass(each.annotation)}
    members = {name: [*inspect.signature(group).parameters.values()] for name, group in groups.items()}

    def run(**values: Any) -> None:
        for name, group in groups.items():
            values[name] = group(**{each.name: values.pop(each.name) for each in members[name]})
        with table_options(TableOptions(**vars(values.pop("tables")))):
            try:
                command(**values)
            except (KeyboardInterrupt, typer.Exit):
                show_notes()
                raise
            show_notes()

    parameters = [each.replace(kind=each.KEYWORD_ONLY) for one in own for each in members.get(one.name, [one])]
    run.__name__, run.__doc__ = command.__name__, command.__doc__
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    vars(run)["__signature__"] = inspect.Signature(parameters)
    return run


# -- problems, rows and rule books -------------------------------------------------------------------------------------


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
