"""The numbers that methods work with, apart from those of proofs and of local search."""

__all__ = ["PARAMETERS", "MethodParameters"]

from dataclasses import dataclass


@dataclass(frozen=True)
class MethodParameters:
    """Times, shares and sizes, each with its reason."""

    # Once time is up there still must be a tree: seconds for the one solution that is the last resort. For simpler
    # trees, round thresholds and their cells there are some more seconds, and a share of the time limit.
    seconds_for_last_resort: float = 5.0
    seconds_at_the_end: float = 0.3
    share_at_the_end: float = 0.03
    # Refinement comes after the method, which leaves it a share of the time; it gets some seconds at least.
    share_to_refine: float = 0.05
    least_seconds_to_refine: float = 1.0
    share_with_wishes: float = 0.6  # of the time; the rest is for runs without wishes, which say what they cost
    # Losses and readings of moderate size stay as they are; others are scaled to the usual one. What good plans cost is
    # asked for at most this many samples.
    moderate_size: tuple[float, float] = (2.0**-6, 2.0**17)
    usual_size: float = 16.0
    samples_for_size: int = 25
    # Kinds of questions from the simplest on: of those within one standard error of the best, the first is chosen. Rows
    # are held out in folds of at least some rows, within a part of half of the time.
    question_kinds: tuple[str, ...] = ("items", "plans:3", "plans", "plans:10", "levels")
    n_folds: int = 4
    fewest_rows: int = 3
    parts_of_time: int = 4
    # Scenario generation has one binary per inner node and split and one flow per sample and leaf in each scenario: up
    # to this product of the three its first master is a matter of seconds with HiGHS, given that many seconds.
    small_master: int = 3_000
    shortest_time_for_masters: float = 10.0
    most_with_wishes: int = 2_000_000_000  # samples × splits² up to which trees with wishes can be listed in minutes
    # Restarts of a round, and structures that a restart draws: all are tried on a table, the best one by a MIP.
    tasks_per_round: int = 8
    structures_on_table: int = 256
    structures_per_mip: int = 32
    # For the best structure: splits × steps of an attack on all samples, so that a look at all of them is a matter of a
    # second or two, and pairs of splits × samples that are compared, as one may be as good as the other everywhere.
    most_split_work: float = 5e8
    most_compared: float = 2e10


PARAMETERS = MethodParameters()
"""The parameters of every run."""
