"""`hedgerow demo`: a rule that a misreading breaks, the best rule that withstands it, proven, and a town's report."""

__all__ = ["DEFAULT_NAME", "demo", "report_of_a_town", "two_ways"]

import textwrap
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np

from hedgerow.cli import shared
from hedgerow.cli.evaluate import show_hurt
from hedgerow.cli.output import check_output, show, table_text
from hedgerow.errors import InputError
from hedgerow.rules import RuleBook
from hedgerow.uncertainty import GlobalBudget, LocalBudget
from hedgerow.wording.numbers import reading

DEFAULT_NAME: Final = "hedgerow-demo-report.html"
_WIDTH: Final = 80
_BUDGET: Final = 5.0
_TOWN_BUDGET: Final = 2.0

_OUTPUT = shared.option("FILE", "The report.", "--output", "-o")


def demo(output: Annotated[Path, _OUTPUT] = Path(DEFAULT_NAME)) -> None:
    """Do the main job on built-in examples: rules, evaluation, the adversary's best attack, a proof, a report."""
    check_output(output)
    promised, value = two_ways()
    proof = report_of_a_town(output)
    _chapter("In short")
    _say(
        f"Proven: {value} min in the worst case is the least for the two ways; the first rule promises {promised}. "
        "(The paper's text says 41; but when day 2 is misread it takes 13 min, not 6, and 36 + 7 are 43.)"
    )
    _say(f"The town: {proof[0].lower()}{proof[1:]}")
    _say(
        "The paper's second experiment (experiments/README.md): Hedgerow proves 640 of 640 trees best, the paper's "
        "exact method 134, with an hour for each. The command make experiments repeats a part of it."
    )
    _chapter("Your own data")
    _say("A row per day and a column per item in costs.csv; PROBLEM is grid:4, selection:40:10 or a file:")
    show("hedgerow fit PROBLEM costs.csv --local 0.05")


def two_ways() -> tuple[str, str]:
    """Print the paper's example: a rule that is broken, and the best one; return what both promise."""
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
    show(table_text(["day", *problem.item_names, *map(problem.describe, ways)], days, right=range(7)))
    _say(f"Minutes. Taking each day's better way would take {reading(totals.min(axis=1).sum())} in all.")
    _chapter("A rule that a misreading breaks")
    before = reading(_shown(simple, costs).robust)
    _chapter("The best rule that withstands it")
    after = reading(_shown(model.rulebook_, costs).robust)
    _say(
        f"Proven: no rule with at most {model.depth} questions in a row can promise less than "
        f"{reading(model.result_.lower_bound)} min, whatever its thresholds, even if each is off by "
        f"{model.result_.threshold_margin:g}."
    )
    return before, after


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


def report_of_a_town(path: Path) -> str:
    """Fit rules for the ways through a town, write their report, and return what is proven about them."""
    from hedgerow.datasets import city_routes
    from hedgerow.estimator import RobustTree
    from hedgerow.report import write_report

    problem, train, test = city_routes()
    _chapter("A town, and a page for its planner")
    model = RobustTree(problem, uncertainty=LocalBudget(_TOWN_BUDGET), method="exact", time_limit=60.0, random_state=0)
    rules = model.fit(train).rulebook_
    _say(
        f"An ambulance, {len(problem.item_names)} streets, {len(train)} days of travel times. Every morning the "
        f"readings may be wrong by {_TOWN_BUDGET:g} min in all. The best rules with at most two questions in a row:"
    )
    show(f"\n{rules.export('text')!s}")
    try:
        write_report(rules, path, train, test=test, title="Aldermere: from the depot to the hospital")
    except InputError as error:  # Jinja2 is missing
        _say(f"The page that shows them can't be written: {error}")
    else:
        _say("Move the sliders, and see when the advice changes and how sure it is:")
        show(path.absolute())
    return model.result_.summary


def _chapter(title: str) -> None:
    show(f"\n{title} {'─' * (_WIDTH - len(title) - 1)}")


def _say(text: str) -> None:
    show(textwrap.fill(text, _WIDTH))
