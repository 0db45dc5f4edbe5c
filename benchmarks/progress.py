"""Says what goes on while a long benchmark runs."""

import sys
import time
from collections.abc import Iterable, Iterator, Sized
from typing import TypeVar

_SECONDS_BETWEEN_LINES = 15.0
_Thing = TypeVar("_Thing")


def tell(text: str) -> None:
    """Write a line at once, where it mixes with no table."""
    print(f"{time.strftime('%H:%M:%S')}  {text}", file=sys.stderr, flush=True)


def told(things: Iterable[_Thing], what: str) -> Iterator[_Thing]:
    """Return the things one by one, and tell now and then how many are done."""
    total = f" of {len(things)}" if isinstance(things, Sized) else ""
    start = last = time.monotonic()
    count = 0
    for thing in things:
        yield thing
        count += 1
        if time.monotonic() - last > _SECONDS_BETWEEN_LINES:
            last = time.monotonic()
            tell(f"{what}: {count}{total} done after {last - start:.0f} s")
    tell(f"{what}: {count}{total} done after {time.monotonic() - start:.0f} s")
