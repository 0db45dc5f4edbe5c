"""Explanations for people: why a row gets its advice, and how stable that is."""

__all__ = ["Condition", "Explanation", "Explanations", "OtherAdvice", "explain"]

from hedgerow.explain.explanation import Condition, Explanation, Explanations, OtherAdvice, explain
