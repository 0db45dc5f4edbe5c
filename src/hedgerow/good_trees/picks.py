"""A few trees that differ: each the best of many in something that people care about."""

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from hedgerow.adversary import move_costs, worst_case
from hedgerow.good_trees.good_structures import GoodTree
from hedgerow.instance import Instance
from hedgerow.rules import RuleBook
from hedgerow.run import Result
from hedgerow.run.wishes import keeps
from hedgerow.thresholds import rounded, threshold_cells
from hedgerow.tolerances import VALUE
from hedgerow.tree.tree import Tree


@dataclass(frozen=True, repr=False)
class Alternative(RuleBook):
    """A rule book among others that are nearly as good.

    Attributes
    ----------
    worst_case, nominal
        Its worst-case cost and its cost as read, summed over the samples.
    extra_cost
        By how much its worst case is above the best one's, relative to it; zero or more.
    reasons
        What it is the best of the alternatives in.
    n_questions, n_asked
        How many questions it asks, and about how many different readings.
    stability
        Mean over the samples of the least error that changes the advice.
    """

    worst_case: float = np.nan
    nominal: float = np.nan
    extra_cost: float = 0.0
    reasons: tuple[str, ...] = ()
    n_questions: int = 0
    n_asked: int = 0
    stability: float = np.nan


def alternative_of(
    candidate: GoodTree, instance: Instance, best: Result, *, round_thresholds: bool = True
) -> Alternative:
    """Return a candidate as a rule book, with round thresholds and everything that people compare."""
    wishes = None if best.options is None else best.options.wishes
    tree, margin = candidate.tree, best.threshold_margin
    if round_thresholds:
        short = rounded(tree, instance, margin)
        tree = short if keeps(short, instance, wishes) else tree
    attack = worst_case(tree, instance, margin=margin)
    value = attack.bound
    extra_cost = max(0.0, instance.sign * (value - best.objective)) / max(abs(best.objective), 1e-300)
    extra_cost = 0.0 if extra_cost <= VALUE else extra_cost
    result = dataclasses.replace(
        best,
        tree=tree,
        objective=value,
        nominal=float(attack.nominal_cost.sum()),
        status="optimal" if extra_cost == 0.0 and best.status == "optimal" else "feasible",
        message="",
        cells=threshold_cells(tree, instance, margin) if round_thresholds else (),
    )
    book = Alternative.of_fit(result, instance, as_given=instance.uncertainty)
    return dataclasses.replace(
        book,
        worst_case=value,
        nominal=result.nominal,
        extra_cost=extra_cost,
        n_questions=int(tree.is_inner.sum()),
        n_asked=tree.asked_items.size,
        stability=_stability(tree, instance),
    )


def _stability(tree: Tree, instance: Instance) -> float:
    """Return the mean over the samples of the least error that changes the advice; infinite with one plan."""
    plan = np.unique(tree.solutions, axis=0, return_inverse=True)[1].ravel()
    own = plan[tree.choose(instance.observations)]
    cost = move_costs(tree, instance.observations, instance.uncertainty)
    nearest = np.where(plan[None] == own[:, None], np.inf, cost).min(axis=1)
    return float(nearest.mean()) if np.isfinite(nearest).any() else np.inf


def chosen(
    candidates: Sequence[GoodTree], instance: Instance, best: Result, must_stop: Callable[[], bool] = lambda: False
) -> list[Alternative]:
    """Return a handful of the candidates, sorted by their worst case: the best in each respect, with the reasons.

    Once it must stop, the candidates that were not looked at are left out; the first one always is.
    """
    books: list[Alternative] = []
    for each in candidates:
        if books and must_stop():
            break
        books.append(alternative_of(each, instance, best, round_thresholds=False))
    sign = instance.sign
    top, cost = ("lowest", "cost") if sign > 0 else ("highest", "gain")
    respects: dict[str, Callable[[Alternative], float]] = {
        f"{top} worst case": lambda book: sign * book.worst_case,
        f"{top} {cost} as read": lambda book: sign * book.nominal,
        "fewest questions": lambda book: book.n_questions,
        "fewest readings": lambda book: book.n_asked,
        "most stable advice": lambda book: -book.stability,
    }
    reasons: dict[int, list[str]] = {}
    for words, respect in respects.items():
        # Equal ones may differ in their last digits.
        ranked = [(float(f"{respect(book):.9g}"), book.extra_cost) for book in books]
        reasons.setdefault(min(range(len(books)), key=ranked.__getitem__), []).append(words)
    found = [
        dataclasses.replace(alternative_of(candidates[place], instance, best), reasons=tuple(words))
        for place, words in reasons.items()
    ]
    return sorted(found, key=lambda book: book.extra_cost)
