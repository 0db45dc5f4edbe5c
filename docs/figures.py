"""Draw the figures of the documentation anew, by running the code of the pages that show them: `make figures`."""

import os
import re
from pathlib import Path

import matplotlib as mpl

DOCS = Path(__file__).parent
BLOCK = re.compile(r"^```python[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)


def main() -> None:
    mpl.use("agg")
    os.chdir(DOCS / "img")
    for page in sorted(DOCS.glob("*.md")):
        code = "\n".join(BLOCK.findall(page.read_text(encoding="utf-8")))
        if "savefig(" in code:
            print(page.name)
            exec(compile(code, str(page), "exec"), {"__name__": page.stem})


if __name__ == "__main__":
    main()
