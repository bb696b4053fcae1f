"""Links in words for people."""

import dataclasses

import pytest

from jobmatch_core.entities import Evidence, LinkResult
from jobmatch_core.judged_title import Rejection
from jobmatch_core.linking.link_words import (
    acceptance,
    confidence,
    confidence_word,
    job_in_words,
    matched_words,
    rejected_words,
)
from tests.core.linking.made_results import LINKED, OF_UNIT, OWN, READ, UNKNOWN, UNSURE


@pytest.mark.parametrize(
    ("probability", "word"),
    [
        (1.0, "sure"),
        (0.8, "sure"),
        (0.79999, "likely"),
        (0.5, "likely"),
        (0.49999, "unsure"),
        (0.0, "unsure"),
    ],
)
def test_word_for_a_probability(probability: float, word: str) -> None:
    """Sure from 0.8, likely from 0.5."""
    assert confidence_word(probability) == word


@pytest.mark.parametrize(
    ("result", "word"),
    [(LINKED, "likely"), (OF_UNIT, "sure"), (UNSURE, "to check"), (UNKNOWN, "to check")],
    ids=["linked", "unit group", "unsure", "none"],
)
def test_confidence_of_a_result(result: LinkResult, word: str) -> None:
    """An abstention is to be checked, however probable the first candidate is."""
    assert confidence(result) == word


def test_acceptance_names_annotators_and_date() -> None:
    """One, two or three annotators, and the date."""
    assert acceptance(OWN) == "accepted by Ann, Bob and Çağla on 9 Mar 2026"
    assert acceptance(dataclasses.replace(OWN, by=("Ann", "Bob"))) == "accepted by Ann and Bob on 9 Mar 2026"
    one = dataclasses.replace(OWN, by=("person-1",))
    assert acceptance(one, {"person-1": "Ann"}.__getitem__) == "accepted by Ann on 9 Mar 2026"
    assert matched_words(Evidence("x", "de", {}, one), {"person-1": "Ann"}.__getitem__).endswith("by Ann on 9 Mar 2026")


def test_matched_words() -> None:
    """The language or 'a name of your own', the acceptance, and the reading of the title."""
    plain = Evidence("koch", "de", {})
    assert matched_words(plain) == "German"
    assert matched_words(dataclasses.replace(plain, own=OWN)).startswith("German, accepted by Ann")
    assert matched_words(Evidence("Kochfee", "", {}, OWN)).startswith("a name of your own, accepted by Ann")
    assert matched_words(READ) == "English, from the lexicon, title read as: personal assistant"


def test_rejections_in_words() -> None:
    """Up to three occupations and the number of further ones, the annotators, and the last date."""
    rejection = Rejection("uri:cook", "Koch/Köchin", "5120", dataclasses.replace(OWN, by=("Ann",), rejected=True))
    assert rejected_words([rejection]) == "rejected earlier: Koch/Köchin (by Ann, 9 Mar 2026)"
    assert rejected_words([rejection] * 5) == (
        "rejected earlier: Koch/Köchin, Koch/Köchin, Koch/Köchin and 2 more (by Ann, 9 Mar 2026)"
    )
    assert rejected_words(()) == ""
    assert rejected_words([rejection], {"Ann": "Ann Lee"}.__getitem__).endswith("(by Ann Lee, 9 Mar 2026)")


def test_a_job_in_words() -> None:
    """The code and name of its occupation or unit group, or that it is not linked."""
    assert job_in_words(LINKED) == "Koch (m/w/d): 5120 Koch/Köchin"
    assert job_in_words(OF_UNIT) == "Küche: 5120 Köche"
    assert job_in_words(UNSURE) == "Küche: not linked"
