"""Reasons why a title is not linked, as files and stored lists keep them, and as people read them."""

SEVERAL = "several occupations of that name"
NOTHING_LIKE_IT = "nothing like it"
UNKNOWN_WORD = "a word that no name has"
NOT_SURE, NO_JOB, REJECTED = "not sure enough", "not a job", "rejected earlier"

_SHOWN = {
    SEVERAL: "several occupations with this name",
    NOTHING_LIKE_IT: "no similar name",
    UNKNOWN_WORD: "unknown word",
}


def no_names_in(script: str) -> str:
    """Return the reason for a title in a script that no name is in: 'no names in Thai'."""
    return f"no names in {script}"


def shown_reason(reason: str) -> str:
    """Return a stored reason in the words that people read."""
    return _SHOWN.get(reason, reason)
