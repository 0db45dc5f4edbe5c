"""The table of commands: a new one is a file beside this one and a line here."""

__all__ = ["app"]

import inspect
from collections.abc import Callable
from typing import Annotated

import typer

from hedgerow._version import __version__
from hedgerow.cli.evaluate import EXAMPLES as EVALUATE_EXAMPLES
from hedgerow.cli.evaluate import evaluate
from hedgerow.cli.export import EXAMPLES as EXPORT_EXAMPLES
from hedgerow.cli.export import export
from hedgerow.cli.fit import EXAMPLES as FIT_EXAMPLES
from hedgerow.cli.fit import fit
from hedgerow.cli.generate import EXAMPLES as GENERATE_EXAMPLES
from hedgerow.cli.generate import generate
from hedgerow.cli.group import HedgerowGroup
from hedgerow.cli.options import examples
from hedgerow.cli.predict import EXAMPLES as PREDICT_EXAMPLES
from hedgerow.cli.predict import predict
from hedgerow.cli.tune import EXAMPLES as TUNE_EXAMPLES
from hedgerow.cli.tune import tune

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


@app.command(epilog=examples("hedgerow demo", "hedgerow demo | less"))
def demo() -> None:
    """Do the main job on a built-in example: rules, evaluation, the adversary's best attack, and a proof."""
    from rich.console import Console

    from hedgerow.demo import run_demo

    run_demo(Console())


def _add(command: Callable[..., None], its_examples: str) -> None:
    # Lines are broken where the terminal ends, not where the source does.
    paragraphs = inspect.cleandoc(command.__doc__ or "").split("\n\n")
    text = "\n\n".join(paragraph.replace("\n", " ") for paragraph in paragraphs)
    app.command(help=text, epilog=its_examples)(command)


_add(fit, FIT_EXAMPLES)
_add(tune, TUNE_EXAMPLES)
_add(predict, PREDICT_EXAMPLES)
_add(evaluate, EVALUATE_EXAMPLES)
_add(export, EXPORT_EXAMPLES)
_add(generate, GENERATE_EXAMPLES)
