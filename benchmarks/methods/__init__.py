"""The heuristics and what they are made of: how good, and how much faster than by MIP."""
