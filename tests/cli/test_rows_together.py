"""Files whose rows belong together: a date in both must say the same, row by row."""

import pytest

from tests.cli.conftest import COSTS, NAMES, refused, run

DAYS = [f"2026-03-{day:02}" for day in range(1, len(COSTS) + 1)]


def write(path, days, matrix, names, label="date"):
    lines = [",".join([label, *names])]
    lines += [",".join([day, *map(str, row)]) for day, row in zip(days, matrix, strict=True)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def words(command, seen):
    if command == "fit":
        return ("fit", "grid:2", "dated.csv", "--context", seen, "--method", "draw", "--iteration-limit", "3")
    return (
        "tune",
        "grid:2",
        "dated.csv",
        "--readings",
        seen,
        "--questions",
        "items",
        "--method",
        "draw",
        "--iteration-limit",
        "3",
    )


@pytest.mark.parametrize("command", ["fit", "tune"])
def test_rows_in_another_order_are_refused(folder, command):
    write(folder / "dated.csv", DAYS, COSTS, NAMES)
    write(folder / "seen.csv", [DAYS[1], DAYS[0], *DAYS[2:]], COSTS, NAMES)
    message = refused(*words(command, "seen.csv"))
    assert "row 1 (line 2), column 'date' is '2026-03-02', but '2026-03-01' in dated.csv" in message


@pytest.mark.parametrize("command", ["fit", "tune"])
@pytest.mark.parametrize(
    ("days", "label"),
    [(DAYS, "date"), (DAYS[::-1], "seen on"), (["monday"] * len(DAYS), "date")],
    ids=["the same days", "another column", "no label"],
)
def test_others_are_fine(folder, command, days, label):
    write(folder / "dated.csv", DAYS, COSTS, NAMES)
    write(folder / "seen.csv", days, COSTS, NAMES, label)
    assert run(*words(command, "seen.csv")).exit_code == 0
