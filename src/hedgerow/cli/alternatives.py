"""`hedgerow alternatives`: trees that are nearly as good as the best, a few that differ, a page to choose on."""

__all__ = ["alternatives"]

from pathlib import Path

from hedgerow.cli.inputs import Data, read_rules
from hedgerow.cli.options import Budget, listed, questions_named, seconds, wishes_of
from hedgerow.cli.output import check_output, note, save_picture, say, show, show_notes, show_table
from hedgerow.wording.numbers import number, percentage


def alternatives(
    data: Data,
    budget: Budget,
    within: float = 0.01,
    depth: int = 2,
    questions: str = "items",
    thresholds: str = "midpoints",
    wishes: str | None = None,
    ask_first: str | None = None,
    must_not_ask: str | None = None,
    max_items: int | None = None,
    like: Path | None = None,
    readings_curve: bool = False,
    time_limit: float = 60.0,
    jobs: int = 1,
    seed: int = 0,
    report: Path | None = None,
    picture: Path | None = None,
    save: Path | None = None,
) -> None:
    """Show the trees for PROBLEM that are nearly as good as the best one, and a few of them that differ."""
    from hedgerow.good_trees import alternatives as found_for
    from hedgerow.good_trees import readings_curve as curve_of

    for path in (report, picture):
        check_output(path)
    uncertainty = budget.uncertainty()
    names = None if must_not_ask is None else listed(must_not_ask, "--must-not-ask")
    wished = wishes_of(wishes, ask_first=ask_first, must_not_ask=names, max_items=max_items)
    instance = data.read().instance(uncertainty=uncertainty, depth=depth, questions=questions_named(questions))
    limit = seconds(time_limit)
    show_notes()
    known = None if like is None else read_rules(like)
    found = found_for(
        instance,
        within,
        like=known,
        random_state=seed,
        wishes=wished,
        time_limit=limit,
        thresholds=thresholds,
        n_jobs=jobs,
    )
    say(found.summary())
    header = ["", "price", "worst case", "as read", "questions", "readings", "best in"]
    show_table(
        header,
        [
            [
                str(place),
                percentage(pick.price),
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
    save_picture(picture, "plot_readings", curve)
    if report is not None:
        from hedgerow.report.choosing import write_choosing

        write_choosing(found, report, curve, time_limit=limit)
        note(f"saved to {report}")
