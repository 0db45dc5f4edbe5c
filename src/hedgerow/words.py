"""Names and numbers as people are shown them: on one line, and exact."""

__all__ = ["printable", "written_number"]


def printable(text: str) -> str:
    r"""Return the text with a mark in place of each control character, which would garble terminals and tables.

    Examples
    --------
    >>> from hedgerow.words import printable
    >>> printable("bridge\nnorth")
    'bridge�north'
    """
    return "".join(letter if letter.isprintable() else "�" for letter in text)


def written_number(value: float) -> str:
    """Return a number so that it reads back exactly, whole ones without a point.

    Examples
    --------
    >>> from hedgerow.words import written_number
    >>> written_number(1.0), written_number(0.1)
    ('1', '0.1')
    """
    return str(int(value)) if value == int(value) and abs(value) < 2**53 else repr(float(value))
