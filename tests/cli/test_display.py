"""What people are shown: plain columns in a pipe, lines on a terminal, and nothing that a name could smuggle in."""

import re
import sys

from hedgerow.cli.output import show, show_table


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


def test_names_are_shown_as_they_are_and_cannot_steer_the_terminal(capsys):
    show_table(("[bold]item[/bold]",), [("[red]x[/red] :smile: \x1b[2J",)])
    show("one\x1b]0;title\x07\ntwo")
    told = capsys.readouterr().out
    assert "[bold]item[/bold]" in told
    assert "[red]x[/red] :smile: �[2J" in told
    assert "\x1b" not in told
    assert "one�]0;title�\ntwo" in told
