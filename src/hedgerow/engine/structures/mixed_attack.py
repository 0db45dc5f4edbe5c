"""A bound on a structure from attacks in mixture, where solutions come from an oracle.

Against a mixture of affordable assignments every slot k faces each sample j with some probability q_kj, and its best
solution is the oracle's answer to these weights: Σ_k min_x Σ_j q_kj f(c_j, x) is a lower bound on the structure. The
minimum is concave in q, so that mixtures bound better than any single assignment. A good one is found by fictitious
play (Brown, 1951): slots and adversary answer each other's play so far in turn.
"""

__all__ = ["mixed_bounds"]

import numpy as np

from hedgerow.adversary.knapsack_kernels import LARGEST_SUM, worst_assignment
from hedgerow.compiled import kernel
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.structures.reach import Reading, structure_costs
from hedgerow.instance import Instance
from hedgerow.problem import AnswersMixtures
from hedgerow.run import Run

_ROUNDS = 60
_AT_ONCE = 256
_NODES = 100_000


def mixed_bounds(
    structures: IntArray, bounds: FloatArray, instance: Instance, reading: Reading, run: Run, target: float
) -> FloatArray:
    """Return lower bounds on the structures, none worse than those given; play stops where one reaches the target.

    Returned as they are where the problem has no quick oracle, and from there on where the run has to stop.
    """
    problem = instance.problem
    if not isinstance(problem, AnswersMixtures) or not problem.has_quick_oracle:
        return bounds
    raised = bounds.copy()
    for start in range(0, len(structures), _AT_ONCE):
        if run.must_stop():
            break
        block = slice(start, start + _AT_ONCE)
        raised[block] = np.maximum(bounds[block], _played(structures[block], instance, reading, target))
    return raised


def _played(structures: IntArray, instance: Instance, reading: Reading, target: float) -> FloatArray:
    """Return the best bound that play finds for each structure."""
    n_slots = structures.shape[1] + 1
    move_cost = np.empty((len(structures), n_slots, instance.n_samples))
    for structure, costs in zip(structures, move_cost, strict=True):
        structure_costs(structure, reading, costs)
    best = np.full(len(structures), -np.inf)
    playing = np.arange(len(structures))
    share = (move_cost.argmin(axis=1)[:, None] == np.arange(n_slots)[:, None]).astype(np.float64)
    paid = np.zeros((len(structures), instance.n_samples, n_slots))
    for number in range(1, _ROUNDS + 1):
        losses = _answers(share, instance)
        best[playing] = np.maximum(best[playing], np.einsum("bkj,bjk->b", share, losses))
        # Late plays weigh more: the first ones answer to little.
        step = 2.0 / (number + 1.0)
        paid = (1.0 - step) * paid + step * losses
        worst = np.empty(playing.size)
        _attack_all(paid, move_cost[playing], reading.limit, step, share, worst)
        # Where even the whole play so far costs less than the target, no mixture will reach it.
        keep = (best[playing] < target) & (worst >= target)
        playing, share, paid = playing[keep], share[keep], paid[keep]
        if not playing.size:
            break
    return best


def _answers(share: FloatArray, instance: Instance) -> FloatArray:
    """Return per structure, sample and slot the loss of the solution that answers the slot's share of the samples."""
    n_structures, n_slots, n_samples = share.shape
    assert isinstance(instance.problem, AnswersMixtures)
    solutions = instance.problem.best_for_mixtures(instance.costs, share.reshape(-1, n_samples) * instance.weights)
    return instance.losses(solutions).T.reshape(n_structures, n_slots, n_samples).transpose(0, 2, 1)


@kernel
def _attack_all(
    paid: FloatArray, move_cost: FloatArray, limit: float, step: float, share: FloatArray, worst: FloatArray
) -> None:
    """Mix the worst assignment for each structure into its shares by the given step, and write what it costs."""
    n_structures, n_slots, n_samples = share.shape
    choice = np.empty(n_samples, np.int64)
    for number in range(n_structures):
        by_sample = np.ascontiguousarray(move_cost[number].T)
        gain = np.ascontiguousarray(paid[number])
        value = worst_assignment(gain, by_sample, limit, -np.inf, _NODES, LARGEST_SUM, choice)
        worst[number] = np.inf if np.isnan(value) else value
        if np.isnan(value):
            continue
        for slot in range(n_slots):
            for row in range(n_samples):
                share[number, slot, row] *= 1.0 - step
        for row in range(n_samples):
            share[number, choice[row], row] += step
