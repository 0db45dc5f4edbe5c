"""A short run of the harness, and what it compares with: brute force, and bounds against trees."""

import numpy as np
import pytest

from tests.torture import __main__ as torture
from tests.torture.paths import Paths
from tests.torture.plain import Plain
from tests.torture.values import scale_of
from tests.torture.world import world

SHORT = {"adversary": 150, "optimum": 6, "context": 20, "hostile": 50, "paths": 2, "wishes": 20, "alternatives": 20}


@pytest.mark.parametrize("name", SHORT)
def test_a_short_run_finds_nothing(name):
    """The long one is `make torture`. Time limits are left to it: they are measured in seconds."""
    state = torture.State(None, seed=1)
    torture.run([name], 1, 600.0, state, SHORT)
    assert state.found == []
    assert state.done[name] == SHORT[name]


def test_a_bound_above_a_tree_is_found(monkeypatch):
    """Also one that is above a tree beside those that were found, by a millionth of what is at stake."""
    kind = Paths()
    drawn, _, _, seed = kind.draw(torture.generator(0, "paths", 0))
    case = drawn, {}, [("greedy", "midpoints", "")], seed
    assert torture.failure(kind, case) is None
    seen = []
    original = Paths._trees_beside
    monkeypatch.setattr(Paths, "_trees_beside", lambda *given: seen.extend(original(*given)) or seen)
    assert torture.failure(kind, case) is None
    least = min(value for _, _, value in seen)
    monkeypatch.setattr(Paths, "_without_tree", lambda *_: least + 1e-6 * scale_of(drawn.instance))
    assert "is above" in torture.failure(kind, case)


def test_a_bound_is_about_the_thresholds_that_its_result_names():
    """Changes of readings are limited here, so that a bound over all thresholds is one over midpoints."""
    assert torture.failure(Paths(), Paths().draw(torture.generator(37, "paths", 6))) is None


def test_brute_force_knows_the_examples_that_can_be_done_by_hand():
    """The motivating example: worst case 50 of the nominal tree, optimum 43."""
    from hedgerow import GlobalBudget, Instance
    from hedgerow.datasets import motivating_example

    problem, costs = motivating_example()
    instance = Instance.create(problem, costs, uncertainty=GlobalBudget(5.0), depth=2)
    plain = Plain(instance)
    assert plain.optimum(2, problem.all_solutions(10)) == pytest.approx(43.0)
    rng = torture.generator(0, "optimum", 0)
    drawn = world(rng, most_samples=3, most_solutions=4, depths=(1,)).instance
    solutions = drawn.problem.all_solutions(8)
    assert Plain(drawn).optimum(0, solutions) == pytest.approx(Plain(drawn).loss(solutions).sum(axis=0).min())


def test_brute_force_moves_no_reading_whose_limit_is_zero():
    """A limit of zero binds however little is missing: 1e-12 is less than the slack for sums of readings."""
    from hedgerow import Instance, LocalBudget
    from hedgerow.problems import Selection
    from hedgerow.tree.questions import Question

    single, total = ((0, 1.0),), ((0, 1.0), (1, 1.0))
    leaf = [(single, 0.5 - 1e-12, False), (total, 0.75, False)]
    for limits, cost in (([0.0, 0.0], np.inf), ([0.0, 1.0], np.inf), ([1.0, 0.0], 1e-12)):
        uncertainty = LocalBudget(1.0, epsilon=0.1, limits=np.array([limits]))
        asked = [Question.of({0: 1.0}, "a"), Question.of({0: 1.0, 1: 1.0}, "b")]
        instance = Instance.create(
            Selection(2, 1), [[1.0, 2.0]], observed=[[0.5, 0.0]], uncertainty=uncertainty, depth=2, questions=asked
        )
        assert Plain(instance).move_cost(leaf, 0) == pytest.approx(cost, abs=1e-11)
