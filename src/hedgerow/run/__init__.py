"""Runs of methods: options, clock, stop criteria, incumbent, statistics, result."""

__all__ = [
    "Deadline",
    "Interrupt",
    "Monitor",
    "Options",
    "Result",
    "Row",
    "Run",
    "RunState",
    "Statistics",
    "Status",
    "StopRunError",
    "interruptible",
]

from hedgerow.run.options import Options
from hedgerow.run.result import Result, Row, Statistics, Status
from hedgerow.run.run import Monitor, Run, RunState, StopRunError
from hedgerow.run.stopping import Deadline, Interrupt, interruptible
