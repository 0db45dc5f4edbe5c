"""The page's text: template, style, script and facts become one HTML file that loads nothing else."""

__all__ = ["LARGEST_PAGE", "render"]

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any, Final

from hedgerow.errors import InputError, needed
from hedgerow.report.language import DEFAULT, Message, languages, message, say

LARGEST_PAGE: Final = 2_000_000
"""Bytes; a larger page is slow on a phone and is refused by many mail servers."""

_STYLES: Final = ("style.css", "parts.css", "print.css")
_SCRIPTS: Final = (
    "language.js", "dom.js", "sums.js", "rules.js", "form.js", "questionnaire.js", "advice.js", "tree_layout.js",
    "tree_size.js", "tree.js", "space.js", "network.js", "timeline.js", "plans.js", "main.js",
)  # fmt: skip
# What could end the element that holds the JSON, or a line of a script, is written as an escape.
_ESCAPES: Final = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


def render(
    sections: Mapping[str, Any],
    facts: Mapping[str, Any],
    *,
    template: str = "report.html",
    styles: Sequence[str] = _STYLES,
    scripts: Sequence[str] = _SCRIPTS,
) -> str:
    """Return the page: the template filled with sections, and facts, plain JSON values, for the scripts."""
    style = "\n".join(_page_file(name) for name in styles)
    # One function around all files keeps their names private.
    script = "\n".join(['(() => {\n"use strict";', *(_page_file(name) for name in scripts), "})();"])
    language = facts.get("language") or DEFAULT
    page: str = _template(template, languages()[language]).render(
        **sections,
        language=language,
        style=style,
        script=script,
        facts=_json(facts).translate(_ESCAPES),
        # This style, this script, and nothing from anywhere.
        policy=f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; img-src data:; "
        "base-uri 'none'; form-action 'none'",
    )
    size = len(page.encode())
    if size > LARGEST_PAGE:
        raise InputError(
            f"the report would take {size / 1e6:.1f} MB, and {LARGEST_PAGE / 1e6:.0f} MB is the most: "
            "leave out the samples, shorten names, or report a tree with fewer leaves."
        )
    return page


def _template(name: str, texts: Mapping[str, Any]) -> Any:
    with needed("a report needs Jinja2", "report"):
        import jinja2
        from markupsafe import Markup

    def shown(*messages: Message) -> Markup:
        """Return messages as text that the script can put into another language."""
        spans = (Markup("<span data-say='{}'>{}</span>").format(_json(each), say(each, texts)) for each in messages)
        return Markup(" ").join(spans)

    def label(key: str) -> Markup:
        """Return the attributes of an element whose name is read out."""
        return Markup("data-say-label='{}' aria-label='{}'").format(_json([key]), texts[key])

    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.globals.update(shown=shown, label=label, t=lambda key, **values: shown(message(key, **values)))
    return environment.from_string(_page_file(name))


def _page_file(name: str) -> str:
    return resources.files("hedgerow.report").joinpath("page", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
