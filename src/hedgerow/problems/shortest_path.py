"""Shortest paths in directed graphs."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Self, Unpack

import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

from hedgerow.data.arrays import FloatArray, IntArray, frozen
from hedgerow.data.checks import check_finite, in_short, integer_between, list_some, number_array, unique_names
from hedgerow.errors import InfeasibleProblemError, InputError
from hedgerow.problem import FeasibleSet, Network, RowBlock
from hedgerow.problems.base import LinearProblem, Units, checked_fields, distinct_names, registry

_MOST_STEPS: Final = 2_000_000
"""Beginnings of paths that are looked at before listing is given up, after two seconds."""


@dataclass(frozen=True, eq=False)
class Graph:
    """Arcs from `tails` to `heads` (node numbers), perhaps parallel ones, and the two nodes that paths join."""

    tails: IntArray
    heads: IntArray
    n_nodes: int
    source: int
    target: int

    @cached_property
    def is_acyclic(self) -> bool:
        """Whether no arc lies on a cycle."""
        n_components, _ = csgraph.connected_components(self.matrix(np.ones(len(self.tails))), connection="strong")
        return bool(n_components == self.n_nodes) and not (self.tails == self.heads).any()

    @cached_property
    def arcs_out(self) -> list[list[tuple[int, int]]]:
        """For each node its arcs in order, as pairs (arc, head)."""
        out: list[list[tuple[int, int]]] = [[] for _ in range(self.n_nodes)]
        for arc, (tail, head) in enumerate(zip(self.tails.tolist(), self.heads.tolist(), strict=True)):
            out[tail].append((arc, head))
        return out

    @cached_property
    def _pairs(self) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """The arcs ordered by their ends, the first of each pair of ends, and these pairs as rows and columns."""
        order = np.lexsort((self.heads, self.tails))
        key = self.tails[order] * self.n_nodes + self.heads[order]
        starts = np.flatnonzero(np.diff(key, prepend=-1))
        first = order[starts]
        ends = np.searchsorted(self.tails[first], np.arange(self.n_nodes + 1))
        # Older versions of SciPy take indices of 32 bits only.
        return order, starts, self.heads[first].astype(np.int32), ends.astype(np.int32)

    def matrix(self, costs: FloatArray) -> sp.csr_array:
        """Return the costs as a matrix of nodes by nodes, of parallel arcs the least."""
        order, starts, heads, row_ends = self._pairs
        least = np.minimum.reduceat(costs[order], starts)
        return sp.csr_array((least, heads, row_ends), shape=(self.n_nodes, self.n_nodes))

    def distances(self, costs: FloatArray, *, onward: bool = False) -> tuple[FloatArray, IntArray]:
        """Return what it costs at least to get from the source to each node, and the node before it on the way.

        Onward, it is to the target from each node, and the node after it. Where there are cycles, costs must not be
        below zero.
        """
        search: Any = csgraph.dijkstra if (costs >= 0.0).all() else csgraph.bellman_ford
        matrix, start = self.matrix(costs), self.source
        if onward:
            matrix, start = sp.csr_array(matrix.T), self.target
        distance, before = search(matrix, indices=start, return_predecessors=True)
        return distance, before


def cheapest_path(graph: Graph, costs: FloatArray) -> FloatArray:
    """Return the 0/1 vector of a cheapest path; of equally cheap parallel arcs it takes the first."""
    _, before = graph.distances(costs)
    path, node = np.zeros(len(costs)), graph.target
    while node != graph.source:
        tail = int(before[node])
        path[min((costs[arc], arc) for arc, head in graph.arcs_out[tail] if head == node)[1]] = 1.0
        node = tail
    return path


def path_feasible_set(graph: Graph, nodes: Sequence[str], arc_names: Sequence[str]) -> FeasibleSet:
    """Return binaries x per arc that carry one unit from source to target, and with cycles an order of the nodes.

    Flow alone lets cycles float beside the path. So each of the k nodes v has a place u_v in [0, k − 1], and an arc
    that is used leads up: u_v − u_w + k x_vw ≤ k − 1 (Miller, Tucker and Zemlin, doi:10.1145/321043.321046).
    """
    n_arcs, k = len(graph.tails), graph.n_nodes
    arcs, signs = np.arange(n_arcs), np.repeat([1.0, -1.0], n_arcs)
    ends = np.concatenate([graph.tails, graph.heads])
    leaves_less_enters = sp.csr_array((signs, (ends, np.tile(arcs, 2))), shape=(k, n_arcs))
    supply = np.bincount([graph.source], minlength=k) - np.bincount([graph.target], minlength=k)
    balance = [f"what leaves node '{node}' less what enters it" for node in nodes]
    if graph.is_acyclic:
        return FeasibleSet.of(RowBlock(balance, [leaves_less_enters], supply, supply))
    order = [f"the order of nodes at '{arc}' (paths have no cycles)" for arc in arc_names]
    return FeasibleSet.of(
        RowBlock(balance, [leaves_less_enters, sp.csr_array((k, k))], supply, supply),
        RowBlock(order, [k * sp.eye_array(n_arcs), leaves_less_enters.T], -np.inf, k - 1.0),
        most=np.append(np.ones(n_arcs), np.full(k, k - 1.0)),
        n_whole=n_arcs,
    )


def count_paths(graph: Graph) -> float:
    """Return the number of paths in a graph without cycles."""
    arcs = sp.csr_array((np.ones(len(graph.tails)), (graph.tails, graph.heads)), shape=(graph.n_nodes, graph.n_nodes))
    count, onward = 0.0, np.eye(graph.n_nodes)[graph.target]
    while onward.any():  # paths to the target with one more arc each time
        count += onward[graph.source]
        onward = arcs @ onward
    return count


def paths_within(graph: Graph, costs: FloatArray, limit: float, max_count: int) -> FloatArray | None:
    """Return the 0/1 vectors of all simple paths that cost at most `limit`, ordered arc by arc from the source.

    None if there are more than `max_count`, or if many beginnings lead nowhere, as they may where there are cycles.
    """
    onward, cost = graph.distances(costs, onward=True)[0].tolist(), costs.tolist()
    paths: list[list[int]] = []
    # A path so far: where it is, what it cost, its arcs, and the nodes it passed as bits of a whole number.
    stack: list[tuple[int, float, list[int], int]] = [(graph.source, 0.0, [], 1 << graph.source)]
    for _ in range(_MOST_STEPS):
        if not stack or len(paths) > max_count:
            break
        node, spent, arcs, passed = stack.pop()
        if node == graph.target:
            paths.append(arcs)
            continue
        for arc, head in reversed(graph.arcs_out[node]):
            if not passed >> head & 1 and spent + cost[arc] + onward[head] <= limit:
                stack.append((head, spent + cost[arc], [*arcs, arc], passed | 1 << head))
    if stack or len(paths) > max_count:
        return None
    solutions = np.zeros((len(paths), len(cost)))
    for solution, path in zip(solutions, paths, strict=True):
        solution[path] = 1.0
    return solutions


_MAX_GRID: Final = 200


class ShortestPath(LinearProblem):
    """The cheapest simple path from `source` to `target` in a directed graph; the items are its arcs.

    The graph may have cycles and parallel arcs. Costs may be negative if there are no cycles.

    Parameters
    ----------
    tails, heads
        The node that each arc leaves, and the one that it enters. Nodes are named by texts or numbers, and two names
        that print alike are the same node.
    source, target
        The nodes where paths start and end.
    nodes
        All nodes, if their order matters or some have no arc; by default those of the arcs, in order of appearance.
    item_names
        Names of the arcs; `tail-head` by default, and `tail-head#2`, … for arcs parallel to an earlier one.
    unit, reading_unit
        Unit of the costs, and that of the readings where it is another one.
    positions
        Coordinates (x, y) of every node, for drawing: a mapping, or a matrix in the order of the nodes.

    Raises
    ------
    InfeasibleProblemError
        If there is no path from source to target.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.problems import ShortestPath
    >>> problem = ShortestPath(["s", "s", "1", "2"], ["1", "2", "t", "t"], "s", "t", unit="min")
    >>> problem.item_names
    ('s-1', 's-2', '1-t', '2-t')
    >>> best = problem.best_solution(np.array([[4.0, 1.0, 2.0, 3.0]]))
    >>> problem.describe(best.solution), best.value
    ('s → 2 → t', 4.0)
    """

    kind = "shortest_path"
    lists_near_optimal = True

    def __init__(
        self,
        tails: Iterable[Any],
        heads: Iterable[Any],
        source: Any,
        target: Any,
        *,
        nodes: Iterable[Any] | None = None,
        item_names: Iterable[Any] | None = None,
        positions: Any = None,
        **units: Unpack[Units],
    ) -> None:
        tail_labels, head_labels = _labels(tails, "tails"), _labels(heads, "heads")
        if len(tail_labels) != len(head_labels) or not tail_labels:
            raise InputError(
                f"tails and heads must name the two ends of each arc, of at least one; "
                f"got {len(tail_labels)} tails and {len(head_labels)} heads."
            )
        self.tails: Final = tuple(tail_labels)
        self.heads: Final = tuple(head_labels)
        self.arcs: Final = tuple(zip(tail_labels, head_labels, strict=True))
        by_appearance = dict.fromkeys(label for pair in self.arcs for label in pair)
        self.nodes: Final = unique_names(by_appearance if nodes is None else _labels(nodes, "nodes"), "nodes")
        self._number_of = {label: number for number, label in enumerate(self.nodes)}
        ends = self._numbers(tail_labels, "tails"), self._numbers(head_labels, "heads")
        super().__init__(distinct_names(self.arcs) if item_names is None else item_names, **units)
        if self.n_items != len(self.arcs):
            raise InputError(f"item_names must name each of the {len(self.arcs)} arcs; got {self.n_items} names.")
        self.positions: Final = None if positions is None else _coordinates(positions, self.nodes)
        self.source: Final = str(source)
        self.target: Final = str(target)
        start, end = (int(self._numbers([node], what)[0]) for node, what in ((source, "source"), (target, "target")))
        self._graph = Graph(*ends, len(self.nodes), start, end)
        self._grid_size: int | None = None
        if start == end:
            raise InputError(f"source and target must be two different nodes; got {self.source!r} for both.")
        if np.isinf(self._graph.distances(np.ones(self.n_items))[0][end]):
            raise InfeasibleProblemError(
                f"there is no path from {self.source!r} to {self.target!r}: the target can't be reached. "
                "Check the direction of the arcs, or choose other nodes."
            )

    @classmethod
    def grid(cls, size: int, **units: Unpack[Units]) -> Self:
        """Return the paths from the south-west to the north-east corner of a square grid, east and north only.

        Nodes are numbered row by row from the south-west. For each node below the top row comes first the arc east
        (but in the last column), then the arc north; the arcs of the top row come last, as in the paper's instances.

        Examples
        --------
        >>> ShortestPath.grid(2).item_names
        ('0-1', '0-2', '1-3', '2-3')
        """
        size = integer_between(size, "the grid's size", 2, _MAX_GRID)
        arcs = []
        for node in range(size * size):
            row, column = divmod(node, size)
            if column < size - 1:
                arcs.append((node, node + 1))
            if row < size - 1:
                arcs.append((node, node + size))
        tails, heads = zip(*arcs, strict=True)
        places = {node: (node % size, node // size) for node in range(size * size)}
        problem = cls(tails, heads, 0, size * size - 1, nodes=places, **units, positions=places)
        problem._grid_size = size
        return problem

    @classmethod
    def from_networkx(
        cls, graph: Any, source: Any, target: Any, *, name: str | None = None, **units: Unpack[Units]
    ) -> Self:
        """Return the paths in a networkx `DiGraph` or `MultiDiGraph`, its edges in the graph's order.

        Nodes are drawn where their attributes `x` and `y` say. `name` is the edges' attribute with the items' names;
        they are called `tail-head` without it.

        Examples
        --------
        >>> import networkx as nx
        >>> graph = nx.DiGraph([("s", "1"), ("1", "t"), ("s", "t")])
        >>> ShortestPath.from_networkx(graph, "s", "t").item_names
        ('s-1', 's-t', '1-t')
        """
        if not hasattr(graph, "is_directed") or not graph.is_directed():
            raise InputError(
                f"graph must be a networkx DiGraph or MultiDiGraph; got a {type(graph).__name__}. "
                "graph.to_directed() turns each edge into two arcs, one each way."
            )
        edges = list(graph.edges(data=name))
        names = None if name is None else [own_name for _, _, own_name in edges]
        tails, heads = [edge[0] for edge in edges], [edge[1] for edge in edges]
        has_places = all({"x", "y"} <= set(data) for _, data in graph.nodes(data=True))
        places = {node: (data["x"], data["y"]) for node, data in graph.nodes(data=True)} if has_places else None
        return cls(tails, heads, source, target, nodes=graph.nodes, item_names=names, positions=places, **units)

    @property
    def is_acyclic(self) -> bool:
        """Whether no arc lies on a cycle."""
        return self._graph.is_acyclic

    def check_samples(self, samples: FloatArray) -> None:
        """Raise `InputError` if a cost is negative and there are cycles: no cheapest walk may exist then."""
        wrong = samples < 0.0
        if wrong.any() and not self.is_acyclic:
            row, arc = (int(index) for index in np.argwhere(wrong)[0])
            raise InputError(
                f"costs must be zero or more in a graph with cycles; got {samples[row, arc]:g} for "
                f"'{self.item_names[arc]}' in row {row} ({int(wrong.sum())} such values in all). "
                "Raise these costs to zero, or remove arcs until there is no cycle."
            )

    def _minimise(self, costs: FloatArray) -> FloatArray:
        self.check_samples(costs[np.newaxis])
        return cheapest_path(self._graph, costs)

    def cost_bounds(self, samples: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return, for each sample, the cost of the cheapest path and a bound on that of the most expensive.

        The bound is exact where there is no cycle. Elsewhere the most expensive simple path is NP-hard to find, and the
        bound adds up the most expensive arcs, one fewer than there are nodes.
        """
        if self.is_acyclic:
            return super().cost_bounds(samples)
        least = [self._minimise(sample) @ sample for sample in samples]
        return np.array(least), np.sort(samples, axis=1)[:, 1 - len(self.nodes) :].sum(axis=1)

    def feasible_set(self) -> FeasibleSet:
        """Return X: binaries that conserve flow, with auxiliary columns that forbid cycles where there are any."""
        return path_feasible_set(self._graph, self.nodes, self.item_names)

    def all_solutions(self, limit: int) -> FloatArray | None:
        """Return every simple path (one per row) if there are at most `limit`, else None."""
        if self.is_acyclic and count_paths(self._graph) > limit:
            return None
        return paths_within(self._graph, np.zeros(self.n_items), 0.0, limit)

    def solutions_within(self, sample: FloatArray, limit: float, max_count: int) -> FloatArray | None:
        """Return every path that costs at most `limit` on the sample, or None if they are too many to list."""
        return paths_within(self._graph, sample, limit, max_count)

    def describe(self, solution: FloatArray) -> str:
        """Return the path by its nodes; of parallel arcs the one used is named."""
        walk = self._walk(solution)
        if len(walk) != np.count_nonzero(np.rint(solution)) or not walk or self.arcs[walk[-1]][1] != self.target:
            return super().describe(solution)
        count = Counter(self.arcs)
        stops = [self.source]
        for arc in walk:
            by = f" (by {self.item_names[arc]})" if count[self.arcs[arc]] > 1 else ""
            stops.append(self.arcs[arc][1] + by)
        return " → ".join(stops)

    def network(self) -> Network | None:
        """Return the graph if its nodes have coordinates."""
        if self.positions is None:
            return None
        graph = self._graph
        ends = np.column_stack([graph.tails, graph.heads])
        return Network(self.nodes, ends, self.positions, (graph.source, graph.target))

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready description; a grid's is no more than its size."""
        if self._grid_size is None:
            return super().to_dict()
        return {"kind": "grid", "size": self._grid_size, **({} if self._units == {"unit": ""} else self._units)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the problem that `to_dict` described."""
        if data.get("kind") == "grid":
            return cls.grid(**checked_fields(data, ["size"], ["size", "unit", "reading_unit"]))
        return super().from_dict(data)

    def _numbers(self, nodes: Iterable[Any], what: str) -> IntArray:
        """Return the nodes' numbers; unknown ones are refused by name."""
        labels = _labels(nodes, what)
        unknown = [label for label in dict.fromkeys(labels) if label not in self._number_of]
        if unknown:
            raise InputError(f"{what} must be among the nodes {list_some(self.nodes)}; got {list_some(unknown)}.")
        return frozen(np.array([self._number_of[label] for label in labels], dtype=np.int64))

    def _walk(self, solution: FloatArray) -> list[int]:
        """Return the arcs in use from the source on as far as they lead, each node left once at most."""
        leaving = {self.arcs[arc][0]: arc for arc in np.flatnonzero(np.rint(solution)).tolist()}
        walk, node = list[int](), self.source
        while node in leaving:
            walk.append(leaving.pop(node))
            node = self.arcs[walk[-1]][1]
        return walk


registry["grid"] = ShortestPath


def _labels(names: Any, what: str) -> list[str]:
    """Return nodes as texts, which identify them."""
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise InputError(f"{what} must be a list of nodes; got {in_short(names)}.")
    labels = []
    for position, name in enumerate(names):
        if name is None or (isinstance(name, float) and math.isnan(name)):
            raise InputError(f"{what} must name a node; got {name} at position {position}.")
        labels.append(str(name))
    return labels


def _coordinates(positions: Any, nodes: Sequence[str]) -> FloatArray:
    """Return the nodes' coordinates as a matrix, in the order of the nodes.

    They are given as a mapping, or as a matrix in that order.
    """
    if isinstance(positions, Mapping):
        by_label = {str(node): place for node, place in positions.items()}
        missing = [label for label in nodes if label not in by_label]
        if missing:
            raise InputError(f"positions must hold x and y of every node; missing are {list_some(missing)}.")
        positions = [by_label[label] for label in nodes]
    places = number_array(positions, "positions, x and y of every node,")
    if places.shape != (len(nodes), 2):
        raise InputError(f"positions must hold x and y of every node; got {in_short(positions)}.")
    check_finite(places, "positions")
    return frozen(places)
