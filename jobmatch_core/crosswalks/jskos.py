"""Crosswalks as JSKOS mappings, one JSON object a line, as Cocoda and jskos-server import them.

Specification: https://gbv.github.io/jskos/#concept-mappings.
"""

from jobmatch_core.crosswalks.curies import VOCABULARIES, uri_of
from jobmatch_core.crosswalks.mapping import NONE, Mapping, MappingSet
from jobmatch_core.crosswalks.sssom import PREDICATES
from jobmatch_core.io.text_files import json_text

_CONTEXT = "https://gbv.github.io/jskos/context.json"
_LANGUAGE = "und"  # names do not say theirs
_SKOS = VOCABULARIES["skos"]


def jskos_lines(mappings: MappingSet) -> str:
    """Return a crosswalk as newline-delimited JSKOS; a source code without a concept has an empty target set."""
    items = [item for item in mappings.mappings if item.relation != NONE or not item.target]
    return "".join(json_text(_mapping(item, mappings), ensure_ascii=False) + "\n" for item in items)


def _mapping(item: Mapping, of: MappingSet) -> dict[str, object]:
    kind = PREDICATES.get(item.relation, "skos:mappingRelation").removeprefix("skos:")
    target = [_concept(uri_of(item.target, of.target_base), item.target_name, "")] if item.target else []
    values: dict[str, object] = {
        "@context": _CONTEXT,
        "type": [_SKOS + kind],
        "from": {"memberSet": [_concept(uri_of(item.source, of.source_base), item.source_name, item.source)]},
        "to": {"memberSet": target},
        "mappingRelevance": item.probability,
        "justification": item.justification,
        "created": item.date,
        "contributor": [{"prefLabel": {"en": name}} for name in (item.reviewer, item.second_reviewer) if name],
        "license": [{"uri": licence}] if (licence := item.licence or of.licence) else [],
        "partOf": [{"uri": of.id}] if of.id else [],
        "tool": [{"prefLabel": {"en": f"{item.tool} {item.version}".strip()}}] if item.tool else [],
        "note": {"en": [item.state]},
    }
    return {name: value for name, value in values.items() if name == "to" or value not in (None, "", [])}


def _concept(uri: str, name: str, code: str) -> dict[str, object]:
    concept: dict[str, object] = {"uri": uri}
    if name:
        concept["prefLabel"] = {_LANGUAGE: name}
    if code:
        concept["notation"] = [code]
    return concept
