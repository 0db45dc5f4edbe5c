"""How long a proof may take: rough figures from the benchmarks, so that `auto` can choose."""

__all__ = ["expects_to_finish"]

from hedgerow.data.arrays import FloatArray
from hedgerow.engine.pool import MAX_ENUMERATED
from hedgerow.instance import Instance
from hedgerow.methods.start import splits_of
from hedgerow.problem import ListsNearOptimal, ListsVertices, Problem
from hedgerow.run import Options

_DEEPEST = 3
_IN_INTERVALS = 2
_MOST_SAMPLES_AT_DEPTH_3 = 8
_MOST_SAMPLES_GLOBAL = 16
_SECONDS_PER_HALF = 6e-7
_SECONDS_PER_HALF_IN_INTERVALS = 7.5e-8
_SECONDS_PER_PAIR = 2e-6
_SECONDS_PER_SPLIT = {"local": 1e-6, "global": 1e-5}
_SECONDS_PER_SUM = 5e-10


def expects_to_finish(instance: Instance, options: Options, time_limit: float | None) -> bool:
    """Return whether the exact method is likely to have its proof within half the time limit."""
    seconds = _seconds(instance, options)
    return seconds is not None and (time_limit is None or seconds <= time_limit / 2)


def _seconds(instance: Instance, options: Options) -> float | None:
    """Return an estimate, or None where none is to be had."""
    from hedgerow.engine.prove import suits_nominal  # here, since it loads Numba

    n_samples, depth = instance.n_samples, instance.depth
    n_splits = len(splits_of(instance, options))
    is_global = not instance.uncertainty.is_separable
    if suits_nominal(instance, options) and depth >= 1:
        seconds = _nominal_seconds(instance, n_splits)
        if seconds is not None:
            return seconds
    if depth <= 1:
        return _SECONDS_PER_SPLIT["global" if is_global else "local"] * n_splits * n_samples
    if depth > _DEEPEST or (depth == _DEEPEST and (is_global or n_samples > _MOST_SAMPLES_AT_DEPTH_3)):
        return None
    if is_global and n_samples > _MOST_SAMPLES_GLOBAL:
        return None
    single = all(question.item is not None for question in instance.questions)
    local = _SECONDS_PER_HALF_IN_INTERVALS if single and depth == _IN_INTERVALS else _SECONDS_PER_HALF
    estimate = (_SECONDS_PER_PAIR if is_global else local) * n_splits**2 * max(1.0, n_samples / 10)
    if estimate > 1e4 or isinstance(instance.problem, ListsNearOptimal):
        return estimate
    # Where solutions can't be listed, every subset of the samples is a question to the oracle, and leaves are MIPs.
    return None if _few_solutions(instance.problem) is None else estimate


def _nominal_seconds(instance: Instance, n_splits: int) -> float | None:
    """Return an estimate where nothing is misread and the solutions can be listed."""
    solutions = _few_solutions(instance.problem)
    if solutions is None:
        return None
    one_pass = float(instance.n_features * instance.n_samples * len(solutions))
    return _SECONDS_PER_SUM * one_pass * max(1.0, float(n_splits)) ** (instance.depth - 1)


def _few_solutions(problem: Problem) -> FloatArray | None:
    """Return all solutions, or the vertices of a continuous problem, where they can be listed."""
    solutions = problem.all_solutions(MAX_ENUMERATED)
    if solutions is None and isinstance(problem, ListsVertices):
        solutions = problem.vertices(MAX_ENUMERATED)
    return solutions
