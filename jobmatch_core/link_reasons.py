"""Reasons why a title is not linked, in the words that pages, files and JSON all have."""

SEVERAL = "several occupations with this name"
NOTHING_LIKE_IT = "no similar name"
UNKNOWN_WORD = "unknown word"
NO_NAMES_IN = "no names in "  # followed by a script
NOT_SURE, NO_JOB, REJECTED = "not sure enough", "not a job", "rejected earlier"
DECIDED = "decided earlier"  # that no occupation fits

_EARLIER = {  # in lists that an older release stored
    "several occupations of that name": SEVERAL,
    "nothing like it": NOTHING_LIKE_IT,
    "a word that no name has": UNKNOWN_WORD,
}


def no_names_in(script: str) -> str:
    """Return the reason for a title in a script that no name is in: 'no names in Thai'."""
    return f"{NO_NAMES_IN}{script}"


def current_reason(reason: str) -> str:
    """Return the reason of a stored list in the words of this release."""
    return _EARLIER.get(reason, reason)
