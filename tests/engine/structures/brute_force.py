"""Leaf problems, attacks and sums by trying everything: what the kernels on tables are measured against."""

from itertools import product

import numpy as np
from hypothesis import strategies as st


def worst_sum(gain, move_cost, limit):
    """Return the largest sum of gains over all assignments within the limit; both arguments are slots × samples."""
    n_slots, n_samples = gain.shape
    worst = -np.inf
    for sent in product(range(n_slots), repeat=n_samples):
        rows = range(n_samples)
        if sum(move_cost[slot, row] for slot, row in zip(sent, rows, strict=True)) <= limit:
            worst = max(worst, sum(gain[slot, row] for slot, row in zip(sent, rows, strict=True)))
    return worst


def leaf_problem(loss, move_cost, limit):
    """Return the least worst case over all choices of one solution per slot."""
    choices = product(range(loss.shape[1]), repeat=len(move_cost))
    return min(worst_sum(loss.T[list(choice)], move_cost, limit) for choice in choices)


def subset(mask, n_samples):
    return [row for row in range(n_samples) if mask >> row & 1]


def served_by(loss, rows, n_solutions):
    """Return the least cost of serving the samples with so many solutions, each sample by its best one of them."""
    if not rows:
        return 0.0
    return min(
        sum(min(loss[row, solution] for solution in picked) for row in rows)
        for picked in product(range(loss.shape[1]), repeat=n_solutions)
    )


_FEW_SAMPLES, _FEW_SOLUTIONS = st.integers(1, 4), st.integers(1, 3)


def tables(n_samples=_FEW_SAMPLES, n_solutions=_FEW_SOLUTIONS):
    """Draw tables of losses with ties and of any sign, samples × solutions."""
    entries = st.integers(-6, 9).map(float)
    return st.tuples(n_samples, n_solutions).flatmap(
        lambda shape: st.lists(
            st.lists(entries, min_size=shape[1], max_size=shape[1]), min_size=shape[0], max_size=shape[0]
        ).map(np.array)
    )


@st.composite
def moves(draw, n_slots, n_samples, *, local):
    """Draw move costs, slots × samples: each sample has a slot of its own; local ones are 0 or ∞."""
    entries = [0.0, np.inf] if local else [0.5, 1.0, 1.0, 2.5, 4.0, np.inf]
    cost = np.array([[draw(st.sampled_from(entries)) for _ in range(n_samples)] for _ in range(n_slots)])
    for row in range(n_samples):
        cost[draw(st.integers(0, n_slots - 1)), row] = 0.0
    return cost
