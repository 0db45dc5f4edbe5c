"""What a tree has to stand beside: simple ways to decide, each a few lines on a well-kept library.

A baseline is fitted to a problem, true costs and what was read of them, and returns advice: a function from readings
to solutions.
"""

from collections.abc import Callable
from typing import TypeAlias

from hedgerow.arrays import FloatArray

Advice: TypeAlias = Callable[[FloatArray], FloatArray]
