"""Links as rows and data frames: documented and stable, so every column is written out here."""

import dataclasses
import json
from collections.abc import Iterable

import numpy as np
import pandas as pd
import pytest

from jobmatch_core.entities import Candidate, LinkResult
from jobmatch_core.errors import DataFileError
from jobmatch_core.linking import Linker
from jobmatch_core.linking.link_rows import LinkResults, beside, link_columns
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

MISSING = [None, float("nan"), np.float32("nan"), pd.NA, pd.NaT]
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
    "link_coding",
    "link_code",
    "link_code_level",
    "link_code_name",
    "link_code_probability",
    "link_coding_reason",
    "link_context",
    "link_also_code",
    "link_also_name",
    "link_also_relation",
]


def test_columns_of_a_link() -> None:
    """The best candidate is the link; the others are alternatives."""
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
        "link_coding": "coded",
        "link_code": "5120",
        "link_code_level": "unit group",
        "link_code_name": None,
        "link_code_probability": 0.6124,
        "link_coding_reason": None,
        "link_context": None,
        "link_also_code": None,
        "link_also_name": None,
        "link_also_relation": None,
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
    """An occupation, a unit group with its own probability, or nothing."""
    assert (result.level, result.best, result.probability) == (level, best, probability)


def test_columns_of_a_link_to_a_unit_group() -> None:
    """Code, name and probability are the group's; the occupations are alternatives."""
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
        "link_coding": "coded",
        "link_code": "5120",
        "link_code_level": "unit group",
        "link_code_name": "Köche",
        "link_code_probability": 0.9124,
        "link_coding_reason": None,
        "link_context": None,
        "link_also_code": None,
        "link_also_name": None,
        "link_also_relation": None,
    }


def test_columns_where_the_linker_abstained() -> None:
    """An abstention has neither code nor probability; all candidates are alternatives."""
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
        "link_coding": "not sure",
        "link_coding_reason": "not sure enough",
    }


def test_columns_where_nothing_was_found() -> None:
    """All columns but the taxonomy and the reason are empty."""
    columns = link_columns(UNKNOWN)
    assert list(columns) == COLUMNS
    assert {name: value for name, value in columns.items() if value is not None} == {
        "link_confidence": "to check",
        "link_taxonomy": "isco-08",
        "link_reason": "no similar name",
        "link_alternatives": [],
        "link_jobs": [],
        "link_coding": "not codable",
        "link_coding_reason": "gibberish",
    }


def test_a_missing_code_is_none() -> None:
    """A custom taxonomy need not have ISCO-08 codes."""
    cook, chef = dataclasses.replace(COOK, isco=""), dataclasses.replace(CHEF, isco="")
    columns = link_columns(dataclasses.replace(LINKED, candidates=(cook, chef)))
    assert (columns["link_isco"], columns["link_alternatives"][0]["isco"]) == (None, None)


def test_columns_of_a_title_of_two_jobs() -> None:
    """Each job has its occupation or unit group; a job that is not linked has no code."""
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
    """The name that matched an occupation has no part in the link."""
    columns = link_columns(dataclasses.replace(OF_UNIT, group=dataclasses.replace(UNIT, own=OWN)))
    evidence = {
        name: columns[f"link_{name}"] for name in ("matched_name", "matched_language", "matched_source", "read_as")
    }
    assert evidence == {"matched_name": "Kochfee", "matched_language": "own", "matched_source": "own", "read_as": None}


def test_how_a_name_matched() -> None:
    """Language (`own` for an own name), source, the reading of the title, and its seniority."""
    own = link_columns(dataclasses.replace(LINKED, candidates=(ACCEPTED,)))
    assert own["link_matched_language"] == "own"
    columns = link_columns(SENIOR_PA)
    matched = (columns["link_seniority"], columns["link_matched_source"], columns["link_read_as"])
    assert matched == ("senior", "lexicon", "personal assistant")


def test_real_results_can_be_written(bundled: Linker, dirty_titles: list[dict[str, str]]) -> None:
    """All values are texts, numbers, lists or None, and survive JSON; no text is empty."""
    results = bundled.link_all([row["dirty"] for row in dirty_titles[::6]] + ["", "qqqq", "Lehrer"])
    for result in results:
        columns = link_columns(result)
        assert list(columns) == COLUMNS
        assert json.loads(json.dumps(columns)) == columns
        assert {type(value) for value in columns.values()} <= {str, float, list, type(None)}
        assert "" not in columns.values()


def test_a_row_that_is_linked_again_keeps_its_columns() -> None:
    """Input columns with the name of a link column are renamed until the name is free."""
    row = {"title": "cook", "link_uri": "second", "link_uri (input)": "first"}
    once = beside({"title": "cook", "link_uri": "first"}, {"link_uri": "second"})
    assert once == {"title": "cook", "link_uri (input)": "first", "link_uri": "second"}
    twice = beside(row, {"link_uri": "third"})
    assert twice["link_uri"] == "third"
    assert sorted(twice.values()) == ["cook", "first", "second", "third"]
    assert twice["link_uri (input)"] == "first"


@pytest.mark.parametrize("missing", MISSING, ids=repr)
def test_a_missing_value_is_an_empty_title(tiny: Linker, missing: object) -> None:
    """None, NaN and pandas' NA count as empty; the other titles are linked as usual."""
    assert tiny.link_all(["nurse", missing, "cook"]) == tiny.link_all(["nurse", "", "cook"])
    assert tiny.link(missing) == tiny.link("")


@pytest.mark.parametrize(
    "titles",
    [
        pd.Series(["nurse", None], index=[7, 3]),
        pd.Series(["nurse", pd.NA], dtype="string"),
        np.array(["nurse", None], dtype=object),
        (title for title in ("nurse", "")),
    ],
    ids=["Series", "string Series", "array", "generator"],
)
def test_titles_of_every_type(tiny: Linker, titles: Iterable[object]) -> None:
    """A series with any index, an array, or a generator."""
    assert tiny.link_all(titles) == tiny.link_all(["nurse", ""])


def test_a_list_is_refused_as_a_title(tiny: Linker) -> None:
    """A list in place of a text is a mistake of the caller."""
    with pytest.raises(DataFileError, match="holds a list where a text is expected"):
        tiny.link_all([["nurse"]])


def test_a_data_frame_of_links(tiny: Linker) -> None:
    """The columns of files, with NaN for missing values, codes as texts, and lists of alternatives."""
    titles = pd.Series(["nurse", None], index=[7, 3], name="job")
    results = tiny.link_all(titles)
    frame = results.to_pandas(titles.index)
    assert frame.index.tolist() == [7, 3]
    assert list(frame.columns) == ["title", *link_columns(results[0])]
    assert frame["link_isco"].tolist()[:1] == [results[0].candidates[0].isco]
    assert frame["link_probability"].isna().tolist() == frame["link_uri"].isna().tolist() == [False, True]
    assert frame["link_alternatives"].tolist() == [link_columns(result)["link_alternatives"] for result in results]
    assert titles.to_frame().join(frame)["job"].tolist()[0] == frame["title"].tolist()[0] == "nurse"


@pytest.mark.parametrize("titles", [[], [""], ["nurse"]], ids=["no title", "nothing linked", "all linked"])
def test_types_of_a_data_frame_do_not_depend_on_the_links(tiny: Linker, titles: list[str]) -> None:
    """Texts, two floats, and lists, also without any link."""
    frame = tiny.link_all(titles).to_pandas()
    types = {name: str(kind) for name, kind in frame.dtypes.items()}
    assert (types.pop("link_probability"), types.pop("link_code_probability")) == ("float64", "float64")
    assert (types.pop("link_alternatives"), types.pop("link_jobs")) == ("object", "object")
    assert set(types.values()) == {"str"}
    assert frame.index.tolist() == list(range(len(titles)))


def test_many_links_in_a_notebook(tiny: Linker) -> None:
    """The first fifty links, and the number of further ones."""
    [result] = tiny.link_all(["nurse"])
    assert LinkResults([result] * 50)._repr_html_().count("<tr>") == 51
    html = LinkResults([result] * 1051)._repr_html_()
    assert html.count("<tr>") == 51
    assert html.endswith("<p>and 1,001 more titles</p>")
