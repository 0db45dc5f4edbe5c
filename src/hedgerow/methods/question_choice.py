"""Which questions suit an instance: the choice behind `questions="auto"`, by cross-validation with greedy trees."""

__all__ = ["AUTO", "chosen_questions"]

import dataclasses
from typing import Final

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.errors import InputError
from hedgerow.instance import Instance
from hedgerow.methods.parameters import PARAMETERS
from hedgerow.methods.registry import METHODS
from hedgerow.run import Deadline, Options, Run

AUTO: Final = "auto"


def chosen_questions(
    instance: Instance, options: Options, deadline: Deadline, rng: np.random.Generator
) -> tuple[Instance, str]:
    """Return the instance with the kind of questions that costs least on held-out rows, and the choice in words.

    Rows are held out in blocks of neighbours, and read as the instance's observations say. At most a quarter of the
    time is spent.
    """
    until = deadline.share(PARAMETERS.parts_of_time)
    spent = deadline.elapsed()
    folds = [
        rows
        for rows in np.array_split(np.arange(instance.n_samples), PARAMETERS.n_folds)
        if rows.size >= PARAMETERS.fewest_rows
    ]
    scores: dict[str, FloatArray] = {}
    for kind in PARAMETERS.question_kinds:
        if len(folds) < PARAMETERS.n_folds or (scores and deadline.elapsed() - spent > until):
            break
        left = Deadline(max(0.0, until - (deadline.elapsed() - spent)) if np.isfinite(until) else None)
        try:
            scores[kind] = np.concatenate([_held_out(instance, rows, kind, options, left, rng) for rows in folds])
        except InputError:
            continue  # not for this problem, or not for these observations
    if not scores:
        return instance.asking("items"), 'questions="items": there are too few rows to compare kinds of questions.'
    best = min(scores, key=lambda kind: scores[kind].mean())
    # Within one standard error of the best, that of the rows' differences.
    worse = {kind: score - scores[best] for kind, score in scores.items()}
    chosen = next(kind for kind, by in worse.items() if by.mean() <= by.std() / np.sqrt(by.size))
    return instance.asking(chosen), f'questions="{chosen}" cost least on held-out rows.'


def _held_out(
    instance: Instance, rows: IntArray, kind: str, options: Options, deadline: Deadline, rng: np.random.Generator
) -> FloatArray:
    """Return what each held-out row costs with a greedy tree that is grown on the others."""
    part = _some(instance, ~np.isin(np.arange(instance.n_samples), rows)).asking(kind)
    run = Run(part, deadline=deadline, rng=np.random.default_rng(int(rng.integers(2**31))))
    METHODS["greedy"].function(part, run, options)
    if run.tree is None:
        raise InputError("there was no time for a tree.")
    loss = instance.losses(run.tree.solutions)[rows]
    found: FloatArray = loss[np.arange(rows.size), run.tree.choose(instance.observations[rows])]
    return found


def _some(instance: Instance, kept: BoolArray) -> Instance:
    rows, n_samples = np.flatnonzero(kept), kept.size
    uncertainty = instance.uncertainty.of_samples(rows, n_samples)
    share = uncertainty.n_sharing(rows.size) / uncertainty.n_sharing(n_samples)
    return dataclasses.replace(
        instance,
        costs=instance.costs[kept],
        observations=instance.costs[kept] if instance.observations is instance.costs else instance.observations[kept],
        weights=instance.weights[kept],
        uncertainty=uncertainty.scaled(share),
    )
