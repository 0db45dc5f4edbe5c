"""`hedgerow alternatives`: trees that are nearly as good as the best, a few that differ, a page to choose on."""

__all__ = ["alternatives"]

from pathlib import Path
from typing import Annotated, Any

from hedgerow.cli import options as given
from hedgerow.cli.inputs import read_rows, read_rules
from hedgerow.cli.output import check_output, note, save_picture, show, show_notes, show_table
from hedgerow.wording.numbers import number, percentage

_LIKE = "Today's rules: how often is the advice the same?"
_CURVE = "Also show the best worst case by the number of readings."
_SAVE = "Save the trees shown as NAME-1.json, NAME-2.json, …"
_THRESHOLDS = "Where thresholds may lie: midpoints or grid."


def alternatives(
    problem: given.Problem,
    costs: given.Costs,
    context: given.Context = None,
    features: given.Features = None,
    weights: given.Weights = None,
    within: Annotated[float, given.option("SHARE", "The margin: 0.01 is one per cent.", parser=given.number)] = 0.01,
    depth: given.Depth = 2,
    questions: given.Questions = "items",
    thresholds: Annotated[str, given.option("NAME", _THRESHOLDS)] = "midpoints",
    like: Annotated[Path | None, given.option("TREE.json", _LIKE)] = None,
    readings_curve: Annotated[bool, given.option(None, _CURVE, "--readings-curve")] = False,
    report: Annotated[Path | None, given.option("FILE", "A page to choose on.")] = None,
    picture: Annotated[Path | None, given.option("FILE", "The curve of readings drawn.")] = None,
    save: Annotated[Path | None, given.option("NAME", _SAVE)] = None,
    local: given.Local = None,
    global_: given.Global = None,
    local_budget: given.LocalAmount = None,
    global_budget: given.GlobalAmount = None,
    prices: given.Prices = None,
    limits: given.Limits = None,
    ask_first: given.AskFirst = None,
    must_not_ask: given.MustNotAsk = None,
    max_items: given.MaxItems = None,
    wishes: given.OtherWishes = None,
    time_limit: given.TimeLimit = 60.0,
    seed: given.Seed = 0,
    jobs: given.Jobs = 1,
) -> None:
    """Show the trees for PROBLEM that are nearly as good as the best one, and a few of them that differ.

    The count is proven complete for trees of depth up to 2, where solutions can be listed; elsewhere it is what search
    has met, and that is said.
    """
    from hedgerow import good_trees, plot

    for path in (report, picture):
        check_output(path)
    uncertainty = given.budget_of(local, global_, local_budget, global_budget, prices, limits)
    wished = given.wishes_of(wishes, ask_first, must_not_ask, max_items)
    rows = read_rows(problem, costs, None, context, features, weights)
    instance = rows.instance(uncertainty=uncertainty, depth=depth, questions=given.questions_of(questions))
    show_notes()
    common: dict[str, Any] = {"wishes": wished, "time_limit": given.seconds(time_limit), "random_state": seed}
    known = None if like is None else read_rules(like)
    result = good_trees.alternatives(instance, within, like=known, thresholds=thresholds, n_jobs=jobs, **common)
    show(result.summary())
    cells = [
        [
            str(place),
            percentage(pick.price),
            number(pick.worst_case),
            number(pick.nominal),
            str(pick.n_questions),
            str(pick.n_readings),
            ", ".join(pick.reasons),
        ]
        for place, pick in enumerate(result.picks, 1)
    ]
    header = ["", "price", "worst case", "as read", "questions", "readings", "best in"]
    show_table(header, cells, right=range(6))
    for place, pick in enumerate(result.picks, 1):
        show(f"\n{place}.\n{str(pick.export('text')).rstrip()}")
        if save is not None:
            pick.save(Path(f"{save}-{place}.json"))
            note(f"saved to {save}-{place}.json")
    curve = None
    if readings_curve or picture is not None or (report is not None and result.listed):
        curve = good_trees.readings_curve(instance, **common)
    if curve is not None and readings_curve:
        show()
        points = [[str(each.n_readings), number(each.value), ", ".join(each.readings)] for each in curve.points]
        show_table(["readings", "worst case", "asked"], points, right=(0, 1))
    if curve is not None:
        save_picture(picture, lambda: plot.plot_readings(curve))
    if report is not None:
        from hedgerow.report.choosing import write_choosing

        write_choosing(result, report, curve, time_limit=given.seconds(time_limit))
        note(f"saved to {report}")
