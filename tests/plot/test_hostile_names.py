"""Whatever names hold, figures show it as text: no formula, no second line."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from hedgerow import Tree, evaluate
from hedgerow.plot import plot_tree
from hedgerow.plot._style import house_style, one_line
from hedgerow.problems import Selection
from tests.plot.drawn import pixels, texts

pytestmark = pytest.mark.filterwarnings("ignore:Glyph")  # letters that the font lacks

HOSTILE = [
    "$x^2$",
    r"\$\frac{1}{$",
    "$unclosed",
    "two\nlines\tand\rmore",
    "smile 😀🦔👩‍👩‍👧",
    "\x00\x1b[31m",
    "a" * 200,
    "_hidden",
    "right\u202eleft",
    "名前",
    "<script>alert(1)</script>",
    "{curly} %s %(x)s",
    " padded ",
    "e\u0301",
]


PROBLEM = Selection(len(HOSTILE), 1, item_names=HOSTILE, unit="$x^2$")
ROWS = Tree.full(np.arange(15) % len(HOSTILE), np.full(15, 5.0), np.eye(len(HOSTILE))[np.arange(16) % len(HOSTILE)])
COSTS = np.random.default_rng(0).uniform(0.0, 10.0, (4, len(HOSTILE)))


def test_a_large_tree_bears_every_name():
    ax = plot_tree(evaluate(ROWS, PROBLEM, COSTS))
    assert sum("≤" in text for text in texts(ax)) == 15
    pixels(ax)


def test_a_dollar_is_a_dollar():
    _, ax = plt.subplots()
    for name in ("$x^2$", r"\$5$", "$", r"a\$b"):
        with house_style():
            text = ax.text(0, 0, one_line(name))
        assert text._preprocess_math(text.get_text()) == (name, False)
