"""Signals and kills at random moments: no torn file, no traceback, no process left, and a resumed run ends the same."""

import csv
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from hedgerow.rulebook import RuleBook
from tests.processes import environment_of_tests
from tests.torture.hostile import COSTS, EDGES, PROBLEMS

EXPERIMENT = ["experiment", "2", "--scale", "smoke", "--seeds", "0", "--methods", "exact,one_solution", "--out", "run"]
FIT = [
    "fit",
    "path.toml",
    "costs.csv",
    "--local",
    "0.1",
    "--method",
    "fix_tree",
    "--time-limit",
    "20",
    "-o",
    "tree.json",
]
TUNE = ["tune", "path.toml", "costs.csv", "--folds", "3", "--depths", "1", "--fractions", "0,0.05", "--time-limit", "1"]
GRACE = 30.0


def start(words, folder):
    return subprocess.Popen(
        [sys.executable, "-m", "hedgerow", *words],
        cwd=folder,
        env=environment_of_tests(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def table(folder):
    with (folder / "run" / "results.csv").open(encoding="utf-8", newline="") as stream:
        return [{key: value for key, value in row.items() if key != "runtime"} for row in csv.DictReader(stream)]


class Kills:
    """A program is stopped after a random time."""

    name = "kills"

    def __init__(self):
        self._whole = None

    def draw(self, rng):
        number = [signal.SIGINT, signal.SIGTERM, signal.SIGKILL][rng.integers(3)]
        command = [FIT, EXPERIMENT, [*TUNE, "--jobs", "2"], TUNE][rng.choice(4, p=[0.5, 0.3, 0.1, 0.1])]
        return command, int(number), float(rng.uniform(0.0, 4.0))

    def check(self, case):
        words, number, seconds = case
        with tempfile.TemporaryDirectory(prefix="hedgerow-torture-") as name:
            folder = Path(name)
            (folder / "costs.csv").write_text(COSTS)
            (folder / "edges.csv").write_text(EDGES)
            (folder / "path.toml").write_text(PROBLEMS["path.toml"])
            process = start(words, folder)
            time.sleep(seconds)
            group = process.pid
            process.send_signal(number)
            try:
                _, stderr = process.communicate(timeout=GRACE)
            except subprocess.TimeoutExpired:
                os.killpg(group, signal.SIGKILL)
                raise AssertionError(f"still running {GRACE:.0f} s after signal {number}") from None
            self._check_end(process.returncode, number, stderr)
            self._check_files(words, folder)
            self._check_processes(group)

    def _check_end(self, status, number, stderr):
        if number == signal.SIGKILL:
            assert status in (-signal.SIGKILL, 0), f"status {status}"
            return
        # Before the program listens, Python itself ends by the signal (SIGTERM as SIGINT); once a search has begun, the
        # program ends by its own status, and the tree is kept.
        assert status in (0, 130, -number, -signal.SIGINT), f"status {status}: {stderr[-500:]}"
        assert status in (0, 130) or "fitting a tree" not in stderr, f"status {status} during a search"
        assert "Traceback" not in stderr or status == -number, stderr[-1_500:]

    def _check_files(self, words, folder):
        if words is FIT:
            if (folder / "tree.json").exists():
                RuleBook.load(folder / "tree.json")
        elif words is EXPERIMENT:
            done = start(words, folder)
            _, stderr = done.communicate(timeout=600)
            assert done.returncode == 0, f"the resumed run failed: {stderr[-500:]}"
            if self._whole is None:
                again = folder.with_name(folder.name + "-whole")
                again.mkdir()
                try:
                    start(words, again).communicate(timeout=600)
                    self._whole = table(again)
                finally:
                    shutil.rmtree(again)
            assert table(folder) == self._whole, "the resumed run ends with another table"

    def _check_processes(self, group):
        """Workers end when their parent does, within seconds."""
        for _ in range(50):
            try:
                os.killpg(group, 0)
            except ProcessLookupError:
                return
            time.sleep(0.1)
        os.killpg(group, signal.SIGKILL)
        raise AssertionError("processes are left 5 s after the program ended")

    def smaller(self, case):
        return iter(())

    def told(self, case):
        words, number, seconds = case
        return f"hedgerow {' '.join(words)} & sleep {seconds:.3f}; kill -{number} $!"
