"""`hedgerow warm-up`: compile everything ahead."""

__all__ = ["EXAMPLES", "warm_up"]

from hedgerow.cli.notes import note
from hedgerow.cli.options import examples

EXAMPLES = examples("hedgerow warm-up", "NUMBA_CACHE_DIR=/opt/hedgerow-kernels hedgerow warm-up")


def warm_up() -> None:
    """Compile all kernels now, so that no later run has to wait for it.

    Meant for images and continuous integration. Without it, each kernel is compiled when it is first needed.
    """
    from rich.console import Console
    from rich.progress import track

    from hedgerow.compiled.places import writable_folder
    from hedgerow.methods.warm_up import warm_up_steps

    for step in track(warm_up_steps().values(), "compiling", console=Console(stderr=True), transient=True):
        step()
    folder = writable_folder()
    if folder is not None:
        note(f"all kernels are compiled and kept in {folder}")
