"""Benchmarks: what is fast, how fast, against what, and on which machine.

`python -m benchmarks` runs them all, `python -m benchmarks exact.grid` one of them, `python -m benchmarks exact` a
group. A new one is a module with a `run()` that returns an `Outcome`, and a line in the table in
`benchmarks.__main__`.
"""
