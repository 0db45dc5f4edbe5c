"""Models, rule books, results and evaluations as notebooks show them: the tree drawn, key figures, and the status.

The tree is an inline SVG without scripts or fonts of its own, in the colours of the notebook, so that it is as light as
text and works in dark mode, in static copies and without a network.
"""

__all__ = ["Figures", "figures_of", "html_of", "text_of", "tree_svg"]

from collections.abc import Mapping
from html import escape
from typing import Any, Final, NamedTuple

from hedgerow.data.json_files import finite_or_none
from hedgerow.evaluation import Evaluation
from hedgerow.export.text import to_text
from hedgerow.plot._layout import tree_drawing
from hedgerow.problems.naming import amounts, numbered
from hedgerow.rules import Labels, RuleBook
from hedgerow.run import Result
from hedgerow.wording.budgets import uncertainty_in_words
from hedgerow.wording.numbers import amount, counted

_MOST_ROWS: Final = 16
_LETTER, _LINE = 6.6, 13.0  # of a sans-serif font of 12 px
_LONGEST: Final = 40


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
    book = _book(source)
    result, training = source if isinstance(source, Result) else book.result, book.training
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
    parts = [to_text(_book(source)).rstrip(), "\n".join(lines), "\n".join(figures.sentences)]
    return "\n\n".join(filter(None, parts))


def html_of(source: Any) -> str:
    """Return the tree drawn, with its figures, as HTML for a notebook.

    >>> from hedgerow import RuleBook, Tree
    >>> page = html_of(RuleBook(Tree.full([0], [35.0], [[1.0, 0.0], [0.0, 1.0]]), ("bridge & co", "tunnel")))
    >>> "<svg" in page, "bridge &amp; co ≤ 35?" in page
    (True, True)
    """
    book, figures = _book(source), figures_of(source)
    is_drawn = len(book.tree.solutions) <= _MOST_ROWS
    tree = tree_svg(book) if is_drawn else f"<pre>{escape(to_text(book))}</pre>"
    rows = "".join(
        f"<tr><th style='text-align:left'>{escape(what)}</th><td style='text-align:right'>{escape(total)}</td>"
        f"<td style='text-align:right'>{escape(mean)}</td></tr>"
        for what, total, mean in ([figures.header, *figures.rows] if figures.rows else [])
    )
    words = "".join(f"<p style='margin:.3em 0'>{escape(line)}</p>" for line in figures.sentences)
    table = f"<table style='font:inherit'>{rows}</table>" if rows else ""
    return f"<div style='font:12px/1.4 sans-serif;max-width:100%;overflow-x:auto'>{tree}{table}{words}</div>"


_KINDS: Final = {
    "answer above": (-2.5, "opacity='.7' font-size='10'"),
    "answer below": (9.5, "opacity='.7' font-size='10'"),
    "aside": (4.0, "opacity='.7'"),
    "on light": (4.0, "fill='#222'"),
    "on dark": (4.0, "fill='#fff'"),
}
"""How far below its place a kind of text begins, and how it looks; others are plain."""


def tree_svg(book: RuleBook) -> str:
    """Return a tree as SVG, from left to right, with a row for each leaf or each of its plans."""
    drawing, parts = tree_drawing(book, _short, _short, lambda text: _LETTER * len(text), _LINE), []
    for line in drawing.lines:
        points = " ".join(f"{x:.0f},{y:.0f}" for x, y in zip(line.x, line.y, strict=True))
        parts.append(f"<polyline points='{points}' opacity='.5'/>")
    for left, top, width, height, _, colour in drawing.boxes:
        fill = f"fill='{colour}' stroke='none'" if colour else "rx='4'"
        parts.append(f"<rect x='{left:.0f}' y='{top:.0f}' width='{width:.0f}' height='{height:.0f}' {fill}/>")
    for x, y, words, kind, anchor in drawing.texts:
        below, look = _KINDS.get(kind, (4.0, ""))
        fill = "" if "fill=" in look else "fill='currentColor'"
        look = f"stroke='none' text-anchor='{anchor}' {fill} {look}"
        parts.append(f"<text x='{x:.0f}' y='{y + below:.0f}' {look}>{escape(words)}</text>")
    size = f"width='{drawing.width:.0f}' height='{drawing.height:.0f}'"
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' role='img' {size} viewBox='0 0 {drawing.width:.0f} "
        f"{drawing.height:.0f}' font-family='sans-serif' font-size='12' fill='none' stroke='currentColor' "
        f"aria-label='{escape(to_text(book))}'>{''.join(parts)}</svg>"
    )


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1].rstrip()}…"


def _book(source: Any) -> RuleBook:
    if not isinstance(source, Result):
        return RuleBook.of(source)
    # A result knows no names: solutions are shown by the numbers of their variables.
    rows = source.tree.solutions
    advice = tuple(", ".join(amounts(numbered(rows.shape[1]), row)) or "nothing" for row in rows)
    return RuleBook(source.tree, labels=Labels(advice=advice))
