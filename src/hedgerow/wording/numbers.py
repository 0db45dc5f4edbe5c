"""Names, numbers and units in words: the one formatter for everything that people read.

A *figure* (a cost, a bound) is rounded and has its thousands set apart: `number`, `amount`. A *reading* or a threshold
keeps ten digits, so that it can be compared with what is read: `reading`. What a program reads back is exact:
`written_number`.
"""

import math
from collections.abc import Callable, Sequence

from hedgerow import __version__

WRITTEN_BY = f"written by hedgerow {__version__}"

_SMALL, _LARGE = 1e-4, 1e12
"""Beyond these numbers are written with a power of ten."""

_JOINER = "\u200d"  # holds together emoji that are made of several


def printable(text: str) -> str:
    r"""Return the text with a mark in place of each control character, which would garble terminals and tables.

    >>> printable("bridge\nnorth")
    'bridge�north'
    """
    return "".join(letter if letter.isprintable() or letter == _JOINER else "�" for letter in text)


def written_number(value: float) -> str:
    """Return a number so that it reads back exactly, whole ones without a point.

    >>> written_number(1.0), written_number(0.1)
    ('1', '0.1')
    """
    return str(int(value)) if value == int(value) and abs(value) < 2**53 else repr(float(value))


def number(value: float, digits: int | None = None) -> str:
    """Return a figure with up to that many digits, by default the three or four that matter; thousands set apart.

    Digits before the point are never left out.

    >>> number(1076.0), number(17.665), number(1.465035), number(1234567.8), number(-0.25), number(17.6667, digits=5)
    ('1,076', '17.66', '1.47', '1,234,568', '-0.25', '17.667')
    """
    size = abs(value)
    if digits is None:
        digits = 3 if size < 10.0 else 4
    if size >= _LARGE or 0.0 < size < _SMALL:
        return f"{value:.{digits}g}"
    decimals = _decimals(size, digits)
    text = f"{value + 0.0:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if decimals else text


def amount(value: float, unit: str = "", digits: int | None = None) -> str:
    """Return a figure with its unit, if it has one.

    >>> amount(7.2, "min"), amount(10000 / 3), amount(1547.02991, "min", digits=8)
    ('7.2 min', '3,333', '1,547.0299 min')
    """
    return f"{number(value, digits)} {printable(unit)}".rstrip()


def reading(value: float, unit: str = "", digits: int = 10) -> str:
    """Return a reading or a threshold with at most that many digits, and its unit if it has one.

    How far a reading may move is told with six.

    >>> reading(0.1 + 0.2), reading(36.0, "min"), reading(1234567.891), reading(13.0 / 11.0, "min", 6)
    ('0.3', '36 min', '1234567.891', '1.18182 min')
    """
    return f"{value + 0.0:.{digits}g} {printable(unit)}".rstrip()


def apart(value: float, threshold: float, digits: Callable[[float], str] = reading) -> tuple[str, str]:
    """Return two readings as texts that differ if the numbers do, however close they are.

    >>> apart(36.2, 35.0), apart(5.000000000000001, 5.0)
    (('36.2', '35'), ('5.000000000000001', '5.0'))
    """
    texts = digits(value), digits(threshold)
    return texts if texts[0] != texts[1] or value == threshold else (repr(float(value)), repr(float(threshold)))


def _decimals(size: float, digits: int) -> int:
    """Return how many decimals show that many digits of a number of this size."""
    if not 0.0 < size < math.inf:
        return digits - 1
    return max(0, digits - 1 - math.floor(math.log10(size)))


def counted(count: int, one: str, many: str | None = None) -> str:
    """Return a count with its noun.

    >>> counted(1, "sample"), counted(1000, "sample"), counted(2, "leaf", "leaves")
    ('1 sample', '1,000 samples', '2 leaves')
    """
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def listed(words: Sequence[str], shown: int) -> str:
    """Return the first words of a list, and how many follow.

    >>> listed(["a", "b", "c"], 3), listed([f"x{i}" for i in range(1205)], 2)
    ('a, b, c', 'x0, x1 and 1,203 more')
    """
    text = ", ".join(words[:shown])
    return text if len(words) <= shown else f"{text} and {len(words) - shown:,} more"


def joined(parts: Sequence[str]) -> str:
    """Return a list in words.

    >>> joined(["a"]), joined(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else "".join(parts)


def sentence(clause: str) -> str:
    """Return a clause as a sentence, with a capital letter and a full stop.

    >>> sentence("readings are taken as they are")
    'Readings are taken as they are.'
    """
    return f"{clause[0].upper()}{clause[1:]}."


def percentage(share: float, digits: int = 3) -> str:
    """Return a share as a percentage with up to that many digits: the one place where percentages are written.

    >>> percentage(0.0698), percentage(0.25), percentage(3e-7), percentage(1e300)
    ('6.98 %', '25 %', '3e-05 %', '1e+302 %')
    """
    return f"{number(100.0 * share, digits)} %"
