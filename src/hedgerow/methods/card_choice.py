"""Which plans stand on a card, and with which handicaps: plain arithmetic on a table of plans."""

__all__ = ["Choice", "PlanTable", "best_card", "best_handicap", "followed", "quick_card", "shortlist", "with_each_plan"]

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


class _Following(NamedTuple):
    """What each sample costs with a card, and the total of the plan that it follows."""

    loss: FloatArray
    total: FloatArray

    @classmethod
    def of(cls, table: PlanTable, plans: list[int], handicap: FloatArray | float = 0.0) -> Self:
        totals, samples = table.total[:, plans] + handicap, np.arange(len(table.total))
        place = np.argmin(totals, axis=1)
        return cls(table.loss[samples, np.array(plans)[place]], totals[samples, place])

    def added(self, table: PlanTable, plan: int) -> "_Following":
        """Return the same after a plan was added, which comes last, so that others win ties."""
        better = table.total[:, plan] < self.total
        loss = np.where(better, table.loss[:, plan], self.loss)
        return _Following(loss, np.where(better, table.total[:, plan], self.total))

    def with_each(self, table: PlanTable) -> FloatArray:
        """Return per plan what all samples cost together if it is added."""
        better = table.total < self.total[:, None]
        sums: FloatArray = self.loss.sum() + np.where(better, table.loss - self.loss[:, None], 0.0).sum(axis=0)
        return sums


def best_card(table: PlanTable, count: int) -> Choice:
    """Return up to `count` plans that cost little if each sample follows the one with the least total.

    The plan that lowers the cost most is added again and again; after each, plans are exchanged while that helps.

    >>> costs = np.array([[1.0, 4.0, 3.0], [5.0, 2.0, 3.0], [1.0, 6.0, 3.0]])
    >>> best_card(PlanTable(costs, costs), 2).plans
    [0, 1]
    """
    plans = [int(np.argmin(table.loss.sum(axis=0)))]
    value, step = float(table.loss[:, plans[0]].sum()), VALUE * float(np.abs(table.loss).sum(axis=0).max())
    while len(plans) < count:
        sums = _Following.of(table, plans).with_each(table)
        best = int(np.argmin(sums))
        if sums[best] >= value - step:
            break
        plans, value = [*plans, best], float(sums[best])
        for _ in range(_ROUNDS):
            before = value
            plans, value = _exchanged(table, plans, value, step)
            if value == before:
                break
    return Choice(plans, _handicaps(table.of_plans(plans)))


def followed(table: PlanTable, card: Choice) -> FloatArray:
    """Return what each sample costs with a card."""
    return _Following.of(table, card.plans, card.handicap).loss


def with_each_plan(table: PlanTable, card: Choice) -> FloatArray:
    """Return per plan what all samples cost together if a card has it, too, at its end and without a handicap."""
    if not card.plans:
        sums: FloatArray = table.loss.sum(axis=0)
        return sums
    return _Following.of(table, card.plans, card.handicap).with_each(table)


def _exchanged(table: PlanTable, plans: list[int], value: float, step: float) -> tuple[list[int], float]:
    """Return the plans after each in turn has given way to the best other one, where that helps."""
    for plan in list(plans) if len(plans) > 1 else []:
        others = [other for other in plans if other != plan]
        sums = _Following.of(table, others).with_each(table)
        best = int(np.argmin(sums))
        if sums[best] < value - step:
            plans, value = [*others, best], float(sums[best])
    return plans, value


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


def quick_card(table: PlanTable, count: int) -> float:
    """Return about what a card of up to `count` plans costs: they are added one by one, without exchanges."""
    best = int(np.argmin(table.loss.sum(axis=0)))
    following = _Following(table.loss[:, best], table.total[:, best])
    value = float(following.loss.sum())
    for _ in range(1, count):
        sums = following.with_each(table)
        best = int(np.argmin(sums))
        if sums[best] >= value:
            break
        following, value = following.added(table, best), float(sums[best])
    return value


def shortlist(table: PlanTable, plans: list[int], count: int) -> list[int]:
    """Return `count` plans, some of them first, that together have a good one for every sample."""
    chosen, best = list(plans), table.loss[:, plans].min(axis=1)
    while len(chosen) < min(count, table.loss.shape[1]):
        sums = np.minimum(table.loss, best[:, None]).sum(axis=0)
        sums[chosen] = np.inf
        chosen.append(int(np.argmin(sums)))
        best = np.minimum(best, table.loss[:, chosen[-1]])
    return chosen
