"""The drawn tree says what the tree says."""

import pytest
from matplotlib.colors import to_hex

from hedgerow import InputError, RobustTree
from hedgerow.plot import plot_tree
from hedgerow.problems import Selection
from tests.plot.drawn import HEDGED, attacked, by_gid, texts


def test_every_question_leaf_and_answer_is_there():
    ax = plot_tree(attacked(HEDGED))
    shown = texts(ax)
    assert [text for text in shown if "≤" in text] == ["e1 ≤ 5?", "e2 ≤ 6.5?"]
    assert shown.count("yes") == shown.count("no") == 2
    assert [text for text in shown if text.startswith("leaf")] == ["leaf 0", "leaf 1", "leaf 2"]
    assert [text for text in shown if "samples" in text] == ["2 of 5 samples", "0 of 5 samples", "3 of 5 samples"]


def test_the_same_advice_has_the_same_letter_and_colour():
    badges = by_gid(plot_tree(attacked(HEDGED)), "advice")
    assert [badge.get_gid() for badge in badges] == ["advice A", "advice B", "advice B"]
    first, second, third = (to_hex(badge.get_facecolor()) for badge in badges)
    assert first != second == third


def test_units_are_shown_with_thresholds():
    model = RobustTree(Selection(2, 1, unit="EUR"), depth=1, method="nominal").fit([[1.0, 3.0], [4.0, 2.0]])
    assert any(text.endswith(" EUR?") for text in texts(plot_tree(model)))


def test_a_saved_tree_and_its_model_give_the_same_picture(tmp_path):
    model = RobustTree(Selection(2, 1), depth=1, method="nominal").fit([[1.0, 3.0], [4.0, 2.0]])
    model.save(tmp_path / "tree.json")
    assert texts(plot_tree(model)) == texts(plot_tree(tmp_path / "tree.json")) == texts(plot_tree(model.rulebook_))


def test_a_tree_comes_from_a_tree():
    with pytest.raises(InputError, match=r"needed; got \{\}"):
        plot_tree({})
