"""The table of commands: a new one is a function here and its options in `options.toml`."""

__all__ = ["app"]

import inspect
from typing import Annotated

import typer

from hedgerow._version import __version__
from hedgerow.cli.alternatives import alternatives
from hedgerow.cli.evaluate import evaluate
from hedgerow.cli.experiment import experiment
from hedgerow.cli.explain import explain
from hedgerow.cli.fit import fit
from hedgerow.cli.group import HedgerowGroup
from hedgerow.cli.judged import compare, tune
from hedgerow.cli.options import as_command
from hedgerow.cli.starting import demo, generate, warm_up
from hedgerow.cli.tree_files import export, predict, report
from hedgerow.cli.watch import watch

_COMMANDS = (
    demo, fit, tune, compare, alternatives, predict, evaluate, explain, export, watch, report, experiment, generate,
    warm_up,
)  # fmt: skip
_WITHOUT_TABLES = (demo, export, experiment, warm_up)
_EXAMPLES = """
    hedgerow demo
    hedgerow generate shortest-path -o costs.csv
    hedgerow fit grid:4 costs.csv --local 0.05 -o tree.json
    hedgerow predict tree.json costs.csv -o decisions.csv
    hedgerow evaluate tree.json costs.csv
    hedgerow explain tree.json costs.csv
    hedgerow export tree.json --to rules
    hedgerow report tree.json costs.csv -o report.html
"""


def _shown(examples: str) -> str:
    """Return the end of a command's help: one command per line, ready to be copied."""
    return "\n\n".join(["[bold]Examples[/bold]", *(line.strip() for line in examples.strip().splitlines())])


app = typer.Typer(
    cls=HedgerowGroup,
    name="hedgerow",
    help="Robust, readable decision trees for optimisation problems.",
    epilog=_shown(_EXAMPLES),
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


for _command in _COMMANDS:
    _text, _, _examples = inspect.cleandoc(_command.__doc__ or "").partition("\n\nExamples\n--------\n")
    # Lines are broken where the terminal ends, not where the source does.
    _paragraphs = [paragraph.replace("\n", " ") for paragraph in _text.split("\n\n")]
    app.command(_command.__name__.replace("_", "-"), help="\n\n".join(_paragraphs), epilog=_shown(_examples))(
        as_command(_command, tables=_command not in _WITHOUT_TABLES)
    )
