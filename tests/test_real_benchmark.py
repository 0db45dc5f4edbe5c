"""The benchmark on measured data, on a small history made up for it."""

import numpy as np
import pytest

from benchmarks import scope
from benchmarks.real import histories, shares
from hedgerow.problems import Selection


def made_up(n_rows=40, blocks=None):
    rng = np.random.default_rng(0)
    truth = rng.uniform(0.0, 9.0, (2 * n_rows, 2)).round(2)
    readings = truth + rng.normal(0.0, 0.5, truth.shape).round(2)
    parts = (truth[:n_rows], truth[n_rows:], readings[:n_rows], readings[n_rows:])
    return histories.History("toy", Selection(2, 1), *parts, blocks, blocks)


def test_rows_are_spread_over_time_or_come_in_whole_blocks():
    assert made_up().rows(4, 0.5).tolist() == [5, 15, 25, 35]
    assert made_up().rows(None, 0.5).tolist() == list(range(40))
    blocks = np.repeat(np.arange(10), 4)
    drawn = blocks[made_up(blocks=blocks).rows(12, 0.25)]
    assert np.bincount(drawn, minlength=10).tolist().count(4) == 3


def test_blocks_are_found_where_neighbours_are_alike():
    rng = np.random.default_rng(0)
    level = np.repeat(rng.normal(size=(12, 30)), 4, axis=0)
    found = histories.similar_neighbours(level + 0.3 * rng.normal(size=level.shape), np.zeros(48, dtype=int))
    assert found.tolist() == np.repeat(np.arange(12), 4).tolist()


def test_every_contender_is_compared_and_goals_are_told(monkeypatch, tmp_path):
    monkeypatch.setattr(scope, "data_folder", lambda: tmp_path)
    monkeypatch.setattr(shares, "histories", lambda folder: {"toy": made_up})
    monkeypatch.setattr(shares, "_SIZES", (None,))
    monkeypatch.setattr(shares, "_DEPTHS", (1,))
    monkeypatch.setattr(shares, "_DEPTHS_TO_CHOOSE", (0, 1))
    monkeypatch.setattr(shares, "_KINDS", ("items",))
    monkeypatch.setattr(shares, "_DESCENTS", 2)
    outcome = shares.run()
    names = [row[3] for row in outcome.tables[0].rows]
    assert "tree chosen by tune" in names
    assert "solving for the reading" in names
    assert any("beats solving" in goal.what for goal in outcome.goals)
    assert all(np.isfinite(row[4]) for row in outcome.tables[0].rows)


def test_without_data_the_benchmark_is_skipped_with_a_note(monkeypatch):
    monkeypatch.setattr(scope, "data_folder", lambda: None)
    assert "Skipped" in shares.run().note


@pytest.mark.skipif(scope.data_folder() is None, reason="measured data is not at hand")
def test_measured_data_is_read():
    history = histories.histories(scope.data_folder())["pjm"]()
    assert (len(history.train), len(history.test)) == (363, 364)
