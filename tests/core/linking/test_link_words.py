"""Links in words for people."""

import dataclasses

from jobmatch_core.entities import Evidence
from jobmatch_core.judged_title import Rejection
from jobmatch_core.linking.link_words import acceptance, job_in_words, matched_words, rejected_words
from tests.core.linking.made_results import LINKED, OF_UNIT, OWN, READ, UNSURE


def test_an_accepted_title_says_who_accepted_it_when() -> None:
    """One person, two, more."""
    assert acceptance(OWN) == "accepted by Ann, Bob and Çağla on 9 Mar 2026"
    assert acceptance(dataclasses.replace(OWN, by=("Ann", "Bob"))) == "accepted by Ann and Bob on 9 Mar 2026"
    one = dataclasses.replace(OWN, by=("person-1",))
    assert acceptance(one, {"person-1": "Ann"}.__getitem__) == "accepted by Ann on 9 Mar 2026"
    assert matched_words(Evidence("x", "de", {}, one), {"person-1": "Ann"}.__getitem__).endswith("by Ann on 9 Mar 2026")


def test_what_kind_of_name_matched() -> None:
    """Its language; of a name of one's own that, and who accepted it; of both, both."""
    plain = Evidence("koch", "de", {})
    assert matched_words(plain) == "German"
    assert matched_words(dataclasses.replace(plain, own=OWN)).startswith("German, accepted by Ann")
    assert matched_words(Evidence("Kochfee", "", {}, OWN)).startswith("a name of your own, accepted by Ann")
    assert matched_words(READ) == "English, from the lexicon, title read as: personal assistant"


def test_rejections_in_words() -> None:
    """What was rejected for a title, by whom and when; of more than three occupations the number of the others."""
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
