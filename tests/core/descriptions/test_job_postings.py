"""JobPostings of schema.org: found in JSON and in pages, read, and written with codes."""

import json

import pytest

from jobmatch_core.descriptions.job_postings import coded_document, find_job_posting, posting_of_document
from jobmatch_core.descriptions.posting_skills import PostingSkill
from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.descriptions.skills import SkillFact
from jobmatch_core.entities import Candidate, Evidence, GroupOffer, LinkResult, OtherCode
from jobmatch_core.linking import Linker
from jobmatch_core.taxonomy import Taxonomy

NURSE = {"@type": "JobPosting", "title": "Nurse", "description": "<p>Cares.</p>"}
CODES = {"@type": "CategoryCode", "inCodeSet": "ISCO-08", "codeValue": "2221"}


def page(*scripts: object) -> str:
    """A page with scripts of JSON-LD."""
    tags = (f'<script type="application/ld+json">{json.dumps(script)}</script>' for script in scripts)
    return f"<html><head><title>x</title>{''.join(tags)}</head><body><p>Apply</p></body></html>"


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(NURSE),
        f"\n {json.dumps([{'@type': 'WebSite'}, NURSE])}",
        json.dumps({"@context": "https://schema.org", "@graph": [NURSE]}),
        page({"@type": "BreadcrumbList"}, NURSE),
        page(NURSE).replace("application/ld+json", "APPLICATION/LD+JSON"),
        page(NURSE).replace("<html>", '<html><script type="application/ld+json">{broken</script>'),
    ],
)
def test_a_job_posting_is_found(text: str) -> None:
    """In JSON, in a list, in a graph, and in a script of a page, beside others and broken ones."""
    assert find_job_posting(text) == NURSE


@pytest.mark.parametrize(
    "text",
    [
        "",
        "JobPosting",
        "A JobPosting is described by schema.org.",
        json.dumps({"@type": "Person", "name": "JobPosting"}),
        '{"@type": "JobPosting"',
        "[" * 100_000 + '"JobPosting"',
        json.dumps("JobPosting"),
        f"<script>{json.dumps(NURSE)}</script>",  # a program, not data
    ],
)
def test_other_texts_have_none(text: str) -> None:
    """Neither words about one, nor damaged or endlessly nested JSON."""
    assert find_job_posting(text) is None


def test_reading() -> None:
    """The description as plain text, skills as texts or by their names; other kinds of values are no text."""
    document = {
        "title": "Cook &amp; baker",
        "description": "<ul><li>Bakes</li><li>Cooks</li></ul>\r\nNow",
        "skills": ["baking", {"@type": "DefinedTerm", "name": "cooking"}, 5, None],
    }
    assert posting_of_document("x", document) == Posting(
        "x", "Cook & baker", "• Bakes\n• Cooks\nNow", ("baking", "cooking")
    )
    assert posting_of_document("x", {"title": ["a"], "description": 3, "skills": "baking"}) == Posting(
        "x", "", "", ("baking",)
    )


def link(taxonomy: Taxonomy, **fields: object) -> LinkResult:
    """A link to the first occupation of a taxonomy, in unit group 5120."""
    best = Candidate(taxonomy.uris[0], "cook", "5120.1", 0.9, Evidence("cook", "en", {}))
    values = {"abstained": False, "group": None, **fields}
    return LinkResult("cook", (best,), taxonomy=taxonomy.id, set_aside=(), **values)  # type: ignore[arg-type]


def test_codes_of_a_link(bundled: Linker) -> None:
    """Occupation, unit group and the other classification's code together."""
    linked = link(bundled.taxonomy, also=(OtherCode("35-2014.00", "Cooks, Restaurant", "close"),))
    document = coded_document(Posting("x", "Cook", "Cooks."), linked, bundled.taxonomy, "en", other_set="onet")
    assert (document["@type"], document["title"], document["description"]) == ("JobPosting", "Cook", "Cooks.")
    codes = document["occupationalCategory"]
    assert [(code["inCodeSet"], code["codeValue"]) for code in codes] == [
        (bundled.taxonomy.id, bundled.taxonomy.uris[0]),
        ("ISCO-08", "5120"),
        ("onet", "35-2014.00"),
    ]
    assert codes[1]["url"] == "http://data.europa.eu/esco/isco/C5120"
    assert "url" not in codes[2]


def test_a_link_to_a_group_has_its_code_alone(bundled: Linker) -> None:
    """No occupation is claimed."""
    linked = link(bundled.taxonomy, group=GroupOffer("5120", "Cooks", 0.8))
    codes = coded_document(Posting("x", "Cook", ""), linked, bundled.taxonomy, "en")["occupationalCategory"]
    assert [code["codeValue"] for code in codes] == ["5120"]


def test_what_was_given_stays(bundled: Linker) -> None:
    """Without a link no code is added, and skills have their URIs."""
    given = {**NURSE, "datePosted": "2026-11-28", "occupationalCategory": [CODES]}
    fact = SkillFact("uri:baking", "baking", "skill", ("baking",), 0, ())
    document = coded_document(
        Posting("x", "Nurse", "Cares."),
        link(bundled.taxonomy, abstained=True),
        bundled.taxonomy,
        "en",
        skills=[PostingSkill(fact, (0,), None)],
        document=given,
    )
    assert document == given | {"skills": [{"@type": "DefinedTerm", "name": "baking", "url": "uri:baking"}]}
    assert find_job_posting(json.dumps(document)) == document
