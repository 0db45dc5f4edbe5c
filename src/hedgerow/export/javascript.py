"""Export to JavaScript: one function for web pages and Node.js."""

__all__ = ["to_javascript"]

from collections.abc import Mapping
from typing import Any

from hedgerow._version import WRITTEN_BY
from hedgerow.export.sums import summed
from hedgerow.rulebook import RuleBook

_TEMPLATE = """\
// A decision tree in plain JavaScript, {written_by}.
// In a web page this script defines advise(readings); in Node.js require() returns it. advise.seen has the least and
// the largest reading of the training data: advice for readings beyond that is outside experience.
var advise = (function () {{
  "use strict";

  // What the tree can advise, with the solution's entries that are not zero; and which advice each leaf gives.
  const advice = [
{advice}
  ];
  const adviceOfLeaf = {advice_of_leaf};

  // Returns the leaf's number, the advice in words, the solution's entries that are not zero, and the names of readings
  // that are outside experience. `readings` maps names to numbers; only those on the way through the tree are needed.
  function advise(readings) {{
    const leaf = leafOf(readings);
    const given = advice[adviceOfLeaf[leaf]];
    const outside = Object.keys(advise.seen).filter((name) => {{
      const value = Object.prototype.hasOwnProperty.call(readings, name) ? readings[name] : undefined;
      return typeof value === "number" && (value < advise.seen[name][0] || value > advise.seen[name][1]);
    }});
    return {{ leaf: leaf, advice: given.text, solution: {{ ...given.solution }}, outside: outside }};
  }}

  function leafOf(readings) {{
{rules}
  }}

  function reading(readings, name) {{
    const value = Object.prototype.hasOwnProperty.call(readings, name) ? readings[name] : undefined;
    if (value === undefined || value === null || Number.isNaN(value)) {{
      throw new RangeError("the reading of " + JSON.stringify(name) + " is missing.");
    }}
    if (typeof value !== "number") {{
      throw new TypeError("the reading of " + JSON.stringify(name) + " must be a number; got a " + typeof value + ".");
    }}
    return value;
  }}

  advise.seen = {seen};
  advise.asked = {asked};
  advise.unit = {unit};
  return advise;
}})();
if (typeof module === "object" && module.exports) module.exports = advise;
"""


def to_javascript(source: Any) -> str:
    """Return a script that defines the function `advise`, which takes readings by name.

    Examples
    --------
    >>> from hedgerow import RuleBook, Tree
    >>> from hedgerow.export import to_javascript
    >>> tree = Tree.full([0], [35.0], [[1.0, 0.0], [0.0, 1.0]])
    >>> script = to_javascript(RuleBook(tree, ("bridge", "tunnel"), {"advice": ["by bridge", "by tunnel"]}))
    >>> 'if (reading(readings, "bridge") <= 35.0) {' in script
    True
    """
    book = RuleBook.of(source)

    def read(item: int) -> str:
        return f"reading(readings, {_literal(book.asked[item])})"

    def at_leaf(leaf: int) -> list[str]:
        basis = book.basis(leaf)
        return [f"return {leaf};{' // based on ' if basis else ''}{basis}"]

    def at_question(node: int, yes: list[str], no: list[str]) -> list[str]:
        threshold = float(book.tree.threshold[node])
        return [
            f"if ({summed(book.asks(node), read)} <= {threshold!r}) {{",
            *(f"  {line}" for line in yes),
            "} else {",
            *(f"  {line}" for line in no),
            "}",
        ]

    return _TEMPLATE.format(
        written_by=WRITTEN_BY,
        advice="\n".join(
            f"    {{ text: {_literal(words)}, solution: {_object(book.plans.entries(plan))} }},"
            for plan, words in enumerate(book.plans.words)
        ),
        advice_of_leaf=book.plans.of_leaf.tolist(),
        rules="\n".join(f"    {line}" for line in book.fold(at_leaf, at_question)),
        asked=f"[{', '.join(map(_literal, book.asked.values()))}]",
        seen=_object(book.ranges),
        unit=_literal(book.reading_unit),
    )


def _object(entries: Mapping[str, object]) -> str:
    # Names in brackets are keys like any other; without, "__proto__" would be none.
    inner = ", ".join(f"[{_literal(name)}]: {value!r}" for name, value in entries.items())
    return f"{{ {inner} }}" if inner else "{}"


def _literal(text: str) -> str:
    """Return a string literal that also ends no script element and opens no comment where it stands in a page."""
    return '"' + "".join(map(_letter, text)) + '"'


def _letter(letter: str) -> str:
    if letter.isprintable() and letter not in '"\\<>&':
        return letter
    return f"\\u{{{ord(letter):x}}}"
