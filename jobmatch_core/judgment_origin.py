"""Origins of judgments: the annotator looked at the pair, or accepted it in bulk."""

from collections.abc import Mapping
from enum import StrEnum

BULK_POLICIES = (
    "link-titles-selection",
    "link-titles-accept-many",
)  # of the buttons for many titles


class Origin(StrEnum):
    """Origin of a judgment. Models are measured only on pairs that somebody looked at."""

    LOOKED_AT = "looked-at"
    BULK = "bulk"  # decided together with many others, mostly as proposed by a model


ORIGIN_WORDS = {Origin.LOOKED_AT: "looked at", Origin.BULK: "accepted in bulk"}


def unrecorded_origin(policy: str) -> Origin:
    """Return the origin of a judgment of a release before 0.2.0, which recorded only the policy."""
    return Origin.BULK if policy in BULK_POLICIES else Origin.LOOKED_AT


def origin_words(numbers: Mapping[str, int]) -> str:
    """Return the text for counts by origin, such as `33 looked at, 86 accepted in bulk`."""
    return ", ".join(f"{numbers.get(origin, 0):,} {words}" for origin, words in ORIGIN_WORDS.items())
