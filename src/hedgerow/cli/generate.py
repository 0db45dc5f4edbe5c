"""`hedgerow generate`, costs to start with, and `hedgerow warm-up`, which compiles all kernels."""

__all__ = ["generate", "warm_up"]

from typing import Annotated

from hedgerow.cli import shared
from hedgerow.cli.output import check_output, tell, write_output
from hedgerow.data.checks import in_short
from hedgerow.errors import InputError


def generate(
    kind: Annotated[str, shared.argument("KIND", "shortest-path: costs on a grid.")],
    grid: Annotated[int, shared.option("NUMBER", "Nodes on each side of the grid, 2 to 9.")] = 4,
    seed_id: Annotated[int, shared.option("NUMBER", "Which of the paper's instances, 0 to 19.")] = 0,
    samples: Annotated[int, shared.option("NUMBER", "Number of training samples, 1 to 250.")] = 5,
    test: Annotated[bool, shared.option(None, "The 1000 test samples instead of these.", "--test")] = False,
    output: shared.Scores = None,
) -> None:
    """Write one of the paper's instances: a column of costs per item, a row per sample."""
    if kind != "shortest-path":
        raise InputError(f"KIND must be shortest-path; got {in_short(kind)}.")
    check_output(output)
    import pandas as pd

    from hedgerow.datasets import paper_shortest_path

    problem, train, held_out = paper_shortest_path(seed_id=seed_id, n_samples=samples, grid=grid)
    costs = held_out if test else train
    write_output(output, pd.DataFrame(costs, columns=problem.item_names))


def warm_up() -> None:
    """Compile all kernels now, so that no later run has to wait for it.

    Meant for images and continuous integration. Without it, each kernel is compiled when it is first needed.
    """
    from rich.console import Console
    from rich.progress import track

    from hedgerow.methods.warm_up import warm_up_steps

    for step in track(warm_up_steps().values(), "compiling", console=Console(stderr=True), transient=True):
        step()
    tell("all kernels are compiled")
