"""What people are shown: plain columns, and nothing that a name could smuggle in."""

from hedgerow.cli.output import show, table_text


def test_tables_are_plain_and_as_wide_as_they_are(capsys):
    show(table_text(("day", "costs"), [("Mon", "1.5 min"), ("x" * 200, "12 min")], right=(1,)))
    lines = capsys.readouterr().out.splitlines()
    assert lines == [f"{'day':200}    costs", f"{'Mon':200}  1.5 min", f"{'x' * 200}   12 min"]


def test_names_are_shown_as_they_are_and_cannot_steer_the_terminal(capsys):
    show(table_text(("[bold]item[/bold]",), [("[red]x[/red] :smile: \x1b[2J",)]))
    show("one\x1b]0;title\x07\ntwo")
    told = capsys.readouterr().out
    assert "[bold]item[/bold]" in told
    assert "[red]x[/red] :smile: �[2J" in told
    assert "\x1b" not in told
    assert "one�]0;title�\ntwo" in told
