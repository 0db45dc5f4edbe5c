"""A question's value as an expression: terms from left to right, as `Question.values` adds them."""

__all__ = ["summed"]

from collections.abc import Callable

from hedgerow.questions import Question


def summed(question: Question, read: Callable[[int], str], number: Callable[[float], str] = repr) -> str:
    """Return the expression in a language that adds from left to right, as most do.

    A coefficient of 1 or −1 is not written: x − y and x + (−1 · y) are the same float.

    Parameters
    ----------
    question
        The question.
    read
        Takes an item's index, and returns the expression that reads it.
    number
        Returns a positive number as the language writes it.

    Examples
    --------
    >>> summed(Question((0, 1, 2), (1.0, -1.0, 2.5), "a less b and c"), lambda item: "abc"[item])
    'a - b + 2.5 * c'
    """
    parts: list[str] = []
    for item, coefficient in zip(question.items, question.coefficients, strict=True):
        size = abs(coefficient)
        term = read(item) if size == 1.0 else f"{number(size)} * {read(item)}"
        sign = "-" if coefficient < 0.0 else "+"
        parts.append(f"{sign} {term}" if parts else f"{sign if coefficient < 0.0 else ''}{term}")
    return " ".join(parts)
