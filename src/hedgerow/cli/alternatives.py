"""`hedgerow alternatives`: trees that are nearly as good as the best, a few that differ, a page to choose on."""

__all__ = ["EXAMPLES", "alternatives"]

import math
from pathlib import Path
from typing import Annotated

import typer

from hedgerow.cli.display import say, show, show_table
from hedgerow.cli.files import check_output
from hedgerow.cli.held_out import listed, read_rows
from hedgerow.cli.notes import Notes, note
from hedgerow.cli.options import (
    CostsArgument,
    FeaturesOption,
    GlobalBudgetOption,
    GlobalFraction,
    LimitsOption,
    LocalBudgetOption,
    LocalFraction,
    ObservationsOption,
    PricesOption,
    ProblemArgument,
    QuestionsOption,
    WeightsOption,
    WishesOption,
    examples,
    questions_named,
    uncertainty_of,
    wishes_of,
)
from hedgerow.cli.rules import read_rules
from hedgerow.instance import Instance
from hedgerow.words import number, percentage

EXAMPLES = examples(
    "hedgerow alternatives grid:4 costs.csv --local 0.05 --within 0.01",
    "hedgerow alternatives plan.toml costs.csv --local-budget 2 --must-not-ask 'Old Bridge' --readings-curve",
    "hedgerow alternatives plan.toml costs.csv --local-budget 2 --within 0.05 --report choose.html --save rules",
)


def alternatives(
    problem: ProblemArgument,
    costs: CostsArgument,
    within: Annotated[float, typer.Option(metavar="SHARE", help="The margin: 0.01 is one per cent.")] = 0.01,
    depth: Annotated[int, typer.Option(metavar="NUMBER", help="Most questions on the way to a leaf.")] = 2,
    local: LocalFraction = None,
    global_: GlobalFraction = None,
    local_budget: LocalBudgetOption = None,
    global_budget: GlobalBudgetOption = None,
    prices: PricesOption = None,
    limits: LimitsOption = None,
    observations: ObservationsOption = None,
    features: FeaturesOption = None,
    weights: WeightsOption = None,
    questions: QuestionsOption = "items",
    wishes: WishesOption = None,
    ask_first: Annotated[str | None, typer.Option(metavar="NAME", help="The question to ask first.")] = None,
    must_not_ask: Annotated[
        str | None, typer.Option(metavar="NAMES", help="Items or questions that must not be asked about.")
    ] = None,
    max_items: Annotated[int | None, typer.Option(metavar="NUMBER", help="Most different items in a tree.")] = None,
    like: Annotated[
        Path | None, typer.Option(metavar="TREE.json", help="Today's rules: how often is the advice the same?")
    ] = None,
    readings_curve: Annotated[
        bool, typer.Option("--readings-curve", help="Also show the best worst case by the number of readings.")
    ] = False,
    time_limit: Annotated[float, typer.Option(metavar="SECONDS", help="inf for no limit.")] = 60.0,
    seed: Annotated[int, typer.Option(min=0, metavar="NUMBER", help="Seed, where search decides.")] = 0,
    report: Annotated[Path | None, typer.Option(metavar="FILE", help="A page to choose on.")] = None,
    picture: Annotated[Path | None, typer.Option(metavar="FILE", help="The curve of readings drawn.")] = None,
    save: Annotated[
        Path | None, typer.Option(metavar="NAME", help="Save the trees shown as NAME-1.json, NAME-2.json, …")
    ] = None,
) -> None:
    """Show the trees for PROBLEM that are nearly as good as the best one, and a few of them that differ.

    The count is proven complete for trees of depth up to 2 over midpoints, where solutions can be listed; elsewhere it
    is what search has met, and that is said.
    """
    from hedgerow.good_trees import alternatives as found_for
    from hedgerow.good_trees import readings_curve as curve_of

    notes = Notes()
    for path in (report, picture):
        if path is not None:
            check_output(path)
    uncertainty = uncertainty_of(local, global_, local_budget, global_budget, prices, limits)
    names = None if must_not_ask is None else listed(must_not_ask, "--must-not-ask")
    wished = wishes_of(wishes, ask_first=ask_first, must_not_ask=names, max_items=max_items)
    rows = read_rows(problem, costs, observations, features, None, weights, notes)
    instance = Instance.create(
        rows.problem,
        rows.costs,
        observations=rows.observations,
        weights=rows.weights,
        uncertainty=uncertainty,
        depth=depth,
        questions=questions_named(questions),
    )
    limit = None if time_limit == math.inf else time_limit
    notes.show()
    found = found_for(
        instance,
        within,
        like=None if like is None else read_rules(like),
        random_state=seed,
        wishes=wished,
        time_limit=limit,
    )
    say(found.summary())
    header = ["", "price", "worst case", "as read", "questions", "readings", "best in"]
    show_table(
        header,
        [
            [
                str(place),
                percentage(pick.price, 3),
                number(pick.worst_case),
                number(pick.nominal),
                str(pick.n_questions),
                str(pick.n_readings),
                ", ".join(pick.reasons),
            ]
            for place, pick in enumerate(found.picks, 1)
        ],
        right=range(6),
    )
    for place, pick in enumerate(found.picks, 1):
        show(f"\n{place}.\n{str(pick.export('text')).rstrip()}")
        if save is not None:
            pick.save(Path(f"{save}-{place}.json"))
            note(f"saved to {save}-{place}.json")
    curve = None
    if readings_curve or picture is not None or (report is not None and found.listed):
        curve = curve_of(instance, wishes=wished, time_limit=limit, random_state=seed)
    if curve is not None and readings_curve:
        show()
        rows_of = [[str(p.n_readings), number(p.value), ", ".join(p.readings)] for p in curve.points]
        show_table(["readings", "worst case", "asked"], rows_of, right=(0, 1))
    if picture is not None and curve is not None:
        from hedgerow.plot import plot_readings

        plot_readings(curve).figure.savefig(picture)  # type: ignore[union-attr]  # these axes have a figure
        note(f"saved to {picture}")
    if report is not None:
        from hedgerow.report.choosing import write_choosing

        write_choosing(found, report, curve, time_limit=limit)
        note(f"saved to {report}")
