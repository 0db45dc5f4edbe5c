"""Explanations for people: why an observation gets its advice, how stable that is, and what a tree is made of."""

__all__ = [
    "Answer",
    "Change",
    "Condition",
    "Counterfactual",
    "Explanation",
    "Hurt",
    "ItemRange",
    "LeafUse",
    "Possibility",
    "QuestionUse",
    "TreeExplanation",
    "explain",
    "explain_tree",
]

from hedgerow.explain.explanation import Explanation
from hedgerow.explain.observations import explain
from hedgerow.explain.parts import Answer, Change, Condition, Counterfactual, ItemRange, Possibility
from hedgerow.explain.tree_explanation import Hurt, LeafUse, QuestionUse, TreeExplanation
from hedgerow.explain.whole_tree import explain_tree
