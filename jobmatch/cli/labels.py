"""`jobmatch labels export|import|stats|agreement|claim|quotas|backup`."""

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
from jobmatch.cli.output import print_json, print_line, print_table
from jobmatch.cli.places import open_labels
from jobmatch.cli.sheets import chosen_sheet
from jobmatch.services.link_decisions import import_openrefine
from jobmatch_core.entities import PairKind
from jobmatch_core.errors import LabellingError, LabelStoreError, SettingsError
from jobmatch_core.judgment_origin import ORIGIN_WORDS, Origin
from jobmatch_core.labelling.agreement import agreement_report
from jobmatch_core.labelling.export_formats import export_format, export_formats, export_labels
from jobmatch_core.labelling.exports import StoredTexts
from jobmatch_core.labelling.label_files import FILE_FORMATS, read_labels
from jobmatch_core.labelling.label_stats import KindStats, LabelStats, Share, label_stats
from jobmatch_core.quotas import NO_QUOTAS, Quotas
from jobmatch_core.settings import Settings

app = typer.Typer(help="Take judgments out and in, count them, measure agreement, back them up.", no_args_is_help=True)

_NOTHING_YET = (
    "Nobody has judged anything yet. Judge on the app's pages 'Label pairs', 'Find freelancers' or 'Link titles', or "
    "take judgments in with `jobmatch labels import FILE`."
)


@app.command()
def export(
    out: Annotated[Path, typer.Argument(help="A file that ends in .jsonl or .csv; for other tools a folder.")],
    wanted: Annotated[
        str | None,
        typer.Option(
            "--format", metavar=f"[{'|'.join(export_formats())}]", help="As the file's ending says, where not given."
        ),
    ] = None,
    kind: Annotated[PairKind | None, typer.Option(help="Only judgments of such pairs.")] = None,
    json: JsonOption = False,
) -> None:
    """Write all judgments to a file, in which nothing is lost, or pairs with their texts for another tool.

    Example: jobmatch labels export labels.jsonl

    Example: jobmatch labels export for-argilla --format argilla --kind project-freelancer
    """
    settings = Settings.from_environment()
    chosen = export_format(out, wanted)
    with open_labels(settings) as store:
        count = export_labels(out, chosen, kind, store.as_recorded(), StoredTexts(settings))
    what = "judgments" if chosen in FILE_FORMATS else "pairs"
    summary = {"out": str(out), "format": chosen, "kind": kind.value if kind else None, what: count}
    print_json(summary) if json else print_line(f"Wrote {count:,} {what}: {out}")


@app.command("import")
def import_(
    file: Annotated[
        Path,
        typer.Argument(help="A file of `jobmatch labels export`; with --annotator a table, or OpenRefine's project."),
    ],
    annotator: Annotated[
        str | None, typer.Option(help="Who decided; FILE is a table, or a project of OpenRefine (.tar.gz).")
    ] = None,
    taxonomy: Annotated[
        str | None, typer.Option(help="Taxonomy of the identifiers; that which has most of them by default.")
    ] = None,
    titles: Annotated[
        str | None, typer.Option(help="Column of titles: of a table; of a project all reconciled columns by default.")
    ] = None,
    uris: Annotated[
        str | None, typer.Option(help="Column of a table with URIs, or with codes such as 7212.3 or 2221.")
    ] = None,
    encoding: Annotated[
        str | None,
        typer.Option(help="Text encoding, such as cp1252; if not given, a table's is detected, judgments are UTF-8."),
    ] = None,
    header_row: HeaderRowOption = None,
    separator: SeparatorOption = "",
    looked_at: Annotated[
        bool, typer.Option("--looked-at", help="Somebody looked at each row of the table; else all count as bulk.")
    ] = False,
    history: Annotated[
        bool, typer.Option(help="Also take in settlements of own disagreements, which releases before 0.2.0 allowed.")
    ] = False,
    sheet: SheetOption = None,
    json: JsonOption = False,
) -> None:
    """Import judgments from a file: all of them or, if one cannot be stored, none. Known judgments are not repeated.

    Example: jobmatch labels import labels.jsonl

    Example: jobmatch labels import titles.openrefine.tar.gz --annotator Ann

    Example: jobmatch labels import titles.csv --annotator Ann --titles title --uris "title id" --looked-at
    """
    settings = Settings.from_environment()
    if annotator is None:
        if taxonomy or titles or uris or separator or sheet or looked_at or header_row is not None:
            raise LabellingError(
                "--taxonomy, --titles, --uris, --header-row, --separator, --sheet and --looked-at are for tables and "
                "OpenRefine's files; say --annotator, too."
            )
        judgments = list(read_labels(file, encoding=encoding or "utf-8"))
        with open_labels(settings) as store:
            new = store.record_all(judgments, history=history)
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
    if json:
        print_json({"file": str(file), "judgments": given, "new": new})
    else:
        print_line(f"{given:,} judgments in {file}: {new:,} new, {given - new:,} were there already.")


@app.command()
def stats(json: JsonOption = False) -> None:
    """Count judgments: by kind of pair, annotator and queue or page, and what they come to.

    Example: jobmatch labels stats
    """
    with open_labels(Settings.from_environment()) as store:
        found = label_stats(store.tallies())
        names = {person.id: person.name for person in store.access.people()}
    if json:
        print_json({name: [_plain(asdict(each)) for each in getattr(found, name)] for name in LabelStats.__slots__})
    elif not found.kinds:
        print_line(_NOTHING_YET)
    else:
        _print_stats(found, names)


@app.command()
def agreement(
    kind: Annotated[PairKind | None, typer.Option(help="Only of such pairs; each kind by itself else.")] = None,
    json: JsonOption = False,
) -> None:
    """Measure how far annotators agree: all, each against the others, two by two, by week; and what is disputed.

    Example: jobmatch labels agreement --kind project-freelancer
    """
    with open_labels(Settings.from_environment()) as store:
        kinds = [each for each in PairKind if each in store.kinds() and kind in (None, each)]
        reports = [(each, agreement_report(store.verdict_columns(each), store.judgments_of, UTC)) for each in kinds]
        if json:
            print_json({"kinds": [agreement_to_json(each, report) for each, report in reports]})
        elif not reports:
            print_line(_NOTHING_YET)
        else:
            for each, report in reports:
                print_agreement(each, report)


@app.command()
def claim(
    old: Annotated[str, typer.Argument(help="The name under which the judgments were made.")],
    new: Annotated[str, typer.Argument(help="A person who has signed in: the name, or the id where several have it.")],
    json: JsonOption = False,
) -> None:
    """Give the judgments under a typed name to a person who has signed in since; the old rows stay, withdrawn.

    Example: jobmatch labels claim Ada "Ada Lovelace"
    """
    with open_labels(Settings.from_environment()) as store:
        person = _the_person(new, store.access.people())
        count = store.claim(old, person.id, getpass.getuser())
    if json:
        print_json({"old": old, "new": person.id, "name": person.name, "claimed": count})
    else:
        print_line(f"{count:,} judgments of {old} count for {person.name} ({person.id}) now.")


def _the_person(wanted: str, people: Sequence[Person]) -> Person:
    """Return the one person with an id or a name.

    Raises:
        LabelStoreError: there is none, or several.
    """
    found = [each for each in people if wanted == each.id] or [each for each in people if wanted == each.name]
    if len(found) == 1:
        return found[0]
    if found:
        ids = ", ".join(each.id for each in found)
        raise LabelStoreError(f"{len(found)} people are called {wanted!r}; give the id of one: {ids}.")
    raise LabelStoreError(f"Nobody called {wanted!r} has signed in yet; let them sign in once, then claim.")


@app.command()
def quotas(
    judgments: Annotated[
        int | None, typer.Option(help="How many people are to judge each pair; 1 where not given.")
    ] = None,
    share: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=SHARE", help="An annotator's share of all judgments, such as ann=0.5."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Show how people share the judging of pairs, or set it anew: judgments per pair, and the shares of annotators.

    Example: jobmatch labels quotas --judgments 2 --share ann=0.5 --share bob=0.3
    """
    with open_labels(Settings.from_environment()) as store:
        people = store.access.people()
        if judgments is not None or share:
            shares = tuple(_annotator_share(each, people) for each in share or ())
            store.set_quotas(Quotas(1 if judgments is None else judgments, shares), getpass.getuser())
        newest = next(iter(store.quotas_history(limit=1)), None)
    found = newest.quotas if newest else NO_QUOTAS
    if json:
        author, at = (newest.author, newest.at.isoformat()) if newest else (None, None)
        print_json({"judgments": found.judgments, "shares": dict(found.shares), "author": author, "at": at})
        return
    print_line(f"Judgments per pair: {found.judgments}")
    if found.shares:
        names = {person.id: person.name for person in people}
        print_table(("annotator", "share"), [(names.get(name, name), f"{each:.1%}") for name, each in found.shares])
    else:
        print_line("Nobody has a share of their own: anyone may take the next pair.")


def _annotator_share(text: str, people: Sequence[Person]) -> tuple[str, float]:
    """Return an annotator and a share from NAME=SHARE; of a person who has signed in the id.

    Raises:
        SettingsError: it does not look like that.
        LabelStoreError: several people have the name.
    """
    name, _, number = text.rpartition("=")
    try:
        share = float(number)
    except ValueError:
        share = None
    if share is None or not name:
        raise SettingsError(f"{text!r} is no share; give a name and a number, such as ann=0.5.")
    known = any(name in (each.id, each.name) for each in people)
    return (_the_person(name, people).id if known else name), share


@app.command()
def backup(
    out: Annotated[Path, typer.Argument(help="A new file; an existing one is not replaced.")],
    json: JsonOption = False,
) -> None:
    """Copy the whole label store to a file while others judge. PostgreSQL's is backed up by its own `pg_dump`.

    Example: jobmatch labels backup labels-2026-11-21.db
    """
    with open_labels(Settings.from_environment()) as store:
        store.backup(out)
    summary = {"out": str(out), "bytes": out.stat().st_size}
    print_json(summary) if json else print_line(f"Backed up to {out}; JOBMATCH_DB={out} opens it.")


def _print_stats(found: LabelStats, names: Mapping[str, str]) -> None:
    counts = [asdict(each) for each in found.kinds]
    words = [(name, *(each[name] for each in counts)) for name in KindStats.__slots__[1:]]
    print_table(("judgments", *(each.kind for each in found.kinds)), words)
    origins = tuple(replace(each, name=ORIGIN_WORDS[Origin(each.name)]) for each in found.origins)
    for name, shares in (("annotator", found.annotators), ("queue or page", found.policies), ("origin", origins)):
        heads = (name, "yes", "no", "unsure", "skipped", "seconds", "last")
        print_table(heads, _share_rows(shares, names), title=f"What counts at the moment, by {name}")


def _share_rows(shares: Sequence[Share], names: Mapping[str, str]) -> list[tuple[object, ...]]:
    return [
        (
            names.get(each.name, each.name),
            each.positive,
            each.negative,
            each.unsure,
            each.skip,
            "" if each.seconds is None else f"{each.seconds:.1f}",
            each.last.isoformat(),
        )
        for each in shares
    ]


def _plain(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record as JSON can hold it: days as texts."""
    return {key: value.isoformat() if hasattr(value, "isoformat") else value for key, value in record.items()}
