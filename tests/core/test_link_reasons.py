"""Reasons why a title is not linked."""

from jobmatch_core.link_reasons import NOT_SURE, NOTHING_LIKE_IT, SEVERAL, UNKNOWN_WORD, no_names_in, shown_reason


def test_the_reason_for_a_script_without_names() -> None:
    """It names the script in English."""
    assert no_names_in("Thai") == "no names in Thai"


def test_stored_reasons_stay_and_are_shown_in_other_words() -> None:
    """Stored lists and JSON keep the old words; reasons that need no others are shown as they are."""
    assert [SEVERAL, NOTHING_LIKE_IT, UNKNOWN_WORD] == [
        "several occupations of that name",
        "nothing like it",
        "a word that no name has",
    ]
    assert [shown_reason(reason) for reason in (SEVERAL, NOTHING_LIKE_IT, UNKNOWN_WORD, NOT_SURE, "")] == [
        "several occupations with this name",
        "no similar name",
        "unknown word",
        "not sure enough",
        "",
    ]
