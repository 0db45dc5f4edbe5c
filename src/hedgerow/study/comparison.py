"""What a comparison found: a table, and one sentence that says whether a tree is worth it."""

__all__ = ["Comparison"]

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from hedgerow.arrays import BoolArray, FloatArray, IntArray
from hedgerow.intervals import Interval, block_means, interval
from hedgerow.problem import Sense
from hedgerow.words import number

if TYPE_CHECKING:
    import pandas as pd

ONE_PLAN: Final = "one plan"
SOLVING: Final = "solving for the reading"
CLAIRVOYANT: Final = "clairvoyant"


@dataclass(frozen=True, eq=False)
class Comparison:
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

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import compare
    >>> from hedgerow.problems import Selection
    >>> truth = np.random.default_rng(0).uniform(0.0, 9.0, (40, 2))
    >>> found = compare(Selection(2, 1), truth, depth=1, questions=["items"], folds=2, random_state=0)
    >>> list(found.table.columns)
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

    def share_interval(self, name: str) -> Interval:
        """Return where that share lies with 95 % confidence."""
        return interval(self._shares(self._drawn)[:, self.names.index(name)])

    def excess(self, name: str, over: str) -> tuple[float, Interval]:
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

    @cached_property
    def table(self) -> "pd.DataFrame":
        """One row per contender: mean cost per row and share won, with intervals of 95 % confidence."""
        import pandas as pd

        rows = [
            (name, self.cost(name), *interval(self._drawn[:, place]), self.share(name), *self.share_interval(name))
            for place, name in enumerate(self.names)
        ]
        names = ["cost", "cost_low", "cost_high", "share", "share_low", "share_high"]
        return pd.DataFrame(rows, columns=["contender", *names])

    @cached_property
    def sentence(self) -> str:
        """The conclusion."""
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
        low, high = (f"{100.0 * share:.0f}" for share in self.share_interval(tree))
        won = (
            f"On {n_rows} rows not seen before the best tree ({tree}) {does} {number(self.cost(tree))}{unit} per row "
            f"and wins {100.0 * self.share(tree):.0f} % ({low} to {high} %) of what can be won over one plan"
        )
        return f"{won}; {self._beside_solving(tree)}"

    def _beside_solving(self, tree: str) -> str:
        solving = f"solving anew for each reading wins {100.0 * self.share(SOLVING):.0f} %"
        difference = self.excess(tree, SOLVING)[1]
        if difference.low > 0.0:
            return f"{solving} and stays ahead."
        if difference.high < 0.0:
            return f"{solving}, so the tree beats it."
        return f"{solving}, which is no different within the interval."
