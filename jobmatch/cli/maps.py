"""`jobmatch map`: a map of a model's space, with measures of its quality."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jobmatch.cli.options import (
    EncodingOption,
    HeaderRowOption,
    JsonOption,
    SeedOption,
    SeparatorOption,
    SheetOption,
    TitleColumnOption,
    check_apart,
    finite,
)
from jobmatch.cli.output import print_json, print_line, print_table, progress_bar
from jobmatch.cli.sheets import chosen_sheet, layout_note
from jobmatch_core.entities import Progress
from jobmatch_core.errors import SettingsError
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID
from jobmatch_core.text.locales import checked_language

if TYPE_CHECKING:
    from jobmatch_core.judgment_tallies import VotedPair
    from jobmatch_core.maps.latent_map import LatentMap

_DRIFTED = 20  # items listed
_METHODS, _THEMES = ("umap", "tsne", "pca"), ("light", "dark")


def map_items(
    items: Annotated[str, typer.Argument(help="occupations, freelancers, projects, labels, or a table with titles.")],
    out: Annotated[
        Path, typer.Option(help="Output: .html, .png, .svg, or a table of points: .parquet, .csv, .xlsx, .jsonl.")
    ],
    model: Annotated[
        str, typer.Option(help="Model: titles, tf-idf, another encoder, towers by name, or untrained.")
    ] = "titles",
    method: Annotated[str, typer.Option(help=f"Projection: {', '.join(_METHODS)}.")] = "umap",
    taxonomy: Annotated[
        str, typer.Option(help="Taxonomy of the occupations; by default the one with most names.")
    ] = "",
    language: Annotated[
        list[str] | None, typer.Option(help="Only names in this language, such as de; may be repeated.")
    ] = None,
    all_names: Annotated[bool, typer.Option(help="All names of an occupation, not one per language.")] = False,
    marketplace: Annotated[str, typer.Option(help="Marketplace of the freelancers, projects or labels.")] = "demo",
    column: TitleColumnOption = None,
    encoding: EncodingOption = None,
    header_row: HeaderRowOption = None,
    sheet: SheetOption = None,
    separator: SeparatorOption = "",
    colour: Annotated[str, typer.Option(help="Field shown by colour, such as language or cluster.")] = "",
    within: Annotated[
        str, typer.Option(help="Show only one value of --colour, coloured by the next finer field.")
    ] = "",
    contours: Annotated[bool, typer.Option(help="Draw density contours of each group.")] = True,
    lines: Annotated[bool, typer.Option(help="Join the names of an occupation across languages.")] = False,
    theme: Annotated[str, typer.Option(help="Theme of a picture: light or dark.")] = "light",
    most: Annotated[int, typer.Option(min=4, help="Maximum number of points; more items are sampled.")] = 100_000,
    neighbours: Annotated[
        int, typer.Option(help="Neighbours for UMAP: few show detail, many the overall structure.")
    ] = 15,
    min_dist: Annotated[
        float, typer.Option(callback=finite, help="Minimum distance of points for UMAP, from 0 to 1.")
    ] = 0.1,
    perplexity: Annotated[
        float, typer.Option(callback=finite, help="Perplexity for t-SNE, comparable to --neighbours.")
    ] = 30.0,
    seed: SeedOption = 0,
    against: Annotated[
        str, typer.Option(help="Another model: align the map with its map, and list items that drifted.")
    ] = "",
    json: JsonOption = False,
) -> None:
    """Draw a map of a model's space and measure its quality.

    Example: jobmatch map occupations --language en --language de --out occupations.html

    Example: jobmatch map freelancers --model untrained --colour family --out before.png --theme dark
    """
    from jobmatch_core.maps.items import CLUSTER, ItemKind
    from jobmatch_core.maps.latent_map import make_map, quality_note, quality_of
    from jobmatch_core.maps.map_file import check_ending, save_map
    from jobmatch_core.maps.picture import View, picture_of
    from jobmatch_core.maps.projection import Method, ProjectionSetting
    from jobmatch_core.maps.stored_items import ItemChoice, stored_items
    from jobmatch_core.sheets.table_layout import guess_layout

    _check_choice("--method", method, _METHODS)
    _check_choice("--theme", theme, _THEMES)
    check_ending(out)
    check_apart(out, Path(items))
    settings = Settings.from_environment()
    languages = tuple(checked_language(code) for code in language or ())
    layout = None
    if items not in tuple(ItemKind) and Path(items).is_file():
        layout = guess_layout(
            Path(items),
            encoding=encoding,
            header_row=header_row,
            column=column,
            separator=separator,
            sheet=chosen_sheet(Path(items), sheet),
            taxonomy=taxonomy or BUNDLED_ID,
        )
    choice = ItemChoice(items, taxonomy, languages, all_names, marketplace, layout)
    chosen = stored_items(choice, settings, _judged(settings, marketplace) if items == ItemKind.LABELS else ())
    setting = ProjectionSetting(Method(method), neighbours, min_dist, perplexity, seed)
    with progress_bar("Mapping", hidden=json) as progress:
        other = make_map(chosen, against, setting, settings, most=most, progress=progress) if against else None
        if other is None:
            latent = make_map(chosen, model, setting, settings, most=most, progress=progress)
            figures: dict[str, Any] = {}
        else:
            latent, figures = _compared(other, model, settings, progress)
    with progress_bar("Measuring", hidden=json) as progress:
        # of the groups shown by colour; clusters are separate by definition
        quality = quality_of(latent, field="" if colour == CLUSTER else colour, progress=progress)
    view = View(colour or (latent.items.colours or [""])[0], within, contours, lines)
    title = f"{latent.items.source}: {latent.items.kind}, {latent.of:,}"
    save_map(
        picture_of(latent, view),
        title,
        out,
        theme="dark" if theme == "dark" else "light",
        note=quality_note(latent, quality),
    )
    summary: dict[str, Any] = (
        {"out": str(out), "model": model, "method": method, "items": latent.of}
        | ({"column": layout.column} if layout else {})
        | asdict(quality)
        | figures
    )
    if json:
        print_json(summary)
        return
    if layout:
        print_line(layout_note(layout))
    print_line(quality_note(latent, quality))
    if against:
        rows = [(item["drift"], item["id"], item["text"]) for item in summary["most_drifted"]]
        print_table(
            ("drift", "id", "text"), rows, title=f"Drift from {against}: {summary['mean_drift']:.2f} on average"
        )
    print_line(f"Wrote {out}")


def _judged(settings: Settings, source: str) -> "list[VotedPair]":
    """Return the judged pairs of a source; opens no label store before the first judgment."""
    if not settings.may_have_labels:
        return []
    from db.label_store import LabelStore  # the databases' libraries take a third of a second

    with LabelStore.open(settings.label_store) as store:
        return store.voted_pairs(None, source)


def _compared(
    first: "LatentMap", model: str, settings: Settings, progress: Progress
) -> tuple["LatentMap", dict[str, Any]]:
    from jobmatch_core.maps.comparison import measure_drift, most_drifted
    from jobmatch_core.maps.latent_map import followed

    latent = followed(first, model, settings, progress=progress)
    drift = measure_drift(first.vectors, latent.vectors)
    ids = latent.items.ids
    drifted = [
        {
            "id": ids[row],
            "text": latent.items.texts[row],
            "drift": round(float(drift.drift[row]), 4),
            "won": [ids[other] for other in drift.won(row)],
            "lost": [ids[other] for other in drift.lost(row)],
        }
        for row in most_drifted(drift, _DRIFTED)
    ]
    return latent, {"against": first.model, "mean_drift": float(drift.drift.mean()), "most_drifted": drifted}


def _check_choice(option: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise SettingsError(f"{option} is one of {', '.join(choices)}, not {value!r}.")
