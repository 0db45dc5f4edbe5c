"""Make the figures and pictures of the documentation anew, by running the code of their pages: `make figures`.

`python docs/figures.py gallery/quays` makes those of one page. A figure keeps the words that it shows as a description,
and a picture of a report keeps the questions of its rules, so that tests can compare both with what the code makes now.
"""

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.text import Text
from PIL import Image
from PIL.PngImagePlugin import PngInfo

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


class Screen(NamedTuple):
    """A picture of an HTML page, taken in Chromium."""

    page: str
    file: str
    picture: str
    typed: tuple[tuple[str, str], ...] = ()
    part: str | None = None
    size: tuple[int, int] = (1100, 850)


READINGS = (("Old Bridge", "6"), ("Market Street", "8"))
SCREENS = (
    Screen("reports", "report.html", "report.png", READINGS),
    Screen("reports", "report.html", "report-map.png", READINGS, part="#map"),
    Screen("choosing", "choose.html", "choosing.png", size=(1300, 1000)),
)
"""For each picture: the page of the documentation, the file that its code writes, the name, and what to show."""


def shares_of_all_rows() -> pd.DataFrame:
    """Return the stored shares on measured data, where all earlier rows are learnt from."""
    table = pd.read_csv(SHARES, comment="#")
    return table[table["N"] == "all"].set_index(["history", "decided by"])


def measured_words() -> list[str]:
    """Return what the figure of measured shares shows, in words."""
    table = shares_of_all_rows()
    return [
        f"{label} wins {table.loc[(history, name), 'share won']:.3f} on {words}"
        for name, (label, _, _) in DECIDED_BY.items()
        for history, words in HISTORIES.items()
    ]


def measured_shares() -> None:
    """Draw what each wins on measured data when all earlier rows are learnt from, with intervals."""
    table = shares_of_all_rows()
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
    description = {"Description": "\n".join(measured_words())}
    figure.savefig(DOCS / "img" / "measured-shares.png", dpi=110, metadata=description)


def words_on(figure: Figure) -> str:
    """Return the words on a figure, one text per line; numbers along the axes are left out."""
    texts = [text.get_text().strip() for text in figure.findobj(Text) if text.get_visible()]
    return "\n".join(text for text in texts if re.search(r"[^\W\d_]", text))


def questions_in(html: str) -> str:
    """Return the questions that a report shows, one per line."""
    return "\n".join(re.findall(r">\s*([^<>]*[?])\s*<", html.partition("<script")[0]))


def take_pictures(screens: list[Screen]) -> None:
    """Open the files in a browser and keep pictures of them, with the questions that they show."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--headless", "--no-sandbox"]
        )
        for screen in screens:
            page = browser.new_page(viewport=dict(zip(("width", "height"), screen.size, strict=True)))
            page.goto(Path(screen.file).resolve().as_uri())
            for name, reading in screen.typed:
                page.get_by_label(name).first.fill(reading)
            target = page.locator(screen.part) if screen.part else page
            path = DOCS / "img" / screen.picture
            target.screenshot(path=path)
            questions = PngInfo()
            questions.add_text("Description", questions_in(Path(screen.file).read_text(encoding="utf-8")))
            Image.open(path).save(path, pnginfo=questions)
        browser.close()


def main() -> None:
    mpl.use("agg")
    if not sys.argv[1:]:
        measured_shares()
    save = Figure.savefig

    def described(figure: Figure, path: Any, **options: Any) -> None:
        save(figure, DOCS / "img" / path, metadata={"Description": words_on(figure)}, **options)

    Figure.savefig = described
    chosen = sys.argv[1:] or sorted(page.relative_to(DOCS).with_suffix("").as_posix() for page in DOCS.rglob("*.md"))
    for name in chosen:
        code = "\n".join(BLOCK.findall((DOCS / f"{name}.md").read_text(encoding="utf-8")))
        screens = [screen for screen in SCREENS if screen.page == name]
        if "savefig(" in code or screens:
            print(name)
            os.chdir(tempfile.mkdtemp())  # for the files that the page writes
            exec(compile(code, name, "exec"), {"__name__": name})
            take_pictures(screens)


if __name__ == "__main__":
    main()
