"""The table of commands: a new one is a file beside this one and a line here."""

__all__ = ["app"]

from typing import Annotated

import typer

from hedgerow._version import __version__
from hedgerow.cli.demo import demo
from hedgerow.cli.evaluate import evaluate
from hedgerow.cli.fit import fit
from hedgerow.cli.generate import generate
from hedgerow.cli.group import HedgerowGroup
from hedgerow.cli.predict import predict
from hedgerow.cli.report import report

app = typer.Typer(
    cls=HedgerowGroup,
    name="hedgerow",
    help="Robust, readable decision trees for optimisation problems.",
    pretty_exceptions_enable=False,
    add_completion=False,
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


app.command()(demo)
app.command()(fit)
app.command()(predict)
app.command()(evaluate)
app.command()(report)
app.command()(generate)
