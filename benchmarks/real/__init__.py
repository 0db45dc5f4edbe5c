"""Benchmarks on measured data, out of sample: robust and nominal trees beside the baselines."""
