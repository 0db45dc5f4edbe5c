"""What was promised for measured data, and what is told besides."""

from benchmarks.outcome import Goal, Outcome
from benchmarks.progress import tell
from benchmarks.real.comparison import AT_RANDOM, FRACTIONS, PROMISED, Comparison, robust
from hedgerow.coverage import Coverage

_TOO_MUCH = FRACTIONS[-1]


def outcome(title: str, comparisons: list[Comparison], *goals: Goal) -> Outcome:
    """Return tables and goals of all comparisons."""
    tables = [comparison.table(f"costs_{place}") for place, comparison in enumerate(comparisons)]
    told = [goal for comparison in comparisons for goal in (_budget_goal(comparison), *_coverage_goals(comparison))]
    note = " ".join(f"{comparison.history.name}: {comparison.words}" for comparison in comparisons)
    return Outcome(title, tables, [*goals, *told], note=note)


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


def _coverage_goals(comparison: Comparison) -> list[Goal]:
    """Return what sets cover; a promise is made for errors like those seen, and later ones may differ."""
    return [
        _coverage_goal(f"{comparison.history.name}: coverage, {name}", found, promised=name.endswith(AT_RANDOM))
        for name, found in comparison.coverages
    ]


def _coverage_goal(what: str, found: Coverage, *, promised: bool) -> Goal:
    value = f"{found.share:.1%} (95 % confidence: {found.low:.1%} to {found.high:.1%})"
    return (
        Goal(what, value, f"{PROMISED} not above the interval", found.high >= PROMISED)
        if promised
        else Goal(what, value)
    )
