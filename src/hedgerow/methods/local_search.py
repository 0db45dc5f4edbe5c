"""Local search: trees improved move by move, over and over from disturbed trees; for any number of samples."""

__all__ = ["local_search", "search_first"]

import copy
import dataclasses
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from hedgerow.data.arrays import IntArray
from hedgerow.engine.bounds import bound_without_tree
from hedgerow.engine.pool import SolutionPool
from hedgerow.instance import Instance
from hedgerow.methods.search.search_parameters import DEFAULTS
from hedgerow.methods.start import most_leaves, offer_tree
from hedgerow.run import Deadline, Options, Run, RunState
from hedgerow.run.wishes import asking_price
from hedgerow.run.workers import Workers
from hedgerow.tree.tree import Tree
from hedgerow.uncertainty import Nominal

if TYPE_CHECKING:
    from hedgerow.engine.structures.space import Found
    from hedgerow.methods.search.chain import Leg, SearchContext, Walked


def local_search(instance: Instance, run: Run, options: Options) -> None:
    """Improve trees until the run ends.

    An iteration is one descent: from a new or a disturbed tree down to one that no single move makes better. Descents
    form chains, and chains go on in rounds, after each of which they learn of the best tree and of new solutions. Some
    begin with trees for no budget and for half of it, found by descents that don't count. Thresholds are midpoints or
    those of the grid; with continuous ones those of the best trees are then moved to any numbers.
    """
    # Imported here since compiled kernels are loaded only by those who use them.
    from hedgerow.methods.search.chain import SearchContext

    seed = copy.deepcopy(run.rng)
    options = options.replace(threshold_margin=options.margin_on(instance))  # the same for lesser budgets
    context = SearchContext.begin(instance, run, options)
    if context is None:
        return
    instance, pool = context.instance, context.pool
    # First, since on a large history time may be up before the first descent is: a gap is reported all the same.
    if not run.must_stop():
        run.raise_bound(_bound(instance, options, pool, run), "bound without a tree")
    if not run.must_stop() and pool.complete:
        run.raise_bound(min(run.value, _bound_by_meetings(context, run)), "bound by meetings")
    lesser = DEFAULTS.lesser_budgets if instance.uncertainty.can_misread else ()
    # On a large history a single tree may take all the time.
    known = [_lesser_tree(context, run, seed, share) for share in lesser if not run.must_stop()]
    if run.running:
        anywhere = options.thresholds == "continuous"
        _Rounds(dataclasses.replace(context, anywhere=anywhere), run).go_on(known)


def search_first(
    instance: Instance,
    run: Run,
    options: Options,
    share: float = 1.0,
    *,
    iteration_limit: int | None = None,
    stall_limit: int | None = None,
) -> None:
    """Offer another run what a search finds within a share of its time; its descents are none of that run's steps."""
    search = run.fork(instance, Deadline(share * run.deadline.remaining()), iteration_limit, stall_limit)
    search.raise_bound(run.bound)
    local_search(instance, search, options)
    if search.tree is not None:
        run.offer(search.tree, search.value, "local search")


def _lesser_tree(context: "SearchContext", run: Run, seed: np.random.Generator, share: float) -> "Found":
    """Search with a share of the budget, offer the tree that comes of it to the run, and return it.

    Without any budget the search is the one that the same seed and iteration limit would give for nothing misread.
    """
    instance, uncertainty, pool = context.instance, context.instance.uncertainty, context.pool
    scaled = uncertainty.scaled(share) if share else Nominal()
    lesser = dataclasses.replace(instance, uncertainty=scaled)
    most = run.iterations_left if share == 0.0 and run.iterations_left < np.inf else DEFAULTS.descents_per_budget
    fork = Run(
        lesser,
        deadline=Deadline(DEFAULTS.share_per_budget * run.deadline.remaining()),
        iteration_limit=int(max(1, min(most, run.iterations_left))),
        rng=copy.deepcopy(seed),
        interrupt=run.interrupt,
        margin=run.margin,
    )
    if context.demands is None:
        offer_tree(Tree.single(pool.solutions[0]), lesser, fork)
    fork.raise_bound(run.bound)
    rounds = _Rounds(dataclasses.replace(context, instance=lesser), fork)
    rounds.go_on()
    if fork.tree is not None:
        fee = asking_price(fork.tree, instance, context.options.wishes)
        offer_tree(fork.tree, instance, run, "tree for a lesser budget", fee)
    return _placed(rounds.best, pool.add(rounds.pool.solutions))


def _placed(found: "Found", places: IntArray) -> "Found":
    """Return the same tree for a pool that has each solution at another place."""
    return dataclasses.replace(found, choice=places[found.choice])


def _bound(instance: Instance, options: Options, pool: SolutionPool, run: Run) -> float:
    """Return what as many solutions as leaves cost without a tree; where X is not listed, the samples' own optima."""
    deadline = Deadline(DEFAULTS.share_for_bound * run.deadline.remaining())
    loss = pool.losses if pool.complete else None
    return bound_without_tree(loss, instance, most_leaves(instance, options), deadline)


def _bound_by_meetings(context: "SearchContext", run: Run) -> float:
    """Return a bound that knows which samples can be misread as which; −∞ where there is none."""
    from hedgerow.engine.meetings import bound_by_meetings

    instance, options = context.instance, context.options
    deadline = Deadline(DEFAULTS.share_for_bound * run.deadline.remaining())
    anywhere, count = options.thresholds == "continuous", most_leaves(instance, options)
    splits, margin = (None, options.margin_on(instance)) if anywhere else (context.splits, 0.0)
    losses = context.pool.losses
    return bound_by_meetings(instance, losses, splits, margin, count, lambda: deadline.passed() or run.must_stop())


class _Rounds:
    """The rounds of one run: legs of all chains from what is known, then what they found in the chains' order.

    `best` is the best tree so far, with its solutions' places in the `pool` of all solutions.
    """

    best: "Found"

    def __init__(self, context: "SearchContext", run: Run) -> None:
        from hedgerow.methods.search.chain import Chain

        self._run = run
        self.pool = context.pool.with_more()
        self._n_at_first = len(self.pool)
        n_jobs = context.options.n_jobs
        self._workers = Workers(Chain, context, n_jobs, run.deadline, run.interrupt)
        instance = context.instance
        work = instance.n_samples * instance.n_features << instance.depth
        self._descents = max(1, min(DEFAULTS.descents_per_leg, DEFAULTS.work_per_leg // work))

    def go_on(self, known: "Sequence[Found]" = ()) -> None:
        """Walk from tree to tree until the run ends; some chains begin with trees that are known."""
        # The first tree is grown greedily; chains begin with it, or with trees that are known.
        legs = [self._leg(None, np.inf, 1), *(self._leg(spot, np.inf, 1, as_it_is=True) for spot in known)]
        self._take(self._workers.results(legs[: int(min(len(legs), self._run.iterations_left))]))
        while self._run.running:
            self._take(self._workers.results(self._next_legs()))

    def _next_legs(self) -> "list[Leg]":
        left = int(min(self._run.iterations_left, DEFAULTS.n_chains * self._descents))
        each, rest = divmod(left, DEFAULTS.n_chains)
        # The first chain goes on from the best tree, the others from where they stand.
        starts = [self.best, *self._here[1:]]
        legs = [self._leg(spot, self.best.value, each + (number < rest)) for number, spot in enumerate(starts)]
        return [leg for leg in legs if leg.n_descents]

    def _leg(self, spot: "Found | None", best: float, n_descents: int, *, as_it_is: bool = False) -> "Leg":
        from hedgerow.methods.search.chain import Leg

        first, seed = self._n_at_first, int(self._run.rng.integers(1 << 62))
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
        self._here = (here * DEFAULTS.n_chains)[: DEFAULTS.n_chains]
        self.best = min(bests, key=lambda spot: spot.value)  # of equally good ones the first
