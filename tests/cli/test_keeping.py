"""What was found is kept: failed writes, closed outputs, stops before there is anything to keep."""

import signal
import subprocess
import sys

import pytest

from hedgerow.rules import RuleBook
from tests.cli.conftest import refused
from tests.processes import environment_of_tests, environment_with_hedgerow

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full, /proc and a shell")

FIT = "hedgerow fit grid:2 costs.csv --method one_solution"


def shell(folder, command):
    programs = folder / "programs"
    programs.mkdir(exist_ok=True)
    return subprocess.run(
        ["bash", "-c", command],
        env=environment_with_hedgerow(programs),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_tree_that_can_not_be_saved_is_shown_and_kept_beside_the_input(folder):
    done = shell(folder, f"{FIT} -o /dev/full")
    assert done.returncode == 2
    assert "objective" in done.stdout or "worst case" in done.stdout
    lines = done.stderr.splitlines()
    assert lines[-1] == "hedgerow: /dev/full can't be written: no space left on device."
    kept = next(line for line in lines if "instead" in line)
    (place,) = folder.glob("full-*.json")
    assert str(place) in kept
    assert RuleBook.load(place).proof.method == "one_solution"


def test_a_tree_that_can_be_saved_nowhere_is_written_to_standard_output(folder, monkeypatch):
    from tests.cli.conftest import run

    def full(path, content):
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr("hedgerow.rules.book.write_text", full)
    done = run("fit", "grid:2", "costs.csv", "--method", "one_solution", "--json")
    assert done.exit_code == 2
    assert '"format": "hedgerow' in done.stdout
    assert "tree.json: No space left on device" in done.stderr


@pytest.mark.parametrize("place", ["/proc/tree.json", "/sys/tree.json"])
def test_a_place_that_takes_no_files_is_refused_before_the_search(folder, place):
    message = refused("fit", "grid:2", "costs.csv", "--time-limit", "inf", "-o", place)
    assert place in message
    assert ".part" not in message


@pytest.mark.parametrize(
    "words",
    [
        ("predict", "tree.json", "costs.csv", "-o", "advice.xls"),
        ("generate", "shortest-path", "-o", "costs.ODS"),
        ("fit", "grid:2", "costs.csv", "-o", "tree.xls"),
        ("export", "tree.json", "--to", "text", "-o", "tree.ods"),
        ("explain", "tree.json", "costs.csv", "-o", "why.xlsx"),
    ],
    ids=lambda words: words[0],
)
def test_no_text_is_written_under_the_name_of_a_spreadsheet(tree, folder, words):
    assert "Excel" in refused(*words)
    assert not (folder / words[-1]).exists()


def test_csv_under_the_name_of_a_spreadsheet_is_not_read(tree, folder):
    (folder / "costs.xlsx").write_bytes((folder / "costs.csv").read_bytes())
    for words in (("fit", "grid:2", "costs.xlsx"), ("predict", "tree.json", "costs.xlsx")):
        assert "can't be read as an Excel file" in refused(*words)


@pytest.mark.parametrize("command", [f"{FIT} >&-", f"{FIT} >&- 2>&-", "hedgerow >&-", "hedgerow --version 2>&-"])
def test_a_closed_output_is_no_traceback(folder, command):
    done = shell(folder, command)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    if command.startswith(FIT):
        assert RuleBook.load(folder / "tree.json").tree.n_leaves == 1


def assert_interrupted(code):
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment_of_tests(), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "hedgerow: interrupted.\n")


@pytest.mark.parametrize("error", ["KeyboardInterrupt", "ImportError('failed') from KeyboardInterrupt()"])
def test_ctrl_c_during_the_imports_is_no_traceback(folder, error):
    code = (
        "import sys\n"
        "class Stop:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'hedgerow.cli.app':\n"
        f"            raise {error}\n"
        "sys.meta_path.insert(0, Stop())\n"
        "from hedgerow.__main__ import main\n"
        "main()\n"
    )
    assert_interrupted(code)


def test_ctrl_c_that_an_import_drops_ends_the_program_all_the_same(folder):
    """While the command line is imported: a module may take it for a package that is missing."""
    code = (
        "import os, signal, sys\n"
        "class Stop:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'hedgerow.cli.app':\n"
        "            try:\n"
        "                os.kill(os.getpid(), signal.SIGINT)\n"
        "            except KeyboardInterrupt:\n"
        "                pass\n"
        "sys.meta_path.insert(0, Stop())\n"
        "from hedgerow.__main__ import main\n"
        "sys.argv = ['hedgerow', '--version']\n"
        "main()\n"
    )
    assert_interrupted(code)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "terminate"])
def test_a_stop_during_an_optional_import_takes_effect_after_it(folder, number):
    (folder / "optional.py").write_text(
        f"import os\ntry:\n    os.kill(os.getpid(), {int(number)})\nexcept KeyboardInterrupt:\n    raise ImportError\n"
    )
    code = (
        f"import sys, time\nsys.path.insert(0, {str(folder)!r})\n"
        "from hedgerow import __main__ as program, cli\n"
        "def app(prog_name):\n"
        "    try:\n"
        "        import optional\n"
        "    except ImportError:\n"
        "        pass\n"
        "    time.sleep(30)\n"
        "cli.app = app\n"
        "program.main()\n"
    )
    assert_interrupted(code)


def test_ctrl_c_that_code_in_c_turns_into_another_error_is_no_traceback(folder):
    """As while a figure is drawn: the error has no cause and no context then."""
    code = (
        "import os, signal\n"
        "from hedgerow import __main__ as program, cli\n"
        "def app(prog_name):\n"
        "    try:\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "    except KeyboardInterrupt:\n"
        "        pass\n"
        "    raise ValueError('Invalid affine transformation')\n"
        "cli.app = app\n"
        "program.main()\n"
    )
    assert_interrupted(code)


def test_ctrl_c_in_code_made_of_text_does_not_change_the_status(folder):
    """Such as that of a dataclass: Python remembers it, and would end by the signal at its very end."""
    code = (
        "from hedgerow import __main__ as program, cli\n"
        "def app(prog_name):\n"
        "    exec('raise KeyboardInterrupt')\n"
        "cli.app = app\n"
        "program.main()\n"
    )
    assert_interrupted(code)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "terminate"])
@pytest.mark.parametrize("moment", ["threading._register_atexit", "atexit.register"])
def test_a_stop_after_the_answer_is_no_traceback_and_changes_no_status(folder, number, moment):
    """While the interpreter shuts down: when threads are waited for, and in what is done at its exit."""
    code = (
        "import atexit, os, threading\n"
        "from hedgerow.__main__ import main\n"
        f"{moment}(lambda: os.kill(os.getpid(), {int(number)}))\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "fit", "grid:2", "costs.csv", "--method", "one_solution"],
        env=environment_of_tests(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "worst case" in done.stdout


def test_ctrl_c_where_python_drops_exceptions_is_not_lost(folder):
    """Such as in what is called when an object is deleted."""
    code = (
        "import sys, time, weakref\n"
        "from hedgerow import __main__ as program, cli\n"
        "class Thing: pass\n"
        "def stop(_): raise KeyboardInterrupt\n"
        "def app(prog_name):\n"
        "    thing = Thing()\n"
        "    link = weakref.ref(thing, stop)\n"
        "    del thing\n"
        "    time.sleep(60.0)\n"
        "cli.app = app\n"
        "program.main()\n"
    )
    assert_interrupted(code)


def test_ctrl_c_just_after_the_answer_is_no_traceback(folder):
    code = (
        "import sys\n"
        "from hedgerow import __main__ as program, cli\n"
        "class Stop(SystemExit):\n"
        "    @property\n"
        "    def code(self): raise KeyboardInterrupt\n"
        "def app(prog_name): raise Stop\n"
        "cli.app = app\n"
        "program.main()\n"
    )
    assert_interrupted(code)
