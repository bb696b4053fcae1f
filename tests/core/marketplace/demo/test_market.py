"""Day rates, cities by language, and sentence patterns."""

import re
from string import Formatter

import pytest

from jobmatch_core.marketplace.cities import all_cities
from jobmatch_core.marketplace.demo.market import LANGUAGES, Phrases, cities_of, load_market, load_phrases
from jobmatch_core.taxonomy.bundled import LANGUAGES as BUNDLED_LANGUAGES
from jobmatch_core.text.folding import fold


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_cities(language: str) -> None:
    """Several, all in countries that use the language."""
    assert len(cities_of(language)) >= 3
    assert all(language in city.languages for city in cities_of(language))


@pytest.mark.parametrize("language", ["ja", ""])
def test_a_language_without_a_city_has_them_all(language: str) -> None:
    """All cities are returned."""
    assert cities_of(language) == all_cities()


def test_berlin_is_where_it_is() -> None:
    """The rows of the table are not mixed up."""
    [berlin] = [city for city in cities_of("de") if city.name == "Berlin"]
    assert (berlin.country, berlin.languages) == ("DE", {"de", "en"})
    assert (berlin.place.latitude, berlin.place.longitude) == (52.52, 13.405)


def test_pay() -> None:
    """A developer costs more than a gardener, and either more in Switzerland than in Portugal."""
    market = load_market()
    assert market.day_rate("2512", "DE") > 2 * market.day_rate("6113", "DE") > 0
    assert market.day_rate("2512", "CH") > 2 * market.day_rate("2512", "PT") > 0
    assert market.day_rate("2512", "XX") == pytest.approx(0.7 * market.day_rate("2512", "FR"))


def test_popularity() -> None:
    """The longest prefix of a code counts: software developers before their family; soldiers never occur."""
    market = load_market()
    assert market.popularity("2512") > market.popularity("2529") > market.popularity("2320") > 0
    assert market.popularity("0110") == 0


def test_languages_that_are_not_named_are_rare() -> None:
    """They are as frequent as the rarest language of the table."""
    market = load_market()
    assert market.language_share("ja") == min(market.language_share(language) for language in LANGUAGES)


SLOTS = {"title", "skill", "skills", "sector", "seniority", "years", "months", "days"}
ABOUT_SKILLS = {
    "freelancer": ("strengths", "story", "interest", "mission"),
    "project": ("tasks", "must", "nice"),
}


def slots(pattern: str) -> set[str]:
    """Return the names of a pattern's slots."""
    return {name for _, name, _, _ in Formatter().parse(pattern) if name}


def patterns(phrases: Phrases) -> list[str]:
    """Return all patterns of a language."""
    return [text for kinds in (phrases.freelancer, phrases.project) for kind in kinds.values() for text in kind]


def test_the_languages_are_those_of_the_bundled_taxonomy() -> None:
    """The bundled taxonomy has sentence patterns in all its languages."""
    assert LANGUAGES == BUNDLED_LANGUAGES


@pytest.mark.parametrize("language", [*LANGUAGES, "ja"])
def test_every_language_has_every_kind_of_sentence(language: str) -> None:
    """All kinds of sentences of English, with known slots, and with skills in sentences about skills."""
    english, phrases = load_phrases("en"), load_phrases(language)
    for noun, kinds in (("freelancer", phrases.freelancer), ("project", phrases.project)):
        assert kinds.keys() == getattr(english, noun).keys()
        for kind in ABOUT_SKILLS[noun]:
            if language in LANGUAGES or kind != "interest":
                assert all(slots(text) & {"skill", "skills"} for text in kinds[kind])
    assert all(slots(text) <= SLOTS for text in patterns(phrases))
    assert len(phrases.seniority) == 4


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_vary(language: str) -> None:
    """Several distinct patterns of each kind, and as many sectors as in English."""
    phrases = load_phrases(language)
    for kinds in (phrases.freelancer, phrases.project):
        assert all(len(texts) >= 2 for texts in kinds.values())
        assert all(len(kinds[kind]) >= 4 for kind in ("title", "opening"))
    texts = patterns(phrases)
    assert len(texts) - len(set(texts)) == 1  # the plain title twice, since it is the commonest
    assert len(set(phrases.sectors)) == len(phrases.sectors) == len(load_phrases("en").sectors)
    assert not re.search(r"\d", "".join((*texts, *phrases.sectors)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_profiles_and_projects_do_not_share_sentences(language: str) -> None:
    """Otherwise a matcher that counts words would find profiles by their sentences."""
    phrases = load_phrases(language)
    mine, theirs = (
        {word for texts in kinds.values() for text in texts for word in fold(re.sub(r"{\w+}", "", text)).split()}
        for kinds in (phrases.freelancer, phrases.project)
    )
    assert len(mine & theirs) / len(theirs) < 0.4


def test_other_languages_have_names_only() -> None:
    """No words stand between the names."""
    phrases = load_phrases("ja")
    assert not re.search(r"[^\W\d_]", re.sub(r"{\w+}", "", "".join((*patterns(phrases), *phrases.sectors))))


def test_lists() -> None:
    """Of no, one, two and three names."""
    german = load_phrases("de")
    assert [german.listed(list("abc")[:count]) for count in range(4)] == ["", "a", "a und b", "a, b und c"]
