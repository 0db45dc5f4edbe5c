"""The command line as a whole: help, version, generated data, what it shows, and how it ends."""

import re

import numpy as np
import pytest
import typer

import hedgerow
from hedgerow.cli import app
from hedgerow.cli.output import show
from hedgerow.datasets import paper_shortest_path
from tests.cli.conftest import refused, run


def test_every_command_and_option_has_help():
    commands = typer.main.get_command(app).commands
    for words in ((), ("--help",)):
        assert all(name in run(*words).stdout for name in commands)
    for name, command in commands.items():
        assert command.help, name
        assert all(each.help for each in command.params if each.name != "help"), name


EXAMPLE = re.compile(r"^ *hedgerow ([a-z]+)", re.MULTILINE)


@pytest.mark.parametrize("command", ["fit", "predict", "evaluate", "generate", "demo"])
def test_the_help_of_every_command_ends_with_an_example_that_fits_a_terminal(command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    text = run(command, "--help").stdout
    assert max(len(line) for line in text.splitlines()) <= 80
    shown = EXAMPLE.findall(text.split("Example")[1])
    assert shown
    assert set(shown) == {command}


def test_version():
    assert run("--version").stdout.strip() == f"hedgerow {hedgerow.__version__}"


def test_bad_use_is_one_sentence():
    message = "hedgerow: No such command 'fot'."
    assert refused("fot") in {message, f"{message} Did you mean 'fit'?"}  # older versions of typer have no guess
    assert "--nonsense" in refused("--nonsense")
    assert "KIND must be shortest-path; got 'maze'" in refused("generate", "maze")


@pytest.mark.parametrize("test", [False, True])
def test_generated_costs_read_back_exactly(folder, test):
    words = ("generate", "shortest-path", "--grid", 3, "--seed-id", 1, "--samples", 7, *(["--test"] if test else []))
    assert run(*words, "-o", "made.csv").exit_code == 0
    header, *lines = (folder / "made.csv").read_text(encoding="utf-8").splitlines()
    problem, train, held_out = paper_shortest_path(seed_id=1, n_samples=7, grid=3)
    assert tuple(header.split(",")) == problem.item_names
    np.testing.assert_array_equal([[float(x) for x in line.split(",")] for line in lines], held_out if test else train)
    assert run(*words).stdout == (folder / "made.csv").read_text(encoding="utf-8")


def test_a_bug_is_not_dressed_up_as_bad_input(monkeypatch):
    monkeypatch.setattr("hedgerow.cli.examples.write_output", lambda *given: 1 / 0)
    done = run("generate", "shortest-path")
    assert isinstance(done.exception, ZeroDivisionError)


def test_ctrl_c_outside_a_fit_ends_with_130(monkeypatch):
    def interrupted(*given):
        raise KeyboardInterrupt

    monkeypatch.setattr("hedgerow.cli.examples.write_output", interrupted)
    done = run("generate", "shortest-path")
    assert done.exit_code == 130
    assert done.stderr.strip() == "hedgerow: interrupted."


def test_names_are_shown_as_they_are_and_cannot_steer_the_terminal(capsys):
    show("[bold]item[/bold]\n[red]x[/red] :smile: \x1b[2J")
    show("one\x1b]0;title\x07\ntwo")
    told = capsys.readouterr().out
    assert "[bold]item[/bold]" in told
    assert "[red]x[/red] :smile: �[2J" in told
    assert "\x1b" not in told
    assert "one�]0;title�\ntwo" in told
