"""Built-in examples in a terminal: what a misreading does to a rule, a rule that withstands it, and a town's page."""

__all__ = ["DEFAULT_NAME", "report_of_a_town", "run_demo"]

import tempfile
from pathlib import Path
from typing import Final

import numpy as np
from rich import box
from rich.columns import Columns
from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from hedgerow.adversary import Attack, move_costs
from hedgerow.adversary.move_cost import entry_points
from hedgerow.data.arrays import FloatArray
from hedgerow.data.writing import write_text
from hedgerow.datasets import city_routes, motivating_example
from hedgerow.errors import InputError
from hedgerow.evaluation import Evaluation, evaluate
from hedgerow.instance import Instance
from hedgerow.methods import solve
from hedgerow.problems import ShortestPath
from hedgerow.rules import RuleBook
from hedgerow.run import Result
from hedgerow.tree.tree import Tree
from hedgerow.uncertainty import GlobalBudget, LocalBudget
from hedgerow.wording.numbers import reading

_WIDTH = 80
_UNIT = "min"
_BUDGET = 5.0
_IN_WORDS = ("better", "misread", "so the way is")
"""Columns that hold no numbers."""

_PAPERS_FIGURE = 41.0
"""What the paper's text gives for the robust tree's worst case."""


def run_demo(console: Console) -> None:
    """Print the example on the console.

    >>> import io
    >>> from rich.console import Console
    >>> output = io.StringIO()
    >>> run_demo(Console(file=output, width=80))
    >>> "36 + 7 = 43 min at worst, instead of 50." in output.getvalue()
    True
    """
    problem, costs = motivating_example()
    ways = {"A": np.array([1.0, 1.0, 0.0, 0.0]), "B": np.array([0.0, 0.0, 1.0, 1.0])}
    simple = Tree.full([0], [5.0], [ways["A"], ways["B"]])
    hedged = Tree.from_dict(
        {
            "item": "e1",
            "threshold": 5.0,
            "left": {"item": "e2", "threshold": 6.5, "left": {"solution": ways["A"]}, "right": {"solution": ways["B"]}},
            "right": {"solution": ways["B"]},
        },
        problem.item_names,
    )
    story = _Story(console, problem, costs, ways)
    # All of the work comes first: on a new machine compiling kernels takes a while.
    with console.status("working it out; the first time on a machine this may take a minute …"):
        before, after = (evaluate(tree, problem, costs, GlobalBudget(_BUDGET)) for tree in (simple, hedged))
        found = solve(after.attack.instance, method="exact", random_state=0, time_limit=None)
    story.history()
    story.first_rule(before)
    story.second_rule(before, after)
    story.third_rule(after, found)


class _Story:
    """The sections, in order."""

    def __init__(self, console: Console, problem: ShortestPath, costs: FloatArray, ways: dict[str, FloatArray]) -> None:
        self._console = console
        self._width = min(console.width, _WIDTH)
        self._problem = problem
        self._costs = costs
        self._ways = ways

    # -- chapters ------------------------------------------------------------------------------------------------

    def history(self) -> None:
        """Show the graph and the samples."""
        self._heading("Two ways and five days")
        for name, way in self._ways.items():
            edges = [edge for edge, used in zip(self._problem.item_names, way, strict=True) if used]
            self._say(f"Way {name} goes {self._problem.describe(way)} and takes {' + '.join(edges)}.")
        self._say(
            "Every morning the traffic on the four edges is read, and one way is taken. This is what the last days "
            "were like:"
        )
        per_way = self._problem.costs(np.array(list(self._ways.values())), self._costs)
        table = self._table("day", *self._problem.item_names, *self._ways, "better")
        for day, (row, totals) in enumerate(zip(self._costs, per_way, strict=True), start=1):
            shown = [Text(reading(total), "bold" if total == totals.min() else "") for total in totals]
            better = [name for name, total in zip(self._ways, totals, strict=True) if total == totals.min()]
            table.add_row(str(day), *map(reading, row), *shown, " or ".join(better))
        self._console.print(table)
        self._say(
            f"Times in {_UNIT}. Knowing each day's better way would take {reading(per_way.min(axis=1).sum())} "
            f"{_UNIT} over the {len(self._costs)} days, and no tree does better."
        )

    def first_rule(self, result: Evaluation) -> None:
        """Show the nominal tree and how a misreading hurts it."""
        self._heading("A rule that looks perfect")
        self._console.print(self._panel(result, "looks at e1 only"))
        self._say(
            f"One question, and still {reading(result.nominal)} {_UNIT}: as good as knowing everything. But readings "
            f"are wrong now and then. Suppose that all errors together may amount to {reading(_BUDGET)} {_UNIT}; the "
            "worst that can happen then is this:"
        )
        self._attack(result.attack)
        self._say(
            f"That makes {reading(result.robust)} {_UNIT} instead of {reading(result.nominal)}. An error changes which "
            "way is taken; what that way then takes is the truth."
        )

    def second_rule(self, before: Evaluation, after: Evaluation) -> None:
        """Show the robust tree, why the old attack fails and what the best new one is."""
        self._heading("A rule that bears a misreading")
        panels = [
            self._panel(before, "looks at e1 only", half=True),
            self._panel(after, "asks twice before A", half=True),
        ]
        self._console.print(Columns(panels, width=self._width // 2 - 1, padding=(0, 1)))
        day = int(before.attack.moved[0])
        old_aim = before.attack.tree.solutions[before.attack.leaf[day]]
        price, n_readings = _price_of(after.attack, day, old_aim)
        self._say(
            "The second question costs nothing as long as readings are right. And the old trick no longer works: to be "
            f"sent to {self._way(old_aim)} on day {day + 1}, {n_readings} readings must be wrong, by {reading(price)} "
            f"{_UNIT} in all, and there are only {reading(_BUDGET)}. The worst that is left:"
        )
        self._attack(after.attack)
        added = after.robust - after.nominal
        self._say(
            f"{reading(after.nominal)} + {reading(added)} = {reading(after.robust)} {_UNIT} at worst, instead of "
            f"{reading(before.robust)}."
        )
        self._console.print(
            Text(
                f"(The paper's text says {reading(_PAPERS_FIGURE)}. {reading(after.robust)} is right: this move adds "
                f"{reading(added)}, not {reading(_PAPERS_FIGURE - after.nominal)}.)",
                "dim",
            ),
            width=self._width,
        )

    def third_rule(self, known: Evaluation, result: Result) -> None:
        """Show what the exact method finds by itself."""
        self._heading("Found and proven")
        instance, tree = known.attack.instance, result.tree
        self._say(
            f"The second question need not be guessed. Asked for the best rule with at most {instance.depth} "
            "questions in a row, Hedgerow answers:"
        )
        checked = evaluate(tree, instance.problem, instance.costs, instance.uncertainty)
        self._console.print(self._panel(checked, "found by Hedgerow"))
        same = tree == known.attack.tree.simplified()
        which = "The very rule from above" if same else "Another rule than the one above, as good"
        self._say(
            f"{which}: {reading(result.objective)} {_UNIT} at worst. Proven: no rule with at most {instance.depth} "
            f"questions in a row can promise less than {reading(result.lower_bound)}, whatever its thresholds."
        )
        self._say(
            "(The promise holds even if each threshold is off by a little, here 0.002. Without that margin 36 can "
            "be had on paper, with thresholds such as 6.9994: they fail as soon as somebody rounds them.)"
        )

    # -- parts ---------------------------------------------------------------------------------------------------

    def _way(self, solution: FloatArray) -> str:
        names = [name for name, way in self._ways.items() if np.array_equal(way, solution)]
        return names[0] if names else self._problem.describe(solution)

    def _attack(self, attack: Attack) -> None:
        """Show each misreading, what it leads to, and what that costs."""
        table = self._table("day", "misread", "as", "instead of", "so the way is", "which takes", "instead of")
        before, after = attack.instance.observations, attack.observations
        for sample in attack.moved:
            changed = np.flatnonzero(after[sample] != before[sample])
            old, new = (attack.tree.solutions[leaf[sample]] for leaf in (attack.nominal_leaf, attack.leaf))
            table.add_row(
                str(sample + 1),
                "\n".join(self._problem.item_names[item] for item in changed),
                "\n".join(reading(after[sample, item]) for item in changed),
                "\n".join(reading(before[sample, item]) for item in changed),
                f"{self._way(new)}, not {self._way(old)}",
                Text(f"{reading(attack.cost[sample])} {_UNIT}", "bold red"),
                f"{reading(attack.nominal_cost[sample])} {_UNIT}",
            )
        self._console.print(table)

    def _panel(self, result: Evaluation, title: str, *, half: bool = False) -> Panel:
        rules = result.attack.tree.to_text(self._problem.item_names, lambda solution: f"way {self._way(solution)}")
        body = Text(rules)
        body.append(f"\n\nas read      {reading(result.nominal):>3} {_UNIT}")
        body.append(f"\nat worst     {reading(result.robust):>3} {_UNIT}", "bold")
        return Panel(body, title=title, width=self._width // 2 - 2 if half else None, expand=half, padding=(0, 2))

    def _table(self, *columns: str) -> Table:
        table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
        for column in columns:
            table.add_column(column, justify="left" if column in _IN_WORDS else "right")
        return table

    def _heading(self, title: str) -> None:
        self._console.print()
        self._console.rule(f"[bold]{title}", align="left")

    def _say(self, text: str) -> None:
        self._console.print(Text(text), width=self._width)


def _price_of(attack: Attack, sample: int, solution: FloatArray) -> tuple[float, int]:
    """Return the least budget that leads a sample to a solution, and how many readings that takes."""
    tree, uncertainty = attack.tree, attack.instance.uncertainty
    observed = attack.instance.observations[[sample]]
    price = move_costs(tree, observed, uncertainty)[0]
    leaf = int(np.argmin(np.where((tree.solutions == solution).all(axis=1), price, np.inf)))
    moved = entry_points(tree, observed, np.array([leaf]), uncertainty)
    return float(price[leaf]), int((moved != observed).sum())


DEFAULT_NAME: Final = "hedgerow-demo-report.html"
_TOWN_BUDGET: Final = 2.0


def report_of_a_town(console: Console, path: Path | None = None) -> Path | None:
    """Fit a rule book for the ways through a town, write its report, and return where that is.

    By default it goes to the working directory, or to a temporary one where that can't be written to. Without Jinja2
    there is none.

    >>> import io
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report_of_a_town(Console(file=io.StringIO()), Path(folder) / "town.html").name
    'town.html'
    """
    from hedgerow.report import report_html

    width = min(console.width, _WIDTH)
    problem, train, test = city_routes()
    console.print()
    console.rule("[bold]A town, and a page for its planner", align="left")
    with console.status("looking for the best rules …"):
        uncertainty = LocalBudget(_TOWN_BUDGET)
        instance = Instance.create(problem, train, uncertainty=uncertainty, depth=2)
        result = solve(instance, method="exact", time_limit=10.0, random_state=0)
        rules = RuleBook.of_fit(result, instance, as_given=uncertainty, seed=0)
    console.print(
        Text(
            f"An ambulance, {len(problem.item_names)} streets, {len(train)} days of travel times. Every morning the "
            f"readings may be wrong by {_TOWN_BUDGET:g} min in all. The best rules with at most two questions in a row:"
        ),
        width=width,
    )
    console.print(Text(f"\n{rules.tree.to_text(problem.item_names, problem.describe)}\n"), width=width)
    try:
        title = "Aldermere: from the depot to the hospital"
        page = report_html(rules, train, test=test, include_samples=True, title=title)
    except InputError as error:
        console.print(Text(f"The page that shows them can't be written: {error}"), width=width)
        return None
    place = Path.cwd() / DEFAULT_NAME if path is None else path
    try:
        write_text(place, page)
    except OSError:
        if path is not None:
            raise
        place = Path(tempfile.mkdtemp(prefix="hedgerow-")) / DEFAULT_NAME
        write_text(place, page)
    console.print(Text("Move the sliders, and see when the advice changes and how sure it is:"), width=width)
    # On a line of its own and never broken: it is to be copied.
    console.print(Text(str(place), "bold"), soft_wrap=True)
    return place
