"""The drawn tree says what the tree says."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex

from hedgerow import InputError, RobustTree, Tree
from hedgerow.plot import plot_tree
from hedgerow.problems import Selection
from tests.plot.drawn import HEDGED, SIMPLE, attacked, by_gid, large_evaluation, pixels, texts


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


def test_solutions_that_differ_by_rounding_only_are_the_same_advice():
    tree = Tree.full([0], [5.0], [[1.0, 0.0], [1.0 - 1e-9, 0.0]])
    assert len({badge.get_gid() for badge in by_gid(plot_tree(tree), "advice")}) == 1


def test_yes_goes_up():
    ax = plot_tree(attacked(SIMPLE))
    place = {text.get_text(): ax.transData.transform(text.get_position())[1] for text in ax.texts}
    assert place["yes"] > place["no"]
    assert place["s → 1 → t"] > place["s → 2 → t"]


def test_units_are_shown_with_thresholds():
    model = RobustTree(Selection(2, 1, unit="EUR"), depth=1, method="nominal").fit([[1.0, 3.0], [4.0, 2.0]])
    assert any(text.endswith(" EUR?") for text in texts(plot_tree(model)))


def test_a_saved_tree_and_its_model_give_the_same_picture(tmp_path):
    model = RobustTree(Selection(2, 1), depth=1, method="nominal").fit([[1.0, 3.0], [4.0, 2.0]])
    model.save(tmp_path / "tree.json")
    assert texts(plot_tree(model)) == texts(plot_tree(tmp_path / "tree.json")) == texts(plot_tree(model.rulebook_))


def test_a_bare_tree_is_drawn_with_numbers_for_names():
    assert "item 0 ≤ 5?" in texts(plot_tree(SIMPLE))


def test_depth_0_is_a_single_row():
    ax = plot_tree(attacked(Tree.single([1, 1, 0, 0])))
    assert not by_gid(ax, "question")
    assert "leaf 0" in texts(ax)


def overlapping(ax):
    """The pairs of texts that overlap, and the texts that leave their boxes."""
    renderer = ax.figure.canvas.get_renderer()
    boxes = [(text.get_text(), text.get_window_extent(renderer).padded(-1)) for text in ax.texts if text.get_text()]
    return [(one, two) for place, (one, a) in enumerate(boxes) for two, b in boxes[:place] if a.overlaps(b)]


def test_64_leaves_and_2000_items_become_rows_that_do_not_overlap():
    ax = plot_tree(large_evaluation())
    assert len(by_gid(ax, "question")) == 63
    badges = by_gid(ax, "advice")
    assert len(badges) == 64
    assert len({badge.get_gid() for badge in badges}) == 12
    tops = sorted(badge.get_y() for badge in badges)
    assert np.diff(tops).min() >= badges[0].get_height()
    assert not overlapping(ax)


def test_small_trees_do_not_overlap():
    for tree in (HEDGED, SIMPLE):
        assert not overlapping(plot_tree(attacked(tree)))


@pytest.mark.parametrize("source", [attacked(HEDGED), large_evaluation(depth=4)], ids=["small", "large"])
def test_the_tree_is_fitted_into_given_axes(source):
    figure, ax = plt.subplots(figsize=(3.0, 2.0))
    assert plot_tree(source, ax=ax) is ax
    renderer = figure.canvas.get_renderer()
    frame = ax.get_window_extent(renderer).padded(1.0)
    assert all(
        frame.contains(*corner)
        for each in (*ax.texts, *ax.patches)
        for corner in each.get_window_extent(renderer).get_points()
    )


def test_a_tree_comes_from_a_tree():
    with pytest.raises(InputError, match=r"needed; got \{\}"):
        plot_tree({})


def test_axes_are_matplotlibs():
    with pytest.raises(InputError, match="ax must be matplotlib Axes"):
        plot_tree(SIMPLE, ax="here")


def test_pixels_show_the_drawing():
    assert pixels(plot_tree(SIMPLE))[:, :, :3].min() < 0.5
