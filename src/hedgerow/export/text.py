"""Rules as text: indented, as sentences, as graphs for Graphviz and Mermaid, as a model card, and as `print` does."""

import re
import textwrap
from collections.abc import Callable
from typing import Any, Final

from hedgerow.data.text_files import finite_or_none
from hedgerow.evaluation import Evaluation
from hedgerow.rules import RuleBook
from hedgerow.run import Result
from hedgerow.wording.numbers import WRITTEN_BY, amount, counted, listed, printable, sentence
from hedgerow.wording.verdicts import uncertainty_in_words

_WIDTH = 40
_PLAIN = frozenset(" .,:?!()+-=/_'")


def to_text(book: RuleBook) -> str:
    """Return the tree as indented questions and answers."""

    def at_leaf(leaf: int) -> list[str]:
        basis, plans = book.basis(leaf), book.choices(leaf)
        where = f"(leaf {leaf}{', ' if basis else ''}{basis})"
        if len(plans) == 1:
            return [f"{plans[0]} {where}"]
        return [f"{book.best_of_several} {where}:", *(f"  {plan}" for plan in plans)]

    def at_question(node: int, yes: list[str], no: list[str]) -> list[str]:
        first, second = (f"{answer}:".ljust(4) for answer in book.answers(node))
        below = [f"├─ {first} {yes[0]}", *(f"│  {line}" for line in yes[1:])]
        return [f"{book.question(node)}?", *below, f"└─ {second} {no[0]}", *(f"   {line}" for line in no[1:])]

    return "\n".join([*book.tree.fold(at_leaf, at_question), ""])


def to_rules(book: RuleBook) -> str:
    """Return one sentence per leaf, a line each, from left to right."""
    lines = [leaf_rule(book, leaf) for leaf in range(book.tree.n_leaves)]
    notes = [book.experience, book.fill_ins_in_words]
    return "\n".join([*lines, *filter(None, notes), ""])


def leaf_rule(book: RuleBook, leaf: int) -> str:
    """Return a leaf's rule as a sentence; a reading that is asked twice on the way has one interval."""
    advice = book.advice(leaf)
    if not book.tree.is_reachable[leaf]:
        return f"Nothing leads to {advice} at leaf {leaf}: the questions before it contradict each other."
    conditions = book.conditions(leaf)
    basis = f" (based on {book.basis(leaf)})" if book.basis(leaf) else ""
    if not conditions:
        return f"Always take {advice}{basis}."
    return f"If {' and '.join(conditions)}, then take {advice}{basis}."


def to_dot(book: RuleBook) -> str:
    """Return the tree as a graph for Graphviz; nodes have the tree's own numbers."""

    def label(*paragraphs: str) -> str:
        # Numbers and names stay whole.
        options: dict[str, Any] = {"width": _WIDTH, "break_long_words": False, "break_on_hyphens": False}
        lines = [line for paragraph in paragraphs for line in textwrap.wrap(paragraph, **options)]
        # Graphviz reads escapes such as \N and entities such as &lt; in labels; names must show as they are.
        return "\\n".join(line.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"') for line in lines)

    head = ["digraph tree {", '  node [shape=box, fontname="Helvetica"];', '  edge [fontname="Helvetica"];']
    shapes = ('  {} [label="{}", style=rounded];', '  {} [label="{}"];', '  {} -> {} [label="{}"];')
    return _drawing(book, "//", head, label, shapes) + "}\n"


def to_mermaid(book: RuleBook) -> str:
    """Return the tree as a Mermaid flowchart, for Markdown pages and wikis; nodes have the tree's own numbers."""

    def label(*paragraphs: str) -> str:
        """Return texts with a code for every sign that could mean something to Mermaid, Markdown or HTML."""
        coded = (
            "".join(c if not c.isascii() or c.isalnum() or c in _PLAIN else f"#{ord(c)};" for c in p)
            for p in paragraphs
        )
        return "<br/>".join(filter(None, coded))

    shapes = ('  n{}(["{}"])', '  n{}["{}"]', "  n{0} -->|{2}| n{1}")
    return _drawing(book, "%%", ["flowchart TD"], label, shapes)


def _drawing(
    book: RuleBook, comment: str, head: list[str], label: Callable[..., str], shapes: tuple[str, str, str]
) -> str:
    """Return the lines of a drawing: comments, its head, then a line for each node and each edge.

    The shapes are the lines of a leaf, of a question, and of an edge with its two nodes and its answer.
    """
    tree, (leaf_shape, question_shape, edge_shape) = book.tree, shapes
    notes = [f"A decision tree, {WRITTEN_BY}.", *([book.experience] if book.experience else [])]
    lines = [*(f"{comment} {note}" for note in notes), *head]
    for node, leaf in enumerate(tree.leaf_number.tolist()):
        if leaf >= 0:
            plans = book.choices(leaf)
            words = plans if len(plans) == 1 else [f"{book.best_of_several}:", *plans]
            lines.append(leaf_shape.format(node, label(*words, book.basis(leaf))))
            continue
        lines.append(question_shape.format(node, label(f"{book.question(node)}?")))
        children = (tree.left[node], tree.right[node])
        lines += [edge_shape.format(node, *edge) for edge in zip(children, book.answers(node), strict=True)]
    return "\n".join([*lines, ""])


# -- what print shows --------------------------------------------------------------------------------------------------


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


# -- the model card ----------------------------------------------------------------------------------------------------


_MOST_NAMES: Final = 12


def to_model_card(book: RuleBook) -> str:
    """Return a model card in Markdown."""
    rules = to_rules(book)
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", rules)), default=0))
    origin = {heading: f"- {_escaped(words)}" for heading, words in book.origin.items()}
    sections = {
        "What it decides": [origin["Problem"], _purpose(book)],
        "Rules": [f"{fence}text", *rules.splitlines(), fence],
        "Data": [origin["Data"], *([f"- {_escaped(book.experience)}"] if book.experience else [])],
        "Misreading": [origin["Misreading"]],
        "Proof": [origin.get("Proof", "- Nothing is known about how good the rules are."), *_training_means(book)],
        "Limits": [*_limits(book), *([origin["Note"]] if "Note" in origin else [])],
        "How it was made": [origin.get("Made by", "- The file doesn't keep the call.")],
    }
    parts = [f"## {heading}\n\n" + "\n".join(lines) + "\n" for heading, lines in sections.items()]
    return "\n".join(["# Model card\n", *parts, f"*{sentence(WRITTEN_BY)}*\n"])


def _purpose(book: RuleBook) -> str:
    names = [_escaped(name) for name in map(printable, book.asked.values())]
    asks = f"It reads {listed(names, _MOST_NAMES)}." if names else "It asks nothing."
    return f"- A decision tree of depth {book.tree.depth} chooses among {counted(len(book.plans), 'plan')}. {asks}"


def _training_means(book: RuleBook) -> list[str]:
    result, training = book.result, book.training
    if result is None or training is None:
        return []
    means = [amount(value / training.total_weight, book.unit) for value in (result.nominal, result.objective)]
    return [f"- Per training sample: {means[0]} as read, {means[1]} in the worst case."]


def _limits(book: RuleBook) -> list[str]:
    lines = ["- The proof is about the training samples. What rows to come cost is for data to say, not for the proof."]
    if book.asked:
        lines.append("- A reading outside the ranges above was never seen in training; the rules answer all the same.")
        lines.append("- A reading equal to a threshold counts as “at most”.")
        lines.append(f"- {_escaped(book.fill_ins_in_words) or 'Missing readings get no advice.'}")
    return lines


def _escaped(text: str) -> str:
    """Return text in which nothing is Markdown or HTML."""
    return re.sub(r"([\\`*_{}\[\]<>#|&~$])", r"\\\1", text)
