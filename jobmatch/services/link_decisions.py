"""Decisions on links from outside the pages, as the judgments that the pages would record; also those of OpenRefine."""

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
    """A verdict on a title's link.

    Attributes:
        title: the title as typed.
        uri: URI of the occupation, or of the unit group that the title is linked to; None if none of those that the
            linker offers is right.
        verdict: the verdict on it; not read without a URI.
        note: free text.
        origin: whether somebody looked at the title, or decided on many at once.
    """

    title: str
    uri: str | None
    verdict: Verdict = Verdict.POSITIVE
    note: str = ""
    origin: Origin = Origin.LOOKED_AT


def judgments_of(
    linker: Linker, decisions: Sequence[LinkDecision], annotator: str, policy: str
) -> list[list[Judgment]]:
    """Return the judgments that each decision stands for, with what the linker says of the title now.

    Args:
        linker: the linker; its taxonomy has the decisions' occupations.
        decisions: the decisions.
        annotator: whose verdicts these are.
        policy: where they were given, in place of a page's name.
    """
    results = linker.link_all([each.title for each in decisions])
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
    """Return the occupation of a URI, or the group that it has as one, without a score."""
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
    """Record the decisions of a file; return their number, and that of the new ones.

    Args:
        store: label store, in which the decisions are recorded.
        settings: says where the taxonomies are.
        file: an exported project, or a table.
        annotator: who decided.
        taxonomy: id of the taxonomy of the identifiers; None for the one that has most of them.
        titles: column of titles; may be empty for a project.
        uris: column of identifiers of a table: URIs, or codes of occupations or unit groups.
        encoding: text encoding of a table; None to detect it.
        header_row: row of a table with the columns' names; None to detect it.
        separator: character between the cells of a CSV; '' to detect it.
        sheet: sheet of a workbook; None to choose the one with the titles.
        looked_at: true if somebody looked at each row of a table; a project tells it of each cell.

    Raises:
        DataFileError: the file cannot be read.
        LabellingError: a table's columns are not given, or hold no titles; an identifier is not the taxonomy's; or it
            is said of a project that somebody looked at each row.
        LabelStoreError: the judgments cannot be stored.
    """
    if not is_project(file) and not (titles and uris):
        raise LabellingError(f"{file.name} is a table: say by --titles and --uris which columns to read.")
    if is_project(file):
        if looked_at:
            raise LabellingError(f"{file.name} tells which cells somebody looked at; leave out --looked-at.")
        found = read_project(file, titles)
    else:
        layout = guess_layout(
            file, encoding=encoding, header_row=header_row, column=titles, sheet=sheet, separator=separator
        )
        found = read_identifiers(file, titles, uris, layout, origin=Origin.LOOKED_AT if looked_at else Origin.BULK)
    if not found:
        return 0, 0
    known_by, found = _resolved(settings, found, taxonomy)
    if not is_project(file):
        _refuse_names(known_by, found, titles)
    source = known_by.id
    which = JudgmentFilter(kind=PairKind.TITLE_OCCUPATION, source=source)
    known = {(each.annotator, each.pair, each.verdict): each.provenance.origin for each in store.current(which)}
    judgments = [_judgment(each, source, annotator) for each in found]
    new = [
        each
        for each in judgments
        if known.get((each.annotator, each.pair, each.verdict)) not in (Origin.LOOKED_AT, each.provenance.origin)
    ]
    return len(judgments), store.record_all(new)


def _resolved(
    settings: Settings, found: list[ReconciledTitle], wanted: str | None
) -> tuple[Taxonomy, list[ReconciledTitle]]:
    """Return the taxonomy that has all the entities, and the decisions with the URIs of theirs that are codes."""
    taxonomies, identifiers = TaxonomyStore.open(settings), list(dict.fromkeys(each.uri for each in found))
    taxonomy = taxonomies.load(wanted or taxonomies.best_covering(identifiers)[0])
    uris = {each: taxonomy.find_uri(each) for each in identifiers}
    if unknown := [each for each, uri in uris.items() if uri is None]:
        raise LabellingError(
            f"{len(unknown):,} of {len(identifiers):,} identifiers are not of {taxonomy.id}, such as {unknown[0]!r}; "
            "nothing was imported. Say by --taxonomy which taxonomy they are of."
        )
    return taxonomy, [replace(each, uri=uris[each.uri] or "") for each in found]


def _refuse_names(taxonomy: Taxonomy, found: list[ReconciledTitle], column: str) -> None:
    """Refuse a table of names: OpenRefine exports a matched cell as its match's name, not as the title that it was."""
    names = {each: {name.text for name in taxonomy.occupation(each).names} for each in {each.uri for each in found}}
    if all(each.title in names[each.uri] for each in found):
        raise LabellingError(
            f"Every text in the column {column!r} is a name of its own occupation, which tells the linker nothing. "
            "OpenRefine exports a match by its name: add a column with the titles (in OpenRefine 'Add column based on "
            "this column', with the expression value), export again and name that column in --titles."
        )


def _judgment(decision: ReconciledTitle, source: str, annotator: str) -> Judgment:
    title = " ".join(decision.title.replace("\0", " ").encode("utf-8", "ignore").decode().split())
    pair = Pair(PairKind.TITLE_OCCUPATION, source, title, decision.uri)
    verdict = Verdict.POSITIVE if decision.right else Verdict.NEGATIVE
    return judged(pair, verdict, annotator, Provenance(POLICY, origin=decision.origin))
