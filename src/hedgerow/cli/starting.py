"""What one starts with: `hedgerow demo`, `hedgerow generate` and `hedgerow warm-up`."""

__all__ = ["demo", "generate", "warm_up"]

from pathlib import Path

from hedgerow.cli.output import check_output, note, write_output
from hedgerow.data.checks import in_short
from hedgerow.errors import InputError


def demo(output: Path | None = None) -> None:
    """Do the main job on built-in examples: rules, evaluation, the adversary's best attack, a proof, a report."""
    from rich.console import Console

    from hedgerow.cli.demo import report_of_a_town, run_demo

    check_output(output)
    console = Console()
    run_demo(console)
    report_of_a_town(console, output)


def generate(
    kind: str, grid: int = 4, seed_id: int = 0, samples: int = 5, test: bool = False, output: Path | None = None
) -> None:
    """Write one of the paper's instances: a column of costs per item, a row per sample."""
    if kind != "shortest-path":
        raise InputError(f"KIND must be shortest-path; got {in_short(kind)}.")
    check_output(output, excel=True)
    import pandas as pd

    from hedgerow.datasets import paper_shortest_path

    problem, train, held_out = paper_shortest_path(seed_id=seed_id, n_samples=samples, grid=grid)
    costs = held_out if test else train
    write_output(output, pd.DataFrame(costs, columns=problem.item_names))


def warm_up() -> None:
    """Compile all kernels now, so that no later run has to wait for it."""
    from rich.console import Console
    from rich.progress import track

    from hedgerow.methods.warm_up import warm_up_steps

    for step in track(warm_up_steps().values(), "compiling", console=Console(stderr=True), transient=True):
        step()
    note("all kernels are compiled")
