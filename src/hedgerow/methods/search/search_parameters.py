"""The numbers that local search works with."""

__all__ = ["DEFAULTS", "SearchParameters"]

from dataclasses import dataclass


@dataclass(frozen=True)
class SearchParameters:
    """Sizes, shares and chances of local search, each with its reason."""

    n_chains: int = 8  # chains of a round; fixed, since the result must not depend on the number of processes
    # A leg of a chain should take longer than sending it, and not long: most descents, and samples × features × slots ×
    # descents.
    descents_per_leg: int = 10
    work_per_leg: int = 2_000_000
    share_for_bound: float = 0.1  # share of the time for each bound that needs no tree
    # How often a descent begins with a new tree; else with a part grown anew, other questions, or other solutions.
    fresh: float = 0.3
    regrow: float = 0.35
    other_questions: float = 0.4
    # Trees within these shares of the best one are good places to go on from, and worth the oracle's time.
    good: float = 0.003
    near: float = 0.02
    # Shares of the budget that samples are thought to have while a tree grows: the adversary decides which is best.
    cautions: tuple[float, ...] = (1.0, 0.5, 0.0)
    # Thresholds per item and samples that are looked at when a part is grown; the descent does the rest.
    thresholds_to_grow: int = 32
    samples_to_grow: int = 4_000
    # Thresholds of an item that are priced at once: evenly spread first, then between the neighbours of the best one,
    # for this many of the best items.
    thresholds_at_once: int = 17
    n_items_closer: int = 6
    # Splits or solutions that are evaluated under a global budget; more where few samples make prices a poor guide.
    n_promising: int = 6
    n_promising_among_few: int = 8
    # Up to this many samples the knapsack of a global budget is solved, not relaxed, within this many nodes.
    few_samples: int = 60
    attack_nodes: int = 4_000
    few_to_polish: int = 8  # up to this many samples all solutions are chosen anew with each question
    work_per_call: int = 200_000  # samples × slots × splits in one call of a kernel: hundredths of a second
    # Samples whose own optima join a pool that can't hold all solutions, and rounds in which groups' optima do.
    most_own_optima: int = 256
    most_group_rounds: int = 10
    most_drawn: int = 2_000  # structures that are drawn for a first tree that keeps wishes


DEFAULTS = SearchParameters()
"""The parameters of every run."""
