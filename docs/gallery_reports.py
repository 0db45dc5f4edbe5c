"""A hook of MkDocs: run the code of the gallery's pages while the site is built, and add the reports they write."""

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
    """Add each report that a page of the gallery links to."""
    mpl.use("agg")
    silence = contextlib.redirect_stdout(io.StringIO())
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), silence:
        for page in sorted((DOCS / "gallery").glob("*.md")):
            text = page.read_text(encoding="utf-8")
            reports = re.findall(r"\((reports/\w+\.html)\)", text)
            if reports:
                exec(compile("\n".join(BLOCK.findall(text)), str(page), "exec"), {"__name__": page.stem})
            for report in reports:
                content = Path(Path(report).name).read_text(encoding="utf-8")
                files.append(File.generated(config, f"gallery/{report}", content=content))
    return files
