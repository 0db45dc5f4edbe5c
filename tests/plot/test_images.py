"""Figures look as they did: each is compared, coarsely, with a picture that somebody has looked at.

Fonts and lines come out a little different on every machine, so pictures are compared as mosaics of small tiles. After
a change that is meant, `python -m tests.plot.test_images` draws the pictures anew; look at them before committing.
"""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageFilter

from hedgerow.datasets import paper_shortest_path
from hedgerow.plot import (
    plot_convergence,
    plot_regions,
    plot_solution,
    plot_solutions,
    plot_tree,
)
from hedgerow.problems import Selection
from hedgerow.run import Row, Statistics
from tests.plot.drawn import HEDGED, SIMPLE, attacked, large_evaluation, pixels

BASELINE = Path(__file__).parent / "baseline"
DPI = 60
SIZE, BLUR, TILES = (384, 288), 8, (24, 18)
# Between matplotlib 3.8 and 3.11 the largest differences are 0.020 and 0.125: labels that are wider move the axes.
LARGEST_MEAN, LARGEST_TILE = 0.025, 0.16


def convergence():
    steps = [(0.05, 57.0, -np.inf), (0.1, 50.0, 30.0), (0.3, 45.0, 36.0), (0.7, 43.0, 40.0), (1.2, 43.0, 42.0)]
    return plot_convergence(Statistics(tuple(Row(time, 1, value, bound) for time, value, bound in steps)))


def path_on_grid():
    problem, train, _ = paper_shortest_path()
    return plot_solution(problem, problem.best_solution(train).solution)


FIGURES = {
    "tree-cards": lambda: plot_tree(attacked(HEDGED)),
    "tree-rows": lambda: plot_tree(large_evaluation(depth=4, n_items=20)),
    "regions": lambda: plot_regions(attacked(SIMPLE)),
    "regions-cut": lambda: plot_regions(large_evaluation(depth=4, n_items=3, n_solutions=3)),
    "solution-graph": path_on_grid,
    "solution-bars": lambda: plot_solution(Selection(6, 3), [1, 0, 1, 0, 0, 1]),
    "solutions": lambda: plot_solutions(attacked(HEDGED))[0],
    "convergence": convergence,
}


def mosaic(image):
    """The picture, blurred, as an array of tiles, each the mean of its pixels."""
    blurred = image.convert("RGB").resize(SIZE).filter(ImageFilter.GaussianBlur(BLUR))
    return np.asarray(blurred.resize(TILES, Image.Resampling.BOX), dtype=float) / 255


def drawn(ax):
    return Image.fromarray((pixels(ax, DPI) * 255).astype(np.uint8))


def baseline(name):
    with Image.open(BASELINE / f"{name}.png") as file:
        return file.convert("RGB")


def looks_like(image, other):
    if any(abs(a - b) > 0.05 * b for a, b in zip(image.size, other.size, strict=True)):
        return False
    difference = np.abs(mosaic(image) - mosaic(other))
    return bool(difference.mean() <= LARGEST_MEAN and difference.max() <= LARGEST_TILE)


@pytest.mark.parametrize("name", FIGURES)
def test_the_figure_looks_as_it_did(name):
    assert looks_like(drawn(FIGURES[name]()), baseline(name))


def test_what_looks_different_is_noticed():
    assert not looks_like(drawn(plot_regions(attacked(HEDGED))), baseline("regions"))
    assert not looks_like(drawn(plot_regions(attacked(SIMPLE, budget=0.0))), baseline("regions"))
    assert not looks_like(drawn(plot_tree(attacked(SIMPLE))), baseline("tree-cards"))


def test_every_picture_is_small_and_belongs_to_a_figure():
    files = list(BASELINE.iterdir())
    assert {file.stem for file in files} == set(FIGURES)
    assert sum(file.stat().st_size for file in files) < 400_000


if __name__ == "__main__":
    import matplotlib as mpl

    mpl.use("agg")
    for figure, draw in FIGURES.items():
        drawn(draw()).save(BASELINE / f"{figure}.png", optimize=True)
