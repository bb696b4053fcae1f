"""Names of countries and languages."""

import pytest

from jobmatch_core.text.locale_names import country_names, language_names


def test_a_country_and_a_language() -> None:
    """In the languages of those who search, each name once."""
    germany, german = country_names("de"), language_names("de")
    assert {"Germany", "Deutschland", "Allemagne", "Niemcy", "ドイツ"} <= set(germany)
    assert {"German", "Deutsch", "allemand", "alemán", "německy"} - set(german) == {"německy"}
    assert len(set(germany)) == len(germany)


@pytest.mark.parametrize("code", ["", "zz", "xx-yy", "☃"])
def test_unknown_codes(code: str) -> None:
    """Have no names."""
    assert country_names(code) == language_names(code) == ()
