"""The façade of all methods: one call, one result, read as a recipe."""

import dataclasses
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.adversary import Attack, worst_case
from hedgerow.data.checks import in_short
from hedgerow.errors import InputError, SolverError
from hedgerow.instance import Instance
from hedgerow.methods.auto import choose
from hedgerow.methods.cards import check_cards
from hedgerow.methods.parameters import PARAMETERS
from hedgerow.methods.refine import refine
from hedgerow.methods.registry import Method, check_suits, method_named, with_thresholds
from hedgerow.methods.simplify import simplified
from hedgerow.methods.start import may_split
from hedgerow.methods.units import WorkingUnits
from hedgerow.methods.warm_up import ready_kernels
from hedgerow.run import Deadline, Interrupt, Monitor, Options, Result, Run, Status, StopRunError
from hedgerow.run.options import generator
from hedgerow.run.result import Refined, relative_gap
from hedgerow.run.wishes import WishCost, keeps, restricted
from hedgerow.thresholds import rounded, threshold_cells
from hedgerow.tolerances import OPTIMALITY_GAP, VALUE
from hedgerow.tree.tree import Tree
from hedgerow.wording.numbers import counted

_LOG = logging.getLogger("hedgerow")

_LOOK_FOR_QUESTIONS = ("exact", "local_search", "greedy")
"""Methods whose message says so if they find no question that is worth asking."""


def solve(
    instance: Instance,
    options: Options | None = None,
    *,
    random_state: int | np.random.Generator | None = None,
    monitor: Monitor | None = None,
    interrupt: Interrupt | None = None,
    spent: float = 0.0,
    **changes: Any,
) -> Result:
    """Return the best tree that the method finds for the instance within its limits.

    Every value is recomputed by the adversary. If the run is stopped or the solver fails, the best tree so far is
    returned; if time is up before the first tree, the best single solution. `Result.message` says so.

    Parameters
    ----------
    instance
        What is solved.
    options
        The options of the run; the defaults if left out.
    random_state
        A seed or generator. The same seed and iteration limit give the same tree.
    monitor
        Called with each new row of statistics; one that returns False asks the run to stop.
    interrupt
        A flag with which another thread may stop the run. With that of `hedgerow.run.interruptible` the first Ctrl-C
        does.
    spent
        Seconds of the time limit that were spent before, such as on making the instance.
    **changes
        Single options by name, such as `method="exact"` or `time_limit=10.0`; see `hedgerow.run.Options`.

    Examples
    --------
    >>> from hedgerow import Instance, LocalBudget, solve
    >>> from hedgerow.problems import Selection
    >>> instance = Instance.create(Selection(2, 1), [[1.0, 3.0], [4.0, 2.0]], uncertainty=LocalBudget(0.5))
    >>> solve(instance, method="one_solution").objective
    5.0
    """
    options = _checked(options, changes, instance)
    if monitor is not None and not callable(monitor):
        raise InputError(f"monitor must be a function that takes a row of statistics, or None; got {monitor!r:.60}.")
    rng = generator(random_state)
    interrupt = Interrupt() if interrupt is None else interrupt
    _LOG.info("fitting a tree of depth %d to %s", instance.depth, counted(instance.n_samples, "sample"))
    with ready_kernels(instance, options):
        return _solve(instance, options, rng, monitor, interrupt, spent)


def _solve(
    instance: Instance,
    options: Options,
    rng: np.random.Generator,
    monitor: Monitor | None,
    interrupt: Interrupt,
    spent: float,
) -> Result:
    """Return the best tree, and with wishes what these cost."""
    whole, _ = _deadlines(options, spent)
    if options.wishes is None:
        return solve_once(instance, options, rng, monitor, interrupt, spent)
    limit = None if options.time_limit is None else PARAMETERS.share_with_wishes * options.time_limit
    wished = options.replace(time_limit=limit)
    result = solve_once(instance, wished, rng, monitor, interrupt, spent)
    if interrupt.requested:
        return result
    seconds = None if limit is None else max(PARAMETERS.least_seconds_to_refine, whole.remaining())
    plain = options.replace(wishes=None, time_limit=seconds, method=result.method, refine=False)
    return _with_wish_cost(result, solve_once(instance, plain, rng, None, interrupt), instance)


def _with_wish_cost(result: Result, without: Result, instance: Instance) -> Result:
    assert result.options is not None
    assert result.options.wishes is not None
    sign, unit = instance.sign, instance.problem.unit
    # A tree that keeps wishes is one of those without them.
    value = min(sign * without.objective, sign * result.objective)
    bound = min(sign * without.lower_bound, value)
    low = max(0.0, sign * result.lower_bound - value)
    high = max(low, sign * result.objective - bound)
    wish = " and ".join(result.options.wishes.in_words())
    cost = WishCost(wish, result.objective, sign * value, low, high, unit)
    return dataclasses.replace(result, wish_cost=cost, message=f"{result.message} {cost}".strip())


def solve_once(
    instance: Instance,
    options: Options,
    rng: np.random.Generator,
    monitor: Monitor | None,
    interrupt: Interrupt,
    spent: float = 0.0,
) -> Result:
    """Return the result of a run whose options were checked and whose kernels are loaded.

    Some seconds of the time limit may be `spent` already.
    """
    whole, deadline = _deadlines(options, spent)
    asked, wishes, given = instance, options.wishes, options
    if wishes is not None:
        instance = restricted(asked, wishes)

    def breaks(tree: Tree) -> bool:
        return not keeps(tree, asked, wishes)

    search = _search(instance, options, deadline, rng, monitor, interrupt)
    run, options, margin = search.run, search.options, search.margin
    grace = PARAMETERS.seconds_at_the_end + PARAMETERS.share_at_the_end * (options.time_limit or 0.0)
    late = Deadline(grace)

    def must_end() -> bool:
        """Return whether time is up for simpler trees, round thresholds and their cells, too."""
        return run.must_stop() and late.passed()

    # A proof about midpoints says nothing about other thresholds.
    may_move = options.round_thresholds and run.thresholds == "continuous" and not run.must_stop()
    attack = simplified(search.tree, instance, margin, breaks, must_end, may_move=may_move)
    notes = [*search.notes, _too_large(attack.tree, instance, search)]
    run.close()
    if options.round_thresholds:
        attack = _with_round_thresholds(attack, margin, breaks, must_end)
    tree, value = attack.tree, instance.sign * attack.bound
    bound, status = search.proof(value, VALUE * float(np.abs(attack.cost).sum()))
    refined, remark = _refined(tree, instance, options, whole, interrupt, margin) if options.refine else (None, "")
    return Result(
        tree=tree,
        objective=attack.bound,
        nominal=float(attack.nominal_cost.sum()),
        lower_bound=instance.sign * bound,
        status=status,
        runtime=spent + run.deadline.elapsed(),
        method=search.method,
        thresholds=run.thresholds,
        threshold_margin=margin,
        cells=threshold_cells(tree, instance, margin, must_end),
        iterations=run.iterations,
        statistics=run.statistics,
        refined=refined,
        questions=instance.asks,
        depth=instance.depth,
        options=options.replace(wishes=given.wishes),
        message=" ".join(filter(None, (*notes, remark))),
    )


@dataclass
class _Search:
    """What a method found, and what it was run on."""

    method: str
    options: Options
    units: WorkingUnits
    run: Run
    tree: Tree
    notes: list[str]

    @property
    def margin(self) -> float:
        """By how much each threshold may be off."""
        return self.run.margin / self.units.readings

    def proof(self, value: float, rounding: float) -> tuple[float, Status]:
        """Return the bound and the status for the tree's value; numbers may differ by rounding."""
        bound, status = self.run.bound / self.units.losses, self.run.status
        if bound >= value - rounding:
            return value, "optimal"
        # A proof about trees whose thresholds may be off by a margin need not be one about this tree.
        if self.margin > 0.0 and status == "optimal" and relative_gap(value, bound) > OPTIMALITY_GAP:
            status = "feasible"
        return bound, status


def _search(
    instance: Instance,
    options: Options,
    deadline: Deadline,
    rng: np.random.Generator,
    monitor: Monitor | None,
    interrupt: Interrupt,
) -> _Search:
    method, reason = choose(instance, options, options.time_limit) if options.method == "auto" else (options.method, "")
    _LOG.info("%s", reason)
    asked_for_all, options = options.thresholds == "continuous", with_thresholds(options, method)
    if asked_for_all and options.thresholds != "continuous":
        reason = f"{reason} It can't do with all thresholds and takes midpoints."
    # Constants of costs and handicaps of cards are in the unit of readings, which therefore stays.
    units = WorkingUnits.of(instance) if options.plans_per_leaf == 1 else WorkingUnits()
    working, scaled_options = units.scaled(instance), units.options(options)
    run = Run(
        working,
        deadline=deadline,
        iteration_limit=options.iteration_limit,
        gap_limit=options.gap_limit,
        stall_limit=options.stall_limit,
        rng=rng,
        interrupt=interrupt,
        monitor=monitor,
        thresholds=options.thresholds or "midpoints",
        margin=scaled_options.margin_on(working),
        unit=units.losses,
    )
    run.asked_for_all = asked_for_all
    _work(method_named(method), working, run, scaled_options)
    tree = _tree_at_last(method, working, run, options)
    return _Search(method, options, units, run, units.tree(tree), [reason, run.message])


def _checked(options: Options | None, changes: dict[str, Any], instance: Instance) -> Options:
    if not isinstance(instance, Instance):
        raise InputError(
            f"solve needs an Instance, as in solve(Instance.create(problem, costs)); got {in_short(instance)}."
        )
    options = (Options() if options is None else options).replace(**changes)
    options.check_against(instance)
    check_suits(options.method, instance.problem)
    check_cards(instance, options)
    if options.method != "auto":
        with_thresholds(options, options.method)
    return options


def _deadlines(options: Options, spent: float = 0.0) -> tuple[Deadline, Deadline]:
    limit, share = options.time_limit, 1.0 - PARAMETERS.share_to_refine if options.refine else 1.0
    left = None if limit is None else max(0.0, limit - spent)
    return Deadline(left), Deadline(None if left is None else share * left)


def _work(entry: Method, instance: Instance, run: Run, options: Options) -> None:
    """Let the method work; what goes wrong on the way must not cost the tree found so far."""
    try:
        with suppress(StopRunError):
            entry.function(instance, run, options)
    except SolverError as error:
        run.end("feasible")
        text = str(error).strip() or type(error).__name__
        run.say(_warning(f"The method could not go on: {text.removesuffix('.')}."))
    except MemoryError:
        run.end("memory_limit")
        run.say(_warning("The method ran out of memory."))


def _tree_at_last(method: str, instance: Instance, run: Run, options: Options) -> Tree:
    """Return the best tree; where the method had no chance to find one, the best single solution."""
    if run.tree is not None:
        return run.tree
    if options.wishes is not None and options.wishes.shape_trees:
        raise SolverError("no tree that keeps the wishes was found in time; allow more time or wish for less.")
    reason = f" before its {run.status.replace('_', ' ')}" if run.status.endswith("limit") else ""
    seconds = max(PARAMETERS.seconds_for_last_resort, run.deadline.remaining())
    best = instance.problem.best_solution(instance.costs, instance.weights, time_limit=seconds)
    tree = Tree.single(best.solution)
    run.end(run.status)
    run.offer(tree, instance.sign * best.value, "one solution")
    if instance.depth == 0:
        run.raise_bound(instance.sign * best.bound)
    run.say(_warning(f"This is the best single solution: {method} found no tree{reason}."))
    return tree


def _too_large(tree: Tree, instance: Instance, search: _Search) -> str:
    """Return a sentence if the tree asks nothing though it might with a smaller budget; else nothing."""
    looked = search.method in _LOOK_FOR_QUESTIONS and instance.uncertainty.can_misread
    if len(tree.solutions) > 1 or not looked or not may_split(instance, search.options):
        return ""
    found = "There is" if search.run.status == "optimal" else "The search found"
    return f"{found} no tree that is better than one solution under this budget; with a smaller one there may be."


def _with_round_thresholds(
    attack: Attack, margin: float, breaks: Callable[[Tree], bool], must_stop: Callable[[], bool]
) -> Attack:
    """Return the worst case of the tree with rounder thresholds, which may make subtrees equal.

    Its value stays as it is: a better one, off the midpoints, would contradict a proof about these.
    """
    round_tree = rounded(attack.tree, attack.instance, margin, must_stop)
    if round_tree is attack.tree:
        return attack
    for tree in (round_tree.simplified(), round_tree):
        found = worst_case(tree, attack.instance, margin=margin)
        if abs(found.bound - attack.bound) <= VALUE * float(np.abs(attack.cost).sum()) and not breaks(tree):
            return found
    return attack


def _refined(
    tree: Tree, instance: Instance, options: Options, deadline: Deadline, interrupt: Interrupt, margin: float
) -> tuple[Refined, str]:
    """Return the refined tree, to which no bound applies, and a message where refinement was cut short."""
    seconds = Deadline(max(PARAMETERS.least_seconds_to_refine, deadline.remaining()))
    best = refine(tree, instance, lambda: interrupt.requested or seconds.passed(), margin=margin)
    if options.round_thresholds:
        best = dataclasses.replace(best, tree=rounded(best.tree, instance, margin))
    if best.complete:
        return best, ""
    reason = "the run was stopped" if interrupt.requested else "time was up"
    return best, _warning(f"Refinement was cut short, since {reason}; its best tree so far is kept.")


def _warning(sentence: str) -> str:
    _LOG.warning("%s", sentence)
    return sentence
