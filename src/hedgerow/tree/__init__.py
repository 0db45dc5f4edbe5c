"""The tree as flat arrays, what it may ask, and where it may split."""
