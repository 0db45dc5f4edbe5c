"""One page with all goals, gathered from what the benchmarks wrote, whenever they ran."""

import csv
from collections.abc import Iterable
from pathlib import Path


def summarise(folder: Path, names: Iterable[str]) -> Path:
    """Write which goals were met and which were missed, benchmark by benchmark; return the page's path."""
    parts = ["# Goals\n", "Written by `python -m benchmarks`; edit nothing here.\n"]
    missed = total = 0
    for name in names:
        path = folder / f"{name.replace('.', '_')}_goals.csv"
        if not path.exists():
            parts.append(f"## {name}\n\nHas not been run.\n")
            continue
        facts, rows = _read(path)
        total += sum(row["met"] != "–" for row in rows)
        missed += sum(row["met"] == "NO" for row in rows)
        load = facts.get("load", "").split(" ")[0]
        told = f"{facts.get('date', '')}, {facts.get('processor', '')}" + (f", load {load}" if load else "")
        lines = [f"## {name}\n", f"{told} · [figures]({name.replace('.', '_')}.md)\n"]
        lines += ["| what | value | goal | met |", "| --- | --- | --- | --- |"]
        lines += [f"| {row['what']} | {row['value']} | {row['goal']} | {row['met']} |" for row in rows]
        parts.append("\n".join(lines) + "\n")
    parts.insert(2, f"{total - missed} of {total} goals are met.\n")
    page = folder / "summary.md"
    page.write_text("\n".join(parts), encoding="utf-8")
    return page


def _read(path: Path) -> tuple[dict[str, str], list[dict[str, str]]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    comments = [line[2:] for line in lines if line.startswith("# ")]
    facts = dict(comment.split(": ", 1) for comment in comments if ": " in comment)
    return facts, list(csv.DictReader(line for line in lines if not line.startswith("# ")))
