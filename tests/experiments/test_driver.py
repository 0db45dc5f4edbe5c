"""A run: written cell by cell, resumed wherever it stopped, and told at the end."""

import csv
import dataclasses

import pytest

from experiments import Plan, driver, run_experiment
from hedgerow import InputError

PLANS = {
    1: Plan("smoke", seeds=[0]),
    2: Plan("smoke", seeds=[0], methods=["exact", "fix_tree", "one_solution"]),
    3: Plan("smoke", seeds=[1], methods=["fix_tree", "exact", "nominal", "one_solution"]),
}


def table(folder):
    """The results, but for the seconds that they took."""
    with (folder / "results.csv").open(encoding="utf-8", newline="") as stream:
        return [{name: value for name, value in row.items() if name != "runtime"} for row in csv.DictReader(stream)]


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A folder per experiment with an uninterrupted run."""
    folders = {number: tmp_path_factory.mktemp(f"experiment{number}") for number in PLANS}
    for number, plan in PLANS.items():
        outcome = run_experiment(number, plan, folders[number])
        assert outcome.computed == outcome.cells > 0
        assert not outcome.failed
    return folders


@pytest.mark.parametrize("number", PLANS)
def test_a_run_writes_results_tables_figures_and_a_report(finished, number):
    folder = finished[number]
    report = (folder / "report.md").read_text(encoding="utf-8")
    tables, figures = sorted((folder / "tables").iterdir()), sorted((folder / "figures").iterdir())
    assert {path.suffix for path in tables} == {".csv", ".md"}
    assert figures
    for figure in figures:
        assert figure.read_bytes().startswith(b"\x89PNG")
        assert f"(figures/{figure.name})" in report
    for path in tables:
        if path.suffix == ".csv":
            header = next(csv.reader(path.read_text(encoding="utf-8").splitlines()))
            assert len(set(header)) == len(header)
    assert "nan" not in report


@pytest.mark.parametrize(("number", "share"), [(1, 0.0), (1, 0.4), (2, 0.6), (2, 0.999), (3, 0.5)])
def test_a_run_that_was_killed_ends_with_the_table_of_one_that_was_not(finished, number, share, tmp_path):
    """The file is cut off anywhere, also within a line or between the lines of one cell."""
    content = (finished[number] / "results.csv").read_bytes()
    (tmp_path / "run.json").write_bytes((finished[number] / "run.json").read_bytes())
    (tmp_path / "results.csv").write_bytes(content[: int(share * len(content))])
    outcome = run_experiment(number, PLANS[number], tmp_path)
    assert outcome.computed > 0
    assert (outcome.computed < outcome.cells) == (share > 0)
    assert table(tmp_path) == table(finished[number])


@pytest.mark.slow
def test_two_processes_find_what_one_finds(finished, tmp_path):
    run_experiment(2, PLANS[2], tmp_path, workers=2)
    assert table(tmp_path) == table(finished[2])


def test_a_failed_cell_is_recorded_and_tried_again_on_request(finished, tmp_path, monkeypatch):
    experiment = driver.EXPERIMENTS[2]
    broken = []

    def work(cell, plan):
        if cell.method == "one_solution" and cell.fraction == 0.05:
            broken.append(cell)
            raise RuntimeError("no luck,\ntoday")
        return experiment.work(cell, plan)

    monkeypatch.setitem(driver.EXPERIMENTS, 2, dataclasses.replace(experiment, work=work))
    outcome = run_experiment(2, PLANS[2], tmp_path)
    assert outcome.computed == outcome.cells
    assert [error for _, error in outcome.failed] == ["RuntimeError: no luck, today"]
    assert "1 failed" in (tmp_path / "report.md").read_text(encoding="utf-8")
    assert run_experiment(2, PLANS[2], tmp_path).computed == 0
    assert len(broken) == 1
    monkeypatch.setitem(driver.EXPERIMENTS, 2, experiment)
    assert run_experiment(2, PLANS[2], tmp_path, retry_failed=True).computed == 1
    assert table(tmp_path) == table(finished[2])


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"scale": "paper"}, "scale 'smoke', not 'paper'"),
        ({"heuristic_time_limit": 3.0}, "heuristic time limit 2.0, not 3.0"),
    ],
)
def test_a_folder_of_another_run_is_refused(finished, change, complaint):
    with pytest.raises(InputError, match=complaint):
        run_experiment(1, dataclasses.replace(PLANS[1], **change), finished[1])


def test_scheduling_is_a_family_without_figures_of_the_paper(tmp_path):
    plan = Plan("smoke", family="scheduling", seeds=(0,), methods=("exact", "one_solution", "nominal"))
    outcome = run_experiment(2, plan, tmp_path / "scheduling")
    assert not outcome.failed
    solved = outcome.findings.tables[0]
    assert solved.rows[-1][:5] == ["both", "all", 6, 6, 6]
    assert all(row[-2:] == [None, None] for row in solved.rows)
