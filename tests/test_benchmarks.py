"""The benchmarks' own machinery: tables are written as they are, and a missed goal is told. Nothing is timed here."""

import csv
import io
from importlib import import_module

import pytest
from rich.console import Console

from benchmarks import __main__ as command_line
from benchmarks import machine, report, scope, summary
from benchmarks.measure import peak_megabytes, seconds
from benchmarks.outcome import Goal, Outcome, Table
from benchmarks.search.many import recorded_rounds
from hedgerow.run.workers import Workers

TABLE = Table(
    "race",
    "Hare and hedgehog",
    ("who", "time [s]", "proven"),
    [("hare", 0.123456789, True), ("hedgehog", 12345, False)],
)


def outcome(met):
    return Outcome("A race", [TABLE], [Goal("hedgehog", "0 s", "below 1 s", met)], note="Run in a furrow.")


def test_tables_are_shown_with_their_units():
    text = io.StringIO()
    report.show(Console(file=text, width=80), outcome(True))
    for shown in ("time [s]", "0.1235", "12,345", "below 1 s", "yes", "Run in a furrow."):
        assert shown in text.getvalue()


def test_tables_are_written_unrounded_with_the_machine(tmp_path):
    report.write(tmp_path, "race", outcome(False), machine.describe())
    lines = (tmp_path / "race_race.csv").read_text(encoding="utf-8").splitlines()
    assert any(line.startswith("# processor: ") for line in lines)
    rows = list(csv.reader(line for line in lines if not line.startswith("#")))
    assert rows == [["who", "time [s]", "proven"], ["hare", "0.123456789", "True"], ["hedgehog", "12345", "False"]]
    told = (tmp_path / "race.md").read_text(encoding="utf-8")
    assert "| hedgehog | 0 s | below 1 s | NO |" in told
    assert "- numpy: " in told


@pytest.mark.parametrize("name", command_line.BENCHMARKS)
def test_every_benchmark_in_the_table_can_be_run(name):
    assert callable(import_module(command_line.BENCHMARKS[name]).run)


@pytest.mark.parametrize(("met", "status"), [(True, 0), (None, 0), (False, 1)])
def test_a_missed_goal_is_an_exit_status(tmp_path, monkeypatch, capsys, met, status):
    module = type("Module", (), {"run": staticmethod(lambda: outcome(met))})
    monkeypatch.setattr(command_line, "use_one_core", lambda: None)
    monkeypatch.setattr(command_line, "import_module", lambda name: module)
    assert command_line.main(["foundation", "--out", str(tmp_path)]) == status
    assert (tmp_path / "foundation.md").exists()
    assert "written: foundation.md" in capsys.readouterr().out


def test_an_unknown_benchmark_is_told_with_those_there_are(capsys):
    with pytest.raises(SystemExit) as caught:
        command_line.main(["nonsense"])
    assert caught.value.code == 2
    assert "there are foundation" in capsys.readouterr().err


def test_time_and_memory_are_measured_per_call():
    calls = []
    assert seconds(lambda: calls.append(sum(range(1000)))) > 0.0
    assert len(calls) > 100
    assert peak_megabytes(lambda: bytearray(64 << 20)) > 32


def test_a_group_is_run_by_its_name(tmp_path, monkeypatch):
    asked_for = []
    module = type("Module", (), {"run": staticmethod(lambda: outcome(True))})
    monkeypatch.setattr(command_line, "use_one_core", lambda: None)
    monkeypatch.setattr(command_line, "import_module", lambda name: asked_for.append(name) or module)
    assert command_line.main(["methods", "methods.excess", "--out", str(tmp_path)]) == 0
    assert asked_for == [path for name, path in command_line.BENCHMARKS.items() if name.startswith("methods.")]
    assert (tmp_path / "methods_excess_race.csv").exists()


def test_long_tables_are_written_to_their_file_only(tmp_path):
    long = Table("all", "All hedgehogs", ("who",), [("Mecki",)], in_report=False)
    report.write(tmp_path, "race", Outcome("A race", [TABLE, long], []), {})
    told = (tmp_path / "race.md").read_text(encoding="utf-8")
    assert "Hare and hedgehog" in told
    assert "All hedgehogs" not in told
    assert "Mecki" in (tmp_path / "race_all.csv").read_text(encoding="utf-8")


def test_the_summary_tells_what_was_missed_and_what_was_not_run(tmp_path):
    report.write(tmp_path, "field.race", outcome(False), {"date": "today", "load": "1.5 when"})
    told = summary.summarise(tmp_path, ["field.race", "field.sleep"]).read_text(encoding="utf-8")
    assert "0 of 1 goals are met." in told
    assert "| hedgehog | 0 s | below 1 s | NO |" in told
    assert "load 1.5" in told
    assert "## field.sleep\n\nHas not been run." in told


def test_a_skipped_benchmark_leaves_earlier_results_alone(tmp_path, monkeypatch):
    module = type("Module", (), {"run": staticmethod(lambda: Outcome("A race", [], [], note="Skipped."))})
    monkeypatch.setattr(command_line, "use_one_core", lambda: None)
    monkeypatch.setattr(command_line, "import_module", lambda name: module)
    assert command_line.main(["foundation", "--out", str(tmp_path)]) == 0
    assert not list(tmp_path.iterdir())


def test_a_quick_look_takes_few_instances_and_little_time(monkeypatch):
    for variable in (scope.QUICK, scope.LIMIT):
        monkeypatch.delenv(variable, raising=False)
    assert (scope.some(range(20), 2), scope.seconds(60.0), scope.in_words()) == (range(20), 60.0, "")
    monkeypatch.setenv(scope.LIMIT, "30")
    assert scope.seconds(60.0) == 30.0
    assert "30 s" in scope.in_words()
    monkeypatch.setenv(scope.QUICK, "1")
    assert (scope.some(range(20), 2), scope.seconds(60.0)) == (range(2), 2.0)


def test_times_are_recorded_per_round_and_inner_rounds_count_for_the_outer():
    both = Workers(lambda shared: lambda task, *_: [each.value for each in inner.stream([task])], None)
    inner = Workers(lambda shared: lambda task, *_: task, None)
    with recorded_rounds() as rounds:
        assert list(both.results([1, 2])) == [[1], [2]]
        list(inner.results([3]))
    list(inner.results([4]))
    assert [len(tasks) for tasks in rounds] == [2, 1]
    assert all(seconds >= 0.0 for tasks in rounds for seconds in tasks)
