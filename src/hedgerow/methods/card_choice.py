"""Which plans stand on a card, and with which handicaps: plain arithmetic on a table of plans."""

from dataclasses import dataclass
from typing import Final, NamedTuple, Self

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.thresholds import roundest
from hedgerow.tolerances import VALUE

_ROUNDS: Final = 2
"""Rounds of exchanges after each plan that is added."""

_ROUNDS_OF_HANDICAPS: Final = 3
_CLEARLY: Final = 2.0
"""A handicap has to win more than this many times what chance would among the samples that it moves."""


@dataclass(frozen=True)
class PlanTable:
    """What plans (columns) truly cost on samples (rows), and their totals by the readings; both to be minimised."""

    loss: FloatArray
    total: FloatArray

    def of_samples(self, samples: IntArray) -> Self:
        """Return the table of some samples."""
        return type(self)(self.loss[samples], self.total[samples])

    def of_plans(self, plans: list[int]) -> Self:
        """Return the table of some plans."""
        return type(self)(self.loss[:, plans], self.total[:, plans])


class Choice(NamedTuple):
    """Places of plans in a table, and their handicaps."""

    plans: list[int]
    handicap: FloatArray


def best_card(table: PlanTable, count: int) -> Choice:
    """Return up to `count` plans, with handicaps, that cost little if each sample follows the one with the least total.

    >>> costs = np.array([[1.0, 4.0, 3.0], [5.0, 2.0, 3.0], [1.0, 6.0, 3.0]])
    >>> best_card(PlanTable(costs, costs), 2).plans
    [0, 1]
    """
    plans, _ = best_plans(table, count, _ROUNDS)
    return Choice(plans, _handicaps(table.of_plans(plans)))


def best_plans(table: PlanTable, count: int, rounds: int = 0) -> tuple[list[int], float]:
    """Return up to `count` plans that cost little if each sample follows the one with the least total, and their cost.

    The plan that lowers the cost most is added again and again; after each, plans are exchanged in some rounds while
    that helps.
    """
    plans = [int(np.argmin(table.loss.sum(axis=0)))]
    value, step = float(table.loss[:, plans[0]].sum()), VALUE * float(np.abs(table.loss).sum(axis=0).max())

    def with_best_other(others: list[int]) -> tuple[list[int], float]:
        sums = with_each_plan(table, Choice(others, np.zeros(len(others))))
        best = int(np.argmin(sums))
        return [*others, best], float(sums[best])

    while len(plans) < count:
        more, value_with_more = with_best_other(plans)
        if value_with_more >= value - step:
            break
        plans, value = more, value_with_more
        for _ in range(rounds):
            for plan in list(plans):
                others, exchanged = with_best_other([other for other in plans if other != plan])
                if exchanged < value - step:
                    plans, value = others, exchanged
    return plans, value


def with_each_plan(table: PlanTable, card: Choice) -> FloatArray:
    """Return per plan what all samples cost together if a card has it, too, at its end and without a handicap."""
    sums: FloatArray = table.loss.sum(axis=0)
    if card.plans:
        loss, total = followed(table, card)
        sums = loss.sum() + np.where(table.total < total[:, None], table.loss - loss[:, None], 0.0).sum(axis=0)
    return sums


def followed(table: PlanTable, card: Choice) -> tuple[FloatArray, FloatArray]:
    """Return what each sample costs with a card, and the total of the plan that it follows."""
    totals, samples = table.total[:, card.plans] + card.handicap, np.arange(len(table.total))
    place = np.argmin(totals, axis=1)
    return table.loss[samples, np.array(card.plans)[place]], totals[samples, place]


def _handicaps(table: PlanTable) -> FloatArray:
    """Return handicaps for all plans of a table, each in turn the best one beside the others."""
    handicap = np.zeros(table.loss.shape[1])
    for _ in range(_ROUNDS_OF_HANDICAPS if handicap.size > 1 else 0):
        before = handicap.copy()
        for plan in range(handicap.size):
            handicap[plan] = best_handicap(table, plan, handicap)
        if np.array_equal(before, handicap):
            break
    return np.asarray(handicap - handicap.min())


def best_handicap(table: PlanTable, plan: int, handicap: FloatArray) -> float:
    """Return the best handicap of a plan: samples sorted by the one below which they follow it, all sums at once."""
    samples, totals = np.arange(len(table.total)), table.total + handicap
    totals[:, plan] = np.inf
    other = np.argmin(totals, axis=1)
    limit = totals[samples, other] - table.total[:, plan]
    gain = table.loss[samples, other] - table.loss[:, plan]
    order = np.argsort(-limit, kind="stable")
    limit, gain = limit[order], gain[order]
    ends = np.flatnonzero(limit[:-1] > limit[1:])  # the last of those that follow it
    now = int((limit > handicap[plan]).sum())
    if not ends.size:
        return float(handicap[plan])
    sums = np.concatenate([[0.0], np.cumsum(gain)])
    last = int(ends[np.argmax(sums[ends + 1])])
    low, high = sorted((now, last + 1))
    if sums[last + 1] - sums[now] <= _CLEARLY * float(np.sqrt((gain[low:high] ** 2).sum())):
        return float(handicap[plan])
    return roundest(float(limit[last + 1]), float(limit[last]))
