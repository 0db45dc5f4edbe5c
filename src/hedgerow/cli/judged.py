"""`hedgerow tune` and `hedgerow compare`: trees, and other ways to decide, judged on rows held out."""

__all__ = ["compare", "tune"]

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from hedgerow.cli.group import INTERRUPTED
from hedgerow.cli.inputs import Data
from hedgerow.cli.options import Budget, listed, seconds
from hedgerow.cli.output import check_output, note, save_picture, say, show, show_notes, show_table, write_output
from hedgerow.errors import InputError
from hedgerow.run.progress import CountProgress
from hedgerow.uncertainty import GlobalBudget, LocalBudget, Nominal, Uncertainty
from hedgerow.wording.numbers import counted, number, with_error

if TYPE_CHECKING:
    from hedgerow.study import Comparison, Score, Tuning

_ORDERS = ("blocks", "forward", "shuffled")


def tune(
    data: Data,
    readings: Path | None = None,
    questions: str = "",
    depths: str = "1,2,3",
    fractions: str | None = None,
    global_: bool = False,
    prices: str | None = None,
    folds: int | None = None,
    order: str = "blocks",
    method: str = "auto",
    time_limit: float = 10.0,
    total_time: float | None = None,
    iteration_limit: int | None = None,
    max_thresholds: int | None = None,
    max_samples: int | None = None,
    seed: int = 0,
    jobs: int = 1,
    output: Path | None = None,
) -> None:
    """Choose how to fit a tree for PROBLEM by cross-validation on the rows in COSTS.csv."""
    from hedgerow.estimator import RobustTree
    from hedgerow.study import tune as tuned

    check_output(output, excel=True)
    levels = listed(depths, "--depths", int)
    budget = (Budget(global_=0.0, prices=prices) if global_ else Budget(local=0.0, prices=prices)).uncertainty()
    assert isinstance(budget, LocalBudget | GlobalBudget)
    sets: list[Uncertainty] | None = None
    if fractions is not None:
        shares = listed(fractions, "--fractions", float)
        sets = [type(budget)(fraction=share, prices=budget.prices) if share else Nominal() for share in shares]
    rows = data.read(readings)
    model = RobustTree(
        rows.problem,
        uncertainty=budget,
        method=method,
        time_limit=seconds(time_limit),
        iteration_limit=iteration_limit,
        max_thresholds=max_thresholds,
        max_samples=max_samples,
        random_state=seed,
    )
    with _judging() as on_progress:
        tuning = tuned(
            model,
            rows.costs,
            **rows.read,
            questions=listed(questions, "--questions") if questions else None,
            depths=levels,
            uncertainties=sets,
            folds=_splitter(order, folds, seed),
            time_limit=total_time,
            n_jobs=jobs,
            on_progress=on_progress,
            interruptible=True,
        )
    _show(output, tuning.to_frame(), *_tuning_table(tuning), right=(0, 4, 5), sentence=tuning.summary)
    if tuning.n_folds_left_out:
        note(f"stopped with {counted(tuning.n_folds_left_out, 'fold')} to go; the scores are of the others")
        raise typer.Exit(INTERRUPTED)


def _tuning_table(tuning: "Tuning") -> tuple[list[str], list[list[str]]]:
    def row(score: "Score") -> list[str]:
        setting = score.setting
        mark = "chosen" if score is tuning.chosen else "best" if score is tuning.best else ""
        cost, excess = with_error(score.cost, score.cost_error), with_error(score.excess, score.excess_error)
        return [str(setting.depth), str(setting.questions), setting.learn_from, setting.budget, cost, excess, mark]

    unit = f" ({tuning.unit})" if tuning.unit else ""
    header = ["depth", "questions", "learnt from", "budget", f"cost{unit}", "worse than best", ""]
    return header, [row(score) for score in tuning.scores]


def compare(
    data: Data,
    budget: Budget,
    readings: Path | None = None,
    questions: str = "items,plans",
    depth: int = 2,
    learn_from: str = "truth",
    train: int | None = None,
    folds: int | None = None,
    order: str = "blocks",
    iteration_limit: int = 10,
    seed: int = 0,
    output: Path | None = None,
    picture: Path | None = None,
) -> None:
    """Compare trees for PROBLEM with simpler and costlier ways to decide, on rows of COSTS.csv held out."""
    from hedgerow.study import compare as compared

    check_output(output, excel=True)
    check_output(picture)
    uncertainty = budget.uncertainty()
    rows = data.read(readings)
    n_rows = len(rows.costs)
    if train is not None and not 1 <= train < n_rows:
        raise InputError(f"--train must leave some of the {n_rows} rows to judge on; got {train}.")
    with _judging() as on_progress:
        found = compared(
            rows.problem,
            rows.costs,
            **rows.read,
            depth=depth,
            questions=listed(questions, "--questions"),
            uncertainty=uncertainty,
            learn_from=learn_from,  # type: ignore[arg-type]  # checked there
            iteration_limit=iteration_limit,
            folds=_splitter(order, folds, seed, usual=5) if train is None else [(range(train), range(train, n_rows))],
            random_state=seed,
            on_progress=on_progress,
        )
    _show(output, found.to_frame(), *_comparison_table(found), right=range(1, 5), sentence=found.summary)
    save_picture(picture, "plot_comparison", found)


def _comparison_table(found: "Comparison") -> tuple[list[str], list[list[str]]]:
    def row(name: str, *figures: float) -> list[str]:
        cost, low, high, *shares = figures
        share, least, most = (f"{100.0 * value:.0f}" for value in shares)
        return [name, number(cost), f"{number(low)} to {number(high)}", share, f"{least} to {most}"]

    unit = f" ({found.unit})" if found.unit else ""
    header = ["contender", f"per row{unit}", "95 % interval", "share won (%)", "95 % interval"]
    return header, [row(*values) for values in found.to_frame().itertuples(index=False)]


# -- what both share -----------------------------------------------------------------------------------------------


def _splitter(order: str, folds: int | None, seed: int, usual: int | None = None) -> Any:
    """Return how rows are split into those to learn from and those held out."""
    from sklearn.model_selection import KFold, TimeSeriesSplit

    if order not in _ORDERS:
        raise InputError(f"--order must be one of {', '.join(_ORDERS)}; got {order!r}.")
    if folds is not None and folds < 2:
        raise InputError(f"--folds must be 2 or more; got {folds}.")
    if order == "blocks":
        return usual if folds is None else folds
    return TimeSeriesSplit(folds or 5) if order == "forward" else KFold(folds or 5, shuffle=True, random_state=seed)


@contextmanager
def _judging() -> Iterator[Callable[[int, int], None]]:
    """Show how many fits are done, and the notes once the input is known to be good."""
    line = CountProgress("fits, judged on rows held out")

    def on_progress(done: int, total: int) -> None:
        show_notes()
        line(done, total)

    with line.shown():
        yield on_progress


def _show(
    output: Path | None,
    frame: Any,
    header: Sequence[str],
    cells: Sequence[Sequence[str]],
    *,
    right: Sequence[int],
    sentence: str,
) -> None:
    """Print a table and what it means, unless the frame goes to standard output; write the frame to the file."""
    if output is None or str(output) != "-":
        show_table(header, cells, right=right)
        show()
        say(sentence)
    sys.stdout.flush()
    if output is not None:
        write_output(output, frame)
        note(f"saved to {output}")
