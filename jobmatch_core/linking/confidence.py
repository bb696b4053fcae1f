"""Confidence of links in words: sure, likely, unsure, to check."""

from jobmatch_core.entities import LinkResult

SURE, LIKELY, UNSURE, TO_CHECK = CONFIDENCES = ("sure", "likely", "unsure", "to check")
SURE_FROM, _LIKELY_FROM = 0.8, 0.5


def confidence_word(probability: float) -> str:
    """Return the word for a probability: sure (from 0.8), likely (from 0.5), unsure."""
    return SURE if probability >= SURE_FROM else LIKELY if probability >= _LIKELY_FROM else UNSURE


def confidence(result: LinkResult) -> str:
    """Return the word for a link's confidence; 'to check' if the linker abstained."""
    return confidence_word(result.probability) if result.level else TO_CHECK
