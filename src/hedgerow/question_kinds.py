"""The questions that a tree may ask, from what a user writes: "items", "plans", "levels", "pairs", or coefficients."""

__all__ = ["MOST_QUESTIONS", "QuestionSpec", "asked_questions", "good_plans", "plan_questions"]

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np

from hedgerow.arrays import FloatArray
from hedgerow.checks import in_short, list_some
from hedgerow.errors import InputError
from hedgerow.problem import Problem, sign_of
from hedgerow.questions import Question, item_questions, question_from_dict

QuestionSpec: TypeAlias = str | Mapping[str, Mapping[str | int, float]] | Sequence[Any]
"""What `questions=` takes: a kind's name, coefficients per name, or a list of these."""

MOST_QUESTIONS = 2_000
"""More questions than this are refused: their pairs would no longer fit into memory."""

_USUAL_PLANS = 6
_MOST_PLANS = 40
_MOST_ROWS = 300
_LINEAR = 1e-9


def asked_questions(
    spec: QuestionSpec,
    problem: Problem,
    costs: FloatArray,
    weights: FloatArray,
    names: Sequence[str],
    *,
    of_costs: bool = True,
) -> tuple[Question, ...]:
    """Return the questions that a user's `questions=` (see `RobustTree`) stands for, each once.

    Good plans come from the problem and its costs. `of_costs` says whether readings are those of the costs, so that a
    plan's cost can be read off them.

    >>> from hedgerow.problems import Selection
    >>> problem, costs = Selection(3, 1), np.array([[1.0, 2.0, 4.0], [5.0, 3.0, 4.0], [5.0, 6.0, 2.0]])
    >>> for question in asked_questions("plans:2", problem, costs, np.ones(3), problem.item_names):
    ...     print(question.name, question.items, question.coefficients)
    x3 less x2 (1, 2) (-1.0, 1.0)
    """
    found: dict[tuple[tuple[int, ...], tuple[float, ...]], Question] = {}
    for question in _each(spec, problem, costs, weights, names, of_costs):
        # Questions that differ by a factor only, such as the sign, are the same.
        first = question.coefficients[0]
        found.setdefault((question.items, tuple(round(value / first, 12) for value in question.coefficients)), question)
    if not found:
        raise InputError("questions must name at least one question; got none.")
    # Single readings are as many as the table has columns.
    if sum(len(question.items) > 1 for question in found.values()) > MOST_QUESTIONS:
        raise InputError(
            f"there may be at most {MOST_QUESTIONS} questions; {in_short(spec)} gives {len(found)}. "
            'Try "plans", or name the ones that matter.'
        )
    return tuple(found.values())


def _each(
    spec: Any, problem: Problem, costs: FloatArray, weights: FloatArray, names: Sequence[str], of_costs: bool
) -> Iterable[Question]:
    if isinstance(spec, Question):
        if spec.items[-1] >= len(names):
            raise InputError(
                f"a question reads item {spec.items[-1]}, but there are only {len(names)}, counted from 0."
            )
        return [spec]
    if isinstance(spec, Mapping):
        return [_named(name, terms, names) for name, terms in spec.items()]
    if isinstance(spec, Sequence) and not isinstance(spec, str):
        parts = (_each(part, problem, costs, weights, names, of_costs) for part in spec)
        return [question for part in parts for question in part]
    kind, _, number = spec.partition(":") if isinstance(spec, str) else ("", "", "")
    if kind == "plans":
        if not of_costs:
            raise InputError('questions="plans" compares costs, but other features are observed here.')
        return plan_questions(problem, good_plans(problem, costs, weights, _count(number)))
    if spec == "items":
        return item_questions(len(names))
    if spec == "levels":
        return _levels(names)
    if spec == "pairs":
        return _pairs(names)
    raise InputError(
        'questions must be "items", "plans" (or "plans:8"), "levels", "pairs", a mapping of names to coefficients per '
        f"item, or a list of these; got {in_short(spec)}."
    )


def _count(number: str) -> int:
    if not number:
        return _USUAL_PLANS
    if not (number.isascii() and number.isdigit() and len(number) <= 4 and 2 <= int(number) <= _MOST_PLANS):
        raise InputError(f'"plans:" takes a number from 2 to {_MOST_PLANS}; got {in_short(number)}.')
    return int(number)


def _named(name: Any, terms: Any, names: Sequence[str]) -> Question:
    if not isinstance(terms, Mapping):
        raise InputError(
            f"the coefficients of the question {in_short(name)} must be given per item; got {in_short(terms)}."
        )
    unknown = [key for key in terms if isinstance(key, str) and key not in names]
    if unknown:
        raise InputError(f"the question {in_short(name)} reads {list_some(unknown)}, but there are {list_some(names)}.")
    return question_from_dict({"name": name, "coefficients": terms}, names)


def _levels(names: Sequence[str]) -> list[Question]:
    if len(names) < 2:
        raise InputError('questions="levels" needs at least two readings.')
    share = 1.0 / len(names)
    return [
        Question.of(
            {other: (1.0 if other == item else 0.0) - share for other in range(len(names))}, f"{name} less the mean"
        )
        for item, name in enumerate(names)
    ]


def _pairs(names: Sequence[str]) -> list[Question]:
    count = len(names) * (len(names) - 1) // 2
    if count > MOST_QUESTIONS:
        raise InputError(
            f'questions="pairs" would give {count} questions about {len(names)} items; there may be at most '
            f'{MOST_QUESTIONS}. Try "plans", or name the pairs that matter.'
        )
    pairs = combinations(range(len(names)), 2)
    return [Question.of({one: 1.0, two: -1.0}, f"{names[one]} less {names[two]}") for one, two in pairs]


def good_plans(problem: Problem, costs: FloatArray, weights: FloatArray, count: int) -> FloatArray:
    """Return good plans, the best first: each lowers the cost of always taking the best of those chosen the most.

    They are chosen from the best plan for all samples and the samples' own best plans.
    """
    chosen = np.flatnonzero(weights > 0.0)
    if chosen.size > _MOST_ROWS:
        chosen = chosen[np.linspace(0, chosen.size - 1, _MOST_ROWS).round().astype(np.int64)]
    rows, weight = costs[chosen], weights[chosen]
    plans = [problem.best_solution(rows, weight).solution, *(problem.best_solution(row[None]).solution for row in rows)]
    distinct = np.unique(np.array(plans) + 0.0, axis=0)
    loss = sign_of(problem) * weight[:, None] * problem.costs(distinct, rows)
    best, picked = np.full(len(rows), np.inf), list[int]()
    while len(picked) < min(count, len(distinct)):
        sums = np.minimum(best[:, None], loss).sum(axis=0)
        sums[picked] = np.inf
        picked.append(int(np.argmin(sums)))
        best = np.minimum(best, loss[:, picked[-1]])
    return distinct[picked]


def plan_questions(problem: Problem, plans: FloatArray) -> list[Question]:
    """Return the differences between the costs of every two plans, as functions of the items' costs.

    Where one plan is best on all rows nothing needs to be asked, and single items stand in for questions.
    """
    coefficients = _cost_coefficients(problem, plans)
    questions = []
    for one, two in combinations(range(len(plans)), 2):
        difference = coefficients[one] - coefficients[two]
        items = np.flatnonzero(difference)
        if items.size == 1:
            questions.append(Question.of_item(int(items[0])))
        elif items.size:
            name = f"{problem.describe(plans[one])} less {problem.describe(plans[two])}"
            questions.append(Question.of({int(item): float(difference[item]) for item in items}, name))
    return questions or [Question.of_item(item) for item in range(len(problem.item_names))]


def _cost_coefficients(problem: Problem, plans: FloatArray) -> FloatArray:
    """Return per plan what each item's cost is multiplied by; `InputError` where costs aren't linear."""
    n_items = len(problem.item_names)
    base = problem.costs(plans, np.zeros((1, n_items)))
    coefficients: FloatArray = (problem.costs(plans, np.eye(n_items)) - base).T
    probe = np.linspace(1.0, 2.0, n_items)
    off = problem.costs(plans, probe[None])[0] - base[0] - coefficients @ probe
    if (np.abs(off) > _LINEAR * (1.0 + np.abs(coefficients) @ probe)).any():
        raise InputError('questions="plans" compares costs that are sums over items; those of this problem are not.')
    return coefficients
