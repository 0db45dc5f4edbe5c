"""The parameters of the searches over intervals, each with its reason."""

__all__ = ["DEFAULTS", "IntervalParameters"]

from dataclasses import dataclass


@dataclass(frozen=True)
class IntervalParameters:
    """How intervals of thresholds and of prices are searched. None of them changes what is proven, only how fast.

    Attributes
    ----------
    largest_round, most_per_task
        Tasks of a round, and intervals that a task looks at: enough to keep processes busy, and few enough for
        everyone to learn of a better tree soon.
    work_at_once
        Sums of regrets between two looks at the clock: about a tenth of a second.
    deep_steps, last_deep_steps
        Depth 3: improvements of shares for an interval of roots, and for a single one before it is left to others.
    aim
        Up to where steps on shares aim, relative to the target.
    answers
        Depth 3: how often one side of a tree is made anew to fit the other; trees rarely change after that.
    cap
        Prices: the largest regret that counts, relative to the largest one. The bound loses the gain of one sample, and
        a cap makes that smaller; 0.65 lost least on the paper's instances.
    first_prices
        Prices: ends of the first intervals, relative to the highest price that matters. Most optima have low ones.
    first_roots
        Prices: how many intervals the thresholds of a question are divided into for roots at first.
    narrowest
        Prices: how narrow intervals become, relative to the highest price; further ones raise bounds by rounding alone.
    blocks
        Prices: most intervals of thresholds per question for halves.
    most_costs
        Prices: samples × intervals of thresholds, some hundred megabytes of move costs; with more samples intervals are
        wider.
    steps
        Prices: improvements of shares for an interval.
    most_solutions
        Prices: a bound takes time by the square of the number of solutions; with more it is of no use.
    structures_at_once
        Prices: structures that are evaluated between two looks at the clock.
    """

    largest_round: int = 16
    most_per_task: int = 64
    work_at_once: int = 1 << 27
    deep_steps: int = 4
    last_deep_steps: int = 16
    aim: float = 1.02
    answers: int = 4
    cap: float = 0.65
    first_prices: tuple[float, ...] = (0.0, 0.15, 0.3, 0.5, 0.75, 1.0)
    first_roots: int = 4
    narrowest: float = 1 / 128
    blocks: int = 32
    most_costs: int = 1 << 22
    steps: int = 8
    most_solutions: int = 2_000
    structures_at_once: int = 64


DEFAULTS = IntervalParameters()
