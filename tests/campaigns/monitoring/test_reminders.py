"""The emails: in every language whole, and each in its own words."""

from string import Formatter

import pytest

from jurat.i18n import Language, languages

LANGUAGES = languages("reminders")
ENGLISH = LANGUAGES["en"]


def forms(language: Language, key: str) -> dict[str, str]:
    said = language._words[key]
    return said if isinstance(said, dict) else {"": said}


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_the_four_languages():
    assert set(LANGUAGES) == {"en", "es", "hi", "zh"}


@pytest.mark.parametrize("code", sorted(set(LANGUAGES) - {"en"}))
def test_every_language_says_everything_in_its_own_words(code):
    language = LANGUAGES[code]
    assert language.keys == ENGLISH.keys
    for key in sorted(ENGLISH.keys):
        said, english = forms(language, key), forms(ENGLISH, key)
        assert said != english, key
        wanted = places(english.get("other", english.get("", "")))
        for form, text in said.items():
            # one need not be written as a number
            missing = wanted - places(text) - ({"count"} if form == "one" else set())
            assert not missing, (key, form)
            assert places(text) <= wanted, (key, form)
        if "other" in english:
            tags = {language.locale.plural_form(n) for n in range(200)}
            assert tags - {"many"} <= set(said) | {"other"}
