"""Trees and data that the tests of figures share, and what they read off a figure."""

import io

from matplotlib import image as images

from hedgerow import GlobalBudget, Tree, evaluate
from hedgerow.datasets import motivating_example

WAY_A, WAY_B = [1, 1, 0, 0], [0, 0, 1, 1]
SIMPLE = Tree.full([0], [5.0], [WAY_A, WAY_B])
HEDGED = Tree.from_dict(
    {
        "item": 0,
        "threshold": 5.0,
        "left": {"item": 1, "threshold": 6.5, "left": {"solution": WAY_A}, "right": {"solution": WAY_B}},
        "right": {"solution": WAY_B},
    }
)


def attacked(tree, budget=5.0):
    """The motivating example's evaluation of a tree."""
    problem, costs = motivating_example()
    return evaluate(tree, problem, costs, GlobalBudget(budget))


def texts(ax):
    return [text.get_text() for text in ax.texts]


def by_gid(ax, start):
    """The patches and collections whose mark begins with that text."""
    return [artist for artist in (*ax.patches, *ax.collections) if str(artist.get_gid()).startswith(start)]


def pixels(ax, dpi=50):
    """The figure as an array, drawn without a warning (the tests turn these into errors)."""
    file = io.BytesIO()
    ax.figure.savefig(file, dpi=dpi, format="png")
    file.seek(0)
    return images.imread(file)
