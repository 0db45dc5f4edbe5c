"""Commands that need no data of one's own: `demo`, `generate` and `warm-up`."""

import textwrap
from pathlib import Path
from typing import Annotated, Final

from hedgerow.cli import shared
from hedgerow.cli.output import check_output, show, tell, write_output
from hedgerow.cli.reading import show_hurt
from hedgerow.data.checks import in_short
from hedgerow.errors import InputError
from hedgerow.rules import RuleBook
from hedgerow.uncertainty import GlobalBudget, LocalBudget
from hedgerow.wording.numbers import reading

# -- demo --------------------------------------------------------------------------------------------------------------

_WIDTH: Final = 80
_BUDGET: Final = 5.0
_TOWN_BUDGET: Final = 2.0

_OUTPUT = shared.option("FILE", "The report.", "--output", "-o")


def demo(output: Annotated[Path, _OUTPUT] = Path("hedgerow-demo-report.html")) -> None:
    """Do the main job on built-in examples: rules, evaluation, the adversary's best attack, a proof, a report."""
    check_output(output)
    _two_ways()
    _report_of_a_town(output)
    _chapter("Your own data")
    _say("A row per day and a column per item in costs.csv; PROBLEM is grid:4, selection:40:10 or a file:")
    show("hedgerow fit PROBLEM costs.csv --local 0.05")


def _two_ways() -> None:
    """Print the paper's example: a rule that is broken, and the best one."""
    import pandas as pd

    from hedgerow.datasets import motivating_example
    from hedgerow.estimator import RobustTree
    from hedgerow.tree.tree import Tree

    problem, costs = motivating_example()
    ways = [[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]]
    budget = GlobalBudget(_BUDGET)
    _chapter("Two ways and five days, in minutes")
    show(pd.DataFrame(costs, range(1, len(costs) + 1), problem.item_names).to_string(float_format=reading))
    _chapter("A rule that a misreading breaks")
    simple = Tree.full([0], [5.0], ways)
    _show_rules(RuleBook(simple, problem.item_names, problem=problem, uncertainty=budget), costs)
    _chapter("The best rule that withstands it")
    model = RobustTree(problem, uncertainty=budget, method="exact", time_limit=None, random_state=0).fit(costs)
    _show_rules(model.rulebook_, costs)
    _say(
        f"\nProven: no rule with at most {model.depth} questions in a row can promise less than "
        f"{reading(model.result_.lower_bound)} min, whatever its thresholds. (The paper's text says 41; but when day 2 "
        "is misread it takes 13 min, not 6, and 36 + 7 are 43.)"
    )


def _show_rules(rules: RuleBook, costs: object) -> None:
    """Print rules, what they cost, and the worst that readings within the budget can do to them."""
    result = rules.evaluate(costs)
    show(result)
    show_hurt(rules, result.attack, "day", [str(day) for day in range(1, result.n_samples + 1)])


def _report_of_a_town(path: Path) -> None:
    """Fit rules for the ways through a town, and write their report."""
    from hedgerow.datasets import city_routes
    from hedgerow.estimator import RobustTree

    problem, train, test = city_routes()
    _chapter("A town, and a page for its planner")
    _say(
        f"An ambulance, {len(problem.item_names)} streets, {len(train)} days of travel times. Every morning the "
        f"readings may be wrong by {_TOWN_BUDGET:g} min in all. The best rules with at most two questions in a row:"
    )
    model = RobustTree(problem, uncertainty=LocalBudget(_TOWN_BUDGET), method="exact", time_limit=60.0, random_state=0)
    rules = model.fit(train).rulebook_
    show(f"\n{rules.export('text')!s}")
    _say(model.result_.summary)
    rules.report(path, train, test=test, title="Aldermere: from the depot to the hospital")
    _say("Move the sliders of the page, and see when the advice changes and how sure it is:")
    show(path.absolute())


def _chapter(title: str) -> None:
    show(f"\n{title} {'─' * (_WIDTH - len(title) - 1)}")


def _say(text: str) -> None:
    show(textwrap.fill(text, _WIDTH, replace_whitespace=False))


# -- generate and warm-up ----------------------------------------------------------------------------------------------


def generate(
    kind: Annotated[str, shared.argument("KIND", "shortest-path: costs on a grid.")],
    grid: Annotated[int, shared.option("NUMBER", "Nodes on each side of the grid, 2 to 9.")] = 4,
    seed_id: Annotated[int, shared.option("NUMBER", "Which of the paper's instances, 0 to 19.")] = 0,
    samples: Annotated[int, shared.option("NUMBER", "Number of training samples, 1 to 250.")] = 5,
    test: Annotated[bool, shared.option(None, "The 1000 test samples instead of these.", "--test")] = False,
    output: shared.Scores = None,
) -> None:
    """Write one of the paper's instances: a column of costs per item, a row per sample."""
    if kind != "shortest-path":
        raise InputError(f"KIND must be shortest-path; got {in_short(kind)}.")
    check_output(output)
    import pandas as pd

    from hedgerow.datasets import paper_shortest_path

    problem, train, held_out = paper_shortest_path(seed_id=seed_id, n_samples=samples, grid=grid)
    costs = held_out if test else train
    write_output(output, pd.DataFrame(costs, columns=problem.item_names))


def warm_up() -> None:
    """Compile all kernels now, so that no later run has to wait for it.

    Meant for images and continuous integration. Without it, each kernel is compiled when it is first needed.
    """
    from rich.console import Console
    from rich.progress import track

    from hedgerow.methods.warm_up import warm_up_steps

    for step in track(warm_up_steps().values(), "compiling", console=Console(stderr=True), transient=True):
        step()
    tell("all kernels are compiled")
