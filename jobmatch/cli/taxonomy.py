"""`jobmatch taxonomy import|index|list|show|compare|remove`."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from jobmatch.cli.options import EncodingOption, JsonOption, SeparatorOption
from jobmatch.cli.output import print_json, print_line, print_result, print_table, progress_bar
from jobmatch.cli.places import print_home
from jobmatch_core.settings import Settings
from jobmatch_core.sheets.code_list_columns import taxonomy_layout
from jobmatch_core.taxonomy import BUNDLED_ID, Manifest, TaxonomyStore
from jobmatch_core.taxonomy.code_list import parsed_columns
from jobmatch_core.taxonomy.readers import expected_sources
from jobmatch_core.taxonomy.versions import Change, compare_versions
from jobmatch_core.text.locales import ENGLISH, checked_language

_CHANGES_SHOWN = 40  # on the screen
app = typer.Typer(help="Import, list, show, compare and remove taxonomies.", no_args_is_help=True)


@app.command("import")
def import_(
    source: Annotated[Path, typer.Argument(help=f"Source: {expected_sources()}.")],
    name: Annotated[str | None, typer.Option(help="Name of the taxonomy.")] = None,
    version: Annotated[str | None, typer.Option(help="Version; that of ESCO is recognised by its files.")] = None,
    replace: Annotated[bool, typer.Option(help="Replace an installed taxonomy of the same id.")] = False,
    columns: Annotated[
        str, typer.Option(help="Columns of a table, such as code=SOC,name=Title; detected by default.")
    ] = "",
    language: Annotated[str, typer.Option(help="Language of the names if no column has it; guessed by default.")] = "",
    encoding: EncodingOption = None,
    separator: SeparatorOption = "",
    json: JsonOption = False,
) -> None:
    """Import a taxonomy and build its index: ESCO's files, or any table of codes and names.

    Columns of a table are code, name, alternatives, language, isco (its code of ISCO-08), parent, description, kind.

    Example: jobmatch taxonomy import "ESCO dataset - v1.2.1" --version 1.2.1

    Example: jobmatch taxonomy import soc2020.xlsx --columns code=SOC2020,name=Title,isco=ISCO08 --language en
    """
    from jobmatch_core.linking import open_linker  # takes longer than listing taxonomies

    settings = Settings.from_environment()
    layout = taxonomy_layout(
        source,
        columns=parsed_columns(columns) if columns else {},
        language=checked_language(language) if language else "",
        encoding=encoding,
        separator=separator,
    )
    with progress_bar("Reading files", hidden=json) as progress:
        manifest = TaxonomyStore.open(settings).import_from(
            source, name=name, version=version, replace=replace, layout=layout, progress=progress
        )
    with progress_bar("Building the index (only once)", hidden=json) as progress:
        open_linker(manifest.id, settings=settings, progress=progress)
    print_home(settings)
    if json:
        print_json(asdict(manifest))
    else:
        _print_manifest(manifest)
        print_line(f'Next: jobmatch link "Krankenschwester" --taxonomy {manifest.id}')


@app.command()
def index(
    taxonomy: Annotated[str, typer.Argument(help="Id; see `jobmatch taxonomy list`.")] = BUNDLED_ID,
    json: JsonOption = False,
) -> None:
    """Build the index of a taxonomy if it is missing or out of date.

    Example: jobmatch taxonomy index
    """
    from jobmatch_core.linking import open_linker

    settings = Settings.from_environment()
    with progress_bar("Building the index (only once)", hidden=json) as progress:
        linker = open_linker(taxonomy, settings=settings, progress=progress)
    print_home(settings)
    result = {"taxonomy": taxonomy, "calibration": asdict(linker.calibration)}
    print_result(result, f"The index of {taxonomy} is ready.", json=json)


@app.command("list")
def list_(json: JsonOption = False) -> None:
    """List the installed taxonomies.

    Example: jobmatch taxonomy list
    """
    manifests = TaxonomyStore.open().installed()
    if json:
        print_json({"taxonomies": [asdict(manifest) for manifest in manifests]})
        return
    counted = ("occupations", "names", "skills")
    rows = [
        (m.id, m.name, m.version, len(m.languages), *(f"{m.counts[noun]:,}" for noun in counted)) for m in manifests
    ]
    print_table(("id", "name", "version", "languages", *counted), rows)


@app.command()
def show(
    taxonomy: Annotated[str, typer.Argument(help="Id; see `jobmatch taxonomy list`.")],
    occupation: Annotated[str | None, typer.Option(help="URI of an occupation to show with all its names.")] = None,
    language: Annotated[str, typer.Option(help="Language of the names.")] = ENGLISH,
    json: JsonOption = False,
) -> None:
    """Show a taxonomy, or one of its occupations.

    Example: jobmatch taxonomy show isco-08 --occupation http://data.europa.eu/esco/isco/C2221
    """
    store, shown = TaxonomyStore.open(), checked_language(language)
    if occupation is None:
        manifest = store.manifest(taxonomy)
        print_json(asdict(manifest)) if json else _print_manifest(manifest)
        return
    entity = store.load(taxonomy).occupation(occupation, shown)
    if json:
        print_json(asdict(entity))
        return
    print_line(f"{entity.name} ({entity.code})")
    print_line(" > ".join(f"{group.code} {group.name}" for group in entity.isco_path))
    print_line(entity.description)
    print_table(
        ("language", "name", "preferred"), [(n.language, n.text, "yes" if n.preferred else "") for n in entity.names]
    )
    if entity.skills:
        print_table(("skill", "kind"), [(s.name, "essential" if s.essential else "optional") for s in entity.skills])


@app.command()
def compare(
    before: Annotated[str, typer.Argument(help="Id of the earlier version; see `jobmatch taxonomy list`.")],
    after: Annotated[str, typer.Argument(help="Id of the later version.")],
    out: Annotated[
        Path | None, typer.Option(help="Table of all changes to write: .csv, .xlsx, .parquet or .jsonl.")
    ] = None,
    language: Annotated[str, typer.Option(help="Language of the names.")] = ENGLISH,
    json: JsonOption = False,
) -> None:
    """Compare two versions of a taxonomy: which occupations were renamed, moved, merged, split, removed or added.

    `jobmatch labels carry-over` takes the decisions on titles along.

    Example: jobmatch taxonomy compare esco-1.0.3 esco-1.2.1 --out changes.csv
    """
    from jobmatch_core.io.tables import write_table  # takes longer than listing taxonomies

    store = TaxonomyStore.open()
    changes = compare_versions(store.load(before), store.load(after), checked_language(language))
    rows = [change.record for change in changes.changes]
    if out:
        write_table(out, rows)
    if json:
        counts = {change.value: number for change, number in changes.counts.items()}
        print_json(
            {"before": before, "after": after, "unchanged": changes.unchanged, "counts": counts, "changes": rows}
        )
        return
    counted = [("unchanged", f"{changes.unchanged:,}")]
    counted += [(change.value, f"{number:,}") for change, number in changes.counts.items()]
    print_table(("occupations", "number"), counted)
    shown = [change for change in changes.changes if change.change is not Change.ADDED][:_CHANGES_SHOWN]
    print_table(("change", "before", "after"), [(change.change.value, change.then, change.now) for change in shown])
    if len(shown) < len(rows):
        print_line(f"{len(rows) - len(shown):,} more changes" + (f" are in {out}." if out else ": add --out FILE."))


@app.command()
def remove(
    taxonomy: Annotated[str, typer.Argument(help="Id; see `jobmatch taxonomy list`.")], json: JsonOption = False
) -> None:
    """Remove a taxonomy and its indexes.

    Example: jobmatch taxonomy remove esco-1.0.3
    """
    from jobmatch_core.linking import remove_taxonomy

    settings = Settings.from_environment()
    remove_taxonomy(taxonomy, settings)
    print_home(settings)
    print_result({"removed": taxonomy}, f"Removed {taxonomy}.", json=json)


def _print_manifest(manifest: Manifest) -> None:
    rows = [
        ("id", manifest.id),
        ("name", manifest.name),
        ("version", manifest.version),
        ("languages", ", ".join(manifest.languages)),
        *((noun, f"{count:,}") for noun, count in manifest.counts.items()),
        ("source hash", manifest.source_hash[:16]),
        ("imported", manifest.created),
        ("attribution", manifest.attribution),
    ]
    print_table(("", ""), rows, title=manifest.name)
    for note in manifest.notes:
        print_line(f"Note: {note}")
