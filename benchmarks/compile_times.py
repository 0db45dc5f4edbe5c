"""What each kernel costs the compiler: `python -m benchmarks.compile_times [STEP …]`, steps as in `hedgerow warm-up`.

Times are CPU seconds of the kernel alone, without the kernels that it calls: type inference, and everything else. The
machine code of a kernel that Python calls is made together with all its parts; that time is the kernel's own.
"""

import os
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from benchmarks.measure import use_one_core

_INFERENCE = "nopython_type_inference"


class _Timer:
    """Times of nested events, each without those inside of it."""

    def __init__(self) -> None:
        self._open: list[list[float]] = []
        self.seconds: dict[tuple[str, str], float] = defaultdict(float)
        self.count: dict[str, int] = defaultdict(int)

    def start(self) -> None:
        self._open.append([time.process_time(), 0.0])

    def stop(self, kernel: str, phase: str) -> None:
        begun, inside = self._open.pop()
        spent = time.process_time() - begun
        if self._open:
            self._open[-1][1] += spent
        self.seconds[kernel, phase] += spent - inside


@contextmanager
def recorded() -> Iterator[_Timer]:
    """Record the compilations of the block."""
    from numba.core import event

    timer = _Timer()

    class Listener(event.Listener):
        names: list[str] = []  # noqa: RUF012

        def on_start(self, event: Any) -> None:
            if event.kind == "numba:compile":
                function = event.data["dispatcher"].py_func
                self.names.append(f"{function.__module__}.{function.__qualname__}")
                timer.count[self.names[-1]] += 1
            timer.start()

        def on_end(self, event: Any) -> None:
            of_inference = _INFERENCE in str(event.data.get("name", ""))
            timer.stop(self.names[-1] if self.names else "", "inference" if of_inference else "rest")
            if event.kind == "numba:compile":
                self.names.pop()

    listener = Listener()
    with event.install_listener("numba:compile", listener), event.install_listener("numba:run_pass", listener):
        yield timer


def main(names: list[str]) -> None:
    """Run the steps with an empty cache and print the most expensive kernels."""
    use_one_core()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["NUMBA_CACHE_DIR"] = folder
        from hedgerow.methods.warm_up import warm_up_steps

        steps = warm_up_steps()
        with recorded() as timer:
            for name in names or steps:
                steps[name]()
    totals = {kernel: [timer.seconds[kernel, "inference"], timer.seconds[kernel, "rest"]] for kernel in timer.count}
    print(f"{len(totals)} functions, {sum(timer.count.values())} compilations, {sum(map(sum, totals.values())):.1f} s")
    print(f"{'inference':>9} {'rest':>6} {'times':>5}")
    for kernel, (inference, rest) in sorted(totals.items(), key=lambda pair: -sum(pair[1]))[:60]:
        print(f"{inference:9.2f} {rest:6.2f} {timer.count[kernel]:5d}  {kernel}")


if __name__ == "__main__":
    main(sys.argv[1:])
