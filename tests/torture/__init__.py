"""A harness that looks for faults as long as one likes: `make torture`, or `python -m tests.torture --help`."""
