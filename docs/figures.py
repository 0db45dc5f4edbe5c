"""Draw the figures of the page `figures.md` anew, by running the code on it: `make figures`."""

import os
import re
from pathlib import Path

import matplotlib as mpl

DOCS = Path(__file__).parent
BLOCK = re.compile(r"^```python[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)


def main() -> None:
    mpl.use("agg")
    page = DOCS / "figures.md"
    code = "\n".join(BLOCK.findall(page.read_text(encoding="utf-8")))
    os.chdir(DOCS / "img")
    exec(compile(code, str(page), "exec"), {"__name__": page.stem})


if __name__ == "__main__":
    main()
