"""The page's text: template, style, script and facts become one HTML file that loads nothing else."""

__all__ = ["LARGEST_PAGE", "render"]

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any, Final

from hedgerow.errors import InputError, needed

LARGEST_PAGE: Final = 2_000_000
"""Bytes; a larger page is slow on a phone and is refused by many mail servers."""

# What could end the element that holds the JSON, or a line of a script, is written as an escape.
_ESCAPES: Final = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


def render(template: str, scripts: Sequence[str], sections: Mapping[str, Any], facts: Mapping[str, Any]) -> str:
    """Return the page: the template filled with sections, and facts, plain JSON values, for the scripts."""
    with needed("a report needs Jinja2", "report"):
        import jinja2
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_page_file),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style = _page_file("style.css")
    # One function around all files keeps their names private.
    script = "\n".join(['(() => {\n"use strict";', *map(_page_file, scripts), "})();"])
    page = environment.get_template(template).render(
        **sections,
        style=style,
        script=script,
        facts=json.dumps(facts, ensure_ascii=False, allow_nan=False, separators=(",", ":")).translate(_ESCAPES),
        # This style, this script, and nothing from anywhere.
        policy=f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; img-src data:; "
        "base-uri 'none'; form-action 'none'",
    )
    size = len(page.encode())
    if size > LARGEST_PAGE:
        raise InputError(
            f"the report would take {size / 1e6:.1f} MB, and {LARGEST_PAGE / 1e6:.0f} MB is the most: "
            "shorten names, or report a tree with fewer leaves."
        )
    return page


def _page_file(name: str) -> str:
    return resources.files("hedgerow.report").joinpath("page", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
