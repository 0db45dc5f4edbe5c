"""The rule book: a tree with all that belongs to it, and the one value that every reader of a tree shares.

Explanations, exports, figures, reports and the command line take names, units, plans and proofs from here and keep
none of their own. A rule book may lack anything but the tree. Tree, problem and solutions are checked when a file is
read; each other part when it is first needed, so that damage to one spoils only what depends on it.
"""

__all__ = ["RuleBook"]

import dataclasses
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np

from hedgerow.adversary import Attack
from hedgerow.data.arrays import IntArray
from hedgerow.data.checks import in_short, unique_names
from hedgerow.data.display import Shown
from hedgerow.data.json_files import json_in, read_json
from hedgerow.data.writing import write_text
from hedgerow.errors import FileFormatError, InputError
from hedgerow.evaluation import Evaluation
from hedgerow.instance import Instance
from hedgerow.problem import Problem, Sense
from hedgerow.rules.advisor import Advisor
from hedgerow.rules.file import WHAT, dumped, parsed
from hedgerow.rules.phrases import Phrases
from hedgerow.rules.plans import Plans
from hedgerow.rules.proof import Proof, is_number
from hedgerow.rules.training import Training
from hedgerow.rules.verbs import Verbs
from hedgerow.run import Result
from hedgerow.tree.tree import Tree
from hedgerow.uncertainty import Nominal, Uncertainty, uncertainty_from_dict
from hedgerow.wording.numbers import printable

_NOT_REBUILT = (
    "This problem can't be rebuilt from the file: the tree can be shown and applied, but to evaluate it on new costs "
    "the problem itself is needed."
)


@dataclass(frozen=True, repr=False)
class RuleBook(Shown, Phrases):
    """A tree with its names, units, problem, uncertainty set, training summary and proof.

    `RuleBook.load` reads one from a file, `model.rulebook_` is that of a fitted model, and `RuleBook.of` makes one of
    whatever holds a tree. `predict`, `apply`, `evaluate`, `explain`, `export`, `plot`, `report` and `save` work as on
    a fitted model.

    Attributes
    ----------
    tree
        The tree.
    feature_names
        Names of the readings; empty if none are known.
    details
        Everything else, as the plain JSON values of a tree file; the properties below are made from it.
    known_problem
        The problem, where it is at hand and need not be rebuilt from the details.

    Examples
    --------
    >>> import pandas as pd
    >>> from hedgerow import RobustTree, RuleBook
    >>> from hedgerow.problems import Selection
    >>> model = RobustTree(Selection(2, 1), depth=1).fit([[1.0, 3.0], [4.0, 2.0]])
    >>> rules = RuleBook.of(model)
    >>> rules.problem, rules.plans.words
    (Selection(2, 1), ('x1', 'x2'))
    >>> rules.predict(pd.DataFrame({"day": ["Monday"], "x1": [4.0]}))
    array([[0., 1.]])
    """

    tree: Tree
    feature_names: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    known_problem: Problem | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        names, asked = tuple(self.feature_names), self.tree.asked_items
        if names and asked.size and asked[-1] >= len(names):
            last, count = int(asked[-1]), len(names)
            raise InputError(f"the tree asks about item {last}, counted from 0, but there are {count} feature names.")
        object.__setattr__(self, "feature_names", names)

    # -- making one --------------------------------------------------------------------------------------------------

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a tree file; raise `FileFormatError` for anything else."""
        try:
            return cls._of_file(read_json(path, WHAT))
        except FileFormatError as error:
            message = str(error)
            raise FileFormatError(message if message.startswith(str(path)) else f"{path}: {message}") from None

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the rule book that `to_json` wrote; raise `FileFormatError` for anything else.

        Examples
        --------
        >>> from hedgerow import RuleBook
        >>> text = '{"format": "hedgerow-tree", "version": 1, "tree": {"solution": [1, 0]}}'
        >>> RuleBook.from_json(text).tree.solutions.tolist()
        [[1.0, 0.0]]
        """
        return cls._of_file(json_in(text, WHAT))

    @classmethod
    def _of_file(cls, document: Any) -> Self:
        """Return the rule book of a JSON value; its solutions must be feasible where the problem can be rebuilt."""
        rules = cls(*parsed(document))
        _ = rules.variable_names  # which must be as many as a solution has entries
        if rules.problem is not None:
            solutions = rules.tree.solutions
            for leaf in np.unique(solutions, axis=0, return_index=True)[1].tolist():
                reason = rules.problem.infeasibility(solutions[leaf])
                if reason is not None:
                    raise _damaged(f"the solution of leaf {leaf} is not feasible: {reason}.")
        return rules

    @classmethod
    def of(cls, source: Any) -> "RuleBook":
        """Return the rule book of a fitted model, a rule book, a path, an evaluation, an attack or a bare tree."""
        if isinstance(source, str | Path):
            return cls.load(source)
        if isinstance(source, Tree):
            return cls(source)
        attack = source.attack if isinstance(source, Evaluation) else source
        if isinstance(attack, Attack):
            instance = attack.instance
            details = {"training": Training.of(instance, attack.tree).to_dict()}
            return cls(attack.tree, instance.feature_names, details, instance.problem)
        if isinstance(source, Verbs):
            return source.rulebook_
        raise InputError(f"a fitted model, a rule book or the path of a tree file is needed; got {in_short(source)}.")

    @classmethod
    def of_fit(cls, result: Result, instance: Instance, *, as_given: Uncertainty, seed: Any = None) -> Self:
        """Return the rule book of a run.

        Parameters
        ----------
        result, instance
            The run's result, and the instance it is about.
        as_given
            The uncertainty set as the user gave it, perhaps with a fraction.
        seed
            The seed; kept if it is a number.
        """
        details = {
            "uncertainty": instance.uncertainty.to_dict(),
            "uncertainty_as_given": as_given.to_dict(),
            "training": {
                **Training.of(instance, result.tree).to_dict(),
                "nominal": result.nominal,
                "robust": result.objective,
            },
            "result": Proof.of(result, seed).to_dict(),
        }
        return cls(result.tree, tuple(instance.feature_names), details, instance.problem)

    @property
    def rulebook_(self) -> "RuleBook":
        """The rule book itself."""
        return self

    def __repr__(self) -> str:
        status = "" if self.proof.status is None else f", status={self.proof.status!r}"
        return (
            f"RuleBook(depth={self.tree.depth}, n_leaves={self.tree.n_leaves}, asks={[*self.asked.values()]}{status})"
        )

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields alone: what is made from them is made again after pickling."""
        return {each.name: getattr(self, each.name) for each in dataclasses.fields(self)}

    # -- problem, names and units ------------------------------------------------------------------------------------

    @cached_property
    def problem(self) -> Problem | None:
        """The problem; None if it isn't at hand and can't be rebuilt."""
        if self.known_problem is not None or not self.can_be_rebuilt:
            return self.known_problem
        from hedgerow.problems import problem_from_dict

        return problem_from_dict(self.details.get("problem"))

    @property
    def can_be_rebuilt(self) -> bool:
        """Whether the problem can be rebuilt from the file."""
        problem = self.known_problem
        return _is_known(self.details.get("problem") if problem is None else problem.to_dict())

    def needed_problem(self) -> Problem:
        """Return the problem, or raise `FileFormatError` with the reason why there is none."""
        if self.problem is not None:
            return self.problem
        description = self.details.get("problem")
        if description is None:
            raise FileFormatError("the tree file doesn't say which problem the tree is for.")
        if isinstance(description, Mapping) and description.get("kind") == "custom":
            raise FileFormatError(f"{_NOT_REBUILT} Use hedgerow.evaluate in Python, where the problem is at hand.")
        from hedgerow.problems import problem_from_dict

        return problem_from_dict(description)  # which says what is wrong with it

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the readings, printable; "item 3" where there are none."""
        return tuple(map(printable, self.feature_names)) or tuple(f"item {item}" for item in range(self.n_features))

    def name(self, item: int) -> str:
        """Return the printable name of a reading; "item 3" if there are none."""
        return self.names[item] if item < len(self.names) else f"item {item}"

    @property
    def n_features(self) -> int:
        """How many readings there are, as far as names or the tree's questions tell."""
        return len(self.feature_names) or int(self.tree.asked_items.max(initial=-1)) + 1

    @property
    def asked_names(self) -> tuple[str, ...]:
        """Names of the readings that the tree asks about; of all readings where it asks nothing or has no names."""
        return tuple(self.asked.values()) if self.asked and self.feature_names else self.feature_names

    @cached_property
    def asked(self) -> dict[int, str]:
        """The exact names of the readings that the tree asks about, by number, in increasing order."""
        names = self.feature_names or self.names
        return {item: names[item] for item in self.tree.asked_items.tolist()}

    @cached_property
    def variable_names(self) -> tuple[str, ...]:
        """Names of a solution's entries; x1, x2, … if none are known."""
        n_variables = self.tree.solutions.shape[1]
        if self.problem is None:
            known = self._texts("variable_names", n_variables)
            return known or tuple(f"x{number}" for number in range(1, n_variables + 1))
        names = self.problem.variable_names
        if len(names) != n_variables:
            raise _damaged(f"its solutions have {n_variables} entries, its problem {len(names)}.")
        return names

    @cached_property
    def plans(self) -> Plans:
        """The different solutions at the leaves: which leaves share one, letters and words."""
        solutions, names = self.tree.solutions, self.variable_names
        if self.problem is None:
            advice = self._texts("advice", self.tree.n_leaves) or tuple(str(row.tolist()) for row in solutions)
        else:
            advice = tuple(map(self.problem.describe, solutions))
        return Plans(solutions, names, advice)

    @cached_property
    def advisor(self) -> Advisor:
        """The rules as a function of one row; `advise` calls it."""
        return Advisor(self)

    @property
    def advice(self) -> tuple[str, ...]:
        """Per leaf its solution in words."""
        return tuple(map(self.plans.text, range(self.tree.n_leaves)))

    @cached_property
    def unit(self) -> str:
        """Unit of the costs; empty if there is none, or it isn't known."""
        unit = self.details.get("unit", "") if self.problem is None else self.problem.unit
        return printable(unit) if isinstance(unit, str) else ""

    @cached_property
    def reading_unit(self) -> str:
        """Unit of the readings: that of the costs if these are read, unless file or problem give another."""
        usual = self.unit if self.observes_costs else ""
        own = getattr(self.problem, "reading_unit", self.unit)
        unit = self.details.get("reading_unit", usual if own == self.unit else own)
        return printable(unit) if isinstance(unit, str) else usual

    @cached_property
    def sense(self) -> Sense:
        """Whether costs should be small or gains large."""
        sense = self.details.get("sense") if self.problem is None else self.problem.sense
        return "max" if sense == "max" else "min"

    # -- training, uncertainty and proof -----------------------------------------------------------------------------

    @cached_property
    def training(self) -> Training | None:
        """What is kept of the training data; None if that is nothing."""
        data = self.details.get("training")
        if not isinstance(data, Mapping):
            return None
        try:
            return Training.from_dict(data, len(self.feature_names), self.tree.n_leaves)
        except InputError as error:
            raise _damaged(str(error)) from None

    @property
    def observes_costs(self) -> bool:
        """Whether the tree asks about the costs themselves, rather than about other features."""
        data = self.details.get("training")
        return not isinstance(data, Mapping) or data.get("observes_costs") is not False

    @property
    def leaf_samples(self) -> IntArray | None:
        """Per leaf how many training samples reach it; None if not known."""
        return None if self.training is None else self.training.leaf_samples

    @cached_property
    def proof(self) -> Proof:
        """What the run found and proved; empty where the file doesn't say."""
        return Proof.from_dict(self.details.get("result")) or Proof()

    @property
    def depth(self) -> int:
        """The depth that was asked for; the tree's own if that isn't known."""
        return self.tree.depth if self.training is None else self.training.depth

    @cached_property
    def uncertainty(self) -> Uncertainty:
        """The uncertainty set with an absolute budget; none if the file doesn't say."""
        description = self.details.get("uncertainty")
        return Nominal() if description is None else self._bound(uncertainty_from_dict(description))

    @property
    def uncertainty_as_given(self) -> Mapping[str, Any]:
        """The uncertainty set as the user gave it, as a description; empty if there is no budget, or none is kept."""
        given = self.details.get("uncertainty_as_given")
        return given if isinstance(given, Mapping) and given.get("kind") in ("local", "global") else {}

    @property
    def lowered_from(self) -> float | None:
        """The budget that measured errors called for, where the fit lowered it; None where it did not."""
        given, used = self.uncertainty_as_given.get("budget"), getattr(self.uncertainty, "budget", None)
        if self.uncertainty_as_given.get("kind") != "local" or not is_number(given) or not is_number(used):
            return None
        return float(given) if used < given else None

    @property
    def is_weighted(self) -> bool:
        """Whether samples had weights other than 1; in older files, as their sum tells."""
        result = self.details.get("result")
        terms = result.get("terms") if isinstance(result, Mapping) else None  # where files of version 0.1 keep it
        if isinstance(terms, Mapping) or self.training is None:
            return isinstance(terms, Mapping) and terms.get("weighted") is True
        if self.training.weighted is not None:
            return self.training.weighted
        return not math.isclose(self.training.total_weight, self.training.n_samples)

    def with_budget(self, uncertainty: Uncertainty) -> Uncertainty:
        """Return another set for these rules: λ means the training data; options not given stay as they are."""
        known = self.uncertainty
        if isinstance(uncertainty, Nominal) or isinstance(known, Nominal):
            return self._bound(uncertainty)
        kept = {name: getattr(known, name) for name in ("limits", "prices") if getattr(uncertainty, name) is None}
        return self._bound(dataclasses.replace(uncertainty, epsilon=known.epsilon, **kept))

    def _bound(self, uncertainty: Uncertainty) -> Uncertainty:
        if isinstance(uncertainty, Nominal) or (
            uncertainty.fraction is None and not isinstance(uncertainty.prices, str)
        ):
            return uncertainty
        if self.training is None:
            raise FileFormatError(
                "the tree file keeps no ranges of the training data; give the budget, and prices, as numbers."
            )
        return self.training.bind(uncertainty)

    # -- files -------------------------------------------------------------------------------------------------------

    @property
    def all_details(self) -> Mapping[str, Any]:
        """The details as a file keeps them: with a description of the problem."""
        if self.known_problem is None or "problem" in self.details:
            return self.details
        return {**_problem_details(self.known_problem, self.tree), **self.details}

    def to_json(self) -> str:
        """Return the tree file's text."""
        return dumped(self.tree, self.feature_names, self.all_details)

    def write(self, path: str | Path) -> None:
        """Write the tree file in one step."""
        write_text(path, self.to_json() + "\n")

    def _texts(self, name: str, length: int) -> tuple[str, ...]:
        """Return a detail that lists printable texts, or nothing if it isn't there."""
        values = self.details.get(name)
        if values is None:
            return ()
        if not isinstance(values, list) or len(values) != length or not all(isinstance(text, str) for text in values):
            raise _damaged(f'"{name}" must be a list of {length} texts.')
        texts = tuple(map(printable, values))
        try:
            return unique_names(texts, name) if name.endswith("names") else texts
        except InputError as error:
            raise _damaged(str(error)) from None


def _problem_details(problem: Problem, tree: Tree) -> dict[str, Any]:
    description = problem.to_dict()
    try:
        json.dumps(description, allow_nan=False)
    except (TypeError, ValueError):
        # A class of the user's own may describe itself with what JSON can't hold; the tree is kept all the same.
        description = {"kind": "custom", "class": type(problem).__name__}
    own = getattr(problem, "reading_unit", None)
    return {
        "problem": description,
        "item_names": list(problem.item_names),
        "variable_names": list(problem.variable_names),
        "sense": problem.sense,
        "unit": problem.unit,
        **({"reading_unit": own} if isinstance(own, str) and own != problem.unit else {}),
        "advice": [problem.describe(solution) for solution in tree.solutions],
        **({} if _is_known(description) else {"note": _NOT_REBUILT}),
    }


def _is_known(description: Any) -> bool:
    from hedgerow.problems.base import registry

    return isinstance(description, Mapping) and description.get("kind") in list(registry)


def _damaged(reason: str) -> FileFormatError:
    return FileFormatError(f"the tree file is damaged: {reason}")
