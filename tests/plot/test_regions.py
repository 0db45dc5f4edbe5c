"""Regions agree with the tree, arrows with the attack."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from matplotlib.text import Annotation

from hedgerow import InputError, Tree, evaluate
from hedgerow.datasets import paper_shortest_path
from hedgerow.plot import plot_regions
from tests.plot.drawn import HEDGED, SIMPLE, attacked, by_gid


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


def test_equal_advice_is_filled_alike_and_listed_once():
    ax = plot_regions(attacked(HEDGED))
    looks = {patch.get_gid(): to_hex(patch.get_facecolor()) for patch in by_gid(ax, "leaf")}
    assert looks["leaf 1"] == looks["leaf 2"] != looks["leaf 0"]
    listed = [text.get_text() for text in ax.get_legend().get_texts()]
    assert listed == ["A: s → 1 → t", "B: s → 2 → t", "sample", "worst misreading"]


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
