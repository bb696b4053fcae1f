"""Crosswalks as SKOS mapping relations, in Turtle and JSON-LD.

SKOS: https://www.w3.org/TR/skos-reference/#mapping. It cannot say that a code has no concept, and state, probability
and reviewers do not fit into a triple; they are in SSSOM and JSKOS.
"""

import re
from collections.abc import Iterator

from jobmatch_core.crosswalks.curies import VOCABULARIES, uri_of
from jobmatch_core.crosswalks.mapping import NONE, Mapping, MappingSet
from jobmatch_core.crosswalks.sssom import PREDICATES
from jobmatch_core.io.text_files import json_text

_SKOS = VOCABULARIES["skos"]
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})
_NOT_IN_URIS = re.compile(r"[\x00-\x20<>\"{}|^`\\]")


def skos_turtle(mappings: MappingSet) -> str:
    """Return a crosswalk as Turtle: a triple for each mapping, and the names of the source codes."""
    lines = [f"@prefix skos: <{_SKOS}> .", "@prefix dct: <http://purl.org/dc/terms/> .", ""]
    if mappings.id and mappings.licence:
        lines += [f"<{_iri(mappings.id)}> dct:license <{_iri(mappings.licence)}> .", ""]
    lines += _triples(mappings)
    return "\n".join(lines) + "\n"


def _triples(mappings: MappingSet) -> Iterator[str]:
    named: set[str] = set()
    for item in _related(mappings):
        source = _iri(uri_of(item.source, mappings.source_base))
        if item.source_name and item.source not in named:
            named.add(item.source)
            yield f'<{source}> skos:prefLabel "{item.source_name.translate(_ESCAPES)}" .'
        yield f"<{source}> {PREDICATES[item.relation]} <{_iri(uri_of(item.target, mappings.target_base))}> ."


def skos_json(mappings: MappingSet) -> str:
    """Return a crosswalk as JSON-LD: a concept for each source code, with its names and mappings."""
    concepts: dict[str, dict[str, object]] = {}
    for item in _related(mappings):
        uri = _iri(uri_of(item.source, mappings.source_base))
        concept = concepts.setdefault(uri, {"@id": uri, "@type": "skos:Concept"})
        if item.source_name:
            concept.setdefault("skos:prefLabel", item.source_name)
        targets = concept.setdefault(PREDICATES[item.relation], [])
        assert isinstance(targets, list)  # noqa: S101  # for mypy: names are the only other values
        targets.append({"@id": _iri(uri_of(item.target, mappings.target_base))})
    context = {"skos": _SKOS, "dct": "http://purl.org/dc/terms/"}
    whole: dict[str, object] = {"@context": context, "@graph": list(concepts.values())}
    return json_text(whole, ensure_ascii=False, indent=2) + "\n"


def _related(mappings: MappingSet) -> list[Mapping]:
    return [item for item in mappings.mappings if item.target and item.relation != NONE]


def _iri(uri: str) -> str:
    return _NOT_IN_URIS.sub(lambda sign: f"%{ord(sign[0]):02X}", uri)
