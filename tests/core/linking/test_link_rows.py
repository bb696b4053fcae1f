"""Links as rows: documented and stable, so every column is written out here."""

import dataclasses
import json

import pytest

from jobmatch_core.entities import Candidate, LinkResult
from jobmatch_core.linking import Linker
from jobmatch_core.linking.link_rows import beside, link_columns
from tests.core.linking.made_results import (
    ACCEPTED,
    CHEF,
    COOK,
    LINKED,
    OF_UNIT,
    OWN,
    SENIOR_PA,
    UNIT,
    UNKNOWN,
    UNSURE,
)

AS_ALTERNATIVES = [
    {"uri": "uri:cook", "name": "Koch/Köchin", "isco": "5120", "probability": 0.6124},
    {"uri": "uri:chef", "name": "Küchenchef", "isco": "3434", "probability": 0.25},
]
COLUMNS = [
    "link_uri",
    "link_occupation",
    "link_isco",
    "link_level",
    "link_probability",
    "link_confidence",
    "link_matched_name",
    "link_matched_language",
    "link_group",
    "link_alternatives",
    "link_taxonomy",
    "link_seniority",
    "link_matched_source",
    "link_read_as",
    "link_reason",
    "link_suggested_isco",
    "link_suggested_group",
    "link_jobs",
]


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


def test_columns_where_nothing_was_found() -> None:
    """None but for the taxonomy and the reason; there are no alternatives."""
    columns = link_columns(UNKNOWN)
    assert list(columns) == COLUMNS
    assert {name: value for name, value in columns.items() if value is not None} == {
        "link_confidence": "to check",
        "link_taxonomy": "isco-08",
        "link_reason": "nothing like it",
        "link_alternatives": [],
        "link_jobs": [],
    }


def test_a_code_that_a_taxonomy_lacks_is_none() -> None:
    """A taxonomy of one's own need not have ISCO-08 codes."""
    cook, chef = dataclasses.replace(COOK, isco=""), dataclasses.replace(CHEF, isco="")
    columns = link_columns(dataclasses.replace(LINKED, candidates=(cook, chef)))
    assert (columns["link_isco"], columns["link_alternatives"][0]["isco"]) == (None, None)


def test_columns_of_a_title_of_two_jobs() -> None:
    """Both codes, that of a unit group too; a job that is not linked has none."""
    jobs = (dataclasses.replace(LINKED, title="Koch"), OF_UNIT, UNSURE)
    assert link_columns(dataclasses.replace(LINKED, jobs=jobs))["link_jobs"] == [
        {
            "title": "Koch",
            "level": "occupation",
            "uri": "uri:cook",
            "name": "Koch/Köchin",
            "isco": "5120",
            "probability": 0.6124,
        },
        {"title": "Küche", "level": "unit group", "uri": None, "name": "Köche", "isco": "5120", "probability": 0.9124},
        {"title": "Küche", "level": None, "uri": None, "name": None, "isco": None, "probability": None},
    ]


def test_an_accepted_group_has_its_title_as_evidence() -> None:
    """Not the name that matched an occupation, which has no part in the link."""
    columns = link_columns(dataclasses.replace(OF_UNIT, group=dataclasses.replace(UNIT, own=OWN)))
    found = {
        name: columns[f"link_{name}"] for name in ("matched_name", "matched_language", "matched_source", "read_as")
    }
    assert found == {"matched_name": "Kochfee", "matched_language": "own", "matched_source": "own", "read_as": None}


def test_how_a_name_matched() -> None:
    """`own` in place of the language of an own name; the source of a name, the reading of the title, the seniority."""
    own = link_columns(dataclasses.replace(LINKED, candidates=(ACCEPTED,)))
    assert own["link_matched_language"] == "own"
    columns = link_columns(SENIOR_PA)
    matched = (columns["link_seniority"], columns["link_matched_source"], columns["link_read_as"])
    assert matched == ("senior", "lexicon", "personal assistant")


def test_real_results_can_be_written(bundled: Linker, dirty_titles: list[dict[str, str]]) -> None:
    """Every value of every row is a text, a number, a list or None, and survives JSON; no text is empty."""
    results = bundled.link_all([row["dirty"] for row in dirty_titles[::6]] + ["", "qqqq", "Lehrer"])
    for result in results:
        columns = link_columns(result)
        assert list(columns) == COLUMNS
        assert json.loads(json.dumps(columns)) == columns
        assert {type(value) for value in columns.values()} <= {str, float, list, type(None)}
        assert "" not in columns.values()


def test_a_row_that_was_linked_twice_before_keeps_all_of_its_columns() -> None:
    """What has the name of a column of the link is renamed until its name is free; nothing is lost."""
    row = {"title": "cook", "link_uri": "second", "link_uri (input)": "first"}
    once = beside({"title": "cook", "link_uri": "first"}, {"link_uri": "second"})
    assert once == {"title": "cook", "link_uri (input)": "first", "link_uri": "second"}
    twice = beside(row, {"link_uri": "third"})
    assert twice["link_uri"] == "third"
    assert sorted(twice.values()) == ["cook", "first", "second", "third"]
    assert twice["link_uri (input)"] == "first"
