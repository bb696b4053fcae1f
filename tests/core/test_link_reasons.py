"""Reasons why a title is not linked."""

from jobmatch_core.link_reasons import NOT_SURE, NOTHING_LIKE_IT, SEVERAL, UNKNOWN_WORD, current_reason, no_names_in


def test_the_reason_for_a_script_without_names() -> None:
    """It names the script in English."""
    assert no_names_in("Thai") == "no names in Thai"


def test_reasons_of_older_lists_read_as_those_of_today() -> None:
    """Pages, files and JSON have one wording; reasons that were the same before stay."""
    older = ["several occupations of that name", "nothing like it", "a word that no name has", "not a job", ""]
    assert [current_reason(reason) for reason in older] == [SEVERAL, NOTHING_LIKE_IT, UNKNOWN_WORD, "not a job", ""]
    assert [current_reason(reason) for reason in (SEVERAL, NOT_SURE)] == [SEVERAL, NOT_SURE]
