"""Mappings for tests."""

from pathlib import Path
from typing import Any

from jobmatch_core.crosswalks.mapping import Mapping, MappingSet
from jobmatch_core.crosswalks.sssom import SssomFile, read_sssom, sssom_text

ESCO = "http://data.europa.eu/esco/occupation/"
LICENCE = "https://creativecommons.org/licenses/by/4.0/"


def mapped(source: str, relation: str, target: str, **others: Any) -> Mapping:
    """Return a mapping to a concept of ESCO; '' for none."""
    return Mapping(source, f"{ESCO}{target}" if target else "", relation, target_name=target, **others)


def crosswalk(*mappings: Mapping) -> MappingSet:
    """Return a set with the mandatory metadata."""
    return MappingSet(mappings, "https://example.org/crosswalk", LICENCE)


def written(folder: Path, *mappings: Mapping) -> SssomFile:
    """Return a crosswalk that was written and read again."""
    path = folder / "mappings.tsv"
    path.write_text(sssom_text(crosswalk(*mappings)), "utf-8")
    return read_sssom(path)
