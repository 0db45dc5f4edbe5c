"""The table of commands: a new one is a function, whose docstring begins its help, with options in `options.toml`."""

__all__ = ["app"]

from typing import Annotated

import typer

from hedgerow import __version__
from hedgerow.cli.alternatives import alternatives
from hedgerow.cli.evaluate import evaluate
from hedgerow.cli.explain import explain
from hedgerow.cli.fit import fit
from hedgerow.cli.group import HedgerowGroup
from hedgerow.cli.judged import compare, tune
from hedgerow.cli.options import DECLARED, as_command
from hedgerow.cli.starting import demo, generate, warm_up
from hedgerow.cli.tree_files import export, predict, report
from hedgerow.cli.watch import watch

_COMMANDS = (
    demo, fit, tune, compare, alternatives, predict, evaluate, explain, export, watch, report, generate, warm_up,
)  # fmt: skip
_WITHOUT_TABLES = (demo, export, warm_up)


def _shown(examples: str) -> str:
    """Return the end of a command's help: one command per line, ready to be copied."""
    return "\n\n".join(["[bold]Examples[/bold]", *(line.strip() for line in examples.strip().splitlines())])


app = typer.Typer(
    cls=HedgerowGroup,
    name="hedgerow",
    help=DECLARED["hedgerow"]["help"],
    epilog=_shown(DECLARED["hedgerow"]["examples"]),
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
    _words = DECLARED[_command.__name__]
    _help = "\n\n".join(filter(None, (_command.__doc__, _words.get("more"))))
    app.command(_command.__name__.replace("_", "-"), help=_help, epilog=_shown(_words["examples"]))(
        as_command(_command, tables=_command not in _WITHOUT_TABLES)
    )
