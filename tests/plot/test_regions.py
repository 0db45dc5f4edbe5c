"""Regions agree with the tree, arrows with the attack."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from matplotlib.text import Annotation

from hedgerow import InputError, RobustTree, Tree, evaluate
from hedgerow.datasets import motivating_example, paper_shortest_path
from hedgerow.plot import plot_regions
from hedgerow.problems import Selection
from tests.plot.drawn import HEDGED, SIMPLE, WAY_A, WAY_B, attacked, by_gid, large_evaluation, pixels


def arrows(ax):
    return [text for text in ax.texts if isinstance(text, Annotation) and text.arrow_patch is not None]


def leaf_drawn_at(ax, x, y):
    """The leaf whose rectangle holds the point; the upper right side is part of it."""
    (leaf,) = [
        int(patch.get_gid().split()[1])
        for patch in by_gid(ax, "leaf")
        if patch.get_x() < x <= patch.get_x() + patch.get_width()
        and patch.get_y() < y <= patch.get_y() + patch.get_height()
    ]
    return leaf


@pytest.mark.parametrize("tree", [SIMPLE, HEDGED])
def test_an_arrow_leads_from_each_moved_sample_to_its_perturbed_observation(tree):
    attack = attacked(tree).attack
    found = arrows(plot_regions(attack))
    assert len(found) == attack.moved.size > 0
    for arrow, sample in zip(found, attack.moved, strict=True):
        assert tuple(arrow.xy) == tuple(attack.observations[sample, :2])
        assert tuple(arrow.get_position()) == tuple(attack.instance.observations[sample, :2])


def test_every_point_of_the_plane_lies_in_the_region_of_its_leaf():
    problem, train, _ = paper_shortest_path(0, n_samples=20)
    solutions = problem.all_solutions(100)
    tree = Tree.full(
        [0, 3, 7, 3, 0, 9, 3], [20.0, 18.0, 19.0, 21.0, 15.0, 20.0, 14.0], solutions[[0, 1, 2, 0, 3, 1, 4, 5]]
    )
    ax = plot_regions(evaluate(tree, problem, train))
    rng = np.random.default_rng(0)
    points = np.tile(np.median(train, axis=0), (200, 1))
    points[:, 0], points[:, 3] = rng.uniform(*ax.get_xlim(), 200), rng.uniform(*ax.get_ylim(), 200)
    assert [leaf_drawn_at(ax, point[0], point[3]) for point in points] == tree.apply(points).tolist()


def test_leaves_that_no_reading_reaches_are_not_drawn():
    tree = Tree.full([0, 0, 1], [5.0, 8.0, 6.5], [WAY_A, WAY_B, WAY_A, WAY_B])
    drawn = by_gid(plot_regions(attacked(tree)), "leaf")
    assert [patch.get_gid() for patch in drawn] == ["leaf 0", "leaf 2", "leaf 3"]
    assert all(patch.get_width() > 0.0 and patch.get_height() > 0.0 for patch in drawn)


def test_the_title_says_what_the_other_items_are_held_at():
    problem, costs = motivating_example()
    tree = Tree.full([0, 1, 3], [5.0, 6.5, 8.0], [WAY_A, WAY_B, WAY_A, WAY_B])
    ax = plot_regions(evaluate(tree, problem, costs))
    assert ax.get_title(loc="left") == "Other items at their medians: e4 = 9"
    assert plot_regions(attacked(HEDGED)).get_title(loc="left") == ""


def test_samples_that_the_tree_sends_elsewhere_are_hollow():
    problem, costs = motivating_example()
    tree = Tree.full([0, 1, 3], [5.0, 6.5, 8.0], [WAY_A, WAY_B, WAY_A, WAY_B])
    ax = plot_regions(evaluate(tree, problem, costs))
    solid, hollow = (dots.get_offsets().tolist() for dots in ax.collections)
    assert hollow == [[9.0, 10.0], [10.0, 8.0]]  # their e4 is below 8, while its median is 9
    assert len(solid) == 3


def test_a_move_in_items_that_are_not_shown_has_no_arrow():
    ax = plot_regions(attacked(SIMPLE), items=["e4", 2])
    assert not arrows(ax)
    assert ax.get_xlabel() == "e4"


def test_equal_advice_is_filled_alike_and_listed_once():
    ax = plot_regions(attacked(HEDGED))
    looks = {patch.get_gid(): to_hex(patch.get_facecolor()) for patch in by_gid(ax, "leaf")}
    assert looks["leaf 1"] == looks["leaf 2"] != looks["leaf 0"]
    listed = [text.get_text() for text in ax.get_legend().get_texts()]
    assert listed == ["A: s → 1 → t", "B: s → 2 → t", "sample", "worst misreading"]


def test_without_samples_the_training_ranges_are_the_frame():
    model = RobustTree(Selection(3, 1, unit="EUR"), depth=1, method="nominal").fit([[1.0, 3.0, 2.0], [4.0, 2.0, 9.0]])
    ax = plot_regions(model, items=["x1", "x3"])
    assert ax.get_xlabel() == "x1 (EUR)"
    assert not ax.collections
    assert ax.get_xlim()[0] < 1.0 < 4.0 < ax.get_xlim()[1]
    assert ax.get_ylim()[0] < 2.0 < 9.0 < ax.get_ylim()[1]


def test_a_frame_is_matched_to_the_tree_by_name():
    problem, costs = motivating_example()
    model = RobustTree(problem, depth=1, method="nominal").fit(costs)
    shuffled = pd.DataFrame(costs, columns=problem.item_names)[["e4", "e2", "e1", "e3"]]
    for table in (costs, shuffled):
        dots = plot_regions(model, table, items=["e1", "e2"]).collections
        assert sorted(np.vstack([group.get_offsets() for group in dots]).tolist()) == sorted(costs[:, :2].tolist())


def test_one_sample_constant_items_and_depth_0_are_drawn():
    problem = Selection(3, 1)
    ax = plot_regions(evaluate(Tree.single([1, 0, 0]), problem, [[4.0, 4.0, 4.0]]))
    assert len(by_gid(ax, "leaf")) == 1
    assert ax.get_xlim()[0] < 4.0 < ax.get_xlim()[1]
    pixels(ax)


def test_64_leaves_over_2000_items_are_cut_and_listed_in_short():
    ax = plot_regions(large_evaluation())
    assert "and " in ax.get_title(loc="left")
    assert ax.get_title(loc="left").endswith(" more")
    pixels(ax)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"items": ["e1"]}, "two different items"),
        ({"items": ["e1", "e1"]}, "two different"),
        ({"items": ["e1", "e9"]}, "there are 'e1'"),
        ({"items": [0, 4]}, "from 0 to 3"),
        ({"items": [0, 1.5]}, "from 0 to 3"),
        ({"readings": [[1.0, 2.0]]}, "4 features; got 2"),
        ({"readings": pd.DataFrame({"e1": [1.0]})}, "no column for 'e2'"),
    ],
)
def test_what_does_not_fit_is_told_in_a_sentence(options, sentence):
    with pytest.raises(InputError, match=sentence):
        plot_regions(attacked(HEDGED), **options)


def test_a_bare_tree_that_asks_much_needs_samples():
    tree = Tree.full([0, 1, 2], [1.0, 1.0, 1.0], np.eye(4))
    with pytest.raises(InputError, match="pass readings"):
        plot_regions(tree)
    with pytest.raises(InputError, match="needs two readings"):
        plot_regions(Tree.single([1.0]))
    assert plot_regions(tree, np.ones((2, 3))).get_title(loc="left") == "Other items at their medians: item 2 = 1"


def test_without_names_the_samples_say_which_items_there_are():
    ax = plot_regions(SIMPLE, np.ones((2, 6)), items=[0, 5])
    assert ax.get_ylabel() == "item 5"
    with pytest.raises(InputError, match="from 0 to 5"):
        plot_regions(SIMPLE, np.ones((2, 6)), items=[0, 6])
    with pytest.raises(InputError, match="readings must have at least 4 columns; got 2"):
        plot_regions(Tree.full([3], [5.0], [WAY_A, WAY_B]), np.ones((2, 2)))


@pytest.mark.parametrize("n_samples", [30, 31])
def test_up_to_thirty_samples_are_numbered(n_samples):
    costs = np.random.default_rng(0).uniform(1.0, 9.0, (n_samples, 2))
    tree = Tree.full([0], [5.0], [[1.0, 0.0], [0.0, 1.0]])
    ax = plot_regions(evaluate(tree, Selection(2, 1), costs))
    numbers = {text.get_text() for text in ax.texts if text.get_text().isdigit()}
    assert numbers == ({str(number + 1) for number in range(30)} if n_samples == 30 else set())
