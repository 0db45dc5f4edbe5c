"""The tree as flat arrays: questions at inner nodes, a ready solution at each leaf.

Nodes are numbered in depth-first order, root first and left before right; leaves are numbered from left to right.
This one numbering shows in `apply`, plots, text, JSON and SQL. "At most the threshold" goes left everywhere.
"""

__all__ = ["MAX_TREE_DEPTH", "LeafBounds", "LeafItemBounds", "Tree", "indented"]

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self, TypeAlias, TypeVar

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray, frozen
from hedgerow.data.checks import finite_number, in_short, number_array
from hedgerow.errors import InputError
from hedgerow.tree.features import IN_SET, Feature
from hedgerow.tree.questions import Question, item_number, values_of
from hedgerow.wording.questions import Phrase

MAX_TREE_DEPTH = 16
"""Deepest tree that can be built or read; it has at most 65,536 leaves."""

_Node = TypeVar("_Node")
_Subtree: TypeAlias = "int | tuple[Question, float, _Subtree, _Subtree]"
"""A leaf's number, or a question with its threshold and what follows its answers."""

_LEAF = -1
_FIELDS = ("question", "threshold", "left", "right", "solutions", "questions")
_TOO_DEEP = f"a tree may be at most {MAX_TREE_DEPTH} levels deep; this one is deeper."
_ROWS_PER_BLOCK = 1 << 16


class LeafBounds(NamedTuple):
    """The leaves as boxes: per leaf (rows) the questions on its path, each once, and their `lower < value <= upper`.

    Rows are padded with question 0 and infinite bounds.
    """

    question: IntArray
    lower: FloatArray
    upper: FloatArray


class LeafItemBounds(NamedTuple):
    """The same where every question is about a single reading, with items in place of questions."""

    item: IntArray
    lower: FloatArray
    upper: FloatArray


@dataclass(frozen=True, eq=False)
class Tree:
    """A decision tree whose leaves hold solutions.

    Attributes
    ----------
    question
        Per node the number of the question that it asks, an index into `questions`; −1 at leaves.
    threshold
        Per node the threshold, NaN at leaves: values at most this large go left.
    left, right
        Per node its children's numbers, −1 at leaves.
    solutions
        One row per leaf, from left to right.
    questions
        The questions that the tree asks, each once, in a fixed order. If left out, entries of `question` are indices
        of items, and every question is about a single reading.

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
    left: IntArray
    right: IntArray
    solutions: FloatArray
    questions: tuple[Question, ...] = None  # type: ignore[assignment]  # never None once built

    def __post_init__(self) -> None:
        for name in ("question", "left", "right"):
            object.__setattr__(self, name, frozen(_whole_numbers(getattr(self, name), name)))
        for name in ("threshold", "solutions"):
            # −0.0 becomes 0.0, so that equal trees also hash and print alike.
            object.__setattr__(self, name, frozen(number_array(getattr(self, name), name) + 0.0))
        _check_arrays(self)
        if not np.isnan(self.threshold[~self.is_inner]).all():
            object.__setattr__(self, "threshold", frozen(np.where(self.is_inner, self.threshold, np.nan)))
        questions, question = _in_fixed_order(self.questions, self.question)
        object.__setattr__(self, "questions", questions)
        object.__setattr__(self, "question", frozen(question))

    # -- building ------------------------------------------------------------------------------------------------

    @classmethod
    def single(cls, solution: Sequence[float] | FloatArray) -> Self:
        """Return the tree of depth 0 that always advises the same solution."""
        leaf = np.array([_LEAF])
        return cls(leaf, np.array([np.nan]), leaf, leaf, _solution_vector(solution)[None])

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
        numbers, limits = _whole_numbers(items, "items"), number_array(thresholds, "thresholds")
        rows = [_solution_vector(row) for row in solutions]

        def look(place: int) -> "FloatArray | tuple[Question, float, int, int]":
            if place >= n_inner:
                return rows[place - n_inner]
            return Question.of_item(item_number(numbers[place])), float(limits[place]), 2 * place + 1, 2 * place + 2

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
                return _solution_vector(node["solution"])
            asks = next((key for key in ("question", "column") if key in node), "item")
            _only_keys(node, {asks, "values" if "values" in node else "threshold", "left", "right"})
            below = ((node[side], depth + 1) for side in ("left", "right"))
            if asks == "column":
                question = _context_question(node, context)
            elif asks == "question":
                question = Question.from_dict(node["question"], item_names)
            else:
                question = Question.of_item(item_number(node["item"], item_names))
            threshold = node.get("threshold", IN_SET)
            return question, finite_number(threshold, "a threshold must be a finite number"), *below

        return cls.grown((nested, 0), look)

    @classmethod
    def grown(cls, root: _Node, look: Callable[[_Node], "FloatArray | tuple[Question, float, _Node, _Node]"]) -> Self:
        """Return the tree that grows from a root, where `look` is called with one node after the other.

        It returns a leaf's solution, or an inner node's question, threshold and the nodes to its left and right.
        """
        numbers, thresholds, solutions = list[int](), list[float](), list[FloatArray]()
        children: list[list[int]] = []
        questions: dict[Question, int] = {}
        # An explicit stack in place of recursion: a hostile file must not exhaust the interpreter's.
        stack: list[tuple[_Node, int, int]] = [(root, _LEAF, 0)]
        while stack:
            node, parent, side = stack.pop()
            if parent != _LEAF:
                children[parent][side] = len(numbers)
            found = look(node)
            children.append([_LEAF, _LEAF])
            if not isinstance(found, tuple):
                numbers.append(_LEAF)
                thresholds.append(np.nan)
                solutions.append(found)
                continue
            question, threshold, left, right = found
            stack += [(right, len(numbers), 1), (left, len(numbers), 0)]
            numbers.append(questions.setdefault(question, len(questions)))
            thresholds.append(threshold)
        lengths = sorted({solution.size for solution in solutions})
        if len(lengths) > 1:
            raise InputError(
                f"all leaves must hold solutions of equal length; got {lengths[0]} and {lengths[1]} entries."
            )
        pairs = np.array(children, dtype=np.int64)
        return cls(
            np.array(numbers), np.array(thresholds), pairs[:, 0], pairs[:, 1], np.array(solutions), tuple(questions)
        )

    def split(self, node: int) -> tuple[Question, float, int, int]:
        """Return question, threshold and children of an inner node."""
        asked = self.questions[self.question[node]]
        return asked, float(self.threshold[node]), int(self.left[node]), int(self.right[node])

    def replace(self, **changes: Any) -> Self:
        """Return a copy with other arrays: `tree.replace(threshold=…)` or `tree.replace(solutions=…)`."""
        fields = {name: getattr(self, name) for name in _FIELDS}
        unknown = sorted(set(changes) - set(fields))
        if unknown:
            raise InputError(f"a tree has the fields {', '.join(fields)}; got {', '.join(unknown)}.")
        return type(self)(**{**fields, **changes})

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

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(self.solutions.shape[0])

    @cached_property
    def depth(self) -> int:
        """Number of questions on the longest path."""
        return int(self.node_depth.max())

    @cached_property
    def node_depth(self) -> IntArray:
        """Per node the number of questions above it."""
        depth = np.zeros(self.n_nodes, dtype=np.int64)
        for node in np.flatnonzero(self.is_inner):
            depth[self.left[node]] = depth[self.right[node]] = depth[node] + 1
        return frozen(depth)

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
        """Indices of the items that some question reads, in increasing order."""
        read = sorted({item for question in self.questions for item in question.items})
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
    def bounds(self) -> LeafBounds:
        """The leaves as boxes."""
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
        width = max(map(len, leaves))
        questions = np.zeros((self.n_leaves, width), dtype=np.int64)
        lower, upper = np.full(questions.shape, -np.inf), np.full(questions.shape, np.inf)
        for number, leaf in enumerate(leaves):
            for place, (question, (low, high)) in enumerate(leaf.items()):
                questions[number, place], lower[number, place], upper[number, place] = question, low, high
        return LeafBounds(frozen(questions), frozen(lower), frozen(upper))

    @cached_property
    def item_bounds(self) -> LeafItemBounds:
        """The leaves as boxes of items; only for trees that ask about single readings."""
        bounds = self.bounds
        return LeafItemBounds(frozen(self.question_items[bounds.question]), bounds.lower, bounds.upper)

    @property
    def is_reachable(self) -> BoolArray:
        """Per leaf whether the questions on its way allow any value; together sums may still contradict each other."""
        return np.asarray((self.bounds.lower < self.bounds.upper).all(axis=1))

    def intervals_at(self, leaf: int) -> list[tuple[Question, float, float]]:
        """Return what is asked on the way to a leaf: questions with intervals `lower < value <= upper`."""
        ends = zip(*(side[leaf].tolist() for side in self.bounds), strict=True)
        return [(self.questions[asked], low, high) for asked, low, high in ends if low > -math.inf or high < math.inf]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Tree)
            and self.questions == other.questions
            and all(
                np.array_equal(getattr(self, name), getattr(other, name), equal_nan=name == "threshold")
                for name in _FIELDS[:-1]
            )
        )

    def __hash__(self) -> int:
        arrays = (self.question, self.threshold, self.left, self.solutions)
        return hash((self.questions, *(array.tobytes() for array in arrays)))

    def __repr__(self) -> str:
        return f"Tree(depth={self.depth}, n_leaves={self.n_leaves})"

    # -- use -----------------------------------------------------------------------------------------------------

    def apply(self, readings: Any) -> IntArray:
        """Return the number of the leaf that each observation reaches."""
        matrix, single = self._checked(readings), self.asks_single_items
        leaf = np.empty(len(matrix), dtype=np.int64)
        asked = self.item if single else self.question
        # Block by block the rows stay in cache on their way down the tree.
        for start in range(0, len(matrix), _ROWS_PER_BLOCK):
            block = matrix[start : start + _ROWS_PER_BLOCK]
            values = block if single else values_of(self.questions, block)
            node, rows = np.zeros(len(block), dtype=np.int64), np.arange(len(block))
            for _ in range(self.depth):
                goes_left = values[rows, asked[node]] <= self.threshold[node]
                node = np.where(self.is_inner[node], np.where(goes_left, self.left[node], self.right[node]), node)
            leaf[start : start + len(block)] = self.leaf_number[node]
        return leaf

    def predict(self, readings: Any) -> FloatArray:
        """Return the advised solution of each observation, one per row."""
        return self.solutions[self.apply(readings)]

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
        _, first, number = np.unique(self.solutions, axis=0, return_index=True, return_inverse=True)
        same_as = first[number.ravel()].tolist()

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

        return self.grown(below(0, {}), lambda place: self.solutions[place] if isinstance(place, int) else place)

    def without_question(self, node: int, *, goes_left: bool) -> Self:
        """Return the tree in which an inner node has given way to one of its subtrees.

        >>> tree = Tree.full([0, 1, 2], [5.0, 3.0, 4.0], [[0.0], [1.0], [2.0], [3.0]])
        >>> tree.without_question(0, goes_left=False).to_dict()["item"]
        2
        """
        chosen = int(self.left[node] if goes_left else self.right[node])

        def look(place: int) -> FloatArray | tuple[Question, float, int, int]:
            place = chosen if place == node else place
            return self.split(place) if self.is_inner[place] else self.solutions[self.leaf_number[place]]

        return self.grown(0, look)

    # -- in and out ----------------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Return the tree as nested dictionaries of plain Python numbers."""

        def at_question(node: int, left: dict[str, Any], right: dict[str, Any]) -> dict[str, Any]:
            question, threshold, _, _ = self.split(node)
            return {**_asked_of(question, threshold), "left": left, "right": right}

        return self.fold(lambda leaf: {"solution": self.solutions[leaf].tolist()}, at_question)

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

    def __str__(self) -> str:
        """Return the tree as indented questions and answers; a rule book knows the names of items and plans."""

        def at_question(node: int, yes: list[str], no: list[str]) -> list[str]:
            question, threshold, _, _ = self.split(node)
            return indented(f"{Phrase.of(question).asks(threshold)}?", yes, no)

        lines: list[str] = self.fold(lambda leaf: [np.array2string(self.solutions[leaf])], at_question)
        return "\n".join(lines)


def indented(
    question: str, left: Sequence[str], right: Sequence[str], answers: tuple[str, str] = ("yes", "no")
) -> list[str]:
    """Return the lines of a question and of what follows its two answers."""
    first, second = (f"{answer}:".ljust(4) for answer in answers)
    below = [f"├─ {first} {left[0]}", *(f"│  {line}" for line in left[1:])]
    return [question, *below, f"└─ {second} {right[0]}", *(f"   {line}" for line in right[1:])]


def _check_arrays(tree: Tree) -> None:
    n_nodes = tree.question.size
    if (
        tree.question.ndim != 1
        or not n_nodes
        or any(array.shape != (n_nodes,) for array in (tree.threshold, tree.left, tree.right))
    ):
        shapes = ", ".join(str(array.shape) for array in (tree.question, tree.threshold, tree.left, tree.right))
        raise InputError(
            f"question, threshold, left and right must be vectors, one entry per node; got shapes {shapes}."
        )
    inner = tree.is_inner
    if tree.solutions.ndim != 2 or tree.solutions.shape[0] != n_nodes - int(inner.sum()):
        raise InputError(
            f"solutions must be a matrix with one row for each of the {n_nodes - int(inner.sum())} leaves; "
            f"got shape {tree.solutions.shape}."
        )
    if (tree.question < _LEAF).any() or not np.isfinite(tree.threshold[inner]).all():
        raise InputError("questions must be indices of zero or more (−1 at leaves), and thresholds finite.")
    if not np.isfinite(tree.solutions).all():
        raise InputError("solutions must be finite numbers.")
    # Depth-first numbering, checked in one pass: the left child follows its parent, the right one its left subtree.
    pending = [(0, 0)]
    for node in range(n_nodes):
        expected, depth = pending.pop() if pending else (_LEAF, 0)
        if expected != node:
            raise InputError("nodes must be numbered depth-first from the root, left before right.")
        if depth > MAX_TREE_DEPTH:
            raise InputError(_TOO_DEEP)
        if inner[node]:
            if tree.left[node] != node + 1 or not node + 1 < tree.right[node] < n_nodes:
                raise InputError("nodes must be numbered depth-first from the root, left before right.")
            pending += [(int(tree.right[node]), depth + 1), (node + 1, depth + 1)]
        elif tree.left[node] != _LEAF or tree.right[node] != _LEAF:
            raise InputError(f"leaves must have no children (−1); node {node} has.")
    if pending:
        raise InputError("every child must be a node of the tree.")


def _asked_of(question: Question, threshold: float) -> dict[str, Any]:
    """Return what a node asks, as a tree's description has it."""
    about = question.about
    if about is not None and about.values:
        return {"column": about.column.name, "values": list(about.values)}
    if about is not None:
        return {"column": about.column.name, "threshold": threshold}
    asked = {"question": question.to_dict()} if question.item is None else {"item": question.item}
    return {**asked, "threshold": threshold}


def _context_question(node: Mapping[str, Any], context: Sequence[Question]) -> Question:
    for question in context:
        if question.about is not None and question.about.matches(node):
            return question
    raise InputError(f"the tree asks about the column {in_short(node['column'])} in a way that is not described.")


def _whole_numbers(value: Any, what: str) -> IntArray:
    given = np.asarray(value)
    if given.size and given.dtype.kind not in "iu":
        raise InputError(f"{what} must hold whole numbers; got {in_short(value)}.")
    return given.astype(np.int64)


def _only_keys(node: Mapping[str, Any], allowed: set[str]) -> None:
    if set(node) != allowed:
        raise InputError(
            'a node must have either "solution", or "item", "question" or "column", "threshold", "left" and "right"; '
            f"got {', '.join(sorted(map(in_short, node)))[:80] or 'nothing'}."
        )


def _in_fixed_order(questions: Sequence[Question] | None, question: IntArray) -> tuple[tuple[Question, ...], IntArray]:
    """Return the questions that are asked, each once and sorted, and the nodes' numbers for them."""
    inner = question != _LEAF
    if questions is None:
        asked = {number: Question.of_item(number) for number in np.unique(question[inner]).tolist()}
    else:
        if question[inner].max(initial=-1) >= len(questions):
            raise InputError(f"question must hold indices of the {len(questions)} questions; got {question.max()}.")
        asked = {number: questions[number] for number in np.unique(question[inner]).tolist()}
    order = sorted(set(asked.values()), key=lambda one: (len(one.items) > 1, one.items, one.coefficients, one.name))
    place = {one: number for number, one in enumerate(order)}
    renumbered = [place[asked[number]] if number != _LEAF else _LEAF for number in question.tolist()]
    return tuple(order), np.array(renumbered, dtype=np.int64)


def _solution_vector(solution: Any) -> FloatArray:
    vector = number_array(solution, "a leaf's solution")
    if vector.ndim != 1 or not vector.size or not np.isfinite(vector).all():
        raise InputError(f"a leaf's solution must be a list of finite numbers; got {in_short(solution)}.")
    return vector
