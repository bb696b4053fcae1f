"""`python -m lab evaluate adverts`: how well adverts find CVs."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from jobmatch.cli.matching_evaluation import EncoderOption, chosen_encoder
from jobmatch.cli.options import JsonOption
from jobmatch.cli.output import print_json, print_table, progress_bar
from jobmatch.services.encoder_choice import SHIPPED
from jobmatch_core.model_store.model_spec import UNTRAINED
from jobmatch_core.retrieval.match_models import installed_models
from lab.experiments.advert_ranking import evaluate_adverts, open_matcher
from lab.experiments.adverts import read_adverts

ADVERT_MODELS = ("bm25", "section-sbert", UNTRAINED)  # and the latest trained towers


def adverts(
    path: Annotated[Path, typer.Argument(help="A folder with queries.jsonl, corpus.jsonl and qrels.tsv.")],
    model: Annotated[
        list[str] | None,
        typer.Option(help="An untrained model's name, or trained towers; may be repeated."),
    ] = None,
    encoder: EncoderOption = SHIPPED,
    json: JsonOption = False,
) -> None:
    """Rank CVs for adverts with judgments, such as those of TalentCLEF.

    Example: python -m lab evaluate adverts talentclef2026_ro --model bm25 --model section-sbert
    """
    read = read_adverts(path)
    names = model or [*ADVERT_MODELS, *installed_models()[:1]]
    matchers = [open_matcher(name, chosen_encoder(encoder)) for name in dict.fromkeys(names)]
    with progress_bar("Measuring", hidden=json) as progress:
        figures = evaluate_adverts(read, matchers, progress=progress)
    if json:
        results = [asdict(row) for row in figures]
        print_json({"dataset": read.name, "language": read.language, "data_hash": read.data_hash, "results": results})
        return
    rows = [
        (
            row.model,
            f"{row.map:.4f}",
            f"{row.map_low:.3f} to {row.map_high:.3f}",
            f"{row.ndcg_at_10:.4f}",
            f"{row.precision_at_10:.4f}",
            f"{row.mrr:.4f}",
            f"{row.seconds:,.1f}",
        )
        for row in figures
    ]
    title = f"{read.name}: {figures[0].adverts:,} adverts, {figures[0].profiles:,} CVs ({read.language})"
    print_table(("model", "MAP", "95 %", "NDCG@10", "P@10", "MRR", "s"), rows, title=title)
