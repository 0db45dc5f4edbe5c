"""Signals and kills at random moments: no torn file, no traceback, no process left, and a resumed run ends the same."""

import csv
import importlib
import os
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from contextlib import suppress
from pathlib import Path

from hedgerow.__main__ import main
from hedgerow.rulebook import RuleBook
from tests.processes import environment_of_tests
from tests.torture.hostile import COSTS, EDGES, PROBLEMS

EXPERIMENT = ["experiment", "2", "--scale", "smoke", "--seeds", "0", "--methods", "exact,one_solution", "--out", "run"]
FIT = ["fit", "path.toml", "costs.csv", "--local", "0.1", "--method", "fix_tree", "--time-limit", "2"]
TUNE = ["tune", "path.toml", "costs.csv", "--folds", "3", "--depths", "1", "--fractions", "0,0.05", "--time-limit", "1"]
COMMANDS = {"fit": FIT, "experiment": EXPERIMENT, "tune": TUNE, "tune with workers": [*TUNE, "--jobs", "2"]}
GRACE = 30.0
SECONDS_TO_END = 3.0


def listen():
    """Give Ctrl-C its effect back, which programs started in the background lack."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def start(words, folder):
    """Start the program."""
    with (folder / "stderr").open("w") as stderr:
        return subprocess.Popen(
            [sys.executable, "-m", "hedgerow", *words],
            cwd=folder,
            env=environment_of_tests(),
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            start_new_session=True,
            preexec_fn=listen,  # noqa: PLW1509 (there is one thread)
        )


class Forked:
    """The program in a copy of this process, in which everything is imported: much cheaper to start."""

    def __init__(self, words, folder):
        sys.stdout.flush()
        sys.stderr.flush()
        self.returncode = None
        self.pid = os.fork()
        if self.pid == 0:
            os._exit(self._run(words, folder))

    def _run(self, words, folder):
        os.setsid()
        os.chdir(folder)
        os.dup2(os.open("stderr", os.O_WRONLY | os.O_CREAT), 2)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        listen()
        sys.argv = ["hedgerow", *words]
        try:
            main()
        except SystemExit as end:
            return end.code or 0
        except KeyboardInterrupt:
            return 128 + signal.SIGINT
        except BaseException:
            traceback.print_exc()
            return 1
        finally:
            sys.stderr.flush()
        return 0

    def send_signal(self, number):
        if self.poll() is None:
            os.kill(self.pid, number)

    def poll(self):
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self, timeout):
        end = time.monotonic() + timeout
        while self.poll() is None:
            if time.monotonic() > end:
                raise subprocess.TimeoutExpired("hedgerow", timeout)
            time.sleep(0.01)


def cpu_seconds(group):
    """Return how much CPU time the processes of a group have taken, or None if there are none that run."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            fields = path.read_text().rpartition(")")[2].split()
            if int(fields[2]) == group and fields[0] != "Z":
                found.append((int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"))
    return sum(found) if found else None


def table(folder):
    with (folder / "run" / "results.csv").open(encoding="utf-8", newline="") as stream:
        return [{key: value for key, value in row.items() if key != "runtime"} for row in csv.DictReader(stream)]


class Kills:
    """A program is stopped at a random moment of its life, most of the time in a process that was forked."""

    name = "kills"

    def __init__(self):
        self._lives = {}
        self._whole = None
        for module in ("hedgerow.methods", "hedgerow.experiments", "hedgerow.study", "scipy.optimize", "pandas"):
            importlib.import_module(module)

    def draw(self, rng):
        number = [signal.SIGINT, signal.SIGTERM, signal.SIGKILL][rng.integers(3)]
        command = str(rng.choice(list(COMMANDS), p=[0.65, 0.15, 0.1, 0.1]))
        # Workers import the main module, which has to be the program.
        forked = rng.random() < 0.8 and command != "tune with workers"
        # Much is imported in the beginning, and signals during imports are easily lost.
        latest = 0.2 if not forked and rng.random() < 0.5 else 1.1
        return command, int(number), float(rng.uniform(0.0, latest)), bool(forked)

    def check(self, case):
        command, number, moment, forked = case
        with tempfile.TemporaryDirectory(prefix="hedgerow-torture-") as name:
            folder = self._furnished(Path(name))
            process = (Forked if forked else start)(COMMANDS[command], folder)
            time.sleep(moment * self._life(command, forked))
            group = process.pid
            process.send_signal(number)
            try:
                process.wait(timeout=GRACE)
            except subprocess.TimeoutExpired:
                os.killpg(group, signal.SIGKILL)
                raise AssertionError(f"still running {GRACE:.0f} s after signal {number}") from None
            self._check_end(process.returncode, number, (folder / "stderr").read_text())
            self._check_files(command, folder)
            self._check_processes(group)

    def _furnished(self, folder):
        (folder / "costs.csv").write_text(COSTS)
        (folder / "edges.csv").write_text(EDGES)
        (folder / "path.toml").write_text(PROBLEMS["path.toml"])
        (folder / "stderr").touch()
        return folder

    def _life(self, command, forked):
        """Return how long the program takes if it is left alone: on this machine, now."""
        if (command, forked) not in self._lives:
            began = time.monotonic()
            with tempfile.TemporaryDirectory(prefix="hedgerow-torture-") as name:
                folder = self._furnished(Path(name))
                process = (Forked if forked else start)(COMMANDS[command], folder)
                process.wait(timeout=600)
                assert process.returncode == 0, (folder / "stderr").read_text()[-500:]
                if command == "experiment":
                    self._whole = table(folder)
            self._lives[command, forked] = time.monotonic() - began
        return self._lives[command, forked]

    def _check_end(self, status, number, stderr):
        if number == signal.SIGKILL:
            assert status in (-signal.SIGKILL, 0), f"status {status}"
            return
        # Before the program listens, Python itself ends by the signal (SIGTERM as SIGINT); once a search has begun, the
        # program ends by its own status, and the tree is kept.
        if status == 1 and "site" in stderr and "/hedgerow/" not in stderr:
            return  # Python was starting, and had not come to the program
        assert status in (0, 130, -number, -signal.SIGINT), f"status {status}: {stderr[-500:]}"
        assert status in (0, 130) or "fitting a tree" not in stderr, f"status {status} during a search"
        assert status in (0, 130) or "hedgerow: " not in stderr, f"status {status} after a sentence: {stderr[-300:]}"
        assert "Traceback" not in stderr or status == -number, stderr[-1_500:]

    def _check_files(self, command, folder):
        if command == "fit" and (folder / "tree.json").exists():
            RuleBook.load(folder / "tree.json")
        elif command == "experiment":
            again = Forked(COMMANDS[command], folder)
            again.wait(timeout=600)
            assert again.returncode == 0, f"the resumed run failed: {(folder / 'stderr').read_text()[-500:]}"
            assert table(folder) == self._whole, "the resumed run ends with another table"

    def _check_processes(self, group):
        """Workers end when their parent does: within seconds of their own time, however busy the machine is."""
        before, end = cpu_seconds(group) or 0.0, time.monotonic() + 2 * GRACE
        while (spent := cpu_seconds(group)) is not None:
            if spent - before > SECONDS_TO_END or time.monotonic() > end:
                os.killpg(group, signal.SIGKILL)
                raise AssertionError(f"processes are left after {spent - before:.1f} s of CPU time")
            time.sleep(0.1)

    def smaller(self, case):
        return iter(())

    def told(self, case):
        command, number, moment, forked = case
        seconds = moment * self._life(command, forked)
        return f"hedgerow {' '.join(COMMANDS[command])} & sleep {seconds:.3f}; kill -{number} $!"
