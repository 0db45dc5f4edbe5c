"""Small instances with every option, and a tree on each, for the kernels of local search."""

import numpy as np
from hypothesis import strategies as st

from hedgerow import GlobalBudget, Instance, LocalBudget
from hedgerow.engine.pool import SolutionPool
from hedgerow.methods.search.tree_moves import Moves
from hedgerow.problems import ExplicitSet
from hedgerow.run import Options, Run
from hedgerow.tree.questions import Question
from hedgerow.tree.splits import candidate_splits
from hedgerow.tree.structure import NO_SPLIT
from tests.worlds import matrices, set_options

# Coarse, so that items have equal values, and observations equal thresholds' neighbours.
_observed = st.integers(0, 8).map(float)
_budget = st.sampled_from([0.0, 0.6, 1.3, 2.7, 6.1])


def _sums(n_features):
    """Return questions about several items: differences, sums and others."""
    coefficients = st.lists(st.sampled_from([-1.0, 0.0, 1.0, 2.0]), min_size=n_features, max_size=n_features)
    return coefficients.filter(any).map(lambda numbers: Question.of(dict(enumerate(numbers)), "a sum"))


@st.composite
def made_moves(draw, *, local, max_depth=3, settings=None):
    """Draw an instance with its pool, and return the moves on it."""
    n_samples, n_features = draw(st.integers(2, 6)), draw(st.integers(1, 3))
    observations = draw(matrices(n_samples, n_features, _observed))
    costs = draw(matrices(n_samples, 3, st.integers(-5, 9).map(float)))
    observations[0, 0], observations[1, 0] = 0.0, 8.0  # so that there is something to split
    options = draw(set_options(n_samples, n_features))
    if draw(st.integers(0, 3)) == 0:
        options["epsilon"] = 0.7  # so wide that boxes between thresholds can't be entered from below
    weight = st.sampled_from([0.0, 1.0, 2.5])
    kind = LocalBudget if local else GlobalBudget
    budget = draw(st.lists(_budget, min_size=n_samples, max_size=n_samples)) if local else 2.0 * draw(_budget)
    items = [Question.of_item(item) for item in range(n_features)]
    instance = Instance.create(
        ExplicitSet(np.eye(3)),
        costs,
        observed=observations,
        weights=[1.0, 1.0, *draw(st.lists(weight, min_size=n_samples - 2, max_size=n_samples - 2))],
        uncertainty=kind(budget, **options),
        depth=draw(st.integers(1, max_depth)),
        questions=items + draw(st.lists(_sums(n_features), max_size=3)),
    )
    pool = SolutionPool(instance, complete=True)
    pool.add(np.eye(3))
    thresholds = draw(st.sampled_from(["midpoints", "grid"]))
    splits = candidate_splits(instance.question_values, thresholds, instance.questions)
    return Moves(instance, settings or Options(), splits, pool, Run(instance))


@st.composite
def candidates(draw, moves):
    """Draw a tree: any questions, some nodes without one, any solutions."""
    asked = st.one_of(st.just(NO_SPLIT), *[st.integers(0, len(moves.splits) - 1)] * 3)
    structure = np.array([draw(asked) for _ in range(moves.n_inner)], dtype=np.int64)
    choice = np.array([draw(st.integers(0, 2)) for _ in range(moves.n_inner + 1)], dtype=np.int64)
    return moves.evaluated(structure, choice)
