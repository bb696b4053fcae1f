"""The names of a taxonomy as titles."""

from pathlib import Path

import pytest

from jobmatch_core.descriptions.title_space import open_title_space
from jobmatch_core.settings import Settings
from tests.core.descriptions.made_postings import WordEncoder
from tests.made_taxonomy import skilled_taxonomy


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOBMATCH_HOME", str(tmp_path))


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


def test_names_are_encoded_once(tmp_path: Path) -> None:
    """A transformer needs minutes for them: what it gave is kept, and meanwhile it tells how far it is."""
    encoder, seen = WordEncoder(64), []
    first = open_title_space(skilled_taxonomy(), encoder, progress=lambda *step: seen.append(step))
    assert seen[-1] == (encoder.encoded, encoder.encoded) != (0, 0)
    other = WordEncoder(64)
    again = open_title_space(skilled_taxonomy(), other, settings=Settings(tmp_path))
    assert other.encoded == 0
    vector = encoder.encode(["surveyor"])[0]
    assert again.titles(vector) == first.titles(vector)
    elsewhere = WordEncoder(64, "others")
    open_title_space(skilled_taxonomy(), elsewhere)
    assert elsewhere.encoded == seen[-1][0]
