"""Experiment 1 on all of the paper's instances."""

import pytest

from experiments import Plan, run_experiment


@pytest.mark.slow
def test_all_eight_correlations_are_within_three_hundredths_of_the_papers(tmp_path):
    outcome = run_experiment(1, Plan("paper"), tmp_path)
    (table,) = outcome.findings.tables
    differences = [row[table.header.index("difference")] for row in table.rows]
    assert len(differences) == 8
    assert max(map(abs, differences)) < 0.03
