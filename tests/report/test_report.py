"""The report as text: what is in it, what is not, and that no name is ever more than a name."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from hedgerow import (
    GlobalBudget,
    InputError,
    LocalBudget,
    RobustTree,
    Tree,
    evaluate,
)
from hedgerow.datasets import motivating_example
from hedgerow.problems import Selection
from hedgerow.report import report_html
from tests.helpers import Machines
from tests.report import books
from tests.report.books import text_of


def facts_of(page):
    return json.loads(re.search(r'<script type="application/json" id="facts">(.*?)</script>', page, re.DOTALL)[1])


class Elements(HTMLParser):
    """Collects every element with its attributes."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def page():
    return report_html(books.motivating(), books.COSTS)


def test_it_asks_nobody_for_anything(page):
    assert "://" not in page
    for tag, attributes in Elements(page).found:
        assert tag not in {"link", "img", "iframe", "object", "embed", "base"}
        assert not {"src", "srcset", "action"} & set(attributes)
        assert attributes.get("href", "#").startswith("#")
        assert not [name for name in attributes if name.startswith("on") or name == "style"]


def test_its_policy_allows_this_script_and_this_style_alone(page):
    (policy,) = [
        attributes["content"]
        for tag, attributes in Elements(page).found
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    for tag, directive in (("style", "style-src"), ("script", "script-src")):
        (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert rules[directive] == f"'sha256-{digest}'"


def test_scripts_never_take_data_for_markup(page):
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"):
        assert way not in script


def test_the_rules_can_be_read_without_scripts(page):
    assert (
        "e1 ≤ 5? yes e2 ≤ 6.5? yes A Plan A: s → 1 → t 2 samples no B Plan B: s → 2 → t no sample as read"
        in text_of(page)
    )


def test_it_shows_nominal_and_worst_case_of_training_and_test():
    problem, costs = motivating_example()
    test = costs + 1.0
    text = text_of(report_html(books.motivating(), costs, test=test))
    found = evaluate(books.HEDGED, problem, test, GlobalBudget(5.0))
    assert "Training data 5 7.2 8.6 36 43" in text
    assert f"Test data 5 {found.nominal_mean:g} {found.robust_mean:g} {found.nominal:g} {found.robust:g}" in text


def test_no_sample_is_in_a_page_that_is_to_hold_none():
    random = np.random.default_rng(0)
    costs = random.uniform(1.0, 9.0, (7, 4))
    page = report_html(books.book(motivating_example()[0], costs, books.HEDGED, LocalBudget(2.0)), costs)
    # The smallest and largest values are the sliders' ranges, and the median stands in for a missing reading.
    summaries = {f(column) for column in costs.T for f in (np.min, np.median, np.max)}
    for value in costs.ravel():
        if value not in summaries:
            assert repr(float(value)) not in page


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({}, "Ended without a proof after 1.5 s (fix_tree): a better tree may exist, since no bound is proven."),
        (
            {"lower_bound": 40.0},
            "Ended without a proof after 1.5 s (fix_tree): a tree of depth 2 over the same thresholds may be better, "
            "by 6.98 % at most.",
        ),
        ({"lower_bound": 43.0, "status": "optimal"}, "Proven optimal after 1.5 s (fix_tree): no tree of depth 2 over"),
    ],
)
def test_it_says_what_is_proven(changes, sentence):
    text = text_of(report_html(books.motivating(**changes)))
    assert f"Could other rules do better? {sentence}" in text


def test_hostile_names_stay_text():
    page = report_html(books.hostile(), books.COSTS, title=books.HOSTILE[0])
    tags = [tag for tag, _ in Elements(page).found]
    assert tags.count("script") == 2
    assert not {"img", "b", "i"} & set(tags)
    assert "49" not in text_of(page)
    assert facts_of(page)["items"][0]["name"] == books.HOSTILE[0]
    assert "\u202e" not in page
    assert "\u2028" not in page
    assert "<title>&lt;/script&gt;" in page


def test_problems_that_only_their_owner_can_build_are_shown_from_model_and_file(tmp_path):
    costs = np.random.default_rng(2).integers(1, 9, (5, 4)).astype(float)
    model = RobustTree(Machines(), depth=1, method="one_solution", uncertainty=LocalBudget(1.0)).fit(costs)
    assert "Training data 5" in text_of(report_html(model, costs))
    model.save(tmp_path / "tree.json")
    text = text_of(report_html(tmp_path / "tree.json"))
    assert "can't be rebuilt from the file" in text
    with pytest.raises(ValueError, match="can't be rebuilt"):
        report_html(tmp_path / "tree.json", costs)


@pytest.mark.parametrize(
    ("costs", "options", "message"),
    [
        (books.COSTS[:3], {}, "it had 5 samples, these are 3; give other data as test data"),
        (books.COSTS + 1.0, {}, "their ranges differ"),
        (books.COSTS[:, :3], {}, "the costs don't match the tree: .* 4 items; got 3"),
        (None, {"test": books.COSTS[:, :3]}, "the test data doesn't match the tree: .* 4 items; got 3"),
        (None, {"title": 7}, "title must be a text"),
    ],
)
def test_data_that_does_not_match_the_tree_is_refused_in_a_sentence(costs, options, message):
    with pytest.raises(InputError, match=message):
        report_html(books.motivating(), costs, **options)


def test_without_jinja2_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "jinja2", None)
    with pytest.raises(InputError, match=r"pip install 'hedgerow\[report\]'"):
        report_html(books.motivating())


@pytest.mark.parametrize("weights", [[1.0, 2.0, 3.0, 1.0, 1.0], [0.5, 1.5, 0.5, 1.5, 1.0]])
def test_weights_that_are_not_at_hand_are_told(weights):
    """Weights with a mean of one are weights, too."""
    problem, costs = motivating_example()
    model = RobustTree(problem, depth=0, method="one_solution").fit(costs, sample_weight=weights)
    text = text_of(report_html(model, costs))
    assert "gave its samples weights" in text
    assert "gave its samples weights" not in text_of(report_html(model, costs, sample_weight=weights))


def test_training_data_is_read_as_the_fit_read_it_whatever_it_learnt_from():
    random = np.random.default_rng(3)
    costs = random.integers(1, 20, (8, 2)).astype(float)
    readings = costs + random.normal(0.0, 1.0, costs.shape)
    model = RobustTree(Selection(2, 1), depth=1, method="nominal", learn_from="readings").fit(costs, readings=readings)
    with pytest.raises(InputError, match="If the tree learnt from readings, give these as readings"):
        report_html(model, costs)
    assert "Training data 8" in text_of(report_html(model, costs, readings=readings))
    from_truth = RobustTree(Selection(2, 1), depth=1, method="nominal").fit(costs, readings=readings)
    assert text_of(report_html(from_truth, costs, readings=readings)) == text_of(report_html(from_truth, costs))


@pytest.mark.parametrize(
    ("sense", "swapped", "words"),
    [
        ("min", False, "following them is 4 per sample better than always following Plan A"),
        ("min", True, "following them is 4 per sample worse than always following Plan A"),
        ("max", False, "following them is 4 per sample better than always following Plan A"),
        ("max", True, "following them is 4 per sample worse than always following Plan A"),
    ],
)
def test_the_page_says_what_was_gained_on_samples_that_the_rules_had_not_seen(sense, swapped, words):
    """A tree of two leaves against its own first plan; on half of the rows the other plan is better or worse by 8."""
    first, second = ([1.0, 0.0], [0.0, 1.0]) if sense == "min" else ([0.0, 1.0], [1.0, 0.0])
    tree = Tree.full([0], [5.0], [first, second])
    test = np.tile([[1.0, 3.0], [10.0, 2.0]], (30, 1))
    if swapped:
        test[1::2] = [10.0, 18.0]
    train = np.array([[1.0, 3.0], [1.0, 3.0], [1.0, 3.0], [6.0, 5.0]])
    saved = books.book(Selection(2, 1, sense=sense), train, tree, LocalBudget(0.5))
    page = text_of(report_html(saved, train, test=test))
    assert words in page
    assert ("not worth following" in page) == swapped
    assert "What was gained" not in text_of(report_html(saved, train))


def test_a_budget_that_a_fit_lowered_is_told_with_the_errors_that_were_measured():
    random = np.random.default_rng(0)
    costs = random.uniform(1.0, 20.0, (30, 2))
    measured = LocalBudget.from_errors(costs + random.normal(0.0, 3.0, costs.shape), costs)
    model = RobustTree(Selection(2, 1), depth=1, method="greedy", uncertainty=measured).fit(costs)
    assert model.rulebook_.lowered_from == measured.budget > model.uncertainty_.budget
    page = report_html(model)
    assert "The budget was lowered from" in text_of(page)
    assert facts_of(page)["budget"]["reach"] == pytest.approx(measured.budget)


def test_the_page_says_what_missing_readings_cost():
    costs = np.random.default_rng(0).uniform(1.0, 9.0, (60, 3))
    model = RobustTree(Selection(3, 1, unit="min"), depth=1, method="greedy").fit(costs)
    lost = model.evaluate(costs, missing=0.1).lost / 60
    assert lost > 0.0
    said = "left out at random, and filled in as the rules say, following them is"
    assert f"{said} {lost:.3g} min per sample worse." in text_of(report_html(model, costs))
    assert f"of the test data {said}" in text_of(report_html(model, costs, test=costs[:20]))
    assert said not in text_of(report_html(model))
