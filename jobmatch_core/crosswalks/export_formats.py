"""Formats in which a crosswalk is written, by name."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from jobmatch_core.crosswalks.jskos import jskos_lines
from jobmatch_core.crosswalks.mapping import MappingSet
from jobmatch_core.crosswalks.skos import skos_json, skos_turtle
from jobmatch_core.crosswalks.sssom import sssom_text

FORMATS: Mapping[str, Callable[[MappingSet], str]] = MappingProxyType(
    {"sssom": sssom_text, "skos-turtle": skos_turtle, "skos-jsonld": skos_json, "jskos": jskos_lines}
)
