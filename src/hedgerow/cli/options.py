"""Options of the commands: declared in `options.toml`, put together in groups, and turned into values."""

__all__ = ["DECLARED", "Budget", "as_command", "listed", "questions_named", "seconds", "wishes_of"]

import functools
import inspect
import math
import tomllib
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from importlib import import_module
from importlib.resources import files
from typing import Annotated, Any, Final, get_args

import typer

from hedgerow.cli.output import note, show_notes
from hedgerow.data.checks import in_short
from hedgerow.data.dialect import TableOptions, table_options
from hedgerow.data.json_files import json_in, read_json
from hedgerow.data.readings import LEARN_FROM
from hedgerow.errors import FileFormatError, HedgerowError, InputError
from hedgerow.run.wishes import Wishes
from hedgerow.tree.splits import ThresholdSet
from hedgerow.uncertainty import GlobalBudget, LocalBudget, Uncertainty

DECLARED: Final = tomllib.loads(files("hedgerow.cli").joinpath("options.toml").read_text(encoding="utf-8"))
"""What the file declares for each command, and for all."""
_TABLES: Final = ("sep", "decimal", "encoding", "sheet")


# What shells complete; methods and solvers are loaded then only.
_COMPLETED: Final[dict[str, Callable[[], list[str]]]] = {
    "method": lambda: ["auto", *import_module("hedgerow.methods").METHODS],
    "solver": lambda: list(import_module("hedgerow.mip").available_solvers()),
    "learn_from": lambda: list(LEARN_FROM),
    "thresholds": lambda: list(get_args(ThresholdSet)),
}


def as_command(function: Callable[..., None], *, tables: bool = True) -> Callable[..., None]:
    """Return a function for typer: options as declared, groups spelled out, with those on tables if it reads any."""
    groups: dict[str, tuple[Any, list[str]]] = {}
    own = inspect.signature(function).parameters
    parameters = []
    for each in own.values():
        if is_dataclass(each.annotation):
            # What is not declared is no option of the command.
            parts = [
                part for part in fields(each.annotation) if part.name not in own and _declared(function, part.name)
            ]
            groups[each.name] = each.annotation, [part.name for part in parts]
            parameters += [_parameter(function, part.name, part.type, part.default) for part in parts]
        else:
            parameters.append(_parameter(function, each.name, each.annotation, each.default))
    if tables:
        parameters += [_parameter(function, name, str | None, None) for name in _TABLES]

    @functools.wraps(function)
    def run(**given: Any) -> None:
        def those(names: Any) -> dict[str, Any]:
            return {name: given.pop(name) for name in names}

        on_tables = TableOptions(**those(_TABLES if tables else ()))
        grouped = {name: kind(**those(parts)) for name, (kind, parts) in groups.items()}
        with table_options(on_tables):
            function(**grouped, **given)
            if tables:
                show_notes()

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    del run.__wrapped__
    return run


def _declared(function: Callable[..., None], name: str) -> dict[str, Any]:
    """Return a copy of what `options.toml` declares for the command, or for all."""
    return dict(DECLARED.get(function.__name__, {}).get(name, DECLARED["shared"].get(name, {})))


def _parameter(function: Callable[..., None], name: str, kind: Any, default: Any) -> inspect.Parameter:
    declared = _declared(function, name)
    flags = declared.pop("flags", [] if default is True else [f"--{name.strip('_').replace('_', '-')}"])
    values = declared.pop("values", None)
    declared["rich_help_panel"] = declared.pop("panel", None)
    declared["autocompletion"] = _COMPLETED.get(name) if values is None else lambda: values
    option = typer.Argument(**declared) if declared.pop("argument", False) else typer.Option(*flags, **declared)
    empty = default is MISSING or default is inspect.Parameter.empty
    plain: Any = str | None if name == "thresholds" else kind  # names are checked by `Options`
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=inspect.Parameter.empty if empty else default,
        annotation=Annotated[plain, option],
    )


@dataclass(frozen=True)
class Budget:
    """How wrong readings may be, as options: at most one of the four budgets, with prices and limits.

    >>> Budget(local=0.05, prices="range", limits="2.5").uncertainty()
    LocalBudget(fraction=0.05, limits=2.5, prices='range')
    """

    local: float | None = None
    global_: float | None = None
    local_budget: float | None = None
    global_budget: float | None = None
    prices: str | None = None
    limits: str | None = None

    def uncertainty(self) -> Uncertainty | None:
        """Return the set that the options describe, None if there is no budget among them."""
        budgets = {
            "--local": self.local,
            "--global": self.global_,
            "--local-budget": self.local_budget,
            "--global-budget": self.global_budget,
        }
        given = [flag for flag, value in budgets.items() if value is not None]
        if len(given) > 1:
            raise InputError(f"at most one budget can be given; got {' and '.join(given)}.")
        if not given:
            if self.prices is not None or self.limits is not None:
                flag = "--limits" if self.prices is None else "--prices"
                raise InputError(f"{flag} needs a budget; add one of {', '.join(budgets)}.")
            return None
        kind = LocalBudget if "local" in given[0] else GlobalBudget
        measure = "budget" if given[0].endswith("-budget") else "fraction"
        prices: Any = self.prices
        if prices is not None and prices.strip() != "range":
            prices = listed(prices, "--prices", float, '"range" or ')
        limits: Any = None if self.limits is None else listed(self.limits, "--limits", float, "a number or ")
        options: dict[str, Any] = {}
        # One after the other, so that an error names the option that it is about.
        for flag, name, value in (
            (given[0], measure, budgets[given[0]]),
            ("--prices", "prices", prices),
            ("--limits", "limits", limits[0] if limits and len(limits) == 1 else limits),
        ):
            options[name] = value
            try:
                described = kind(**options)
            except InputError as error:
                raise InputError(f"{flag}: {error}") from None
        size, flag = float(budgets[given[0]] or 0.0), given[0]
        if measure == "fraction" and size > 1.0:
            note(f"{flag} {size:g} means {size:g} times depth and largest range; an amount is given by {flag}-budget")
        return described


def listed(text: str, flag: str, kind: Callable[[str], Any] = str, otherwise: str = "") -> list[Any]:
    """Return what is separated by commas; `otherwise` is what the option may be instead, for the message."""
    try:
        return [kind(part.strip()) for part in text.split(",")]
    except ValueError:
        what = "whole numbers" if kind is int else "numbers"
        raise InputError(f"{flag} must be {otherwise}{what} separated by commas; got {in_short(text)}.") from None


def wishes_of(given: str | None, **others: Any) -> Wishes | None:
    """Return the wishes of a JSON text or file, and of single options.

    >>> wishes_of('{"max_items": 2}', ask_first="Dock Road").given
    ('ask_first', 'max_items')
    """
    parts: dict[str, Any] = {}
    if given is not None:
        try:
            parts = json_in(given, "wishes") if given.lstrip().startswith("{") else read_json(given, "wishes")
        except HedgerowError as error:
            raise InputError(f"--wishes: {error}") from None
        if not isinstance(parts, dict):
            raise InputError(f"--wishes must be a JSON object or a file with one; got {in_short(parts)}.")
    return Wishes.of({**parts, **{name: value for name, value in others.items() if value is not None}})


def questions_named(given: str) -> list[Any]:
    """Return what `questions=` takes for kinds that are separated by commas; a name that ends in .json is a file."""
    return [_questions_in(part) if part.endswith(".json") else part for part in map(str.strip, given.split(","))]


def _questions_in(path: str) -> Any:
    try:
        return read_json(path, "a set of questions")
    except FileFormatError as error:
        raise InputError(f"{path}: {error}") from None


def seconds(limit: float) -> float | None:
    """Return a time limit as `solve` takes it: None for no limit."""
    return None if limit == math.inf else limit
