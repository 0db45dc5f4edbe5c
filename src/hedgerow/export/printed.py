"""Models, rule books, results, evaluations and trees as `print` shows them: the tree, key figures, and the status."""

from typing import Any

from hedgerow.data.json_files import finite_or_none
from hedgerow.evaluation import Evaluation
from hedgerow.export.text import to_text
from hedgerow.rules import RuleBook
from hedgerow.run import Result
from hedgerow.wording.budgets import uncertainty_in_words
from hedgerow.wording.numbers import amount, counted


def text_of(source: Any) -> str:
    """Return the tree as text, its figures and what is proven about it: what `print` shows.

    >>> from hedgerow import Tree, evaluate
    >>> from hedgerow.problems import Selection
    >>> print(text_of(evaluate(Tree.single([1, 0]), Selection(2, 1), [[1.0, 3.0], [4.0, 2.0]])))
    x1 (leaf 0, 2 of 2 samples)
    <BLANKLINE>
                over 2 samples  per sample
    as read                  5         2.5
    worst case               5         2.5
    <BLANKLINE>
    Worst case: readings are taken as they are.
    Samples that then get worse advice: 0 of 2.
    """
    book = RuleBook(source.tree, result=source) if isinstance(source, Result) else RuleBook.of(source)
    figures, sentences = _of_evaluation(source) if isinstance(source, Evaluation) else _of_result(book)
    return "\n\n".join(filter(None, [to_text(book).rstrip(), _table(book, figures), "\n".join(sentences)]))


def _of_evaluation(found: Evaluation) -> tuple[dict[str, float | None], list[str]]:
    instance, n_moved = found.attack.instance, int(found.attack.moved.size)
    words = uncertainty_in_words(instance.uncertainty, instance.reading_unit, len(instance.context))
    moved = f"Samples that then get worse advice: {n_moved:,} of {found.n_samples:,}."
    return {"as read": found.nominal, "worst case": found.robust}, [f"Worst case: {words}.", moved]


def _of_result(book: RuleBook) -> tuple[dict[str, float | None], list[str]]:
    result = book.result
    if result is None:
        return {}, []
    figures = {
        "as read": result.nominal,
        "worst case": result.objective,
        "proven bound": finite_or_none(result.lower_bound),
        "worst case, refined": None if result.refined is None else result.refined.objective,
    }
    return figures, [*filter(None, (result.summary, book.lowering))]


def _table(book: RuleBook, figures: dict[str, float | None]) -> str:
    """Return sums, and means per sample where it is known how many there are, one below the other."""
    import pandas as pd

    known = {what: value for what, value in figures.items() if value is not None}
    if not known:
        return ""
    over = "in all" if book.training is None else f"over {counted(book.training.n_samples, 'sample')}"
    table = pd.DataFrame({over: [amount(value, book.unit) for value in known.values()]}, index=[*known])
    if book.training is not None:
        table["per sample"] = [amount(value / book.training.total_weight, book.unit) for value in known.values()]
    return table.to_string()
