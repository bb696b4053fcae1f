"""Calls of clients of ESCO's web service, from public code: what they send, and what they read in the answer.

Only the names and URIs in the calls are those of the tiny ESCO of the tests.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from tests.jobmatch.serve.made_esco import (
    ABILITIES,
    CARE,
    CARING,
    DEVELOPER,
    ESCO,
    JAVA,
    KNOWLEDGE,
    NURSE,
    PYTHON,
    UNIT_GROUP,
    WEB,
)

OCCUPATIONS, SKILLS, ISCO = (f"{ESCO}concept-scheme/{name}" for name in ("occupations", "skills", "isco"))
HIERARCHY, MEMBER_SKILLS = f"{ESCO}concept-scheme/skills-hierarchy", f"{ESCO}concept-scheme/member-skills"
CODE = "2512.4"


@dataclass(frozen=True)
class ClientCall:
    """A call below `/esco/api`, how its client reads the answer, and the expected result."""

    who: str
    path: str
    read: Callable[[Any], Any]
    found: object


def results(answer: Any) -> Any:
    """Return the results that nearly every client of `search` reads."""
    return answer["_embedded"]["results"]


CALLS = [
    ClientCall(
        "a page of search results in React",
        "search?text=developer&type=occupation&type=skill&type=concept&facet=type&facet=isInScheme&offset=0&limit=20"
        "&full=true&language=en",
        lambda answer: {each["className"] for each in results(answer)[: answer["total"]]},
        {"Occupation", "Concept"},
    ),
    ClientCall(
        "a survey in Finnish",
        "search?text=Softwareentwickler&language=de&type=occupation",
        lambda answer: (results(answer)[0]["uri"], results(answer)[0]["title"]),
        (DEVELOPER, "Softwareentwickler/Softwareentwicklerin"),
    ),
    ClientCall(
        "a builder of a catalogue of skills",
        "search?language=en&type=skill&full=true&limit=20&offset=0",
        lambda answer: {each["uri"]: each["alternativeLabel"].get("en", []) for each in results(answer)}[PYTHON],
        ["Python"],
    ),
    ClientCall(
        "a crawler in Java",
        "search?text=web%20developer&type=occupation&limit=5&offset=0&full=false&viewObsolete=false&language=en",
        lambda answer: results(answer)[0]["title"],
        "web developer",
    ),
    ClientCall(
        "career advice in the browser",
        "search?text=software%20developer&type=occupation&language=en&limit=1",
        lambda answer: [each["uri"] for each in results(answer)],
        [DEVELOPER],
    ),
    ClientCall(
        "an import of all skills, page by page",
        "search?type=skill&limit=2&language=en",
        lambda answer: (len(results(answer)), answer["total"], "offset=1" in answer["_links"]["next"]["href"]),
        (2, 3, True),
    ),
    ClientCall(
        "skills of a course",
        "search?text=Python&type=skill&language=en&limit=10",
        lambda answer: (results(answer) or [])[0]["title"],
        "Python (computer programming)",
    ),
    ClientCall(
        "a form of skills without a language",
        "search?text=java&type=skill&limit=5",
        lambda answer: [each["title"] for each in results(answer)],
        ["Java (computer programming)"],
    ),
    ClientCall(
        "a classifier that reads preferred names and groups off the results",
        "search?text=programmer&type=occupation&language=en&limit=5",
        lambda answer: (results(answer)[0]["preferredLabel"]["en"], results(answer)[0]["broaderIscoGroup"]),
        ("software developer", [UNIT_GROUP]),
    ),
    ClientCall(
        "a matcher of job roles, by code",
        "search?text=software%20developer&type=occupation&language=en&full=false",
        lambda answer: next((each["title"], each["uri"], each["code"]) for each in results(answer)),
        ("software developer", DEVELOPER, CODE),
    ),
    ClientCall(
        "a plugin in PHP that sends the parameters of both services",
        f"search?text=Software%20developers&language=de&full=false&alt=true&limit=5&type=concept&isInScheme={ISCO}",
        lambda answer: next((each["searchHit"], each["uri"]) for each in results(answer)),
        ("Software developers", UNIT_GROUP),
    ),
    ClientCall(
        "a field that completes job titles in Spanish",
        "suggest2?language=en&type=occupation&text=web&offset=0&limit=25",
        lambda answer: [each["uri"] for each in results(answer)],
        [WEB],
    ),
    ClientCall(
        "a search of skills in Express",
        "suggest2?text=pyth&language=en&type=skill&offset=0&limit=10&alt=true&selectedVersion=latest&viewObsolete=false",
        lambda answer: [{"id": each["uri"], "name": each["title"]} for each in results(answer)],
        [{"id": PYTHON, "name": "Python (computer programming)"}],
    ),
    ClientCall(
        "a helper in R for occupations and skills",
        "suggest2?type=occupation&type=skill&alt=true&text=programmer",
        lambda answer: (results(answer)[0]["searchHit"], results(answer)[0]["title"]),
        ("programmer", "software developer"),
    ),
    ClientCall(
        "a reader of descriptions in other languages",
        f"resource/occupation?uri={quote(DEVELOPER, safe='')}&language=en&selectedVersion=v1.2.1",
        lambda answer: (answer["description"]["de"]["literal"], answer["preferredLabel"]["de"], answer["code"]),
        ("Schreibt Programme.", "Softwareentwickler/Softwareentwicklerin", CODE),
    ),
    ClientCall(
        "an import of skills of an occupation",
        f"resource/occupation?uri={DEVELOPER}&language=en",
        lambda answer: (
            [(each["uri"], each["title"]) for each in answer["_links"]["hasEssentialSkill"]],
            [each["skillType"] for each in answer["_links"]["hasOptionalSkill"]],
            answer["_links"]["broaderIscoGroup"][0]["code"],
        ),
        ([(PYTHON, "Python (computer programming)")], [f"{ESCO}skill-type/knowledge"], "2512"),
    ),
    ClientCall(
        "a walk over all occupations",
        f"resource/occupation?isInScheme={quote(OCCUPATIONS, safe='')}&language=en&offset=1&limit=2&viewObsolete=false"
        "&selectedVersion=v1.2.1",
        lambda answer: [each["title"] for uri, each in answer["_embedded"].items() if "occupation" in uri],
        ["web developer"],
    ),
    ClientCall(
        "a tree of occupations",
        f"resource/taxonomy?uri={OCCUPATIONS}&language=de&selectedVersion=v1.2.1",
        lambda answer: len([(each["title"], each["uri"]) for each in answer["_links"]["hasTopConcept"]]),
        10,
    ),
    ClientCall(
        "a list of the occupations of a unit group",
        f"resource/concept?uri={UNIT_GROUP}&language=en",
        lambda answer: (answer["title"], [each["title"] for each in answer["_links"]["narrowerOccupation"]]),
        ("Software developers", ["software developer"]),
    ),
    ClientCall(
        "an assistant of recruiters",
        f"resource/related?uri={DEVELOPER}&relation=hasOptionalSkill&language=en&offset=0&limit=20&selectedVersion=v1.2.1",
        lambda answer: [each["uri"] for each in answer["_embedded"]["hasOptionalSkill"]],
        [JAVA],
    ),
    ClientCall(
        "a download of all skills in R, which leaves a slash at the end",
        f"resource/related/?uri={SKILLS}&relation=hasTopConcept&language=en&full=true",
        lambda answer: [each["uri"] for each in answer["_embedded"]["hasTopConcept"]],
        [KNOWLEDGE, ABILITIES],
    ),
    ClientCall(
        "a crawl of the skills hierarchy: its tops",
        f"resource/taxonomy?uri={HIERARCHY}&language=en&selectedVersion=v1.2.1",
        lambda answer: [(top["uri"], top["code"]) for top in answer["_links"]["hasTopConcept"]],
        [(KNOWLEDGE, "K"), (ABILITIES, "S")],
    ),
    ClientCall(
        "a crawl of the skills hierarchy: a group of groups",
        f"resource/concept?uri={ABILITIES}&language=en&selectedVersion=v1.2.1",
        lambda answer: (answer["className"], [child["uri"] for child in answer["_links"]["narrowerConcept"]]),
        ("Concept", [CARING]),
    ),
    ClientCall(
        "a crawl of the skills hierarchy: a group of skills",
        f"resource/concept?uri={CARING}&language=en&selectedVersion=v1.2.1",
        lambda answer: [
            (answer["_links"][relation][0]["uri"], answer["_links"][relation][0]["title"])
            for relation in ("broaderConcept", "narrowerSkill")
        ],
        [(ABILITIES, "skills"), (CARE, "provide nursing care")],
    ),
    ClientCall(
        "a graph of skills: descriptions, types, levels and groups of many skills",
        f"resource/skill?uris={quote(CARE, safe='')}&uris={quote(JAVA, safe='')}&language=en",
        lambda answer: (
            answer["_embedded"][CARE]["description"]["de"]["literal"],
            [
                [link["uri"].rpartition("/")[2] for link in answer["_embedded"][uri]["_links"].get(relation, [])]
                for uri in (CARE, JAVA)
                for relation in ("hasSkillType", "hasReuseLevel", "broaderHierarchyConcept", "broaderSkill")
            ],
        ),
        (
            "Sorge für Kranke.",
            [["skill"], ["cross-sector"], ["S3"], [], ["knowledge"], ["sector-specific"], [], ["python"]],
        ),
    ),
    ClientCall(
        "a search in TypeScript that reads the ends of URIs",
        "search?language=en&type=skill&text=nursing&offset=0&limit=10",
        lambda answer: [
            results(answer)[0][field][0].rpartition("/")[2]
            for field in ("hasSkillType", "hasReuseLevel", "broaderHierarchyConcept")
        ],
        ["skill", "cross-sector", "S3"],
    ),
    ClientCall(
        "a course catalogue in Python that names its schemes with commas and blanks",
        f"search?text=caring&limit=5&language=de&full=False&isInScheme={MEMBER_SKILLS},%20{HIERARCHY}",
        lambda answer: [(each["className"], each["uri"]) for each in results(answer)],
        [("Concept", CARING)],
    ),
    ClientCall(
        "a form that sends all parameters, most of them empty",
        "suggest2?text=pyth&isInScheme=&facet=&type=&relation=&full=&alt=&selectedVersion=&viewObsolete=",
        lambda answer: [each["uri"] for each in results(answer)],
        [PYTHON],
    ),
    ClientCall(
        "a script that leaves out what it asks for",
        f"resource?uri={PYTHON}&language=en",
        lambda answer: (answer["uri"], answer["className"], answer["description"]["en"]["literal"]),
        (PYTHON, "Skill", "Programming in Python."),
    ),
    ClientCall(
        "a base address with a slash at its end",
        "/search?text=web%20developer&type=occupation&limit=1",
        lambda answer: [each["uri"] for each in results(answer)],
        [WEB],
    ),
    ClientCall(
        "jQuery, which keeps answers out of caches",
        "search?text=java&type=skill&_=1732544400000",
        lambda answer: [each["uri"] for each in results(answer)],
        [JAVA],
    ),
    ClientCall(
        "a page with numbers beside its filters",
        "search?type=skill&facet=type&facet=isInScheme&facet=hasReuseLevel&limit=1",
        lambda answer: {
            facet: [(entry["value"].rpartition("/")[2], entry["count"]) for entry in entries]
            for facet, entries in answer["facets"].items()
        },
        {
            "type": [("skill", 3)],
            "isInScheme": [("skills", 3), ("member-skills", 3)],
            "hasReuseLevel": [("sector-specific", 2), ("cross-sector", 1)],
        },
    ),
    ClientCall(
        "tags of skills with the occupations that need them",
        f"resource/skill?uri={PYTHON}&language=en",
        lambda answer: (
            answer["classId"],
            answer["status"],
            [each["uri"] for each in answer["_links"]["isEssentialForOccupation"]],
        ),
        (f"{ESCO}model#Skill", "released", [DEVELOPER]),
    ),
    ClientCall(
        "several occupations at once",
        f"resource/occupation?uris={DEVELOPER}&uris={NURSE}&language=en",
        lambda answer: {uri: each["title"] for uri, each in answer["_embedded"].items()},
        {DEVELOPER: "software developer", NURSE: "specialist nurse"},
    ),
]


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.who)
def test_real_clients(esco_client: TestClient, call: ClientCall) -> None:
    """A client that changes only its base URL finds the fields that it reads."""
    answer = esco_client.get(f"/esco/api/{call.path}")
    assert answer.status_code == 200, answer.text
    assert call.read(answer.json()) == call.found


def test_there_are_twenty() -> None:
    """All different."""
    assert len({call.path for call in CALLS}) >= 20
