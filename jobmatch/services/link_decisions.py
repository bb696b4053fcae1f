"""Judgments from decisions on links in API requests, tables and OpenRefine projects."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from db.history import JudgmentFilter
from db.label_store import LabelStore
from jobmatch_core.entities import Candidate, Evidence, Judgment, LinkResult, Pair, PairKind, Provenance, Verdict
from jobmatch_core.errors import LabellingError
from jobmatch_core.judgment_origin import Origin
from jobmatch_core.labelling.judging import decided, judged, link_pair, link_provenance
from jobmatch_core.labelling.openrefine_files import ReconciledTitle, is_project, read_identifiers, read_project
from jobmatch_core.linking import Linker
from jobmatch_core.linking.decisions import choice_for
from jobmatch_core.settings import Settings
from jobmatch_core.sheets.table_layout import guess_layout
from jobmatch_core.taxonomy import Taxonomy, TaxonomyStore
from jobmatch_core.text.locales import ENGLISH

POLICY = "openrefine"  # of judgments, in place of a page's name


@dataclass(frozen=True, slots=True)
class LinkDecision:
    """A verdict on a title's link."""

    title: str  # the title as typed
    uri: str | None  # URI of the occupation or unit group; None if no occupation fits
    verdict: Verdict = Verdict.POSITIVE  # the verdict on it; ignored without a URI
    note: str = ""  # free text
    origin: Origin = Origin.LOOKED_AT  # whether the annotator looked at the title or decided on many at once


def decision_judgments(
    linker: Linker, decisions: Sequence[LinkDecision], annotator: str, policy: str
) -> list[list[Judgment]]:
    """Return the judgments of each decision, with the linker's current answer as provenance.

    The taxonomy must have the decisions' occupations. *policy* is their source, in place of a page's name.
    """
    results = linker.link_all([decision.title for decision in decisions])
    return [
        [replace(judgment, note=decision.note) for judgment in _judgments(linker, result, decision, annotator, policy)]
        for decision, result in zip(decisions, results, strict=True)
    ]


def _judgments(
    linker: Linker, result: LinkResult, decision: LinkDecision, annotator: str, policy: str
) -> list[Judgment]:
    if decision.uri is None:
        return decided(result, None, annotator, policy=policy, model=linker.version, origin=decision.origin)
    candidate = choice_for(result, _occupation(linker.taxonomy, decision.uri))
    provenance = link_provenance(result, candidate, policy=policy, model=linker.version, origin=decision.origin)
    pair = link_pair(result, candidate)
    return [judged(pair, decision.verdict, annotator, provenance)] if pair.left else []


def _occupation(taxonomy: Taxonomy, uri: str) -> Candidate:
    number = taxonomy.number(uri)
    name = taxonomy.name(number, ENGLISH)
    return Candidate(uri, name, taxonomy.isco_codes[number], 0.0, Evidence(name, ENGLISH, {}))


def import_openrefine(
    store: LabelStore,
    settings: Settings,
    file: Path,
    annotator: str,
    taxonomy: str | None,
    titles: str,
    uris: str,
    *,
    encoding: str | None = None,
    header_row: int | None = None,
    separator: str = "",
    sheet: str | None = None,
    looked_at: bool = False,
) -> tuple[int, int]:
    """Record the decisions of an exported project or of a table; return the number of all and of new ones.

    *taxonomy* is that of the identifiers, None for the one that has most of them. *titles* is the column of titles,
    which may be empty for a project; *uris* that of URIs or codes in a table. *looked_at* is true if the annotator
    looked at each row of a table; projects say it for each cell. The others are as for `guess_layout`.

    Raises:
        DataFileError: the file cannot be read.
        LabellingError: a table's columns are not given or hold no titles; an identifier is not in the taxonomy; or
            *looked_at* is true for a project.
        LabelStoreError: the judgments cannot be stored.
    """
    if is_project(file):
        if looked_at:
            raise LabellingError(
                f"{file.name} is a project, which says itself what was looked at; leave out --looked-at."
            )
        decisions = read_project(file, titles)
    else:
        if not (titles and uris):
            raise LabellingError(f"{file.name} is a table; --titles and --uris are required.")
        layout = guess_layout(
            file, encoding=encoding, header_row=header_row, column=titles, sheet=sheet, separator=separator
        )
        decisions = read_identifiers(file, titles, uris, layout, origin=Origin.LOOKED_AT if looked_at else Origin.BULK)
    if not decisions:
        return 0, 0
    loaded, decisions = _resolve(settings, decisions, taxonomy)
    if not is_project(file):
        _refuse_names(loaded, decisions, titles)
    selection = JudgmentFilter(kind=PairKind.TITLE_OCCUPATION, source=loaded.id)
    stored = {_content(judgment): judgment.provenance.origin for judgment in store.current(selection)}
    judgments = [_judgment(decision, loaded.id, annotator) for decision in decisions]
    new = [
        judgment
        for judgment in judgments
        if stored.get(_content(judgment)) not in (Origin.LOOKED_AT, judgment.provenance.origin)
    ]
    return len(judgments), store.record_all(new)


def _content(judgment: Judgment) -> tuple[str, Pair, Verdict | None]:
    return judgment.annotator, judgment.pair, judgment.verdict


def _resolve(
    settings: Settings, decisions: list[ReconciledTitle], taxonomy_id: str | None
) -> tuple[Taxonomy, list[ReconciledTitle]]:
    taxonomies, identifiers = TaxonomyStore.open(settings), list(dict.fromkeys(decision.uri for decision in decisions))
    taxonomy = taxonomies.load(taxonomy_id or taxonomies.best_covering(identifiers)[0])
    uris = {identifier: taxonomy.find_uri(identifier) for identifier in identifiers}
    if unknown := [identifier for identifier, uri in uris.items() if uri is None]:
        raise LabellingError(
            f"{len(unknown):,} of {len(identifiers):,} identifiers are not in {taxonomy.id}, such as {unknown[0]!r}; "
            "nothing was imported. Give their taxonomy as --taxonomy."
        )
    return taxonomy, [replace(decision, uri=uris[decision.uri] or "") for decision in decisions]


def _refuse_names(taxonomy: Taxonomy, decisions: list[ReconciledTitle], column: str) -> None:
    # OpenRefine exports a matched cell as the name of its match, not as the title in it
    uris = {decision.uri for decision in decisions}
    names = {uri: {name.text for name in taxonomy.occupation(uri).names} for uri in uris}
    if all(decision.title in names[decision.uri] for decision in decisions):
        raise LabellingError(
            f"Every text in the column {column!r} is a name of its own occupation, so the linker learns nothing. "
            "OpenRefine exports a match by its name: add a column with the titles (in OpenRefine 'Add column based on "
            "this column', with the expression value), export again and name that column in --titles."
        )


def _judgment(decision: ReconciledTitle, source: str, annotator: str) -> Judgment:
    title = " ".join(decision.title.replace("\0", " ").encode("utf-8", "ignore").decode().split())
    pair = Pair(PairKind.TITLE_OCCUPATION, source, title, decision.uri)
    verdict = Verdict.POSITIVE if decision.right else Verdict.NEGATIVE
    return judged(pair, verdict, annotator, Provenance(POLICY, origin=decision.origin))
