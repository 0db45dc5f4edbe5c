"""What was promised for measured data, and what is told besides."""

from collections.abc import Sequence

from benchmarks.outcome import Goal, Outcome
from benchmarks.progress import tell
from benchmarks.real.comparison import FRACTIONS, Comparison, robust
from benchmarks.real.promises import coverage_goals

_TOO_MUCH = FRACTIONS[-1]


def outcome(title: str, comparisons: Sequence[Comparison], *goals: Goal) -> Outcome:
    """Return the tables of comparisons, and their goals beside those given."""
    tables = [each.table("costs" if n == 1 else f"costs_{n}") for n, each in enumerate(comparisons, 1)]
    told = [*goals, *map(_budget_goal, comparisons)]
    told += [goal for each in comparisons for goal in coverage_goals(each.history)]
    chosen = " ".join(f"{each.history.name.capitalize()}: {each.words}" for each in comparisons)
    return Outcome(title, tables, told, note=f"{chosen} {comparisons[0].fitting}")


def skipped(title: str) -> Outcome:
    """Return the outcome where the data is not at hand."""
    tell(f"{title}: skipped, no folder with data (say where with --data)")
    return Outcome(title, [], [], note="Skipped: the data was not at hand. It is not ours to copy.")


def _budget_goal(comparison: Comparison) -> Goal:
    """Return whether the chosen budget is better than none and than too much when readings are wrong."""
    name = f"{comparison.history.name}: chosen λ = {comparison.chosen:g}, misread"
    none, much = comparison.row("nominal tree").misread, comparison.row(robust(_TOO_MUCH)).misread
    mine = none if comparison.chosen == 0.0 else comparison.row(robust(comparison.chosen)).misread
    value = f"{mine:.4g} against {none:.4g} (λ = 0) and {much:.4g} (λ = {_TOO_MUCH:g})"
    return Goal(name, value, "less than both", mine < min(none, much))
