"""The choice of questions by held-out rows, and what `warm-up` runs."""

import numpy as np

from hedgerow import Instance
from hedgerow.methods.question_choice import chosen_questions
from hedgerow.methods.warm_up import warm_up_steps
from hedgerow.problems import Selection
from hedgerow.run import Deadline, Options


def test_where_items_share_a_level_differences_between_plans_are_chosen():
    rng = np.random.default_rng(0)
    level = rng.normal(size=(60, 1))
    costs = 10.0 + 3.0 * level + rng.normal(size=(60, 2))
    instance = Instance.create(Selection(2, 1), costs, depth=1)
    _, words = chosen_questions(instance, Options(), Deadline(), rng)
    assert words == 'questions="plans:3" cost least on held-out rows.'


def test_warming_up_begins_with_the_exact_method():
    assert next(iter(warm_up_steps())) == "exact, no budget"
