"""The page's language: messages, and the files that put them into words.

A message is a list of a key and its values, plain JSON that Python and the page's script turn into the same words. A
language is one file in `page/languages`: texts by key, with values in braces. A text that depends on a count `n` has
the forms that the language's plural rules call for. A value is a text, a count, another message, or one of the objects
that `figure`, `reading`, `share` and `listed` return.
"""

__all__ = [
    "DEFAULT",
    "Message",
    "check_language",
    "figure",
    "languages",
    "listed",
    "message",
    "plain",
    "reading",
    "say",
    "share",
]

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from typing import Any, Final, TypeAlias

from hedgerow.data.checks import in_short
from hedgerow.errors import InputError
from hedgerow.wording import numbers as words

Message: TypeAlias = list[Any]
Texts: TypeAlias = Mapping[str, Any]

DEFAULT: Final = "en"
_PLACE = re.compile(r"\{(\w+)\}")


def message(key: str, **values: Any) -> Message:
    """Return a message.

    >>> say(message("count.rules", n=2), languages()["en"]), say(message("count.rules", n=1), languages()["de"])
    ('2 rules', '1 Regel')
    """
    return [key, values] if values else [key]


def plain(value: Any) -> Message:
    """Return the message that is nothing but a value."""
    return message("plain", value=value)


def figure(value: float, unit: str = "") -> dict[str, Any]:
    """Return a cost, which is rounded for display."""
    return {"figure": float(f"{value:.10g}"), "unit": unit}


def reading(value: float, unit: str = "") -> dict[str, Any]:
    """Return a reading or a threshold, which keeps ten digits."""
    return {"reading": float(value), "unit": unit}


def share(value: float) -> dict[str, Any]:
    """Return a share, which is shown as a percentage."""
    return {"share": float(value)}


def listed(values: Iterable[Any]) -> dict[str, Any]:
    """Return a list of values."""
    return {"all": list(values)}


@cache
def languages() -> Mapping[str, Texts]:
    """Return the texts of all languages, by the names of their files."""
    folder = resources.files("hedgerow.report").joinpath("page", "languages")
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".json")), key=lambda file: file.name)
    return {file.name.removesuffix(".json"): json.loads(file.read_text(encoding="utf-8")) for file in files}


def check_language(name: str | None) -> None:
    """Raise an error unless the page is known in this language; None stands for that of the reader's browser."""
    if name is not None and name not in languages():
        raise InputError(f"language must be one of {', '.join(languages())}; got {in_short(name)}.")


def say(said: Message, texts: Texts) -> str:
    """Return a message in a language."""
    key, values = said[0], said[1] if len(said) > 1 else {}
    text = texts[key]
    if isinstance(text, Mapping):
        text = text.get("one" if values["n"] == 1 else "other", text["other"])
    return _PLACE.sub(lambda place: _shown(values[place[1]], texts), text)


def _shown(value: Any, texts: Texts) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return say(value, texts)
    if not isinstance(value, Mapping):
        return _by_locale(f"{value:,}" if isinstance(value, int) else words.number(value), texts)
    if "all" in value:
        parts = [_shown(part, texts) for part in value["all"]]
        return f" {texts['and']} ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)
    if "share" in value:
        # A line of a page never ends before the sign.
        return _by_locale(words.percentage(value["share"]), texts).replace(" ", "\xa0")
    number = words.reading(value["reading"]) if "reading" in value else words.number(value["figure"])
    return f"{_by_locale(number, texts)} {value['unit']}".rstrip()


def _by_locale(number: str, texts: Texts) -> str:
    signs = str.maketrans({",": texts["thousands"], ".": texts["decimal"]})
    return words.typeset(number).translate(signs)
