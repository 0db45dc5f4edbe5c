"""What pages claim on measured data and on speed is what the stored results of the benchmarks say."""

import re
from pathlib import Path

import pandas as pd
import pytest

from tests.docs.test_pages_run import FIGURES, PAGES, ROOT

RESULTS = ROOT / "benchmarks" / "results"
WORDS = {page: " ".join(text.split()) for page, text in PAGES.items()}
SHARES = pd.read_csv(FIGURES.SHARES, comment="#")
TUNED, SOLVING = "rules chosen by tune", "solving for the reading"
CLAIMS = {
    ("docs/tested.md", "real_shares_goals"): {
        "4 and 7 of 36": "the rules win 7 of 36 comparisons with solving by more than the interval. They lose 4",
        '"pjm: 10% of the readings missing, points lost",0.2': "lose 0.2 points on PJM",
        '"pjm: 30% of the readings missing, points lost",1.9': "they lose 1.9, 2.5, 9.5 and 9.4",
        '"de: 10% of the readings missing, points lost",-0.0': "0.0 on German forecasts",
        '"de: 30% of the readings missing, points lost",2.5': "they lose 1.9, 2.5, 9.5 and 9.4",
        '"chicago 31→54: 10% of the readings missing, points lost",2.0': "2.0 and 2.0 in Chicago",
        '"chicago 31→54: 30% of the readings missing, points lost",9.5': "they lose 1.9, 2.5, 9.5 and 9.4",
        '"chicago 40→54: 10% of the readings missing, points lost",2.0': "2.0 and 2.0 in Chicago",
        '"chicago 40→54: 30% of the readings missing, points lost",9.4': "they lose 1.9, 2.5, 9.5 and 9.4",
        '"longest tune, seconds",84': "33 to 84 seconds",
    },
    ("docs/watching.md", "watch_goals"): {
        "3.2 %": "| false alarms in 1,000 quiet years | 3.2 % |",
        'median",11': "| one item 50 % more expensive: noticed after, median | 11 days |",
        'all items spread twice as far: days until noticed, median",29': "| all items spread twice as far | 29 days |",
        'items 1 and 5 change places: days until noticed, median",49': "| two items change places | 49 days |",
        'first alarm",none': "On real data there was no alarm",
        '"13.0, 13.0"': "13.0 EUR/MWh over eight hours in these years, and 13.0 in 2015",
    },
    ("docs/watching.md", "watch_delays"): {
        "errors four times as large,100,0": "never within half a year",
    },
    ("docs/watching.md", "real_refits_goals"): {
        "(-1.4 to +0.2)": "−1.4 to +0.2",
        "(-3.6 to +4.5)": "−3.6 to +4.5",
    },
    ("docs/exact-method.md", "exact_local_sizes_goals"): {
        'N = 50, depth 2, midpoints, 5 seeds","5 of 5 proven, worst 0.10 s': "50, 100 and 200 samples are proven",
        'N = 200, depth 2, midpoints, 5 seeds","5 of 5 proven, worst 1.61 s': "0.1, 0.3 and 1.6 CPU seconds",
    },
    ("docs/exact-method.md", "exact_global_sizes_goals"): {
        "5 of 5 proven, worst 7.58 s": "up to 8 s",
        "2 of 5 proven, worst 120.02 s, gap up to 1.76%": "gaps of up to 1.8 %",
    },
    ("docs/exact-method.md", "exact_experiment2_goals"): {"640 of 640": "All 920 runs"},
    ("docs/exact-method.md", "exact_experiment3_goals"): {"280 of 280": "All 920 runs"},
    ("docs/exact-method.md", "search_optima_summary"): {"0.859504": "`fix_tree` was up to 0.9 % above it"},
    ("docs/exact-method.md", "search_scaling_sizes"): {
        "0.00438": "0.4 to 0.8 %",
        "0.00769": "0.4 to 0.8 %",
        "0.0932": "9 to 11 %",
        "0.1070": "9 to 11 %",
    },
}
"""For each page and each stored table: what the table says, and the page's words for it."""


def share(history, name, size="all"):
    """Return the row of a history, a way to decide and a number of rows to learn from."""
    found = SHARES[(SHARES["history"] == history) & (SHARES["decided by"] == name) & (SHARES["N"] == size)]
    return found.iloc[0]


def per_cent(value):
    return f"{100 * value:.0f} %"


def with_interval(row):
    ends = " to ".join(f"{100 * row[end]:.0f}".replace("-", "−") for end in ("from", "to"))
    return f"{per_cent(row['share won'])} ({ends})"


@pytest.mark.parametrize(("history", "name"), FIGURES.HISTORIES.items())
def test_shares_on_measured_data_are_those_stored(history, name):
    tuned, solving = share(history, TUNED), share(history, SOLVING)
    card_or_solving = share(history, "card, or solving")
    cells = [
        per_cent(share(history, "tree (plans)")["share won"]),
        per_cent(share(history, "card of 12 plans")["share won"]),
        f"{per_cent(card_or_solving['share won'])} ({per_cent(card_or_solving['solved'])})",
        with_interval(solving),
        with_interval(tuned),
        f"{tuned['readings']:.0f}",
    ]
    assert f"| {name} | {' | '.join(cells)} |" in PAGES["docs/tested.md"]
    assert f"| {name} | {with_interval(tuned)} | {with_interval(solving)} |" in PAGES["README.md"]


def mean(name, size="all", without=()):
    rows = SHARES[(SHARES["decided by"] == name) & (SHARES["N"] == size) & ~SHARES["history"].isin(without)]
    return per_cent(rows["share won"].mean())


def test_means_on_measured_data_are_those_stored():
    names = ["tree (plans)", "card of 12 plans", "card, or solving", SOLVING, TUNED]
    tested = WORDS["docs/tested.md"]
    assert f"| mean | {' | '.join(mean(name) for name in names)} | |" in tested
    assert f"| mean | {mean(TUNED)} | {mean(SOLVING)} |" in PAGES["README.md"]
    without = ["dayahead"]
    assert f"{mean(TUNED, without=without)} for `tune` and {mean(SOLVING, without=without)} for solving" in tested
    assert (
        f"the rules of `tune` win {mean(TUNED, '50')} on average, solving {mean(SOLVING, '50')}, the card or solving "
        f"{mean('card, or solving', '50')}, and a tree about plans {mean('tree (plans)', '50')}. With 200 rows `tune` "
        f"wins {mean(TUNED, '200')}, and solving {mean(SOLVING, '200')}"
    ) in tested
    weak = SHARES[SHARES["history"].isin(["dayahead", "chicago 53→34"]) & (SHARES["N"] == "all")]
    most = weak.loc[weak["decided by"] != "clairvoyant", "share won"].max()
    assert f"no way to decide wins more than {per_cent(most)}" in tested


def test_shares_of_refits_are_those_stored():
    table = pd.read_csv(RESULTS / "real_refits_shares.csv", comment="#").set_index(["market", "rules"])
    won = {key: per_cent(row["share won"]) for key, row in table.iterrows()}
    advice = {key: f"{row['days with other advice (%)']:.0f} %" for key, row in table.iterrows()}
    rules = ("one change a month", "a free fit a month", "as fitted once")
    for market, name in (("pjm", "PJM"), ("de", "Germany")):
        cells = [f"{won[market, each]} ({advice[market, each]})" for each in rules]
        assert f"| {name} | {' | '.join(cells)} |" in PAGES["docs/watching.md"]


@pytest.mark.parametrize(("page", "table"), CLAIMS)
def test_other_claims_are_those_stored(page, table):
    stored = Path(RESULTS / f"{table}.csv").read_text(encoding="utf-8")
    for value, words in CLAIMS[page, table].items():
        assert value in stored, value
        assert words in WORDS[page], words


def test_counts_of_stored_runs():
    runs = (ROOT / "benchmarks" / "golden" / "runs.csv").read_text(encoding="utf-8").splitlines()
    counted = len([line for line in runs if not line.startswith("#")]) - 1
    assert f"{counted:,} stored runs" in WORDS["docs/tested.md"]
    assert re.search(r"160 of 160", (RESULTS / "exact_experiment2_goals.csv").read_text(encoding="utf-8"))
