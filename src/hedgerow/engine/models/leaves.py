"""A leaf inside a model: a copy of x ∈ X, and what it costs on each sample."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp

from hedgerow.data.arrays import FloatArray, IntArray, frozen
from hedgerow.engine.engine_parameters import ENGINE
from hedgerow.errors import InputError
from hedgerow.instance import Instance
from hedgerow.mip import MipModel
from hedgerow.problem import CostRows
from hedgerow.problems.base import LinearProblem
from hedgerow.run import Run
from hedgerow.tolerances import OPTIMALITY_GAP

MODEL_GAP = 0.1 * OPTIMALITY_GAP
"""The relative gap at which a solver may stop: it need not argue about what no claim of optimality depends on."""


@dataclass(frozen=True)
class Leaf:
    """The columns of one leaf."""

    solution: IntArray  # Columns of the solution's variables, x_k in the paper.
    loss: IntArray  # Per sample the column that is at least its loss at this leaf; −1 for samples that were left out.


def loss_bounds(instance: Instance, run: Run | None = None) -> tuple[FloatArray, FloatArray]:
    """Return for each sample a number below every weighted loss, which is finite, and one above, which may be ∞.

    They may take a linear programme each; with a run, `StopRunError` is raised once that must stop.
    """
    counts, blocks = instance.weights > 0.0, []
    for first in range(0, instance.n_samples, ENGINE.samples_at_once):
        if run is not None:
            run.heed()
        blocks.append(instance.problem.cost_bounds(instance.costs[first : first + ENGINE.samples_at_once]))
    sides = [np.concatenate(side) for side in zip(*blocks, strict=True)]
    bounds = [instance.sign * np.where(counts, instance.weights, 1.0) * side for side in sides]
    lower, upper = (np.where(counts, side, 0.0) for side in (np.minimum(*bounds), np.maximum(*bounds)))
    if not np.isfinite(lower).all():
        raise _no_bound(lower, "better")
    return lower, upper


def without_placeholders(instance: Instance, value: float) -> Instance:
    """Return the instance with smaller numbers in place of costs that no tree below a value can pay.

    Models scale by the largest loss, so that numbers which stand for "not possible" would push all others below the
    solver's tolerances. Costs only become smaller, so that bounds hold. A solution that takes a whole unit of what was
    made smaller still costs a sample more than it can in a tree below the value.
    """
    problem = instance.problem
    losses = instance.sign * instance.weights[:, None] * instance.costs
    if not (math.isfinite(value) and losses.max(initial=0.0) > ENGINE.placeholder * abs(value)):
        return instance
    feasible = problem.feasible_set()
    is_plain = isinstance(problem, LinearProblem) and problem.variable_names == problem.item_names
    if not is_plain or (feasible.lower < 0.0).any():
        return instance
    lower, _ = loss_bounds(instance)
    most = value - (lower.sum() - lower)
    gains = np.where(losses < 0.0, losses * feasible.upper[: losses.shape[1]], 0.0).sum(axis=1)
    caps = 2.0 * (most - gains)
    caps = np.where(caps > 0.0, caps, np.inf)
    unit = np.where(instance.weights > 0.0, instance.sign * instance.weights, 1.0)
    capped = np.minimum(losses, caps[:, None]) / unit[:, None]
    return replace(instance, costs=frozen(np.where(losses > caps[:, None], capped, instance.costs)))


def suits_master(instance: Instance) -> bool:
    """Return whether the costs are bounded on both sides, as a MIP over trees needs them to be."""
    feasible = instance.problem.feasible_set()
    if np.isfinite(feasible.lower).all() and np.isfinite(feasible.upper).all():
        return True
    return bool(np.isfinite(loss_bounds(instance)[1]).all())


def _no_bound(bounds: FloatArray, which: str) -> InputError:
    return InputError(
        f"a MIP over trees needs a finite bound on how much {which} a sample's cost can get; "
        f"sample {int(np.argmin(np.isfinite(bounds)))} has none. Give the problem's variables finite bounds."
    )


class LeafWriter:
    """Writes leaves into models, with losses scaled to a size that suits a solver's absolute tolerances.

    What it takes from the problem it takes once, so that one writer serves any number of models.

    Parameters
    ----------
    instance
        Whose problem and samples the leaves are about.
    run
        Whose limits end the preparation.

    Attributes
    ----------
    lower, upper
        Per sample the bounds on its loss, scaled; the upper one may be ∞.
    scale
        A loss is this many times what stands in the model: a power of two, so that scaling loses no digit.
    """

    def __init__(self, instance: Instance, run: Run | None = None) -> None:
        lower, upper = loss_bounds(instance, run)
        largest = float(
            np.abs([side[np.isfinite(side)].max(initial=0.0) for side in (-lower, lower, -upper, upper)]).max()
        )
        self.scale = 2.0 ** math.ceil(math.log2(largest / ENGINE.largest_loss)) if largest > 0.0 else 1.0
        self.lower, self.upper = lower / self.scale, upper / self.scale
        self._instance = instance
        self._feasible = instance.problem.feasible_set()
        self._rows: dict[int, CostRows] = {}

    @property
    def big_m(self) -> FloatArray:
        """Per sample how far its losses can lie apart, M in the paper, scaled; an error if that is no finite number."""
        if not np.isfinite(self.upper).all():
            raise _no_bound(self.upper, "worse")
        return self.upper - self.lower

    def add(self, model: MipModel, samples: Iterable[int], run: Run | None = None) -> Leaf:
        """Add a leaf that some of the samples can reach to the model, and return its columns.

        With a run, `StopRunError` is raised once that must stop: a model in part is of no use.
        """
        feasible = self._feasible
        columns = model.add_variables(
            feasible.n_columns, lower=feasible.lower, upper=feasible.upper, integer=feasible.integer
        )
        if feasible.row_lower.size:
            model.add_rows(feasible.matrix, columns, feasible.row_lower, feasible.row_upper)
        solution = columns[: len(self._instance.problem.variable_names)]
        reaching = np.fromiter(samples, dtype=np.int64)
        loss = np.full(self._instance.n_samples, -1, dtype=np.int64)
        loss[reaching] = model.add_variables(reaching.size, lower=self.lower[reaching])
        for sample in reaching:
            if run is not None:
                run.heed()
            # loss ≥ a·x + a₀ for every linear function whose largest the loss is
            rows = self._loss_rows(int(sample))
            matrix = np.column_stack([np.ones(rows.constants.size), -rows.coefficients])
            model.add_rows(sp.csr_array(matrix), np.append(loss[sample], solution), rows.constants, np.inf)
        return Leaf(solution, loss)

    def _loss_rows(self, sample: int) -> CostRows:
        """Return the sample's cost rows in the sign and size of the model's losses."""
        if sample not in self._rows:
            rows = self._instance.problem.cost_rows(self._instance.costs[sample])
            factor = self._instance.sign * self._instance.weights[sample] / self.scale
            self._rows[sample] = CostRows(factor * rows.coefficients, factor * rows.constants)
        return self._rows[sample]
