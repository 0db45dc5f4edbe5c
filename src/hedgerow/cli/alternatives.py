"""`hedgerow alternatives`: trees that are nearly as good as the best, a few that differ, a page to choose on."""

__all__ = ["alternatives"]

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from hedgerow.cli import shared
from hedgerow.cli.inputs import read_rows, read_rules
from hedgerow.cli.output import check_output, note, save_picture, show, show_notes, show_table
from hedgerow.instance import Instance
from hedgerow.run import interruptible
from hedgerow.wording.numbers import number, percentage

if TYPE_CHECKING:
    from hedgerow.good_trees import Alternatives

_LIKE = "Today's rules: how often is the advice the same?"
_CURVE = "Also show the best worst case by the number of readings."
_SAVE = "Save the trees shown as NAME-1.json, NAME-2.json, …"
_THRESHOLDS = "Where thresholds may lie: midpoints or grid."


def alternatives(
    rows: shared.RowFiles,
    budget: shared.Budget,
    wished: shared.Wished,
    within: Annotated[float, shared.option("SHARE", "The margin: 0.01 is one per cent.", parser=shared.number)] = 0.01,
    depth: shared.Depth = 2,
    questions: shared.Questions = "items",
    learn_from: shared.LearnFrom = "truth",
    thresholds: Annotated[str, shared.option("NAME", _THRESHOLDS)] = "midpoints",
    like: Annotated[Path | None, shared.option("TREE.json", _LIKE)] = None,
    readings_curve: Annotated[bool, shared.option(None, _CURVE, "--readings-curve")] = False,
    report: Annotated[Path | None, shared.option("FILE", "A page to choose on.")] = None,
    picture: Annotated[Path | None, shared.option("FILE", "The curve of readings drawn.")] = None,
    save: Annotated[Path | None, shared.option("NAME", _SAVE)] = None,
    time_limit: shared.TimeLimit = 60.0,
    seed: shared.Seed = 0,
    jobs: shared.Jobs = 1,
) -> None:
    """Show the trees for PROBLEM that are nearly as good as the best one, and a few of them that differ.

    The count is proven complete for trees of depth up to 2, where solutions can be listed; elsewhere it is what search
    has met, and that is said.
    """
    from hedgerow import good_trees

    for path in (report, picture):
        check_output(path)
    wishes = wished.value
    fitted: dict[str, Any] = {"uncertainty": budget.uncertainty, "depth": depth, "learn_from": learn_from}
    fitted |= {"questions": shared.questions_of(questions), "rng": np.random.default_rng(seed)}
    problem, tables = read_rows(rows)
    instance = Instance.create(problem, weights=tables.pop("sample_weight"), **tables, **fitted)
    show_notes()
    known = None if like is None else read_rules(like)
    has_curve = readings_curve or picture is not None or report is not None
    limit = shared.seconds(time_limit)
    # What comes after the list has its share of the one time limit.
    first, others = (limit, limit) if limit is None or not has_curve else (0.6 * limit, 0.2 * limit)
    # The first Ctrl-C asks the search to stop, so that what was found is shown, and ends the program after this block.
    with interruptible() as interrupt:
        common: dict[str, Any] = {"wishes": wishes, "random_state": seed, "interrupt": interrupt}
        collection = good_trees.alternatives(
            instance, within, like=known, thresholds=thresholds, n_jobs=jobs, time_limit=first, **common
        )
        _show_picks(collection, save)
        has_curve = readings_curve or picture is not None or (report is not None and collection.listed)
        if has_curve and not interrupt.requested:
            curve = good_trees.readings_curve(instance, time_limit=others, **common)
            if readings_curve:
                show()
                points = [[str(each.n_readings), number(each.value), ", ".join(each.readings)] for each in curve.points]
                show_table(["readings", "worst case", "asked"], points, right=(0, 1))
            save_picture(picture, curve.plot)
        else:
            curve = None
        if report is not None and not interrupt.requested:
            from hedgerow.report.choosing import write_choosing

            write_choosing(collection, report, curve, time_limit=others)
            note(f"saved to {report}")


def _show_picks(collection: "Alternatives", save: Path | None) -> None:
    """Show what was found and the trees that differ, and save these where that is asked for."""
    show(collection.summary)
    cells = [
        [
            str(place),
            percentage(pick.extra_cost),
            number(pick.worst_case),
            number(pick.nominal),
            str(pick.n_questions),
            str(pick.n_readings),
            ", ".join(pick.reasons),
        ]
        for place, pick in enumerate(collection.picks, 1)
    ]
    header = ["", "extra cost", "worst case", "as read", "questions", "readings", "best in"]
    show_table(header, cells, right=range(6))
    for place, pick in enumerate(collection.picks, 1):
        show(f"\n{place}.\n{str(pick.export('text')).rstrip()}")
        if save is not None:
            pick.save(Path(f"{save}-{place}.json"))
            note(f"saved to {save}-{place}.json")
