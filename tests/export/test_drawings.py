"""Text, sentences, DOT and Mermaid are read back here as the tree they show, whatever its names."""

import re

import numpy as np
import pytest

from hedgerow.export import export
from hedgerow.wording.numbers import printable
from tests.export.trees import tree_file, wide_tree

WIDE = tree_file(wide_tree())
UNIT = printable(WIDE.unit)


def expected(source):
    """Per node of a tree the words that must be shown: name and threshold, or the advice."""
    tree = source.tree
    for node, leaf in enumerate(tree.leaf_number.tolist()):
        if leaf >= 0:
            yield printable(source.labels.advice[leaf])
        else:
            yield printable(source.feature_names[tree.item[node]]), float(tree.threshold[node])


def shown(label):
    """Return name and threshold of a question, read back."""
    name, number = label.removesuffix(f" {UNIT}?").rsplit(" ≤ ", 1)
    return name, float(number)


DOT = {
    "edge": r'  (\d+) -> (\d+) \[label="(yes|no)"\];',
    "node": r'  (\d+) \[label="((?:[^"\\]|\\["\\n])*)"(?:, style=rounded)?\];',
    "code": (r'\\(["\\n])', lambda found: {"n": "\n"}.get(found[1], found[1])),
    "unsafe": "&(?!amp;)",
}
MERMAID = {
    "edge": r"  n(\d+) -->\|(?=(?:yes|no)\| n(\d+))(yes|no)\| n\d+",
    "node": r'  n(\d+)(?:\["|\(\[")(.*?)(?:"\]|"\]\))',
    "code": (r"#(\d+);", lambda code: chr(int(code[1]))),
    "unsafe": r"""["<>&`\\{}\[\]|%$*~^]|#(?!\d+;)""",
}


def read(text, form):
    """Return the labels of the nodes of a graph, and their children by answer."""
    labels, children = {}, {}
    for line in text.splitlines():
        if edge := re.fullmatch(form["edge"], line):
            children[int(edge[1]), edge[3]] = int(edge[2])
        elif node := re.fullmatch(form["node"], line):
            label = node[2].replace("<br/>", "\n") if form is MERMAID else node[2]
            if form is MERMAID:
                assert not re.search(form["unsafe"], label), label
            label = re.sub(*form["code"], label)
            if form is DOT:
                assert not re.search(form["unsafe"], label), label
                label = label.replace("&amp;", "&")
            labels[int(node[1])] = label
        else:
            assert line.startswith(("//", "%%", "digraph tree {", "flowchart TD", "  node [", "  edge [", "}")), line
    return labels, children


@pytest.mark.parametrize(("name", "form"), [("dot", DOT), ("mermaid", MERMAID)])
def test_a_drawing_shows_every_node_with_exact_thresholds_and_left_for_yes(name, form):
    labels, children = read(export(WIDE, name), form)
    tree = WIDE.tree
    for node, words in enumerate(expected(WIDE)):
        if isinstance(words, str):
            assert labels[node].replace("\n", " ") == f"{words} 7 of {7 * tree.n_leaves} samples"
        else:
            assert shown(labels[node].replace("\n", " ")) == words
            assert (children[node, "yes"], children[node, "no"]) == (tree.left[node], tree.right[node])
    assert len(labels) == tree.n_nodes
    assert len(children) == tree.n_nodes - 1


def test_the_text_shows_every_node_in_the_tree_s_own_order():
    lines = export(WIDE, "text").splitlines()
    assert len(lines) == WIDE.tree.n_nodes
    for node, (line, words) in enumerate(zip(lines, expected(WIDE), strict=True)):
        depth = int(WIDE.tree.node_depth[node])
        lead, rest = (line[: 3 * depth - 3], line[3 * depth - 3 :]) if depth else ("", line)
        assert set(lead) <= set("│ ")
        if depth:
            is_left = node in WIDE.tree.left
            assert rest.startswith("├─ yes: " if is_left else "└─ no:  ")
            rest = rest[8:]
        if isinstance(words, str):
            assert rest == f"{words} (leaf {WIDE.tree.leaf_number[node]}, 7 of {7 * 64} samples)"
        else:
            assert shown(rest) == words


def test_the_sentences_hold_for_the_rows_of_their_leaf_and_no_others():
    names = [f"item {number}" for number in range(9)]
    source = tree_file(wide_tree(depth=4, names=names), names, unit="min")
    rows = np.random.default_rng(1).normal(0.0, 60.0, (500, 9))
    rows[:, 0] = 0.1 + 0.2
    leaves = source.tree.apply(rows)
    *sentences, _ = export(source, "rules").splitlines()
    assert len(sentences) == 16
    for leaf, sentence in enumerate(sentences):
        if sentence.startswith("Nothing leads to"):
            assert leaf not in leaves
            continue
        told = re.fullmatch(r"If (.*), then take (.*) \(based on 7 of 112 samples\)\.", sentence)
        assert told[2] == source.labels.advice[leaf]
        holds = np.ones(len(rows), dtype=bool)
        for condition in told[1].split(" and "):
            parts = re.fullmatch(r"(?:(\S+) < )?item (\d)(?: > (\S+))?(?: ≤ (\S+))? min", condition)
            low, item, above, high = parts.groups()
            values = rows[:, int(item)]
            holds &= (values > float(low or above or "-inf")) & (values <= float(high or "inf"))
        np.testing.assert_array_equal(holds, leaves == leaf)
