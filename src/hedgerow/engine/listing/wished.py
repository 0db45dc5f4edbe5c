"""The exact method with wishes about the tree as a whole: roots by their bounds, each settled to its best structure."""

__all__ = ["Ground", "ground_of", "settle_wishes", "suits_listing"]

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.engine.listing.leaves import Rules
from hedgerow.engine.listing.roots import Block, RootLister
from hedgerow.engine.pool import SolutionPool, complete_pool
from hedgerow.engine.tables.space import cutoff_below
from hedgerow.engine.unreached import fill_unreached
from hedgerow.errors import InputError
from hedgerow.instance import Instance
from hedgerow.problem import is_oracle_only
from hedgerow.run import Options, Run
from hedgerow.splits import Splits, candidate_splits
from hedgerow.structure import NO_SPLIT, existing_slots, tree_of
from hedgerow.tree import Tree
from hedgerow.wishes import MOST_LISTED, Wishes, item_prices, plan_rows, question_number, top_question

DEEPEST: Final = 2
_NONE: Final = np.array([NO_SPLIT], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Ground:
    """What structures are listed over: the instance, its splits and plans, and the lister itself."""

    instance: Instance
    splits: Splits
    solutions: FloatArray
    lister: RootLister

    def tree(self, structure: IntArray, choice: IntArray) -> Tree:
        """Return the tree of a structure that was listed, with plans at all leaves."""
        depth = self.instance.depth
        if depth < DEEPEST:
            structure, choice = structure[1 : 1 + depth], choice[: 1 + depth]
        reached = choice >= 0
        tree = tree_of(structure, self.splits, self.solutions[np.where(reached, choice, 0)])
        return fill_unreached(tree, reached[existing_slots(structure)])

    def first_tree(self, block: Block, entry: int) -> Tree:
        """Return the first tree of an entry of a block."""
        return self.tree(next(block.structures(entry)), block.choice[entry])


def suits_listing(instance: Instance) -> str:
    """Return why structures can't be listed for this instance; empty if they can."""
    if instance.depth > DEEPEST:
        return f"trees may be at most {DEEPEST} questions deep, and depth is {instance.depth}"
    if is_oracle_only(instance.problem) or instance.problem.all_solutions(MOST_LISTED) is None:
        return f"the problem's solutions must be listed, and there are more than {MOST_LISTED:,}"
    return ""


def ground_of(
    instance: Instance, options: Options, run: Run | None = None, *, may_stop: bool = True, by_question: bool = False
) -> Ground:
    """Return what to list structures over; with `may_stop` a node may also ask nothing."""
    wishes = options.wishes or Wishes()
    top = wishes.complete or {}
    nodes = dict(_top_nodes(top, 0, instance.depth))
    added = [top_question(node, instance) for node in nodes.values() if "solution" not in node]
    own = len(instance.questions)
    fresh = [question for question in dict.fromkeys(added) if question not in instance.questions]
    instance = dataclasses.replace(instance, questions=(*instance.questions, *fresh))
    splits = candidate_splits(instance.question_values, options.thresholds, options.max_thresholds, instance.questions)
    given = {
        place: (instance.questions.index(top_question(node, instance)), float(node["threshold"]))
        for place, node in nodes.items()
        if "solution" not in node
    }
    free, splits, fixed = _with_given(splits, own, given)
    if may_stop or options.max_leaves is not None or options.min_samples_leaf:
        free = np.append(free, NO_SPLIT)
    pool = _pool(instance, wishes, options, run)
    plans = pool.add(plan_rows(instance, [node["solution"] for node in nodes.values() if "solution" in node]))
    slots = np.full(4, -1, dtype=np.int64)
    by_node: list[IntArray] = [free, free, free]
    first = -1 if wishes.ask_first is None else question_number(instance, wishes.ask_first)
    if first >= 0:
        by_node[0] = free[(free != NO_SPLIT) & (splits.question[free] == first)]
    leaves = iter(plans)
    for place, node in nodes.items():
        if "solution" not in node:
            if place == 0 and first >= 0 and given[0][0] != first:
                raise InputError("ask_first and complete contradict each other: they begin with different questions.")
            by_node[place] = np.array([fixed[place]])
            continue
        if place < 3:
            by_node[place] = _NONE
        # The leftmost slot below: where a node asks nothing, all go left.
        slot = place - 3 if place >= 3 else {0: 0, 1: 0, 2: 2}[place]
        slots[slot] = next(leaves)
    if instance.depth < DEEPEST:
        by_node = [_NONE, by_node[0] if instance.depth == 1 else _NONE, _NONE]
    fees = item_prices(instance, wishes) if wishes.item_prices else None
    rules = _rules(instance, wishes, pool, slots)
    lister = RootLister(
        instance,
        splits,
        (by_node[0], by_node[1], by_node[2]),
        pool.losses,
        rules,
        max_items=wishes.max_items,
        fees=fees,
        min_samples_leaf=options.min_samples_leaf,
        max_leaves=options.max_leaves if (options.max_leaves or 4) < 2**instance.depth else None,
        margin=options.margin_on(instance),
        by_question=by_question,
    )
    return Ground(instance, splits, pool.solutions, lister)


def settle_wishes(instance: Instance, run: Run, options: Options) -> None:
    """Find the best tree that keeps the wishes, and prove that there is none better."""
    ground = ground_of(instance, options, run)
    lister = ground.lister
    run.raise_bound(min(run.value, lister.base), "bound without a tree")
    bounds = []
    for number, root in enumerate(lister.candidates[0]):
        run.heed()
        bounds.append(lister.bound(int(root)))
        run.count(0, f"{number + 1} of {lister.candidates[0].size} roots bounded")
    open_bound = np.inf
    for number in np.argsort(bounds, kind="stable"):
        if bounds[number] >= cutoff_below(run.value) or not np.isfinite(bounds[number]):
            break
        run.raise_bound(min(run.value, open_bound, bounds[number]))
        if not run.running:
            return
        hard = lister.n_hard
        block = lister.best(int(lister.candidates[0][number]), cutoff_below(run.value))
        if lister.n_hard > hard:
            open_bound = min(open_bound, bounds[number])
        if block is not None:
            run.offer(ground.first_tree(block, 0), float(block.value[0]), "better tree")
        run.count()
    if run.tree is None and open_bound == np.inf:
        wishes = options.wishes or Wishes()
        raise InputError(f"no tree keeps all of these wishes: {', '.join(wishes.given)}.")
    run.raise_bound(min(run.value, open_bound))


def _top_nodes(node: Mapping[str, Any], place: int, depth: int) -> list[tuple[int, Mapping[str, Any]]]:
    """Return the nodes of the top that are given, by their place: level by level, from 0."""
    if not node:
        return []
    inner = 2**depth - 1
    if "solution" in node:
        return [(place if place < inner else 3 + place - inner, node)]
    if place >= inner:
        raise InputError(f"complete is deeper than depth={depth}.")
    below = [_top_nodes(node[side], 2 * place + 1 + number, depth) for number, side in enumerate(("left", "right"))]
    return [(place, node), *below[0], *below[1]]


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


def _pool(instance: Instance, wishes: Wishes, options: Options, run: Run | None) -> SolutionPool:
    """Return all plans that a leaf may need: with orders of plans also those that others beat on every sample."""
    if wishes.monotone:
        listed = instance.problem.all_solutions(MOST_LISTED)
        pool = SolutionPool(instance, complete=True)
        if listed is not None:
            pool.add(listed)
    else:
        found = complete_pool(instance, options.memory_limit, run)
        if found is None:
            raise InputError("these wishes need all solutions in a list, and there are too many for time and memory.")
        pool = found
    return pool


def _rules(instance: Instance, wishes: Wishes, pool: SolutionPool, slots: IntArray) -> Rules:
    must = np.unique(pool.add(plan_rows(instance, wishes.must_use)))
    orders = [
        pool.add(np.array([row for row in plan_rows(instance, order) if instance.problem.infeasibility(row) is None]))
        for order in wishes.monotone.values()
    ]
    questions = [question_number(instance, name) for name in wishes.monotone]
    rank = np.full((len(orders), len(pool)), -1, dtype=np.int64)
    for number, order in enumerate(orders):
        rank[number, order] = np.arange(len(order))
    active = bool(must.size or orders or wishes.max_plans or (slots >= 0).any())
    return Rules(active, wishes.max_plans or 0, must, slots, np.array(questions, dtype=np.int64), rank)
