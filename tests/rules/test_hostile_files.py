"""Rule book files that were changed by others: a clean load, or an error of ours; solutions must fit the problem."""

import copy
import json
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow import FileFormatError, GlobalBudget, HedgerowError, InputError, LocalBudget, RobustTree, RuleBook, Tree
from hedgerow.problems import (
    Assignment,
    ExplicitSet,
    Knapsack,
    Oracle,
    Selection,
    ShortestPath,
)
from hedgerow.rules.contents import Labels
from tests.helpers import places
from tests.problems.models import model_of

COSTS = np.random.default_rng(3).integers(1, 9, (6, 4)).astype(float)
MODEL = model_of([1, 1, 1, 1], ([[1, 1, 1, 1]], 2, 2), [1, 1, 1, 1], ([0] * 4, [1] * 4))
PROBLEMS = {
    "selection": Selection(4, 2, unit="min"),
    "grid": ShortestPath.grid(2),
    "explicit": ExplicitSet([[1.0, 0.0, 0.0, 2.0], [0.0, 1.5, 0.0, 0.0]]),
    "knapsack": Knapsack([1, 2, 3, 4], 5),
    "model": MODEL,
    "assignment": Assignment(2),
    "custom": Oracle(lambda costs: (np.argsort(np.argsort(costs)) < 1).astype(float), 4),
}


def text_of(problem, **options):
    costs = COSTS[:, : problem.n_items]
    return RobustTree(problem, depth=1, method="greedy", **options).fit(costs).rulebook_.to_json()


TEXTS = {kind: text_of(problem, uncertainty=LocalBudget(1.0)) for kind, problem in PROBLEMS.items()}
TEXTS["questions"] = text_of(PROBLEMS["selection"], questions="pairs", uncertainty=GlobalBudget(2.0))


def refused(document):
    with pytest.raises(FileFormatError) as caught:
        RuleBook.from_json(document if isinstance(document, str) else json.dumps(document))
    assert len(str(caught.value)) < 400
    return str(caught.value)


def with_solutions(kind, change):
    """Return the document of a kind with the solution of every leaf changed."""
    document = json.loads(TEXTS[kind])
    nodes = [document["tree"]]
    while nodes:
        node = nodes.pop()
        if "solution" in node:
            node["solution"] = change(node["solution"])
        nodes += [node[side] for side in ("left", "right") if side in node]
    return document


@pytest.mark.parametrize("kind", TEXTS)
def test_files_as_written_are_read(kind):
    assert RuleBook.from_json(TEXTS[kind]).to_json() == TEXTS[kind]


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("change", [lambda entries: [*entries, 0.0], lambda entries: entries[:-1]])
def test_solutions_of_another_length_are_refused(kind, change):
    assert "the tree file is damaged" in refused(with_solutions(kind, change))


@pytest.mark.parametrize("kind", [kind for kind in TEXTS if kind != "custom"])
@pytest.mark.parametrize("entry", [0.5, -1.0, 7.0, 1e300])
def test_infeasible_solutions_are_refused_with_the_reason(kind, entry):
    document = with_solutions(kind, lambda entries: [entry] * len(entries))
    assert "the solution of leaf 0 is not feasible: " in refused(document)


def test_keys_that_occur_twice_are_refused():
    assert "'tree' occurs twice" in refused(TEXTS["grid"].replace('"tree":', '"tree": {"solution": [1]}, "tree":', 1))


# -- files changed at random -------------------------------------------------------------------------------------------

PLAIN = [None, True, 0, -1, 1, 3, 10**17, 0.5, -1e300, 5e-324, "", "x", "\x00", "range", "custom"]
LISTS = [[], [[]], [0], [1e300], ["a", "a"], [None]]
OBJECTS = [{}, {"solution": [1, 0]}, {"kind": "grid", "size": 200}, {"kind": "local", "budget": 1e308}]
OTHERS = st.sampled_from([*PLAIN, *LISTS, *OBJECTS]).map(copy.deepcopy)
AGAIN = "§again"  # marks a key that is to occur once more, as no dictionary has it


def changed(document, data):
    """Change one part of a document: drop, repeat, replace, exchange or deepen it."""
    *path, last = data.draw(st.sampled_from(list(places(document))))
    parent = document
    for key in path:
        parent = parent[key]
    change = data.draw(st.sampled_from(["drop", "repeat", "replace", "exchange", "deepen"]))
    if change == "drop":
        del parent[last]
    elif change == "repeat" and isinstance(parent, list):
        parent.append(parent[last])
    elif change == "repeat":
        parent[f"{last}{AGAIN}"] = data.draw(OTHERS)
    elif change == "exchange":
        keys = list(parent) if isinstance(parent, dict) else range(len(parent))
        parent[last] = json.loads(json.dumps(parent[data.draw(st.sampled_from(keys))]))
    elif change == "deepen":
        for _ in range(data.draw(st.sampled_from([1, 2, 20, 200]))):
            parent[last] = [parent[last]] if data.draw(st.booleans()) else {"left": parent[last]}
    else:
        parent[last] = data.draw(OTHERS)


READERS = [
    lambda rules: rules.export("text").encode(),
    lambda rules: rules.export("sql").encode(),
    lambda rules: RuleBook.from_json(rules.to_json()),
    lambda rules: rules.predict(COSTS[:, : max(rules.n_features, 1)]),
    lambda rules: (rules.training, rules.uncertainty, rules.plans.words, repr(rules), str(rules.result)),
]


@pytest.mark.parametrize("kind", TEXTS)
@given(data=st.data())
def test_changed_files_are_read_or_refused_with_a_sentence(kind, data):
    document = json.loads(TEXTS[kind])
    for _ in range(data.draw(st.integers(1, 2))):
        changed(document, data)
    text = json.dumps(document, ensure_ascii=False).replace(AGAIN, "")
    try:
        rules = RuleBook.from_json(text)
    except FileFormatError as error:
        assert "\n" not in str(error)  # noqa: PT017
        return
    for reader in READERS:
        with suppress(HedgerowError):
            reader(rules)


def test_half_a_surrogate_pair_is_refused_by_files(tmp_path):
    with pytest.raises(InputError, match="half a surrogate pair"):
        RuleBook(Tree.single([1.0]), labels=Labels(unit="\ud83d")).save(tmp_path / "rules.json")
    assert not (tmp_path / "rules.json").exists()
