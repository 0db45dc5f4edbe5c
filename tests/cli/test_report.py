"""`hedgerow report`: one page from a tree file, and one sentence where that can't be."""

import html
import re
import shlex

import numpy as np
import pytest

from tests.cli.conftest import refused, run, write_costs


@pytest.fixture
def others(tree, folder):
    return write_costs(folder / "others.csv", np.random.default_rng(9).integers(1, 60, (9, 4)).astype(float))


def page(folder, *words):
    done = run("report", "tree.json", *words, "-o", "page.html")
    assert done.exit_code == 0, done.stderr
    assert done.stdout == ""
    assert "open page.html in a browser" in done.stderr
    return (folder / "page.html").read_text(encoding="utf-8")


def test_a_tree_file_is_enough(tree, folder):
    text = page(folder, "--title", "My rules")
    assert "<title>My rules</title>" in text
    assert "No test data was given" in text


def test_with_costs_and_test_data_it_tells_more(others, folder):
    text = page(folder, "costs.csv", "--test", "others.csv")
    assert "Test data" in text


def test_it_goes_to_report_html_or_to_standard_output(tree, folder):
    assert run("report", "tree.json").exit_code == 0
    done = run("report", "tree.json", "-o", "-")
    assert done.stdout == (folder / "report.html").read_text(encoding="utf-8")
    assert done.stdout.startswith("<!doctype html>")


def plain(page):
    """Return a page without the time that the search took."""
    return re.sub(r"after \S+ s", "", page)


def test_the_command_on_a_page_makes_the_same_rules_again(folder):
    (folder / "seen.csv").write_text("wind,sun\n" + "".join(f"{j},{j % 2}\n" for j in range(6)))
    options = ("--method", "draw", "--iteration-limit", 5, "--context", "seen.csv")
    assert run("fit", "grid:2", "costs.csv", *options).exit_code == 0
    data = ("costs.csv", "--context", "seen.csv", "--test", "costs.csv", "--test-context", "seen.csv")
    before = page(folder, *data)
    (command,) = re.findall(r"<code>hedgerow (fit .*)</code>", before)
    assert run(*shlex.split(html.unescape(command))).exit_code == 0
    assert plain(page(folder, *data)) == plain(before)


def test_bad_use_is_one_sentence(others, folder):
    (folder / "broken.json").write_text("<html>")
    for words, message in [
        (("broken.json",), "broken.json: this is not a tree file"),
        (("tree.json", "--context", "costs.csv"), "belongs to a file of costs, which is missing"),
        (("tree.json", "others.csv"), "are not those that the tree was fitted to: it had 6 samples, these are 9"),
    ]:
        assert message in refused("report", *words)
