"""`hedgerow report`: a tree file in, one HTML page out that a planner can use."""

__all__ = ["report"]

from pathlib import Path

from hedgerow.arrays import FloatArray
from hedgerow.cli.files import check_output, is_standard_output, put_out
from hedgerow.cli.inputs import read_rules, readings_in, unused_columns, weights_in
from hedgerow.cli.notes import Notes, note
from hedgerow.data_files import read_table
from hedgerow.errors import InputError
from hedgerow.rulebook import RuleBook


def report(
    tree: Path,
    costs: Path | None = None,
    output: Path = Path("report.html"),
    test: Path | None = None,
    observations: Path | None = None,
    test_observations: Path | None = None,
    weights: str | None = None,
    include_samples: bool = False,
    title: str | None = None,
    language: str | None = None,
) -> None:
    """Write a report of a tree: one HTML file that works offline.

    With COSTS.csv it shows the worst misreading of the training data, too, and with --test how the tree does on
    samples that it was not fitted to.

    Examples
    --------
    hedgerow report tree.json -o report.html
    hedgerow report tree.json costs.csv --test later.csv -o report.html
    """
    # Imported here: `hedgerow --help` need not wait for it.
    from hedgerow.report import report_html

    check_output(output)
    if include_samples and costs is None:
        raise InputError("--include-samples needs the samples: hedgerow report TREE.json COSTS.csv --include-samples.")
    rules, notes = read_rules(tree, named=False), Notes()
    named = {
        "tree": tree,
        "costs": costs,
        "test": test,
        "observations": observations,
        "test_observations": test_observations,
    }
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
        file_names={name: str(path) for name, path in named.items() if path is not None},
    )
    notes.show()
    put_out(output, page)
    if not is_standard_output(output):
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
