"""Rules compared with other ways to decide, on rows held out: a table, and what is worth it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import number_at_least
from hedgerow.data.confidence import ConfidenceInterval, block_labels, block_means, later_interval
from hedgerow.data.display import Tabular, reader
from hedgerow.problems.base import Problem
from hedgerow.run import Deadline
from hedgerow.study.contenders import CHOSEN, CLAIRVOYANT, ONE_PLAN, SOLVING, Contender, contenders
from hedgerow.study.held_out import Judged, Pairs, judged, row_splits
from hedgerow.uncertainty import Uncertainty
from hedgerow.wording.numbers import counted, number, percentage

if TYPE_CHECKING:
    import pandas as pd

_LEAST_SECONDS: Final = 0.01
_FEW_ROWS: Final = 100
"""Fewer rows than this are called few."""

_STRETCHES: Final = 5
"""Into how many stretches of time rows are cut, to see what changes from one to the next."""


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Tabular):
    """Costs of all contenders on the same rows, none of which they had seen.

    Attributes
    ----------
    costs
        What each row (of those held out, in their order) costs with each contender (column), in the problem's own sign.
    weights
        Per row how much it counts.
    readings, solved
        Per contender how many values are read for a decision, and on which share of rows the problem is solved.
    costs_with_gaps
        What a row costs on average with each contender if a tenth of the readings is missing at random; NaN for all but
        rules.
    choices
        The contender that the rows to learn from suggest, for each fold.
    problem
        What is decided.
    n_folds_left_out
        How many folds were not judged, since time was up.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import compare
    >>> from hedgerow.problems import Selection
    >>> truth = np.random.default_rng(0).uniform(0.0, 9.0, (40, 2))
    >>> found = compare(Selection(2, 1), truth, depth=1, questions=["items"], folds=2)
    >>> list(found.to_frame().columns)
    ['contender', 'cost', 'share', 'share_low', 'share_high', 'share_with_gaps', 'readings', 'solved']
    >>> found.share("clairvoyant")
    1.0
    """

    costs: "pd.DataFrame"
    weights: FloatArray
    readings: FloatArray
    solved: FloatArray
    costs_with_gaps: FloatArray
    choices: tuple[str, ...]
    problem: Problem
    n_folds_left_out: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """The contenders."""
        return tuple(map(str, self.costs.columns))

    @cached_property
    def _drawn(self) -> "pd.DataFrame":
        """Means over blocks drawn with replacement, a row for each draw."""
        import pandas as pd

        blocks = block_labels(len(self.costs))
        drawn = block_means(self.costs.to_numpy(), self.weights, blocks, np.random.default_rng(0))
        return pd.DataFrame(drawn, columns=self.costs.columns)

    @cached_property
    def _stretches(self) -> "pd.DataFrame":
        """Means over long stretches of consecutive rows."""
        import pandas as pd

        costs, weights = self.costs.to_numpy(), self.weights
        parts = np.array_split(np.arange(len(costs)), min(_STRETCHES, len(costs)))
        means = [weights[rows] @ costs[rows] / max(1e-300, weights[rows].sum()) for rows in parts]
        return pd.DataFrame(means, columns=self.costs.columns)

    def cost(self, name: str) -> float:
        """Return the mean cost per row of a contender."""
        return float(np.average(self.costs[name], weights=self.weights))

    def share(self, name: str) -> float:
        """Return which share a contender wins of what can be won between one plan and knowing everything.

        It is 0 where nothing can be won.
        """
        return float(self._share_at(self.cost(name)))

    def _share_at(self, cost: Any) -> Any:
        to_win = self.cost(ONE_PLAN) - self.cost(CLAIRVOYANT)
        return (self.cost(ONE_PLAN) - cost) / to_win if to_win else 0.0 * cost

    def share_interval(self, name: str) -> ConfidenceInterval:
        """Return where that share lies with 95 % confidence on as many later rows."""
        share, drawn, stretches = self.share(name), self._drawn, self._stretches
        to_win = self.cost(ONE_PLAN) - self.cost(CLAIRVOYANT)
        drawn_to_win = drawn[ONE_PLAN] - drawn[CLAIRVOYANT]
        shares = ((drawn[ONE_PLAN] - drawn[name]) / drawn_to_win).where(drawn_to_win != 0.0, 0.0)
        # By how much a stretch wins more than its part, relative to what all rows can win: stable where a gap is small.
        beyond = stretches[ONE_PLAN] - stretches[name] - share * (stretches[ONE_PLAN] - stretches[CLAIRVOYANT])
        beyond = beyond / to_win if to_win else 0.0 * beyond
        low, high = later_interval(share, shares.to_numpy(), beyond.to_numpy())
        return ConfidenceInterval(low, min(1.0, high))

    def excess(self, name: str, over: str) -> tuple[float, ConfidenceInterval]:
        """Return how much worse per row a contender is than another one, with its interval on as many later rows."""
        sign = self.problem.sign
        drawn, stretches = (sign * (each[name] - each[over]).to_numpy() for each in (self._drawn, self._stretches))
        mean = sign * (self.cost(name) - self.cost(over))
        return mean, later_interval(mean, drawn, stretches)

    @property
    def worth_it(self) -> str:
        """The contender that the rows to learn from suggest, in most folds: the one of least effort that is as good."""
        return max(self.names, key=self.choices.count)

    def __repr__(self) -> str:
        return f"Comparison({len(self.names)} contenders, {len(self.costs)} rows)"

    def plot(self, ax: Any = None) -> Any:
        """Draw the shares on matplotlib's axes, or on a new figure if None; return the axes."""
        return reader("plot.curves", "draw_comparison")(self, ax)

    def to_frame(self) -> "pd.DataFrame":
        """Return one row per contender: mean cost per row, share won with its interval, what it reads and solves."""
        import pandas as pd

        rows = [(name, self.cost(name), self.share(name), *self.share_interval(name)) for name in self.names]
        frame = pd.DataFrame(rows, columns=["contender", "cost", "share", "share_low", "share_high"])
        with_gaps = self._share_at(self.costs_with_gaps)
        return frame.assign(share_with_gaps=with_gaps, readings=self.readings, solved=self.solved)

    @property
    def summary(self) -> str:
        """What is worth it, how sure that is, and how many folds were left out."""
        n_rows = len(self.costs)
        unsure = f" With {n_rows} rows this is unsure: more rows may speak for another way." * (n_rows < _FEW_ROWS)
        left_out = f" Not judged: {counted(self.n_folds_left_out, 'fold')}." if self.n_folds_left_out else ""
        return f"{self._conclusion}{unsure}{left_out}"

    @property
    def _conclusion(self) -> str:
        n_rows, unit = f"{len(self.costs):,}", f" {self.problem.unit}" if self.problem.unit else ""
        to_win, win_interval = self.excess(ONE_PLAN, CLAIRVOYANT)
        does = "gains" if self.problem.sense == "max" else "costs"
        one = f"one plan for all {n_rows} rows {does} {number(self.cost(ONE_PLAN))}{unit} per row"
        if to_win <= 0.0 or win_interval.low <= 0.0:
            return f"Rules aren't worth it: {one}, and knowing everything wins no more than chance would."
        way, share = self.worth_it, percentage(self.share(CHOSEN), 2)
        if way == ONE_PLAN:
            return f"Rules aren't worth it: {one}, and the rows to learn from suggest nothing better."
        if self.excess(CHOSEN, ONE_PLAN)[1].high >= 0.0:
            return (
                f"Rules aren't worth it: {one}, and {way} wins {share} of what can be won, which chance could explain."
            )
        times = self.choices.count(way)
        often = "" if times == len(self.choices) else f" in {times} of {len(self.choices)} folds"
        ends = self.share_interval(CHOSEN)
        low, high = number(100.0 * ends.low, 2), percentage(ends.high, 2)
        return (
            f"Worth it: {way}, as the rows to learn from suggest{often}: on {n_rows} rows not seen before the choice "
            f"wins {share} ({low} to {high}) of what can be won over one plan{self._beside_solving(way)}."
        )

    def _beside_solving(self, way: str) -> str:
        """Return what solving wins, beside another way that was chosen; empty where nothing is solved for."""
        if SOLVING not in self.names or way == SOLVING:
            return ""
        difference = self.excess(CHOSEN, SOLVING)[1]
        verdict = "which is no different within the interval"
        if difference.low > 0.0:
            verdict = "which is better"
        elif difference.high < 0.0:
            verdict = "which is worse"
        return f"; solving anew for each reading wins {percentage(self.share(SOLVING), 2)}, {verdict}"


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
    time_limit: float | None = None,
    folds: Any = 5,
    verbose: bool = False,
) -> Comparison:
    """Compare rules with simpler and with costlier ways to decide, on rows that none of them has seen.

    The contenders are one plan for all rows, CART on optimal labels, greedy trees and robust ones with each kind
    of question, a card of twelve plans, the card unless solving promises more than a threshold, solving the problem for
    each reading, and knowing everything. The threshold is chosen by cross-validation on the rows to learn from. So is
    the way that is worth it: the one of least effort within a standard error of the best, in the order one plan, CART,
    trees, card, card or solving, solving.

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
    depth, questions
        Of the trees; each kind of question makes its own trees.
    uncertainty
        The budget of robust trees; by default the one that errors of the readings suggest.
    time_limit
        Seconds for the whole call, shared by the fits. If time is up, folds are left out.
    folds
        How many blocks of consecutive rows, each held out once; a splitter of scikit-learn; or pairs of row numbers,
        such as `[(range(363), range(363, 728))]`.
    verbose
        Whether to show the progress in scripts, too, where standard error is no terminal.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import compare
    >>> from hedgerow.problems import Selection
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.uniform(0.0, 9.0, (60, 2))
    >>> forecast = truth + rng.normal(0.0, 0.5, truth.shape)
    >>> found = compare(Selection(2, 1), truth, readings=forecast, depth=1, questions=["items"], folds=3)
    >>> found.worth_it, round(found.share("card of 12 plans"), 1)
    ('card of 12 plans', 1.0)
    """
    from hedgerow.estimator import RobustTree

    seconds = None if time_limit is None else number_at_least(time_limit, "time_limit", strict=True)
    pairs = Pairs.create(problem, costs, readings=readings, context=context, weights=sample_weight)
    parts = row_splits(folds, len(pairs))
    model = RobustTree(problem, depth=depth, method="greedy", random_state=0)
    everyone = contenders(model, questions, uncertainty, pairs)
    model.set_params(
        time_limit=None if seconds is None else max(_LEAST_SECONDS, seconds / (len(parts) * len(everyone)))
    )
    judges = [contender.judge for contender in everyone]
    found = judged(pairs, parts, judges, Deadline(seconds), what="contenders", verbose=verbose)
    return comparison_of(everyone, found, pairs)


def comparison_of(everyone: Sequence[Contender], found: Judged, pairs: Pairs) -> Comparison:
    """Return the comparison of contenders from what they came to on rows held out."""
    import pandas as pd

    weights, names = pairs.weights[found.rows], [contender.name for contender in everyone]
    cost, n_readings, is_solved, place, cost_with_gaps = np.moveaxis(found.values, 2, 0)
    chosen = place[np.unique(found.fold, return_index=True)[1], names.index(CHOSEN)]
    return Comparison(
        costs=pd.DataFrame(cost, columns=names),
        weights=weights,
        readings=weights @ n_readings / weights.sum(),
        solved=weights @ is_solved / weights.sum(),
        costs_with_gaps=weights @ cost_with_gaps / weights.sum(),
        choices=tuple(names[int(each)] for each in chosen),
        problem=pairs.problem,
        n_folds_left_out=found.n_folds_left_out,
    )
