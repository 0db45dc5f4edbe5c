"""What PROBLEM on the command line stands for: `grid:4`, `selection:40:10`, or a problem file."""

__all__ = ["problem_named"]

import tomllib
from pathlib import Path

from hedgerow.errors import FileFormatError, InputError
from hedgerow.problem import Problem

_ALLOWED = "grid:4 (paths on a 4 × 4 grid), selection:40:10 (10 of 40 items) or a problem file that ends in .toml"
_MODEL_FILES = (".mps", ".lp", ".mps.gz", ".lp.gz")
_MAX_BYTES = 1 << 28


def problem_named(text: str) -> Problem:
    """Return the problem that a word of the command line stands for.

    Examples
    --------
    >>> from hedgerow.cli.problems import problem_named
    >>> problem_named("grid:4"), problem_named("selection:40:10")
    (ShortestPath.grid(4), Selection(40, 10))
    """
    kind, _, rest = text.partition(":")
    if kind == "grid":
        from hedgerow.problems import ShortestPath

        return ShortestPath.grid(_whole_numbers(text, rest, 1)[0])
    if kind == "selection":
        from hedgerow.problems import Selection

        n_items, n_chosen = _whole_numbers(text, rest, 2)
        return Selection(n_items, n_chosen)
    if text.lower().endswith(".toml"):
        return _from_toml(Path(text))
    if text.lower().endswith(_MODEL_FILES):
        raise InputError(f"{text}: model files (.mps, .lp) can't be read yet; PROBLEM must be {_ALLOWED}.")
    raise InputError(f"PROBLEM must be {_ALLOWED}; got {text!r}.")


def _whole_numbers(text: str, rest: str, count: int) -> list[int]:
    parts = rest.split(":")
    if len(parts) != count or not all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):
        example = "grid:4" if count == 1 else "selection:40:10"
        raise InputError(f"PROBLEM must be written like {example}; got {text!r}.")
    return [int(part) for part in parts]


def _from_toml(path: Path) -> Problem:
    from hedgerow.problems import problem_from_dict

    if not path.is_file():
        raise InputError(f"{path}: there is no such problem file.")
    if path.stat().st_size > _MAX_BYTES:
        raise FileFormatError(f"{path} is larger than {_MAX_BYTES >> 20} MiB; that is not a problem file.")
    try:
        return problem_from_dict(tomllib.loads(path.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise FileFormatError(f"{path} can't be read as a problem file (TOML): {error}.") from None
    except FileFormatError as error:
        raise FileFormatError(f"{path}: {error}") from None
