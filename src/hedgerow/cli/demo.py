"""`hedgerow demo`: the main job on built-in examples, from a rule that fails to a page that a planner can use."""

__all__ = ["EXAMPLES", "demo"]

from pathlib import Path
from typing import Annotated

import typer

from hedgerow.cli.files import check_output
from hedgerow.cli.options import examples

EXAMPLES = examples("hedgerow demo", "hedgerow demo -o town.html")


def demo(
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="The report; hedgerow-demo-report.html here by default."),
    ] = None,
) -> None:
    """Do the main job on built-in examples: rules, evaluation, the adversary's best attack, a proof, a report."""
    from rich.console import Console

    from hedgerow.demo import run_demo
    from hedgerow.demo_report import report_of_a_town

    check_output(output)
    console = Console()
    run_demo(console)
    report_of_a_town(console, output)
