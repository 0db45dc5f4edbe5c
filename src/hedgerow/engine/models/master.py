"""The master problem of scenario generation: the best tree against finitely many misreadings (mpGlob in the paper)."""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.engine.engine_parameters import ENGINE
from hedgerow.engine.models.leaves import MODEL_GAP, LeafWriter, without_placeholders
from hedgerow.geometry import falls_short, separate
from hedgerow.instance import Instance
from hedgerow.mip import create_model
from hedgerow.run import Options, Run, StopRunError
from hedgerow.tree.questions import values_of
from hedgerow.tree.splits import Splits
from hedgerow.tree.structure import NO_SPLIT, tree_of
from hedgerow.tree.tree import Tree


class MasterResult(NamedTuple):
    """What a master proposes and proves."""

    tree: Tree | None  # The best tree found against the scenarios so far; None if there is none.
    bound: float  # No tree has a lower worst-case loss than this: the solver's dual bound.
    message: str  # What the solver has to say, mostly about failures.


class _Flow(NamedTuple):
    """One observation of a sample on its way down the tree."""

    arrival: IntArray  # per node but the root the column that is 1 if the observation comes by: z in the paper
    loss: int  # the column of the loss where it ends: z̄ in the paper


class Master:
    """The flow formulation for any depth, built once and extended scenario by scenario.

    Beside the paper's variables there is one loss per sample and leaf, ℓ[j, k] ≥ f(c_j, x_k), so that a further
    observation of a sample adds short rows only. M_j is the range of f(c_j, ·), with z̄ at least the least of it, which
    is right for costs of any sign. Given integral b the flow has no choice left; z is declared integral all the same,
    since a solver does better to branch on where an observation goes than on single questions.

    Two things go beyond the paper. Observations that all candidate splits send the same way share one flow, not only
    identical ones. And under a local budget, where samples are misread independently of each other, a sample has one
    z̄ for all its observations, which stands for every combination of them.

    An observation that was misread for one tree may lie within ε of a threshold of another one, where that misreading
    would not do. It is lost there: it comes to no leaf, and costs what the sample costs at least.

    Parameters
    ----------
    instance
        What is solved; of depth 1 or more.
    splits
        The candidate splits, at least one.
    options
        Leaf options and solver.
    run
        Whose limits end the building of a model that is too large for them.
    """

    def __init__(self, instance: Instance, splits: Splits, options: Options, run: Run) -> None:
        instance = without_placeholders(instance, run.value)
        self.instance = instance
        self._splits = splits
        self._run = run
        self._n_inner = 2**instance.depth - 1
        self._model = create_model(options.solver)
        self._writer = LeafWriter(instance, run)
        self.total_loss = self._writer.scale * float(np.abs([self._writer.lower, self._writer.upper]).max(axis=0).sum())
        self._worst = int(self._model.add_variables(1, lower=self._writer.lower.sum(), cost=1.0)[0])  # u
        self._may_ask_nothing = options.min_samples_leaf > 0 or options.max_leaves is not None
        self._question = self._add_questions()
        samples = range(instance.n_samples)
        self._leaves = [self._writer.add(self._model, samples, run) for _ in range(self._n_inner + 1)]
        self._separable = instance.uncertainty.is_separable
        self._epsilon = instance.uncertainty.epsilon
        self._independent = splits.questions is None or separate(splits.questions)
        self._sample_loss: dict[int, int] = {}
        self._flows: dict[tuple[int, bytes], _Flow] = {}
        self._scenarios: set[tuple[int, ...]] = set()
        self.add_scenario(instance.observations)
        if self._may_ask_nothing:
            self._add_leaf_limits(options)

    # -- building ------------------------------------------------------------------------------------------------

    @property
    def n_flows(self) -> int:
        """Number of distinct observations in the model."""
        return len(self._flows)

    def _add_questions(self) -> IntArray:
        """Add b[q, split], exactly one per node; where options may need it, the last choice is to ask nothing."""
        n_choices = len(self._splits) + self._may_ask_nothing
        count = self._n_inner * n_choices
        entries = self.instance.n_samples * count
        if entries > ENGINE.model_entries_per_second * self._run.deadline.remaining():
            self._run.say(f"A model of all trees, with {entries:,} entries, can't be made in the time left.")
            raise StopRunError
        columns = self._model.add_variables(count, upper=1.0, integer=True)
        starts = np.arange(0, count + 1, n_choices)
        self._model.add_rows(sp.csr_array((np.ones(count), np.arange(count), starts)), columns, 1.0, 1.0)
        return columns.reshape(self._n_inner, n_choices)

    def add_scenario(self, observations: FloatArray) -> bool:
        """Add misread observations, one row per sample; return whether the model had not known them."""
        known = len(self._flows)
        questions = self._splits.questions
        values, misread = (
            rows if questions is None else values_of(questions, rows)
            for rows in (self.instance.observations, observations)
        )
        flows = [self._flow(sample, values[sample], row) for sample, row in enumerate(misread)]
        scenario = tuple(flow.loss for flow in flows)
        if scenario not in self._scenarios:
            self._scenarios.add(scenario)
            # u ≥ Σ_j z̄[j, s]
            self._model.add_row([self._worst, *scenario], [1.0] + [-1.0] * len(scenario), 0.0, np.inf)
            return True
        return len(self._flows) > known

    def _flow(self, sample: int, values: FloatArray, misread: FloatArray) -> _Flow:
        value, read = values[self._splits.question], misread[self._splits.question]
        goes_right = read > self._splits.threshold
        is_lost = falls_short(value, read, self._splits.threshold, self._epsilon)
        if self._independent:  # lowered by less, it could stay on this side
            is_lost &= read > value
        key = (sample, np.packbits([goes_right, is_lost]).tobytes())
        if key not in self._flows:
            self._run.heed()
            self._flows[key] = self._add_flow(sample, goes_right, is_lost)
        return self._flows[key]

    def _add_flow(self, sample: int, goes_right: BoolArray, is_lost: BoolArray) -> _Flow:
        model, n_inner = self._model, self._n_inner
        arrival = model.add_variables(2 * n_inner, upper=1.0, integer=True)
        if self._separable and sample in self._sample_loss:
            loss = self._sample_loss[sample]
        else:
            loss = int(model.add_variables(1, lower=self._writer.lower[sample])[0])
            self._sample_loss[sample] = loss
        # What comes to node q goes on to 2q + 1 or 2q + 2, unless it is lost; all of it comes to the root.
        nodes = np.arange(n_inner)
        children = np.arange(2 * n_inner)
        leaves_less_comes = sp.csr_array(
            (
                np.append(np.ones(2 * n_inner), -np.ones(n_inner - 1)),
                (np.append(children // 2, nodes[1:]), np.append(children, nodes[1:] - 1)),
            ),
            shape=(n_inner, 2 * n_inner),
        )
        inflow = (nodes == 0).astype(np.float64)
        if is_lost.any():
            lost = np.append(is_lost, [False] * self._may_ask_nothing).astype(np.float64)
            matrix = sp.csr_array(sp.hstack([leaves_less_comes, sp.kron(sp.eye_array(n_inner), lost[None])]))
            model.add_rows(matrix, np.concatenate([arrival, self._question.ravel()]), inflow, np.inf)
            model.add_rows(leaves_less_comes, arrival, -np.inf, inflow)
        else:
            model.add_rows(leaves_less_comes, arrival, inflow, inflow)
        # It goes left only where a question is asked that sends it left, and right likewise.
        sends_left = np.append(~goes_right, [True] * self._may_ask_nothing)
        sends_right = np.append(goes_right, [False] * self._may_ask_nothing)
        sides = sp.kron(sp.eye_array(n_inner), np.array([sends_left, sends_right], dtype=np.float64))
        matrix = sp.csr_array(sp.hstack([sides, -sp.eye_array(2 * n_inner)]))
        model.add_rows(matrix, np.concatenate([self._question.ravel(), arrival]), 0.0, np.inf)
        self._add_loss(sample, loss, arrival[n_inner - 1 :])
        return _Flow(arrival, loss)

    def _add_loss(self, sample: int, loss: int, at_leaf: IntArray) -> None:
        """Tie z̄ to the loss at the leaf that the flow ends in: z̄ + M_j (1 − z_k) ≥ ℓ[j, k]."""
        big_m = self._writer.big_m[sample]
        for arrival, leaf in zip(at_leaf, self._leaves, strict=True):
            self._model.add_row([loss, leaf.loss[sample], arrival], [1.0, -1.0, -big_m], -big_m, np.inf)

    def _add_leaf_limits(self, options: Options) -> None:
        model, n_inner = self._model, self._n_inner
        exists = model.add_variables(2 * n_inner + 1, lower=[1.0] + [0.0] * (2 * n_inner), upper=1.0)
        for node in range(n_inner):
            here, left, right = exists[[node, 2 * node + 1, 2 * node + 2]]
            model.add_row([left, here], [1.0, -1.0], 0.0, np.inf)
            model.add_row([right, here, self._question[node, -1]], [1.0, -1.0, 1.0], 0.0, np.inf)
        leaves = exists[n_inner:]
        if options.max_leaves is not None:
            model.add_row(leaves, np.ones(leaves.size), -np.inf, max(1, options.max_leaves))
        fewest = min(options.min_samples_leaf, self.instance.n_samples)
        arrivals = np.array([flow.arrival[n_inner - 1 :] for flow in self._flows.values()])
        for slot, leaf in enumerate(leaves):
            columns = np.append(arrivals[:, slot], leaf)
            model.add_row(columns, np.append(np.ones(len(arrivals)), -fewest), 0.0, np.inf)

    # -- solving -------------------------------------------------------------------------------------------------

    def raise_bound(self, bound: float) -> None:
        """Tell the model that no tree has a lower worst-case loss than this: it then stops at the first that has it."""
        self._model.lower[self._worst] = bound / self._writer.scale

    def solve(self, run: Run) -> MasterResult:
        """Return the best tree against the scenarios so far, and the bound that is proven, in the run's time."""
        scale = self._writer.scale
        solved = self._model.solve(time_limit=run.deadline.remaining(), gap=MODEL_GAP, should_stop=run.must_stop)
        tree = None if solved.values is None else self._tree_of(solved.values)
        return MasterResult(tree, scale * solved.bound, solved.message)

    def _tree_of(self, values: FloatArray) -> Tree:
        choice = np.argmax(values[self._question], axis=1)
        structure = np.where(choice < len(self._splits), choice, NO_SPLIT)
        return tree_of(structure, self._splits, np.array([values[leaf.solution] for leaf in self._leaves]))
