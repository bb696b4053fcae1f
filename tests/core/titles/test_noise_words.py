"""Words that are noise in a title and words that name the work, and cells of several lines."""

import pytest

from jobmatch_core.titles.cleaning import clean_title
from jobmatch_core.titles.noise_words import noise_phrases

KNOWN = frozenset(
    {
        "cook",
        "nurse",
        "koch",
        "enfermero",
        "kucharz",
        "training",
        "works",
        "engineer",
    }
)


@pytest.mark.parametrize(
    ("cell", "forms", "aside"),
    [
        ("Cook\n   \n     Moda Training", ("cook",), ("Moda Training",)),
        ("Cook\r\nHarbour Works Engineer Ltd", ("cook",), ("Harbour Works Engineer Ltd",)),
        ("Cook\tThe Training Company", ("cook",), ("The Training Company",)),
        ("Cook | The Training Company | Leeds", ("cook",), ("The Training Company", "Leeds")),
        ("Cook (m/w/d) | The Training Company", ("cook",), ("(m/w/d)", "The Training Company")),
        ("Cook | Nurse", ("cook", "nurse", "cook nurse"), ()),
        ("Cook\nSenior Nurse", ("cook", "nurse", "cook nurse", "cook senior nurse"), ("Senior",)),
        ("Training\nEngineer", ("training engineer",), ()),
        ("Training engineer\nof works", ("training engineer of works",), ()),
        ("Blorp Company\nCook", ("blorp company cook",), ()),
    ],
)
def test_a_cell_of_several_lines_is_the_title_and_what_is_beside_it(
    cell: str, forms: tuple[str, ...], aside: tuple[str, ...]
) -> None:
    """Names of jobs are further jobs, lines of a word each are wrapped, and all else after the title is set aside."""
    cleaned = clean_title(cell, KNOWN, frozenset({"cook", "nurse"}))
    assert (cleaned.forms, cleaned.set_aside) == (forms, aside)


@pytest.mark.parametrize(
    ("title", "form", "aside"),
    [
        ("cook (deceased)", "cook", ("deceased",)),
        ("retired cook", "cook", ("retired",)),
        ("retired (was a cook)", "cook", ("retired", "was a")),
        ("ex-nurse", "nurse", ("ex",)),
        ("ehemaliger Koch", "koch", ("ehemaliger",)),
        ("Koch im Ruhestand", "koch", ("im Ruhestand",)),
        ("enfermero jubilado", "enfermero", ("jubilado",)),
        ("były kucharz", "kucharz", ("były",)),
        ("emekli cook", "cook", ("emekli",)),
        ("Ex-nurse", "nurse", ("Ex",)),
        ("Früher Koch", "koch", ("Früher",)),
        ("COOK (PER ARBITRATION AWARD)", "cook", ("PER ARBITRATION AWARD",)),
        ("COOK - SALARIED", "cook", ("SALARIED",)),
        ("COOK - PER AGREEMENT", "cook", ("PER AGREEMENT",)),
    ],
)
def test_the_status_of_the_person_and_the_terms_of_pay_are_set_aside(
    title: str, form: str, aside: tuple[str, ...]
) -> None:
    """As registers, surveys and payrolls write them."""
    cleaned = clean_title(title, KNOWN)
    assert (cleaned.forms[0], cleaned.set_aside) == (form, aside)


@pytest.mark.parametrize(
    ("title", "seniority"),
    [
        ("Senior Center Director", "director"),
        ("Senior Citizens Activity Leader", ""),
        ("Junior High School Teacher", ""),
        ("Junior School Teacher", ""),
        ("Lead Smelter", ""),
        ("Lead Glazier", ""),
        ("Lead Pipe Worker", ""),
        ("Intern Program Director", "director"),
        ("Apprenticeship Manager", ""),
        ("Senior Teacher", "senior"),
        ("Senior Junior High School Teacher", "senior"),
        ("Lead Engineer", "lead"),
        ("Apprentice Glazier", "apprentice"),
    ],
)
def test_words_that_name_the_work_are_no_rank(title: str, seniority: str) -> None:
    """A center of seniors, a junior school, the metal; they stay in the title."""
    cleaned = clean_title(title, KNOWN)
    assert cleaned.seniority == seniority
    assert bool(cleaned.set_aside) == (seniority in ("senior", "apprentice"))


@pytest.mark.parametrize("kind", ["seniority", "contract", "advert", "alone"])
def test_noise_words_are_in_small_letters(kind: str) -> None:
    """They are written as in running text, in every language of the linker."""
    languages = {"en", "de", "ru", "uk", "tr", "ar", "ko", "is"} | ({"hi", "mt", "ga"} if kind != "alone" else set())
    for language in languages:
        assert all(phrase == phrase.lower() for phrase in noise_phrases(kind, language))


def test_noise_phrases() -> None:
    """As written; a kind or a language that is not there is an error."""
    assert "m/f/d" in noise_phrases("advert", "en")
    assert "im praktikum" in noise_phrases("seniority", "de")
    for kind, language in (("weather", "en"), ("advert", "xx")):
        with pytest.raises(KeyError):
            noise_phrases(kind, language)
