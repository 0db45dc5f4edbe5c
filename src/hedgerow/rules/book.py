"""The rule book: a tree with all that belongs to it, and the one value that every reader of a tree shares.

Explanations, exports, figures, reports and the command line take names, units, plans and proofs from here and keep
none of their own. A rule book may lack anything but the tree; its parts are checked when it is made or read.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, get_type_hints

import numpy as np

from hedgerow.data.arrays import IntArray
from hedgerow.data.checks import in_short, integer_between
from hedgerow.data.display import Shown
from hedgerow.data.gaps import FillIns
from hedgerow.data.text_files import json_in, read_json
from hedgerow.errors import FileFormatError, InputError
from hedgerow.evaluation import Evaluation
from hedgerow.instance import MAX_DEPTH, Instance
from hedgerow.problem import Sense
from hedgerow.rules.contents import Labels, Plans, Training
from hedgerow.rules.file import NOT_REBUILT, WHAT, dumped, is_known, parsed
from hedgerow.rules.verbs import Verbs
from hedgerow.run import Result, Statistics
from hedgerow.tree.questions import Feature, Question
from hedgerow.tree.tree import Tree
from hedgerow.uncertainty import LocalBudget, Nominal, Uncertainty
from hedgerow.wording.numbers import amount, counted, joined, number, percentage, printable, sentence, written_number
from hedgerow.wording.questions import Phrase
from hedgerow.wording.verdicts import lowering_in_words, uncertainty_in_words

if TYPE_CHECKING:
    from hedgerow.problems import Problem

_NO_LABELS = Labels()
_NOMINAL = Nominal()


@dataclass(frozen=True, eq=False, repr=False)
class RuleBook(Shown, Verbs):
    """A tree with its names, units, problem, uncertainty set, training summary and proof.

    `RuleBook.load` reads one from a file, `model.rulebook_` is that of a fitted model, and `RuleBook.of` makes one of
    whatever holds a tree. `predict`, `apply`, `evaluate`, `explain`, `export`, `plot`, `report` and `save` work as on
    a fitted model.

    Attributes
    ----------
    tree
        The tree.
    feature_names
        Names of the readings, and after them those of the features of context; empty if none are known.
    context
        The features of context that the tree asks about.
    fill_ins
        What stands in for missing readings among those that the tree asks about; None if they may not be missing.
    problem
        The problem; None if it isn't at hand and can't be rebuilt.
    labels
        What solutions, plans and units are called, where there is no problem to say.
    training
        What is kept of the training data; None if that is nothing.
    uncertainty, uncertainty_as_given
        How wrong readings may be, with an absolute budget, and as the user gave it, perhaps with a fraction.
    result
        What the run found and proved, without its trajectory; None if not known.
    made_by
        The call or the command that makes the rules again; empty if not known.
    tables
        What the rules were fitted to: "costs", and perhaps "readings", "context" and "sample_weight".

    Examples
    --------
    >>> import pandas as pd
    >>> from hedgerow import RobustTree, RuleBook
    >>> from hedgerow.problems import Selection
    >>> model = RobustTree(Selection(2, 1), depth=1).fit([[1.0, 3.0], [4.0, 2.0]])
    >>> rules = RuleBook.of(model)
    >>> rules.problem, rules.plans.words
    (Selection(2 items), ('x1', 'x2'))
    >>> rules.predict(pd.DataFrame({"day": ["Monday"], "x1": [4.0]}))
    array([[0., 1.]])
    """

    tree: Tree
    feature_names: tuple[str, ...] = ()
    _: KW_ONLY
    context: tuple[Feature, ...] = ()
    fill_ins: FillIns | None = None
    problem: "Problem | None" = None
    labels: Labels = _NO_LABELS
    training: Training | None = None
    uncertainty: Uncertainty = _NOMINAL
    uncertainty_as_given: Uncertainty | None = None
    result: Result | None = None
    made_by: str = ""
    tables: tuple[str, ...] = ("costs",)

    def __post_init__(self) -> None:
        object.__setattr__(self, "feature_names", tuple(self.feature_names))
        self._check_names()
        if self.training is not None:
            self._check_training(self.training)
        if self.fill_ins is not None and self.feature_names and [*self.fill_ins.typical] != self.asked_readings:
            raise InputError("fill_ins must be for the readings that the tree asks about, in their order.")
        if self.result is not None:
            integer_between(self.result.depth, "result depth", 0, MAX_DEPTH)
            if self.result.cells and len(self.result.cells) != int(self.tree.is_inner.sum()):
                raise InputError("result cells must be one for each question.")
        object.__setattr__(self, "uncertainty", self._bound(self.uncertainty))

    def _check_names(self) -> None:
        names, asked, solutions = self.feature_names, self.tree.asked_items, self.tree.solutions
        if names and asked.size and asked[-1] >= len(names):
            last, count = int(asked[-1]), len(names)
            raise InputError(f"the tree asks about item {last}, counted from 0, but there are {count} feature names.")
        if self.problem is None:
            self.labels.check(solutions)
        elif len(self.problem.variable_names) != solutions.shape[1]:
            entries, variables = solutions.shape[1], len(self.problem.variable_names)
            raise InputError(f"its solutions have {entries} entries, its problem {variables}.")

    def _check_training(self, training: Training) -> None:
        n_features, n_rows = len(self.feature_names), len(self.tree.solutions)
        if n_features and len(training.minima) != n_features:
            raise InputError(f"training minima must be given for {n_features} features; got {len(training.minima)}.")
        if training.leaf_samples is not None and len(training.leaf_samples) != n_rows:
            raise InputError(f"training leaf_samples must be a list of {n_rows} numbers.")

    def __eq__(self, other: object) -> bool:
        """Return whether two rule books have the same file."""
        return isinstance(other, RuleBook) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash(self.feature_names)

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
        from hedgerow.problems import Problem

        try:
            rules = cls(**parsed(document, get_type_hints(cls, localns={"Problem": Problem})))
        except InputError as error:
            raise _damaged(str(error)) from None
        if rules.problem is not None:
            solutions = rules.tree.solutions
            for row in np.unique(solutions, axis=0, return_index=True)[1].tolist():
                reason = rules.problem.infeasibility(solutions[row])
                if reason is not None:
                    raise _damaged(f"the solution of leaf {rules.tree.leaf_of[row]} is not feasible: {reason}.")
            if rules.tree.has_cards and rules.tree.takes_largest != (rules.sense == "max"):
                raise _damaged("its leaves must take the largest total where gains count, else the smallest.")
        return rules

    @classmethod
    def of(cls, source: Any) -> "RuleBook":
        """Return the rule book of a fitted model, a rule book, a path, an evaluation or a bare tree."""
        if isinstance(source, str | Path):
            return cls.load(source)
        if isinstance(source, Tree):
            return cls(source)
        if isinstance(source, Evaluation):
            tree, instance = source.attack.tree, source.attack.instance
            training, names = Training.of(instance, tree), instance.feature_names
            return cls(tree, names, context=instance.context, problem=instance.problem, training=training)
        if isinstance(source, Verbs):
            return source.rulebook_
        raise InputError(f"a fitted model, a rule book or the path of a tree file is needed; got {in_short(source)}.")

    @classmethod
    def of_fit(cls, result: Result, instance: Instance, *, as_given: Uncertainty, **made: Any) -> Self:
        """Return the rule book of a run's result for an instance.

        `as_given` is the uncertainty set before the fit; `made_by` and `tables` say how the fit was made.
        """
        if instance.context:
            refined = result.refined
            instance, trees = instance.narrowed(result.tree, *([] if refined is None else [refined.tree]))
            refined = None if refined is None else dataclasses.replace(refined, tree=trees[1])
            result = dataclasses.replace(result, tree=trees[0], refined=refined)
        asked = [item for item in result.tree.asked_items.tolist() if item < instance.n_readings]
        return cls(
            result.tree,
            tuple(instance.feature_names),
            context=instance.context,
            fill_ins=FillIns.of(
                [instance.feature_names[item] for item in asked], instance.observations[:, asked], instance.weights
            ),
            problem=instance.problem,
            training=Training.of(instance, result.tree),
            uncertainty=instance.uncertainty,
            uncertainty_as_given=as_given,
            result=dataclasses.replace(result, statistics=Statistics()),
            **made,
        )

    @property
    def rulebook_(self) -> "RuleBook":
        """The rule book itself."""
        return self

    def to_json(self) -> str:
        """Return the tree file's text."""
        return dumped(self)

    @property
    def summary(self) -> str:
        """What the rules ask and advise, and what is proven about them, in a sentence or two."""
        asks = f"ask about {joined(list(map(printable, self.asked.values())))}" if self.asked else "ask nothing"
        if self.tree.has_cards:
            asks = f"read {counted(len(self.asked), 'reading')}"
        words = f"The rules {asks} and choose among {counted(len(self.plans), 'plan')}."
        return words if self.result is None else f"{words} {self.result.summary}"

    def __repr__(self) -> str:
        status = "" if self.result is None else f", status={self.result.status!r}"
        asks = f"n_read={len(self.asked)}" if self.tree.has_cards else f"asks={[*self.asked.values()]}"
        return f"RuleBook(depth={self.tree.depth}, n_leaves={self.tree.n_leaves}, {asks}{status})"

    # -- problem, names and units ------------------------------------------------------------------------------------

    @property
    def note(self) -> str:
        """What a reader of the file should know; empty if that is nothing."""
        if self.problem is None:
            return "" if self.labels.description is None else NOT_REBUILT
        return "" if is_known(self.problem.to_dict()) else NOT_REBUILT

    def needed_problem(self) -> "Problem":
        """Return the problem, or raise `FileFormatError` with the reason why there is none."""
        if self.problem is not None:
            return self.problem
        if self.labels.description is None:
            raise FileFormatError("the tree file doesn't say which problem the tree is for.")
        raise FileFormatError(f"{NOT_REBUILT} Use hedgerow.evaluate in Python, where the problem is at hand.")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the readings, printable; "item 3" where there are none."""
        return tuple(map(printable, self.feature_names)) or tuple(f"item {item}" for item in range(self.n_features))

    @property
    def n_readings(self) -> int:
        """How many readings there are, before the features of context."""
        return self.n_features - len(self.context)

    @property
    def n_features(self) -> int:
        """How many readings and features of context there are, as far as names or the tree's questions tell."""
        return len(self.feature_names) or int(self.tree.asked_items.max(initial=-1)) + 1

    @property
    def asked_names(self) -> tuple[str, ...]:
        """Columns that the tree asks about, context included; all readings where it asks nothing or has no names."""
        if not (self.asked and self.feature_names):
            return self.feature_names
        columns = [feature.column.name for feature in self.context]
        return tuple(dict.fromkeys([*self.asked_readings, *columns]))

    @property
    def items_read(self) -> list[int]:
        """Numbers of the readings that the tree asks about, without context."""
        return [item for item in self.asked if item < self.n_readings]

    @property
    def asked_readings(self) -> list[str]:
        """The exact names of the readings that the tree asks about, without context."""
        return [self.asked[item] for item in self.items_read]

    @cached_property
    def asked(self) -> dict[int, str]:
        """The exact names of the readings that the tree asks about, by number, in increasing order."""
        names = self.feature_names or self.names
        return {item: names[item] for item in self.tree.asked_items.tolist()}

    @cached_property
    def _labels(self) -> Labels:
        """The labels that people see: those of the problem, where there is one."""
        return self.labels.filled(self.tree.solutions, self.problem)

    @property
    def variable_names(self) -> tuple[str, ...]:
        """Names of a solution's entries; x1, x2, … if none are known."""
        return self._labels.variable_names

    @cached_property
    def plans(self) -> Plans:
        """The different solutions at the leaves: which leaves share one, letters and words."""
        return Plans(self.tree.solutions, self.variable_names, self._labels.advice)

    @property
    def unit(self) -> str:
        """Unit of the costs; empty if there is none, or it isn't known."""
        return printable(self._labels.unit)

    @property
    def reading_unit(self) -> str:
        """Unit of the readings: that of the costs if these are read, unless file or problem give another."""
        own = self._labels.reading_unit
        if own is not None:
            return printable(own)
        return self.unit if self.observes_costs else ""

    @property
    def sense(self) -> Sense:
        """Whether costs should be small or gains large."""
        return self._labels.sense

    # -- training, uncertainty and proof -----------------------------------------------------------------------------

    @property
    def observes_costs(self) -> bool:
        """Whether the tree asks about the costs themselves, rather than about other features."""
        return self.training is None or self.training.observes_costs

    @property
    def row_samples(self) -> IntArray | None:
        """Per row of the tree's solutions how many training samples follow it; None if not known."""
        return None if self.training is None else self.training.leaf_samples

    @property
    def lowered_from(self) -> float | None:
        """The budget that measured errors called for, where the fit lowered it; None where it did not."""
        before = None if self.uncertainty_as_given is None else self.uncertainty_as_given.budget
        after = self.uncertainty.budget
        if not isinstance(before, float) or not isinstance(after, float):
            return None
        return before if after < before else None

    @property
    def expected_errors(self) -> Uncertainty:
        """The errors that advice is judged by: those that were measured, else those that the rules were made for."""
        return self.uncertainty if self.lowered_from is None else self.uncertainty.replace(budget=self.lowered_from)

    @property
    def errors_of_any_sample(self) -> Uncertainty:
        """The expected errors without what belongs to single samples; context is exact unless it has a price."""
        errors = self.expected_errors.for_any_sample()
        if not self.context or errors.limits is not None or errors.prices is not None:
            return errors
        limits = np.repeat([np.inf, 0.0], [self.n_readings, len(self.context)])
        return (errors if errors.can_misread else LocalBudget(0.0)).replace(limits=limits)

    def with_budget(self, uncertainty: Uncertainty) -> Uncertainty:
        """Return another set for these rules: λ means the training data; options not given stay as they are."""
        return self._bound(uncertainty.with_options_of(self.uncertainty))

    def _bound(self, uncertainty: Uncertainty) -> Uncertainty:
        if not uncertainty.refers_to_data:
            return uncertainty
        if self.training is None:
            raise InputError(
                "the rule book keeps no ranges of the training data; give the budget, and prices, as numbers."
            )
        return self.training.bind(uncertainty, self.feature_names, self.context)

    # -- words ---------------------------------------------------------------------------------------------------------

    def asks(self, node: int) -> Question:
        """Return the question of an inner node."""
        return self.tree.questions[int(self.tree.question[node])]

    def unit_of(self, question: Question) -> str:
        """Return the unit of a question's value: that of costs where it adds these up or compares plans by them.

        Sums of prices in EUR/MWh are EUR, if that is the unit of the costs; the difference of two prices is a price.
        """
        if question.about is not None:
            return ""
        sides = question.compared
        is_sum = len(question.items) > 1 and all(abs(each) == 1.0 for each in question.coefficients)
        of_readings = sides is not None and {*sides} & {*self.feature_names, *self.names}
        return self.unit if self.observes_costs and is_sum and not of_readings else self.reading_unit

    def phrase(
        self,
        question: Question,
        digits: Callable[[float], str] = written_number,
        name: Callable[[str], str] = printable,
    ) -> Phrase:
        """Return how a question is put into words; `digits` and `name` write numbers and names."""
        is_flag = self.training is not None and question.item in self.training.flags
        return Phrase.of(question, self.names, self.unit_of(question), is_flag=is_flag, digits=digits, name=name)

    def question(self, node: int, **style: Any) -> str:
        """Return what a node asks, in words; `style` is that of `phrase`."""
        return self.phrase(self.asks(node), **style).asks(float(self.tree.threshold[node]))

    def answers(self, node: int) -> tuple[str, str]:
        """Return the answers to a node's question that lead to the left and to the right."""
        return self.phrase(self.asks(node)).answers(float(self.tree.threshold[node]))

    def conditions(self, leaf: int) -> list[str]:
        """Return what holds at a leaf, in words and with exact thresholds."""
        return [self.phrase(asked).between(low, high) for asked, low, high in self.tree.intervals_at(leaf)]

    def advice(self, leaf: int) -> str:
        """Return what a leaf advises, in words: its plan, or that the best one of several is taken."""
        plans = self.choices(leaf)
        return plans[0] if len(plans) == 1 else f"{self.best_of_several}: {'; '.join(plans)}"

    @property
    def best_of_several(self) -> str:
        """Which of a leaf's plans is taken, in words."""
        return f"the {self.best} by today's readings of"

    @property
    def best(self) -> str:
        """What the total of the plan is called that a leaf with several of them takes."""
        return "largest" if self.tree.takes_largest else "cheapest"

    def choices(self, leaf: int) -> list[str]:
        """Return the plans that a leaf has to choose from, in words, with their handicaps."""
        rows = self.tree.rows_at(leaf)
        return [f"{self.plans.text(row)}{self.handicap(row)}" for row in range(rows.start, rows.stop)]

    def handicap(self, row: int) -> str:
        """Return what makes the total of a row of solutions worse, such as ", plus 2 min"; nothing if that is zero."""
        size, word = float(self.tree.handicap[row]), "less" if self.tree.takes_largest else "plus"
        return f", {word} {amount(size, self.unit)}" if size else ""

    @property
    def ranges(self) -> dict[str, list[float]]:
        """Least and largest training value of each number that is asked about, by exact name; empty if not known."""
        if self.training is None or not self.feature_names:
            return {}
        sets = {self.n_readings + place for place, feature in enumerate(self.context) if feature.values}
        return {name: self.training.ranges[item].tolist() for item, name in self.asked.items() if item not in sets}

    def seen(self, item: int) -> str:
        """Return what the training data held of a reading, such as "4 to 18 min"; nothing if not known."""
        ends = self.ranges.get(self.asked[item], ())
        unit = self.reading_unit if item < self.n_readings else ""
        return f"{' to '.join(map(number, ends))} {unit}".rstrip() if ends else ""

    @property
    def experience(self) -> str:
        """The note of an export: what was seen of the readings, and what advice beyond it is; nothing if not known."""
        flags = () if self.training is None else self.training.flags
        seen = [f"{self.names[item]} {self.seen(item)}" for item in self.asked if self.seen(item) and item not in flags]
        return f"Seen in training: {joined(seen)}. Advice beyond that is outside experience." if seen else ""

    @property
    def fill_ins_in_words(self) -> str:
        """What stands in for missing readings, in a sentence; empty where they may not be missing."""
        return "" if self.fill_ins is None else self.fill_ins.in_words(self.reading_unit)

    def basis(self, leaf: int) -> str:
        """Return how many samples a leaf is based on, such as "54 of 120 samples", or nothing if not known."""
        if self.training is None or self.row_samples is None:
            return ""
        return f"{self.row_samples[self.tree.rows_at(leaf)].sum()} of {self.training.n_samples} samples"

    def uncertainty_in_words(self, uncertainty: Uncertainty) -> str:
        """Return how wrong readings may be under an uncertainty set for these rules, as a clause."""
        return uncertainty_in_words(uncertainty, self.reading_unit, len(self.context))

    @property
    def misreading(self) -> str:
        """How wrong readings may be, and what was measured of it where the fit lowered the budget, in sentences."""
        words = [sentence(self.uncertainty_in_words(self.uncertainty))]
        fraction = None if self.uncertainty_as_given is None else self.uncertainty_as_given.fraction
        if fraction is not None:
            words.append(f"The budget was given as λ = {percentage(fraction)}.")
        return " ".join([*words, *filter(None, (self.lowering,))])

    @property
    def lowering(self) -> str:
        """That the fit lowered the budget that measured errors called for, in a sentence; empty if it did not."""
        return lowering_in_words(self.expected_errors, self.uncertainty, self.reading_unit)

    @property
    def expected_errors_in_words(self) -> str:
        """The errors that advice is judged by, as a clause; empty where there is no one number for all samples."""
        errors = self.expected_errors
        if not errors.is_separable or not errors.can_misread or errors.belongs_to_samples:
            return ""
        size = amount(errors.budget, self.reading_unit if errors.prices is None else "")
        if self.lowered_from is None:
            return f"the rules were made for errors of up to {size}"
        return f"errors of up to {size} were measured"

    @property
    def origin(self) -> dict[str, str]:
        """What is known about how the rules were made, in sentences by heading; the same for all readers."""
        result = self.result
        kind = "a problem that is not kept in the file" if self.problem is None else printable(repr(self.problem))
        goal = "gains, to be large" if self.sense == "max" else "costs, to be small"
        origin = {"Problem": f"{kind}; {goal}{f', in {self.unit}' if self.unit else ''}."}
        origin["Data"] = self._data_in_words()
        origin["Misreading"] = self.misreading
        if result is not None:
            origin["Proof"] = result.summary
        if self.made_by:
            origin["Made by"] = printable(self.made_by)
        if self.note:
            origin["Note"] = self.note
        return origin

    def _data_in_words(self) -> str:
        training = self.training
        if training is None:
            return "The file keeps nothing about the training data."
        n_asked, n_readings = len(self.asked), counted(len(training.minima), "reading")
        samples = counted(training.n_samples // training.draws, "training sample")
        words = [f"{samples} of {n_readings}, of which the rules ask about {n_asked}; the samples are not kept."]
        if training.draws > 1:
            words.append(f"Each sample was shown {training.draws} times, with readings drawn at random.")
        return " ".join(words)


def _damaged(reason: str) -> FileFormatError:
    return FileFormatError(f"the tree file is damaged: {reason}")
