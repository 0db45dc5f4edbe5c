"""The numbers that the engine works with beside those of its searches over intervals, each with its reason."""

__all__ = ["ENGINE", "EngineParameters"]

from dataclasses import dataclass


@dataclass(frozen=True)
class EngineParameters:
    """Sizes and shares. Most say how much is done between two looks at the clock, or how large a table may be."""

    # Structures in one call of a kernel, and structures × table × slots in one call, which count three times under
    # a global budget.
    structures_per_call: int = 256
    work_per_call: int = 1 << 22
    # Bounds, and bounds × the steps of an attack on all samples, in one call. Rounds of roots are small in the
    # beginning, where better trees are found, and grow.
    bounds_per_call: int = 1 << 14
    attack_work_per_call: int = 1 << 20
    first_round: int = 2
    largest_round: int = 16
    # Leaf problems: attacks that are kept, at least, usually, and at most; places of samples in all of them; and
    # entries of the tables of more than the usual number.
    least_attacks: int = 4
    usual_attacks: int = 64
    most_attacks: int = 128
    most_places: int = 1 << 18
    most_entries_kept: int = 1 << 22
    # Subset tables: samples up to which every subset is divided in two, and sums of losses for pairs of solutions that
    # take its place beyond; solutions between two looks at the clock; subsets that a task asks the oracle about, and
    # tasks of a round.
    most_divided: int = 17
    most_sums_of_pairs: int = 2_000_000_000
    solutions_at_once: int = 128
    subsets_per_task: int = 8
    tasks_per_round: int = 16
    # Boxes of thresholds: samples up to which a global budget is settled over all thresholds unless more is asked for;
    # boxes in one call; and how narrow they become, relative to the gaps between values: first all wide ones, for the
    # sake of good trees.
    most_samples_in_boxes: int = 10
    boxes_at_once: int = 2000
    narrowest: tuple[float, ...] = (0.1, 1e-9)
    # Shares of the time for bounds that need no structure, and for bounds on roots of depth 3.
    share_for_bounds: float = 0.1
    share_for_floors: float = 0.5
    # Pools: bytes of a table; pairs of samples that an oracle is asked about; solutions, and entries of solutions or
    # four times as many of losses, that are listed for each second left; and solutions that are listed even if time is
    # up, since a list gives a first bound.
    most_table_bytes: int = 2 << 30
    most_pairs: int = 300
    listed_per_second: int = 50_000
    entries_per_second: int = 5_000_000
    always_listed: int = 2_000
    # Solutions that another one beats: samples on which two are compared first, as most pairs differ there already;
    # comparisons between two looks at the clock, and in all, as a shorter list is worth a few seconds.
    compared_first: int = 8
    compared_at_once: int = 20_000_000
    most_compared: int = 4_000_000_000
    # Bounds without a tree: solutions, and samples × solutions, of a table of losses (128 MiB); steps for the rows'
    # shares, entries that are read for them, and steps without a better bound after which they become shorter.
    most_in_table: int = 4_000
    most_entries: int = 1 << 24
    most_steps: int = 300
    most_entries_read: int = 400_000_000
    patience: int = 10
    # Models: samples between two looks at the clock, each of which may take two linear programmes; the size of the
    # largest loss that suits a solver; how many times more than all samples together an entry has to cost to be a
    # placeholder; and entries of a master for each second left.
    samples_at_once: int = 50
    largest_loss: float = 128.0
    placeholder: float = 1e3
    model_entries_per_second: int = 1_500_000
    # Lists of structures: splits × samples of a root, which keeps four numbers for each; entries, and losses of halves,
    # between two looks at the clock.
    most_moves: int = 1 << 23
    entries_at_once: int = 20_000
    losses_at_once: int = 1 << 22


ENGINE = EngineParameters()
"""The parameters of every run."""
