"""What people of each unit group do: every group, in every language, in phrases."""

import pytest

from jobmatch_core.taxonomy.bundled import read_bundled
from jobmatch_core.taxonomy.duties import duties_digest, duty_files, unit_group_duties
from jobmatch_core.text.languages import LANGUAGE_NAMES

LANGUAGES = [path.stem.removeprefix("duties_") for path in duty_files()]


def test_languages_are_known() -> None:
    """With English, to which models are drawn."""
    assert {"en", "de"} <= set(LANGUAGES) <= set(LANGUAGE_NAMES)
    assert len(duties_digest()) == 64


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_unit_group_has_phrases(language: str) -> None:
    """Of the 436 of ISCO-08, three to eight each, none of them empty or twice."""
    codes = {code for code in read_bundled().concepts["isco"].to_list() if len(code) == 4}
    phrases = {code: duties[language] for code, duties in unit_group_duties().items() if language in duties}
    assert phrases.keys() == codes
    for code, duties in phrases.items():
        assert 3 <= len(duties) <= 8, code
        assert len(set(duties)) == len(duties), code
        assert all(duty == duty.strip() and 1 < len(duty) < 120 for duty in duties), code


def test_a_phrase_by_hand() -> None:
    """Bakers bake bread."""
    assert any("bread" in duty for duty in unit_group_duties()["7512"]["en"])
