"""The demo's last chapter: a town's routes, a rule book for its ambulance, and the page that its planner uses."""

__all__ = ["DEFAULT_NAME", "report_of_a_town"]

import tempfile
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.text import Text

from hedgerow.datasets import city_routes
from hedgerow.errors import InputError
from hedgerow.estimator import RobustTree
from hedgerow.uncertainty import LocalBudget
from hedgerow.writing import write_text

DEFAULT_NAME: Final = "hedgerow-demo-report.html"
_WIDTH: Final = 80
_BUDGET: Final = 2.0


def report_of_a_town(console: Console, path: Path | None = None) -> Path | None:
    """Fit a rule book for the ways through a town, write its report and say where it is.

    Parameters
    ----------
    console
        Where to print.
    path
        Where the report goes; by default the working directory, or a temporary one where that can't be written to.

    Returns
    -------
    Where the report is; None if Jinja2, which it needs, is missing.

    Examples
    --------
    >>> import io, tempfile
    >>> from pathlib import Path
    >>> from rich.console import Console
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report_of_a_town(Console(file=io.StringIO()), Path(folder) / "town.html").name
    'town.html'
    """
    width = min(console.width, _WIDTH)
    problem, train, test = city_routes()
    console.print()
    console.rule("[bold]A town, and a page for its planner", align="left")
    with console.status("looking for the best rules …"):
        model = RobustTree(
            problem, depth=2, uncertainty=LocalBudget(_BUDGET), method="exact", time_limit=10.0, random_state=0
        ).fit(train)
    console.print(
        Text(
            f"An ambulance, {len(problem.item_names)} streets, {len(train)} days of travel times. Every morning the "
            f"readings may be wrong by {_BUDGET:g} min in all. The best rules with at most two questions in a row:"
        ),
        width=width,
    )
    console.print(Text(f"\n{model.tree_.to_text(problem.item_names, problem.describe)}\n"), width=width)
    try:
        page = _page(model, train, test)
    except InputError as error:
        console.print(Text(f"The page that shows them can't be written: {error}"), width=width)
        return None
    place = _written(page, path)
    console.print(Text("Move the sliders, and see when the advice changes and how sure it is:"), width=width)
    # On a line of its own and never broken: it is to be copied.
    console.print(Text(str(place), "bold"), soft_wrap=True)
    return place


def _page(model: RobustTree, train: object, test: object) -> str:
    from hedgerow.report import report_html

    title = "Aldermere: from the depot to the hospital"
    return report_html(model, train, test=test, include_samples=True, title=title)


def _written(page: str, path: Path | None) -> Path:
    """Write the page where it was asked for, or else where it can be written."""
    if path is not None:
        write_text(path, page)
        return path
    place = Path.cwd() / DEFAULT_NAME
    try:
        write_text(place, page)
    except OSError:
        place = Path(tempfile.mkdtemp(prefix="hedgerow-")) / DEFAULT_NAME
        write_text(place, page)
    return place
