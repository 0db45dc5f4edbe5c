"""The page's texts: every language has them all, Python and the script use no others, and both write numbers alike."""

import re
from importlib import resources

import pytest

from hedgerow import InputError, LocalBudget, RobustTree
from hedgerow.problems import Selection
from hedgerow.report import report_html
from hedgerow.report.language import figure, languages, listed, message, reading, say, share
from hedgerow.run import Options
from hedgerow.run.wishes import Wishes
from tests.report import books

ENGLISH = languages()["en"]
PLACES = re.compile(r"\{(\w+)\}")


def forms(text):
    return [text] if isinstance(text, str) else list(text.values())


@pytest.mark.parametrize("name", sorted(set(languages()) - {"en"}))
def test_a_language_has_every_text_with_the_same_values(name):
    texts = languages()[name]
    assert set(texts) == set(ENGLISH)
    for key, text in ENGLISH.items():
        assert {place for form in forms(texts[key]) for place in PLACES.findall(form)} == {
            place for form in forms(text) for place in PLACES.findall(form)
        }, key
        assert isinstance(texts[key], str) == isinstance(text, str), key


def test_every_text_that_is_used_exists_and_every_one_that_exists_is_used():
    folder = resources.files("hedgerow.report")
    sources = [file for file in folder.iterdir() if file.name.endswith(".py")]
    sources += [file for file in folder.joinpath("page").iterdir() if file.name.endswith((".js", ".html"))]
    text = "\n".join(file.read_text(encoding="utf-8") for file in sources)
    named = set(re.findall(r"""(?:say|sayWith|message|\bt|label)\(\s*["'`]([\w.]+)["'`]""", text))
    assert named <= set(ENGLISH)
    # Keys that are put together from parts: all that begin as one of these.
    families = re.findall(
        r"\S+",
        "count. ending. limit. origin. thresholds. less. lower. higher. attack. misread. proof. reading. again. plans. "
        "timeline. chip. map. note. sure. figures. form. spoken. page. title wish. choose. gained.",
    )
    own = {"locale", "language", "decimal", "thousands", "percent", "samples", "yes", "no"}
    left = {key for key in ENGLISH if key not in named and not key.startswith(tuple(families))}
    assert left <= own
    for option in Options.__dataclass_fields__.values():
        if option.metadata["limits"]:
            assert f"limit.{option.name}" in ENGLISH
    for wish in set(Wishes.__dataclass_fields__) - {"per_sample"}:
        assert f"wish.{wish}" in ENGLISH


def test_numbers_are_written_as_in_the_language():
    german = languages()["de"]
    told = message("plain", value=listed([figure(1547.03, "min"), reading(9.5), share(0.0372), 1200]))
    assert say(told, ENGLISH) == "1,547 min, 9.5, 3.72\xa0% and 1,200"
    assert say(told, german) == "1.547 min, 9,5, 3,72\xa0% und 1.200"


def test_an_unknown_language_is_refused_with_those_that_are_known():
    with pytest.raises(InputError, match="language must be one of de, en; got 'fr'"):
        report_html(books.motivating(), language="fr")


def test_wishes_are_named_in_the_language_of_the_page():
    problem = Selection(3, 1, item_names=["a", "b", "c"])
    model = RobustTree(problem, depth=1, uncertainty=LocalBudget(0.5), wishes=Wishes(must_not_ask=["b"], max_plans=2))
    model.fit([[1.0, 2.0, 3.0], [3.0, 1.0, 2.0], [2.0, 3.0, 1.0], [1.0, 3.0, 2.0]])
    page = report_html(model, language="de")
    assert "keine Frage nach b" in page
    assert "höchstens 2 verschiedene Pläne" in page
