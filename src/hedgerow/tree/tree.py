"""The tree as flat arrays: questions at inner nodes, a ready solution at each leaf, or several to choose from.

Nodes are numbered in depth-first order, root first and left before right; leaves are numbered from left to right.
This one numbering shows in `apply`, plots, text, JSON and SQL. "At most the threshold" goes left everywhere.
"""

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self, TypeAlias, TypeVar

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray, frozen
from hedgerow.data.checks import finite_number, in_short, number_array
from hedgerow.data.display import Shown
from hedgerow.errors import InputError
from hedgerow.tree.questions import IN_SET, Card, Feature, Question, item_number, solution_vector, values_of

MAX_TREE_DEPTH = 16
"""Deepest tree that can be built or read; it has at most 65,536 leaves."""

_Node = TypeVar("_Node")
_Subtree: TypeAlias = "int | tuple[Question, float, _Subtree, _Subtree]"
"""A leaf's number, or a question with its threshold and what follows its answers."""

_LEAF = -1
_ARRAYS = ("question", "threshold", "solutions", "leaf_of", "handicap")
_NO_SUM = Question((), ())
"""What is read to choose a plan that is alone at its leaf."""
_TOO_DEEP = f"a tree may be at most {MAX_TREE_DEPTH} levels deep; this one is deeper."


class LeafBounds(NamedTuple):
    """The leaves as boxes: per leaf (rows) the items on its path, each once, and their `lower < value <= upper`.

    Rows are padded with item 0 and infinite bounds.
    """

    item: IntArray
    lower: FloatArray
    upper: FloatArray


@dataclass(frozen=True, eq=False, repr=False)
class Tree(Shown):
    """A decision tree whose leaves hold solutions.

    A leaf with several of them is a card: the one with the best total is followed. A total is a sum over readings, and
    then a handicap. Trees are made by `full`, `single` and `from_dict`, which check what they are given.

    Attributes
    ----------
    question
        Per node the number of the question that it asks, an index into `questions`; −1 at leaves.
    threshold
        Per node the threshold, NaN at leaves: values at most this large go left.
    solutions
        One row per leaf, from left to right; several rows in a leaf's order if it is a card.
    questions
        The questions that the tree asks, each once, in a fixed order. If left out, entries of `question` are indices
        of items, and every question is about a single reading.
    leaf_of
        Per row of `solutions` its leaf; every leaf has one row if left out.
    handicap, sums, takes_largest
        Per row of `solutions` what `Card` says of a plan, and whether the largest total is the best one; of no meaning
        where a leaf has one row.

    Examples
    --------
    >>> from hedgerow import Tree
    >>> left, right = {"solution": [1, 0]}, {"solution": [0, 1]}
    >>> tree = Tree.from_dict({"item": 0, "threshold": 5.0, "left": left, "right": right})
    >>> tree.depth, tree.n_leaves
    (1, 2)
    >>> tree.predict([[5.0, 2.0], [5.1, 2.0]])
    array([[1., 0.],
           [0., 1.]])
    """

    question: IntArray
    threshold: FloatArray
    solutions: FloatArray
    questions: tuple[Question, ...] = None  # type: ignore[assignment]  # never None once built
    leaf_of: IntArray = None  # type: ignore[assignment]  # the same
    handicap: FloatArray = None  # type: ignore[assignment]  # the same
    sums: tuple[Question, ...] = None  # type: ignore[assignment]  # the same
    takes_largest: bool = False

    def __post_init__(self) -> None:
        n_rows = len(self.solutions)
        defaults = {"leaf_of": np.arange(n_rows), "handicap": np.zeros(n_rows), "sums": (_NO_SUM,) * n_rows}
        for name, default in defaults.items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, default)
        for name in ("question", "leaf_of"):
            object.__setattr__(self, name, frozen(np.array(getattr(self, name), dtype=np.int64)))
        for name in ("threshold", "solutions", "handicap"):
            # −0.0 becomes 0.0, so that equal trees also hash and print alike.
            object.__setattr__(self, name, frozen(number_array(getattr(self, name), name) + 0.0))
        _check_arrays(self)
        object.__setattr__(self, "threshold", frozen(np.where(self.is_inner, self.threshold, np.nan)))
        questions, question = _in_fixed_order(self.questions, self.question)
        object.__setattr__(self, "questions", questions)
        object.__setattr__(self, "question", frozen(question))

    # -- building ------------------------------------------------------------------------------------------------

    @classmethod
    def single(cls, solution: Sequence[float] | FloatArray) -> Self:
        """Return the tree of depth 0 that always advises the same solution."""
        return cls(np.array([_LEAF]), np.array([np.nan]), solution_vector(solution)[None])

    @classmethod
    def full(
        cls,
        items: Sequence[int] | IntArray,
        thresholds: Sequence[float] | FloatArray,
        solutions: Sequence[Sequence[float] | FloatArray] | FloatArray,
    ) -> Self:
        """Return a tree with all leaves at the same depth; nodes are given level by level, left to right."""
        n_inner = len(items)
        if len(thresholds) != n_inner or len(solutions) != n_inner + 1 or (n_inner + 1) & n_inner:
            raise InputError(
                "a full tree needs 2^depth − 1 items and thresholds and 2^depth solutions; "
                f"got {n_inner}, {len(thresholds)} and {len(solutions)}."
            )
        rows = [solution_vector(row) for row in solutions]

        def look(place: int) -> "FloatArray | tuple[Question, float, int, int]":
            if place >= n_inner:
                return rows[place - n_inner]
            question, threshold = Question.of_item(item_number(items[place])), _threshold(thresholds[place])
            return question, threshold, 2 * place + 1, 2 * place + 2

        return cls.grown(0, look)

    @classmethod
    def from_dict(
        cls, nested: Mapping[str, Any], item_names: Sequence[str] | None = None, context: Sequence[Question] = ()
    ) -> Self:
        """Return the tree of a nested description, the inverse of `to_dict`.

        An inner node is `{"item": 3, "threshold": 5.0, "left": …, "right": …}`, a leaf `{"solution": […]}`. A node
        that asks about more than one reading has `"question": {"name": …, "coefficients": {item: coefficient}}` in
        place of `"item"`. With `item_names` an item may be given by its name. A node that asks about context has
        `"column": name`, and for a category `"values": […]` in place of a threshold; it is one of the `context`'s
        questions.
        """

        def look(place: tuple[Any, int]) -> Any:
            node, depth = place
            if not isinstance(node, Mapping):
                raise InputError(f"a node must be a dictionary; got {in_short(node)}.")
            if depth > MAX_TREE_DEPTH:
                raise InputError(_TOO_DEEP)
            if "solution" in node:
                _only_keys(node, {"solution"})
                return solution_vector(node["solution"])
            if "plans" in node:
                return Card.from_dict(node, item_names)
            asks = next((key for key in ("question", "column") if key in node), "item")
            _only_keys(node, {asks, "values" if "values" in node else "threshold", "left", "right"})
            below = ((node[side], depth + 1) for side in ("left", "right"))
            if asks == "column":
                question = _context_question(node, context)
            elif asks == "question":
                question = Question.from_dict(node["question"], item_names)
            else:
                question = Question.of_item(item_number(node["item"], item_names))
            return question, _threshold(node.get("threshold", IN_SET)), *below

        return cls.grown((nested, 0), look)

    @classmethod
    def grown(
        cls, root: _Node, look: Callable[[_Node], "FloatArray | Card | tuple[Question, float, _Node, _Node]"]
    ) -> Self:
        """Return the tree that grows from a root, where `look` is called with one node after the other.

        It returns a leaf's solution or card, or an inner node's question, threshold and the nodes to its left and
        right.
        """
        numbers, thresholds, leaves = list[int](), list[float](), list[Card]()
        questions: dict[Question, int] = {}
        # An explicit stack in place of recursion: a hostile file must not exhaust the interpreter's.
        stack = [root]
        while stack:
            found = look(stack.pop())
            if not isinstance(found, tuple):
                numbers.append(_LEAF)
                thresholds.append(np.nan)
                leaves.append(found if isinstance(found, Card) else Card(found[None], (_NO_SUM,), np.zeros(1)))
                continue
            question, threshold, left, right = found
            stack += [right, left]
            numbers.append(questions.setdefault(question, len(questions)))
            thresholds.append(threshold)
        lengths = sorted({leaf.solutions.shape[1] for leaf in leaves})
        if len(lengths) > 1:
            raise InputError(
                f"all leaves must hold solutions of equal length; got {lengths[0]} and {lengths[1]} entries."
            )
        cards = [leaf for leaf in leaves if len(leaf.solutions) > 1]
        if len({card.takes_largest for card in cards}) > 1:
            raise InputError("all leaves must take the largest total, or all the smallest.")
        return cls(
            np.array(numbers),
            np.array(thresholds),
            np.concatenate([leaf.solutions for leaf in leaves]),
            tuple(questions),
            np.repeat(np.arange(len(leaves)), [len(leaf.solutions) for leaf in leaves]),
            np.concatenate([leaf.handicap for leaf in leaves]),
            tuple(total for leaf in leaves for total in leaf.sums),
            any(card.takes_largest for card in cards),
        )

    def split(self, node: int) -> tuple[Question, float, int, int]:
        """Return question, threshold and children of an inner node."""
        asked = self.questions[self.question[node]]
        return asked, float(self.threshold[node]), int(self.left[node]), int(self.right[node])

    def replace(self, **changes: Any) -> Self:
        """Return a copy with other arrays: `tree.replace(threshold=…)` or `tree.replace(handicap=…)`."""
        return dataclasses.replace(self, **changes)

    def with_threshold(self, node: int, threshold: float) -> Self:
        """Return the tree with another threshold at an inner node.

        Examples
        --------
        >>> from hedgerow import Tree
        >>> Tree.full([0], [5.0], [[1, 0], [0, 1]]).with_threshold(0, 7.0).apply([[6.0, 0.0]])
        array([0])
        """
        moved = np.array(self.threshold)
        moved[node] = threshold
        return self.replace(threshold=moved)

    # -- facts ---------------------------------------------------------------------------------------------------

    @property
    def n_nodes(self) -> int:
        """Number of nodes, inner ones and leaves."""
        return int(self.question.size)

    @cached_property
    def is_inner(self) -> BoolArray:
        """Per node whether it asks a question; leaves don't."""
        return frozen(self.question != _LEAF)

    @cached_property
    def left(self) -> IntArray:
        """Per node the number of its left child, −1 at leaves."""
        return frozen(np.where(self.is_inner, np.arange(1, self.n_nodes + 1), _LEAF))

    @cached_property
    def right(self) -> IntArray:
        """Per node the number of its right child, −1 at leaves."""
        children = np.full(self.n_nodes, _LEAF)
        waiting = []  # nodes whose right child is still to come
        for node in range(self.n_nodes - 1):
            if self.is_inner[node]:
                waiting.append(node)
            else:
                children[waiting.pop()] = node + 1
        return frozen(children)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(self.leaf_of[-1]) + 1

    @property
    def has_cards(self) -> bool:
        """Whether some leaf has several plans to choose from."""
        return len(self.solutions) > self.n_leaves

    @cached_property
    def first_row(self) -> IntArray:
        """Per leaf the first of its rows of `solutions`, and last the number of rows."""
        return frozen(np.searchsorted(self.leaf_of, np.arange(self.n_leaves + 1)))

    def rows_at(self, leaf: int) -> slice:
        """Return the rows of `solutions` of a leaf."""
        return slice(int(self.first_row[leaf]), int(self.first_row[leaf + 1]))

    def card(self, leaf: int) -> Card | None:
        """Return the plans that a leaf has to choose from; None if there is only one."""
        rows = self.rows_at(leaf)
        if rows.stop - rows.start == 1:
            return None
        return Card(self.solutions[rows], self.sums[rows], self.handicap[rows], self.takes_largest)

    @cached_property
    def depth(self) -> int:
        """Number of questions on the longest path."""
        return int(self.node_depth.max())

    @cached_property
    def node_depth(self) -> IntArray:
        """Per node the number of questions above it."""
        return frozen(np.log2(self.level_place + 1).astype(np.int64))

    @cached_property
    def level_place(self) -> IntArray:
        """Per node its place in the full tree, level by level: the children of place p are 2p + 1 and 2p + 2."""
        place = np.zeros(self.n_nodes, dtype=np.int64)
        for node in np.flatnonzero(self.is_inner):
            place[self.left[node]], place[self.right[node]] = 2 * place[node] + 1, 2 * place[node] + 2
        return frozen(place)

    @cached_property
    def leaf_number(self) -> IntArray:
        """Per node its leaf's number, −1 at inner nodes."""
        is_leaf = ~self.is_inner
        return frozen(np.where(is_leaf, np.cumsum(is_leaf) - 1, _LEAF))

    @cached_property
    def asked_items(self) -> IntArray:
        """Indices of the items that some question or card reads, in increasing order."""
        read = sorted({item for question in (*self.questions, *self.sums) for item in question.items})
        return frozen(np.array(read, dtype=np.int64))

    @property
    def context(self) -> tuple[Feature, ...]:
        """The features of context that the tree asks about, in the order of their columns."""
        return tuple(each.about for each in sorted(self.questions, key=lambda one: one.items) if each.about is not None)

    @cached_property
    def asks_single_items(self) -> bool:
        """Whether every question is about a single reading."""
        return all(question.item is not None for question in self.questions)

    @cached_property
    def question_items(self) -> IntArray:
        """Per question its item; only for trees whose questions are all about single readings."""
        if not self.asks_single_items:
            raise InputError("this tree asks about more than one reading at a time, which is not supported here.")
        return frozen(np.array([question.items[0] for question in self.questions], dtype=np.int64))

    @cached_property
    def item(self) -> IntArray:
        """Per node the item that is asked about, −1 at leaves; only for trees that ask about single readings."""
        items = np.append(self.question_items, _LEAF)
        return frozen(items[self.question])

    @cached_property
    def _intervals(self) -> list[dict[int, tuple[float, float]]]:
        """Per leaf the questions on its path, each once, with `lower < value <= upper`."""
        leaves: list[dict[int, tuple[float, float]]] = []
        path: dict[int, dict[int, tuple[float, float]]] = {0: {}}
        nodes = zip(
            self.question.tolist(), self.threshold.tolist(), self.left.tolist(), self.right.tolist(), strict=True
        )
        for node, (question, threshold, left, right) in enumerate(nodes):
            here = path.pop(node)
            if question == _LEAF:
                leaves.append(here)
                continue
            low, high = here.get(question, (-math.inf, math.inf))
            path[left] = {**here, question: (low, min(high, threshold))}
            path[right] = {**here, question: (max(low, threshold), high)}
        return leaves

    @cached_property
    def item_bounds(self) -> LeafBounds:
        """The leaves as boxes of items; only for trees that ask about single readings."""
        numbers = self.question_items.tolist()
        items = np.zeros((self.n_leaves, max(map(len, self._intervals))), dtype=np.int64)
        lower, upper = np.full(items.shape, -np.inf), np.full(items.shape, np.inf)
        for leaf, intervals in enumerate(self._intervals):
            for place, (question, (low, high)) in enumerate(intervals.items()):
                items[leaf, place] = numbers[question]
                lower[leaf, place], upper[leaf, place] = low, high
        return LeafBounds(frozen(items), frozen(lower), frozen(upper))

    @property
    def is_reachable(self) -> BoolArray:
        """Per leaf whether the questions on its way allow any value; together sums may still contradict each other."""
        return np.array([all(low < high for low, high in leaf.values()) for leaf in self._intervals])

    def intervals_at(self, leaf: int) -> list[tuple[Question, float, float]]:
        """Return what is asked on the way to a leaf: questions with intervals `lower < value <= upper`."""
        return [(self.questions[asked], low, high) for asked, (low, high) in self._intervals[leaf].items()]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Tree)
            and self.questions == other.questions
            and self.sums == other.sums
            and self.takes_largest == other.takes_largest
            and all(
                np.array_equal(getattr(self, name), getattr(other, name), equal_nan=name == "threshold")
                for name in _ARRAYS
            )
        )

    def __hash__(self) -> int:
        arrays = (self.question, self.threshold, self.solutions, self.handicap)
        return hash((self.questions, *(array.tobytes() for array in arrays)))

    def __repr__(self) -> str:
        return f"Tree(depth={self.depth}, n_leaves={self.n_leaves})"

    # -- use -----------------------------------------------------------------------------------------------------

    def apply(self, readings: Any) -> IntArray:
        """Return the number of the leaf that each observation reaches."""
        return self._leaves(self._checked(readings))

    def choose(self, readings: Any) -> IntArray:
        """Return the row of `solutions` that is followed for each observation: its leaf's, or its card's best."""
        matrix = self._checked(readings)
        leaf = self._leaves(matrix)
        if not self.has_cards:
            return leaf
        row = self.first_row[leaf]
        for number in np.flatnonzero(np.diff(self.first_row) > 1).tolist():
            here = np.flatnonzero(leaf == number)
            totals = self.totals(number, matrix[here])
            row[here] += np.argmin(-totals if self.takes_largest else totals, axis=1)
        return row

    def totals(self, leaf: int, readings: FloatArray) -> FloatArray:
        """Return the totals of a leaf's plans (columns) for rows of readings.

        Each is the sum over its items, from left to right, and then its handicap; gains are lowered by it. Every reader
        of a card adds in this order, so that all of them get the same float.
        """
        rows = self.rows_at(leaf)
        sums = np.stack([total.values(readings) for total in self.sums[rows]], axis=1)
        return sums - self.handicap[rows] if self.takes_largest else sums + self.handicap[rows]

    def _leaves(self, matrix: FloatArray) -> IntArray:
        single = self.asks_single_items
        asked, values = (self.item, matrix) if single else (self.question, values_of(self.questions, matrix))
        node, rows = np.zeros(len(matrix), dtype=np.int64), np.arange(len(matrix))
        for _ in range(self.depth):
            goes_left = values[rows, asked[node]] <= self.threshold[node]
            node = np.where(self.is_inner[node], np.where(goes_left, self.left[node], self.right[node]), node)
        return self.leaf_number[node]

    def predict(self, readings: Any) -> FloatArray:
        """Return the advised solution of each observation, one per row."""
        return self.solutions[self.choose(readings)]

    def _checked(self, readings: Any) -> FloatArray:
        if getattr(readings, "columns", None) is not None:
            raise InputError(
                "a tree takes arrays, whose columns are the items in their order; for a DataFrame use the fitted model "
                "or a RuleBook, which match columns by name."
            )
        matrix = number_array(readings, "readings")
        if matrix.ndim != 2:
            raise InputError(
                f"readings must be a matrix with one row per observation; got shape {matrix.shape}."
                f"{' For a single one, wrap it in a list.' if matrix.ndim == 1 and matrix.size else ''}"
            )
        needed = int(self.asked_items.max(initial=-1)) + 1
        if matrix.shape[1] < needed:
            raise InputError(
                f"the tree asks about item {needed - 1}, counted from 0, so readings must have at least {needed} "
                f"columns; got {matrix.shape[1]}."
            )
        missing = np.isnan(matrix[:, self.asked_items])
        if missing.any():
            row, column = (int(index) for index in np.argwhere(missing)[0])
            raise InputError(
                "readings must not be missing (NaN) for the items that the tree asks about; "
                f"item {self.asked_items[column]} is in row {row}."
            )
        return matrix

    def simplified(self) -> Self:
        """Return the tree without questions whose answers can't matter; the advice for every observation is the same.

        A node with equal subtrees becomes one of them, and a node whose answer follows from the questions above it
        becomes the side that is reached.

        >>> stump = {"item": 1, "threshold": 3.0, "left": {"solution": [0]}, "right": {"solution": [1]}}
        >>> Tree.from_dict({"item": 0, "threshold": 5.0, "left": stump, "right": stump}).simplified().n_leaves
        2
        """
        known: dict[Any, int] = {}
        same_as: list[int] = []
        for leaf in range(self.n_leaves):
            rows = self.rows_at(leaf)
            held = self.solutions[rows].tobytes(), self.handicap[rows].tobytes(), self.sums[rows]
            same_as.append(known.setdefault(held, leaf))

        def below(node: int, known: Mapping[Question, tuple[float, float]]) -> _Subtree:
            """Return the subtree of a node that is reached if the values of questions lie in known intervals."""
            if not self.is_inner[node]:
                return int(same_as[self.leaf_number[node]])
            question, threshold, left, right = self.split(node)
            low, high = known.get(question, (-math.inf, math.inf))
            if threshold >= high:
                return below(left, known)
            if threshold <= low:
                return below(right, known)
            yes = below(left, {**known, question: (low, threshold)})
            no = below(right, {**known, question: (threshold, high)})
            return yes if yes == no else (question, threshold, yes, no)

        return self.grown(below(0, {}), lambda place: self._held(place) if isinstance(place, int) else place)

    def without_question(self, node: int, *, goes_left: bool) -> Self:
        """Return the tree in which an inner node has given way to one of its subtrees.

        >>> tree = Tree.full([0, 1, 2], [5.0, 3.0, 4.0], [[0.0], [1.0], [2.0], [3.0]])
        >>> tree.without_question(0, goes_left=False).to_dict()["item"]
        2
        """
        chosen = int(self.left[node] if goes_left else self.right[node])

        def look(place: int) -> FloatArray | Card | tuple[Question, float, int, int]:
            place = chosen if place == node else place
            return self.split(place) if self.is_inner[place] else self._held(int(self.leaf_number[place]))

        return self.grown(0, look)

    def _held(self, leaf: int) -> FloatArray | Card:
        """Return a leaf's solution or card."""
        card = self.card(leaf)
        return self.solutions[self.first_row[leaf]] if card is None else card

    # -- in and out ----------------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Return the tree as nested dictionaries of plain Python numbers."""

        def at_question(node: int, left: dict[str, Any], right: dict[str, Any]) -> dict[str, Any]:
            question, threshold, _, _ = self.split(node)
            return {**question.asked(threshold), "left": left, "right": right}

        def at_leaf(leaf: int) -> dict[str, Any]:
            held = self._held(leaf)
            return held.to_dict() if isinstance(held, Card) else {"solution": held.tolist()}

        return self.fold(at_leaf, at_question)

    def fold(self, at_leaf: Callable[[int], _Node], at_question: Callable[[int, _Node, _Node], _Node]) -> _Node:
        """Return what becomes of the tree if each leaf, and each question with its two answers, is turned into a value.

        `at_leaf` takes a leaf's number; `at_question` a node's, and what became of its left (yes) and right (no) side.
        """
        built: dict[int, _Node] = {}
        for node in range(self.n_nodes - 1, -1, -1):
            if self.is_inner[node]:
                built[node] = at_question(node, built.pop(int(self.left[node])), built.pop(int(self.right[node])))
            else:
                built[node] = at_leaf(int(self.leaf_number[node]))
        return built[0]


def _check_arrays(tree: Tree) -> None:
    if np.minimum.reduceat(tree.handicap, tree.first_row[:-1]).any() or not np.isfinite(tree.handicap).all():
        raise InputError("the handicaps at a leaf must be finite, zero or more, the smallest of them zero.")
    if tree.depth > MAX_TREE_DEPTH:
        raise InputError(_TOO_DEEP)


def _context_question(node: Mapping[str, Any], context: Sequence[Question]) -> Question:
    for question in context:
        if question.about is not None and question.about.matches(node):
            return question
    raise InputError(f"the tree asks about the column {in_short(node['column'])} in a way that is not described.")


def _threshold(value: Any) -> float:
    return finite_number(value, "a threshold must be a finite number")


def _only_keys(node: Mapping[str, Any], allowed: set[str]) -> None:
    if set(node) != allowed:
        raise InputError(
            'a node must have either "solution" or "plans", or "item", "question" or "column", "threshold", "left" and '
            '"right"; '
            f"got {', '.join(sorted(map(in_short, node)))[:80] or 'nothing'}."
        )


def _in_fixed_order(questions: Sequence[Question] | None, question: IntArray) -> tuple[tuple[Question, ...], IntArray]:
    """Return the questions that are asked, each once and sorted, and the nodes' numbers for them."""
    numbers = np.unique(question[question != _LEAF]).tolist()
    asked = {number: Question.of_item(number) if questions is None else questions[number] for number in numbers}
    order = sorted(set(asked.values()), key=lambda one: (len(one.items) > 1, one.items, one.coefficients, one.name))
    place = {one: number for number, one in enumerate(order)}
    renumbered = [place[asked[number]] if number != _LEAF else _LEAF for number in question.tolist()]
    return tuple(order), np.array(renumbered, dtype=np.int64)
