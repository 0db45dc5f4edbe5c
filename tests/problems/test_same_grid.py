"""One problem through every door: the same optimum and the same advice."""

import numpy as np
import pytest

from hedgerow import GlobalBudget, LocalBudget, RobustTree
from hedgerow.datasets import paper_shortest_path
from tests.problems.grids import GRID, WAYS


@pytest.mark.parametrize("uncertainty", [LocalBudget(fraction=0.05), GlobalBudget(fraction=0.02)], ids=repr)
@pytest.mark.parametrize("way", WAYS)
def test_the_same_grid_has_the_same_optimum_and_the_same_advice(way, uncertainty, tmp_path):
    _, train, test = paper_shortest_path(seed_id=0, n_samples=5, grid=3)
    options = {"depth": 2, "uncertainty": uncertainty, "method": "exact", "thresholds": "midpoints", "random_state": 0}
    expected = RobustTree(GRID, **options).fit(train)
    problem = WAYS[way](tmp_path)
    model = RobustTree(problem, **options).fit(train)
    assert model.result_.status == "optimal"
    assert model.result_.objective == pytest.approx(expected.result_.objective, rel=1e-9)
    if way != "oracle":  # proven another way, which may end with another of several best trees
        np.testing.assert_array_equal(model.predict(test), expected.predict(test))
