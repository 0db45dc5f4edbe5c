"""What can be done with rules, alike for a rule book and a fitted model."""

import dataclasses
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.data.checks import check_finite, list_some, number_at_least
from hedgerow.data.context import beside, context_frame, context_matrix, new_values
from hedgerow.data.display import reader
from hedgerow.data.gaps import blank
from hedgerow.data.table import column_names, number_matrix, places
from hedgerow.data.text_files import write_text
from hedgerow.errors import InputError
from hedgerow.evaluation import Evaluation, evaluation_of
from hedgerow.instance import Instance
from hedgerow.uncertainty import Nominal, Uncertainty

if TYPE_CHECKING:
    import pandas as pd

    from hedgerow.rules.book import RuleBook


class Verbs:
    """The verbs of a rule book; a class that has them needs the property `rulebook_`."""

    @property
    def rulebook_(self) -> "RuleBook":
        """The rule book."""
        raise NotImplementedError

    def apply(self, readings: Any) -> IntArray:
        """Return the number of the leaf that each observation reaches, counted from 0, left to right.

        A DataFrame's columns are matched by name, in any order. Only those that the tree asks about are needed.
        """
        return self.rulebook_.tree.apply(self.reading_matrix(readings))

    def choose(self, readings: Any) -> IntArray:
        """Return the row of `tree.solutions` that is advised for each observation.

        It is the leaf's number, unless leaves have several plans to choose from.
        """
        return self.rulebook_.tree.choose(self.reading_matrix(readings))

    def predict(self, readings: Any) -> FloatArray:
        """Return the advised solution of each observation, m × variables.

        A DataFrame's columns are matched by name, in any order. Only those that the tree asks about are needed.
        """
        return self.rulebook_.tree.solutions[self.choose(readings)]

    def advise(self, readings: Any) -> "pd.DataFrame":
        """Return the advice in words: the leaf and the advice of each row, and what is to be known about its readings.

        `filled_in` names readings that are missing (NaN) and were filled in.
        `outside` names what is outside of the training data: readings, and categories with a new value.

        Examples
        --------
        >>> import pandas as pd
        >>> from hedgerow import RuleBook, Tree
        >>> rules = RuleBook(Tree.full([0], [35.0], [[1.0, 0.0], [0.0, 1.0]]), ("bridge", "tunnel"))
        >>> rules.advise(pd.DataFrame({"bridge": [36.0, 21.0]}))["advice"].tolist()
        ['[0.0, 1.0]', '[1.0, 0.0]']
        """
        import pandas as pd

        book, row = self.rulebook_, self.choose(readings)
        gaps = np.isnan(self.reading_matrix(readings, gaps=True)[:, book.items_read])
        return pd.DataFrame(
            {
                "leaf": book.tree.leaf_of[row],
                "advice": [book.plans.text(each) for each in row],
                "filled_in": [", ".join(compress(book.asked_readings, missing)) for missing in gaps],
                "outside": [", ".join(notes) for notes in self.outside(readings)],
            },
            index=row_names(readings),
        )

    def outside(self, readings: Any) -> list[tuple[str, ...]]:
        """Return per row the readings that lie outside of what the training data held, and what that was.

        Only readings that the tree asks about count. Where no ranges are known, none is outside. A category whose value
        the fit never saw is named as new.

        >>> from hedgerow import RobustTree
        >>> from hedgerow.problems import Selection
        >>> model = RobustTree(Selection(2, 1), depth=1).fit([[1.0, 3.0], [4.0, 2.0]])
        >>> model.outside([[2.0, 2.5], [-5.0, 2.5]])
        [(), ('x1 (seen: 1 to 4)',)]
        """
        book, matrix = self.rulebook_, self.reading_matrix(readings, gaps=True)
        new: list[tuple[str, ...]] = [()] * len(matrix)
        if book.context:
            new = new_values(book.context, context_frame(readings))
        if not book.ranges or book.training is None:
            return new
        notes = {item: f"{book.names[item]} (seen: {book.seen(item)})" for item in book.asked}
        beyond = (matrix < book.training.minima) | (matrix > book.training.maxima)  # false for NaN
        return [(*(notes[item] for item in notes if row[item]), *news) for row, news in zip(beyond, new, strict=True)]

    def reading_matrix(self, readings: Any, *, gaps: bool = False) -> FloatArray:
        """Return readings, and features of context after them, as a matrix in the rule book's order.

        An array holds all readings in order; columns of a DataFrame are matched by name. Gaps are filled in as
        `fill_ins` says; with `gaps`, they stay NaN. Readings that the tree doesn't ask about are NaN.
        """
        book = self.rulebook_
        if not book.context:
            return self.readings_of(readings, gaps=gaps)
        known = context_matrix(book.context, context_frame(readings))
        return np.hstack([self.readings_of(readings, gaps=gaps), known]) if book.n_readings else known

    def readings_of(self, readings: Any, *, gaps: bool = False) -> FloatArray:
        """Return the readings alone, as `reading_matrix` does with context."""
        book = self.rulebook_
        names, asked, fill_ins = book.feature_names[: book.n_readings], book.items_read, book.fill_ins
        known = number_matrix(readings, names, "readings", wanted=asked, gaps=gaps or fill_ins is not None)
        if fill_ins is not None and not gaps:
            columns = column_names(readings)
            if columns is not None:
                places(columns, book.asked_readings, "readings")  # a gap is a cell, not a column
            known = fill_ins.filled(known)
            check_finite(known, "readings")
        # Without names an array may have more columns than the tree's questions tell.
        width = book.n_readings if book.feature_names else np.shape(readings)[-1]
        matrix = np.full((len(known), width), np.nan)
        matrix[:, asked] = known
        return matrix

    def evaluate(
        self,
        costs: Any,
        uncertainty: Uncertainty | None = None,
        *,
        readings: Any = None,
        context: Any = None,
        sample_weight: Any = None,
        missing: float = 0.0,
    ) -> Evaluation:
        """Return what the advice costs on these samples, as read and under the worst misreading.

        Parameters
        ----------
        costs
            True costs, m × items: an array, or a DataFrame whose columns are matched by name.
        uncertainty
            How wrong readings may be; what the tree was fitted for if left out. A fraction refers to the training
            data.
        readings
            What was read in place of the costs: one row per row of `costs`, same columns.
        context
            For rules that ask about context: its rows, one per row of `costs`.
        sample_weight
            One non-negative number per row.
        missing
            The share of readings to leave out, below 1: at random, always the same ones. They are filled in as
            `fill_ins` says, and the result's `lost` says what that costs.

        Examples
        --------
        >>> import numpy as np
        >>> from hedgerow import RobustTree
        >>> from hedgerow.problems import Selection
        >>> costs = np.random.default_rng(0).uniform(1.0, 9.0, (40, 3))
        >>> rules = RobustTree(Selection(3, 1), random_state=0).fit(costs).rulebook_
        >>> print(rules.evaluate(costs, missing=0.1).summary)
        3.35 per sample as read, 3.35 in the worst case. With 10 % of the readings missing, that is 0.321 worse as read.
        """
        book = self.rulebook_
        if missing:
            others = {"context": context, "sample_weight": sample_weight}
            return self._evaluated_with_gaps(costs, uncertainty, readings, missing, others)
        table = self.shown(costs, readings, context)
        shown: dict[str, Any] = {}
        if book.context:
            shown = {"context": context, "features": book.context}
        if table is not costs and book.n_readings:
            read = np.nan_to_num(self.readings_of(table))
            shown |= {"readings": read, "learn_from": "readings"} if book.context else {"observed": read}
        data = Instance.create(book.needed_problem(), costs, **shown, weights=sample_weight, depth=0)
        chosen = book.uncertainty if uncertainty is None else book.with_budget(uncertainty)
        return evaluation_of(book.tree, data, chosen)

    def _evaluated_with_gaps(
        self, costs: Any, uncertainty: Uncertainty | None, readings: Any, missing: float, others: dict[str, Any]
    ) -> Evaluation:
        share = number_at_least(missing, "missing")
        if share >= 1.0:
            raise InputError(f"missing must be below 1; got {missing}.")
        book = self.rulebook_
        if book.fill_ins is None:
            raise InputError("missing needs rules that read costs and know what stands in for a missing reading.")
        whole = self.evaluate(costs, Nominal(), readings=readings, **others)
        known = blank(self.readings_of(self.shown(costs, readings, others["context"]), gaps=True), share)
        found = self.evaluate(costs, uncertainty, readings=known, **others)
        lost = book.needed_problem().sign * (found.nominal - whole.nominal)
        return dataclasses.replace(found, missing=share, lost=lost)

    def shown(self, costs: Any, readings: Any = None, context: Any = None) -> Any:
        """Return what these rules are shown of some rows: readings, context, or one table with both."""
        book = self.rulebook_
        read = costs if readings is None else readings
        if book.observes_costs and not book.context:
            return read
        if context is None and (book.context or readings is None):
            asked = list_some(book.asked_names)
            raise InputError(f"these rules ask about {asked}, which are no costs; pass the context, too.")
        if not book.context:
            return read if context is None else context
        return beside(read, book.feature_names[: book.n_readings], context) if book.n_readings else context

    def explain(self, readings: Any) -> Any:
        """Return an explanation of the advice for each observation; see `hedgerow.explain.explain`."""
        return reader("explain", "explain")(self.rulebook_, readings)

    def export(self, to: str, **options: Any) -> str | bytes:
        """Return the rules in another format, such as "rules", "sql" or "excel"; see `hedgerow.export.export`."""
        exported: str | bytes = reader("export", "export")(self.rulebook_, to, **options)
        return exported

    def plot(self, **options: Any) -> Any:
        """Draw the tree with matplotlib and return the axes; see `hedgerow.plot.plot_tree`."""
        return reader("plot", "plot_tree")(self.rulebook_, **options)

    def report(self, path: str | Path, costs: Any = None, **options: Any) -> None:
        """Write a report, one HTML page, to a file; see `hedgerow.report.write_report`."""
        reader("report", "write_report")(self.rulebook_, path, costs, **options)

    def save(self, path: str | Path) -> None:
        """Write the rule book to a file in one step: versioned JSON that `RuleBook.load` reads again."""
        write_text(path, self.rulebook_.to_json() + "\n")


def row_names(table: Any) -> Any:
    """Return the index of a DataFrame; None for an array."""
    return getattr(table, "index", None) if hasattr(table, "columns") else None
