"""`jobmatch marketplace generate|import|list|remove`."""

from collections.abc import Sequence
from dataclasses import asdict
from dataclasses import replace as replace_fields
from pathlib import Path
from typing import Annotated

import typer

from jobmatch.cli.options import EncodingOption, JsonOption, SeedOption, SeparatorOption, language_list
from jobmatch.cli.output import print_json, print_line, print_result, print_table, progress_bar
from jobmatch.cli.places import print_home
from jobmatch.cli.sheets import chosen_sheet
from jobmatch.services.freelancer_finders import remove_orphans
from jobmatch_core.errors import SettingsError
from jobmatch_core.io.separators import checked_separator
from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_blocks
from jobmatch_core.marketplace.marketplace_columns import read_mapping
from jobmatch_core.marketplace.marketplace_import import MarketplaceFiles, import_blocks
from jobmatch_core.marketplace.marketplace_store import MarketplaceManifest, MarketplaceStore
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from jobmatch_core.taxonomy.skill_finder import SkillKeys, SkillSplitter

app = typer.Typer(
    help="Generate, import, list and remove marketplaces of projects and freelancers.", no_args_is_help=True
)

NameOption = Annotated[str, typer.Option(help="Name: lower-case letters, digits, dots and hyphens.")]
TaxonomyOption = Annotated[str, typer.Option(help="Taxonomy of the skills and categories.")]
ReplaceOption = Annotated[bool, typer.Option(help="Replace a marketplace of the same name.")]


@app.command()
def generate(
    name: NameOption = "demo",
    projects: Annotated[int, typer.Option(min=1, help="Number of projects.")] = 500,
    freelancers: Annotated[int, typer.Option(min=1, help="Number of freelancers.")] = 5000,
    seed: SeedOption = 1,
    languages: Annotated[str, typer.Option(help="Languages of the texts, such as en,de; up to eight by default.")] = "",
    taxonomy: TaxonomyOption = BUNDLED_ID,
    replace: ReplaceOption = False,
    json: JsonOption = False,
) -> None:
    """Generate a synthetic marketplace from a taxonomy with skills.

    Example: jobmatch marketplace generate --projects 500 --freelancers 5000 --seed 1
    """
    settings = Settings.from_environment()
    store, source = MarketplaceStore.open(settings), TaxonomyStore.open(settings)
    store.refuse(name, replace=replace)
    chosen = language_list(languages)
    spec, loaded = DemoSpec(projects, freelancers, seed, chosen), source.load(taxonomy)
    origin = spec.origin(loaded)
    with progress_bar("Generating", hidden=json) as progress:
        blocks = demo_blocks(loaded, spec, progress=progress)
        manifest = store.save(name, blocks, origin=origin, generated=True, replace=replace)
    print_home(settings)
    _print_stored(manifest, json=json)


@app.command("import")
def import_(
    projects: Annotated[Path, typer.Option(help="Projects: a CSV, XLSX, Parquet or JSON file; see docs/cli.md.")],
    freelancers: Annotated[Path, typer.Option(help="Freelancers: a file of the same formats.")],
    name: NameOption,
    interactions: Annotated[
        Path | None, typer.Option(help="Interactions: a file of the same formats; training needs them.")
    ] = None,
    columns: Annotated[Path | None, typer.Option(help="TOML file that maps columns with other names.")] = None,
    encoding: EncodingOption = None,
    separator: SeparatorOption = "",
    sheet: Annotated[
        list[str] | None, typer.Option(help="Sheet of a workbook, such as projects=Sheet1; may be repeated.")
    ] = None,
    taxonomy: TaxonomyOption = BUNDLED_ID,
    replace: ReplaceOption = False,
    json: JsonOption = False,
) -> None:
    """Import a marketplace from files of projects, freelancers and interactions.

    Example: jobmatch marketplace import --projects p.csv --freelancers f.csv --interactions i.csv --name ours
    """
    settings = Settings.from_environment()
    store = MarketplaceStore.open(settings)
    store.refuse(name, replace=replace)
    mapping = read_mapping(columns) if columns else None
    files = MarketplaceFiles(projects, freelancers, interactions, mapping, encoding, checked_separator(separator))
    files = replace_fields(files, sheets=_sheets(files.by_kind(), sheet or ()))
    left_out = files.left_out()
    origin = {"taxonomy": taxonomy} | {kind: path.name for kind, path in files.by_kind().items()}
    with progress_bar("Reading files", hidden=json) as progress:
        loaded = TaxonomyStore.open(settings).load(taxonomy)
        skills = SkillSplitter(SkillKeys.of(loaded))
        blocks = import_blocks(files, loaded, skills=skills, progress=progress)
        manifest = store.save(name, blocks, origin=origin, replace=replace)
    print_home(settings)
    if not json:
        for kind, unread in left_out.items():
            if unread:
                print_line(f"Columns of {kind} that were ignored: {', '.join(unread)}")
    _print_stored(manifest, json=json, notes=[skills.note()] if skills.doubtful else [])


def _sheets(files: dict[str, Path], given: Sequence[str]) -> dict[str, str | None]:
    """Return the sheet of each kind of file; raise SettingsError for an unknown kind."""
    names = dict(option.partition("=")[::2] for option in given)
    if wrong := [kind for kind, name in names.items() if kind not in files or not name]:
        raise SettingsError(f"--sheet {wrong[0]} must name the kind of file, as in --sheet projects=Sheet1.")
    return {kind: chosen_sheet(path, names.get(kind)) for kind, path in files.items()}


@app.command("list")
def list_(json: JsonOption = False) -> None:
    """List the stored marketplaces.

    Example: jobmatch marketplace list
    """
    manifests = MarketplaceStore.open().installed()
    if json:
        print_json({"marketplaces": [asdict(manifest) for manifest in manifests]})
        return
    counted = ("projects", "freelancers", "interactions")
    rows = [
        (m.name, "generated" if m.generated else "imported", *(f"{m.counts[noun]:,}" for noun in counted), m.created)
        for m in manifests
    ]
    print_table(("name", "origin", *counted, "created"), rows)


@app.command()
def remove(
    name: Annotated[str, typer.Argument(help="Name; see `jobmatch marketplace list`.")], json: JsonOption = False
) -> None:
    """Remove a marketplace and the vectors of its freelancers.

    Example: jobmatch marketplace remove demo
    """
    settings = Settings.from_environment()
    MarketplaceStore.open(settings).remove(name)
    remove_orphans(settings)
    print_home(settings)
    print_result({"removed": name}, f"Removed {name}.", json=json)


def _print_stored(manifest: MarketplaceManifest, *, json: bool, notes: Sequence[str] = ()) -> None:
    if json:
        print_json(asdict(manifest) | ({"notes": notes} if notes else {}))
        return
    for note in notes:
        print_line(f"Note: {note}")
    counts = manifest.counts
    kind = "generated" if manifest.generated else "imported"
    print_line(
        f"{manifest.name}, {kind}: projects {counts['projects']:,}, freelancers {counts['freelancers']:,}, "
        f"interactions {counts['interactions']:,}, positive {counts['positive']:,}"
    )
