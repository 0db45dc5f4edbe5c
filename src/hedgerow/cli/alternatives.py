"""`hedgerow alternatives`: trees that are nearly as good as the best, a few that differ, a page to choose on."""

__all__ = ["alternatives"]

from pathlib import Path
from typing import Annotated, Any

import numpy as np

from hedgerow.cli import shared
from hedgerow.cli.inputs import read_rows
from hedgerow.cli.output import check_output, note, show
from hedgerow.instance import Instance
from hedgerow.run import interruptible

_SAVE = "Save the trees shown as NAME-1.json, NAME-2.json, …"
_THRESHOLDS = "Where thresholds may lie: midpoints or grid."


def alternatives(
    rows: shared.RowFiles,
    budget: shared.Budget,
    within: Annotated[float, shared.option("SHARE", "The margin: 0.01 is one per cent.", parser=shared.number)] = 0.01,
    wishes: shared.WishesText = None,
    depth: shared.Depth = 2,
    questions: shared.Questions = "items",
    learn_from: shared.LearnFrom = "truth",
    thresholds: Annotated[str, shared.option("NAME", _THRESHOLDS)] = "midpoints",
    report: Annotated[Path | None, shared.option("FILE", "A page to choose on.")] = None,
    save: Annotated[Path | None, shared.option("NAME", _SAVE)] = None,
    time_limit: shared.TimeLimit = 60.0,
    seed: shared.Seed = 0,
    jobs: shared.Jobs = 1,
) -> None:
    """Show the trees for PROBLEM that are nearly as good as the best one, and a few of them that differ.

    The count is proven complete for trees of depth up to 2, where solutions can be listed; elsewhere only the best tree
    is shown, and that is said.
    """
    from hedgerow import good_trees

    check_output(report)
    asked: dict[str, Any] = {"questions": shared.questions_of(questions), "depth": depth, "learn_from": learn_from}
    common: dict[str, Any] = {"wishes": shared.wishes_of(wishes), "random_state": seed}
    uncertainty, limit = budget.uncertainty, shared.seconds(time_limit)
    problem, tables = read_rows(rows)
    rng, weights = np.random.default_rng(seed), tables.pop("sample_weight")
    instance = Instance.create(problem, **tables, weights=weights, uncertainty=uncertainty, rng=rng, **asked)
    # The page has its share of the one time limit.
    page_limit = None if limit is None else 0.2 * limit
    first_limit = limit if limit is None or report is None else 0.8 * limit
    # The first Ctrl-C asks the search to stop, so that what was found is shown, and ends the program after this block.
    with interruptible() as common["interrupt"]:
        options: dict[str, Any] = {"thresholds": thresholds, "n_jobs": jobs, "time_limit": first_limit}
        collection = good_trees.alternatives(instance, within, **options, **common)
        show(collection)
        for place, pick in enumerate(collection.picks, 1):
            show(f"\n{place}.\n{str(pick.export('text')).rstrip()}")
            if save is not None:
                pick.save(Path(f"{save}-{place}.json"))
                note(f"saved to {save}-{place}.json")
        if report is not None and not common["interrupt"].requested:
            from hedgerow.report.choosing import write_choosing

            write_choosing(collection, report, time_limit=page_limit)
            note(f"saved to {report}")
