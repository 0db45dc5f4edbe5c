"""The result of a run, and its trajectory as rows, which plots and progress displays read."""

import dataclasses
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from hedgerow.data.display import Shown
from hedgerow.run.options import Options
from hedgerow.run.wishes import WishCost
from hedgerow.tree.splits import ThresholdSet
from hedgerow.tree.tree import Tree
from hedgerow.wording.verdicts import ending, proof_in_words

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Row:
    """The state of a run at one moment, in the problem's own sign.

    Attributes
    ----------
    runtime
        Seconds since the start.
    iteration
        What the method counts: scenarios, structures tried, restarts.
    value
        Worst-case cost of the best tree so far.
    bound
        Proven bound on the optimum so far.
    detail
        What happened, in a few words.
    """

    runtime: float
    iteration: int
    value: float
    bound: float
    detail: str = ""


class Statistics(tuple[Row, ...]):
    """The rows of a run in order of time.

    Examples
    --------
    >>> from hedgerow.run import Row, Statistics
    >>> Statistics([Row(0.5, 1, 43.0, 36.0, "first tree")]).to_frame()
       runtime  iteration  value  bound      detail
    0      0.5          1   43.0   36.0  first tree
    """

    __slots__ = ()

    def to_frame(self) -> "pd.DataFrame":
        """Return a table whose columns are the fields of a row."""
        import pandas as pd

        return pd.DataFrame(list(self), columns=[field.name for field in dataclasses.fields(Row)])


Status: TypeAlias = Literal[
    "optimal",
    "gap_limit",
    "time_limit",
    "iteration_limit",
    "memory_limit",
    "stalled",
    "interrupted",
    "feasible",
]


@dataclass(frozen=True)
class Refined:
    """A tree after its thresholds were moved inside their intervals; no bound applies to it.

    Attributes
    ----------
    tree
        The tree with refined thresholds.
    objective
        Its worst-case cost, in the problem's own sign.
    complete
        Whether refinement was finished; if not, time was up or the run was stopped.
    """

    tree: Tree
    objective: float
    complete: bool = True


_NOT_IN_FILES = {"kept": False}


@dataclass(frozen=True, eq=False)
class Result(Shown):
    """The best tree of a run and what is known about it; all values in the problem's own sign.

    Attributes
    ----------
    tree
        The best tree.
    objective
        Its worst-case cost summed over the samples, recomputed by the adversary.
    nominal
        Its cost summed over the samples when nothing is misread.
    lower_bound
        No tree over `thresholds` that `options` allow has a better worst case than this; −∞ where the method has no
        bound. For a problem that maximises it bounds the gain from above, and is +∞ where there is none.
    status
        Why the run ended.
    runtime
        Seconds, without the one-time compilation of kernels.
    method
        The method that ran; for "auto" the one it picked.
    thresholds
        The set of thresholds that the bound is about.
    cells
        Per inner node, in node order, the ends of the open interval in which its threshold may lie without changing the
        objective, all others fixed; None for a node that no sample and no attack reaches. Under a global budget a part
        of that interval.
    threshold_margin
        `objective` and `lower_bound` hold wherever each threshold is moved by at most this much.
    iterations
        What the method counts: scenarios, structures tried, restarts.
    statistics
        The trajectory.
    refined
        Tree and value after refinement, or None.
    message
        Further information: why "auto" picked the method, what failed, or what was left out.
    options
        The options of the run, such as limits on leaves; None where they are unknown.
    questions
        The kinds of questions as they were asked for, such as "plans:8"; empty for questions of one's own.
    wish_cost
        What the wishes cost, all together; None without wishes.
    depth
        Most questions on a path that trees were allowed; the tree's own if not known.

    Examples
    --------
    >>> from hedgerow import Instance, solve
    >>> from hedgerow.problems import Selection
    >>> result = solve(Instance.create(Selection(2, 1), [[1.0, 3.0], [4.0, 2.0]]), method="one_solution")
    >>> result.objective, result.tree.depth, result.method
    (5.0, 0, 'one_solution')
    """

    tree: Tree = dataclasses.field(metadata=_NOT_IN_FILES)
    objective: float
    nominal: float
    lower_bound: float
    status: Status
    runtime: float
    method: str
    thresholds: ThresholdSet
    iterations: int
    statistics: Statistics = dataclasses.field(metadata=_NOT_IN_FILES)
    refined: Refined | None = None
    message: str = ""
    options: Options | None = None
    threshold_margin: float = 0.0
    cells: tuple[tuple[float, float] | None, ...] = ()
    questions: str = "items"
    wish_cost: WishCost | None = None
    depth: int = -1

    def __post_init__(self) -> None:
        if self.depth < 0:
            object.__setattr__(self, "depth", self.tree.depth)

    @property
    def gap(self) -> float:
        """How far the objective may be from the optimum, relative to its size."""
        return relative_gap(self.objective, self.lower_bound)

    @property
    def ending(self) -> str:
        """Why the search ended, and after how long."""
        return ending(self.status, self.runtime)

    @property
    def summary(self) -> str:
        """Why the search ended and what is proven about the tree, in one sentence."""
        return proof_in_words(
            f"{self.ending} ({self.method})",
            is_optimal=self.status == "optimal",
            gap=self.gap,
            depth=self.depth,
            limits=() if self.options is None else self.options.limits_on_leaves(self.depth),
            thresholds=self.thresholds,
        )

    def __repr__(self) -> str:
        return (
            f"Result(objective={self.objective:.6g}, lower_bound={self.lower_bound:.6g}, gap={self.gap:.3g}, "
            f"status={self.status!r}, method={self.method!r}, runtime={self.runtime:.2f})"
        )


def relative_gap(objective: float, bound: float) -> float:
    """Return |objective − bound| / max(|objective|, 1e-9); infinite where there is no bound."""
    if not (math.isfinite(objective) and math.isfinite(bound)):
        return math.inf
    return abs(objective - bound) / max(abs(objective), 1e-9)
