"""Explanations for people: why a row gets its advice, how stable that is, and what a tree is made of."""

__all__ = [
    "Condition",
    "Explanation",
    "Explanations",
    "OtherAdvice",
    "PlanTotal",
    "TreeExplanation",
    "explain",
    "explain_tree",
]

from hedgerow.explain.explanation import Condition, Explanation, Explanations, OtherAdvice, PlanTotal
from hedgerow.explain.rows import explain
from hedgerow.explain.tree_explanation import TreeExplanation, explain_tree
