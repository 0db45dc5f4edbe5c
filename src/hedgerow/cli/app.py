"""The table of commands, where a new one is a function and a line with an example; and how every command ends.

Exit statuses: 0 done, 2 bad use or bad input, 130 interrupted.
"""

import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from typing import Annotated, Any, Final

import typer

from hedgerow import __version__
from hedgerow.cli.examples import demo, generate, warm_up
from hedgerow.cli.fitting import alternatives, compare, fit, tune
from hedgerow.cli.output import tell
from hedgerow.cli.reading import evaluate, explain, export, predict, refit, report, watch
from hedgerow.cli.shared import flattened
from hedgerow.errors import HedgerowError

_COMMANDS: dict[Callable[..., None], str] = {
    demo: "hedgerow demo -o town.html",
    fit: "hedgerow fit grid:4 costs.csv --local 0.05 -o tree.json",
    tune: "hedgerow tune plan.toml prices.csv --readings forecasts.csv",
    compare: "hedgerow compare plan.toml prices.csv --readings forecasts.csv --train 363",
    alternatives: "hedgerow alternatives grid:4 costs.csv --local 0.05 --report choose.html --save rules",
    predict: "hedgerow predict tree.json today.csv -o decisions.csv",
    evaluate: "hedgerow evaluate tree.json test.csv --global-budget 9",
    explain: "hedgerow explain tree.json history.csv --row 12",
    export: "hedgerow export tree.json --to sql --table readings -o advise.sql",
    report: "hedgerow report tree.json costs.csv --test later.csv -o report.html",
    watch: "hedgerow watch rules.json --costs new.csv --reference held_out.csv",
    refit: "hedgerow refit rules.json new.csv --max-changes 1 --report changes.html -o new.json",
    generate: "hedgerow generate shortest-path --grid 4 --samples 20 -o costs.csv",
    warm_up: "NUMBA_CACHE_DIR=/opt/hedgerow-kernels hedgerow warm-up",
}
"""All commands in the order of the help, with an example of each."""


app = typer.Typer(
    name="hedgerow",
    help="Robust, readable decision trees for optimisation problems.",
    epilog=f"[bold]Example[/bold]\n\n{_COMMANDS[fit]}",
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)


@app.callback(invoke_without_command=True)
def _hedgerow(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and leave.")] = False,
) -> None:
    if version:
        print(f"hedgerow {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())
        raise typer.Exit


for _command, _example in _COMMANDS.items():
    _run = _command if _command in (demo, warm_up) else flattened(_command)
    app.command(_command.__name__.replace("_", "-"), epilog=f"[bold]Example[/bold]\n\n{_example}")(_run)


# -- the way in --------------------------------------------------------------------------------------------------------

_BAD_USE: Final = 2
_FAILED: Final = 1
_INTERRUPTED: Final = 130

# Typer keeps the base of its usage errors to itself, and has moved it between versions; its heirs are public.
_UsageError: Final[Any] = typer.BadParameter.__mro__[2]


def main() -> None:
    """Run the command line; the console script `hedgerow` ends up here."""
    # A polite request to end, such as a scheduler's, counts as Ctrl-C: the best tree so far is saved.
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # Advice may hold letters that an old terminal lacks; that must not cost the answer.
            stream.reconfigure(errors="backslashreplace")
    status = status_of(sys.argv[1:])
    if any(thread.name.startswith("hedgerow-mip") for thread in threading.enumerate()):
        # A MIP solver that was abandoned still runs; all results are written by now.
        sys.stdout.flush()
        os._exit(status)
    sys.exit(status)


def status_of(words: Sequence[str]) -> int:
    """Run a command and return its exit status; whatever is wrong with its input is said in one sentence."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_, **__: tell(str(message).rstrip("."))
            command = typer.main.get_command(app)
            status = command.main([*words], "hedgerow", standalone_mode=False, obj=[*words])
    except (KeyboardInterrupt, typer.Abort):
        return _complain("interrupted", _INTERRUPTED)
    except HedgerowError as error:
        return _complain(str(error), _BAD_USE)
    except _UsageError as error:
        return _complain(error.format_message(), _BAD_USE)
    except MemoryError:
        return _complain("there is not enough memory for this; use fewer rows or columns", _FAILED)
    except OSError as error:
        return _complain(f"{error.filename or ''}: {error.strerror or error}".removeprefix(": "), _BAD_USE)
    if status == _INTERRUPTED:  # so some versions of typer answer Ctrl-C, without a word
        return _complain("interrupted", _INTERRUPTED)
    return status if isinstance(status, int) else 0


def _complain(message: str, status: int) -> int:
    sentence = " ".join(message.split()).rstrip(".")
    tell(f"hedgerow: {sentence}{'' if sentence.endswith(('?', '!')) else '.'}")
    return status
