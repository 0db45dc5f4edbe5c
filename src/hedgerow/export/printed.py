"""Models, rule books, results and evaluations as `print` shows them: the tree, key figures, and the status."""

__all__ = ["Figures", "figures_of", "text_of"]

from collections.abc import Mapping
from typing import Any, NamedTuple

from hedgerow.data.json_files import finite_or_none
from hedgerow.evaluation import Evaluation
from hedgerow.export.text import to_text
from hedgerow.rules import RuleBook
from hedgerow.run import Result
from hedgerow.wording.budgets import uncertainty_in_words
from hedgerow.wording.numbers import amount, counted


class Figures(NamedTuple):
    """What is known about a tree in figures: rows of label, sum and mean, and sentences."""

    header: tuple[str, str, str]
    rows: list[tuple[str, str, str]]
    sentences: list[str]


def figures_of(source: Any) -> Figures:
    """Return the key figures of a model, a rule book, a result or an evaluation.

    >>> from hedgerow import Tree, evaluate
    >>> from hedgerow.problems import Selection
    >>> figures_of(evaluate(Tree.single([1, 0]), Selection(2, 1), [[1.0, 3.0], [4.0, 2.0]])).rows
    [('as read', '5', '2.5'), ('worst case', '5', '2.5')]
    """
    if isinstance(source, Evaluation):
        instance, n_moved = source.attack.instance, int(source.attack.moved.size)
        words = uncertainty_in_words(instance.uncertainty, instance.reading_unit, len(instance.context))
        moved = f"Samples that then get worse advice: {n_moved:,} of {source.n_samples:,}."
        values, sentences = {"as read": source.nominal, "worst case": source.robust}, [f"Worst case: {words}.", moved]
        return _figures(values, source.n_samples, source.total_weight, instance.problem.unit, sentences)
    book = RuleBook(source.tree, result=source) if isinstance(source, Result) else RuleBook.of(source)
    result, training = book.result, book.training
    if result is None:
        return Figures(("", "", ""), [], [])
    known: dict[str, float | None] = {
        "as read": result.nominal,
        "worst case": result.objective,
        "proven bound": finite_or_none(result.lower_bound),
        "worst case, refined": None if result.refined is None else result.refined.objective,
    }
    sentences = [*filter(None, (result.summary, book.lowering))]
    n_samples, weight = (None, None) if training is None else (training.n_samples, training.total_weight)
    return _figures(known, n_samples, weight, book.unit, sentences)


def _figures(
    values: Mapping[str, float | None], n_samples: int | None, weight: float | None, unit: str, sentences: list[str]
) -> Figures:
    over = "in all" if n_samples is None else f"over {counted(n_samples, 'sample')}"
    rows = [
        (what, amount(value, unit), "" if weight is None else amount(value / weight, unit))
        for what, value in values.items()
        if value is not None
    ]
    return Figures(("", over, "" if weight is None else "per sample"), rows, sentences)


def text_of(source: Any) -> str:
    """Return the tree as text, its figures and what is proven about it: what `print` shows."""
    figures = figures_of(source)
    table = [figures.header, *figures.rows] if figures.rows else []
    widths = [max((len(row[place]) for row in table), default=0) for place in range(3)]
    lines = [f"{what:{widths[0]}}  {total:>{widths[1]}}  {mean:>{widths[2]}}".rstrip() for what, total, mean in table]
    # A result knows no names.
    tree = str(source.tree) if isinstance(source, Result) else to_text(RuleBook.of(source)).rstrip()
    parts = [tree, "\n".join(lines), "\n".join(figures.sentences)]
    return "\n\n".join(filter(None, parts))
