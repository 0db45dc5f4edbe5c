"""Compiles or loads the kernels of a method before its clock starts, on a tiny instance of the same kind.

A process that fits one small tree is done before its kernels are compiled, so they run as plain Python the first time.
"""

import logging
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

import numpy as np

from hedgerow.instance import Instance
from hedgerow.methods.auto import choose
from hedgerow.methods.registry import METHODS
from hedgerow.run import Interrupt, Options
from hedgerow.run.wishes import Wishes
from hedgerow.tree.question_kinds import QuestionSpec
from hedgerow.tree.splits import ThresholdSet
from hedgerow.uncertainty import GlobalBudget, LocalBudget, Nominal, Uncertainty

_LOG = logging.getLogger("hedgerow")

_WITH_KERNELS: Final = tuple(method for method in METHODS if not METHODS[method].needs_mip)
"""Methods of the package that consist of kernels; others need those of the adversary, as `greedy` does."""


@dataclass(frozen=True)
class WarmUpParameters:
    """What tiny instances are like."""

    # Few and many samples; up to some number of samples the methods treat them in another way.
    few: int = 5
    few_deep: int = 10  # at depth 3; fewer are proven without trees of depth 2 on the sides of a root
    many: int = 24
    most_few: int = 20
    deepest: int = 3  # deeper trees need no further kernels
    most_looks: int = 8000  # looks whether to stop on a tiny instance; 4,000 miss kernels of global budgets
    silent_seconds: float = 3.0  # before it is announced; loading takes less
    # What plain Python proves in a second or two: samples times splits where each sample has a budget of its own, and
    # structures where they share one. With less time than this a proof would be cut short.
    most_plain_samples: int = 100
    most_plain_cells: int = 6_000
    most_plain_structures: int = 5_000
    least_plain_seconds: float = 20.0


_TINY: Final = WarmUpParameters()
_NO_BUDGET, _LOCAL_BUDGET, _GLOBAL_BUDGET = Nominal(), LocalBudget(1.0), GlobalBudget(4.0)


class _Kind(NamedTuple):
    """What decides which kernels a fit needs."""

    method: str
    uncertainty: Uncertainty
    n_samples: int
    depth: int = 2
    questions: str = "items"
    thresholds: ThresholdSet | None = None
    plans_per_leaf: int = 1
    lists: bool = False  # whether trees are listed, as with wishes


_prepared: set[_Kind] = set()
_run_plainly: set[_Kind] = set()
_lock = threading.RLock()
if hasattr(os, "register_at_fork"):
    # A child that is forked while another thread compiles would wait for the compiler for ever, so the fork waits.
    os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)


@contextmanager
def ready_kernels(instance: Instance, options: Options) -> Iterator[None]:
    """Compile or load what a fit needs; run it as plain Python if it is the first of its kind here, and a small one."""
    kind = _kind_of(instance, options, None)
    is_first = kind not in _prepared and kind not in _run_plainly
    if is_first and _is_small(instance, options, kind.method):
        from hedgerow.compiled import plain_python

        _run_plainly.add(kind)
        with plain_python():
            yield
    else:
        _prepare(kind)
        yield


def _is_small(instance: Instance, options: Options, method: str) -> bool:
    """Return whether plain Python proves the best tree before kernels could be compiled."""
    has_time = options.time_limit is None or options.time_limit >= _TINY.least_plain_seconds
    proves = method in ("exact", "nominal") and instance.depth <= 2 and options.wishes is None
    if not has_time or not proves or instance.n_samples > _TINY.most_plain_samples:
        return False
    n_splits = len(instance.splits())
    if instance.uncertainty.is_separable or method == "nominal":
        return instance.n_samples * n_splits <= _TINY.most_plain_cells
    n_structures: int = n_splits ** (2**instance.depth - 1)
    return n_structures <= _TINY.most_plain_structures


def prepare(
    instance: Instance, options: Options, questions: QuestionSpec | None = None, *, lists: bool = False
) -> None:
    """Compile or load what a fit of this kind needs, once in a process, and a list of trees; say so if that is long."""
    kind = _kind_of(instance, options, questions)
    _prepare(kind)
    if lists:
        _prepare(kind._replace(lists=True))


def _kind_of(instance: Instance, options: Options, questions: QuestionSpec | None) -> _Kind:
    """Return what decides which kernels a fit needs."""
    method = options.method if options.method != "auto" else choose(instance, options, options.time_limit)[0]
    by_kernels = method in _WITH_KERNELS
    share_items = any(question.item is None for question in instance.questions)
    if questions is not None:
        share_items = questions != "items"
    return _Kind(
        method if by_kernels else "greedy",
        _usual(instance.uncertainty),
        _TINY.few if instance.n_samples <= _TINY.most_few else _TINY.many,
        min(instance.depth, _TINY.deepest),
        "plans" if share_items else "items",
        options.thresholds if by_kernels else None,
        min(2, options.plans_per_leaf),
        method == "exact" and options.wishes is not None and options.wishes.shape_trees,
    )


def warm_up_steps() -> dict[str, Callable[[], None]]:
    """Return what compiles kernels, by name: each method on a few samples, for every kind of budget.

    Then comes what questions that share items need in addition, such as those about plans.
    """
    kinds = {"no budget": _NO_BUDGET, "local budget": _LOCAL_BUDGET, "global budget": _GLOBAL_BUDGET}
    steps: dict[str, Callable[[], None]] = {}
    for questions, methods in (("items", _WITH_KERNELS), ("plans", ("exact", "local_search"))):
        for name, uncertainty in kinds.items():
            for method in methods:
                kind = _Kind(method, uncertainty, _TINY.few, questions=questions)
                steps[f"{method}, {name}, questions about {questions}"] = partial(_prepare_sizes, kind)
    return steps


def _prepare_sizes(kind: _Kind) -> None:
    for n_samples in (_TINY.few, _TINY.many):
        _prepare(kind._replace(n_samples=n_samples))


def _prepare(kind: _Kind) -> None:
    from hedgerow.compiled import DISABLED

    with _lock:
        if kind in _prepared or DISABLED:
            return
        notice = threading.Timer(_TINY.silent_seconds, _LOG.warning, ["Compiling kernels, once for this machine …"])
        notice.daemon = True
        notice.start()
        try:
            _fit_tiny(kind)
        finally:
            notice.cancel()
        _prepared.add(kind)


class _WorkLimit(Interrupt):
    """A request to stop after some looks at it: a limit on work, which does not depend on how busy the machine is."""

    def __init__(self) -> None:
        self._looks = 0
        super().__init__()

    @property
    def requested(self) -> bool:
        """Whether the run has looked often enough."""
        self._looks += 1
        return self._looks > _TINY.most_looks


def _fit_tiny(kind: _Kind) -> None:
    """Fit a tiny instance of this kind."""
    from hedgerow.methods.solve import solve_once
    from hedgerow.problems import Selection

    problem, n_samples = Selection(3, 1), kind.n_samples
    if kind.depth >= _TINY.deepest and n_samples == _TINY.few and kind.uncertainty.is_separable:
        problem, n_samples = Selection(8, 4), _TINY.few_deep
    costs = np.random.default_rng(0).uniform(1.0, 9.0, (n_samples, len(problem.item_names))).round(2)
    instance = Instance.create(
        problem,
        costs,
        uncertainty=kind.uncertainty,
        questions=kind.questions,
        depth=kind.depth,
    )
    options = Options(
        method=kind.method,
        time_limit=None,
        iteration_limit=3 if kind.method != "exact" else 100,
        thresholds=kind.thresholds,
        plans_per_leaf=kind.plans_per_leaf,
        wishes=Wishes(max_items=2) if kind.lists else None,
    )
    solve_once(instance, options, np.random.default_rng(0), None, _WorkLimit())


def _usual(uncertainty: Uncertainty) -> Uncertainty:
    """Return the budget of a tiny instance that needs the same kernels."""
    if not uncertainty.can_misread:
        return _NO_BUDGET
    return _LOCAL_BUDGET if uncertainty.is_separable else _GLOBAL_BUDGET
