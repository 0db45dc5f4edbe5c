"""Draw the figures of the documentation anew, by running the code of the pages that show them: `make figures`.

`python docs/figures.py gallery` draws those of one page. A figure keeps the questions that it shows as its description,
so that a test can compare them with those that the page's code draws.
"""

import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

DOCS = Path(__file__).parent
SHARES = DOCS.parent / "benchmarks" / "results" / "real_shares_shares.csv"
HISTORIES = {
    "pjm": "PJM, forecasts",
    "de": "Germany, forecasts",
    "dayahead": "Germany, yesterday's prices",
    "chicago 31→54": "Chicago, 31 to 54",
    "chicago 40→54": "Chicago, 40 to 54",
    "chicago 53→34": "Chicago, 53 to 34",
}
DECIDED_BY = {
    "tree (plans)": ("tree about plans, depth 2", "#9a9a9a", "o"),
    "card, or solving": ("card, or solving", "#5b8db8", "s"),
    "rules chosen by tune": ("chosen by tune", "#2e6b4f", "D"),
    "solving for the reading": ("solving for each reading", "#c0662b", "^"),
}
BLOCK = re.compile(r"^```python[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)


def measured_shares() -> None:
    """Draw what each wins on measured data when all earlier rows are learnt from, with intervals."""
    table = pd.read_csv(SHARES, comment="#")
    table = table[table["N"] == "all"].set_index(["history", "decided by"])
    figure, axes = plt.subplots(figsize=(8.0, 4.2), layout="constrained")
    for place, (name, (label, colour, marker)) in enumerate(DECIDED_BY.items()):
        part = table.xs(name, level="decided by").loc[list(HISTORIES)]
        height = [number + 0.18 * (place - 1.5) for number in range(len(part))]
        ends = [part["share won"] - part["from"], part["to"] - part["share won"]]
        axes.errorbar(
            part["share won"], height, xerr=ends, fmt=marker, color=colour, label=label, markersize=6, elinewidth=1
        )
    axes.axvline(0.0, color="#cccccc", zorder=0)
    axes.axvline(1.0, color="#cccccc", zorder=0)
    axes.set_yticks(range(len(HISTORIES)), list(HISTORIES.values()))
    axes.invert_yaxis()
    axes.set_xlabel("share won between one plan (0) and knowing everything (1), on later rows")
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside upper center", ncols=4, frameon=False)
    figure.savefig(DOCS / "img" / "measured-shares.png", dpi=110)


def questions_on(figure: Figure) -> str:
    """Return the questions of the trees on a figure."""
    texts = [text.get_text() for axes in figure.axes for text in axes.texts]
    return " ".join(text for text in texts if text.endswith("?"))


def main() -> None:
    mpl.use("agg")
    save = Figure.savefig

    def described(figure: Figure, path: Any, **options: Any) -> None:
        save(figure, DOCS / "img" / path, metadata={"Description": questions_on(figure)}, **options)

    Figure.savefig = described
    pages = [DOCS / f"{name}.md" for name in sys.argv[1:]]
    if not pages:
        measured_shares()
    os.chdir(tempfile.mkdtemp())  # for the other files that pages write
    for page in pages or sorted(DOCS.glob("*.md")):
        code = "\n".join(BLOCK.findall(page.read_text(encoding="utf-8")))
        if "savefig(" in code:
            print(page.name)
            exec(compile(code, str(page), "exec"), {"__name__": page.stem})


if __name__ == "__main__":
    main()
