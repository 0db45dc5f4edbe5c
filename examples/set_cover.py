"""Cover everything at least once: which stations to staff so that each district is in reach of one."""

import numpy as np

from hedgerow.errors import InfeasibleProblemError
from hedgerow.problem import FeasibleSet, RowBlock
from hedgerow.problems import LinearProblem


class SetCover(LinearProblem):
    """Choose places so that all that is to be covered is in reach of at least one; the items are the places.

    `reach` lists what each place covers. A MIP over the feasible set is the oracle, the names of its rows say why a
    solution is not feasible, and the constructor's signature is what files hold.
    """

    kind = "set_cover"

    def __init__(self, places, reach, *, sense="min", **units):
        super().__init__(places, sense=sense, **units)
        self.places, self.reach = self.item_names, tuple(tuple(map(str, covered)) for covered in reach)
        self._covered = tuple(dict.fromkeys(name for covered in self.reach for name in covered))
        if len(self.reach) != self.n_items or not self._covered:
            raise InfeasibleProblemError(f"each of the {self.n_items} places must cover something; got {self.reach}.")

    def feasible_set(self):
        """Return X: binaries with at least one place in reach of all that is to be covered."""
        covers = np.array([[float(name in covered) for covered in self.reach] for name in self._covered])
        names = [f"the number of places in reach of '{name}'" for name in self._covered]
        return FeasibleSet.of(RowBlock(names, [covers], 1.0, np.inf))
