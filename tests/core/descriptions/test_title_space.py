"""The names of a taxonomy as titles."""

from jobmatch_core.descriptions.title_space import open_title_space
from tests.core.descriptions.made_postings import WordEncoder
from tests.made_taxonomy import skilled_taxonomy


def test_names_in_one_language() -> None:
    """Preferred ones stand for their occupation; a language that is missing is shown in English."""
    encoder = WordEncoder(64)
    space = open_title_space(skilled_taxonomy(), encoder, "de")
    [near, *_] = space.titles(encoder.encode(["Kartograf"])[0])
    assert (near.text, near.uri) == ("Kartograf", "http://jobs/2165")
    [occupation, *_] = space.occupations(encoder.encode(["Kartograf"])[0])
    assert occupation.text == "Vermesser"
    missing = open_title_space(skilled_taxonomy(), encoder, "fi")
    assert missing.titles(encoder.encode(["surveyor"])[0])[0].text == "surveyor"


def test_how_far_it_is() -> None:
    """A transformer needs minutes for all names."""
    encoder, seen = WordEncoder(64), []
    open_title_space(skilled_taxonomy(), encoder, progress=lambda *step: seen.append(step))
    assert seen == [(0, encoder.encoded), (encoder.encoded, encoder.encoded)]
