"""`jobmatch match`: one project, or a file of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from jobmatch.cli.options import (
    EncodingOption,
    HeaderRowOption,
    JsonOption,
    SeparatorOption,
    SheetOption,
    check_apart,
    finite,
)
from jobmatch.cli.output import print_json, print_line, print_table, progress_bar
from jobmatch.cli.sheets import chosen_sheet
from jobmatch.services.linking import LinkingService
from jobmatch.services.matching import MatchingService, MatchSpec, rows_by
from jobmatch_core.engines import LOCAL, opened_engine
from jobmatch_core.entities import Place, Project
from jobmatch_core.errors import SettingsError
from jobmatch_core.marketplace.marketplace_store import MarketplaceManifest
from jobmatch_core.retrieval.finder import Finder
from jobmatch_core.retrieval.match_answer import match_answer
from jobmatch_core.retrieval.match_file import Matched, match_file
from jobmatch_core.retrieval.matches import Arrangement, Match, MatchOrder, named_skills
from jobmatch_core.retrieval.project_reader import ProjectReader
from jobmatch_core.settings import Settings
from jobmatch_core.sheets.table_layout import guess_layout
from jobmatch_core.text.locales import checked_language
from jobmatch_core.vector_stores.vector_store import Filters, Within


def match(
    text: Annotated[str | None, typer.Argument(help="Text of the project, in any language.")] = None,
    project: Annotated[
        Path | None, typer.Option(help="File with the project: text, or a record if it ends in .json.")
    ] = None,
    file: Annotated[Path | None, typer.Option(help="CSV, XLSX, Parquet or JSON file of projects to match.")] = None,
    out: Annotated[Path | None, typer.Option(help="Output: .csv, .xlsx, .parquet or .jsonl.")] = None,
    encoding: EncodingOption = None,
    header_row: HeaderRowOption = None,
    separator: SeparatorOption = "",
    sheet: SheetOption = None,
    marketplace: Annotated[
        str, typer.Option(help="Marketplace of the freelancers; see `jobmatch marketplace list`.")
    ] = "demo",
    model: Annotated[str, typer.Option(help="Towers, by name or folder, or untrained; by default those in use.")] = "",
    category: Annotated[
        list[str] | None, typer.Option(help="Only freelancers of this category; may be repeated.")
    ] = None,
    family: Annotated[list[str] | None, typer.Option(help="Only freelancers of this family; may be repeated.")] = None,
    language: Annotated[
        list[str] | None, typer.Option(help="Only profiles in this language, such as de; may be repeated.")
    ] = None,
    country: Annotated[
        list[str] | None, typer.Option(help="Only freelancers from this country, such as DE; may be repeated.")
    ] = None,
    near: Annotated[str, typer.Option(help="Latitude and longitude, such as 52.52,13.41; with --within-km.")] = "",
    within_km: Annotated[
        float | None, typer.Option(callback=finite, help="Maximum distance from --near, in km.")
    ] = None,
    available_by: Annotated[str, typer.Option(help="Only freelancers available by this day, such as 2026-11-30.")] = "",
    max_day_rate: Annotated[float | None, typer.Option(callback=finite, help="Maximum day rate, in euro.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Maximum number of freelancers.")] = 20,
    order: Annotated[
        MatchOrder, typer.Option(help="Fewest missing must-haves first, then best fit; best fit; or similarity.")
    ] = MatchOrder.MUST_HAVES,
    workers: Annotated[int, typer.Option(min=0, help="Processes that match a file; 0 for one per core.")] = 1,
    rebuild: Annotated[bool, typer.Option(help="Encode all freelancers again.")] = False,
    json: JsonOption = False,
) -> None:
    """Find freelancers for a project, across languages.

    Example: jobmatch match "Wir suchen jemanden für Python und maschinelles Lernen" --country PL --max-day-rate 600

    Example: jobmatch match --file projects.jsonl --out matches.csv --limit 10
    """
    _check(text, project, file, out)
    filters = Filters(
        categories=tuple(category or ()),
        families=tuple(family or ()),
        languages=tuple(checked_language(code) for code in language or ()),
        countries=tuple(code.upper() for code in country or ()),
        within=_circle(near, within_km),
        available_by=available_by,
        max_day_rate=max_day_rate,
    )
    service = MatchingService(LinkingService(Settings.from_environment()))
    manifest = service.manifest(marketplace)
    reader = ProjectReader(service.taxonomy(manifest))

    def opened() -> Finder:
        with progress_bar("Encoding freelancers", hidden=json) as progress:
            return service.open(marketplace, model, rebuild=rebuild, progress=progress)

    if file is not None and out is not None:
        spec = MatchSpec(marketplace, model, filters, limit, order)
        read_sheet = chosen_sheet(file, sheet)
        with _by_workers(spec, workers) as matched:
            finder = opened()
            layout = guess_layout(
                file, encoding=encoding, header_row=header_row, column="title", sheet=read_sheet, separator=separator
            )
            # fields are found by column names, so there must be a header
            layout = replace(layout, header_row=layout.header_row or 1)
            with progress_bar("Matching", hidden=json) as progress:
                count = match_file(
                    finder,
                    reader,
                    file,
                    out,
                    filters=filters,
                    limit=limit,
                    order=order,
                    layout=layout,
                    matched=matched,
                    progress=progress,
                )
        summary = {"marketplace": marketplace, "model": finder.model.name, "rows": count, "out": str(out)}
        note = reader.skills.note()
        if json:
            print_json(summary | ({"notes": [note]} if note else {}))
        else:
            print_line(f"Wrote {count:,} matches: {out}")
            if note:
                print_line(f"Note: {note}")
        return
    parsed = reader.file(project) if project else reader.text(text or "")
    finder = opened()
    matches = finder.match(parsed, filters, limit, Arrangement(order), explain=json)
    if json:
        print_json(match_answer(manifest, finder.model.name, parsed, matches))
    else:
        _print_table(manifest, parsed, matches)


@contextmanager
def _by_workers(spec: MatchSpec, workers: int) -> Iterator[Matched | None]:
    """Yield a function that matches in several processes, or None for one; call it before this process has threads."""
    if workers == 1:
        yield None
        return
    with opened_engine(LOCAL, workers) as engine:
        yield partial(rows_by, engine, spec)


def _check(text: str | None, project: Path | None, file: Path | None, out: Path | None) -> None:
    if sum(source is not None for source in (text, project, file)) != 1:
        raise SettingsError("Give either the project's text, --project FILE or --file FILE.")
    if (file is None) != (out is None):
        raise SettingsError("--file and --out must be given together: --file projects.jsonl --out matches.csv")
    check_apart(out, file)


def _circle(near: str, within_km: float | None) -> Within | None:
    if not near and within_km is None:
        return None
    try:
        latitude, longitude = map(float, near.split(","))
    except ValueError as error:
        raise SettingsError(f"--near is a latitude and a longitude, such as 52.52,13.41, not {near!r}.") from error
    if within_km is None:
        raise SettingsError("--near requires --within-km.")
    return Within(Place(latitude, longitude), within_km)


def _print_table(manifest: MarketplaceManifest, project: Project, matches: list[Match]) -> None:
    skills = ", ".join(skill.text for skill in (*project.mandatory, *project.bonus))
    print_line(f"{project.title or 'Project without a title'}: {skills or 'no known skills'}")
    if not matches:
        print_line("No freelancer passes these filters.")
        return
    rows = [
        (
            f"{match.score:.2f}",
            f"{match.fit.score:.1f}" if match.fit else "",
            match.freelancer.id,
            match.freelancer.title or match.freelancer.category_name,
            " ".join(filter(None, (match.freelancer.language, match.freelancer.country))),
            named_skills(match.shared),
            named_skills(match.missing),
        )
        for match in matches
    ]
    print_table(("score", "fit", "freelancer", "title", "from", "shared", "missing"), rows)
    if manifest.generated:
        print_line(f"These freelancers are synthetic: the marketplace {manifest.name} is generated.")
