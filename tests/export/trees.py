"""Trees for the exports: names that try to break out, thresholds that are hard to write, rows that sit on them."""

import numpy as np

from hedgerow import RuleBook, Tree
from hedgerow.rules import Labels, Training
from hedgerow.tree.questions import Question

HOSTILE = (
    "a,b;c",
    'quote"d',
    "it's",
    "<b>&amp;</b>",
    "=cmd()",
    "+1+1",
    "-1",
    "@SUM(A1)",
    '"; DROP TABLE readings; --',
    "'; DROP TABLE readings; --",
    "🚲 by bike",
    "new\nline",
    "x" * 200,
    "back\\slash\\",
    "*/",
    "/*",
    "</script>",
    "<!--",
    "]]>",
    "`tick`",
    "${1+1}",
    "{brace}",
    "%s %(x)s",
    '"""',
    "'''",
    "__proto__",
    "toString",
    "#N/A",
    "#quot;",
    "line\u2028end",
    "\ttab",
    "esc\x1b[31m",
    "%%{init: {}}%%",
    "leaf",
    "advice",
    "given",
    "Ünïcode → \\N \\n &lt;",
    "1. list",
)

HARD = (0.1 + 0.2, 1e-5, 1 / 3, -1 / 3, 0.0, -7.0, 123456789.12345679, 9007199254740993.0, 1e20, 5.000000000000001, 2.5)


def wide_tree(depth=6, names=HOSTILE, seed=0, n_solutions=5):
    """A tree of hard thresholds whose nodes ask about the names one after the other, with few distinct solutions."""
    rng = np.random.default_rng(seed)
    n_inner = 2**depth - 1
    thresholds = [*HARD, *rng.normal(0.0, 50.0, n_inner)][:n_inner]
    pool = rng.integers(0, 3, (n_solutions, len(names))).astype(float)
    pool[0] += 0.1
    solutions = pool[rng.integers(0, n_solutions, n_inner + 1)]
    return Tree.full([node % len(names) for node in range(n_inner)], thresholds, solutions)


def tree_file(tree, names=HOSTILE, unit="<min> \"'\\"):
    """The tree with names for all, no problem that could be rebuilt, and counted samples."""
    texts = {}
    advice = [
        texts.setdefault(solution.tobytes(), f"{names[len(texts) % len(names)]}, way {len(texts)}")
        for solution in tree.solutions
    ]
    n_rows = len(tree.solutions)
    training = Training(
        n_samples=7 * n_rows,
        depth=tree.depth,
        minima=np.zeros(len(names)),
        maxima=np.ones(len(names)),
        total_weight=1.0,
        leaf_samples=np.full(n_rows, 7),
    )
    return RuleBook(tree, tuple(names), labels=Labels(names, advice, unit), training=training)


def card_tree(names=HOSTILE, seed=0, take="smallest"):
    """A tree of depth 2 with one leaf of a single plan, and cards with handicaps, equal plans and one that is empty."""
    rng = np.random.default_rng(seed)

    def card(n_plans):
        plans = rng.choice([0.0, 1.0, 2.0, 1 / 3, -0.1], (n_plans, len(names)), p=[0.6, 0.2, 0.1, 0.05, 0.05])
        plans[-1] = 0.0 if n_plans == 4 else plans[0]
        handicap = rng.choice([0.0, 0.1, 1 / 3], n_plans) * (np.arange(n_plans) != rng.integers(n_plans))
        listed = [{"solution": plan, "handicap": each} for plan, each in zip(plans, handicap, strict=True)]
        return {"plans": listed, **({"take": "largest"} if take == "largest" else {})}

    def split(item, threshold, left, right):
        return {"item": item, "threshold": threshold, "left": left, "right": right}

    single = {"solution": rng.integers(0, 3, len(names)).astype(float)}
    return Tree.from_dict(split(0, 0.1 + 0.2, split(1, 1 / 3, card(3), single), split(2, 2.0, card(4), card(7))))


def rows_with_ties(n_items, n_rows, seed=1):
    """Rows on a lattice, where totals are often equal, and rows that are not."""
    rng = np.random.default_rng(seed)
    rows = rng.integers(-2, 3, (n_rows, n_items)) * rng.choice([1.0, 0.5], (n_rows, 1))
    rows[::3] = rng.normal(0.0, 3.0, rows[::3].shape)
    return rows


def rows_at_thresholds(tree, n_items, n_rows, seed=0):
    """Rows whose entries are thresholds of their item, the floating neighbours of these, or anything else."""
    rng = np.random.default_rng(seed)
    rows = np.zeros((n_rows, n_items))
    if tree.has_cards:
        return rows_with_ties(n_items, n_rows)
    if not tree.asks_single_items:
        return rows_at_sums(tree, rng.normal(0.0, 60.0, (n_rows, n_items)), rng)
    for item in tree.asked_items:
        rows[:, item] = rng.normal(0.0, 60.0, n_rows)
        own = tree.threshold[tree.item == item]
        near = np.concatenate([own, np.nextafter(own, -np.inf), np.nextafter(own, np.inf), -own])
        exact = rng.random(n_rows) < 0.75
        rows[exact, item] = rng.choice(near, int(exact.sum()))
    return rows


def comparing_tree(names=HOSTILE, seed=0):
    """A tree that asks about sums of readings with coefficients that are hard to write, and about one reading."""
    rng = np.random.default_rng(seed)

    def nested(depth, number):
        if depth == 0:
            return {"solution": rng.integers(0, 3, len(names)).astype(float)}
        node = {"threshold": HARD[number % len(HARD)], "left": nested(depth - 1, 2 * number + 1)}
        node["right"] = nested(depth - 1, 2 * number + 2)
        if number == 2:
            return {"item": 5, **node}
        items = rng.choice(len(names), 2 + number % 3, replace=False).tolist()
        numbers = rng.choice([1.0, -1.0, 1 / 3, -0.1, 2.5], len(items)).tolist()
        name = f"{names[items[0]]} less {names[items[1]]}"
        return {"question": Question.of(dict(zip(items, numbers, strict=True)), name).to_dict(), **node}

    return Tree.from_dict(nested(3, 0))


def rows_at_sums(tree, rows, rng):
    """Move one reading of most rows so that a question's value is its threshold, or next to it."""
    inner = np.flatnonzero(tree.is_inner)
    for row in rows[: 3 * len(rows) // 4]:
        node = rng.choice(inner)
        question = tree.questions[tree.question[node]]
        item, coefficient = question.items[-1], question.coefficients[-1]
        row[item] = 0.0
        row[item] = (tree.threshold[node] - question.values(row[None])[0]) / coefficient
        row[item] = np.nextafter(row[item], rng.choice([-np.inf, row[item], np.inf]))
    return rows
