"""Options of every command that reads or writes tables: how CSV files and workbooks are to be read."""

__all__ = ["with_table_options"]

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer

from hedgerow.cli.notes import show_guesses
from hedgerow.data_files.dialect import TableOptions, table_options


def _option(flag: str, metavar: str, words: str) -> inspect.Parameter:
    option = typer.Option(flag, metavar=metavar, help=words, rich_help_panel="Tables")
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(flag[2:], kind, default=None, annotation=Annotated[str | None, option])


_OPTIONS = (
    _option("--sep", "SIGN", 'What separates columns of CSV: ",", ";", "tab"; guessed if left out.'),
    _option("--decimal", "SIGN", 'The decimal sign of CSV: "." or ","; guessed if left out.'),
    _option("--encoding", "NAME", "The encoding of CSV, such as cp1250; UTF-8 or that of Windows if left out."),
    _option("--sheet", "NAME", "The sheet of Excel files; the first if left out."),
)


def with_table_options(command: Callable[..., None]) -> Callable[..., None]:
    """Return the command with the options above, under which it then runs; guesses are shown."""

    @functools.wraps(command)
    def run(*, sep: Any, decimal: Any, encoding: Any, sheet: Any, **given: Any) -> None:
        with table_options(TableOptions(sep, decimal, sheet, encoding)):
            command(**given)
            show_guesses()

    parameters = [*inspect.signature(command).parameters.values(), *_OPTIONS]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    del run.__wrapped__
    return run
