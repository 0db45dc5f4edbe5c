"""Trees compared with other ways to decide, on rows held out: a table, and whether a tree is worth it."""

__all__ = ["Comparison", "compare"]

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.data.checks import in_short, number_at_least
from hedgerow.data.confidence import ConfidenceInterval, block_labels, block_means, interval
from hedgerow.data.display import Tabular
from hedgerow.data.readings import LearnFrom, check_learn_from
from hedgerow.errors import InputError
from hedgerow.problem import Problem, Sense
from hedgerow.rules.verbs import reader
from hedgerow.run import Deadline
from hedgerow.study.contenders import CLAIRVOYANT, ONE_PLAN, SOLVING, Contender, contenders
from hedgerow.study.held_out import Pairs, Status, Trials, row_splits
from hedgerow.uncertainty import Uncertainty
from hedgerow.wording.numbers import counted, number, percentage

if TYPE_CHECKING:
    import pandas as pd

_LEAST_SECONDS: Final = 0.01


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Tabular):
    """Costs of all contenders on the same rows, none of which they had seen.

    Attributes
    ----------
    names
        The contenders.
    costs
        What each row (of those held out) costs with each contender (column), in the problem's own sign.
    weights, blocks
        Per row how much it counts, and which block it is drawn with.
    is_tree
        Per contender whether it is a tree of Hedgerow's.
    unit, sense
        Of the costs.
    status
        Whether all folds were judged, or what ended this before.
    n_folds_left_out
        How many folds were not judged then.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import compare
    >>> from hedgerow.problems import Selection
    >>> truth = np.random.default_rng(0).uniform(0.0, 9.0, (40, 2))
    >>> found = compare(Selection(2, 1), truth, depth=1, questions=["items"], folds=2, random_state=0)
    >>> list(found.to_frame().columns)
    ['contender', 'cost', 'cost_low', 'cost_high', 'share', 'share_low', 'share_high']
    >>> found.share("clairvoyant")
    1.0
    """

    names: tuple[str, ...]
    costs: FloatArray
    weights: FloatArray
    blocks: IntArray
    is_tree: BoolArray
    unit: str = ""
    sense: Sense = "min"
    status: Status = "complete"
    n_folds_left_out: int = 0

    @cached_property
    def _means(self) -> FloatArray:
        means: FloatArray = self.weights @ self.costs / self.weights.sum()
        return means

    @cached_property
    def _drawn(self) -> FloatArray:
        return block_means(self.costs, self.weights, self.blocks, np.random.default_rng(0))

    def _shares(self, means: FloatArray) -> FloatArray:
        """Return what part of the way from one plan to knowing everything is won; 0 where there is none."""
        one, least = means[..., [self.names.index(ONE_PLAN)]], means[..., [self.names.index(CLAIRVOYANT)]]
        gap = one - least
        return np.divide(one - means, gap, out=np.zeros_like(means), where=gap != 0.0)

    def cost(self, name: str) -> float:
        """Return the mean cost per row of a contender."""
        return float(self._means[self.names.index(name)])

    def share(self, name: str) -> float:
        """Return which share a contender wins of what can be won between one plan and knowing everything."""
        return float(self._shares(self._means)[self.names.index(name)])

    def share_interval(self, name: str) -> ConfidenceInterval:
        """Return where that share lies with 95 % confidence."""
        return interval(self._shares(self._drawn)[:, self.names.index(name)])

    def excess(self, name: str, over: str) -> tuple[float, ConfidenceInterval]:
        """Return how much worse per row a contender is than another one, and the interval of the difference."""
        sign = -1.0 if self.sense == "max" else 1.0
        one, other = self.names.index(name), self.names.index(over)
        return (
            sign * float(self._means[one] - self._means[other]),
            interval(sign * (self._drawn[:, one] - self._drawn[:, other])),
        )

    @property
    def best_tree(self) -> str:
        """The tree that costs least, or gains most."""
        trees = [name for name, is_tree in zip(self.names, self.is_tree, strict=True) if is_tree]
        return min(trees, key=lambda name: self.excess(name, ONE_PLAN)[0])

    def __repr__(self) -> str:
        return f"Comparison({len(self.names)} contenders, {len(self.costs)} rows)"

    def plot(self, ax: Any = None) -> Any:
        """Draw the shares on matplotlib's axes, or on a new figure if None; return the axes."""
        return reader("plot.curves", "draw_comparison")(self, ax)

    def to_frame(self) -> "pd.DataFrame":
        """Return one row per contender: mean cost per row and share won, with intervals of 95 % confidence."""
        import pandas as pd

        rows = [
            (name, self.cost(name), *interval(self._drawn[:, place]), self.share(name), *self.share_interval(name))
            for place, name in enumerate(self.names)
        ]
        names = ["cost", "cost_low", "cost_high", "share", "share_low", "share_high"]
        return pd.DataFrame(rows, columns=["contender", *names])

    @cached_property
    def summary(self) -> str:
        """The conclusion, and how many folds were left out."""
        left_out = f" Not judged: {counted(self.n_folds_left_out, 'fold')}." if self.n_folds_left_out else ""
        return f"{self._conclusion}{left_out}"

    @property
    def _conclusion(self) -> str:
        n_rows, unit = f"{len(self.costs):,}", f" {self.unit}" if self.unit else ""
        to_win, win_interval = self.excess(ONE_PLAN, CLAIRVOYANT)
        does = "gains" if self.sense == "max" else "costs"
        one = f"one plan for all {n_rows} rows {does} {number(self.cost(ONE_PLAN))}{unit} per row"
        if to_win <= 0.0 or win_interval.low <= 0.0:
            return f"A tree isn't worth it: {one}, and knowing everything wins no more than chance would."
        if not any(self.is_tree):
            return f"On rows not seen before {one}, and {number(to_win)}{unit} could be won; no tree was tried."
        tree = self.best_tree
        advantage = self.excess(tree, ONE_PLAN)[1]
        if advantage.high >= 0.0:
            return (
                f"A tree isn't worth it: on rows not seen before {one}, and the best tree ({tree}) "
                f"{number(self.cost(tree))}{unit}, which chance could explain."
            )
        ends = self.share_interval(tree)
        low, high = number(100.0 * ends.low, 2), percentage(ends.high, 2)
        won = (
            f"On {n_rows} rows not seen before the best tree ({tree}) {does} {number(self.cost(tree))}{unit} per row "
            f"and wins {percentage(self.share(tree), 2)} ({low} to {high}) of what can be won over one plan"
        )
        # Rules that see context alone have no readings that could be solved for.
        return f"{won}; {self._beside_solving(tree)}" if SOLVING in self.names else f"{won}."

    def _beside_solving(self, tree: str) -> str:
        solving = f"solving anew for each reading wins {percentage(self.share(SOLVING), 2)}"
        difference = self.excess(tree, SOLVING)[1]
        if difference.low > 0.0:
            return f"{solving} and stays ahead."
        if difference.high < 0.0:
            return f"{solving}, so the tree beats it."
        return f"{solving}, which is no different within the interval."


def compare(
    problem: Problem,
    costs: Any,
    *,
    readings: Any = None,
    context: Any = None,
    sample_weight: Any = None,
    depth: int = 2,
    questions: Sequence[Any] = ("items", "plans"),
    uncertainty: Uncertainty | None = None,
    learn_from: LearnFrom = "truth",
    iteration_limit: int = 10,
    time_limit: float | None = None,
    folds: Any = 5,
    blocks: Any = None,
    others: Sequence[Contender] = (),
    random_state: int | None = 0,
    verbose: bool = False,
    interruptible: bool = False,
) -> Comparison:
    """Compare trees with simpler and with costlier ways to decide, on rows that none of them has seen.

    The contenders are one plan for all rows, CART on optimal labels, a forest that predicts costs to optimise for,
    greedy, nominal and robust trees with each kind of question, solving the problem for each reading, and knowing
    everything.

    Parameters
    ----------
    problem
        What is decided.
    costs
        True costs, N × items.
    readings
        What was read in place of the costs, such as forecasts: same rows and columns.
    context, sample_weight
        What is observed if not the costs, and how much each row counts, as for `RobustTree.fit`.
    depth, questions, learn_from
        Of the trees; each kind of question makes its own trees.
    uncertainty
        Budget of the robust trees. With readings, by default that of `LocalBudget.from_errors`; without readings there
        are no robust trees then.
    iteration_limit, random_state
        Of each fit, by local search.
    time_limit
        Seconds for the whole call: each fit gets a share. Once time is up, the folds that are left are not judged.
    folds
        How many blocks of consecutive rows, each held out once; or a splitter of scikit-learn, or pairs of row numbers
        such as `[(range(363), range(363, 728))]`.
    blocks
        One label per row: rows with the same label go together and are drawn together for the intervals. By default
        stretches of consecutive rows.
    others
        Contenders of your own.
    verbose
        Whether to show the progress in scripts, too, where standard error is no terminal.
    interruptible
        Whether Ctrl-C keeps the folds that are finished, if there are any.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import compare
    >>> from hedgerow.problems import Selection
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.uniform(0.0, 9.0, (60, 2))
    >>> forecast = truth + rng.normal(0.0, 0.5, truth.shape)
    >>> found = compare(Selection(2, 1), truth, readings=forecast, depth=1, questions=["items"], folds=3)
    >>> found.summary
    'On 60 rows not seen before the best tree ...'
    """
    from hedgerow.estimator import RobustTree

    check_learn_from(learn_from, has_readings=readings is not None)
    seconds = None if time_limit is None else number_at_least(time_limit, "time_limit", strict=True)
    pairs = Pairs.create(problem, costs, readings=readings, context=context, weights=sample_weight)
    parts, labels = row_splits(folds, len(pairs)), block_labels(blocks, len(pairs))
    model = RobustTree(
        problem,
        depth=depth,
        learn_from=learn_from,
        method="local_search",
        iteration_limit=iteration_limit,
        random_state=random_state,
    )
    everyone = [*contenders(model, questions, uncertainty, pairs), *others]
    n_fits = len(parts) * max(1, sum(each.is_tree for each in everyone))
    model.set_params(time_limit=None if seconds is None else max(_LEAST_SECONDS, seconds / n_fits))
    trials = Trials(pairs, parts, Deadline(seconds), "contenders", interruptible=interruptible)
    with trials.progress.shown(verbose=verbose):
        judged = trials.judged([contender.judge for contender in everyone])
    if not judged:
        if trials.status == "interrupted":
            raise KeyboardInterrupt
        raise InputError(f"time_limit is too short to judge all contenders once; got {in_short(time_limit)}.")
    rows = np.concatenate([parts[fold][1] for fold in judged])
    return Comparison(
        names=tuple(contender.name for contender in everyone),
        costs=np.concatenate([np.column_stack(columns) for columns in judged.values()]),
        weights=pairs.weights[rows],
        blocks=np.unique(labels[rows], return_inverse=True)[1].astype(np.int64),
        is_tree=np.array([contender.is_tree for contender in everyone]),
        unit=problem.unit,
        sense=problem.sense,
        status=trials.status,
        n_folds_left_out=len(parts) - len(judged),
    )
