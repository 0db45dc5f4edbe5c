"""`python -m experiments`: what it prints, what it refuses, what it leaves behind."""

import pytest

from experiments.__main__ import main

QUICK = (2, "--methods", "one_solution", "--seeds", "0")


@pytest.fixture
def run(capsys):
    """Return what runs the program, and returns its status, what it printed and its messages."""

    def run(*words):
        try:
            status = main([str(word) for word in words])
        except SystemExit as ended:  # argparse refuses by itself
            status = ended.code
        return (status, *capsys.readouterr())

    return run


@pytest.fixture
def refused(run):
    """Return what runs the program, which has to refuse, and returns its message."""

    def refused(*words):
        status, _, messages = run(*words)
        assert status == 2
        assert "Traceback" not in messages
        return messages

    return refused


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_a_run_ends_with_a_report_and_says_where(run, tmp_path):
    status, printed, messages = run(2, "--methods", "exact,one_solution", "--seeds", "0-1", "--out", "results")
    assert status == 0, messages
    assert "no tree over midpoints is below the local optimum: 18 of 18" in printed
    assert "Runs solved to optimality" in printed
    assert "18 of 18 cells computed now; see results/report.md" in messages
    assert (tmp_path / "results" / "report.md").exists()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((4, "--out", "o"), "the experiment must be one of 1, 2, 3; got 4"),
        ((1,), "the following arguments are required: --out"),
        ((1, "--out", "o", "--scale", "large"), "scale must be one of smoke, paper; got 'large'"),
        ((2, "--out", "o", "--methods", "exact,magic"), "got 'magic'"),
        ((2, "--out", "o", "--seeds", "20"), "seeds must be from 0 to 19"),
        ((2, "--out", "o", "--seeds", "5-3"), "--seeds must be whole numbers"),
        ((1, "--out", "o", "--exact-time-limit", "0"), "time limit of exact methods must be above zero"),
        ((1, "--out", "o", "--methods", "exact"), "experiment 1 draws random trees"),
        ((1, "--out", "o", "--workers", "0"), "workers must be an integer from 1 to"),
    ],
)
def test_bad_use_is_refused_in_one_sentence(refused, words, complaint):
    assert complaint in refused(*words)
