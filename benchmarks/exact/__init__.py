"""The exact method: what it proves, and how fast; one module per group, each run by its own name."""
