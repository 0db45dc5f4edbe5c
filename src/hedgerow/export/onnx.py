"""Export to ONNX: a model in double precision for any program that runs such models."""

import json
from typing import Any, Final

import numpy as np

from hedgerow import __version__
from hedgerow.data.checks import list_some
from hedgerow.errors import InputError, needed
from hedgerow.export.code import inputs_of
from hedgerow.rules import RuleBook
from hedgerow.tree.questions import Question

_OPSETS: Final = {"": 15, "ai.onnx.ml": 3}
"""Versions of the operators that are used; 3 is the first whose trees compare in double precision."""
_FORMAT: Final = 8


def to_onnx(book: RuleBook) -> bytes:
    """Return an ONNX model; it needs the package onnx.

    Each number that the tree asks about is an input by its name, a column of doubles (rows × 1). The outputs are
    `leaf`, the number of the leaf per row, and `solution`, rows × variables. Readings that are NaN are filled in where
    the rule book says how; else a row gets the leaf −1, and NaN for a solution. Rules about categories are refused.
    Sums are added from left to right, a node of the graph for each step; of several plans at a leaf the first with the
    best total is taken. Names of variables and the advice per leaf are among the model's metadata.
    """
    with needed("an ONNX model needs onnx", "onnx"):
        from onnx import helper, numpy_helper
    graph = _Graph(book, helper, numpy_helper)
    double, whole = graph.double, graph.whole
    nodes, n_variables = graph.nodes(), book.tree.solutions.shape[1]
    outputs = [
        helper.make_tensor_value_info(graph.leaf, whole, ["rows"]),
        helper.make_tensor_value_info(graph.solution, double, ["rows", n_variables]),
    ]
    model = helper.make_model(
        helper.make_graph(
            nodes,
            "decision tree",
            [helper.make_tensor_value_info(name, double, ["rows", 1]) for name in graph.inputs.values()],
            outputs,
            initializer=graph.constants,
        ),
        opset_imports=[helper.make_opsetid(domain, version) for domain, version in _OPSETS.items()],
        ir_version=_FORMAT,
        producer_name="hedgerow",
        producer_version=__version__,
    )
    facts = {
        "variables": list(book.variable_names),
        "advice": list(map(book.advice, range(book.tree.n_leaves))),
    }
    helper.set_model_props(model, {name: json.dumps(fact) for name, fact in facts.items()})
    content: bytes = model.SerializeToString(deterministic=True)
    return content


class _Graph:
    """The nodes of the model: readings become values of questions, these a leaf, and the leaf a solution."""

    def __init__(self, book: RuleBook, helper: Any, arrays: Any) -> None:
        given = inputs_of(book)
        texts = [each.name for each in given.values() if each.is_category]
        if texts:
            raise InputError(f"an ONNX model takes numbers only; these rules ask about the text in {list_some(texts)}.")
        self._book, self._helper, self._arrays = book, helper, arrays
        self.double, self.whole = (helper.np_dtype_to_tensor_dtype(np.dtype(name)) for name in ("float64", "int64"))
        # A tree that asks nothing needs an input all the same, which says how many rows there are.
        self.inputs: dict[int, str] = {item: each.name for item, each in given.items()} or {
            0: next(iter(book.feature_names), "reading")
        }
        self._given = given
        self._taken = set(self.inputs.values())
        self.leaf, self.solution = map(self._free, ("leaf", "solution"))
        self.constants: list[Any] = []
        self._nodes: list[Any] = []

    def nodes(self) -> list[Any]:
        """Return all nodes; the constants are complete as well then."""
        self._known = self._filled()
        self._first = next(iter(self._known.values()))
        questions = self._book.tree.questions or (Question.of_item(next(iter(self.inputs))),)
        values = self._add("Concat", [self._value(question) for question in questions], axis=1)
        column = self._add("TreeEnsembleRegressor", [values], domain="ai.onnx.ml", **self._tree())
        number = self._add("Gather", [column, self._constant(np.int64(0))], axis=1)
        row = self._best(self._add("Cast", [number], to=self.whole))
        # A sum with a missing reading is NaN; such rows get −1, which is the last row.
        readings = self._add("Concat", [*self._known.values()], axis=1)
        total = self._add("ReduceSum", [readings, self._constant(np.array([1]))], keepdims=0)
        row = self._add("Where", [self._add("IsNaN", [total]), self._constant(np.int64(-1)), row])
        tree, solutions = self._book.tree, self._book.tree.solutions
        self._add("Gather", [self._constant(np.append(tree.leaf_of, -1)), row], self.leaf)
        table = self._constant(np.vstack([solutions, np.full(solutions.shape[1], np.nan)]))
        self._add("Gather", [table, row], self.solution, axis=0)
        return self._nodes

    def _best(self, leaf: str) -> str:
        """Return the row of solutions that is taken at a leaf: the only one, or the first with the best total."""
        tree = self._book.tree
        row = self._add("Gather", [self._constant(tree.first_row[:-1]), leaf])
        for number in range(tree.n_leaves):
            card = tree.card(number)
            if card is None:
                continue
            added = (-card.handicap if card.takes_largest else card.handicap)[:, None, None]
            totals = [
                self._add("Add", [self._value(total), self._constant(each)])
                for total, each in zip(card.sums, added, strict=True)
            ]
            operator = "ArgMax" if card.takes_largest else "ArgMin"
            best = self._add(operator, [self._add("Concat", totals, axis=1)], axis=1, keepdims=0)
            chosen = self._add("Add", [best, self._constant(np.int64(tree.first_row[number]))])
            is_here = self._add("Equal", [leaf, self._constant(np.int64(number))])
            row = self._add("Where", [is_here, chosen, row])
        return row

    def _filled(self) -> dict[int, str]:
        """Return the inputs by number, with gaps filled in as the rule book says."""
        given = self._given
        fill = {item: self._constant(np.float64(each.usual)) for item, each in given.items() if each.usual is not None}
        missing = {item: self._add("IsNaN", [self.inputs[item]]) for item in fill}
        number = {each.name: item for item, each in given.items() if each.column is None}
        for item in list(fill):
            for substitute in reversed(given[item].substitutes):
                other = number[substitute.name]
                value = self._add("Add", [self.inputs[other], self._constant(np.float64(substitute.added))])
                fill[item] = self._add("Where", [missing[other], fill[item], value])
        return {
            item: self._add("Where", [missing[item], fill[item], name]) if item in fill else name
            for item, name in self.inputs.items()
        }

    def _value(self, question: Question) -> str:
        """Return the question's value; zero for each row if it reads nothing."""
        total = "" if question.items else self._add("Mul", [self._first, self._constant(np.float64(0.0))])
        for item, coefficient in zip(question.items, question.coefficients, strict=True):
            term = self._known[item]
            if coefficient != 1.0:
                term = self._add("Mul", [term, self._constant(np.float64(coefficient))])
            total = self._add("Add", [total, term]) if total else term
        return total

    def _tree(self) -> dict[str, Any]:
        tree = self._book.tree
        inner, leaves = tree.is_inner, np.flatnonzero(~tree.is_inner)
        none = np.zeros(leaves.size, dtype=np.int64).tolist()
        return {
            "n_targets": 1,
            "nodes_treeids": np.zeros(tree.n_nodes, dtype=np.int64).tolist(),
            "nodes_nodeids": np.arange(tree.n_nodes).tolist(),
            "nodes_featureids": np.maximum(tree.question, 0).tolist(),
            "nodes_modes": np.where(inner, "BRANCH_LEQ", "LEAF").tolist(),
            "nodes_values_as_tensor": self._arrays.from_array(np.where(inner, tree.threshold, 0.0)),
            "nodes_truenodeids": np.where(inner, tree.left, 0).tolist(),
            "nodes_falsenodeids": np.where(inner, tree.right, 0).tolist(),
            "target_treeids": none,
            "target_nodeids": leaves.tolist(),
            "target_ids": none,
            "target_weights_as_tensor": self._arrays.from_array(tree.leaf_number[leaves].astype(np.float64)),
        }

    def _add(self, operator: str, inputs: list[str], output: str = "", **attributes: Any) -> str:
        name = output or self._free(f"{operator.lower()} {len(self._nodes)}")
        self._nodes.append(self._helper.make_node(operator, inputs, [name], **attributes))
        return name

    def _constant(self, value: Any) -> str:
        name = self._free(f"constant {len(self.constants)}")
        self.constants.append(self._arrays.from_array(np.asarray(value), name))
        return name

    def _free(self, name: str) -> str:
        """Return the name, marked if an input is called the same."""
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name
