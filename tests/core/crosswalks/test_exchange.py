"""SKOS in Turtle and JSON-LD, JSKOS, and coverage."""

import json

from jobmatch_core.crosswalks.coverage import coverage
from jobmatch_core.crosswalks.export_formats import FORMATS
from tests.core.crosswalks.made_mappings import ESCO, LICENCE, crosswalk, mapped

MAPPINGS = crosswalk(
    mapped("01 <x>", "narrower", "a", source_name='a "b"\n', probability=0.5, state="reviewed", reviewer="Ada"),
    mapped("02", "exact", "b"),
    mapped("02", "close", "a", state="disputed"),
    mapped("13", "none", ""),
    mapped("14", "none", "a"),
)


def test_turtle() -> None:
    """A triple for each mapping; no text leaves its quotes, and no code its angle brackets."""
    lines = FORMATS["skos-turtle"](MAPPINGS).splitlines()
    assert lines[3] == f"<https://example.org/crosswalk> dct:license <{LICENCE}> ."
    assert lines[5:] == [
        '<urn:jobmatch:source:01%20%3Cx%3E> skos:prefLabel "a \\"b\\"\\n" .',
        f"<urn:jobmatch:source:01%20%3Cx%3E> skos:broadMatch <{ESCO}a> .",
        f"<urn:jobmatch:source:02> skos:exactMatch <{ESCO}b> .",
        f"<urn:jobmatch:source:02> skos:closeMatch <{ESCO}a> .",
    ]


def test_json_ld() -> None:
    """A concept for each code with a mapping."""
    graph = json.loads(FORMATS["skos-jsonld"](MAPPINGS))["@graph"]
    assert [concept["@id"] for concept in graph] == ["urn:jobmatch:source:01%20%3Cx%3E", "urn:jobmatch:source:02"]
    assert graph[1]["skos:exactMatch"] == [{"@id": f"{ESCO}b"}]


def test_jskos() -> None:
    """A line for each mapping, with reviewer, probability and licence; an empty set where there is no concept."""
    first, *_, last = map(json.loads, FORMATS["jskos"](MAPPINGS).splitlines())
    assert first["type"] == ["http://www.w3.org/2004/02/skos/core#broadMatch"]
    assert first["from"]["memberSet"][0]["notation"] == ["01 <x>"]
    assert first["to"]["memberSet"] == [{"uri": f"{ESCO}a", "prefLabel": {"und": "a"}}]
    assert (first["mappingRelevance"], first["license"]) == (0.5, [{"uri": LICENCE}])
    assert first["contributor"] == [{"prefLabel": {"en": "Ada"}}]
    assert last["to"] == {"memberSet": []}


def test_coverage() -> None:
    """All codes, then branch by branch; codes of the list without any mapping are open."""
    everything, zero, one = coverage(MAPPINGS.mappings, ["02", "13", "15"])
    assert (everything.codes, everything.mapped, everything.without_concept, everything.open) == (5, 2, 2, 1)
    assert (everything.reviewed, everything.disputed, everything.proposed, everything.exact) == (1, 1, 3, 1)
    assert (zero.branch, zero.codes, one.branch, one.codes, one.open) == ("0", 2, "1", 3, 1)
    assert [branch.branch for branch in coverage(MAPPINGS.mappings, digits=2)] == ["", "01", "02", "13", "14"]
