"""Models from files, from the command line to a tree: one's own, and three that somebody else wrote."""

import json
from pathlib import Path

import numpy as np
import pytest

from hedgerow.problems import MixedIntegerProblem
from hedgerow.rules import RuleBook
from tests.cli.conftest import refused, run, write_costs

MODELS = Path(__file__).parents[1] / "data" / "models"

LP = """min
 cost: 2 rail + 3 road + 4 barge + 7 fee
st
 demand: rail + road + barge >= 5
 pay: fee - 0.5 barge >= 0
bounds
 rail <= 3
 road <= 4
 barge <= 4
 fee <= 1
general
 rail
 fee
end
"""
COSTS = np.array([[2.0, 3.0], [4.0, 2.5], [3.0, 4.5], [2.5, 5.0]])


@pytest.fixture
def plant(folder):
    (folder / "plant.lp").write_text(LP)
    write_costs(folder / "freight.csv", COSTS, ["road", "rail"])
    return folder


def fit(*words):
    done = run("fit", *words, "--local", 0.05, "--json")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout), done.stderr


def test_variables_without_a_column_keep_the_cost_of_the_file_and_are_told(plant):
    result, told = fit("plant.lp", "freight.csv", "--method", "exact")
    assert result["status"] == "optimal"
    assert "these variables keep the model's own: 'barge', 'fee'" in told
    saved = RuleBook.of(plant / "tree.json")
    assert saved.problem == MixedIntegerProblem.from_file(plant / "plant.lp", ["rail", "road"])
    done = run("evaluate", "tree.json", "freight.csv", "--json")
    assert json.loads(done.stdout)["robust"] == pytest.approx(result["objective"])


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ('["rail", "road", "barge"]', "no column for 'barge'"),
        ('["rail", "canoe"]', "no variable 'canoe'"),
    ],
)
def test_items_that_are_listed_must_have_columns(plant, items, message):
    (plant / "plant.toml").write_text(f'kind = "model"\nfile = "plant.lp"\nitems = {items}\n')
    assert message in refused("fit", "plant.toml", "freight.csv")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"barge >= 5": "barge >= 99"}, "no solution"),
        ({" barge <= 4\n": "", "+ 4 barge": "- 4 barge", "- 0.5 barge": ""}, "finite bounds, such as 'barge'"),
        ({"end\n": ""}, "plant.lp: the file is cut off, or no LP file"),
        ({"min\n": "hello\n"}, "plant.lp: the file is no LP file: it must begin with"),
        ({"rail <= 3": "4 <= rail <= 3"}, "'rail' must lie between 4 and 3"),
    ],
)
def test_models_that_cannot_be_solved_are_refused_in_a_sentence(plant, changes, message):
    """Notes may come before it: that there is no solution shows only once work has begun."""
    text = LP
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    (plant / "plant.lp").write_text(text)
    done = run("fit", "plant.lp", "freight.csv")
    last = done.stderr.strip().splitlines()[-1]
    assert done.exit_code == 2
    assert done.stdout == ""
    assert last.startswith("hedgerow: ")
    assert last.endswith(".")
    assert message in last
    assert not (plant / "tree.json").exists()


def test_costs_that_name_no_variable_at_all_are_refused(plant):
    assert "none of the model's variables has a column" in refused("fit", "plant.lp", "costs.csv")


# The same small model as several programs write it; see tests/data/models/README.md.
FOREIGN = sorted(path.name for path in MODELS.iterdir() if path.suffix != ".md")


@pytest.mark.parametrize("name", FOREIGN)
def test_models_of_other_programs_fit_end_to_end(folder, name):
    problem = MixedIntegerProblem.from_file(MODELS / name)
    priced = [place for place, kind in enumerate(problem.model.integer) if kind]
    noise = np.random.default_rng(1).uniform(0.7, 1.3, (5, len(priced)))
    write_costs(folder / "c.csv", problem.model.cost[priced] * noise, [problem.variable_names[at] for at in priced])
    (folder / name).write_bytes((MODELS / name).read_bytes())
    (folder / "m.toml").write_text(f'kind = "model"\nfile = {json.dumps(name)}\nsense = "max"\n')
    result, _ = fit("m.toml", "c.csv", "--method", "exact", "--depth", 1)
    assert result["status"] == "optimal"
    saved = RuleBook.of(folder / "tree.json")
    assert all(saved.problem.infeasibility(solution) is None for solution in saved.tree.solutions)
    done = run("evaluate", "tree.json", "c.csv", "--json")
    assert json.loads(done.stdout)["robust"] == pytest.approx(result["objective"])
