"""What wishes demand of trees, in numbers: which splits a node may have, and which plans leaves may hold."""

__all__ = ["Demands", "demands_of"]

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.engine.leaf_problem import Rules
from hedgerow.engine.pool import SolutionPool
from hedgerow.errors import InputError
from hedgerow.instance import Instance
from hedgerow.run import Options
from hedgerow.run.wishes import Wishes, item_prices, plan_rows, question_number, top_question
from hedgerow.tree.splits import Splits, candidate_splits
from hedgerow.tree.structure import NO_SPLIT


@dataclass(frozen=True, eq=False)
class Demands:
    """What wishes demand of trees over candidate splits."""

    # The instance with the questions of a given top, and all splits, with those of the top.
    instance: Instance
    splits: Splits
    allowed: BoolArray  # per inner node, level by level, which splits it may have; the last column is for none
    # Most different items and plans; None and 0 for no limit.
    max_items: int | None
    max_plans: int
    fees: FloatArray  # per item what is added if it is asked about
    fixed: tuple[FloatArray | None, ...]  # per slot the plan that it must hold, if any

    def candidates(self, node: int) -> IntArray:
        """Return the splits that a node may have, with `NO_SPLIT` where it may ask nothing."""
        found = np.flatnonzero(self.allowed[node])
        found[found == len(self.splits)] = NO_SPLIT
        return found

    @cached_property
    def reads(self) -> BoolArray:
        """Per split which items it reads; the last row is that of `NO_SPLIT`."""
        by_question = np.zeros((len(self.instance.questions) + 1, self.instance.n_features), dtype=bool)
        for number, question in enumerate(self.instance.questions):
            by_question[number, list(question.items)] = True
        by_split: BoolArray = by_question[np.append(self.splits.question, -1)]
        return by_split

    def rules(self, pool: SolutionPool, n_slots: int) -> Rules:
        """Return what plans of the pool must keep to; plans that are named join it."""
        fixed = np.full(n_slots, -1, dtype=np.int64)
        for slot, plan in enumerate(self.fixed):
            fixed[slot] = -1 if plan is None else pool.add(plan[None])[0]
        return Rules(bool(self.max_plans or (fixed >= 0).any()), self.max_plans, fixed)


def demands_of(instance: Instance, options: Options, *, may_stop: bool = True) -> Demands:
    """Return what the wishes among the options demand; with `may_stop` a node may also ask nothing."""
    wishes = options.wishes or Wishes()
    nodes = dict(_top_nodes(wishes.complete or {}, 0, instance.depth))
    asked = {place: top_question(node, instance) for place, node in nodes.items() if "solution" not in node}
    own = len(instance.questions)
    fresh = [question for question in dict.fromkeys(asked.values()) if question not in instance.questions]
    instance = dataclasses.replace(instance, questions=(*instance.questions, *fresh))
    splits = candidate_splits(instance.question_values, options.thresholds, options.max_thresholds, instance.questions)
    given = {place: (instance.questions.index(each), float(nodes[place]["threshold"])) for place, each in asked.items()}
    free, splits, numbers = _with_given(splits, own, given)
    n_inner = 2**instance.depth - 1
    allowed = np.zeros((n_inner, len(splits) + 1), dtype=bool)
    allowed[:, free] = True
    allowed[:, -1] = may_stop or options.max_leaves is not None or options.min_samples_leaf > 0
    if wishes.ask_first is not None:
        first = question_number(instance, wishes.ask_first)
        if given and given[0][0] != first:
            raise InputError("ask_first and complete contradict each other: they begin with different questions.")
        allowed[:1, :-1] &= splits.question == first
        allowed[:1, -1] = False
    fixed: list[FloatArray | None] = [None] * (n_inner + 1)
    for place, node in nodes.items():
        below = _all_below(place, n_inner)
        if "solution" not in node:
            allowed[place] = False
            allowed[place, numbers[place]] = True
            continue
        allowed[[each for each in below if each < n_inner]] = np.arange(len(splits) + 1) == len(splits)
        # Where a node asks nothing, all go left.
        fixed[min(each for each in below if each >= n_inner) - n_inner] = plan_rows(instance, [node["solution"]])[0]
    return Demands(
        instance,
        splits,
        allowed,
        wishes.max_items,
        wishes.max_plans or 0,
        item_prices(instance, wishes),
        tuple(fixed),
    )


def _top_nodes(node: Mapping[str, Any], place: int, depth: int) -> list[tuple[int, Mapping[str, Any]]]:
    """Return the nodes of the top that are given, by their place: level by level, from 0."""
    if not node:
        return []
    if "solution" in node:
        return [(place, node)]
    if place >= 2**depth - 1:
        raise InputError(f"complete is deeper than depth={depth}.")
    below = [_top_nodes(node[side], 2 * place + 1 + number, depth) for number, side in enumerate(("left", "right"))]
    return [(place, node), *below[0], *below[1]]


def _all_below(place: int, n_inner: int) -> list[int]:
    """Return a place and all places below it, the slots included."""
    found = [place]
    for each in found:
        if each < n_inner:
            found += [2 * each + 1, 2 * each + 2]
    return found


def _with_given(
    splits: Splits, own: int, given: Mapping[int, tuple[int, float]]
) -> tuple[IntArray, Splits, dict[int, int]]:
    """Return the numbers of the splits that any node may have, all splits with the given ones, and their numbers."""
    question = np.append(splits.question, [number for number, _ in given.values()]).astype(np.int64)
    threshold = np.append(splits.threshold, [at for _, at in given.values()])
    order = np.lexsort((threshold, question))
    new = np.argsort(order)
    free = np.sort(new[: len(splits)][splits.question < own])
    below, above = np.append(splits.below, threshold[len(splits) :]), np.append(splits.above, threshold[len(splits) :])
    fixed = {place: int(new[len(splits) + number]) for number, place in enumerate(given)}
    return free, Splits(question[order], threshold[order], below[order], above[order], splits.questions), fixed
