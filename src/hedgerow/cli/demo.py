"""`hedgerow demo`: a rule that a misreading breaks, the best rule that withstands it, proven, and a town's report."""

__all__ = ["DEFAULT_NAME", "demo", "report_of_a_town", "two_ways"]

import tempfile
import textwrap
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np

from hedgerow.cli import shared
from hedgerow.cli.evaluate import show_hurt
from hedgerow.cli.output import check_output, show, show_table
from hedgerow.errors import InputError
from hedgerow.rules import RuleBook
from hedgerow.uncertainty import GlobalBudget, LocalBudget
from hedgerow.wording.numbers import reading

DEFAULT_NAME: Final = "hedgerow-demo-report.html"
_WIDTH: Final = 80
_BUDGET: Final = 5.0
_TOWN_BUDGET: Final = 2.0

_OUTPUT = shared.option("FILE", f"The report; {DEFAULT_NAME} here by default.", "--output", "-o")


def demo(output: Annotated[Path | None, _OUTPUT] = None) -> None:
    """Do the main job on built-in examples: rules, evaluation, the adversary's best attack, a proof, a report."""
    check_output(output)
    two_ways()
    report_of_a_town(output)
    _chapter("Your own data")
    _say("A row per day and a column per item in costs.csv; PROBLEM is grid:4, selection:40:10 or a file:")
    show("hedgerow fit PROBLEM costs.csv --local 0.05")


def two_ways() -> None:
    """Print the paper's example: two ways, five days, a rule that is broken, and the best rule."""
    from hedgerow.datasets import motivating_example
    from hedgerow.estimator import RobustTree
    from hedgerow.tree.tree import Tree

    problem, costs = motivating_example()
    ways = np.array([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]])
    budget = GlobalBudget(_BUDGET)
    simple = RuleBook(Tree.full([0], [5.0], ways), problem.item_names, problem=problem, uncertainty=budget)
    model = RobustTree(problem, uncertainty=budget, method="exact", time_limit=None, random_state=0).fit(costs)
    _chapter("Two ways and five days")
    totals = problem.costs(ways, costs)
    days = [[str(day + 1), *map(reading, [*row, *totals[day]])] for day, row in enumerate(costs)]
    show_table(["day", *problem.item_names, *map(problem.describe, ways)], days, right=range(7))
    _say(f"Minutes. Taking each day's better way would take {reading(totals.min(axis=1).sum())} in all.")
    _chapter("A rule that a misreading breaks")
    before = _shown(simple, costs)
    _chapter("The best rule that withstands it")
    _shown(model.rulebook_, costs)
    _say(
        f"Proven: no rule with at most {model.depth} questions in a row can promise less than "
        f"{reading(model.result_.lower_bound)} min, whatever its thresholds, even if each is off by "
        f"{model.result_.threshold_margin:g}. The first rule promises {reading(before.robust)}."
    )


def _shown(rules: RuleBook, costs: Any) -> Any:
    """Print a rule, what it costs, and the worst that readings within the budget can do to it; return the figures."""
    result = rules.evaluate(costs)
    show(f"{str(rules.export('text')).rstrip()}\n")
    _say(
        f"As read it takes {reading(result.nominal)} min in all, at worst {reading(result.robust)} min, if readings "
        f"are wrong by {_BUDGET:g} min in all at most:"
    )
    show_hurt(rules, result.attack, "day", [str(day) for day in range(1, len(costs) + 1)])
    show()
    return result


def report_of_a_town(path: Path | None = None) -> Path | None:
    """Fit rules for the ways through a town, write their report, and return where that is; None without Jinja2.

    By default it goes to the working directory, or to a temporary one where that can't be written to.
    """
    from hedgerow.datasets import city_routes
    from hedgerow.estimator import RobustTree
    from hedgerow.report import write_report

    problem, train, test = city_routes()
    _chapter("A town, and a page for its planner")
    model = RobustTree(problem, uncertainty=LocalBudget(_TOWN_BUDGET), method="exact", time_limit=10.0, random_state=0)
    rules = model.fit(train).rulebook_
    _say(
        f"An ambulance, {len(problem.item_names)} streets, {len(train)} days of travel times. Every morning the "
        f"readings may be wrong by {_TOWN_BUDGET:g} min in all. The best rules with at most two questions in a row:"
    )
    show(f"\n{rules.export('text')!s}")
    place = Path(DEFAULT_NAME).absolute() if path is None else path
    options: dict[str, Any] = {"test": test, "title": "Aldermere: from the depot to the hospital"}
    try:
        write_report(rules, place, train, **options)
    except InputError as error:
        _say(f"The page that shows them can't be written: {error}")
        return None
    except OSError:
        if path is not None:
            raise
        place = Path(tempfile.mkdtemp(prefix="hedgerow-")) / DEFAULT_NAME
        write_report(rules, place, train, **options)
    _say("Move the sliders, and see when the advice changes and how sure it is:")
    show(place)
    return place


def _chapter(title: str) -> None:
    show(f"\n{title} {'─' * (_WIDTH - len(title) - 1)}")


def _say(text: str) -> None:
    show(textwrap.fill(text, _WIDTH))
