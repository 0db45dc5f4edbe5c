"""The drawn tree says what the tree says."""

from matplotlib.colors import to_hex

from hedgerow.plot import plot_tree
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
