"""`hedgerow report`: a tree file in, one HTML page out that a planner can use."""

__all__ = ["EXAMPLES", "report"]

import sys
from pathlib import Path
from typing import Annotated

import typer

from hedgerow.arrays import FloatArray
from hedgerow.cli.files import check_output
from hedgerow.cli.notes import Notes, note
from hedgerow.cli.options import ObservationsOption, TreeArgument, WeightsOption, examples, unused_columns, weights_in
from hedgerow.cli.rules import read_rules, readings_in
from hedgerow.data_files import read_table
from hedgerow.errors import InputError
from hedgerow.rulebook import RuleBook
from hedgerow.writing import write_text

EXAMPLES = examples(
    "hedgerow report tree.json -o report.html",
    "hedgerow report tree.json costs.csv --test later.csv -o report.html",
)


def report(
    tree: TreeArgument,
    costs: Annotated[
        Path | None, typer.Argument(metavar="[COSTS.csv]", help="The samples that the tree was fitted to.")
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The page.")] = Path("report.html"),
    test: Annotated[
        Path | None, typer.Option("--test", metavar="TEST.csv", help="Held-out samples, for figures on unseen data.")
    ] = None,
    observations: ObservationsOption = None,
    test_observations: Annotated[
        Path | None, typer.Option("--test-observations", metavar="FILE", help="The same for the rows of --test.")
    ] = None,
    weights: WeightsOption = None,
    include_samples: Annotated[
        bool, typer.Option("--include-samples", help="Put the samples into the page; only summaries otherwise.")
    ] = False,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="The page's title.")] = None,
    language: Annotated[
        str | None, typer.Option(metavar="NAME", help="The page's language, such as de; the browser's by default.")
    ] = None,
) -> None:
    """Write a report of a tree: one HTML file that works offline.

    With COSTS.csv it shows the worst misreading of the training data, too, and with --test how the tree does on
    samples that it was not fitted to.
    """
    # Imported here: `hedgerow --help` need not wait for it.
    from hedgerow.report import report_html

    check_output(output)
    if include_samples and costs is None:
        raise InputError("--include-samples needs the samples: hedgerow report TREE.json COSTS.csv --include-samples.")
    rules, notes = read_rules(tree, named=False), Notes()
    page = report_html(
        rules,
        None if costs is None else _costs(rules, costs, notes, weights),
        test=None if test is None else _costs(rules, test, notes),
        observations=_observed(rules, observations, costs, "--observations"),
        test_observations=_observed(rules, test_observations, test, "--test-observations"),
        sample_weight=None if costs is None else weights_in(read_table(costs), weights),
        include_samples=include_samples,
        title=title,
        language=language,
        file_names={
            name: str(path)
            for name, path in (
                ("tree", tree),
                ("costs", costs),
                ("test", test),
                ("observations", observations),
                ("test_observations", test_observations),
            )
            if path is not None
        },
    )
    notes.show()
    if str(output) == "-":
        sys.stdout.write(page)
        return
    write_text(output, page)
    note(f"open {output} in a browser")


def _costs(rules: RuleBook, path: Path, notes: Notes, weights: str | None = None) -> FloatArray:
    table, names = read_table(path), rules.needed_problem().item_names
    notes.add(unused_columns(table, names, weights))
    return table.numbers(names, "costs")


def _observed(rules: RuleBook, path: Path | None, costs: Path | None, flag: str) -> FloatArray | None:
    """Return what was observed, None where that is the costs; it must be given exactly where it is needed."""
    if costs is not None:
        return readings_in(rules, path, read_table(costs), flag)
    if path is not None:
        raise InputError(f"{flag} gives what was observed for samples, but these are not given.")
    return None
