"""Draw the figures of the paper: `make paper`. The second reads what the benchmarks wrote."""

from pathlib import Path

import matplotlib as mpl

mpl.use("agg")

import matplotlib.pyplot as plt
import pandas as pd

from hedgerow import LocalBudget, RobustTree
from hedgerow.datasets import city_routes
from hedgerow.plot import plot_tree

HERE = Path(__file__).parent
RUNS = HERE.parent / "benchmarks" / "results" / "exact_local_sizes_runs.csv"


def tree() -> None:
    """Rules for an ambulance, as in the README."""
    problem, train, _ = city_routes()
    model = RobustTree(
        problem, depth=2, uncertainty=LocalBudget(2.0), thresholds="midpoints", iteration_limit=50,
        method="local_search", random_state=0,
    ).fit(train)  # fmt: skip
    plot_tree(model).figure.savefig(HERE / "tree.png", dpi=150, bbox_inches="tight")


def proofs() -> None:
    """Seconds until a proof against the number of samples."""
    runs = pd.read_csv(RUNS, comment="#")
    runs = runs[(runs["status"] == "optimal") & (runs["depth"] == 2)]
    figure, axes = plt.subplots(figsize=(5.0, 3.0))
    for (grid, thresholds), part in runs.groupby(["grid", "thresholds"], sort=False):
        middle = part.groupby("N")["time [s]"].median()
        axes.loglog(middle.index, middle, "o-", label=f"{grid}, {thresholds}")
    sizes = sorted(runs["N"].unique())
    axes.set_xticks(sizes, list(map(str, sizes)))
    axes.set_xticks([], minor=True)
    axes.set_xlabel("samples")
    axes.set_ylabel("CPU seconds until proven, median")
    axes.legend(frameon=False)
    figure.savefig(HERE / "proofs.png", dpi=150, bbox_inches="tight")


if __name__ == "__main__":
    tree()
    proofs()
