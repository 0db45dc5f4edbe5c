"""Kernels only read the instance's own memory, which they are handed as if they might write to it (`for_kernels`).

As plain Python they run on arrays that are read-only in truth here, where NumPy refuses whatever would be written.
"""

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, solve, worst_case
from hedgerow.compiled import kernel, running
from hedgerow.engine.tables import reach
from hedgerow.problems import Selection
from hedgerow.tree.questions import Question
from hedgerow.tree.splits import candidate_splits
from tests.methods.exact.tiny import PATHS, on_path

WAYS = [*(("exact", path) for path in PATHS), *((name, None) for name in ("alternate", "fix_tree", "local_search"))]


def read_only(array):
    view = array.view()
    view.flags.writeable = False
    return view


def assert_sound(result, instance):
    value = worst_case(result.tree, instance, margin=result.threshold_margin).bound
    assert result.objective == pytest.approx(value)
    assert result.lower_bound <= value + 1e-9


@pytest.fixture(autouse=True)
def _frozen(monkeypatch):
    monkeypatch.setattr(reach, "for_kernels", read_only)
    monkeypatch.setattr(reach.path_costs, "_plain", reach.path_costs.function)


@pytest.mark.parametrize("uncertainty", [LocalBudget(1.0), GlobalBudget(1.5)], ids=["local", "global"])
@pytest.mark.parametrize(("method", "path"), WAYS)
def test_nothing_writes_to_the_samples_and_thresholds(method, path, uncertainty):
    costs = np.random.default_rng(0).integers(0, 9, (4, 3)).astype(float)
    instance = Instance.create(Selection(3, 1), costs, uncertainty=uncertainty, depth=2)
    options = {"thresholds": "midpoints", "iteration_limit": 3, "random_state": 0}
    with running("plain"):
        if path is None:
            assert_sound(solve(instance, method=method, **options), instance)
            return
        with on_path(path, blind=True):
            assert_sound(solve(instance, method=method, **options), instance)
        about_sums = instance.asking([Question.of({0: 1.0, 1: 1.0}, "sum"), Question.of_item(1)])
        assert_sound(solve(about_sums, method=method, **options), about_sums)


@pytest.mark.parametrize("uncertainty", [LocalBudget(1.0), GlobalBudget(1.5)], ids=["local", "global"])
def test_nothing_does_so_over_all_thresholds(uncertainty):
    costs = np.random.default_rng(1).integers(0, 9, (3, 2)).astype(float)
    instance = Instance.create(Selection(2, 1), costs, uncertainty=uncertainty, depth=1)
    with running("plain"):
        assert_sound(solve(instance, method="exact", thresholds="continuous", random_state=0), instance)


@kernel
def overwrite(reading):
    reading.threshold[0] = 0.0


def test_a_kernel_that_writes_is_refused():
    instance = Instance.create(Selection(2, 1), [[1.0, 2.0], [3.0, 1.0]], uncertainty=LocalBudget(1.0), depth=1)
    reading = reach.reading_of(instance, candidate_splits(instance.observations))
    with running("plain"), pytest.raises(ValueError, match="read-only"):
        overwrite(reading)
