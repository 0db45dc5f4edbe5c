"""`hedgerow fit`: a problem and a file of costs in, a tree file out."""

__all__ = ["fit"]

import json
import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from hedgerow.cli.inputs import Data
from hedgerow.cli.options import Budget, questions_named, wishes_of
from hedgerow.cli.output import check_output, note, note_later, notes_from_the_log, say, show, show_notes, show_table
from hedgerow.rules import RuleBook
from hedgerow.run import Options, Row, interruptible
from hedgerow.run.progress import FitProgress
from hedgerow.uncertainty import Nominal
from hedgerow.wording.budgets import uncertainty_in_words
from hedgerow.wording.numbers import counted

_FIELDS = ("objective", "lower_bound", "gap", "status", "runtime", "method", "nominal")
_FURTHER_FIELDS = ("iterations", "thresholds", "threshold_margin", "cells", "seed", "thinning", "message")


def fit(
    data: Data,
    budget: Budget,
    options: Options,
    depth: int = 2,
    readings: Path | None = None,
    learn_from: str = "truth",
    questions: str = "items",
    wishes: str | None = None,
    seed: int = 0,
    output: Path = Path("tree.json"),
    as_json: bool = False,
) -> None:
    """Find a robust tree for PROBLEM from the samples in COSTS.csv and save it."""
    # Imported here: `hedgerow --help` need not wait for it.
    from hedgerow.methods import solve

    check_output(output)
    as_given = budget.uncertainty() or Nominal()
    instance = data.read(readings).instance(
        uncertainty=as_given,
        depth=depth,
        learn_from=learn_from,
        rng=np.random.default_rng(seed),
        questions=None if questions == "auto" else questions_named(questions),
    )
    note_later(
        f"fitting a tree of depth {depth} to {counted(instance.n_samples, 'sample')}; "
        f"{uncertainty_in_words(instance.uncertainty, instance.reading_unit)}"
    )
    # The first Ctrl-C asks the search to stop, so that its tree is saved, and ends the program after this block.
    with interruptible() as interrupt:
        progress = FitProgress(options.time_limit, options.iteration_limit, instance.problem.unit)

        def monitor(row: Row) -> None:
            show_notes()
            progress(row)

        with notes_from_the_log(), progress.shown():
            result = solve(
                instance,
                options.replace(wishes=wishes_of(wishes)),
                questions="auto" if questions == "auto" else None,
                random_state=seed,
                monitor=monitor,
                interrupt=interrupt,
            )
        rules = RuleBook.of_fit(result, instance, as_given=as_given, seed=seed)
        failure = _save(output, data.costs, rules)
        show_notes()
        if as_json:
            print(json.dumps(_fields(rules), allow_nan=False))
        else:
            _show(rules)
        sys.stdout.flush()
        if failure is not None:
            raise failure
        note(f"saved to {output}")


def _save(output: Path, costs: Path, rules: RuleBook) -> OSError | None:
    """Write the tree file; where that fails, keep the tree in a second place, say where, and return the error."""
    try:
        rules.save(output)
    except OSError as error:
        for folder in (costs.absolute().parent, Path(tempfile.gettempdir())):
            place = folder / f"{output.stem or 'tree'}-{os.getpid()}.json"
            with suppress(OSError):
                rules.save(place)
                note(f"the tree was saved to {place} instead")
                return error
        print(rules.to_json())
        note("the tree could not be saved anywhere, so its file is written to standard output")
        return error
    return None


def _fields(rules: RuleBook) -> dict[str, Any]:
    """Return the fields of a result as plain JSON values."""
    proof = rules.proof.to_dict()
    return {
        **{name: proof[name] for name in _FIELDS},
        "robust": proof["objective"],
        "refined": None if proof["refined"] is None else proof["refined"]["objective"],
        "depth": rules.tree.depth,
        "n_leaves": rules.tree.n_leaves,
        **{name: proof[name] for name in _FURTHER_FIELDS},
    }


def _show(rules: RuleBook) -> None:
    """Print the rules, how far thresholds may move, what the rules cost and how good they are proven to be."""
    # Imported here: `hedgerow --help` need not wait for figures.
    from hedgerow.plot.notebook import figures_of

    figures = figures_of(rules)
    show(rules.tree.to_text(rules.names, rules.needed_problem().describe, rules.reading_unit))
    show()
    for node in np.flatnonzero(rules.tree.is_inner).tolist():
        if rules.cell(node):
            say(f"{rules.question(node)}: {rules.cell(node)}.")
    show()
    show_table(figures.header, figures.rows, right=(1, 2))
    show()
    for line in figures.sentences:
        say(line)
