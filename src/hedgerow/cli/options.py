"""Options that several commands share, and what they mean."""

__all__ = [
    "CostsArgument",
    "DaskOption",
    "FeaturesOption",
    "GlobalBudgetOption",
    "GlobalFraction",
    "JsonOption",
    "LearnFromOption",
    "LimitsOption",
    "LocalBudgetOption",
    "LocalFraction",
    "MaxSamplesOption",
    "MaxThresholdsOption",
    "ObservationsOption",
    "PricesOption",
    "ProblemArgument",
    "QuestionsOption",
    "ReadingsOption",
    "TreeArgument",
    "WeightsOption",
    "WishesOption",
    "examples",
    "method_names",
    "questions_named",
    "uncertainty_of",
    "unused_columns",
    "weights_in",
    "wishes_of",
    "workers_of",
]

import json
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from hedgerow.arrays import FloatArray
from hedgerow.checks import in_short, list_some
from hedgerow.data_files.table import Table
from hedgerow.errors import InputError
from hedgerow.pairs import LEARN_FROM
from hedgerow.run.cluster import on_cluster
from hedgerow.uncertainty import GlobalBudget, LocalBudget, Uncertainty
from hedgerow.wishes import Wishes

_PANEL = "How wrong observations may be (at most one budget)"


_USUAL_FRACTIONS = ("0.01", "0.05", "0.1", "0.2")


def _budget(flag: str, metavar: str, words: str, values: Sequence[str] = ()) -> Any:
    return typer.Option(flag, metavar=metavar, help=words, rich_help_panel=_PANEL, autocompletion=lambda: list(values))


def _thinning(flag: str, words: str) -> Any:
    return typer.Option(flag, metavar="NUMBER", help=words, rich_help_panel="Large histories")


TreeArgument: TypeAlias = Annotated[Path, typer.Argument(metavar="TREE.json", help="A tree file, as fit writes it.")]
ProblemArgument: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="PROBLEM",
        help="grid:4, selection:40:10 or a file (.toml, .mps, .lp).",
        autocompletion=lambda: ["grid:4", "selection:40:10"],
    ),
]
CostsArgument: TypeAlias = Annotated[
    Path, typer.Argument(metavar="COSTS.csv", help="One row per sample, one column per item; .csv, .xlsx or .parquet.")
]

LocalFraction: TypeAlias = Annotated[
    float | None, _budget("--local", "λ", "Each sample on its own: budget λ · depth · largest range.", _USUAL_FRACTIONS)
]
GlobalFraction: TypeAlias = Annotated[
    float | None,
    _budget("--global", "λ", "All samples together: number of samples times the budget of --local.", _USUAL_FRACTIONS),
]
LocalBudgetOption: TypeAlias = Annotated[
    float | None, _budget("--local-budget", "Γ", "Each sample on its own: this absolute budget.")
]
GlobalBudgetOption: TypeAlias = Annotated[
    float | None, _budget("--global-budget", "Γ", "All samples together: this absolute budget.")
]
PricesOption: TypeAlias = Annotated[
    str | None,
    _budget("--prices", "range|LIST", 'Price of a unit of change: "range", or one number per item.', ("range",)),
]
LimitsOption: TypeAlias = Annotated[
    str | None,
    _budget("--limits", "NUMBER|LIST", "Largest change of a reading: one number, or one per item."),
]
ObservationsOption: TypeAlias = Annotated[
    Path | None,
    typer.Option("--observations", metavar="FILE", help="What is observed, row by row; the costs if left out."),
]
FeaturesOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--features", metavar="NAMES", help="Columns of --observations to ask about; all with numbers."),
]
QuestionsOption: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="KINDS",
        help="auto, items, plans, plans:8, levels, pairs; several with commas; or a JSON file with coefficients.",
        autocompletion=lambda: ["auto", "items", "plans", "plans:8", "levels", "pairs", "items,plans"],
    ),
]
ReadingsOption: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--readings", metavar="FILE", help="What was read in place of it, such as forecasts: same rows, same columns."
    ),
]
LearnFromOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--learn-from",
        metavar="NAME",
        help="With --readings: truth, readings, or resampled (the truth with errors drawn from the pairs).",
        autocompletion=lambda: list(LEARN_FROM),
    ),
]
WeightsOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--weights", metavar="COLUMN", help="The column of COSTS.csv that says how much each row counts."),
]
MaxThresholdsOption: TypeAlias = Annotated[
    int | None,
    _thinning("--max-thresholds", "Most thresholds per item, evenly spread."),
]
MaxSamplesOption: TypeAlias = Annotated[
    int | None,
    _thinning("--max-samples", "Search on at most this many weighted representatives of the samples."),
]
DaskOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--dask", metavar="ADDRESS", help="Use the workers of this Dask scheduler instead of --jobs."),
]
WishesOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--wishes",
        metavar="JSON",
        help='What a tree should be like: JSON or a file, {"must_not_ask": ["Old Bridge"]}.',
    ),
]
JsonOption: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print one JSON object on standard output; messages go to standard error.")
]


def examples(*lines: str) -> str:
    """Return the end of a command's help: one command per line, ready to be copied."""
    return "\n\n".join(["[bold]Examples[/bold]", *lines])


def method_names() -> list[str]:
    """Return the methods that --method knows, "auto" first."""
    from hedgerow.methods import METHODS

    return ["auto", *METHODS]


def unused_columns(table: Table, names: Iterable[str], *others: str | None) -> str:
    """Return a note on the unused columns of a table; empty if there are none."""
    unused = [column.name for column in table.others([*names, *(name for name in others if name)])]
    return f"{table.path}: these columns are not used: {list_some(unused)}" if unused else ""


def weights_in(table: Table, column: str | None) -> FloatArray | None:
    """Return a column of weights; None where none is named."""
    return None if column is None else table.numbers([column], "weights")[:, 0]


def uncertainty_of(
    local: float | None,
    global_: float | None,
    local_budget: float | None,
    global_budget: float | None,
    prices: str | None,
    limits: str | None,
) -> Uncertainty | None:
    """Return the set that the options describe, None if there is no budget among them.

    Examples
    --------
    >>> from hedgerow.cli.options import uncertainty_of
    >>> uncertainty_of(0.05, None, None, None, "range", "2.5")
    LocalBudget(fraction=0.05, limits=2.5, prices='range')
    """
    budgets = {
        "--local": local,
        "--global": global_,
        "--local-budget": local_budget,
        "--global-budget": global_budget,
    }
    given = [flag for flag, value in budgets.items() if value is not None]
    if len(given) > 1:
        raise InputError(f"at most one budget can be given; got {' and '.join(given)}.")
    if not given:
        if prices is not None or limits is not None:
            flag = "--limits" if prices is None else "--prices"
            raise InputError(f"{flag} needs a budget; add one of {', '.join(budgets)}.")
        return None
    kind = LocalBudget if "local" in given[0] else GlobalBudget
    measure = "budget" if given[0].endswith("-budget") else "fraction"
    options: dict[str, Any] = {}
    # One after the other, so that an error names the option that it is about.
    for flag, name, value in (
        (given[0], measure, budgets[given[0]]),
        ("--prices", "prices", _prices(prices)),
        ("--limits", "limits", _limits(limits)),
    ):
        options[name] = value
        try:
            described = kind(**options)
        except InputError as error:
            raise InputError(f"{flag}: {error}") from None
    return described


def _prices(text: str | None) -> Any:
    return text if text is None or text.strip() == "range" else _numbers(text, "--prices", '"range" or ')


def _limits(text: str | None) -> Any:
    if text is None:
        return None
    numbers = _numbers(text, "--limits", "a number or ")
    return numbers[0] if len(numbers) == 1 and "," not in text else numbers


def _numbers(text: str, flag: str, otherwise: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise InputError(f"{flag} must be {otherwise}numbers separated by commas; got {in_short(text)}.") from None


def wishes_of(given: str | None, **others: Any) -> Wishes | None:
    """Return the wishes of a JSON text or file, and of single options.

    Examples
    --------
    >>> from hedgerow.cli.options import wishes_of
    >>> wishes_of('{"max_items": 2}', ask_first="Dock Road").given
    ('ask_first', 'max_items')
    """
    fields: dict[str, Any] = {}
    if given is not None:
        try:
            text = given if given.lstrip().startswith("{") else Path(given).read_text(encoding="utf-8")
            fields = dict(json.loads(text))
        except OSError as error:
            raise InputError(f"--wishes: {given} can't be read: {error.strerror}.") from None
        except (ValueError, TypeError):
            raise InputError(f"--wishes must be a JSON object or a file with one; got {in_short(given)}.") from None
    return Wishes.of({**fields, **{name: value for name, value in others.items() if value is not None}})


def questions_named(given: str) -> list[Any]:
    """Return what `questions=` takes for kinds that are separated by commas; a name that ends in .json is a file."""
    return [_questions_in(part) if part.endswith(".json") else part for part in map(str.strip, given.split(","))]


def _questions_in(path: str) -> Any:
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path} could not be read: {error.strerror or error}.") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not JSON: {error}.") from error


def workers_of(jobs: int, dask: str | None) -> AbstractContextManager[None]:
    """Return the context in which tasks go to the Dask cluster, if one is given, which excludes `--jobs`."""
    if dask is not None and jobs != 1:
        raise InputError("--jobs and --dask exclude each other; a Dask cluster has its own workers.")
    return on_cluster(dask)
