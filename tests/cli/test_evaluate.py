"""`hedgerow evaluate`: the tree file's uncertainty set, or another one that refers to the training data."""

import json
import re

import numpy as np
import pytest

from hedgerow import LocalBudget, evaluate
from hedgerow.rules import RuleBook
from tests.cli.conftest import COSTS, NAMES, refused, run, write_costs

OTHERS = np.random.default_rng(9).integers(1, 60, (9, 4)).astype(float)


@pytest.fixture
def others(tree, folder):
    write_costs(folder / "others.csv", OTHERS)
    return RuleBook.load(tree)


def fields(*words):
    done = run("evaluate", "tree.json", *words, "--json")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def check(found, saved, uncertainty, costs=OTHERS):
    expected = evaluate(saved.tree, saved.problem, costs, uncertainty)
    assert (found["nominal"], found["robust"]) == pytest.approx((expected.nominal, expected.robust))


def test_on_the_training_data_it_finds_what_fit_found(others):
    found = fields("costs.csv")
    assert found["robust"] == pytest.approx(found["objective"])
    assert {"lower_bound", "gap", "status", "runtime", "method", "nominal"} <= set(found)
    assert found["method"] == "draw"
    assert found["n_samples"] == 6


def test_the_set_is_that_of_the_tree_file_or_another_one_whose_fraction_refers_to_the_training_data(others):
    check(fields("others.csv"), others, others.uncertainty)
    check(fields("others.csv", "--local", "0.3"), others, LocalBudget(fraction=0.3).bind(COSTS, 1))
    prices = LocalBudget(fraction=0.3, prices="range").bind(COSTS, 1)
    check(fields("others.csv", "--local", "0.3", "--prices", "range"), others, prices)
    check(fields("others.csv", "--local-budget", "7", "--limits", "2"), others, LocalBudget(7.0, limits=2.0))
    assert fields("others.csv", "--local-budget", "0")["robust"] == fields("others.csv")["nominal"]


def test_prices_and_limits_stay_the_files_unless_given(folder):
    options = ("--method", "draw", "--iteration-limit", 5, "--local", 0.1, "--prices", "range", "--limits", "9,9,9,9")
    assert run("fit", "grid:2", "costs.csv", *options).exit_code == 0
    saved = RuleBook.load(folder / "tree.json")
    known = saved.uncertainty
    check(fields("costs.csv", "--local", "0.1"), saved, known, COSTS)
    other = LocalBudget(7.0, prices=known.prices, limits=1.0)
    check(fields("costs.csv", "--local-budget", "7", "--limits", "1"), saved, other, COSTS)


def test_samples_are_called_by_the_first_column_that_tells_them_apart(others, folder):
    lines = ["site,day," + ",".join(NAMES)]
    lines += [f"north,day {j}," + ",".join(map(str, row)) for j, row in enumerate(OTHERS.tolist())]
    (folder / "dated.csv").write_text("\n".join(lines))
    found = evaluate(others.tree, others.problem, OTHERS, LocalBudget(20.0))
    harm = (found.attack.cost - found.attack.nominal_cost)[found.attack.moved]
    worst = int(found.attack.moved[harm.argmax()])
    shown = run("evaluate", "tree.json", "dated.csv", "--local-budget", 20).stdout
    table = [line.split() for line in shown.splitlines()]
    header = next(number for number, words in enumerate(table) if words[:1] == ["day"])
    assert table[header + 1][:2] == ["day", str(worst)]
    assert len(table) == header + 1 + found.attack.moved.size
    plain = run("evaluate", "tree.json", "others.csv", "--local-budget", 20).stdout
    assert re.search(rf"\n *row .*\n *{worst + 1} ", plain)


def test_a_problem_that_maximises_tells_what_is_lost(folder):
    items = ", ".join(f'"{name}"' for name in NAMES)
    text = f'kind = "selection"\nn = 4\np = 1\nitem_names = [{items}]\nsense = "max"\nunit = "EUR"\n'
    (folder / "gain.toml").write_text(text)
    options = ("--depth", 1, "--method", "draw", "--iteration-limit", 20)
    assert run("fit", "gain.toml", "costs.csv", *options).exit_code == 0
    shown = run("evaluate", "tree.json", "costs.csv", "--local-budget", 20).stdout
    header, *rows = shown[re.search(r"\n *row ", shown).end() :].splitlines()
    assert re.search(r"gives +instead of$", header)
    amounts = [[float(value) for value in re.findall(r"(\S+) EUR", row)] for row in rows]
    losses = [usual - got for got, usual in amounts]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] > 0


def test_trees_that_ask_about_other_features_need_them(folder):
    (folder / "seen.csv").write_text("wind\n" + "".join(f"{j}\n" for j in range(6)))
    options = ("--method", "draw", "--iteration-limit", 5, "--context", "seen.csv")
    assert run("fit", "grid:2", "costs.csv", *options).exit_code == 0
    assert "with --context FILE" in refused("evaluate", "tree.json", "costs.csv")
    found = fields("costs.csv", "--context", "seen.csv")
    assert found["robust"] == pytest.approx(found["objective"])
    (folder / "seen.csv").write_text("wind\n1\n")
    message = refused("evaluate", "tree.json", "costs.csv", "--context", "seen.csv")
    assert "seen.csv must have one row for each of the 6 samples; got 1" in message


def test_bad_use_is_one_sentence(others, folder):
    document = json.loads((folder / "tree.json").read_text(encoding="utf-8"))
    document["details"]["problem"] = {"kind": "custom"}
    (folder / "custom.json").write_text(json.dumps(document))
    document["details"] = {}
    (folder / "bare.json").write_text(json.dumps(document))
    for words, message in [
        (("custom.json", "costs.csv"), "can't be rebuilt"),
        (("bare.json", "costs.csv"), "doesn't say which problem"),
    ]:
        assert message in refused("evaluate", *words)
