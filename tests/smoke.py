"""Install a wheel or a source distribution into an empty environment, away from the sources, and try it there.

Called as `python tests/smoke.py dist/hedgerow-….whl`; without a file, what is installed beside this Python is tried.
It needs the standard library alone.
"""

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

COMMANDS = [
    ["hedgerow", "--version"],
    ["hedgerow", "generate", "shortest-path", "--grid", "3", "--samples", "8", "-o", "costs.csv"],
    ["hedgerow", "fit", "grid:3", "costs.csv", "--local", "0.05", "--method", "greedy", "-o", "tree.json"],
    ["hedgerow", "predict", "tree.json", "costs.csv", "-o", "decisions.csv"],
    ["hedgerow", "evaluate", "tree.json", "costs.csv"],
    ["hedgerow", "export", "tree.json", "--to", "rules"],
    ["hedgerow", "generate", "shortest-path", "--grid", "3", "--test", "-o", "later.csv"],
    ["hedgerow", "watch", "tree.json", "--costs", "later.csv"],
    ["hedgerow", "report", "tree.json", "costs.csv", "-o", "report.html"],
]


def main(package):
    """Install and try; an error ends with the output of the command that failed."""
    scripts = "Scripts" if os.name == "nt" else "bin"
    if package is None:
        with tempfile.TemporaryDirectory() as folder:
            try_in(Path(folder), Path(sys.executable).parent, COMMANDS)
        return
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        venv.create(home / "venv", with_pip=True)
        programs = home / "venv" / scripts
        run(
            [str(programs / "python"), "-m", "pip", "install", "--quiet", f"hedgerow[report] @ {package.as_uri()}"],
            home,
        )
        try_in(home, programs, [*COMMANDS, ["hedgerow", "demo"]] if package.suffix == ".whl" else COMMANDS)
    print(f"{package.name} installs into an empty environment and works")


def try_in(folder, programs, commands):
    """Run the commands one after the other in a folder."""
    for command in commands:
        run([str(programs / command[0]), *command[1:]], folder)
    assert "<html" in (folder / "report.html").read_text(encoding="utf-8")


def run(command, folder):
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else None)
