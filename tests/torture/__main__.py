"""Looks for faults until the time is up: seeded, resumable, with counts and the words that repeat each finding.

    python -m tests.torture --minutes 60 --seed 0 --state torture.json
    python -m tests.torture --only hostile --case 4711     # one case again

Case k of a kind is drawn from the seed, the kind and k alone, so that a finding can be repeated anywhere.
"""

import argparse
import json
import sys
import time
import traceback
from pathlib import Path

import numpy as np

from tests.torture.context import Context
from tests.torture.hostile import Hostile
from tests.torture.limits import Limits
from tests.torture.paths import Paths
from tests.torture.values import Adversary, Optimum
from tests.torture.wishes import GoodTrees, Wishing

KINDS = {kind.name: kind for kind in (Adversary, Optimum, Context, Hostile, Limits, Paths, Wishing, GoodTrees)}
SHARES = {
    "adversary": 0.1,
    "optimum": 0.25,
    "context": 0.1,
    "hostile": 0.15,
    "paths": 0.2,
    "wishes": 0.2,
    "alternatives": 0.1,
    "limits": 0.5,
}
"""How the time is divided among the kinds."""


def generator(seed, kind, number):
    return np.random.default_rng([seed, *kind.encode(), number])


def failure(kind, case):
    """Return what is wrong with a case in one text, or None if it holds."""
    try:
        kind.check(case)
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__}: {str(error)[:500]} ({Path(last.filename).name}:{last.lineno})"
    return None


class State:
    """Counts and findings, kept in a file after every batch."""

    def __init__(self, path, seed):
        self._path = path
        self.seed = seed
        self.done = dict.fromkeys(KINDS, 0)
        self.seconds = dict.fromkeys(KINDS, 0.0)
        self.found = []
        if path is not None and path.exists():
            kept = json.loads(path.read_text(encoding="utf-8"))
            if kept["seed"] == seed:
                self.done.update(kept["done"])
                self.seconds.update(kept["seconds"])
                self.found = kept["found"]

    def save(self):
        if self._path is not None:
            content = {"seed": self.seed, "done": self.done, "seconds": self.seconds, "found": self.found}
            self._path.with_suffix(".part").write_text(json.dumps(content, indent=1), encoding="utf-8")
            self._path.with_suffix(".part").replace(self._path)

    def told(self):
        return ", ".join(f"{count:,} {kind}" for kind, count in self.done.items() if count)


def one_case(kind, seed, number, state=None):
    case = kind.draw(generator(seed, kind.name, number))
    trouble = failure(kind, case)
    if trouble is None:
        return None
    text = f"{kind.name} --seed {seed} --case {number}: {trouble}\n    {kind.told(case)}"
    if state is not None:
        state.found.append(text)
    print(text, flush=True)
    return text


def run(names, seed, seconds, state, most_cases=None):
    """Go round the kinds, always the one that is furthest behind its share of the time."""
    kinds = {name: KINDS[name]() for name in names}
    end, last_told = time.monotonic() + seconds, time.monotonic()
    limit = most_cases or {}
    try:
        while time.monotonic() < end:
            open_kinds = [name for name in names if state.done[name] < limit.get(name, sys.maxsize)]
            if not open_kinds:
                break
            name = min(open_kinds, key=lambda kind: state.seconds[kind] / SHARES[kind])
            began = time.monotonic()
            one_case(kinds[name], seed, state.done[name], state)
            state.done[name] += 1
            state.seconds[name] += time.monotonic() - began
            if time.monotonic() - last_told > 30.0:
                last_told = time.monotonic()
                state.save()
                print(f"{state.told()}; {len(state.found)} found", flush=True)
    finally:
        state.save()
        for kind in kinds.values():
            kind.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", help="kinds, separated by commas; all if left out")
    parser.add_argument("--case", type=int, help="one case of one kind")
    parser.add_argument("--state", type=Path, help="a file with counts and findings, to go on with")
    options = parser.parse_args()
    names = list(KINDS) if options.only is None else options.only.split(",")
    if options.case is not None:
        sys.exit(1 if one_case(KINDS[names[0]](), options.seed, options.case) else 0)
    state = State(options.state, options.seed)
    try:
        run(names, options.seed, 60.0 * options.minutes, state)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
    print(f"{state.told()}; {len(state.found)} found")
    sys.exit(1 if state.found else 0)


if __name__ == "__main__":
    main()
