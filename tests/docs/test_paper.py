"""The paper's figures are those of the stored results, it cites what it lists, and the tables of files are right."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAPER = (ROOT / "paper" / "paper.md").read_text(encoding="utf-8")
WORDS = " ".join(PAPER.split())
FIGURES = {
    "foundation": {"491× at least": "at least 491 times"},
    "exact_experiment2": {"640 of 640 proven": "All 640 instances", "in total,12.4 s": "in 12.4 s in total"},
    "exact_experiment3": {"280 of 280 proven": "all 280 runs"},
    "exact_global_sizes": {"5 of 5 proven, worst 7.58 s": "within 7.58 s"},
    "exact_depth3": {"0 of 2 proven, worst 120": "was not proven within two minutes"},
    "real_shares": {
        '"chicago 53→34: chosen by tune, all rows",41.3 %': "41.3 to 91.0 %",
        '"pjm: chosen by tune, all rows",91.0 %': "41.3 to 91.0 %",
        '"dayahead: chosen by tune, all rows",56.0 %': "7 % against 56.0 %",
    },
    "serve": {"0 of 4,130,000": "0 of 4,130,000 answers"},
    "watch": {"3.2 %": "3.2 % false alarms", 'first alarm",none': "none on two years"},
}


@pytest.mark.parametrize("benchmark", FIGURES)
def test_figures_are_those_of_the_stored_results(benchmark):
    stored = (ROOT / "benchmarks" / "results" / f"{benchmark}_goals.csv").read_text(encoding="utf-8")
    for value, words in FIGURES[benchmark].items():
        assert value in stored
        assert words in WORDS


def test_what_is_cited_is_listed_and_what_is_listed_is_cited():
    listed = re.findall(r"^@\w+{(\w+),", (ROOT / "paper" / "paper.bib").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(set(re.findall(r"@(\w+)", PAPER.partition("---\n\n")[2]))) == sorted(listed)


@pytest.mark.parametrize("page", ["tested", "architecture"])
def test_files_that_a_page_names_are_there(page):
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    files = re.findall(r"`([\w/.-]+\.(?:py|md|png))`", text)
    assert len(files) > 20
    folders = (ROOT, ROOT / "src" / "hedgerow")
    assert [name for name in files if not any((folder / name).is_file() for folder in folders)] == []
