"""What stands in for missing readings: which other reading, and what is added to it."""

import json

import numpy as np
import pytest

from hedgerow import RuleBook, Tree
from hedgerow.data.gaps import FillIns, Substitute
from hedgerow.errors import FileFormatError, InputError

NAMES = ["a", "b", "c", "d"]


def streets(rng, n_rows):
    """a, b and c go up and down together, b the more closely to a; d is on its own."""
    level = rng.normal(20.0, 6.0, n_rows)
    return np.column_stack(
        [
            level,
            level + 3.0 + rng.normal(0.0, 0.5, n_rows),
            level - 5.0 + rng.normal(0.0, 2.0, n_rows),
            rng.normal(10.0, 1.0, n_rows),
        ]
    )


def filled_by_hand(fill_ins, row):
    known = {name: value for name, value in zip(fill_ins.typical, row, strict=True) if not np.isnan(value)}

    def value(name):
        if name in known:
            return known[name]
        for other in fill_ins.substitutes.get(name, ()):
            if other.name in known:
                return known[other.name] + other.added
        return fill_ins.typical[name]

    return [value(name) for name in fill_ins.typical]


@pytest.mark.parametrize("share", [0.0, 0.2])
def test_the_closest_known_reading_stands_in_and_else_the_typical_value(share):
    rng = np.random.default_rng(1)
    readings = streets(rng, 400)
    readings[rng.random(readings.shape) < share] = np.nan
    fill_ins = FillIns.of(NAMES, readings, np.ones(400))
    assert [other.name for other in fill_ins.substitutes["a"]] == ["b", "c"]
    assert [other.name for other in fill_ins.substitutes["b"]] == ["a", "c"]
    assert "d" not in fill_ins.substitutes
    assert fill_ins.substitutes["a"][0].added == pytest.approx(-3.0, abs=0.2)
    assert fill_ins.typical["d"] == np.nanquantile(readings[:, 3], 0.5, method="inverted_cdf")
    later = streets(rng, 200)
    blank = np.where(rng.random(later.shape) < 0.4, np.nan, later)
    filled = fill_ins.filled(blank)
    assert filled.tolist() == [filled_by_hand(fill_ins, row) for row in blank]
    assert np.abs(filled - later)[np.isnan(blank)].mean() < 2.0


def test_substitutes_win_only_where_rows_show_it():
    rng = np.random.default_rng(2)
    alone = rng.normal(0.0, 1.0, (200, 3))
    assert FillIns.of(NAMES[:3], alone, np.ones(200)).substitutes == {}
    assert FillIns.of(NAMES, streets(rng, 9), np.ones(9)).substitutes == {}
    assert FillIns.of(["a"], streets(rng, 50)[:, :1], np.ones(50)).substitutes == {}
    assert FillIns.of([], np.empty((50, 0)), np.ones(50)) == FillIns({})


def test_weights_decide_what_is_added():
    readings = np.array([[1.0, 2.0], [5.0, 3.0]] * 10) + np.arange(20.0)[:, None] * 10.0
    heavy_first = FillIns.of(["a", "b"], readings, np.tile([3.0, 1.0], 10))
    heavy_last = FillIns.of(["a", "b"], readings, np.tile([1.0, 3.0], 10))
    assert [each.substitutes["a"][0].added for each in (heavy_first, heavy_last)] == [-1.0, 2.0]


@pytest.mark.parametrize(
    "damage",
    [{"a": [{"name": "z", "added": 1.0}]}, {"a": [{"name": "a", "added": 1.0}]}, {"z": []}, {"a": [{"name": "b"}]}],
)
def test_a_file_keeps_substitutes_in_their_order_and_refuses_what_makes_no_sense(damage):
    tree = Tree.full([0, 1, 1], [5.0, 2.0, 7.0], np.eye(4))
    fill_ins = FillIns({"a": 1.0, "b": 2.0}, {"b": (Substitute("a", 0.1 + 0.2),)})
    text = RuleBook(tree, ("a", "b"), fill_ins=fill_ins).to_json()
    assert RuleBook.from_json(text).fill_ins == fill_ins
    document = json.loads(text)
    document["details"]["fill_ins"]["substitutes"] = damage
    with pytest.raises((FileFormatError, InputError), match="fill_ins"):
        RuleBook.from_json(json.dumps(document))
