"""The call that made rules: kept in the file, and enough to make them again."""

import numpy as np

from hedgerow import LocalBudget, RobustTree, RuleBook
from hedgerow.problems import Selection

COSTS = np.random.default_rng(0).integers(1, 9, (6, 3)).astype(float)


def test_the_call_is_kept_in_the_file_and_makes_the_same_rules_again(tmp_path):
    problem = Selection(3, 1)
    options = {"depth": 1, "method": "exact", "uncertainty": LocalBudget(fraction=0.05), "random_state": 7}
    model = RobustTree(problem, **options).fit(COSTS, readings=COSTS + 0.5, sample_weight=np.ones(6))
    model.save(tmp_path / "rules.json")
    call = RuleBook.load(tmp_path / "rules.json").made_by
    assert call.endswith(".fit(costs, readings=readings, sample_weight=sample_weight)")
    names = {"RobustTree": RobustTree, "LocalBudget": LocalBudget, "problem": problem}
    again = eval(call, {**names, "costs": COSTS, "readings": COSTS + 0.5, "sample_weight": np.ones(6)})
    assert again.tree_ == model.tree_
