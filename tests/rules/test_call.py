"""The call that made rules: kept in the file, and enough to make them again."""

import inspect

import numpy as np

from hedgerow import LocalBudget, RobustTree, RuleBook
from hedgerow.problems import Selection
from hedgerow.rules import Call
from hedgerow.rules.call import DEFAULTS

COSTS = np.random.default_rng(0).integers(1, 9, (6, 3)).astype(float)


def test_defaults_are_those_of_the_estimator():
    parameters = inspect.signature(RobustTree).parameters
    shared = {name: DEFAULTS[name] for name in DEFAULTS if name in parameters}
    assert {*DEFAULTS} - {*shared} == {"stall_limit", "memory_limit"}
    assert shared == {name: parameters[name].default for name in shared}


def test_the_call_is_kept_in_the_file_and_makes_the_same_rules_again(tmp_path):
    problem = Selection(3, 1)
    options = {"depth": 1, "method": "exact", "uncertainty": LocalBudget(fraction=0.05), "random_state": 7}
    model = RobustTree(problem, **options).fit(COSTS, readings=COSTS + 0.5, sample_weight=np.ones(6))
    model.save(tmp_path / "rules.json")
    call = RuleBook.load(tmp_path / "rules.json").call
    assert call == model.rulebook_.call
    assert call.tables == ("costs", "readings", "sample_weight")
    assert call.seed == 7
    names = {"RobustTree": RobustTree, "LocalBudget": LocalBudget, "problem": problem}
    again = eval(str(call), {**names, "costs": COSTS, "readings": COSTS + 0.5, "sample_weight": np.ones(6)})
    assert again.tree_ == model.tree_


def test_a_generator_is_no_seed():
    assert Call.of({}, seed=np.random.default_rng(0)).seed is None
