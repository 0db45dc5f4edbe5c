"""An uncertainty set of your own: all readings of a day, or of another group of samples, share a budget."""

from dataclasses import dataclass, field

import numpy as np

from hedgerow import GlobalBudget
from hedgerow.uncertainty import Uncertainty, Worst, reach_limit


@dataclass(frozen=True, eq=False, repr=False)
class GroupBudget(Uncertainty):
    """All samples of a group share a budget, such as the readings of one day."""

    groups: tuple[int, ...] = field(default=(), kw_only=True)
    kind = "group"
    whose = "each group of samples"
    is_separable = False  # the samples of a group are not attacked one by one
    is_plain = False  # there is neither a budget for each sample nor one for all
    belongs_to_samples = True  # the groups are those of these samples

    def n_sharing(self, n_samples):
        """Return how many samples share a budget at most."""
        return int(np.bincount(self.groups).max())

    def affords(self, move_cost):
        """Return whether the groups can pay what the moves of their samples cost."""
        return bool((np.bincount(self.groups, weights=move_cost) <= reach_limit(self.budget)).all())

    def worst(self, loss, move_cost):
        """Return the worst attack: that of each group is the worst one of a global budget."""
        leaf, bound, exact = np.empty(len(loss), dtype=np.int64), 0.0, True
        for group in set(self.groups):
            rows = np.equal(self.groups, group)
            leaf[rows], most, proven = GlobalBudget(self.budget).worst(loss[rows], move_cost[rows])
            bound, exact = bound + most, exact and proven
        return Worst(leaf, bound, exact)

    def of_samples(self, rows, n_samples):
        """Return the set for some of the samples."""
        return self.replace(groups=tuple(self.groups[row] for row in rows))
