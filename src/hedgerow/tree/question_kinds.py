"""The questions that a tree may ask, from what a user writes: "items", "plans", "levels", "pairs", or coefficients."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.data.checks import in_short
from hedgerow.errors import InputError
from hedgerow.tolerances import VALUE
from hedgerow.tree.questions import Question, context_questions, item_questions

if TYPE_CHECKING:
    from hedgerow.instance import Instance
    from hedgerow.problems import Problem

MOST_PLANS: Final = 40
_MOST_ROWS: Final = 300
_MOST_LEVELS: Final = 4
_LINEAR: Final = 1e-9
_LEAST_SECONDS: Final = 1.0
"""For the first plan, without which there is nothing to ask, even if time is up."""


def best_for_each(
    problem: "Problem", costs: FloatArray, seconds_left: Callable[[], float] = lambda: math.inf
) -> FloatArray:
    """Return the best solution for each row of costs; for the first rows only, if no seconds are left.

    >>> from hedgerow.problems import Selection
    >>> best_for_each(Selection(2, 1), np.array([[1.0, 3.0], [4.0, 2.0]])).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    best: list[FloatArray] = []
    for row in costs:
        left = seconds_left()
        if left <= 0.0:
            break
        plan = problem.best_solution(row[None], time_limit=left).solution
        if left < math.inf and seconds_left() <= 0.0:  # the plan may not be the best one
            break
        best.append(plan)
    return np.array(best).reshape(-1, len(problem.variable_names))


def good_plans(
    problem: "Problem",
    costs: FloatArray,
    weights: FloatArray,
    count: int,
    depth: int = 0,
    seconds_left: Callable[[], float] = lambda: math.inf,
) -> FloatArray:
    """Return good plans, the best first: each lowers the cost of always taking the best of those chosen the most.

    They are chosen from the best plan for all samples and the samples' own best plans. A greedy tree of that depth,
    though of at most four levels, then asks which of two of them is cheaper, and the best plans for its leaves are
    added, at most as many again: what is best for all samples at a leaf need not be best for any one of them.
    Once no seconds are left, the plans found so far have to do.
    """
    chosen = np.flatnonzero(weights > 0.0)
    if chosen.size > _MOST_ROWS:
        chosen = chosen[np.linspace(0, chosen.size - 1, _MOST_ROWS).round().astype(np.int64)]
    rows, weight = costs[chosen], weights[chosen]

    def best(*samples: IntArray) -> FloatArray:
        """Return the best plans for groups of samples, each once, as far as time allows."""
        plans: list[FloatArray] = []
        for group in samples:
            left = seconds_left()
            if plans and left <= 0.0:
                break
            limit = max(left, _LEAST_SECONDS)
            plans.append(problem.best_solution(rows[group], weight[group], time_limit=limit).solution)
        return np.unique(np.array(plans) + 0.0, axis=0)

    every_sample = np.arange(len(rows))
    own = best(every_sample, *every_sample[:, None])
    loss = problem.sign * weight[:, None] * problem.costs(own, rows)
    picked = _picked(loss, count, np.full(len(rows), np.inf))
    plans = own[picked]
    most = min(len(plans), MOST_PLANS - len(plans))
    if depth == 0 or most == 0:
        return plans
    leaves = _leaves(problem.costs(plans, rows), loss, min(depth, _MOST_LEVELS))
    used = best(*leaves)
    new = used[~(used[:, None] == plans).all(axis=2).any(axis=1)]
    added = problem.sign * weight[:, None] * problem.costs(new, rows)
    return np.concatenate([plans, new[_picked(added, most, loss[:, picked].min(axis=1))]])


def _picked(loss: FloatArray, count: int, best: FloatArray) -> list[int]:
    """Return up to `count` plans (columns), each of which lowers most what the best of them costs each row.

    `best` is what the rows cost before.
    """
    picked: list[int] = []
    while len(picked) < min(count, loss.shape[1]):
        sums = np.minimum(best[:, None], loss).sum(axis=0)
        sums[picked] = np.inf
        picked.append(int(np.argmin(sums)))
        best = np.minimum(best, loss[:, picked[-1]])
    return picked


def _leaves(values: FloatArray, loss: FloatArray, depth: int) -> list[IntArray]:
    """Return the rows at each leaf of a greedy tree.

    It asks about differences between two columns of `values`, and advises columns of `loss`.
    """
    leaves = [np.arange(len(values))]
    for _ in range(depth):
        leaves = [part for rows in leaves for part in _halves(rows, values[rows], loss[rows])]
    return leaves


def _halves(rows: IntArray, values: FloatArray, loss: FloatArray) -> list[IntArray]:
    """Return the rows on either side of the best question; all of them where none is better than one plan."""
    total = loss.sum(axis=0)
    best, step = float(total.min()), VALUE * float(np.abs(loss).sum(axis=0).max())
    found = [rows]
    for one, two in combinations(range(values.shape[1]), 2):
        difference = values[:, one] - values[:, two]
        order = np.argsort(difference, kind="stable")
        places = np.flatnonzero(np.diff(difference[order]) > 0.0)
        before = np.cumsum(loss[order], axis=0)[places]
        sums = before.min(axis=1) + (total - before).min(axis=1)
        if sums.size and sums.min() < best - step:
            best, place = float(sums.min()), int(places[np.argmin(sums)]) + 1
            found = [rows[order[:place]], rows[order[place:]]]
    return found


def plan_questions(problem: "Problem", plans: FloatArray) -> list[Question]:
    """Return the differences between the costs of every two plans, as functions of the items' costs.

    Where one plan is best on all rows nothing needs to be asked, and single items stand in for questions.
    """
    coefficients, _ = cost_coefficients(problem, plans, 'questions="plans"')
    noise = VALUE * float(np.abs(coefficients).max())  # of solvers, in plans that are the same
    questions = []
    for one, two in combinations(range(len(plans)), 2):
        difference = coefficients[one] - coefficients[two]
        items = np.flatnonzero(np.abs(difference) > noise)
        if items.size == 1:
            questions.append(Question.of_item(int(items[0])))
        elif items.size:
            name = f"{problem.describe(plans[one])} less {problem.describe(plans[two])}"
            questions.append(Question.of({int(item): float(difference[item]) for item in items}, name))
    return questions or [Question.of_item(item) for item in range(len(problem.item_names))]


def cost_coefficients(problem: "Problem", plans: FloatArray, what: str) -> tuple[FloatArray, FloatArray]:
    """Return per plan what each item's cost is multiplied by, and the constant; `InputError` where costs aren't linear.

    `what` compares plans by their sums.
    """
    n_items = len(problem.item_names)
    base = problem.costs(plans, np.zeros((1, n_items)))
    coefficients: FloatArray = (problem.costs(plans, np.eye(n_items)) - base).T
    probe = np.linspace(1.0, 2.0, n_items)
    off = problem.costs(plans, probe[None])[0] - base[0] - coefficients @ probe
    if (np.abs(off) > _LINEAR * (1.0 + np.abs(coefficients) @ probe)).any():
        raise InputError(f"{what} compares costs that are sums over items; those of this problem are not.")
    return coefficients, base[0]


QuestionSpec: TypeAlias = str | Mapping[str, Mapping[str | int, float]] | Sequence[Any]
"""What `questions=` takes: a kind's name, coefficients per name, or a list of these."""

MOST_QUESTIONS = 2_000
"""More questions than this are refused: their pairs would no longer fit into memory."""

_USUAL_PLANS = 6


def asked_questions(
    spec: QuestionSpec, instance: "Instance", seconds_left: Callable[[], float] = lambda: math.inf
) -> tuple[Question, ...]:
    """Return the questions that a user's `questions=` (see `RobustTree`) stands for, each once.

    Features of context are always asked about. Good plans come from the problem and its costs, and from what the leaves
    of a greedy tree of the instance's depth would use. They are looked for while there are `seconds_left`.

    >>> from hedgerow import Instance
    >>> from hedgerow.problems import Selection
    >>> costs = [[1.0, 2.0, 4.0], [5.0, 3.0, 4.0], [5.0, 6.0, 2.0]]
    >>> for question in asked_questions("plans:2", Instance.create(Selection(3, 1), costs, depth=1)):
    ...     print(question.name, question.items, question.coefficients)
    x3 less x2 (1, 2) (-1.0, 1.0)
    """
    found: dict[tuple[tuple[int, ...], tuple[float, ...]], Question] = {}
    # Questions about context come first: they know what their features are.
    about_context = context_questions(instance.context, instance.n_readings)
    for question in (*about_context, *_each(spec, instance, seconds_left)):
        # Questions that differ by a factor only, such as the sign, are the same.
        first = question.coefficients[0]
        found.setdefault((question.items, tuple(round(value / first, 12) for value in question.coefficients)), question)
        if len(found) > MOST_QUESTIONS + len(instance.feature_names):  # each column may be asked about, too
            raise InputError(
                f"there may be at most {MOST_QUESTIONS} questions about several readings; {in_short(spec)} gives more. "
                'Try "plans", or name the ones that matter.'
            )
    if not found:
        raise InputError("questions must name at least one question; got none.")
    if instance.context:  # in the order of the features
        found = dict(sorted(found.items(), key=lambda entry: entry[1].about is not None))
    return tuple(found.values())


def _each(spec: Any, instance: "Instance", seconds_left: Callable[[], float]) -> Iterator[Question]:
    names, readings = instance.feature_names, instance.feature_names[: instance.n_readings]
    kind, _, number = spec.partition(":") if isinstance(spec, str) else ("", "", "")
    if kind in ("plans", "levels", "pairs") and not readings:
        raise InputError(f"questions={in_short(spec)} compares readings; pass them beside the context: readings=….")
    if isinstance(spec, Question):
        if spec.items[-1] >= len(names):
            raise InputError(
                f"a question reads item {spec.items[-1]}, but there are only {len(names)}, counted from 0."
            )
        yield spec
    elif isinstance(spec, Mapping):
        yield from (Question.of(terms, name, names) for name, terms in spec.items())
    elif isinstance(spec, Sequence) and not isinstance(spec, str):
        yield from (question for part in spec for question in _each(part, instance, seconds_left))
    elif kind == "plans":
        table = instance.problem, instance.costs, instance.weights
        plans = good_plans(*table, _count(number), depth=instance.depth, seconds_left=seconds_left)
        yield from plan_questions(instance.problem, plans)
    elif spec == "levels":
        yield from _levels(readings)
    elif spec == "items":
        yield from item_questions(len(readings))
    elif spec == "pairs":
        for one, two in combinations(range(len(readings)), 2):
            yield Question.of({one: 1.0, two: -1.0}, f"{readings[one]} less {readings[two]}")
    elif spec == "context":
        if not instance.context:
            raise InputError('questions="context" needs context: fit(costs, context=…).')
    else:
        raise InputError(
            'questions must be "items", "plans" (or "plans:8"), "levels", "pairs", "context", a '
            f"mapping of names to coefficients per item, or a list of these; got {in_short(spec)}."
        )


def _count(number: str) -> int:
    if not number:
        return _USUAL_PLANS
    if not (number.isascii() and number.isdigit() and len(number) <= 9 and 2 <= int(number) <= MOST_PLANS):
        raise InputError(f'"plans:" takes a number from 2 to {MOST_PLANS}; got {in_short(number)}.')
    return int(number)


def _levels(names: Sequence[str]) -> Iterator[Question]:
    """Yield each reading less the mean of all."""
    if len(names) < 2:
        raise InputError('questions="levels" needs at least two readings.')
    for item, name in enumerate(names):
        terms = {other: (1.0 if other == item else 0.0) - 1.0 / len(names) for other in range(len(names))}
        yield Question.of(terms, f"{name} less the mean")
