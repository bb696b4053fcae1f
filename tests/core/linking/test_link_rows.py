"""Results as rows and as JSON: documented and stable, so every column and key is written out here."""

import dataclasses
import json
from datetime import date

import pytest

from jobmatch_core.entities import Candidate, Evidence, GroupOffer, LinkResult, Seniority
from jobmatch_core.judged_title import OwnName, Rejection
from jobmatch_core.linking import Linker
from jobmatch_core.linking.abstention import NOT_SURE, NOTHING_LIKE_IT
from jobmatch_core.linking.confidence import confidence, confidence_word
from jobmatch_core.linking.link_answer import to_json
from jobmatch_core.linking.link_counts import count_statuses
from jobmatch_core.linking.link_rows import beside, link_columns
from jobmatch_core.linking.link_words import acceptance, matched_words, rejected_words

COOK = Candidate("uri:cook", "Koch/Köchin", "5120", 0.61237, Evidence("koch", "de", {"char": 0.75, "names": 0.25}))
CHEF = Candidate("uri:chef", "Küchenchef", "3434", 0.25, Evidence("chef", "fr", {"char": 1.0}))
AS_ALTERNATIVES = [
    {"uri": "uri:cook", "name": "Koch/Köchin", "isco": "5120", "probability": 0.6124},
    {"uri": "uri:chef", "name": "Küchenchef", "isco": "3434", "probability": 0.25},
]
BAKER = Candidate("uri:baker", "Bäcker", "7512", 0.00499, Evidence("baker", "en", {"char": 1.0}))
GROUP = GroupOffer("512", "Köche", 0.86237)
LINKED = LinkResult("Koch (m/w/d)", (COOK, CHEF, BAKER), False, None, "isco-08", ("(m/w/d)",))
UNSURE = LinkResult("Küche", (COOK, CHEF), True, GROUP, "isco-08", (), reason=NOT_SURE)
UNIT = GroupOffer("5120", "Köche", 0.91237)
OF_UNIT = LinkResult("Küche", (COOK, CHEF), False, UNIT, "isco-08", ())
UNKNOWN = LinkResult("qqqq", (), True, None, "isco-08", (), reason=NOTHING_LIKE_IT)
COLUMNS = [
    "link_uri", "link_occupation", "link_isco", "link_level", "link_probability", "link_confidence",
    "link_matched_name", "link_matched_language", "link_group", "link_alternatives", "link_taxonomy",
    "link_seniority", "link_matched_source", "link_read_as", "link_reason", "link_suggested_isco",
    "link_suggested_group", "link_jobs",
]  # fmt: skip


@pytest.mark.parametrize(
    ("probability", "word"),
    [
        (1.0, "sure"), (0.8, "sure"), (0.79999, "likely"), (0.5, "likely"), (0.49999, "unsure"), (0.0, "unsure"),
    ],
)  # fmt: skip
def test_a_probability_in_a_word(probability: float, word: str) -> None:
    """Sure from .8, likely from .5."""
    assert confidence_word(probability) == word


@pytest.mark.parametrize(
    ("result", "word"),
    [(LINKED, "likely"), (OF_UNIT, "sure"), (UNSURE, "to check"), (UNKNOWN, "to check")],
    ids=["linked", "unit group", "unsure", "none"],
)
def test_confidence_of_a_result(result: LinkResult, word: str) -> None:
    """Where the linker abstained somebody has to look, however probable the first candidate is."""
    assert confidence(result) == word


def test_columns_of_a_link() -> None:
    """The best candidate, and the others as alternatives."""
    assert link_columns(LINKED) == {
        "link_uri": "uri:cook",
        "link_occupation": "Koch/Köchin",
        "link_isco": "5120",
        "link_level": "occupation",
        "link_probability": 0.6124,
        "link_confidence": "likely",
        "link_matched_name": "koch",
        "link_matched_language": "de",
        "link_group": None,
        "link_alternatives": [
            {"uri": "uri:chef", "name": "Küchenchef", "isco": "3434", "probability": 0.25},
            {"uri": "uri:baker", "name": "Bäcker", "isco": "7512", "probability": 0.005},
        ],
        "link_taxonomy": "isco-08",
        "link_seniority": None,
        "link_matched_source": "taxonomy",
        "link_read_as": None,
        "link_reason": None,
        "link_suggested_isco": None,
        "link_suggested_group": None,
        "link_jobs": [],
    }


@pytest.mark.parametrize(
    ("result", "level", "best", "probability"),
    [
        (LINKED, "occupation", COOK, 0.61237),
        (OF_UNIT, "unit group", None, 0.91237),
        (UNSURE, "", None, 0.61237),
        (UNKNOWN, "", None, 0.0),
    ],
    ids=["linked", "unit group", "unsure", "none"],
)
def test_level_of_a_result(result: LinkResult, level: str, best: Candidate | None, probability: float) -> None:
    """An occupation; a unit group, whose probability is told then and no best occupation; or nothing."""
    assert (result.level, result.best, result.probability) == (level, best, probability)


def test_columns_of_a_link_to_a_unit_group() -> None:
    """Its code, name and probability stand for the occupation's, which are alternatives."""
    assert link_columns(OF_UNIT) == {
        "link_uri": None,
        "link_occupation": None,
        "link_isco": "5120",
        "link_level": "unit group",
        "link_probability": 0.9124,
        "link_confidence": "sure",
        "link_matched_name": "koch",
        "link_matched_language": "de",
        "link_group": "Köche",
        "link_alternatives": AS_ALTERNATIVES,
        "link_taxonomy": "isco-08",
        "link_seniority": None,
        "link_matched_source": "taxonomy",
        "link_read_as": None,
        "link_reason": None,
        "link_suggested_isco": None,
        "link_suggested_group": None,
        "link_jobs": [],
    }


def test_columns_where_the_linker_abstained() -> None:
    """Nothing is linked: neither code nor probability is there to be counted. All candidates are alternatives."""
    columns = link_columns(UNSURE)
    assert list(columns) == COLUMNS
    assert {name: value for name, value in columns.items() if value is not None} == {
        "link_confidence": "to check",
        "link_alternatives": AS_ALTERNATIVES,
        "link_taxonomy": "isco-08",
        "link_reason": "not sure enough",
        "link_suggested_isco": "512",
        "link_suggested_group": "Köche",
        "link_jobs": [],
    }


def test_columns_where_a_unit_group_is_linked() -> None:
    """Its code, name and probability, no occupation."""
    columns = link_columns(OF_UNIT)
    assert (columns["link_uri"], columns["link_occupation"]) == (None, None)
    assert (columns["link_isco"], columns["link_group"], columns["link_level"]) == ("5120", "Köche", "unit group")
    assert (columns["link_probability"], columns["link_confidence"]) == (0.9124, "sure")
    assert to_json(OF_UNIT)["level"] == "unit group"


def test_columns_where_nothing_was_found() -> None:
    """None but for the taxonomy and the reason; there are no alternatives."""
    columns = link_columns(UNKNOWN)
    assert list(columns) == COLUMNS
    assert {name: value for name, value in columns.items() if value is not None} == {
        "link_confidence": "to check", "link_taxonomy": "isco-08", "link_reason": "nothing like it",
        "link_alternatives": [], "link_jobs": [],
    }  # fmt: skip


def test_a_code_that_a_taxonomy_lacks_is_none() -> None:
    """A taxonomy of one's own need not have ISCO-08 codes."""
    cook, chef = dataclasses.replace(COOK, isco=""), dataclasses.replace(CHEF, isco="")
    columns = link_columns(dataclasses.replace(LINKED, candidates=(cook, chef)))
    assert (columns["link_isco"], columns["link_alternatives"][0]["isco"]) == (None, None)


def test_columns_of_a_title_of_two_jobs() -> None:
    """Both codes, that of a unit group too; a job that is not linked has none."""
    jobs = (dataclasses.replace(LINKED, title="Koch"), OF_UNIT, UNSURE)
    assert link_columns(dataclasses.replace(LINKED, jobs=jobs))["link_jobs"] == [
        {"title": "Koch", "level": "occupation", "uri": "uri:cook", "name": "Koch/Köchin", "isco": "5120",
         "probability": 0.6124},
        {"title": "Küche", "level": "unit group", "uri": None, "name": "Köche", "isco": "5120", "probability": 0.9124},
        {"title": "Küche", "level": None, "uri": None, "name": None, "isco": None, "probability": None},
    ]  # fmt: skip


def test_json_of_a_link() -> None:
    """Every key, in order, with probabilities rounded to four digits."""
    found = to_json(dataclasses.replace(LINKED, candidates=(COOK,)))
    assert json.dumps(found, ensure_ascii=False) == json.dumps(
        {
            "title": "Koch (m/w/d)",
            "abstained": False,
            "reason": "",
            "level": "occupation",
            "seniority": "",
            "group": None,
            "set_aside": ["(m/w/d)"],
            "jobs": [],
            "candidates": [
                {
                    "uri": "uri:cook",
                    "name": "Koch/Köchin",
                    "isco": "5120",
                    "probability": 0.6124,
                    "evidence": {"name": "koch", "language": "de", "source": "taxonomy"},
                    "scores": {"char": 0.75, "names": 0.25},
                }
            ],
        },
        ensure_ascii=False,
    )


def test_json_of_a_group_and_of_nothing() -> None:
    """The group has code, name and probability."""
    assert to_json(UNSURE)["group"] == {"code": "512", "name": "Köche", "probability": 0.8624}
    assert (to_json(UNSURE)["abstained"], to_json(UNSURE)["reason"]) == (True, "not sure enough")
    assert (to_json(UNSURE)["level"], to_json(OF_UNIT)["level"]) == ("", "unit group")
    nothing = {"level": "", "seniority": "", "group": None, "set_aside": [], "jobs": [], "candidates": []}
    assert to_json(UNKNOWN) == {"title": "qqqq", "abstained": True, "reason": "nothing like it"} | nothing


def test_what_people_decided_earlier_is_in_json() -> None:
    """What was rejected for the title, and the acceptance of its group; no key where nothing was."""
    own = OwnName("Küche", "uri:cook", ("Ann",), date(2026, 3, 9), rejected=True)
    refused = Rejection("uri:cook", "Koch/Köchin", "5120", own)
    result = dataclasses.replace(OF_UNIT, group=dataclasses.replace(UNIT, own=own), rejected=(refused,))
    found = to_json(result)
    assert found["group"]["accepted"] == {"title": "Küche", "by": ["Ann"], "on": "2026-03-09"}
    assert found["rejected"] == [
        {"uri": "uri:cook", "name": "Koch/Köchin", "isco": "5120", "by": ["Ann"], "on": "2026-03-09"}
    ]
    assert rejected_words(result.rejected) == "rejected earlier: Koch/Köchin (by Ann, 9 Mar 2026)"
    assert rejected_words([refused] * 5) == (
        "rejected earlier: Koch/Köchin, Koch/Köchin, Koch/Köchin and 2 more (by Ann, 9 Mar 2026)"
    )
    assert rejected_words(()) == ""
    names = {"Ann": "Ann Lee"}
    assert rejected_words([refused], names.__getitem__).endswith("(by Ann Lee, 9 Mar 2026)")
    named = to_json(result, names.__getitem__)
    assert (named["group"]["accepted"]["by"], named["rejected"][0]["by"]) == (["Ann Lee"], ["Ann Lee"])


def test_an_accepted_group_has_its_title_as_evidence() -> None:
    """Not the name that matched an occupation, which has no part in the link."""
    columns = link_columns(dataclasses.replace(OF_UNIT, group=dataclasses.replace(UNIT, own=OWN)))
    found = {
        name: columns[f"link_{name}"] for name in ("matched_name", "matched_language", "matched_source", "read_as")
    }
    assert found == {"matched_name": "Kochfee", "matched_language": "own", "matched_source": "own", "read_as": None}


@pytest.mark.parametrize(
    ("counts", "percents"),
    [((1, 1, 1), [34, 33, 33]), ((2, 1, 0), [67, 33, 0]), ((0, 0, 0), [0, 0, 0]), ((996, 2, 2), [100, 0, 0])],
)  # fmt: skip
def test_shares_of_statuses_add_up(counts: tuple[int, ...], percents: list[int]) -> None:
    """To 100 per cent, however they round."""
    words = ("sure", "likely", "accepted")
    found = count_statuses((word for word, n in zip(words, counts, strict=True) for _ in range(n)), words)
    assert [(each.word, each.count, each.percent) for each in found] == [*zip(words, counts, percents, strict=True)]


def test_real_results_can_be_written(bundled: Linker, dirty_titles: list[dict[str, str]]) -> None:
    """Every value of every row is a text, a number, a list or None, and survives JSON; no text is empty."""
    results = bundled.link_all([row["dirty"] for row in dirty_titles[::6]] + ["", "qqqq", "Lehrer"])
    for result in results:
        columns = link_columns(result)
        assert list(columns) == COLUMNS
        assert json.loads(json.dumps(columns)) == columns
        assert {type(value) for value in columns.values()} <= {str, float, list, type(None)}
        assert "" not in columns.values()
        assert json.loads(json.dumps(to_json(result))) == to_json(result)


def test_a_row_that_was_linked_twice_before_keeps_all_of_its_columns() -> None:
    """What has the name of a column of the link is renamed until its name is free; nothing is lost."""
    row = {"title": "cook", "link_uri": "second", "link_uri (input)": "first"}
    once = beside({"title": "cook", "link_uri": "first"}, {"link_uri": "second"})
    assert once == {"title": "cook", "link_uri (input)": "first", "link_uri": "second"}
    twice = beside(row, {"link_uri": "third"})
    assert twice["link_uri"] == "third"
    assert sorted(twice.values()) == ["cook", "first", "second", "third"]
    assert twice["link_uri (input)"] == "first"


OWN = OwnName("Kochfee", "uri:cook", ("Ann", "Bob", "Çağla"), date(2026, 3, 9))


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


def test_names_of_ones_own_in_files_and_json() -> None:
    """`own` in place of a language; JSON says which title, by whom, when."""
    known = dataclasses.replace(COOK, evidence=Evidence("Kochfee", "", {}, OWN))
    result = dataclasses.replace(LINKED, candidates=(known,))
    assert link_columns(result)["link_matched_language"] == "own"
    assert to_json(result)["candidates"][0]["evidence"] == {
        "name": "Kochfee",
        "language": "own",
        "source": "own",
        "accepted": {"title": "Kochfee", "by": ["Ann", "Bob", "Çağla"], "on": "2026-03-09"},
    }


def test_how_a_name_was_found_is_in_files_and_json() -> None:
    """The source of the name and the reading of the title, with the seniority; a reading is left out where none is."""
    evidence = Evidence("Personal assistant", "en", {}, from_lexicon=True, read_as="personal assistant")
    result = LinkResult(
        "Senior PA", (dataclasses.replace(COOK, evidence=evidence),), False, None, "t", ("senior",), Seniority.SENIOR
    )
    columns = link_columns(result)
    found = (columns["link_seniority"], columns["link_matched_source"], columns["link_read_as"])
    assert found == ("senior", "lexicon", "personal assistant")
    assert to_json(result)["seniority"] == "senior"
    assert to_json(result)["candidates"][0]["evidence"] == {
        "name": "Personal assistant", "language": "en", "source": "lexicon", "read_as": "personal assistant",
    }  # fmt: skip
    assert matched_words(evidence) == "English, from the lexicon, title read as: personal assistant"
