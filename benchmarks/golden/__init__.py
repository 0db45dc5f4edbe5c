"""Golden runs: what stored runs found, to compare a checkout with.

`runs.csv` holds objective, bound, status and CPU time of each run. `python -m benchmarks.golden record` writes it,
`python -m benchmarks.golden compare` runs the present checkout and lists what got worse, and with `--against FOLDER`
another checkout runs the same cases in turn, so that both are timed side by side. That is why these modules use only
names of `hedgerow` that both checkouts have.
"""
