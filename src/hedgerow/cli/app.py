"""The table of commands: a new one is a file beside this one and a line here."""

__all__ = ["app"]

import inspect
from collections.abc import Callable
from typing import Annotated

import typer

from hedgerow._version import __version__
from hedgerow.cli import (
    alternatives,
    compare,
    demo,
    evaluate,
    experiment,
    explain,
    export,
    fit,
    generate,
    predict,
    report,
    tune,
    warm_up,
    watch,
)
from hedgerow.cli.group import HedgerowGroup
from hedgerow.cli.options import examples
from hedgerow.cli.tables import with_table_options

app = typer.Typer(
    cls=HedgerowGroup,
    name="hedgerow",
    help="Robust, readable decision trees for optimisation problems.",
    epilog=examples(
        "hedgerow demo",
        "hedgerow generate shortest-path -o costs.csv",
        "hedgerow fit grid:4 costs.csv --local 0.05 -o tree.json",
        "hedgerow predict tree.json costs.csv -o decisions.csv",
        "hedgerow evaluate tree.json costs.csv",
        "hedgerow explain tree.json costs.csv",
        "hedgerow export tree.json --to rules",
        "hedgerow report tree.json costs.csv -o report.html",
    ),
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


def _add(command: Callable[..., None], its_examples: str, *, tables: bool = True) -> None:
    # Lines are broken where the terminal ends, not where the source does.
    paragraphs = inspect.cleandoc(command.__doc__ or "").split("\n\n")
    text = "\n\n".join(paragraph.replace("\n", " ") for paragraph in paragraphs)
    app.command(command.__name__.replace("_", "-"), help=text, epilog=its_examples)(
        with_table_options(command) if tables else command
    )


_add(demo.demo, demo.EXAMPLES, tables=False)
_add(fit.fit, fit.EXAMPLES)
_add(tune.tune, tune.EXAMPLES)
_add(compare.compare, compare.EXAMPLES)
_add(alternatives.alternatives, alternatives.EXAMPLES)
_add(predict.predict, predict.EXAMPLES)
_add(evaluate.evaluate, evaluate.EXAMPLES)
_add(explain.explain, explain.EXAMPLES)
_add(export.export, export.EXAMPLES, tables=False)
_add(watch.watch, watch.EXAMPLES)
_add(report.report, report.EXAMPLES)
_add(experiment.experiment, experiment.EXAMPLES, tables=False)
_add(generate.generate, generate.EXAMPLES)
_add(warm_up.warm_up, warm_up.EXAMPLES, tables=False)
