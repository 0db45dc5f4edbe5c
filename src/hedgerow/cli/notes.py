"""Notes beside the answer: they go to standard error, and wait until the input has been checked."""

__all__ = ["Notes", "note", "notes_from_the_log", "show_guesses"]

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from hedgerow.data_files.dialect import options_of
from hedgerow.words import printable


def note(message: str) -> None:
    """Print a note on standard error."""
    print(printable(message), file=sys.stderr, flush=True)


class Notes:
    """Notes that are held back, so that bad input is answered by one sentence and nothing else.

    >>> notes = Notes()
    >>> notes.add("costs.csv: these columns are not used: 'date'")
    >>> notes.waiting
    1
    """

    def __init__(self) -> None:
        self._waiting: list[str] = []

    @property
    def waiting(self) -> int:
        """How many are held back."""
        return len(self._waiting)

    def add(self, message: str) -> None:
        """Keep a note for later, unless it is empty."""
        if message:
            self._waiting.append(message)

    def show(self) -> None:
        """Print the notes that were held back, after what was guessed about the files."""
        show_guesses()
        while self._waiting:
            note(self._waiting.pop(0))


def show_guesses() -> None:
    """Print how files were read where that was guessed, each guess once."""
    guesses = options_of().guesses
    for guess in dict.fromkeys(guesses):
        note(guess)
    guesses.clear()


@contextmanager
def notes_from_the_log(notes: Notes) -> Iterator[None]:
    """Print what Hedgerow logs, such as why "auto" picked a method, after the notes held back."""
    logger, handler = logging.getLogger("hedgerow"), _Handler(notes)
    level, propagate = logger.level, logger.propagate
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
        logger.propagate = propagate


class _Handler(logging.Handler):
    def __init__(self, notes: Notes) -> None:
        super().__init__(logging.INFO)
        self._notes = notes

    def emit(self, record: logging.LogRecord) -> None:
        self._notes.add(record.getMessage())
        self._notes.show()
