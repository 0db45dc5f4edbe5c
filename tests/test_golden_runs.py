"""Runs come out as stored: the short part of what `python -m benchmarks.golden compare` looks at."""

import csv
from collections import defaultdict
from pathlib import Path

import pytest

from benchmarks.golden.cases import all_cases, read
from benchmarks.golden.running import run

OPTIMA = Path(__file__).parent / "data" / "optima_4x4_N5_seeds0-4.csv"
STORED = {case: stored for case, (stored, _) in read().items()}
SECONDS = 0.4
PER_PART = 4


def short_part():
    """Some quick runs of each part, spread over it; where all take long, the quickest."""
    parts = defaultdict(list)
    for case, stored in STORED.items():
        parts[case.part].append((stored.seconds, case))
    for runs in parts.values():
        quick = [case for seconds, case in runs if seconds < SECONDS] or [min(runs)[1]]
        yield from quick[:: -(-len(quick) // PER_PART)]


@pytest.mark.parametrize("case", short_part(), ids=str)
def test_runs_come_out_as_stored(case):
    """What was proven is proven, with the same objective; bounds and objectives leave room for those stored."""
    stored, now = STORED[case], run(case)
    assert not now.contradicts(stored)
    if stored.proven:
        assert now.proven
        assert now.objective == pytest.approx(stored.objective, rel=1e-6)


def test_every_case_is_stored():
    assert list(STORED) == all_cases()


def test_stored_runs_have_the_known_optima():
    """The optima of the paper's first five instances, known from other programs."""
    rows = list(csv.DictReader(OPTIMA.read_text(encoding="utf-8").splitlines()))
    known = {(row["set"], float(row["lambda"]), int(row["seed_id"])): row["optimum_over_midpoints"] for row in rows}
    of_experiment = [case for case in STORED if case.part == "experiment2" and case.seed < 5]
    assert len(of_experiment) == len(known) == 160
    for case in of_experiment:
        expected = float(known[case.budget, case.fraction, case.seed])
        assert STORED[case].proven
        assert STORED[case].objective == pytest.approx(expected, rel=1e-6)


def test_nothing_misread_is_a_local_budget_of_zero():
    """Both proofs with `min_samples_leaf` are stored, and agree."""
    nominal = [case for case in STORED if case.part == "nominal_min_samples_leaf"]
    for case in nominal:
        local = case._replace(part="min_samples_leaf", budget="local")
        assert not STORED[case].contradicts(STORED[local])
