"""A crosswalk to review: begun from a list of codes, with proposals, or from a file of mappings."""

from collections.abc import Mapping as Table
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from jobmatch.services.linking import LinkingService, LinkOptions
from jobmatch_core.crosswalks.candidates import SURE, CodeCandidates, code_candidates
from jobmatch_core.crosswalks.code_digits import CodeDigits
from jobmatch_core.crosswalks.mapping import CC_BY, NONE, PROPOSED_FROM, REVIEWED, SOURCE_BASE, Mapping, MappingSet
from jobmatch_core.crosswalks.proposals import proposed_mappings
from jobmatch_core.crosswalks.relation_features import SourceCode
from jobmatch_core.crosswalks.review import CrosswalkReview
from jobmatch_core.crosswalks.source_list import SourceList, prefix_parent, read_source_list
from jobmatch_core.crosswalks.sssom import is_sssom, read_sssom
from jobmatch_core.crosswalks.store import CrosswalkCard, CrosswalkStore
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.errors import DataFileError
from jobmatch_core.linking import Linker
from jobmatch_core.sheets.code_list_columns import NO_COLUMNS
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.folding import visible
from jobmatch_core.text.locales import ENGLISH

_NO_CODES = "the file has no codes"
_SHOWN = 100  # characters of a target in a message


def proposed_crosswalk(
    source_list: SourceList,
    name: str,
    linker: Linker,
    *,
    source_uri: str = SOURCE_BASE,
    set_uri: str = "",
    licence: str = CC_BY,
    least: float = PROPOSED_FROM,
    progress: Progress = no_progress,
) -> MappingSet:
    """Return proposed mappings of a list as a crosswalk; see `proposed_mappings`.

    Args:
        source_list: the codes.
        linker: of the target taxonomy.
        source_uri: start of the URIs of the codes.
        set_uri: URI of the crosswalk; '' for a URN of the name.
        licence: URI of the licence.
        least: probability from which a concept is proposed.
        progress: called with codes done and codes in total.
    """
    mappings = proposed_mappings(
        source_list.codes, linker, source_list.language, datetime.now(UTC).date(), least=least, progress=progress
    )
    taxonomy = linker.taxonomy.manifest
    return MappingSet(
        tuple(mappings),
        set_uri or f"urn:jobmatch:crosswalk:{quote(name, safe='')}",
        licence,
        f"{name} to {taxonomy.id}",
        source_uri,
        target_version=taxonomy.version,
        target_base=f"urn:jobmatch:{quote(taxonomy.id)}:",
    )


def begin_crosswalk(
    file: Path,
    store: CrosswalkStore,
    taxonomy: str,
    linking: LinkingService,
    language: str = "",
    *,
    columns: Table[str, str] = NO_COLUMNS,
    encoding: str | None = None,
    separator: str = "",
    progress: Progress = no_progress,
) -> str:
    """Store a crosswalk to review; return its id.

    Args:
        file: a list of codes and names, for which mappings are proposed, or mappings in SSSOM, which are taken as they
            are.
        store: where it is stored.
        taxonomy: id of the target taxonomy.
        linking: opens it.
        language: of the names of a list; '' to guess it.
        columns: of a list, as `encoding` and `separator`; see `read_source_list`.
        progress: called with codes done and codes in total.

    Raises:
        DataFileError: the file cannot be read, has no codes, or maps to another taxonomy.
        CrosswalkError: the disk refuses.
        JobMatchError: the taxonomy cannot be opened or searched.
    """
    name = file.name.split(".")[0]
    if is_sssom(file):
        return store_mappings(file, store, CrosswalkCard(name, taxonomy, language), linking.taxonomy(taxonomy))
    source_list = read_source_list(file, columns=columns, language=language, encoding=encoding, separator=separator)
    if not source_list.codes:
        raise DataFileError(file, _NO_CODES)
    linker = linking.opening(LinkOptions(taxonomy)).result()
    crosswalk = proposed_crosswalk(source_list, name, linker, progress=progress)
    return store.new(CrosswalkCard(name, taxonomy, source_list.language), source_list.codes, crosswalk)


def store_mappings(file: Path, store: CrosswalkStore, card: CrosswalkCard, taxonomy: Taxonomy) -> str:
    """Store the mappings of a file in SSSOM to a taxonomy as a crosswalk to review and to link through; return its id.

    Raises:
        DataFileError: the file is not SSSOM, a row cannot be read, there is none, or all map to another taxonomy.
        CrosswalkError: the disk refuses.
    """
    found = read_sssom(file)
    if wrong := next((problem for problem in found.problems if problem.line), None):
        raise DataFileError(file, wrong.text, line=wrong.line)
    codes = _codes_of(found.mappings.mappings)
    if not codes:
        raise DataFileError(file, _NO_CODES)
    targets = [item.target for item in found.mappings.mappings if item.target]
    if targets and not any(map(taxonomy.has_concept, targets)):
        n, target = len(targets), visible(targets[0])[:_SHOWN]
        raise DataFileError(
            file,
            f"it maps to another taxonomy than {taxonomy.id}, which has none of its {n} targets, such as {target}. "
            "Choose the taxonomy that it maps to, or import it",
        )
    named = tuple(_named(item, taxonomy, card.language) for item in found.mappings.mappings)
    return store.new(card, codes, replace(found.mappings, mappings=named))


def _named(mapping: Mapping, taxonomy: Taxonomy, language: str) -> Mapping:
    # files may leave out the names of targets, which the desk shows
    if mapping.target_name or not taxonomy.has_concept(mapping.target):
        return mapping
    return replace(mapping, target_name=taxonomy.name(taxonomy.number(mapping.target), language or ENGLISH))


def reviewed_candidates(review: CrosswalkReview, code: str, linker: Linker) -> CodeCandidates:
    """Return the candidates of a code, whose digits count as far as reviewed and sure mappings follow ISCO-08."""
    taxonomy = linker.taxonomy
    pairs = []
    for source in review.codes:
        known = [
            item for item in review.mappings(source) if item.relation != NONE and taxonomy.has_concept(item.target)
        ]
        best = max(known, key=lambda item: (item.state == REVIEWED, item.probability or 0), default=None)
        if best and (best.state == REVIEWED or (best.probability or 0) >= SURE):
            pairs.append((source, taxonomy.number(best.target)))
    return code_candidates(review.codes[code], linker, CodeDigits(taxonomy, pairs))


def _codes_of(mappings: Sequence[Mapping]) -> tuple[SourceCode, ...]:
    names = {item.source: item.source_name or item.source for item in reversed(mappings)}
    codes = dict.fromkeys(item.source for item in mappings)
    return tuple(SourceCode(code, names[code], prefix_parent(code, codes)) for code in codes)
