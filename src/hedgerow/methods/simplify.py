"""Leave out questions that don't matter: no sample's advice and no worst case depends on them."""

from collections.abc import Callable, Iterator

import numpy as np

from hedgerow.adversary import Attack, worst_case
from hedgerow.instance import Instance
from hedgerow.methods.parameters import PARAMETERS
from hedgerow.thresholds.threshold_cells import leaves_below
from hedgerow.tolerances import VALUE
from hedgerow.tree.questions import values_of
from hedgerow.tree.tree import Tree


def simplified(
    tree: Tree,
    instance: Instance,
    margin: float,
    breaks_wish: Callable[[Tree], bool],
    must_stop: Callable[[], bool] = lambda: False,
    *,
    may_move: bool = False,
) -> Attack:
    """Return the worst case of the tree without questions that change no sample's advice.

    Questions stay where the adversary would gain, such as those that keep samples apart, and where a wish asks for
    them. If thresholds `may_move`, one above the question is moved if that keeps the adversary from gaining, but past
    no sample. The margin is as in `hedgerow.adversary.worst_case`; `must_stop` is asked before each attack.

    >>> from hedgerow.problems import Selection
    >>> tree = Tree.full([0], [2.0], [[1.0, 0.0], [1.0, 0.0]])
    >>> attack = simplified(tree, Instance.create(Selection(2, 1), [[1.0, 2.0]]), 0.0, lambda tree: False)
    >>> attack.tree.n_leaves, attack.bound
    (1, 1.0)
    """
    attack = worst_case(tree, instance, margin=margin)
    most = instance.sign * attack.bound + VALUE * float(np.abs(attack.cost).sum())

    def attack_without(node: int, *, goes_left: bool) -> Attack | None:
        """Return the worst case without a question; None if the question matters."""
        shorter = tree.without_question(node, goes_left=goes_left)
        if not _advises_the_same(shorter, attack):
            return None
        for number, changed in enumerate(_with_moved_thresholds(shorter, node, instance)):
            if must_stop() or (number and not may_move):
                return None
            found = worst_case(changed, instance, margin=margin)
            if instance.sign * found.bound <= most and not breaks_wish(changed):
                return found
        return None

    merged = tree.simplified()
    if merged.n_leaves < tree.n_leaves and not breaks_wish(merged):
        found = worst_case(merged, instance, margin=margin)
        if instance.sign * found.bound <= most:
            tree, attack = merged, found
    # From the last node to the root, so that the numbers of those to come stay.
    for node in np.flatnonzero(tree.is_inner)[::-1].tolist():
        shorter = attack_without(node, goes_left=True) or attack_without(node, goes_left=False)
        if shorter is not None:
            tree, attack = shorter.tree, shorter
    return attack


def _advises_the_same(tree: Tree, attack: Attack) -> bool:
    row, n_rows = tree.choose(attack.instance.observations), len(tree.solutions)
    before, after = np.divmod(np.unique(attack.nominal_row * n_rows + row), n_rows)
    return np.array_equal(attack.tree.solutions[before], tree.solutions[after])


def _with_moved_thresholds(tree: Tree, node: int, instance: Instance) -> Iterator[Tree]:
    """Yield the tree itself, then with one threshold above a node moved between its neighbouring samples' values."""
    yield tree
    values = values_of(tree.questions, instance.observations)
    leaf = leaves_below(tree, node).start
    for above in [above for above in range(node) if tree.is_inner[above] and leaf in leaves_below(tree, above)]:
        asked, threshold = values[:, tree.question[above]], tree.threshold[above]
        if (asked <= threshold).all() or (asked > threshold).all():
            continue
        low, high = asked[asked <= threshold].max(), asked[asked > threshold].min()
        for share in PARAMETERS.shares_between_samples:
            if low < (moved := float((1.0 - share) * low + share * high)) < high:
                yield tree.with_threshold(above, moved)
