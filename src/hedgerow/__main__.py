"""The program `hedgerow`, also as `python -m hedgerow`."""

__all__ = ["main"]

from hedgerow.cli import main

if __name__ == "__main__":
    main()
