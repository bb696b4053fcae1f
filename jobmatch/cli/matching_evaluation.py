"""`jobmatch evaluate matching`: quality of matching models."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

import typer

from jobmatch.cli.benchmarks import AgainOption
from jobmatch.cli.options import JsonOption
from jobmatch.cli.output import print_json, print_table, progress_bar
from jobmatch.cli.places import print_home
from jobmatch.services.encoder_choice import SHIPPED
from jobmatch_core.benchmarks.retrieval.matching_experiment import (
    MatchingExperiment,
    MatchingRow,
    MatchingRun,
    language_rows,
    matching_runs,
    rows_of,
    run_experiment,
)
from jobmatch_core.benchmarks.retrieval.matching_models import DEFAULT_MODELS, ModelChoices, open_model
from jobmatch_core.encoders.loading import TITLES, EmbeddingCache, load_encoder, shipped_encoder
from jobmatch_core.entities import Encoder
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.settings import Settings
from jobmatch_core.towers.matching_metrics import FIGURES

EncoderOption = Annotated[
    str, typer.Option(help="Encoder of section-sbert models: a name, folder or hub:NAME; titles is the shipped one.")
]


def matching(
    marketplace: Annotated[str, typer.Argument(help="Marketplace; see `jobmatch marketplace list`.")],
    model: Annotated[
        list[str] | None, typer.Option(help="Model to measure: a name or a recipe of towers; may be repeated.")
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, help="Trainings per model, each with another seed.")] = 3,
    encoder: EncoderOption = SHIPPED,
    sbert: Annotated[str, typer.Option(help="Encoder that sbert-triplet retrains.")] = "",
    sbert_steps: Annotated[int, typer.Option(min=1, help="Training steps of sbert-triplet.")] = 200,
    again: AgainOption = False,
    json: JsonOption = False,
) -> None:
    """Train models on the history of a marketplace and measure them on its latest projects.

    Example: jobmatch evaluate matching demo --model bm25 --model towers
    """
    settings = Settings.from_environment()
    experiment = MatchingExperiment.open(marketplace, MarketplaceStore.open(settings))
    choices = ModelChoices(chosen_encoder(encoder), sbert, sbert_steps)
    models = [open_model(name, choices) for name in dict.fromkeys(model or DEFAULT_MODELS)]
    with progress_bar("Measuring", hidden=json) as progress:
        runs = run_experiment(experiment, models, seeds, matching_runs(settings), again=again, progress=progress)
    print_home(settings)
    if json:
        print_json(_as_json(marketplace, runs))
    else:
        _print_tables(marketplace, runs)


def chosen_encoder(name: str) -> Encoder:
    """Return the encoder of sections; vectors of other encoders than the shipped one are cached on disk.

    Raises LinkingError if it is not on this machine.
    """
    if name in (SHIPPED, TITLES):
        return shipped_encoder()
    return EmbeddingCache(load_encoder(name), Settings.from_environment().caches / "embeddings")


def _as_json(marketplace: str, runs: Sequence[MatchingRun]) -> dict[str, object]:
    first = runs[0]
    return {
        "marketplace": marketplace,
        "generated": first.generated,
        "data_hash": first.data_hash,
        "projects": first.projects,
        "freelancers": first.freelancers,
        "interactions": first.interactions,
        "results": [asdict(row) for row in rows_of(runs)],
        "languages": [asdict(row) for row in language_rows(runs)],
    }


def _print_tables(marketplace: str, runs: Sequence[MatchingRun]) -> None:
    first = runs[0]
    what = f"{marketplace}{' (generated)' if first.generated else ''}"
    counts = f"{first.projects:,} test projects, {first.freelancers:,} freelancers, {first.interactions:,} interactions"
    models = rows_of(runs)
    figures = [
        *_transposed([_cells(row) for row in models]),
        ("training, s", *(f"{row.train_s:,.0f}" for row in models)),
    ]
    print_table(("", *(row.model for row in models)), figures, title=f"{what}: {counts}")
    last = runs[-1].model
    languages = [row for row in language_rows(runs) if row.model == last]
    heads = ("", *(f"{row.language}, {row.projects}" for row in languages))
    title = f"{last}, by language of the project, with the number of projects"
    print_table(heads, _transposed([_cells(row) for row in languages]), title=title)


def _transposed(columns: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    # a line per figure fits into a terminal
    return [(label, *cells) for label, *cells in zip(FIGURES.values(), *columns, strict=True)]


def _cells(row: MatchingRow) -> list[str]:
    return [_cell(getattr(row.mean, name), getattr(row.deviation, name)) for name in FIGURES]


def _cell(mean: float | None, deviation: float | None) -> str:
    if mean is None:
        return "-"
    return f"{mean:.3f}" if deviation is None else f"{mean:.3f} ±{deviation:.3f}"
