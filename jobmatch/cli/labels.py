"""`jobmatch labels export|import|stats|agreement|claim|carry-over|quotas|backup`."""

import getpass
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC
from pathlib import Path
from typing import Annotated, Any

import typer

from db.access_store import Person
from jobmatch.cli.label_agreement import agreement_to_json, print_agreement
from jobmatch.cli.options import HeaderRowOption, JsonOption, SeparatorOption, SheetOption
from jobmatch.cli.output import print_json, print_line, print_result, print_table
from jobmatch.cli.places import open_labels
from jobmatch.cli.sheets import chosen_sheet
from jobmatch.services.carry_over import plan_carry_over, record_carry_over
from jobmatch.services.link_decisions import import_openrefine
from jobmatch_core.entities import PairKind
from jobmatch_core.errors import LabellingError, LabelStoreError, SettingsError
from jobmatch_core.judgment_origin import ORIGIN_WORDS, Origin
from jobmatch_core.labelling.agreement import agreement_report
from jobmatch_core.labelling.export_formats import export_format, export_formats, export_labels
from jobmatch_core.labelling.exports import StoredTexts
from jobmatch_core.labelling.label_files import FILE_FORMATS, read_labels
from jobmatch_core.labelling.label_stats import KindStats, LabelStats, Share, label_stats
from jobmatch_core.labelling.tool_answers import READERS, read_answers
from jobmatch_core.quotas import NO_QUOTAS, Quotas
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.taxonomy.versions import compare_versions

app = typer.Typer(help="Export, import, count and back up judgments; measure agreement.", no_args_is_help=True)

_TOUCHED_SHOWN = 50
_CARRIED = {
    "as_before": "the same occupation",
    "to_successors": "the occupation that has taken its name",
    "already": "carried over before",
    "decided_anew": "decided anew in the later version",
    "left": "left: the occupation was removed",
}
_NOTHING_YET = (
    "Nobody has judged anything yet. Judge on the app's pages 'Label pairs', 'Find freelancers' or 'Link titles', or "
    "import judgments with `jobmatch labels import FILE`."
)


@app.command()
def export(
    out: Annotated[Path, typer.Argument(help="Output: a .jsonl or .csv file; a folder for other tools.")],
    name: Annotated[
        str | None,
        typer.Option(
            "--format", metavar=f"[{'|'.join(export_formats())}]", help="Format; by the ending of the file by default."
        ),
    ] = None,
    kind: Annotated[PairKind | None, typer.Option(help="Only judgments of this kind of pair.")] = None,
    json: JsonOption = False,
) -> None:
    """Write all judgments to a file without loss, or pairs with their texts for another tool.

    Example: jobmatch labels export labels.jsonl

    Example: jobmatch labels export for-argilla --format argilla --kind project-freelancer
    """
    settings = Settings.from_environment()
    chosen = export_format(out, name)
    with open_labels(settings) as store:
        count = export_labels(out, chosen, kind, store.as_recorded(), StoredTexts(settings))
    what = "judgments" if chosen in FILE_FORMATS else "pairs"
    summary = {"out": str(out), "format": chosen, "kind": kind.value if kind else None, what: count}
    print_result(summary, f"Wrote {count:,} {what}: {out}", json=json)


@app.command("import")
def import_(
    file: Annotated[
        Path,
        typer.Argument(
            help="File of `jobmatch labels export`; with --format what a tool gave back; with --annotator a "
            "table or an OpenRefine project."
        ),
    ],
    name: Annotated[
        str | None, typer.Option("--format", metavar=f"[{'|'.join(READERS)}]", help="Tool that gave the file back.")
    ] = None,
    annotator: Annotated[
        str | None,
        typer.Option(help="Annotator of a table, an OpenRefine project (.tar.gz) or a tool's answers without a name."),
    ] = None,
    taxonomy: Annotated[
        str | None, typer.Option(help="Taxonomy of the URIs or codes; by default the one that has most of them.")
    ] = None,
    titles: Annotated[
        str | None, typer.Option(help="Column of titles; by default all reconciled columns of a project.")
    ] = None,
    uris: Annotated[
        str | None, typer.Option(help="Column of a table with URIs or codes such as 7212.3 or 2221.")
    ] = None,
    encoding: Annotated[
        str | None,
        typer.Option(help="Text encoding, such as cp1252; by default detected for tables, UTF-8 for judgments."),
    ] = None,
    header_row: HeaderRowOption = None,
    separator: SeparatorOption = "",
    looked_at: Annotated[
        bool,
        typer.Option("--looked-at", help="The annotator looked at each row; by default all count as bulk decisions."),
    ] = False,
    history: Annotated[
        bool, typer.Option(help="Also import adjudications of one's own judgments, as before version 0.2.0.")
    ] = False,
    sheet: SheetOption = None,
    json: JsonOption = False,
) -> None:
    """Import judgments from a file: all, or none if one cannot be stored. Stored judgments are skipped.

    Example: jobmatch labels import labels.jsonl

    Example: jobmatch labels import answers.json --format label-studio

    Example: jobmatch labels import titles.openrefine.tar.gz --annotator Ann

    Example: jobmatch labels import titles.csv --annotator Ann --titles title --uris "title id" --looked-at
    """
    settings = Settings.from_environment()
    if annotator is None or name is not None:
        if taxonomy or titles or uris or separator or sheet or looked_at or header_row is not None:
            raise LabellingError(
                "--taxonomy, --titles, --uris, --header-row, --separator, --sheet and --looked-at are for tables and "
                "OpenRefine's files; add --annotator, and leave out --format."
            )
        if name is None:
            judgments = list(read_labels(file, encoding=encoding or "utf-8"))
        else:
            judgments = read_answers(file, name, annotator=annotator or "")
        with open_labels(settings) as store:
            # an answer without a time gets that of the first import
            stored_ids = {stored.id for stored in store.as_recorded()} if name is not None else set()
            unstored = [judgment for judgment in judgments if judgment.id not in stored_ids]
            new = store.record_all(unstored, history=history)
        given = len(judgments)
    else:
        with open_labels(settings) as store:
            given, new = import_openrefine(
                store,
                settings,
                file,
                annotator,
                taxonomy,
                titles or "",
                uris or "",
                encoding=encoding,
                header_row=header_row,
                separator=separator,
                sheet=chosen_sheet(file, sheet),
                looked_at=looked_at,
            )
    sentence = f"{given:,} judgments in {file}: {new:,} new, {given - new:,} already stored."
    print_result({"file": str(file), "judgments": given, "new": new}, sentence, json=json)


@app.command()
def stats(json: JsonOption = False) -> None:
    """Count judgments by kind of pair, annotator, queue or page, and origin.

    Example: jobmatch labels stats
    """
    with open_labels(Settings.from_environment()) as store:
        counts = label_stats(store.tallies())
        names = {person.id: person.name for person in store.access.people()}
    if json:
        print_json({name: [_plain(asdict(row)) for row in getattr(counts, name)] for name in LabelStats.__slots__})
    elif not counts.kinds:
        print_line(_NOTHING_YET)
    else:
        _print_stats(counts, names)


@app.command()
def agreement(
    kind: Annotated[PairKind | None, typer.Option(help="Only this kind of pair.")] = None, json: JsonOption = False
) -> None:
    """Measure agreement: overall, per annotator, per pair of annotators and week; list disagreements.

    Example: jobmatch labels agreement --kind project-freelancer
    """
    with open_labels(Settings.from_environment()) as store:
        judged = store.kinds()
        reports = [
            (pair_kind, agreement_report(store.verdict_columns(pair_kind), store.judgments_of, UTC))
            for pair_kind in PairKind
            if pair_kind in judged and kind in (None, pair_kind)
        ]
        if json:
            print_json({"kinds": [agreement_to_json(pair_kind, report) for pair_kind, report in reports]})
        elif not reports:
            print_line(_NOTHING_YET)
        else:
            for pair_kind, report in reports:
                print_agreement(pair_kind, report)


@app.command()
def claim(
    old: Annotated[str, typer.Argument(help="Name under which the judgments were made.")],
    new: Annotated[str, typer.Argument(help="Person who has signed in: name, or id if several share the name.")],
    json: JsonOption = False,
) -> None:
    """Assign the judgments under a typed name to a person who has signed in; the old rows stay, withdrawn.

    Example: jobmatch labels claim Ada "Ada Lovelace"
    """
    with open_labels(Settings.from_environment()) as store:
        person = _find_person(new, store.access.people())
        count = store.claim(old, person.id, getpass.getuser())
    result = {"old": old, "new": person.id, "name": person.name, "claimed": count}
    print_result(result, f"{count:,} judgments of {old} now belong to {person.name} ({person.id}).", json=json)


def _find_person(name: str, people: Sequence[Person]) -> Person:
    """Return the person with an id or a name; raise LabelStoreError if there is none, or several."""
    matches = [person for person in people if name == person.id] or [person for person in people if name == person.name]
    if len(matches) == 1:
        return matches[0]
    if matches:
        ids = ", ".join(person.id for person in matches)
        raise LabelStoreError(f"{len(matches)} people are called {name!r}; give the id of one: {ids}.")
    raise LabelStoreError(f"Nobody called {name!r} has signed in yet; let them sign in once, then claim.")


@app.command("carry-over")
def carry_over(
    before: Annotated[str, typer.Argument(help="Id of the taxonomy's earlier version; see `jobmatch taxonomy list`.")],
    after: Annotated[str, typer.Argument(help="Id of the later version.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Record nothing; show what would be recorded.")] = False,
    json: JsonOption = False,
) -> None:
    """Carry the decisions on titles over to another version of a taxonomy; the earlier ones stay.

    `jobmatch taxonomy compare` lists what changed between the versions.

    Example: jobmatch labels carry-over esco-1.0.3 esco-1.2.1
    """
    settings = Settings.from_environment()
    taxonomies = TaxonomyStore.open(settings)
    with open_labels(settings) as store:
        plan = plan_carry_over(store, compare_versions(taxonomies.load(before), taxonomies.load(after)))
        recorded = 0 if dry_run else record_carry_over(store, plan)
    judgments = plan.judgments
    counts = {
        "as_before": len(judgments.as_before),
        "to_successors": len(judgments.to_successors),
        "already": judgments.already,
        "decided_anew": judgments.decided_anew,
        "left": len(judgments.left),
    }
    touched = plan.touched
    if json:
        records = [{"title": judgment.pair.left} | change.record for judgment, change in touched]
        print_json({"before": before, "after": after, "recorded": recorded, **counts, "touched": records})
        return
    print_table(("judgments", "number"), [(_CARRIED[name], f"{count:,}") for name, count in counts.items()])
    if touched:
        rows = [(judgment.pair.left, change.change.value, change.then, change.now) for judgment, change in touched]
        print_table(("title", "occupation", "before", "after"), rows[:_TOUCHED_SHOWN], title="Look at these again")
    if dry_run:
        print_line("Nothing was recorded; leave out --dry-run to record them.")
    else:
        print_line(f"Recorded {recorded:,} judgments for {after}; those of {before} stay.")


@app.command()
def quotas(
    judgments: Annotated[int | None, typer.Option(help="Number of annotators per pair; 1 by default.")] = None,
    share: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=SHARE", help="Share of all judgments of an annotator, such as ann=0.5."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Show or set the judgments per pair and the shares of annotators.

    Example: jobmatch labels quotas --judgments 2 --share ann=0.5 --share bob=0.3
    """
    with open_labels(Settings.from_environment()) as store:
        people = store.access.people()
        if judgments is not None or share:
            shares = tuple(_annotator_share(text, people) for text in share or ())
            store.set_quotas(Quotas(1 if judgments is None else judgments, shares), getpass.getuser())
        newest = next(iter(store.quotas_history(limit=1)), None)
    current = newest.quotas if newest else NO_QUOTAS
    if json:
        author, at = (newest.author, newest.at.isoformat()) if newest else (None, None)
        print_json({"judgments": current.judgments, "shares": dict(current.shares), "author": author, "at": at})
        return
    print_line(f"Judgments per pair: {current.judgments}")
    if current.shares:
        names = {person.id: person.name for person in people}
        print_table(
            ("annotator", "share"), [(names.get(name, name), f"{portion:.1%}") for name, portion in current.shares]
        )
    else:
        print_line("No shares are set: any annotator may take the next pair.")


def _annotator_share(text: str, people: Sequence[Person]) -> tuple[str, float]:
    name, _, number = text.rpartition("=")
    try:
        share = float(number)
    except ValueError:
        share = None
    if share is None or not name:
        raise SettingsError(f"{text!r} is not a share; give a name and a number, such as ann=0.5.")
    has_signed_in = any(name in (person.id, person.name) for person in people)
    return (_find_person(name, people).id if has_signed_in else name), share


@app.command()
def backup(
    out: Annotated[Path, typer.Argument(help="New file; an existing one is not replaced.")], json: JsonOption = False
) -> None:
    """Copy the label store to a file, also while it is in use. Back up PostgreSQL with `pg_dump`.

    Example: jobmatch labels backup labels-2026-11-21.db
    """
    with open_labels(Settings.from_environment()) as store:
        store.backup(out)
    summary = {"out": str(out), "bytes": out.stat().st_size}
    print_result(summary, f"Backed up to {out}; JOBMATCH_DB={out} opens it.", json=json)


def _print_stats(stats: LabelStats, names: Mapping[str, str]) -> None:
    rows = [(name, *(getattr(kind, name) for kind in stats.kinds)) for name in KindStats.__slots__[1:]]
    print_table(("judgments", *(kind.kind for kind in stats.kinds)), rows)
    origins = tuple(replace(share, name=ORIGIN_WORDS[Origin(share.name)]) for share in stats.origins)
    for name, shares in (("annotator", stats.annotators), ("queue or page", stats.policies), ("origin", origins)):
        heads = (name, "positive", "negative", "unsure", "skipped", "seconds", "last")
        print_table(heads, _share_rows(shares, names), title=f"Current judgments by {name}")


def _share_rows(shares: Sequence[Share], names: Mapping[str, str]) -> list[tuple[object, ...]]:
    return [
        (
            names.get(share.name, share.name),
            share.positive,
            share.negative,
            share.unsure,
            share.skip,
            "" if share.seconds is None else f"{share.seconds:.1f}",
            share.last.isoformat(),
        )
        for share in shares
    ]


def _plain(record: dict[str, Any]) -> dict[str, Any]:
    # JSON has no dates
    return {key: value.isoformat() if hasattr(value, "isoformat") else value for key, value in record.items()}
