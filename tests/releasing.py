"""What the owners have to give before the first release: the open items of CONTRIBUTING.md.

Called as `python tests/releasing.py`, which lists them and ends with 1 if there is one.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
_ITEM = re.compile(r"^- \[ \] (?P<what>[^`]+): `(?P<text>[^`]+)` in (?P<files>.+)$", re.MULTILINE)


def open_items():
    """Return what is missing, the text in its place and the files that have it."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    found = [(item["what"], item["text"], re.findall("`([^`]+)`", item["files"])) for item in _ITEM.finditer(page)]
    assert len(found) == page.count("- [ ]"), "an item of CONTRIBUTING.md has another form"
    return found


if __name__ == "__main__":
    for what, text, files in open_items():
        print(f"{what}: {text!r} in {', '.join(files)}")
    if open_items():
        sys.exit("not ready for a release; CONTRIBUTING.md says what to do")
