"""Yes/no questions: readings of 0 and 1 are asked about in words, the right way round, by every reader."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from hedgerow import LocalBudget, RobustTree, RuleBook
from hedgerow.export import export
from hedgerow.plot import plot_tree
from hedgerow.problems import Selection
from hedgerow.report import report_html

NAME = "Ann worked at night"
CONTEXT = pd.DataFrame({NAME: [0.0, 1.0, 0.0, 1.0], "share": [0.0, 1.0, 0.5, 0.7]})
COSTS = np.array([[1.0, 5.0], [6.0, 2.0], [1.5, 5.0], [7.0, 2.0]])


@pytest.fixture(scope="module")
def rules():
    model = RobustTree(Selection(2, 1), depth=1, method="nominal", uncertainty=LocalBudget(0.1, prices={NAME: 1.0}))
    rules = model.fit(COSTS, context=CONTEXT).rulebook_
    assert rules.asked == {0: NAME}
    return RuleBook.from_json(rules.to_json())


def test_only_columns_of_nothing_but_0_and_1_are_flags(rules):
    assert rules.training.flags == (0,)
    of_costs = RobustTree(Selection(2, 1), depth=1).fit([[0.0, 1.0], [1.0, 0.0]]).rulebook_
    assert of_costs.training.flags == ()


def test_text_and_drawings_ask_the_question_and_name_the_right_answers(rules):
    assert export(rules, "text").splitlines() == [
        f"{NAME}?",
        "├─ no:  x1 (leaf 0, 2 of 4 samples)",
        "└─ yes: x2 (leaf 1, 2 of 4 samples)",
    ]
    assert export(rules, "rules").startswith(f"If {NAME}: no, then take x1 ")
    assert '0 -> 1 [label="no"];' in export(rules, "dot")
    assert "n0 -->|no| n1" in export(rules, "mermaid")
    drawn = [text.get_text() for text in plot_tree(rules).texts]
    assert drawn[:3] == ["no", "yes", f"{NAME}?"]
    assert f"{NAME}?" in rules._repr_html_()
    for to in ("text", "rules", "dot", "mermaid", "model-card"):
        assert "0.5" not in export(rules, to)


def test_the_page_asks_in_words(rules):
    page = report_html(rules)
    facts = json.loads(re.search(r'id="facts">(.*?)</script>', page, re.DOTALL)[1])
    assert facts["nodes"][0]["asks"] == f"{NAME}?"
    assert facts["items"][0]["kind"] == "flag"
    assert f"{NAME}: no" in page


def test_explanations_say_yes_and_no(rules):
    explained = rules.explain(CONTEXT)
    assert f"because     {NAME}: yes" in str(explained[1])
    assert f"x1 if {NAME}: no" in str(explained[1])
    assert "≤" not in str(explained[1])
