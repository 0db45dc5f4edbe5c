"""The documentation as a site: it builds without a warning, and its search works where pages are opened from disk."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.report.conftest import browser  # noqa: F401, the fixture

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(command, cwd=REPOSITORY, env=environment, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    return folder


def test_every_page_is_in_the_menu_or_linked(site):
    """A page that nothing leads to is never read."""
    pages = {path.relative_to(site).as_posix() for path in site.rglob("*.html")} - {"404.html", "index.html"}
    linked = set()
    for path in site.rglob("*.html"):
        for target in re.findall(r'href="([^"#?]+\.html)', path.read_text()):
            if "://" not in target:
                linked.add(os.path.relpath((path.parent / target).resolve(), site))
    assert pages <= linked


def test_the_gallery_has_a_report_and_a_script_for_each_example(site):
    """The hook in docs/gallery_hook.py adds them while the site is built."""
    pages = {path.stem for path in (REPOSITORY / "docs" / "gallery").glob("*.md")} - {"index"}
    assert {path.stem for path in (site / "gallery" / "reports").glob("*.html")} == pages
    assert {path.stem for path in (site / "gallery" / "scripts").glob("*.py")} == pages


def test_defaults_in_the_reference_are_values_not_private_names(site):
    for path in (site / "reference").glob("*.html"):
        signatures = re.findall(r'class="doc-signature highlight">(.*?)</div>', path.read_text(), re.DOTALL)
        shown = re.sub(r"<[^>]+>", "", "\n".join(signatures))
        assert re.findall(r"= _\w+", shown) == [], path.name


def test_the_reference_has_what_models_and_rule_books_inherit(site):
    for page, name in (("estimator", "RobustTree"), ("rules", "RuleBook")):
        text = (site / "reference" / f"{page}.html").read_text()
        for verb in ("predict", "explain", "report", "save"):
            assert f'id="hedgerow.{name}.{verb}"' in text
