"""The questions that a tree may ask, from what a user writes: "items", "plans", "levels", "pairs", or coefficients."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeAlias

from hedgerow.data.checks import in_short
from hedgerow.errors import InputError
from hedgerow.tree.good_plans import MOST_PLANS, good_plans, plan_questions
from hedgerow.tree.questions import Question, context_questions, item_questions

if TYPE_CHECKING:
    from hedgerow.instance import Instance

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
