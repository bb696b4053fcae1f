"""Links as JSON: documented and stable, so every key is written out here."""

import dataclasses
from datetime import date
from typing import Any

import msgspec

from jobmatch_core.entities import LinkResult
from jobmatch_core.judged_title import OwnName, Rejection
from jobmatch_core.linking import Linker
from jobmatch_core.linking.link_answer import LinkAnswer, Named, answered_link, link_answer
from tests.core.linking.made_results import (
    ACCEPTED,
    COOK,
    LINKED,
    OF_UNIT,
    SENIOR_PA,
    UNIT,
    UNKNOWN,
    UNSURE,
)


def fields(result: LinkResult, named: Named = str) -> dict[str, Any]:
    """Return the fields of a link's JSON."""
    return dict(msgspec.json.decode(msgspec.json.encode(answered_link(result, named))))


def test_json_of_a_link() -> None:
    """Every key in order, with probabilities rounded to four digits."""
    link = answered_link(dataclasses.replace(LINKED, candidates=(COOK,)))
    assert msgspec.json.encode(link) == msgspec.json.encode(
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
            "coding": {
                "state": "coded",
                "code": "5120",
                "level": "unit group",
                "name": None,
                "probability": 0.6124,
                "reason": "",
            },
        }
    )


def test_json_of_a_group_and_of_nothing() -> None:
    """A suggested group has code, name and probability; an unknown title has neither group nor candidates."""
    unsure, nothing = fields(UNSURE), fields(UNKNOWN)
    assert unsure["group"] == {"code": "512", "name": "Köche", "probability": 0.8624}
    assert (unsure["abstained"], unsure["reason"]) == (True, "not sure enough")
    assert (unsure["level"], fields(OF_UNIT)["level"]) == ("", "unit group")
    assert nothing == {
        "title": "qqqq",
        "abstained": True,
        "reason": "no similar name",
        "level": "",
        "seniority": "",
        "group": None,
        "set_aside": [],
        "jobs": [],
        "candidates": [],
        "coding": {
            "state": "not codable",
            "code": None,
            "level": None,
            "name": None,
            "probability": None,
            "reason": "gibberish",
        },
    }


def test_earlier_decisions() -> None:
    """Rejections of the title, and the acceptance of its group, with the annotators' names."""
    own = OwnName("Küche", "uri:cook", ("Ann",), date(2026, 3, 9), rejected=True)
    rejection = Rejection("uri:cook", "Koch/Köchin", "5120", own)
    result = dataclasses.replace(OF_UNIT, group=dataclasses.replace(UNIT, own=own), rejected=(rejection,))
    link = fields(result)
    assert link["group"]["accepted"] == {"title": "Küche", "by": ["Ann"], "on": "2026-03-09"}
    assert link["rejected"] == [
        {"uri": "uri:cook", "name": "Koch/Köchin", "isco": "5120", "by": ["Ann"], "on": "2026-03-09"}
    ]
    named = fields(result, {"Ann": "Ann Lee"}.__getitem__)
    assert (named["group"]["accepted"]["by"], named["rejected"][0]["by"]) == (["Ann Lee"], ["Ann Lee"])


def test_an_own_name() -> None:
    """Its language is `own`; title, annotators and date of the acceptance are given."""
    assert fields(dataclasses.replace(LINKED, candidates=(ACCEPTED,)))["candidates"][0]["evidence"] == {
        "name": "Kochfee",
        "language": "own",
        "source": "own",
        "accepted": {"title": "Kochfee", "by": ["Ann", "Bob", "Çağla"], "on": "2026-03-09"},
    }


def test_a_name_of_the_lexicon() -> None:
    """The source of the name, the reading of the title, and the seniority."""
    link = fields(SENIOR_PA)
    assert link["seniority"] == "senior"
    assert link["candidates"][0]["evidence"] == {
        "name": "Personal assistant",
        "language": "en",
        "source": "lexicon",
        "read_as": "personal assistant",
    }


def test_an_answer_reads_back(bundled: Linker, dirty_titles: list[dict[str, str]]) -> None:
    """Clients can decode the JSON with the same types."""
    titles = [row["dirty"] for row in dirty_titles[::6]] + ["", "qqqq", "Lehrer", "driver / cook"]
    answer = link_answer("isco-08", bundled.link_all(titles))
    assert msgspec.json.decode(msgspec.json.encode(answer), type=LinkAnswer) == answer
    assert any(link.jobs for link in answer.results)
