"""The numbers that the engine works with, each with its reason."""

from dataclasses import dataclass


@dataclass(frozen=True)
class EngineParameters:
    """Sizes and shares. Most say how much is done between two looks at the clock, or how large a table may be."""

    # Structures in one call of a kernel, and structures × table × slots in one call, which count three times under
    # a global budget.
    structures_per_call: int = 256
    work_per_call: int = 1 << 22
    # Bounds, and bounds × the steps of an attack on all samples, in one call.
    bounds_per_call: int = 1 << 14
    attack_work_per_call: int = 1 << 20
    # Leaf problems: attacks that are kept, at least, usually, and at most; places of samples in all of them; and
    # entries of the tables of more than the usual number.
    least_attacks: int = 4
    usual_attacks: int = 64
    most_attacks: int = 128
    most_places: int = 1 << 18
    most_entries_kept: int = 1 << 22
    # Subset tables: samples up to which every subset is divided in two, and sums of losses for pairs of solutions that
    # take its place beyond; and solutions between two looks at the clock.
    most_divided: int = 17
    most_sums_of_pairs: int = 2_000_000_000
    solutions_at_once: int = 128
    # Boxes of thresholds: samples up to which a global budget is settled over all thresholds unless more is asked for;
    # boxes in one call; and how narrow they become, relative to the gaps between values: first all wide ones, for the
    # sake of good trees.
    most_samples_in_boxes: int = 10
    boxes_at_once: int = 2000
    narrowest: tuple[float, ...] = (0.1, 1e-9)
    # Samples up to which roots are settled under local budgets, each in at most some tenths of a second.
    most_to_settle: int = 1_000
    # Sums of regrets in one call of a kernel that bounds intervals of thresholds or prices: about a tenth of a second.
    work_at_once: int = 1 << 27
    # Shares of samples on the two sides of a root: up to where steps aim, relative to the target; and at depth 3 steps
    # for an interval of roots, and for a single one before it is left to others.
    aim: float = 1.02
    deep_steps: int = 4
    last_deep_steps: int = 16
    # Depth 3: samples up to which roots are bounded, each question of a subtree between two looks at the clock.
    most_samples_at_depth_three: int = 300
    # Prices: the largest regret that counts, relative to the largest one; the bound loses the gain of one sample, and
    # a cap makes that smaller; 0.65 lost least on the paper's instances.
    cap: float = 0.65
    # Ends of the first intervals, relative to the highest price that matters (most optima have low ones); how many
    # intervals the roots of a question are divided into at first; and how narrow prices become, as further ones raise
    # bounds by rounding alone.
    first_prices: tuple[float, ...] = (0.0, 0.15, 0.3, 0.5, 0.75, 1.0)
    first_roots: int = 4
    narrowest_prices: float = 1 / 128
    # Most intervals of thresholds per question for halves, and samples × all of them, some hundred megabytes of move
    # costs: with more samples intervals are wider. Steps on shares for an interval.
    blocks: int = 32
    most_costs: int = 1 << 22
    steps: int = 8
    # A bound takes time by the square of the number of solutions; with more it is of no use.
    most_solutions: int = 2_000
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
