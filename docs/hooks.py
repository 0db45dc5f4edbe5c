"""What MkDocs does beyond its settings: pages get tables that the benchmarks wrote, and notebooks with their output."""

import json
import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
SUMMARY = DOCS.parent / "benchmarks" / "results" / "summary.md"
PLACE = "<!-- the goals, from benchmarks/results/summary.md -->"
NOTEBOOK = re.compile(r"<!-- (notebooks/[\w-]+\.ipynb) -->")


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Put goals and notebooks in their place; pages without one stay as they are."""
    if PLACE in markdown:
        markdown = markdown.replace(PLACE, goals(SUMMARY.read_text(encoding="utf-8")))
    return NOTEBOOK.sub(lambda place: notebook(DOCS / place[1]), markdown)


def goals(summary: str) -> str:
    """Return the summary one level down, without its title and without links to files that are not on the site."""
    body = summary.partition("edit nothing here.\n")[2]
    body = re.sub(r" · \[figures\]\([^)]*\)", "", body)
    body = re.sub(r"^## (.*)$", r"### \1", body, flags=re.MULTILINE)
    return body.replace("| NO |", "| **no** |").strip()


def notebook(path: Path) -> str:
    """Return a notebook as Markdown: its cells, and below each what it shows. Its title is the page's."""
    parts = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(re.sub(r"^# .*\n*", "", source))
            continue
        parts.append(f"```python\n{source}\n```")
        for output in cell["outputs"]:
            html = "".join(output.get("data", {}).get("text/html", ""))
            text = "".join(output.get("text", "")).rstrip()
            parts.append(html.replace("\n", " ") if html else f"```text\n{text}\n```")
    return "\n\n".join(filter(None, parts))
