"""`jobmatch map`: a picture of a model's space, with figures that say how far to believe it."""

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

_DRIFTED = 20  # items that are listed
_METHODS, _THEMES = ("umap", "tsne", "pca"), ("light", "dark")


def map_items(
    items: Annotated[str, typer.Argument(help="occupations, freelancers, projects, labels, or a table with titles.")],
    out: Annotated[
        Path, typer.Option(help="Where to: .html, .png, .svg, or a table of points: .parquet, .csv, .xlsx, .jsonl.")
    ],
    model: Annotated[
        str,
        typer.Option(help="titles, tf-idf, another encoder, towers by their name, or untrained."),
    ] = "titles",
    method: Annotated[str, typer.Option(help=f"How to project: {', '.join(_METHODS)}.")] = "umap",
    taxonomy: Annotated[str, typer.Option(help="Whose occupations; the one with most names where not given.")] = "",
    language: Annotated[list[str] | None, typer.Option(help="Only names in it, as de; may be repeated.")] = None,
    all_names: Annotated[bool, typer.Option(help="All names of an occupation, not one a language.")] = False,
    marketplace: Annotated[str, typer.Option(help="Whose freelancers, projects or labels.")] = "demo",
    column: Annotated[
        str | None, typer.Option(help="The table's column with the titles; detected by its content if not given.")
    ] = None,
    encoding: EncodingOption = None,
    header_row: HeaderRowOption = None,
    sheet: SheetOption = None,
    separator: SeparatorOption = "",
    colour: Annotated[str, typer.Option(help="What colours stand for, as language or cluster.")] = "",
    within: Annotated[str, typer.Option(help="Look into one value of it, coloured by the next finer one.")] = "",
    contours: Annotated[bool, typer.Option(help="Draw how densely each group lies.")] = True,
    lines: Annotated[bool, typer.Option(help="Join the names of an occupation across languages.")] = False,
    theme: Annotated[str, typer.Option(help="Of a picture: light or dark.")] = "light",
    most: Annotated[int, typer.Option(min=4, help="Points; of more items so many stand for all.")] = 100_000,
    neighbours: Annotated[int, typer.Option(help="Of UMAP: few show detail, many the whole.")] = 15,
    min_dist: Annotated[
        float, typer.Option(callback=finite, help="Of UMAP: how near points may come, from 0 to 1.")
    ] = 0.1,
    perplexity: Annotated[float, typer.Option(callback=finite, help="Of t-SNE: about as --neighbours.")] = 30.0,
    seed: SeedOption = 0,
    against: Annotated[str, typer.Option(help="Another model: begin at its map, lie on it, and say who drifted.")] = "",
    json: JsonOption = False,
) -> None:
    """Draw a map of a model's space and say how far to believe it.

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

    _check("--method", method, _METHODS)
    _check("--theme", theme, _THEMES)
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
        # of the groups that the colours show; a cluster is apart by definition
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
        rows = [(each["drift"], each["id"], each["text"]) for each in summary["most_drifted"]]
        print_table(
            ("drift", "id", "text"), rows, title=f"Drift from {against}: {summary['mean_drift']:.2f} on average"
        )
    print_line(f"Wrote {out}")


def _judged(settings: Settings, source: str) -> "list[VotedPair]":
    """Return a source's judged pairs; none, and nothing is opened, while nobody has judged anything."""
    if not settings.may_have_labels:
        return []
    from db.label_store import LabelStore  # the databases' libraries take a third of a second

    with LabelStore.open(settings.label_store) as store:
        return store.voted_pairs(None, source)


def _compared(
    first: "LatentMap", model: str, settings: Settings, progress: Progress
) -> tuple["LatentMap", dict[str, Any]]:
    """Return another model's map on the first one's, and who drifted."""
    from jobmatch_core.maps.comparison import measure_drift, most_drifted
    from jobmatch_core.maps.latent_map import followed

    latent = followed(first, model, settings, progress=progress)
    found = measure_drift(first.vectors, latent.vectors)
    ids = latent.items.ids
    drifted = [
        {
            "id": ids[row],
            "text": latent.items.texts[row],
            "drift": round(float(found.drift[row]), 4),
            "won": [ids[other] for other in found.won(row)],
            "lost": [ids[other] for other in found.lost(row)],
        }
        for row in most_drifted(found, _DRIFTED)
    ]
    return latent, {"against": first.model, "mean_drift": float(found.drift.mean()), "most_drifted": drifted}


def _check(option: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise SettingsError(f"{option} is one of {', '.join(known)}, not {value!r}.")
