"""Explanations for people: why a row gets its advice, and how stable that is."""

__all__ = [
    "Condition",
    "Explanation",
    "Explanations",
    "OtherAdvice",
    "PlanTotal",
    "explain",
]

from hedgerow.explain.explanation import Condition, Explanation, Explanations, OtherAdvice, PlanTotal
from hedgerow.explain.rows import explain
