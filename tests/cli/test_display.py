"""What people are shown: plain columns in a pipe, lines on a terminal, and nothing that a name could smuggle in."""

import re
import sys

import numpy as np
import pytest

from hedgerow import GlobalBudget, LocalBudget, Nominal
from hedgerow.cli.display import amount, say, show, show_table
from hedgerow.words import uncertainty_in_words


def pretend_to_be_a_terminal(monkeypatch):
    """Make standard output a terminal of 40 columns."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")


def test_in_a_pipe_tables_are_plain_and_as_wide_as_they_are(capsys):
    show_table(("day", "costs"), [("Mon", "1.5 min"), ("x" * 200, "12 min")], right=(1,))
    lines = capsys.readouterr().out.splitlines()
    assert lines == [f"{'day':200}    costs", f"{'Mon':200}  1.5 min", f"{'x' * 200}   12 min"]


def test_on_a_terminal_tables_have_lines_and_keep_within_it(monkeypatch, capsys):
    pretend_to_be_a_terminal(monkeypatch)
    show_table(("day", "advice"), [("Mon", "0 → 4 → 8 → 12 → 13 → 14 → 15 → 16 → 17 → 18"), ("y" * 90, "none")])
    told = re.sub(r"\x1b\[\d*m", "", capsys.readouterr().out)  # bold headings
    assert "────" in told
    assert max(map(len, told.splitlines())) <= 40
    assert told.count("y") == 91  # those of the name and of "day": nothing is cut off


def test_on_a_terminal_sentences_break_between_words(monkeypatch, capsys):
    pretend_to_be_a_terminal(monkeypatch)
    say("a sentence that is longer than the forty columns there are")
    assert capsys.readouterr().out.splitlines() == ["a sentence that is longer than the forty", "columns there are"]


def test_names_are_shown_as_they_are_and_cannot_steer_the_terminal(capsys):
    show_table(("[bold]item[/bold]",), [("[red]x[/red] :smile: \x1b[2J",)])
    show("one\x1b]0;title\x07\ntwo")
    told = capsys.readouterr().out
    assert "[bold]item[/bold]" in told
    assert "[red]x[/red] :smile: �[2J" in told
    assert "\x1b" not in told
    assert "one�]0;title�\ntwo" in told


def test_amounts_have_their_unit():
    assert amount(12.5, "EUR/MWh") == "12.5 EUR/MWh"
    assert amount(12.5) == "12.5"
    assert amount(328585.123, "EUR") == "328,585.12 EUR"
    assert amount(1, "\x1b[2J") == "1 �[2J"


@pytest.mark.parametrize(
    ("uncertainty", "words"),
    [
        (Nominal(), "nothing is misread"),
        (LocalBudget(1.5), "each sample may be misread by up to 1.5 in total"),
        (LocalBudget([1.0, 2.0]), "each sample may be misread by up to a budget of its own"),
        (GlobalBudget(9.0), "all samples together may be misread by up to 9 in total"),
        (LocalBudget(1.0, limits=np.array([1.0, 2.0])), "no reading by more than its limit"),
        (LocalBudget(1.0, prices=[1.0, 2.0]), "counted at a price per item"),
    ],
)
def test_every_uncertainty_set_has_words(uncertainty, words):
    assert words in uncertainty_in_words(uncertainty)
