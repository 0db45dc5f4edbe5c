"""Problems whose solutions can't be listed are proven by subset costs from the oracle and leaf MIPs."""

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, solve
from hedgerow.problems import Selection


class Unlisted(Selection):
    """Selections that can't be listed."""

    def all_solutions(self, limit):
        return None


@pytest.mark.parametrize("kind", [LocalBudget, GlobalBudget])
@pytest.mark.parametrize("sense", ["min", "max"])
def test_unlisted_selections_are_proven_as_listed_ones_are(kind, sense):
    """With the oracle and leaf MIPs alone."""
    costs = np.random.default_rng(3).uniform(10.0, 30.0, (4, 6)).round(3)
    results = [
        solve(
            Instance.create(problem(6, 3, sense=sense), costs, uncertainty=kind(fraction=0.1)),
            method="exact",
            thresholds="midpoints",
            random_state=0,
            time_limit=None,
        )
        for problem in (Selection, Unlisted)
    ]
    assert [result.status for result in results] == ["optimal"] * 2
    assert results[0].objective == pytest.approx(results[1].objective)
