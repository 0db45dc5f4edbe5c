"""Which questions suit some rows: the choice behind `questions="auto"`, by cross-validation with greedy trees."""

import dataclasses
from contextlib import suppress

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.errors import InputError
from hedgerow.instance import Instance
from hedgerow.methods.parameters import PARAMETERS
from hedgerow.methods.registry import METHODS
from hedgerow.problems.base import LinearProblem
from hedgerow.run import Deadline, Options, Run
from hedgerow.run.wishes import restricted

AUTO = "auto"


def chosen_questions(
    instance: Instance, as_read: Instance | None, options: Options, deadline: Deadline
) -> tuple[Instance, str]:
    """Return the instance with questions that suit it, and the choice in words where there was one.

    `as_read` is the same rows with what was really read, None without readings: single readings, or context alone, are
    then asked about. Else the usual kind is taken, unless another one costs less on rows held out by more than one
    standard error. Folds, rows and seeds are fixed, so that the choice depends on the data alone, unless time is up.
    """
    if as_read is None or instance.depth == 0:
        return instance.asking("context" if instance.context and not instance.n_readings else "items"), ""
    kinds = [*PARAMETERS.question_kinds, *(["context"] if instance.context else [])]
    rows = np.unique(np.linspace(0, as_read.n_samples - 1, PARAMETERS.most_rows_to_compare).round().astype(np.int64))
    folds = np.array_split(rows, PARAMETERS.n_folds)
    reason = "it is the usual choice where plans take long to find."
    if min(map(len, folds)) < PARAMETERS.fewest_rows:
        reason = "there are too few rows to compare kinds of questions."
    elif isinstance(instance.problem, LinearProblem) and instance.problem.has_quick_oracle:
        scores: dict[str, FloatArray] = {}
        for kind in kinds:
            try:
                parts = [_held_out(instance, as_read, rows, test, kind, options, deadline) for test in folds]
            except InputError:
                continue  # not for this problem, these readings or these wishes
            if deadline.passed():
                break
            scores[kind] = np.concatenate(parts)
        kinds, reason = [*scores, *kinds], "no other kind costs clearly less on rows held out."
        best = min(scores, key=lambda kind: scores[kind].mean(), default=kinds[0])
        if best != kinds[0]:
            more = scores[kinds[0]] - scores[best]
            if more.mean() > more.std() / np.sqrt(more.size):
                kinds, reason = [best], "it costs least on rows held out."
    return _first_that_suits(instance, kinds, deadline, reason)


def _first_that_suits(instance: Instance, kinds: list[str], deadline: Deadline, reason: str) -> tuple[Instance, str]:
    """Return the instance with the first kind of questions that can be asked; single readings always can."""
    for kind in kinds:
        with suppress(InputError):
            return instance.asking(kind, deadline.remaining), f'questions="{kind}": {reason}'
    return instance.asking("items"), f'questions="items": {reason}'


def _held_out(
    instance: Instance,
    as_read: Instance,
    rows: IntArray,
    test: IntArray,
    kind: str,
    options: Options,
    deadline: Deadline,
) -> FloatArray:
    """Return what each row held out costs, as it was read, with a greedy tree that is grown on the other rows."""
    train = np.repeat(np.isin(np.arange(as_read.n_samples), np.setdiff1d(rows, test)), instance.draws)
    part = _some(instance, train).asking(kind, deadline.remaining)
    if options.wishes is not None:
        part = restricted(part, options.wishes)
    run = Run(part, deadline=deadline, rng=np.random.default_rng(0))
    METHODS["greedy"].function(part, run, options)
    if run.tree is None:
        return np.full(test.size, np.inf)
    loss = as_read.losses(run.tree.solutions)[test]
    costs: FloatArray = loss[np.arange(test.size), run.tree.choose(as_read.observations[test])]
    return costs


def _some(instance: Instance, kept: BoolArray) -> Instance:
    rows, n_samples = np.flatnonzero(kept), kept.size
    uncertainty = instance.uncertainty.of_samples(rows, n_samples)
    share = uncertainty.n_sharing(rows.size) / uncertainty.n_sharing(n_samples)
    return dataclasses.replace(
        instance,
        costs=instance.costs[kept],
        observations=instance.costs[kept] if instance.observations is instance.costs else instance.observations[kept],
        weights=instance.weights[kept],
        uncertainty=uncertainty.replace(budget=share * uncertainty.budget),
    )
