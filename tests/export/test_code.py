"""The functions in Python and JavaScript: what they say to readings that are missing or no numbers."""

import json
import shutil
import subprocess
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from hedgerow import RuleBook, Tree
from hedgerow.export import export
from hedgerow.rules import Labels
from tests.export.trees import HOSTILE, tree_file, wide_tree

NAMES = ("bridge", "tunnel", "weather")
SOURCE = RuleBook(
    Tree.full([0, 1, 1], [35.0, 0.1, 20.0], [[1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [1.0, 0.0]]),
    NAMES,
    labels=Labels(advice=("A", "B", "B", "A"), unit="min", variable_names=("x", "y")),
)


@pytest.fixture
def module():
    namespace = {}
    exec(compile(export(SOURCE, "python"), "exported.py", "exec"), namespace)
    return namespace


@pytest.mark.parametrize(
    "value", [35, 35.0, np.float64(35), np.float32(35), np.int8(35), Decimal(35), Fraction(35), np.nextafter(35.0, 0.0)]
)
def test_every_kind_of_number_is_compared_as_predict_does(module, value):
    assert module["advise"]({"bridge": value, "tunnel": Decimal("0.1"), "weather": "no number"})["leaf"] == 0
    assert module["advise"](pd.Series({"bridge": float(value) + 0.1, "tunnel": np.inf}))["leaf"] == 3


@pytest.mark.parametrize(
    ("readings", "message"),
    [
        ({}, "the reading of 'bridge' is missing"),
        ({"bridge": None}, "the reading of 'bridge' is missing"),
        ({"bridge": float("nan")}, "the reading of 'bridge' is missing"),
        ({"bridge": np.float64("nan")}, "the reading of 'bridge' is missing"),
        ({"bridge": Decimal("nan")}, "the reading of 'bridge' is missing"),
        ({"bridge": 3.0}, "the reading of 'tunnel' is missing"),
        ({"bridge": "35"}, "the reading of 'bridge' must be a number; got '35'"),
        ({"bridge": [35]}, r"the reading of 'bridge' must be a number; got \[35\]"),
        ({"bridge": 10**400}, "the reading of 'bridge' is too large a number"),
    ],
)
def test_a_reading_that_is_missing_or_no_number_is_a_clear_error(module, readings, message):
    with pytest.raises(ValueError, match=message):
        module["advise"](readings)


def run_script(folder, source, calls):
    """Call the exported function in Node.js, and return its answers or its errors' words."""
    (folder / "tree.js").write_text(export(source, "javascript"), encoding="utf-8")
    script = f"""
        const advise = require("./tree.js");
        const words = error => error.name + ": " + error.message;
        const told = call => {{ try {{ return call(); }} catch (error) {{ return words(error); }} }};
        console.log(JSON.stringify([{", ".join(f"told(() => {call})" for call in calls)}]));
    """
    done = subprocess.run(["node", "-e", script], cwd=folder, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")


CALLS = {
    "advise({ bridge: 35, tunnel: 0 })": {"leaf": 0, "advice": "A", "solution": {"x": 1}, "totals": [], "outside": []},
    "advise({ bridge: 36, tunnel: Infinity }).leaf": 3,
    "advise({})": 'RangeError: the reading of "bridge" is missing.',
    "advise({ bridge: NaN })": 'RangeError: the reading of "bridge" is missing.',
    "advise({ bridge: 3, tunnel: null })": 'RangeError: the reading of "tunnel" is missing.',
    'advise({ bridge: "35" })': 'TypeError: the reading of "bridge" must be a number; got a string.',
    "advise.asked": ["bridge", "tunnel"],
    "advise.unit": "min",
}


@needs_node
def test_the_javascript_function_says_what_is_missing(tmp_path):
    assert run_script(tmp_path, SOURCE, CALLS) == list(CALLS.values())


@needs_node
def test_names_that_every_object_knows_are_missing_unless_given(tmp_path):
    tree = Tree.full([0], [1.0], [[1.0, 2.0], [0.0, 1.0]])
    source = RuleBook(tree, ("__proto__",), labels=Labels(variable_names=("__proto__", "toString")))
    given = "advise(JSON.parse('{\"__proto__\": 1}')).leaf"
    answers = run_script(tmp_path, source, ["advise({})", given, "Object.keys(advise({['__proto__']: 0}).solution)"])
    assert answers == ['RangeError: the reading of "__proto__" is missing.', 0, ["__proto__", "toString"]]


def test_a_script_can_stand_inside_a_page_and_on_one_line_per_name():
    script = export(tree_file(wide_tree()), "javascript")
    assert not [sign for sign in ("</", "<!--", "]]>", "\u2028", "\x1b") if sign in script]
    plain = export(tree_file(wide_tree(), names=[f"item {number}" for number in range(len(HOSTILE))]), "javascript")
    assert len(script.splitlines()) == len(plain.splitlines())
