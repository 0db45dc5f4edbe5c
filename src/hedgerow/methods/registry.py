"""The table of methods: a new method is a file and a line here."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias

from hedgerow.data.checks import in_short
from hedgerow.errors import InputError
from hedgerow.instance import Instance
from hedgerow.run import Options, Run
from hedgerow.tree.splits import ThresholdSet

if TYPE_CHECKING:
    from hedgerow.problems import Problem

MethodFunction: TypeAlias = Callable[[Instance, Run, Options], None]
"""Works on the instance until it is done or `run.running` is false, and reports to the run."""


@dataclass(frozen=True)
class Method:
    """A method and what is to be known about it."""

    function: MethodFunction  # the method itself
    # Whether it can't do without X as rows and columns, so that a problem known by its oracle alone is not enough.
    needs_mip: bool = False
    any_threshold: bool = False  # whether it can take any number for a threshold; else it takes midpoints or the grid
    keeps_wishes: bool = False  # whether it keeps wishes about the tree as a whole


def _later(file: str, name: str) -> MethodFunction:
    """Return a method that is imported when it is called, since its compiled kernels take a while to load."""

    def method(instance: Instance, run: Run, options: Options) -> None:
        getattr(import_module(f"hedgerow.methods.{file}"), name)(instance, run, options)

    return method


METHODS: dict[str, Method] = {
    # branch and bound over structures, with a proof of optimality
    "exact": Method(_later("exact", "exact"), any_threshold=True, keeps_wishes=True),
    # random structures with their best solutions (H_tree)
    "fix_tree": Method(_later("restarts", "fix_tree")),
    # random solutions with the best tree that holds them (H_sol)
    "fix_solutions": Method(_later("restarts", "fix_solutions")),
    # solutions and tree optimised in turn (H_alt)
    "alternate": Method(_later("restarts", "alternate")),
    # one tree improved move by move, for any number of samples
    "local_search": Method(_later("local_search", "local_search"), keeps_wishes=True),
    # the best single question at each node, from the top down
    "greedy": Method(_later("greedy", "greedy"), keeps_wishes=True),
    # a tree that is optimal when nothing is misread
    "nominal": Method(_later("nominal", "nominal"), any_threshold=True, keeps_wishes=True),
    # one solution for every observation (H₁)
    "one_solution": Method(_later("start", "one_solution"), any_threshold=True),
    # a MIP over trees against ever more misreadings (SG), exact
    "scenario_generation": Method(_later("scenario_generation", "scenario_generation"), needs_mip=True),
}


def method_named(name: str) -> Method:
    """Return the method of that name; an unknown one is answered with what there is."""
    if name not in METHODS:
        raise InputError(f"method must be one of {', '.join(['auto', *METHODS])}; got {in_short(name)}.")
    return METHODS[name]


def with_thresholds(options: Options, name: str) -> Options:
    """Return the options with the widest set of thresholds that the method takes by itself where none was asked for."""
    method = method_named(name)
    shaped = options.wishes is not None and options.wishes.shape_trees
    if shaped and not method.keeps_wishes:
        able = ", ".join(other for other, entry in METHODS.items() if entry.keeps_wishes)
        raise InputError(f"{name} can't keep {_shapes(options)}; these methods can: auto, {able}.")
    if shaped and options.thresholds == "continuous":
        raise InputError(f'{_shapes(options)} needs thresholds="midpoints" or "grid".')
    if options.thresholds is None and shaped:
        return options.replace(thresholds="midpoints")
    if options.thresholds is None:
        widest: ThresholdSet = "continuous" if method.any_threshold else "midpoints"
        return options.replace(thresholds=widest)
    if options.thresholds == "continuous" and not method.any_threshold:
        if options.method == "auto":
            return options.replace(thresholds="midpoints")
        able = ", ".join(other for other, entry in METHODS.items() if entry.any_threshold)
        raise InputError(f'{name} needs thresholds="midpoints" or "grid"; "continuous" works with {able}.')
    return options


def _shapes(options: Options) -> str:
    given = () if options.wishes is None else options.wishes.given
    return f"the wish {', '.join(name for name in given if name not in ('may_ask', 'must_not_ask'))}"


def check_suits(name: str, problem: "Problem") -> None:
    """Raise `InputError` if there is no such method, or if it needs rows and columns that the problem doesn't have."""
    if name == "auto":
        return
    if method_named(name).needs_mip and problem.oracle_only:
        others = ", ".join(other for other, method in METHODS.items() if not method.needs_mip)
        raise InputError(
            f"{name} needs the feasible set as rows and columns, and this problem is known by its oracle alone. "
            f"These methods need no more: {others}."
        )
