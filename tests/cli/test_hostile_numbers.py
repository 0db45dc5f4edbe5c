"""Numbers and names that no honest file holds: a sentence, never a traceback, and nothing printed before it."""

import json

import pytest

from tests.cli.conftest import refused, run

HUGE = {"hundreds of digits": "1" + "0" * 400, "thousands of digits": "9" * 5_000}


def numbers_in(value, path=()):
    """Return the places of all numbers in a JSON document."""
    if isinstance(value, dict | list):
        children = value.items() if isinstance(value, dict) else enumerate(value)
        return [place for key, child in children for place in numbers_in(child, (*path, key))]
    return [path] if isinstance(value, int | float) and not isinstance(value, bool) else []


@pytest.mark.parametrize("digits", HUGE.values(), ids=HUGE)
def test_integers_without_end_in_tree_files(tree, folder, digits):
    """In any place: the command answers, or refuses the file in one sentence."""
    document = json.loads(tree.read_text(encoding="utf-8"))
    commands = [("predict",), ("evaluate",), ("explain",)]
    for number, path in enumerate(numbers_in(document)):
        damaged = json.loads(tree.read_text(encoding="utf-8"))
        parent = damaged
        for key in path[:-1]:
            parent = parent[key]
        parent[path[-1]] = "@"
        (folder / "huge.json").write_text(json.dumps(damaged).replace('"@"', digits), encoding="utf-8")
        done = run(*commands[number % 3], "huge.json", "costs.csv")
        assert done.exception is None or isinstance(done.exception, SystemExit), (path, done.exception)
        assert done.exit_code in (0, 2), (path, done.stderr)
        assert done.exit_code == 0 or not done.stdout, (path, done.stdout)
        assert len(done.stderr) < 2_000


@pytest.mark.parametrize("digits", HUGE.values(), ids=HUGE)
@pytest.mark.parametrize("field", ["n", "p"])
def test_integers_without_end_in_problem_files(folder, field, digits):
    (folder / "huge.toml").write_text(f'kind = "selection"\n{field} = {digits}\n')
    assert "huge.toml" in refused("fit", "huge.toml", "costs.csv")


@pytest.mark.parametrize("field", ["n_samples", "depth", "total_weight", "minima", "maxima"])
@pytest.mark.parametrize("command", ["evaluate", "predict", "explain"])
def test_a_damaged_training_section_is_noticed_before_anything_is_printed(tree, folder, command, field):
    document = json.loads(tree.read_text(encoding="utf-8"))
    document["details"]["training"][field] = "x"
    tree.write_text(json.dumps(document), encoding="utf-8")
    assert f"training {field}" in refused(command, "tree.json", "costs.csv")


def test_names_of_megabytes_are_shortened(tree, folder):
    """Wherever a message names what is missing or too much."""
    (folder / "long.csv").write_text("x" * 1_000_000 + "\n1\n")
    assert len(refused("predict", "tree.json", "long.csv")) < 600
    (folder / "long.toml").write_text(f'kind = "selection"\nn = 4\np = 2\n{"x" * 1_000_000} = 1\n')
    assert len(refused("fit", "long.toml", "costs.csv")) < 600


@pytest.mark.parametrize("size", ["1e308", "-1e308", "1e201"])
def test_costs_that_would_overflow_are_refused(folder, tree, size):
    """Their sums would be infinite, and no path the cheapest."""
    (folder / "huge.csv").write_text(f"0-1,0-2,1-3,2-3\n1,2,3,4\n1,{size},3,4\n")
    for words in (("fit", "grid:2", "huge.csv"), ("evaluate", "tree.json", "huge.csv")):
        message = refused(*words)
        assert "numbers from -1e+200 to 1e+200" in message
        assert "'0-2'" in message
