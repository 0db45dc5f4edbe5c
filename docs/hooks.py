"""What MkDocs does beyond its settings: the page on benchmarks gets its tables from what the benchmarks wrote."""

import re
from pathlib import Path
from typing import Any

SUMMARY = Path(__file__).parents[1] / "benchmarks" / "results" / "summary.md"
PLACE = "<!-- the goals, from benchmarks/results/summary.md -->"


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Put the goals in their place; pages without one stay as they are."""
    return markdown.replace(PLACE, goals(SUMMARY.read_text(encoding="utf-8"))) if PLACE in markdown else markdown


def goals(summary: str) -> str:
    """Return the summary one level down, without its title and without links to files that are not on the site."""
    body = summary.partition("edit nothing here.\n")[2]
    body = re.sub(r" · \[figures\]\([^)]*\)", "", body)
    body = re.sub(r"^## (.*)$", r"### \1", body, flags=re.MULTILINE)
    return body.replace("| NO |", "| **no** |").strip()
