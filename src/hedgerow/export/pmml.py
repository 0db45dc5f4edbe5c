"""Export to PMML 4.4: a tree model for scoring engines and databases."""

__all__ = ["to_pmml"]

from typing import Any, Final
from xml.etree import ElementTree as Xml

import numpy as np

from hedgerow._version import __version__
from hedgerow.export.text import sentence
from hedgerow.questions import Question
from hedgerow.rulebook import RuleBook
from hedgerow.words import printable

_NAMESPACE: Final = "http://www.dmg.org/PMML-4_4"


def to_pmml(source: Any) -> str:
    """Return a PMML document whose model takes readings by name.

    The outputs are `leaf`, the number of the leaf, `advice`, and each entry of the solution by its variable's name,
    unless it is zero at every leaf. A row in which a reading is missing that the tree asks for on the row's way gets
    none of them. Names that occur twice, as a reading and as a variable for instance, are marked with an underscore;
    characters that XML can't hold are replaced by �.

    Examples
    --------
    >>> from hedgerow import RuleBook, Tree
    >>> from hedgerow.export import to_pmml
    >>> tree = Tree.full([0], [35.0], [[1.0, 0.0], [0.0, 1.0]])
    >>> document = to_pmml(RuleBook(tree, ("bridge", "tunnel")))
    >>> '<SimplePredicate field="bridge" operator="lessOrEqual" value="35.0" />' in document
    True
    """
    book = RuleBook.of(source)
    taken: set[str] = set()
    read = {item: _free(name, taken) for item, name in book.asked.items()}
    target = _free("leaf", taken)
    root = Xml.Element("PMML", xmlns=_NAMESPACE, version="4.4")
    note = {"description": book.experience} if book.experience else {}
    Xml.SubElement(Xml.SubElement(root, "Header", note), "Application", name="hedgerow", version=__version__)
    dictionary = Xml.SubElement(root, "DataDictionary", numberOfFields=str(len(read) + 1))
    for name in read.values():
        Xml.SubElement(dictionary, "DataField", name=name, optype="continuous", dataType="double")
    labels = Xml.SubElement(dictionary, "DataField", name=target, optype="categorical", dataType="string")
    for leaf in range(book.tree.n_leaves):
        Xml.SubElement(labels, "Value", value=str(leaf))
    model = Xml.SubElement(
        root,
        "TreeModel",
        modelName="decision tree",
        functionName="classification",
        missingValueStrategy="nullPrediction",
        noTrueChildStrategy="returnNullPrediction",
        splitCharacteristic="binarySplit",
    )
    schema = Xml.SubElement(model, "MiningSchema")
    for name in read.values():
        Xml.SubElement(schema, "MiningField", name=name, missingValueTreatment="asIs")
    Xml.SubElement(schema, "MiningField", name=target, usageType="target")
    _add_outputs(Xml.SubElement(model, "Output"), book, taken)
    fields = _add_sums(Xml.SubElement(model, "LocalTransformations"), book, read, taken)
    model.append(_rules(book, fields))
    Xml.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{Xml.tostring(root, encoding="unicode")}\n'


def _free(name: str, taken: set[str]) -> str:
    """Return the name as XML can hold it, marked if a field is called the same."""
    text = printable(name)
    while text in taken:
        text += "_"
    taken.add(text)
    return text


def _add_outputs(outputs: Xml.Element, book: RuleBook, taken: set[str]) -> None:
    predicted = _free("predicted leaf", taken)
    Xml.SubElement(
        outputs, "OutputField", name=predicted, feature="predictedValue", optype="categorical", dataType="string"
    )
    leaves = range(book.tree.n_leaves)
    _add_map(outputs, predicted, _free("advice", taken), "string", [book.plans.text(leaf) for leaf in leaves])
    solutions = book.tree.solutions
    for place in np.flatnonzero(solutions.any(axis=0)).tolist():
        values = [repr(value) for value in solutions[:, place].tolist()]
        _add_map(outputs, predicted, _free(book.variable_names[place], taken), "double", values)


def _add_map(outputs: Xml.Element, predicted: str, name: str, kind: str, values: list[str]) -> None:
    """Add an output that is looked up by the leaf's number."""
    optype = "continuous" if kind == "double" else "categorical"
    field = Xml.SubElement(outputs, "OutputField", name=name, feature="transformedValue", optype=optype, dataType=kind)
    table = Xml.SubElement(field, "MapValues", outputColumn="value", dataType=kind)
    Xml.SubElement(table, "FieldColumnPair", field=predicted, column="leaf")
    rows = Xml.SubElement(table, "InlineTable")
    for leaf, value in enumerate(values):
        row = Xml.SubElement(rows, "row")
        Xml.SubElement(row, "leaf").text = str(leaf)
        Xml.SubElement(row, "value").text = value


def _add_sums(transformations: Xml.Element, book: RuleBook, read: dict[int, str], taken: set[str]) -> list[str]:
    """Add a field for each question about more than a reading; return the field of every question."""
    fields = []
    for question in book.tree.questions:
        if question.item is not None:
            fields.append(read[question.item])
            continue
        fields.append(_free(book.label(question), taken))
        derived = Xml.SubElement(
            transformations, "DerivedField", name=fields[-1], optype="continuous", dataType="double"
        )
        derived.append(_summed(question, read))
    return fields


def _summed(question: Question, read: dict[int, str]) -> Xml.Element:
    """Return the sum as nested functions, added from left to right."""
    total: Xml.Element | None = None
    for item, coefficient in zip(question.items, question.coefficients, strict=True):
        term = Xml.Element("FieldRef", field=read[item])
        if coefficient != 1.0:
            constant = Xml.Element("Constant", dataType="double")
            constant.text = repr(coefficient)
            term = _applied("*", constant, term)
        total = term if total is None else _applied("+", total, term)
    assert total is not None
    return total


def _applied(function: str, *operands: Xml.Element) -> Xml.Element:
    applied = Xml.Element("Apply", function=function)
    applied.extend(operands)
    return applied


def _rules(book: RuleBook, fields: list[str]) -> Xml.Element:
    def at_leaf(leaf: int) -> Xml.Element:
        node = Xml.Element("Node", score=str(leaf))
        Xml.SubElement(node, "Extension", name="rule", value=printable(sentence(book, leaf)))
        return node

    def at_question(number: int, yes: Xml.Element, no: Xml.Element) -> Xml.Element:
        node = Xml.Element("Node")
        field = fields[int(book.tree.question[number])]
        for child, operator in ((yes, "lessOrEqual"), (no, "greaterThan")):
            threshold = repr(float(book.tree.threshold[number]))
            predicate = Xml.Element("SimplePredicate", field=field, operator=operator, value=threshold)
            child.insert(len(child) if child.find("Node") is None else 0, predicate)
            node.append(child)
        return node

    root = book.fold(at_leaf, at_question)
    root.insert(len(root) if root.find("Node") is None else 0, Xml.Element("True"))
    return root
