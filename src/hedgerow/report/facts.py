"""What a page shows: plain JSON values for its script, and words and figures for its template."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.data.confidence import block_labels, block_means, interval
from hedgerow.evaluation import Evaluation
from hedgerow.explain.stability import conditions_of
from hedgerow.geometry import reach_limit
from hedgerow.report.rendering import in_short, nested_rules
from hedgerow.rules import RuleBook
from hedgerow.tolerances import FEASIBILITY, VALUE
from hedgerow.tree.questions import IN_SET, Question
from hedgerow.wording.numbers import WRITTEN_BY, amount, counted, printable, reading, sentence
from hedgerow.wording.questions import Phrase
from hedgerow.wording.verdicts import budget_per_sample

if TYPE_CHECKING:
    from hedgerow.study import Refit


@dataclass(frozen=True, eq=False)
class ReportData:
    """A rule book with its evaluations on training and test data, where there are any, and options of the page.

    The figures on test data are nominal only where the uncertainty set belongs to the training samples. `with_gaps` has
    some readings left out, of the test data where there is any.
    `refit` says what the rules were before, if they were others.
    """

    book: RuleBook
    training: Evaluation | None
    test: Evaluation | None
    with_gaps: Evaluation | None
    title: str
    refit: "Refit | None" = None

    @property
    def row_samples(self) -> IntArray | None:
        """Per row of the tree's solutions how many training samples follow it; None if not known."""
        if self.training is not None:
            return np.bincount(self.training.attack.nominal_row, minlength=len(self.book.tree.solutions))
        return self.book.row_samples

    @property
    def is_weighted_otherwise(self) -> bool:
        """Whether the training data doesn't cost what it cost in the fit, which gave its samples other weights."""
        result, training = self.book.result, self.training
        if training is None or result is None:
            return False
        return not math.isclose(result.nominal, training.nominal, rel_tol=VALUE)

    def cost(self, value: float) -> str:
        """Return a cost in words."""
        return amount(value, self.book.unit)

    def plan_name(self, plan: int) -> str:
        """Return what a plan is called."""
        return f"Plan {self.book.plans.letters[plan]}"

    def side_name(self, side: str) -> str:
        """Return what one side of a comparison is called: the plan's name where it is one."""
        name, plans = printable(side), self.book.plans.words
        # A reading may be called like a plan that is nothing but it.
        return self.plan_name(plans.index(name)) if name in plans and name not in self.book.names else name

    def phrase(self, question: Question) -> Phrase:
        """Return how the page puts a question into words."""
        return self.book.phrase(question, reading, printable if question.compared is None else self.side_name)

    def condition(self, question: Question, low: float, high: float) -> str:
        """Return `low < value <= high` as a statement about a question."""
        return self.phrase(question).between(low, high)


_MARGIN = 0.08
"""How far a slider reaches beyond what was seen, as a share of the range."""
_FEWEST_STEPS = 20
"""How many steps a slider has at least; ten times as many are too many."""
_LARGEST = 1e150
"""Sliders end here, so that their width is a float."""


def facts_for_script(data: ReportData) -> dict[str, Any]:
    """Return the facts; numbers are floats whose shortest decimals read back exactly, in Python and in a browser."""
    return {
        "unit": data.book.unit,
        "readingUnit": data.book.reading_unit,
        "budget": _budget(data),
        "items": [_item(data, item) for item in data.book.asked],
        "questions": _questions(data),
        "nodes": _nodes(data),
        "rows": _rows(data),
        "fillIns": data.book.fill_ins_in_words,
        "takesLargest": data.book.tree.takes_largest,
        "best": data.book.best,
        "plans": _plans(data),
        "axes": axes(data),
        "variables": {str(each): printable(data.book.variable_names[each]) for each in _used(data).tolist()},
        "network": drawn_network(data.book.problem, _used(data)),
    }


def _budget(data: ReportData) -> dict[str, Any] | None:
    """Return the errors that advice is judged by; None where there is no one number for all samples."""
    words = data.book.expected_errors_in_words
    if not words:
        return None
    return {"reach": float(reach_limit(data.book.expected_errors.budget)), "words": f"{words[0].upper()}{words[1:]}"}


def _item(data: ReportData, item: int) -> dict[str, Any]:
    book = data.book
    tree, errors = book.tree, book.errors_of_any_sample
    # Thresholds of sums say nothing about single readings.
    single = [number for number, question in enumerate(tree.questions) if question.item == item]
    thresholds = tree.threshold[np.isin(tree.question, single)]
    seen = None if book.training is None or not book.feature_names else book.training.ranges[item]
    known = thresholds if seen is None else np.concatenate([thresholds, seen])
    observed = None if data.training is None else data.training.attack.instance.observations[:, item]
    kind = _kind(data, item)
    low, high, step = slider(known if known.size else np.zeros(1))
    prices, of_all = errors.prices, math.inf if errors.limits is None else errors.limits
    limit = float(np.broadcast_to(of_all, max(book.n_features, item + 1))[item])
    return {
        "name": book.names[item],
        "unit": book.reading_unit if item < book.n_readings else "",
        **kind,
        "seen": None if seen is None else seen.tolist(),
        "seenInWords": f"seen so far: {book.seen(item)}" if book.seen(item) and kind["kind"] == "number" else "",
        "low": low,
        "high": high,
        "step": step,
        # What is usual, as an example; nothing is made up where there is no data.
        "example": None if observed is None else _aligned(float(np.median(observed)), step, round),
        "usual": None if book.fill_ins is None else book.fill_ins.typical.get(book.asked[item]),
        "substitutes": _substitutes(data, item),
        "price": 1.0 if prices is None or item >= len(prices) else float(prices[item]),
        "reach": float(reach_limit(limit)) if math.isfinite(limit) else None,
    }


def _substitutes(data: ReportData, item: int) -> list[tuple[int, float]]:
    """Return which items stand in for a missing reading, by their place among the items, and what is added to each."""
    if data.book.fill_ins is None:
        return []
    place = {data.book.asked[other]: number for number, other in enumerate(data.book.asked)}
    substitutes = data.book.fill_ins.substitutes.get(data.book.asked[item], ())
    return [(place[each.name], each.added) for each in substitutes]


def _kind(data: ReportData, item: int) -> dict[str, Any]:
    """Return what kind of reading an item is, which decides how the form takes it, with what that takes.

    `sides` says a change of its value to 0, and to 1, in words.
    """
    book = data.book
    feature = book.context[item - book.n_readings] if item >= book.n_readings else None
    is_flag = book.training is not None and item in book.training.flags
    if not is_flag and (feature is None or not feature.values):
        return {"kind": "number"}
    question = next(each for each in book.tree.questions if item in each.items)
    ends = ((-math.inf, IN_SET), (IN_SET, math.inf))
    found: dict[str, Any] = {"kind": "flag", "sides": [data.condition(question, *each) for each in ends]}
    if feature is not None and feature.values:
        name, values = printable(feature.column.name), feature.column.values
        found.update(kind="category", name=name, values=list(map(printable, values)))
        found["inSet"] = list(map(printable, feature.values))
    return found


def slider(values: FloatArray) -> tuple[float, float, float]:
    """Return lowest value, highest value and step of a slider that covers the values and a little more.

    >>> slider(np.array([3.0, 18.0, 9.5])), slider(np.array([7.0]))
    ((1.8, 19.2, 0.1), (6.0, 8.0, 0.1))
    """
    low, high = np.clip((values.min(), values.max()), -_LARGEST, _LARGEST).tolist()
    margin = _MARGIN * (high - low) or max(1.0, 0.1 * abs(low))
    step = 10.0 ** math.floor(math.log10((high - low + 2.0 * margin) / _FEWEST_STEPS))
    return _aligned(low - margin, step, math.floor), _aligned(high + margin, step, math.ceil), step


def _aligned(value: float, step: float, to_whole: Callable[[float], int]) -> float:
    return float(f"{to_whole(value / step) * step:.12g}")


def _questions(data: ReportData) -> list[dict[str, Any]]:
    """Return the questions in the order of `_question_places`: names, and items with coefficients."""
    return [
        {
            "name": printable(question.label(data.book.names)),
            "terms": _terms(data, question),
            "unit": data.book.unit_of(question),
            "sides": None if question.compared is None else list(map(data.side_name, question.compared)),
        }
        for question in _question_places(data)
    ]


def _terms(data: ReportData, question: Question) -> list[list[float]]:
    """Return what a question adds up: the place of each reading in the form, and its coefficient."""
    terms = zip(question.items, question.coefficients, strict=True)
    return [[[*data.book.asked].index(item), coefficient] for item, coefficient in terms]


def _question_places(data: ReportData) -> dict[Question, int]:
    """Return per question its place; comparisons of plans at the same leaf come after the questions of nodes."""
    tree = data.book.tree
    rows = range(len(tree.solutions) if tree.has_cards else 0)
    compared = [question for row in rows for question, _, _ in conditions_of(tree, row)]
    return {question: place for place, question in enumerate(dict.fromkeys((*tree.questions, *compared)))}


def _nodes(data: ReportData) -> list[dict[str, Any]]:
    tree, place = data.book.tree, _question_places(data)
    found: list[dict[str, Any]] = []
    for node in range(tree.n_nodes):
        if not tree.is_inner[node]:
            rows = tree.rows_at(int(tree.leaf_number[node]))
            found.append({"rows": list(range(rows.start, rows.stop)), "asks": f"Which plan is the {data.book.best}?"})
            continue
        question, threshold = data.book.asks(node), float(tree.threshold[node])
        phrase = data.phrase(question)
        asks, answers = phrase.asks(threshold), phrase.answers(threshold)
        if phrase.values:
            asks = f"{phrase.name} {phrase.values}"
        found.append(
            {
                "question": place[question],
                "threshold": threshold,
                "left": int(tree.left[node]),
                "right": int(tree.right[node]),
                "asks": f"{asks}?" if answers[0] == "no" else f"Is {asks}?",
            }
        )
    return found


def _rows(data: ReportData) -> list[dict[str, Any]]:
    """Return the rows of solutions, a leaf or one of its plans each: when they are advised, and what they add up to."""
    book, counts, place = data.book, data.row_samples, _question_places(data)
    tree, found = book.tree, []
    for row, plan in enumerate(book.plans.of_leaf.tolist()):
        leaf, handicap = int(tree.leaf_of[row]), float(tree.handicap[row])
        on_path = len(tree.intervals_at(leaf))
        found.append(
            {
                "leaf": leaf,
                "plan": plan,
                "samples": None if counts is None else int(counts[row]),
                "reachable": bool(tree.is_reachable[leaf]),
                "conditions": [
                    {
                        "question": place[question],
                        "lower": low if math.isfinite(low) else None,
                        "upper": high if math.isfinite(high) else None,
                        "words": data.condition(question, low, high) if number < on_path else "",
                    }
                    for number, (question, low, high) in enumerate(conditions_of(tree, row))
                ],
                "terms": [] if tree.card(leaf) is None else _terms(data, tree.sums[row]),
                "added": -handicap if tree.takes_largest else handicap,
            }
        )
    return found


def axes(data: ReportData) -> list[int]:
    """Return the two items of the map: the numbers that the tree asks about first; none if it asks about no number."""
    tree = data.book.tree
    inner = np.flatnonzero(tree.is_inner)
    in_order = inner[np.argsort(tree.node_depth[inner], kind="stable")]
    first = [item for node in in_order for item in data.book.asks(int(node)).items]
    items = list(dict.fromkeys([*first, *data.book.asked]))
    places = [[*data.book.asked].index(item) for item in items if _kind(data, item)["kind"] == "number"][:2]
    return places if len(places) == 2 else places * 2


def _plans(data: ReportData) -> list[dict[str, Any]]:
    plans = data.book.plans
    return [
        {
            "letter": plans.letters[plan],
            "words": in_short(words),
            "uses": [
                # Amounts are for reading only, and six digits keep a plan of thousands of them small.
                [variable, float(f"{solution[variable]:.6g}")]
                for variable in np.flatnonzero(abs(solution) > FEASIBILITY).tolist()
            ],
        }
        for plan, (solution, words) in enumerate(zip(plans.solutions, plans.words, strict=True))
    ]


def _used(data: ReportData) -> IntArray:
    """Return the variables that some plan uses."""
    return np.flatnonzero((abs(data.book.tree.solutions) > FEASIBILITY).any(axis=0))


_MOST_ARCS = 3000
"""More are not drawn: they would be unreadable."""
_AROUND = 0.3
"""How far around the plans the rest of the network is shown, as a share of their extent."""
_DIGITS = 4


def drawn_network(problem: Any, used: IntArray) -> dict[str, Any] | None:
    """Return nodes, places and arcs around the arcs that plans use; None where there is no problem on a graph.

    >>> from hedgerow.problems import Selection, ShortestPath
    >>> drawn_network(Selection(2, 1), np.array([0])) is None
    True
    >>> drawn_network(ShortestPath.grid(2), np.array([0, 2]))["arcs"]
    [[0, 1, 0, '0-1'], [0, 2, 1, '0-2'], [1, 3, 2, '1-3'], [2, 3, 3, '2-3']]
    """
    network = None if problem is None else problem.network()
    if network is None:
        return None
    on_plans = np.unique([*network.ends[used].ravel().tolist(), *network.terminals]).astype(np.int64)
    # The plans fill the unit square, in true proportion.
    places = network.places - network.places[on_plans].min(axis=0)
    places = np.round(places / (float(places[on_plans].max()) or 1.0), _DIGITS)
    extent = places[on_plans].max(axis=0, initial=0.0)
    near = (np.abs(places - extent / 2.0) <= extent / 2.0 + _AROUND).all(axis=1)
    near[on_plans] = True
    arcs = np.flatnonzero(near[network.ends].all(axis=1)).tolist()
    if len(arcs) > _MOST_ARCS:
        return None
    number = np.cumsum(near) - 1
    names = problem.variable_names
    return {
        "nodes": [[printable(network.nodes[node]), *places[node].tolist()] for node in np.flatnonzero(near).tolist()],
        "arcs": [[*number[network.ends[arc]].tolist(), arc, printable(names[arc])] for arc in arcs],
        "ends": [int(number[node]) for node in network.terminals],
        "extent": extent.tolist(),
    }


# -- what the template fills in ----------------------------------------------------------------------------------------


def sections(data: ReportData) -> dict[str, Any]:
    """Return the template's variables by name."""
    return {
        "title": data.title,
        "data": data,
        "tree": _tree(data),
        "axes": axes(data),
        "figures": _figure_rows(data),
        "gained": _gain_in_words(data),
        "budget_per_sample": budget_per_sample,
        "version": sentence(WRITTEN_BY),
    }


def _tree(data: ReportData) -> dict[str, Any]:
    """Return the rules with how many training samples reach each."""
    tree, counts = data.book.tree, data.row_samples

    def leaf_note(leaf: int) -> str:
        rows = tree.rows_at(leaf)
        if not data.book.tree.is_reachable[leaf]:
            return "no reading can be so"
        if counts is None:
            return ""
        return counted(int(counts[rows].sum()), "sample") if counts[rows].any() else "no sample as read"

    return nested_rules(data.book, leaf_note=leaf_note, phrase=data.phrase)


# -- how good the rules are: on their training data and on held-out data, as read and at worst -------------------------


def _figure_rows(data: ReportData) -> list[tuple[str, int, float, float, float | None]]:
    """Return per set of samples its name, size and weight, and the sums of costs as read and at worst.

    Those of the training data come from the rule book where no data is given.
    """
    result, training = data.book.result, data.book.training
    rows: list[tuple[str, int, float, float, float | None]] = []
    if data.training is None and training is not None and result is not None:
        rows.append(("Training data", training.n_samples, training.total_weight, result.nominal, result.objective))
    for name, found in (("Training data", data.training), ("Test data", data.test)):
        if found is not None:
            carries_over = found is data.training or not data.book.uncertainty.belongs_to_samples
            robust = found.robust if carries_over else None
            rows.append((name, found.n_samples, found.total_weight, found.nominal, robust))
    return rows


def _gain_in_words(data: ReportData) -> str:
    """Return what the rules gain over their best plan on samples that they have not seen, with its interval."""
    plans, problem, found = data.book.plans, data.book.problem, data.test
    if problem is None or found is None or len(plans) == 1:
        return ""
    known = (data.training or found).attack.instance
    best = int(np.argmin(problem.sign * known.weights @ problem.costs(plans.solutions, known.costs)))
    always = problem.costs(plans.solutions[[best]], found.attack.instance.costs)[:, 0]
    # Rows to test on have no weights.
    gains = problem.sign * (always - found.attack.nominal_cost)
    labels, rng = block_labels(gains.size), np.random.default_rng(0)
    low, high = interval(block_means(gains[:, None], np.ones(gains.size), labels, rng))
    verdict = "" if low > 0.0 else " That may be chance." if high >= 0.0 else " The rules are not worth following."
    mean, least, most = map(data.cost, (abs(float(gains.mean())), low, high))
    return (
        f"On {found.n_samples:,} samples that the rules had not seen, following them is {mean} per sample "
        f"{'better' if gains.mean() >= 0.0 else 'worse'} than always following {data.plan_name(best)} (the gain is "
        f"between {least} and {most} with 95 % confidence).{verdict}"
    )
