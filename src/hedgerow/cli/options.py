"""Options that several commands share, as types that typer reads, and the values that texts stand for."""

__all__ = [
    "AsJson",
    "AskFirst",
    "Context",
    "Costs",
    "Depth",
    "Features",
    "Folds",
    "Global",
    "GlobalAmount",
    "IterationLimit",
    "Jobs",
    "LearnFrom",
    "Limits",
    "Local",
    "LocalAmount",
    "MaxItems",
    "MaxThresholds",
    "Method",
    "MustNotAsk",
    "Order",
    "OtherWishes",
    "Picture",
    "Prices",
    "Problem",
    "QuestionKinds",
    "Questions",
    "Readings",
    "Rows",
    "Scores",
    "Seed",
    "Solver",
    "Table",
    "Text",
    "Thresholds",
    "TimeLimit",
    "Tree",
    "Weights",
    "argument",
    "budget_of",
    "listed",
    "number",
    "option",
    "questions_of",
    "seconds",
    "wishes_of",
    "with_table_options",
]

import functools
import inspect
import math
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from hedgerow.cli.output import note, show_notes
from hedgerow.data.checks import in_short
from hedgerow.data.dialect import TableOptions, table_options
from hedgerow.data.json_files import json_in, read_json
from hedgerow.errors import FileFormatError, HedgerowError, InputError
from hedgerow.run.wishes import Wishes
from hedgerow.uncertainty import GlobalBudget, LocalBudget, Uncertainty


def option(metavar: str | None, words: str, *flags: str, panel: str | None = None, **more: Any) -> Any:
    """Return an option in one of the panels of `--help`; `values` are what shells complete."""
    values = more.pop("values", None)
    complete = values if values is None or callable(values) else lambda: list(values)
    return typer.Option(*flags, metavar=metavar, help=words, rich_help_panel=panel, autocompletion=complete, **more)


def argument(metavar: str, words: str, values: Sequence[str] = ()) -> Any:
    """Return an argument; `values` are what shells complete."""
    return typer.Argument(metavar=metavar, help=words, autocompletion=(lambda: list(values)) if values else None)


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


# -- what commands read ----------------------------------------------------------------------------------------------

_PROBLEM = argument("PROBLEM", "grid:4, selection:40:10 or a file (.toml, .mps, .lp).", ["grid:4", "selection:40:10"])
Problem = Annotated[str, _PROBLEM]
Costs = Annotated[Path, argument("COSTS.csv", "One row per sample, one column per item; .csv, .xlsx or .parquet.")]
Tree = Annotated[Path, argument("TREE.json", "A tree file, as fit writes it.")]
Rows = Annotated[Path, argument("READINGS.csv", "One row per decision; .csv, .xlsx or .parquet.")]

_READINGS = "What was read in place of the costs, such as forecasts: same rows, same columns."
_CONTEXT = "Other numbers, row by row, that the tree asks about in place of the costs."
Readings = Annotated[Path | None, option("FILE", _READINGS)]
Context = Annotated[Path | None, option("FILE", _CONTEXT)]
Features = Annotated[str | None, option("NAMES", "Columns of --context to ask about; all with numbers.")]
Weights = Annotated[str | None, option("COLUMN", "The column of COSTS.csv that says how much each row counts.")]

# -- how wrong readings may be ---------------------------------------------------------------------------------------

_BUDGETS = {"panel": "How wrong readings may be (at most one budget)"}
_SIZES = {"parser": number, **_BUDGETS}
_SHARES = {"values": ["0.01", "0.05", "0.1", "0.2"], **_SIZES}
_GLOBAL = "All samples together: number of samples times the budget of --local."
Local = Annotated[float | None, option("λ", "Each sample on its own: budget λ · depth · largest range.", **_SHARES)]
Global = Annotated[float | None, option("λ", _GLOBAL, "--global", **_SHARES)]
LocalAmount = Annotated[float | None, option("Γ", "Each sample on its own: this absolute budget.", **_SIZES)]
GlobalAmount = Annotated[float | None, option("Γ", "All samples together: this absolute budget.", **_SIZES)]

_PRICES = 'Price of a unit of change: "range", or one number per item.'
_LIMITS = "Largest change of a reading: one number, or one per item."
Prices = Annotated[str | None, option("range|LIST", _PRICES, values=["range"], **_BUDGETS)]
Limits = Annotated[str | None, option("NUMBER|LIST", _LIMITS, **_BUDGETS)]

# -- trees and the search for them -----------------------------------------------------------------------------------

_QUESTIONS = "auto, items, plans, plans:8, levels, levels:24, pairs; several with commas; or a JSON file."
_QUESTION_KINDS = ["auto", "items", "plans", "plans:8", "levels", "pairs", "items,plans"]
_LEARN_FROM = "With --readings: truth, readings, or resampled (the truth with errors drawn from the pairs)."
Depth = Annotated[int, option("NUMBER", "Most questions on the way to a leaf.")]
Questions = Annotated[str, option("KINDS", _QUESTIONS, values=_QUESTION_KINDS)]
QuestionKinds = Annotated[str, option("LIST", "Kinds of questions to try: items, plans:8, levels, pairs.")]
LearnFrom = Annotated[str, option("NAME", _LEARN_FROM, values=["truth", "readings", "resampled"])]

_SEARCH = {"panel": "Search"}
_METHODS = {"values": lambda: ["auto", *import_module("hedgerow.methods").METHODS], **_SEARCH}
_SOLVERS = {"values": lambda: [*import_module("hedgerow.mip").available_solvers()], **_SEARCH}
_THRESHOLDS = "midpoints, grid or continuous; by default the widest that the method takes by itself."
Method = Annotated[str, option("NAME", "auto, exact, fix_tree, alternate, nominal, …", **_METHODS)]
Solver = Annotated[str, option("NAME", "The MIP solver: highs or gurobi.", **_SOLVERS)]
Thresholds = Annotated[str | None, option("NAME", _THRESHOLDS, values=["midpoints", "grid", "continuous"], **_SEARCH)]
TimeLimit = Annotated[float, option("SECONDS", "inf for no limit.", **_SEARCH)]
IterationLimit = Annotated[int | None, option("NUMBER", "Most iterations.", **_SEARCH)]
Seed = Annotated[int, option("NUMBER", "The same seed and iteration limit give the same tree.", min=0, **_SEARCH)]
Jobs = Annotated[int, option("NUMBER", "Processes at once; -1 for all processors.", "--jobs", **_SEARCH)]

_LARGE = {"panel": "Large histories"}
MaxThresholds = Annotated[int | None, option("NUMBER", "Most thresholds per item, evenly spread.", **_LARGE)]

_WISHES = {"panel": "Wishes"}
_OTHER_WISHES = 'What else a tree should be like: JSON or a file, {"must_not_ask": ["Old Bridge"]}.'
AskFirst = Annotated[str | None, option("NAME", "The question to ask first.", **_WISHES)]
MustNotAsk = Annotated[str | None, option("NAMES", "Items or questions that must not be asked about.", **_WISHES)]
MaxItems = Annotated[int | None, option("NUMBER", "Most different items in a tree.", **_WISHES)]
OtherWishes = Annotated[str | None, option("JSON", _OTHER_WISHES, "--wishes", **_WISHES)]

_ORDER = "blocks of rows, forward (learn from the past alone) or shuffled."
Folds = Annotated[int | None, option("NUMBER", "Into how many parts the rows are split.")]
Order = Annotated[str, option("NAME", _ORDER, values=["blocks", "forward", "shuffled"])]

# -- what commands write ---------------------------------------------------------------------------------------------

_OUTPUT = ("--output", "-o")
_TABLE = ".csv, .xlsx or .parquet; CSV on standard output by default."
Table = Annotated[Path | None, option("FILE", _TABLE, *_OUTPUT)]
Scores = Annotated[Path | None, option("FILE", "The table; .csv, .xlsx or .parquet.", *_OUTPUT)]
Text = Annotated[Path | None, option("FILE", "The file; standard output by default.", *_OUTPUT)]
Picture = Annotated[Path | None, option("FILE", "A figure of it; .png, .svg or .pdf.")]
AsJson = Annotated[
    bool, option(None, "Print one JSON object on standard output; messages go to standard error.", "--json")
]

_ON_TABLES: Final = {
    "sep": ("SIGN", 'What separates columns of CSV: ",", ";", "tab"; guessed if left out.'),
    "decimal": ("SIGN", 'The decimal sign of CSV: "." or ","; guessed if left out.'),
    "encoding": ("NAME", "The encoding of CSV, such as cp1250; UTF-8 or that of Windows if left out."),
    "sheet": ("NAME", "The sheet of Excel files; the first if left out."),
}


def with_table_options(command: Callable[..., None]) -> Callable[..., None]:
    """Return the command with the options that say how tables are read and written."""

    @functools.wraps(command)
    def run(**values: Any) -> None:
        on_tables = TableOptions(**{name: values.pop(name) for name in _ON_TABLES})
        with table_options(on_tables):
            command(**values)
            show_notes()

    own = inspect.signature(command)
    added = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[str | None, option(metavar, words, panel="Tables")],
        )
        for name, (metavar, words) in _ON_TABLES.items()
    ]
    parameters = [*own.parameters.values(), *added]
    run.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    del run.__wrapped__
    return run


# -- what texts mean -------------------------------------------------------------------------------------------------


def budget_of(
    local: float | None,
    global_: float | None,
    local_budget: float | None,
    global_budget: float | None,
    prices: str | None = None,
    limits: str | None = None,
) -> Uncertainty | None:
    """Return the set that the options describe, None if there is no budget among them.

    >>> budget_of(0.05, None, None, None, prices="range", limits="2.5")
    LocalBudget(fraction=0.05, limits=2.5, prices='range')
    """
    budgets = {"--local": local, "--global": global_, "--local-budget": local_budget, "--global-budget": global_budget}
    chosen = [flag for flag, size in budgets.items() if size is not None]
    if len(chosen) > 1:
        raise InputError(f"at most one budget can be given; got {' and '.join(chosen)}.")
    if not chosen:
        if prices is not None or limits is not None:
            flag = "--limits" if prices is None else "--prices"
            raise InputError(f"{flag} needs a budget; add one of {', '.join(budgets)}.")
        return None
    flag, size = chosen[0], budgets[chosen[0]]
    kind = LocalBudget if "local" in flag else GlobalBudget
    options: dict[str, Any] = {"budget" if flag.endswith("-budget") else "fraction": size}
    budget: LocalBudget | GlobalBudget = _checked(kind, flag, options)
    if "fraction" in options and size is not None and size > 1.0:
        note(f"{flag} {size:g} means {size:g} times depth and largest range; an amount is given by {flag}-budget")
    if prices is not None:
        is_range = prices.strip() == "range"
        options["prices"] = "range" if is_range else listed(prices, "--prices", float, '"range" or ')
        budget = _checked(kind, "--prices", options)
    if limits is not None:
        amounts = listed(limits, "--limits", float, "a number or ")
        options["limits"] = amounts[0] if len(amounts) == 1 else amounts
        budget = _checked(kind, "--limits", options)
    return budget


def _checked(kind: Callable[..., Any], flag: str, options: dict[str, Any]) -> Any:
    """Return the set with these options; an error names the one that was added last."""
    try:
        return kind(**options)
    except InputError as error:
        raise InputError(f"{flag}: {error}") from None


def listed(text: str, flag: str, kind: Callable[[str], Any] = str, otherwise: str = "") -> list[Any]:
    """Return what is separated by commas; `otherwise` is what the option may be instead, for the message."""
    try:
        return [kind(part.strip()) for part in text.split(",")]
    except ValueError:
        what = "whole numbers" if kind is int else "numbers"
        raise InputError(f"{flag} must be {otherwise}{what} separated by commas; got {in_short(text)}.") from None


def wishes_of(
    text: str | None, ask_first: str | None = None, must_not_ask: str | None = None, max_items: int | None = None
) -> Wishes | None:
    """Return the wishes of a JSON text or file, and of single options.

    >>> wishes_of('{"max_plans": 2}', ask_first="Dock Road").given
    ('ask_first', 'max_plans')
    """
    parts: Any = {}
    if text is not None:
        try:
            parts = json_in(text, "wishes") if text.lstrip().startswith("{") else read_json(text, "wishes")
        except HedgerowError as error:
            raise InputError(f"--wishes: {error}") from None
        if not isinstance(parts, dict):
            raise InputError(f"--wishes must be a JSON object or a file with one; got {in_short(parts)}.")
    single = {
        "ask_first": ask_first,
        "must_not_ask": None if must_not_ask is None else listed(must_not_ask, "--must-not-ask"),
        "max_items": max_items,
    }
    return Wishes.of({**parts, **{name: value for name, value in single.items() if value is not None}})


def questions_of(text: str) -> list[Any]:
    """Return what `questions=` takes for kinds that are separated by commas; a name that ends in .json is a file."""

    def kind(part: str) -> Any:
        try:
            return read_json(part, "a set of questions") if part.endswith(".json") else part
        except FileFormatError as error:
            raise InputError(f"{part}: {error}") from None

    return [kind(part.strip()) for part in text.split(",")]


def seconds(limit: float) -> float | None:
    """Return a time limit as Python takes it: None for no limit."""
    return None if limit == math.inf else limit
