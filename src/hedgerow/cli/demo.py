"""`hedgerow demo`: a rule that a misreading breaks, the best rule that withstands it, proven, and a town's report."""

__all__ = ["DEFAULT_NAME", "demo", "report_of_a_town", "run_demo"]

import tempfile
from pathlib import Path
from typing import Annotated, Final

from rich import box
from rich.columns import Columns
from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from hedgerow.adversary import Attack
from hedgerow.cli import options as given
from hedgerow.cli.output import check_output
from hedgerow.data.arrays import FloatArray
from hedgerow.errors import InputError
from hedgerow.evaluation import Evaluation
from hedgerow.wording.numbers import reading

DEFAULT_NAME: Final = "hedgerow-demo-report.html"
_WIDTH: Final = 80
_BUDGET: Final = 5.0
_TOWN_BUDGET: Final = 2.0
_WAYS: Final = {"A": (1.0, 1.0, 0.0, 0.0), "B": (0.0, 0.0, 1.0, 1.0)}
_PAPERS_FIGURE: Final = 41.0
"""What the paper's text gives for the robust tree's worst case."""

_OUTPUT = given.option("FILE", f"The report; {DEFAULT_NAME} here by default.", "--output", "-o")


def demo(output: Annotated[Path | None, _OUTPUT] = None) -> None:
    """Do the main job on built-in examples: rules, evaluation, the adversary's best attack, a proof, a report."""
    check_output(output)
    console = Console()
    run_demo(console)
    report_of_a_town(console, output)
    _heading(console, "Your own data")
    _say(console, "A row per day and a column per item in costs.csv; PROBLEM is grid:4, selection:40:10 or a file:")
    console.print(Text("hedgerow fit PROBLEM costs.csv --local 0.05", "bold"), soft_wrap=True)


def run_demo(console: Console) -> None:
    """Print the paper's example: two ways, five days, a rule that is broken, and the best rule.

    >>> import io
    >>> output = io.StringIO()
    >>> run_demo(Console(file=output, width=80))
    >>> "no rule with at most 2 questions in a row can" in output.getvalue()
    True
    """
    from hedgerow.datasets import motivating_example
    from hedgerow.evaluation import evaluate
    from hedgerow.instance import Instance
    from hedgerow.methods import solve
    from hedgerow.tree.tree import Tree
    from hedgerow.uncertainty import GlobalBudget

    problem, costs = motivating_example()
    simple = Tree.full([0], [5.0], [_WAYS["A"], _WAYS["B"]])
    budget = GlobalBudget(_BUDGET)
    # All of the work comes first: on a new machine compiling kernels takes a while.
    with console.status("working it out; the first time on a machine this may take a minute …"):
        before = evaluate(simple, problem, costs, budget)
        instance = Instance.create(problem, costs, uncertainty=budget, depth=2)
        result = solve(instance, method="exact", random_state=0, time_limit=None)
        after = evaluate(result.tree, problem, costs, budget)
    _heading(console, "Two ways and five days")
    for name, way in _WAYS.items():
        edges = [edge for edge, used in zip(problem.item_names, way, strict=True) if used]
        _say(console, f"Way {name} takes {' + '.join(edges)}.")
    console.print(_history(problem.item_names, costs))
    _say(console, f"Minutes. Taking each day's better way would take {reading(before.nominal)} in all.")
    _heading(console, "A rule that a misreading breaks")
    console.print(_panel(before, "looks at e1 only", problem.item_names))
    _say(console, f"As good as knowing everything, until readings are wrong, by {_BUDGET:g} min in all at most:")
    console.print(_attack(before.attack, problem.item_names))
    _heading(console, "The best rule that withstands it")
    panels = [
        _panel(before, "looks at e1 only", problem.item_names),
        _panel(after, "found by Hedgerow", problem.item_names),
    ]
    console.print(Columns(panels))
    _say(console, "The worst that wrong readings can do to it:")
    console.print(_attack(after.attack, problem.item_names))
    added = after.robust - after.nominal
    _say(
        console,
        f"Proven: no rule with at most {instance.depth} questions in a row can promise less than "
        f"{reading(result.lower_bound)} min, whatever its thresholds, even if each is off by "
        f"{result.threshold_margin:g}. The first rule promises {reading(before.robust)}.",
    )
    _say(
        console,
        f"The paper's text says {_PAPERS_FIGURE:g}. {reading(after.robust)} is right: this move adds "
        f"{reading(added)}, not {reading(_PAPERS_FIGURE - after.nominal)}.",
    )


def report_of_a_town(console: Console, path: Path | None = None) -> Path | None:
    """Fit rules for the ways through a town, write their report, and return where that is; None without Jinja2.

    By default it goes to the working directory, or to a temporary one where that can't be written to.
    """
    from hedgerow.data.writing import write_text
    from hedgerow.datasets import city_routes
    from hedgerow.estimator import RobustTree
    from hedgerow.export import to_text
    from hedgerow.report import report_html
    from hedgerow.uncertainty import LocalBudget

    problem, train, test = city_routes()
    _heading(console, "A town, and a page for its planner")
    with console.status("looking for the best rules …"):
        model = RobustTree(problem, uncertainty=LocalBudget(_TOWN_BUDGET), method="exact", time_limit=10.0)
        rules = model.set_params(random_state=0, monitor=lambda _: None).fit(train).rulebook_
    _say(
        console,
        f"An ambulance, {len(problem.item_names)} streets, {len(train)} days of travel times. Every morning the "
        f"readings may be wrong by {_TOWN_BUDGET:g} min in all. The best rules with at most two questions in a row:",
    )
    _say(console, f"\n{to_text(rules)}")
    try:
        title = "Aldermere: from the depot to the hospital"
        page = report_html(rules, train, test=test, include_samples=True, title=title)
    except InputError as error:
        _say(console, f"The page that shows them can't be written: {error}")
        return None
    place = Path.cwd() / DEFAULT_NAME if path is None else path
    try:
        write_text(place, page)
    except OSError:
        if path is not None:
            raise
        place = Path(tempfile.mkdtemp(prefix="hedgerow-")) / DEFAULT_NAME
        write_text(place, page)
    _say(console, "Move the sliders, and see when the advice changes and how sure it is:")
    # On a line of its own and never broken: it is to be copied.
    console.print(Text(str(place), "bold"), soft_wrap=True)
    return place


# -- what is printed -------------------------------------------------------------------------------------------------


def _heading(console: Console, title: str) -> None:
    console.print()
    console.rule(f"[bold]{title}", align="left")


def _say(console: Console, text: str) -> None:
    console.print(Text(text), width=min(console.width, _WIDTH))


def _way(solution: FloatArray) -> str:
    return next(name for name, way in _WAYS.items() if way == tuple(solution))


def _history(names: tuple[str, ...], costs: FloatArray) -> Table:
    """Return the costs of each day, and what each way takes."""
    table = Table("day", *names, *_WAYS, box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
    for day, row in enumerate(costs, start=1):
        totals = [float(row @ way) for way in _WAYS.values()]
        table.add_row(str(day), *map(reading, row), *(Text(reading(t), "bold" * (t == min(totals))) for t in totals))
    return table


def _panel(result: Evaluation, title: str, names: tuple[str, ...]) -> Panel:
    """Return a rule, and what it takes as read and at worst."""
    from hedgerow.export import to_text
    from hedgerow.rules import Labels, RuleBook

    tree = result.attack.tree
    labels = Labels(advice=tuple(f"way {_way(solution)}" for solution in tree.solutions))
    body = Text(to_text(RuleBook(tree, names, labels=labels)))
    body.append(f"\nas read      {reading(result.nominal):>3} min")
    body.append(f"\nat worst     {reading(result.robust):>3} min", "bold")
    return Panel(body, title=title, expand=False, padding=(0, 2))


def _attack(attack: Attack, names: tuple[str, ...]) -> Table:
    """Return each misreading, what it leads to, and what that takes."""
    header = ("day", "misread", "so the way is", "which takes", "instead of")
    table = Table(*header, box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
    before, after = attack.instance.observations, attack.observations
    for day in attack.moved:
        changes = [
            f"{names[item]}: {reading(before[day, item])} as {reading(after[day, item])}"
            for item in (after[day] != before[day]).nonzero()[0]
        ]
        old, new = (_way(attack.tree.solutions[leaf[day]]) for leaf in (attack.nominal_leaf, attack.leaf))
        taken = [f"{reading(cost)} min" for cost in (attack.cost[day], attack.nominal_cost[day])]
        table.add_row(str(day + 1), "\n".join(changes), f"{new}, not {old}", Text(taken[0], "bold red"), taken[1])
    return table
