"""Damaged, hostile and absurd files and options for every reader and command: a sentence or an answer, nothing else."""

import json
import re
import shutil
import signal
import tempfile
import warnings
from contextlib import chdir
from pathlib import Path

import numpy as np

from tests.commands import run
from tests.helpers import places
from tests.torture.world import Kind

NUMBERS = [
    *("1e400", "-1e400", "NaN", "Infinity", "1" + "0" * 400, "-1" + "0" * 400, "9" * 5_000, "9" * 20, "5e-324"),
    *("1e308", "-0.0", "0", "-1", "2", "1.5", "18446744073709551616", "1e200", "true", "null", '"1"', "[]", "{}"),
]
TEXTS = ["", " ", "\x00", "\u202e", "=cmd()", "a" * 200_000, "\ud83d\ude00", "<script>", "'; DROP", "0-1", "NaN", "\n"]
OPTIONS = [
    "--depth",
    "--local",
    "--global-budget",
    "--jobs",
    "--seed",
    "--max-leaves",
    "--time-limit",
    "--min-samples-leaf",
]
PROBLEMS = {
    "selection.toml": 'kind = "selection"\nn = 4\np = 2\nitem_names = ["0-1", "0-2", "1-3", "2-3"]\nunit = "EUR"\n',
    "knapsack.toml": (
        'kind = "knapsack"\nweights = [1, 2, 3, 4]\ncapacity = 5\nitem_names = ["0-1", "0-2", "1-3", "2-3"]\n'
    ),
    "path.toml": (
        'kind = "shortest_path"\ntails = ["0", "0", "1", "2"]\nheads = ["1", "2", "3", "3"]\nsource = "0"\n'
        'target = "3"\nitem_names = ["0-1", "0-2", "1-3", "2-3"]\n'
    ),
    "graph.toml": 'kind = "graph"\nedges = "edges.csv"\nsource = 0\ntarget = 3\nname = "name"\n',
    "model.lp": "min\n a + b\nst\n one: a + b >= 1\nbounds\n a <= 1\n b <= 1\nbinary\n a b\nend\n",
}
EDGES = "tail,head,name\n0,1,0-1\n0,2,0-2\n1,3,1-3\n2,3,2-3\n"
COSTS = "day,0-1,0-2,1-3,2-3,a,b\n" + "".join(
    f"2024-01-0{day},{1 + day},{7 - day},{2 * day % 5},{3},{day},{9 - day}\n" for day in range(1, 7)
)
SECONDS = 120


def invoked(words):
    """Run a command in this process, with warnings as errors and an end after two minutes."""

    def late(*_):
        raise TimeoutError(f"{SECONDS} s are over")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return run(*words)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


class Hostile(Kind):
    """One file or option is damaged, one command is run."""

    name = "hostile"

    def __init__(self):
        self._base = Path(tempfile.mkdtemp(prefix="hedgerow-torture-"))
        self._made = False

    def close(self):
        shutil.rmtree(self._base, ignore_errors=True)

    def _make(self):
        """Make one good file of each kind."""
        import pandas as pd

        if self._made:
            return
        self._made = True
        (self._base / "costs.csv").write_text(COSTS)
        (self._base / "edges.csv").write_text(EDGES)
        for name, text in PROBLEMS.items():
            (self._base / name).write_text(text)
        with chdir(self._base):
            pd.read_csv("costs.csv").to_parquet("costs.parquet")
            words = [
                "fit",
                "path.toml",
                "costs.csv",
                "--local",
                "0.1",
                "--method",
                "fix_tree",
                "--iteration-limit",
                "30",
            ]
            done = invoked([*words, "--depth", "2"])
            assert done.exit_code == 0, done.stderr
            later = pd.read_csv("costs.csv", index_col="day") + 0.5
            later.to_csv("later.csv")

    def draw(self, rng):
        self._make()
        costs = str(rng.choice(["costs.csv", "costs.parquet"]))
        problem = str(rng.choice(list(PROBLEMS)))
        formats = ["text", "rules", "dot", "mermaid", "json", "python", "javascript", "sql", "excel"]
        few = ["--method", "one_solution"] if rng.random() < 0.7 else ["--method", "fix_tree", "--iteration-limit", "5"]
        commands = [
            (["fit", problem, costs, *few, "-o", "out.json"], [problem, costs]),
            (["fit", "grid:2", costs, *few, "--context", "costs.csv", "-o", "out.json"], [costs, "costs.csv"]),
            (["predict", "tree.json", costs], ["tree.json", costs]),
            (["evaluate", "tree.json", costs], ["tree.json", costs]),
            (["evaluate", "tree.json", costs, "--local", "0.1", "--json"], ["tree.json", costs]),
            (["explain", "tree.json", costs], ["tree.json", costs]),
            (["export", "tree.json", "--to", str(rng.choice(formats)), "-o", "out.bin"], ["tree.json"]),
            (["report", "tree.json", costs, "-o", "out.html"], ["tree.json", costs]),
            (
                ["watch", "tree.json", "--costs", "later.csv", "--reference", "later.csv"],
                ["tree.json", "later.csv"],
            ),
        ]
        words, files = commands[rng.integers(len(commands))]
        if words[0] == "fit" and rng.random() < 0.25:
            value = str(rng.choice(NUMBERS))
            return [*words, str(rng.choice(OPTIONS)), value], None, b""
        damaged = str(rng.choice(files))
        return words, damaged, self._damage(rng, damaged)

    def _damage(self, rng, name):
        data = (self._base / name).read_bytes()
        if name.endswith(".parquet") or rng.random() < 0.25:
            return self._bytes(rng, data)
        text = data.decode()
        if name.endswith(".json") and rng.random() < 0.5:
            return self._json(rng, json.loads(text)).encode("utf-8", "surrogatepass")
        places = list(re.finditer(r"-?\d+\.?\d*(?:e-?\d+)?|[A-Za-z_]+", text))
        for _ in range(int(rng.integers(1, 3))):
            place = places[rng.integers(len(places))]
            instead = str(rng.choice(NUMBERS if place.group()[-1].isdigit() or rng.random() < 0.3 else TEXTS))
            text = text[: place.start()] + instead + text[place.end() :]
            places = list(re.finditer(r"-?\d+\.?\d*(?:e-?\d+)?|[A-Za-z_]+", text))[:5_000]
        return text.encode("utf-8", "surrogatepass")

    def _bytes(self, rng, data):
        how = rng.integers(5)
        place = int(rng.integers(len(data)))
        if how == 0:
            return data[:place]
        if how == 1:
            return data[:place] + bytes([int(rng.integers(256))]) + data[place + 1 :]
        if how == 2:
            return data[:place] + data[place // 2 :]
        if how == 3:
            return bytes(rng.integers(0, 256, int(rng.integers(200)), dtype=np.uint8))
        return data[:place] + bytes(rng.integers(0, 256, 8, dtype=np.uint8)) + data[place:]

    def _json(self, rng, document):
        """Return the document with one value replaced, taken away or nested a thousand deep."""
        paths = list(places(document))
        path = paths[rng.integers(len(paths))]
        parent = document
        for key in path[:-1]:
            parent = parent[key]
        how = rng.integers(4)
        if how == 0:
            del parent[path[-1]]
            return json.dumps(document)
        if how == 1:
            parent[path[-1]] = str(rng.choice(TEXTS))
            return json.dumps(document, ensure_ascii=False)
        parent[path[-1]] = "@HERE@"
        instead = str(rng.choice(NUMBERS)) if how == 2 else "[" * 3_000 + "]" * 3_000
        return json.dumps(document).replace('"@HERE@"', instead)

    def check(self, case):
        words, damaged, content = case
        self._make()
        with tempfile.TemporaryDirectory(prefix="hedgerow-torture-") as folder:
            for file in self._base.iterdir():
                shutil.copy(file, folder)
            if damaged is not None:
                Path(folder, damaged).write_bytes(content)
            with chdir(folder):
                before = {path.name for path in Path().iterdir()}
                done = invoked(words)
                made = {path.name for path in Path().iterdir()} - before
        error = done.exception
        if error is not None and not isinstance(error, SystemExit):
            raise error
        assert done.exit_code in (0, 2, 3 if words[0] == "watch" else 0), (
            f"status {done.exit_code}: {done.stderr[-300:]}"
        )
        assert "Traceback" not in done.stderr, done.stderr[-300:]
        assert not any(name.endswith(".part") for name in made), f"left behind: {made}"
        if done.exit_code == 2:
            lines = done.stderr.strip().splitlines()
            assert lines, "refused without a sentence"
            assert lines[-1].startswith("hedgerow: "), lines[-1][:300]
            assert len(done.stderr) < 3_000, f"a message of {len(done.stderr)} characters: {done.stderr[:200]}"
            assert done.stdout == "", f"refused after it had printed {done.stdout[:200]!r}"
            assert not made, f"refused, but wrote {made}"

    def told(self, case):
        words, damaged, content = case
        file = "" if damaged is None else f" with {damaged} = {content[:4_000]!r}{'…' if len(content) > 4_000 else ''}"
        return f"hedgerow {' '.join(word[:80] for word in words)}{file}"
