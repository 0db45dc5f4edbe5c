"""The page on benchmarks shows what the benchmarks wrote, and all of it."""

import importlib.util
import re
from pathlib import Path

from benchmarks.__main__ import BENCHMARKS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")


def hooks():
    spec = importlib.util.spec_from_file_location("docs_hooks", ROOT / "docs" / "hooks.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rows(text):
    return [line.replace("**no**", "NO") for line in text.splitlines() if line.startswith("| ")]


def test_the_page_has_every_row_of_the_summary():
    summary = hooks().SUMMARY.read_text(encoding="utf-8")
    shown = hooks().on_page_markdown(PAGE).partition("## Goals and results")[2]
    assert rows(shown) == rows(summary)
    assert re.search(r"^\d+ of \d+ goals are met\.$", shown, re.MULTILINE)
    assert "](" not in shown  # no link leads to a file that is not on the site


def test_pages_without_a_place_for_goals_stay_as_they_are():
    assert hooks().on_page_markdown("# A page\n") == "# A page\n"


def test_the_page_says_of_every_benchmark_what_it_asks():
    told = PAGE.partition("| benchmark | question |")[2].partition("\n\n")[0]
    named = [name for name in re.findall(r"`([\w.]+)`", told) if name != "fix_tree"]
    assert named == sorted(BENCHMARKS, key=told.index)
