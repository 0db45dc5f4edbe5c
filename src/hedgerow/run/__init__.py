"""One run of a method, told: clock, stop criteria, incumbent, statistics, result."""

__all__ = [
    "Deadline",
    "Interrupt",
    "Monitor",
    "Part",
    "Result",
    "Row",
    "Run",
    "Settings",
    "Standing",
    "Statistics",
    "Status",
    "StopRunError",
    "Terms",
    "Thinning",
]

from hedgerow.run.deadline import Deadline
from hedgerow.run.interrupt import Interrupt
from hedgerow.run.part import Part, Standing
from hedgerow.run.result import Result, Status
from hedgerow.run.run import Monitor, Run, StopRunError
from hedgerow.run.settings import Settings
from hedgerow.run.statistics import Row, Statistics
from hedgerow.run.terms import Terms
from hedgerow.run.thinning import Thinning
