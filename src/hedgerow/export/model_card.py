"""Export to a model card: what the rules decide, what they were made from, what is proven, and what is not."""

import re
from typing import Final

from hedgerow.export.text import to_rules
from hedgerow.rules import RuleBook
from hedgerow.wording.numbers import WRITTEN_BY, amount, counted, listed, printable, sentence

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
