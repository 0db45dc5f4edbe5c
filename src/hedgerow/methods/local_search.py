"""Local search: trees improved move by move, over and over from disturbed trees; for any number of samples."""

__all__ = ["local_search"]

import copy
import dataclasses
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from hedgerow.data.arrays import IntArray
from hedgerow.engine.bounds import bound_without_tree
from hedgerow.engine.pool import SolutionPool
from hedgerow.instance import Instance
from hedgerow.methods.start import most_leaves, offer_tree
from hedgerow.run import Deadline, Options, Run, RunState, SubRun
from hedgerow.run.wishes import asking_price
from hedgerow.run.workers import Workers
from hedgerow.tree.splits import Splits
from hedgerow.tree.structure import NO_SPLIT
from hedgerow.tree.tree import Tree
from hedgerow.uncertainty import Nominal

if TYPE_CHECKING:
    from hedgerow.engine.tables.space import Found
    from hedgerow.methods.search.chain import Ground, Leg, Walked

_CHAINS: Final = 8
"""The number of chains; the result must not depend on the number of processes."""

_MOST_DESCENTS: Final = 10
_WORK_PER_LEG: Final = 2_000_000
"""Samples × features × slots × descents: a leg should take longer than sending it, and not long."""

_SEEDS: Final = 1 << 62

_LESSER_BUDGETS: Final = (0.0, 0.5)
"""Trees for these shares of the budget are where some chains begin: a robust tree must not be worse than they are."""

_DESCENTS_EACH: Final = 12
_SHARE_FOR_EACH: Final = 0.1
"""Most descents for each of them where iterations are not limited, and how much of the time left they may take."""

_SHARE_FOR_MIDPOINTS: Final = 0.3
"""Where any number may be a threshold: how much of the time goes into a search over midpoints before."""

_SHARE_FOR_BOUND: Final = 0.1
"""How much of the time that is left may go into a bound without a tree."""


def local_search(instance: Instance, run: Run, options: Options) -> None:
    """Improve trees until the run ends.

    An iteration is one descent: from a new or a disturbed tree down to one that no single move makes better. Descents
    form chains, and chains go on in rounds, after each of which they learn of the best tree and of new solutions. Some
    begin with trees for no budget and for half of it, found by descents that don't count. With continuous thresholds
    those of the best trees are moved to any numbers.
    """
    # Imported here since compiled kernels are loaded only by those who use them.
    from hedgerow.methods.search.chain import Ground

    seed = copy.deepcopy(run.rng)
    options = options.replace(threshold_margin=options.margin_on(instance))  # the same for lesser budgets
    ground = Ground.begin(instance, run, options)
    if ground is None:
        return
    instance, pool = ground.instance, ground.pool
    # First, since on a large history time may be up before the first descent is: a gap is reported all the same.
    if not run.must_stop():
        run.raise_bound(_bound(instance, options, pool, run), "bound without a tree")
    if not run.must_stop() and pool.complete:
        run.raise_bound(min(run.value, _bound_by_meetings(ground, run)), "bound by meetings")
    is_robust = not isinstance(instance.uncertainty, Nominal) and bool(np.any(instance.uncertainty.budget))
    lesser = _LESSER_BUDGETS if is_robust else ()
    # On a large history a single tree may take all the time.
    known = [_lesser_tree(ground, run, seed, share) for share in lesser if not run.must_stop()]
    if run.running and options.thresholds == "continuous":
        _go_on_anywhere(ground, run, known)
    elif run.running:
        _Rounds(ground, run).go_on(known)


def _go_on_anywhere(ground: "Ground", run: Run, known: "Sequence[Found]") -> None:
    """Search over midpoints as if those were asked for, then over the grid, and move thresholds to any numbers.

    The search over midpoints doesn't count; its best tree is where a chain over the grid begins.
    """
    from hedgerow.methods.search.chain import offer_moved

    instance, limit = ground.instance, run.iterations_left
    middle = SubRun(
        instance,
        RunState.of(run),
        Deadline(_SHARE_FOR_MIDPOINTS * run.deadline.remaining()),
        run.interrupt,
        iteration_limit=None if np.isinf(limit) else int(limit),
        rng=run.rng,
    )
    first = _Rounds(ground, middle)
    first.go_on(known)
    assert middle.tree is not None
    run.offer(middle.tree, middle.value, "better tree")
    offer_moved(middle.tree, instance, run, ground.options)
    if not run.running:
        return
    grid, best = ground.on_grid(), _placed(first.best, ground.pool.add(first.pool.solutions))
    _Rounds(grid, run).go_on([dataclasses.replace(best, structure=_among(grid.splits, best.structure, ground.splits))])


def _among(splits: Splits, structure: IntArray, own: Splits) -> IntArray:
    """Return a structure over its own splits as one over others, all of which are among them."""
    found = structure.copy()
    for node in np.flatnonzero(structure != NO_SPLIT):
        split = structure[node]
        same = (splits.question == own.question[split]) & (splits.threshold == own.threshold[split])
        found[node] = np.flatnonzero(same)[0]
    return found


def _lesser_tree(ground: "Ground", run: Run, seed: np.random.Generator, share: float) -> "Found":
    """Search with a share of the budget, offer the tree that comes of it to the run, and return it.

    Without any budget the search is the one that the same seed and iteration limit would give for nothing misread.
    """
    instance, uncertainty, pool = ground.instance, ground.instance.uncertainty, ground.pool
    assert not isinstance(uncertainty, Nominal)
    scaled = dataclasses.replace(uncertainty, budget=share * uncertainty.budget) if share else Nominal()
    lesser = dataclasses.replace(instance, uncertainty=scaled)
    most = run.iterations_left if share == 0.0 and run.iterations_left < np.inf else _DESCENTS_EACH
    fork = Run(
        lesser,
        deadline=Deadline(_SHARE_FOR_EACH * run.deadline.remaining()),
        iteration_limit=int(max(1, min(most, run.iterations_left))),
        rng=copy.deepcopy(seed),
        interrupt=run.interrupt,
        margin=run.margin,
    )
    if ground.demands is None:
        offer_tree(Tree.single(pool.solutions[0]), lesser, fork)
    fork.raise_bound(run.bound)
    rounds = _Rounds(dataclasses.replace(ground, instance=lesser), fork)
    rounds.go_on()
    if fork.tree is not None:
        fee = asking_price(fork.tree, instance, ground.options.wishes)
        offer_tree(fork.tree, instance, run, "tree for a lesser budget", fee)
    return _placed(rounds.best, pool.add(rounds.pool.solutions))


def _placed(found: "Found", places: IntArray) -> "Found":
    """Return the same tree for a pool that has each solution at another place."""
    return dataclasses.replace(found, choice=places[found.choice])


def _bound(instance: Instance, options: Options, pool: SolutionPool, run: Run) -> float:
    """Return what as many solutions as leaves cost without a tree; where X is not listed, the samples' own optima."""
    deadline = Deadline(_SHARE_FOR_BOUND * run.deadline.remaining())
    loss = pool.losses if pool.complete else None
    return bound_without_tree(loss, instance, most_leaves(instance, options), deadline)


def _bound_by_meetings(ground: "Ground", run: Run) -> float:
    """Return a bound that knows which samples can be misread as which; −∞ where there is none."""
    from hedgerow.engine.meetings import bound_by_meetings

    instance, options = ground.instance, ground.options
    deadline = Deadline(_SHARE_FOR_BOUND * run.deadline.remaining())
    anywhere, count = options.thresholds == "continuous", most_leaves(instance, options)
    splits, margin = (None, options.margin_on(instance)) if anywhere else (ground.splits, 0.0)
    losses = ground.pool.losses
    return bound_by_meetings(instance, losses, splits, margin, count, lambda: deadline.passed() or run.must_stop())


class _Rounds:
    """The rounds of one run: legs of all chains from what is known, then what they found in the chains' order.

    `best` is the best tree so far, with its solutions' places in the `pool` of all solutions.
    """

    best: "Found"

    def __init__(self, ground: "Ground", run: Run) -> None:
        from hedgerow.methods.search.chain import Chain

        self._run = run
        self.pool = ground.pool.with_more()
        self._n_at_first = len(self.pool)
        n_jobs = ground.options.n_jobs
        self._workers = Workers(Chain, ground, n_jobs, run.deadline, run.interrupt)
        instance = ground.instance
        work = instance.n_samples * instance.n_features << instance.depth
        self._descents = max(1, min(_MOST_DESCENTS, _WORK_PER_LEG // work))

    def go_on(self, known: "Sequence[Found]" = ()) -> None:
        """Walk from tree to tree until the run ends; some chains begin with trees that are known."""
        # The first tree is grown greedily; chains begin with it, or with trees that are known.
        legs = [self._leg(None, np.inf, 1), *(self._leg(spot, np.inf, 1, as_it_is=True) for spot in known)]
        self._take(self._workers.results(legs[: int(min(len(legs), self._run.iterations_left))]))
        while self._run.running:
            self._take(self._workers.results(self._next_legs()))

    def _next_legs(self) -> "list[Leg]":
        left = int(min(self._run.iterations_left, _CHAINS * self._descents))
        each, rest = divmod(left, _CHAINS)
        # The first chain goes on from the best tree, the others from where they stand.
        starts = [self.best, *self._here[1:]]
        legs = [self._leg(spot, self.best.value, each + (number < rest)) for number, spot in enumerate(starts)]
        return [leg for leg in legs if leg.n_descents]

    def _leg(self, spot: "Found | None", best: float, n_descents: int, *, as_it_is: bool = False) -> "Leg":
        from hedgerow.methods.search.chain import Leg

        first, seed = self._n_at_first, int(self._run.rng.integers(_SEEDS))
        solutions, losses = self.pool.solutions[first:], self.pool.losses[:, first:]
        return Leg(spot, best, RunState.of(self._run), seed, n_descents, solutions, losses, as_it_is)

    def _take(self, walks: "Iterable[Walked]") -> None:
        """Take what a round has found: solutions for the pool, trees for the run, and where the chains stand."""
        known = np.arange(len(self.pool))
        here: list[Found] = []
        bests: list[Found] = []
        for walked in walks:
            if walked.found is not None:
                self._run.offer(*walked.found, "better tree")
            self._run.count(walked.n_descents, "descents")
            places = np.concatenate([known, self.pool.add(walked.solutions)])
            here.append(_placed(walked.here, places))
            bests.append(_placed(walked.best, places))
        self._here = (here * _CHAINS)[:_CHAINS]
        self.best = min(bests, key=lambda spot: spot.value)  # of equally good ones the first
