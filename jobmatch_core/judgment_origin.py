"""The origin of a judgment: somebody looked at the pair, or accepted it in bulk."""

from collections.abc import Mapping
from enum import StrEnum

BULK_POLICIES = ("link-titles-selection", "link-titles-accept-many")  # of the buttons that decide on many titles


class Origin(StrEnum):
    """How a judgment came about. Models are measured only with what somebody looked at."""

    LOOKED_AT = "looked-at"
    BULK = "bulk"  # decided together with many others, mostly as a model proposed


ORIGIN_WORDS = {Origin.LOOKED_AT: "looked at", Origin.BULK: "accepted in bulk"}


def unrecorded_origin(policy: str) -> Origin:
    """Return the origin of a judgment that was recorded without one, as releases before 0.2.0 did.

    Such a judgment was looked at, unless its policy is that of a button that decides on many titles at once.
    """
    return Origin.BULK if policy in BULK_POLICIES else Origin.LOOKED_AT


def origin_words(numbers: Mapping[str, int]) -> str:
    """Return numbers of judgments or labels by origin in words: `33 looked at, 86 accepted in bulk`."""
    return ", ".join(f"{numbers.get(origin, 0):,} {words}" for origin, words in ORIGIN_WORDS.items())
