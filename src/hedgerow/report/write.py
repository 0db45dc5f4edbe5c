"""What users call: a fitted tree in, one HTML page out."""

__all__ = ["report_html", "write_report"]

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hedgerow.report.data import gather
from hedgerow.report.facts import facts_for_script
from hedgerow.report.rendering import render
from hedgerow.report.sections import sections
from hedgerow.writing import check_writable, write_text


def report_html(
    source: Any,
    costs: Any = None,
    *,
    test: Any = None,
    observations: Any = None,
    test_observations: Any = None,
    sample_weight: Any = None,
    include_samples: bool = False,
    title: str | None = None,
    file_names: Mapping[str, str] | None = None,
    language: str | None = None,
) -> str:
    """Return the report of a tree as the text of one HTML page that needs nothing else, not even a network.

    Parameters
    ----------
    source
        A fitted `RobustTree`, a `RuleBook`, or the path of a tree file.
    costs
        The training data, N × items: with it the page shows the worst misreading. A DataFrame's columns are
        matched to the items by name.
    test
        Held-out data, for figures on samples that the tree was not fitted to.
    observations, test_observations
        What was observed, where the tree asks about other features than the costs, or learnt from readings of them.
    sample_weight
        One non-negative number per row of `costs`.
    include_samples
        Whether the rows of `costs` may be put into the page; only summaries are otherwise.
    title
        The page's title.
    file_names
        What the files are called in the commands that reproduce the report, under "tree", "costs", "test",
        "observations" and "test_observations".
    language
        The page's language, such as "de"; that of the reader's browser, as far as it is known, if left out. The page
        has a switch.

    Raises
    ------
    InputError
        If the data doesn't belong to the tree, or the page would be too large.

    Examples
    --------
    >>> from hedgerow import RobustTree
    >>> from hedgerow.problems import Selection
    >>> from hedgerow.report import report_html
    >>> model = RobustTree(Selection(2, 1), method="one_solution").fit([[1.0, 3.0], [4.0, 2.0]])
    >>> page = report_html(model, title="Two tasks")
    >>> "<title>Two tasks</title>" in page, "://" in page
    (True, False)
    """
    data = gather(
        source,
        costs,
        test=test,
        observations=observations,
        test_observations=test_observations,
        sample_weight=sample_weight,
        include_samples=include_samples,
        title=title,
        file_names=file_names or {},
        language=language,
    )
    return render(sections(data), facts_for_script(data))


def write_report(source: Any, path: str | Path, costs: Any = None, **options: Any) -> None:
    """Write the report of a tree to a file, in one step.

    Parameters
    ----------
    source
        A fitted `RobustTree`, a `RuleBook`, or the path of a tree file.
    path
        Where the page goes, such as "report.html".
    costs
        The training data, N × items.
    options
        Those of `report_html`.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from hedgerow import RobustTree
    >>> from hedgerow.problems import Selection
    >>> from hedgerow.report import write_report
    >>> model = RobustTree(Selection(2, 1), method="one_solution").fit([[1.0, 3.0], [4.0, 2.0]])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_report(model, Path(folder) / "report.html")
    ...     Path(folder, "report.html").read_text(encoding="utf-8")[:15]
    '<!doctype html>'
    """
    check_writable(path)  # before the work, not after it
    write_text(path, report_html(source, costs, **options))
