"""`hedgerow report`: a tree as a page that works offline."""

__all__ = ["report"]

from pathlib import Path
from typing import Annotated

from hedgerow.cli import shared
from hedgerow.cli.inputs import read_rules, samples_of
from hedgerow.cli.output import check_output, note, put_out

_COSTS = shared.argument("[COSTS.csv]", "The samples that the tree was fitted to.")
_TEST = shared.option("TEST.csv", "Held-out samples, for figures on unseen data.")


def report(
    tree: shared.Tree,
    costs: Annotated[Path | None, _COSTS] = None,
    output: Annotated[Path, shared.option("FILE", "The page.", "--output", "-o")] = Path("report.html"),
    test: Annotated[Path | None, _TEST] = None,
    readings: shared.Readings = None,
    context: shared.Context = None,
    test_readings: Annotated[
        Path | None, shared.option("FILE", "The same as --readings for the rows of --test.")
    ] = None,
    test_context: Annotated[Path | None, shared.option("FILE", "The same as --context for the rows of --test.")] = None,
    weights: shared.Weights = None,
    title: Annotated[str | None, shared.option("TEXT", "The page's title.")] = None,
) -> None:
    """Write a report of a tree: one HTML file that works offline.

    With COSTS.csv it shows the worst misreading of the training data, too, and with --test how the tree does on
    samples that it was not fitted to.
    """
    from hedgerow.report import report_html

    check_output(output)
    rules = read_rules(tree, named=False)
    _, trained = samples_of(rules, costs, readings, context, weights)
    _, held_out = samples_of(rules, test, test_readings, test_context, prefix="test-")
    page = report_html(
        rules,
        trained.pop("costs", None),
        test=held_out.pop("costs", None),
        **trained,
        **{f"test_{name}": matrix for name, matrix in held_out.items()},
        title=title,
    )
    put_out(output, page)
    note(f"open {output} in a browser")
