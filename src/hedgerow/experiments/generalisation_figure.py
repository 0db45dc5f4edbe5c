"""The figure of experiment 3: every method relative to the nominal tree, and how much that depends on the tree."""

__all__ = ["relative_figure"]

from typing import TYPE_CHECKING

import numpy as np

from hedgerow.experiments.relative_values import TreeValues, mean_and_range, percent_above
from hedgerow.plot._style import INK, LINE_STYLES, PAPER, Look, dress, house_style, show_legend

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_APART = 0.12
"""Distance between two methods, where sizes are 1 apart."""


def relative_figure(values: TreeValues, data: str) -> "Figure":
    """Draw worst cases relative to the nominal tree: a mark at the mean over its optima, a line over their range."""
    columns = values.columns("nominal", "robust")
    with house_style():
        from matplotlib.figure import Figure

        figure = Figure(figsize=(1.3 * len(values.sizes) + 2.6, 3.8), layout="constrained")
        ax = figure.add_subplot()
        for place, (method, kind, name) in enumerate(columns):
            column = f"{data}_{kind}"
            ranges = [
                mean_and_range(
                    percent_above(values.own(size, method, kind, column), values.random_optima(size, column))
                )
                for size in values.sizes
            ]
            middle, low, high = np.transpose(ranges)
            x = np.arange(len(ranges)) + (place - (len(columns) - 1) / 2) * _APART
            colour, _, marker = LINE_STYLES[place % len(LINE_STYLES)]
            mark: Look = {"color": colour, "marker": marker, "linestyle": "", "markeredgecolor": PAPER}
            ax.vlines(x, low, high, color=colour, linewidth=1.2)
            ax.plot(x, middle, label=name, **mark)
        ax.axhline(0.0, color=INK, linewidth=0.8)
        ax.set_xticks(range(len(values.sizes)), [f"{size}×{size}\nN = {n_samples}" for size, n_samples in values.sizes])
        dress(ax, y=f"worst case relative to the\nnominal tree (%), {data} data")
        show_legend(ax, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure
