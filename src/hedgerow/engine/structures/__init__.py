"""Branch and bound over structures: trees whose thresholds are points of a list."""
