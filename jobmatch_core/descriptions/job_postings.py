"""Postings as schema.org's JobPosting in JSON-LD: read from JSON or a page, and written with the codes of their link.

Source: https://schema.org/JobPosting. Sites have it in a script of type `application/ld+json`.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from jobmatch_core.descriptions.posting_skills import PostingSkill
from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.entities import LinkResult
from jobmatch_core.io.text_files import with_line_feeds
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.tables import UNIT_DIGITS
from jobmatch_core.text.markup import plain_line, plain_text

Document = dict[str, Any]
_TYPE = "JobPosting"
_SCRIPT = re.compile(r"<script\b[^>]*\bapplication/ld\+json\b[^>]*>(.*?)</script\s*>", re.IGNORECASE | re.DOTALL)
_ISCO, _ISCO_URI = "ISCO-08", "http://data.europa.eu/esco/isco/C"
_DEEPEST = 10  # layers of lists and graphs around a posting


def find_job_posting(text: str) -> Document | None:
    """Return the first JobPosting of a JSON text, or of a page's scripts; None without one."""
    if _TYPE not in text:
        return None
    for source in [text] if text.lstrip()[:1] in ("{", "[") else _SCRIPT.findall(text):
        try:
            document = json.loads(source)
        except (ValueError, RecursionError):  # other scripts of a page may be broken
            continue
        if posting := next(_job_postings(document, _DEEPEST), None):
            return posting
    return None


def posting_of_document(name: str, document: Document) -> Posting:
    """Return the posting that a JobPosting describes; its description as plain text, line breaks as line feeds."""
    description = plain_text(with_line_feeds(_text(document.get("description")))).strip()
    skills = tuple(filter(None, map(_text, _listed(document.get("skills")))))
    return Posting(name, plain_line(_text(document.get("title"))).strip(), description, skills)


def coded_document(
    posting: Posting,
    link: LinkResult,
    taxonomy: Taxonomy,
    show: str,
    *,
    other_set: str = "",
    skills: Sequence[PostingSkill] = (),
    document: Document | None = None,
) -> Document:
    """Return a posting as a JobPosting with the codes of its link.

    Args:
        link: its link; without one, the document has no codes.
        show: language of the names.
        other_set: name of the classification of the link's other codes.
        skills: skills to list, each with its URI.
        document: the JobPosting that it was read from, whose other fields stay.
    """
    given = document or {"@context": "https://schema.org", "@type": _TYPE, "description": posting.description}
    coded = {**given, "title": posting.title}
    if link.level:
        coded["occupationalCategory"] = list(_codes(link, taxonomy, show, other_set))
    if skills:
        facts = (skill.fact for skill in skills)
        coded["skills"] = [{"@type": "DefinedTerm", "name": fact.name, "url": fact.uri} for fact in facts]
    return coded


def _codes(link: LinkResult, taxonomy: Taxonomy, show: str, other_set: str) -> Iterator[Document]:
    if best := link.best:
        yield _code(taxonomy.id, best.uri, best.name, best.uri)
    if code := (link.group.code if link.group else best.isco[:UNIT_DIGITS] if best else ""):
        yield _code(_ISCO, code, taxonomy.group_name(code, show), f"{_ISCO_URI}{code}")
    for other in link.also:
        yield _code(other_set, other.code, other.name)


def _code(code_set: str, value: str, name: str, url: str = "") -> Document:
    code = {"@type": "CategoryCode", "inCodeSet": code_set, "codeValue": value, "name": name}
    return {**code, "url": url} if url else code


def _job_postings(node: object, layers: int) -> Iterator[Document]:
    if isinstance(node, dict):
        if _TYPE in _listed(node.get("@type")):
            yield node
        elif layers:
            yield from _job_postings(node.get("@graph"), layers - 1)
    elif isinstance(node, list) and layers:
        for element in node:
            yield from _job_postings(element, layers - 1)


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [] if value is None else [value]


# a text, or the name of what stands in its place
def _text(value: object) -> str:
    if isinstance(value, Mapping):
        value = value.get("name")
    return value if isinstance(value, str) else ""
