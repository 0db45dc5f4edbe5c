"""The table of commands: a new one is a function, whose docstring is its help, and a line with examples here."""

__all__ = ["app"]

from collections.abc import Callable
from typing import Annotated

import typer

from hedgerow import __version__
from hedgerow.cli.demo import demo
from hedgerow.cli.fitting import alternatives, compare, fit, tune
from hedgerow.cli.generate import generate, warm_up
from hedgerow.cli.reading import evaluate, explain, export, predict, report
from hedgerow.cli.renewal import refit, watch
from hedgerow.cli.shared import flattened

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
