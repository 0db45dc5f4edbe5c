"""A hook of MkDocs: run the pages of the gallery while the site is built, and add their reports and their code."""

import contextlib
import io
import re
import tempfile
from pathlib import Path

import matplotlib as mpl
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

DOCS = Path(__file__).parent
BLOCK = re.compile(r"^```python[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the report and the script of each example, which has the name of its page."""
    mpl.use("agg")
    silence = contextlib.redirect_stdout(io.StringIO())
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), silence:
        for page in sorted((DOCS / "gallery").glob("*.md")):
            text = page.read_text(encoding="utf-8")
            code = "\n\n".join(BLOCK.findall(text))
            if "(scripts/" in text:
                exec(compile(code, str(page), "exec"), {"__name__": page.stem})
                report = Path(f"{page.stem}.html").read_text(encoding="utf-8")
                files.append(File.generated(config, f"gallery/reports/{page.stem}.html", content=report))
                files.append(File.generated(config, f"gallery/scripts/{page.stem}.py", content=code))
    return files
