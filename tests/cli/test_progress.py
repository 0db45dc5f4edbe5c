"""The progress of a fit: what the line says, when a log gets one, and that a terminal stays tidy."""

import math
import os
import re
import select
import sys

import pytest

from hedgerow.cli.progress import Progress
from hedgerow.run import Row
from tests.cli.test_processes import WITH_TOYS
from tests.processes import environment_of_tests


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def line(progress):
    return str(progress.__rich__())


def test_the_line_shows_what_is_known():
    clock = Clock()
    progress = Progress(60.0, unit="min", clock=clock)
    clock.now += 2
    assert line(progress) == "getting ready | 2 s"
    progress(Row(0.1, 3, math.inf, -math.inf, "looking"))
    assert line(progress) == "no tree yet | 0 s | at most 60 s left | 3 steps | looking"
    progress(Row(10.0, 4, 43.0, 36.0))
    clock.now += 5
    assert line(progress) == "value 43 min | bound 36 | gap 16.28% | 15 s | at most 45 s left | 4 steps"


def test_time_left_is_what_the_limits_leave():
    both = Progress(60.0, 40, clock=Clock())
    both(Row(10.0, 20, 43.0, -math.inf))
    assert "at most 10 s left" in line(both)
    none = Progress(clock=Clock())
    none(Row(10.0, 20, 43.0, -math.inf))
    assert line(none) == "value 43 | 10 s | 20 steps"
    late = Progress(5.0, clock=Clock())
    late(Row(10.0, 1, 43.0, -math.inf))
    assert "at most 0 s left | 1 step" in line(late)


def test_where_no_line_can_live_there_is_one_now_and_then(capsys):
    clock = Clock()
    progress = Progress(600.0, clock=clock)
    with progress.shown():
        for second in range(95):
            clock.now = 100.0 + second
            progress(Row(float(second), second, 43.0, 36.0))
    told = capsys.readouterr().err.splitlines()
    assert [text.split(" | ")[3] for text in told] == ["30 s", "60 s", "90 s"]
    assert not any("\x1b" in text or "\r" in text for text in told)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo terminals")
def test_on_a_terminal_the_line_lives_and_leaves_no_trace(folder):
    import pty

    environment = {**environment_of_tests(), "TERM": "xterm", "COLUMNS": "100"}
    options = ["--method", "draw", "--time-limit", "1.5"]
    process, terminal = pty.fork()
    if process == 0:  # pragma: no cover
        words = [sys.executable, "-c", WITH_TOYS, "fit", "grid:2", "costs.csv", *options]
        os.execve(sys.executable, words, environment)
    told = b"".join(chunks(terminal)).decode("utf-8")
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0, told
    os.close(terminal)
    assert "s left | " in told
    assert "fitting a tree of depth 2 to 6 samples" in told
    # What was written on a line before it was erased is gone, be it this line or, one up, the one before.
    lasting = re.sub(r"[^\n]*\n[^\n]*\x1b\[1A\x1b\[2K|[^\n]*\r\x1b\[2K", "", told)
    assert " left" not in lasting
    assert "worst case" in lasting


def chunks(terminal):
    while select.select([terminal], [], [], 60)[0]:
        try:
            chunk = os.read(terminal, 1 << 16)
        except OSError:  # how Linux says that the other side is closed
            return
        if not chunk:
            return
        yield chunk
