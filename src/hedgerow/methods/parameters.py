"""The numbers that methods work with."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class MethodParameters:
    """Times, shares and sizes, each with its reason."""

    # Once time is up there still must be a tree: seconds for the one solution that is the last resort. For simpler
    # trees, round thresholds and their cells there is a part of a second more, and a share of the time limit.
    seconds_for_last_resort: float = 5.0
    seconds_at_the_end: float = 0.15
    share_at_the_end: float = 0.03
    # Refinement comes after the method, which leaves it a share of the time; it gets some seconds at least.
    share_to_refine: float = 0.05
    least_seconds_to_refine: float = 1.0
    share_with_wishes: float = 0.6  # of the time; the rest is for a run without wishes, which says what they cost
    # Losses and readings of moderate size stay as they are; others are scaled to the usual one. What good plans cost is
    # asked for at most this many samples.
    moderate_size: tuple[float, float] = (2.0**-6, 2.0**17)
    usual_size: float = 16.0
    samples_for_size: int = 25
    # Kinds of questions, the usual one first: another one is chosen if it is better by more than one standard error of
    # what rows held out cost. These are in folds of at least some rows; of many rows, some are compared.
    question_kinds: tuple[str, ...] = ("plans", "items", "plans:3", "plans:10", "levels")
    n_folds: int = 4
    fewest_rows: int = 3
    most_rows_to_compare: int = 400
    most_to_try_a_proof: int = 3_000  # splits × samples × nodes up to which a proof is tried that may not end in time
    most_with_wishes: int = 2_000_000_000  # samples × splits² up to which trees with wishes can be listed in minutes
    # Structures that a restart draws: all are tried on a table, the best one by a MIP.
    structures_on_table: int = 256
    structures_per_mip: int = 32
    # Splits × samples up to which restarts use all thresholds: a tree is then a matter of a second or two.
    most_split_work: float = 5e6
    # Refinement tries all combinations of thresholds up to this work: combinations × samples × nodes, where each attack
    # takes as long as some entries of a table.
    most_work_to_refine: float = 2e7
    work_of_attack: float = 1e4
    # Where a threshold is tried between the two samples' values around it if a question is left out below it.
    shares_between_samples: tuple[float, ...] = (0.6, 0.4, 0.8, 0.2)
    parts_of_budget: tuple[float, ...] = (1.0, 0.5, 0.25, 0.0)  # tried where a budget is fitted to errors


@dataclass(frozen=True)
class ExactParameters:
    """What the exact method does before and beside its proof."""

    # The local search before a proof that needs a good tree: descents, and its share of the time.
    descents_first: int = 4
    share_for_search: float = 0.1
    # With wishes: samples × splits up to which no search comes before the list of trees; descents in a row without a
    # better tree after which such a search ends, and its share of the time; and the same for the search that takes the
    # list's place, after a bound without the wishes with its share.
    small_with_wishes: int = 20_000
    few_descents: int = 8
    share_before_list: float = 0.2
    many_descents: int = 100
    share_for_bound: float = 0.5


@dataclass(frozen=True)
class EstimateParameters:
    """How long proofs took in the benchmarks, so that `auto` can choose."""

    seconds_per_sum: float = 5e-10  # where nothing is misread: per solution and splits ** depth
    # By budget and depth: samples up to which there are proofs, and seconds per sample and split, or pair of splits.
    proofs: Mapping[tuple[str, int], tuple[int, float]] = field(
        default_factory=lambda: {
            ("local", 1): (10**6, 1e-6),
            ("local", 2): (10**6, 7.5e-9),
            ("local", 3): (8, 6e-8),
            ("sums", 1): (10**6, 1e-6),
            ("sums", 2): (10**6, 6e-8),
            ("sums", 3): (8, 6e-8),
            ("global", 1): (10**6, 1e-5),
            ("global", 2): (16, 2e-7),
        }
    )


@dataclass(frozen=True)
class SearchParameters:
    """Sizes, shares and chances of local search, each with its reason."""

    descents_from_best: int = 10  # after as many descents the search goes on from the best tree
    share_for_bound: float = 0.1  # share of the time for the bound that needs no tree
    fresh: float = 0.3  # how often a descent begins with a new tree; else with a part grown anew
    # Trees within these shares of the best one are good places to go on from, and worth the oracle's time.
    good: float = 0.003
    near: float = 0.02
    # Shares of the budget that samples are thought to have while a tree grows: the adversary decides which is best.
    cautions: tuple[float, ...] = (1.0, 0.5, 0.0)
    # Thresholds per item and samples that are looked at when a part is grown; the descent does the rest.
    thresholds_to_grow: int = 32
    samples_to_grow: int = 4_000
    # Thresholds of each item that are priced, evenly spread, and others below and above the present one.
    thresholds_at_once: int = 24
    thresholds_near: int = 8
    # Splits or solutions that are evaluated under a global budget; more where few samples make prices a poor guide.
    n_promising: int = 6
    n_promising_among_few: int = 8
    # Up to this many samples the knapsack of a global budget is solved, not relaxed, within this many nodes.
    few_samples: int = 60
    attack_nodes: int = 4_000
    few_to_polish: int = 8  # up to this many samples all solutions are chosen anew with each question
    work_per_call: int = 200_000  # samples × slots × splits × items of a question in one call of a kernel
    most_own_optima: int = 256  # samples whose own optima join a pool that can't hold all solutions
    most_drawn: int = 2_000  # structures that are drawn for a first tree that keeps wishes


PARAMETERS = MethodParameters()
EXACT = ExactParameters()
ESTIMATE = EstimateParameters()
SEARCH = SearchParameters()
"""The parameters of every run."""
