"""`python -m lab train`: what comes with jobmatch is trained and fitted."""

from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from jobmatch.cli.options import JsonOption, check_apart
from jobmatch.cli.output import print_json, print_line, print_table, progress_bar
from jobmatch_core.descriptions.posting_models import load_posting_model
from jobmatch_core.encoders.loading import EmbeddingCache, load_encoder, load_title_encoder
from jobmatch_core.io.folders import claimed, write_text_whole
from jobmatch_core.linking import open_linker
from jobmatch_core.linking.context_model import SHIPPED_CONTEXT
from jobmatch_core.linking.posting_linker import FEATURES, SHIPPED_HINT_WEIGHTS, SHIPPED_WEIGHTS, PostingWeights
from jobmatch_core.search.search_encoder import SearchDescriptions
from jobmatch_core.search.search_models import load_search_encoder
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.training.figures import no_stage
from lab.cli.crosswalks import relations
from lab.cli.skills import skill_extractor
from lab.experiments.posting_linking import fit_hint_weights, fit_posting_weights
from lab.shipping.context_training import context_examples, train_context
from lab.shipping.gendered_nouns import bundled_forms, nouns_table, shipped_nouns
from lab.shipping.ranker_training import fit_shipped_ranker
from lab.shipping.shipped_encoder import shipped_paths, train_shipped_encoder

app = typer.Typer(help="Train and fit what comes with jobmatch.", no_args_is_help=True)
app.command("skill-extractor")(skill_extractor)
app.command("relations")(relations)


@app.command("shipped-encoder")
def shipped_encoder(
    data: Annotated[
        Path, typer.Argument(help="The folder with esco, onet, isco, parallel, titles_coded and titles_coded_2.")
    ],
    teacher: Annotated[
        str | None,
        typer.Option(
            help="Start from random weights, taught English by this encoder: a name or folder, or hub:NAME. "
            "Without it the training goes on from --start."
        ),
    ] = None,
    start: Annotated[
        str | None, typer.Option(help="The title encoder to go on from; the shipped one by default.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The model's folder; the shipped one by default.")] = None,
    json: JsonOption = False,
) -> None:
    """Train the title encoder that comes with jobmatch again, and calibrate the linker with it.

    Example: python -m lab train shipped-encoder data --teacher hub:sentence-transformers/all-MiniLM-L6-v2
    """
    if teacher and start:
        raise typer.BadParameter("--teacher starts from random weights; leave out --start, or --teacher.")
    folder, calibration = (out, out.with_name(f"{out.name}-calibration.json")) if out else shipped_paths()
    settings = Settings.from_environment()
    with claimed(folder), progress_bar("Training", hidden=json) as progress:
        # the teacher's vectors are cached, in case this is interrupted
        cached = EmbeddingCache(load_encoder(teacher), settings.caches / "embeddings") if teacher else None
        report = train_shipped_encoder(
            data,
            folder,
            calibration,
            TaxonomyStore.open(settings),
            teacher=cached,
            start=load_title_encoder(start) if start else None,
            note=no_stage if json else print_line,
            progress=progress,
        )
    if json:
        print_json({"model": str(folder), "calibration_file": str(calibration)} | asdict(report))
    else:
        print_line(f"Trained in {report.seconds:,.0f} s on {report.texts:,} texts: {folder}")


@app.command("posting-weights")
def posting_weights(
    titles: Annotated[Path, typer.Argument(help="A CSV with the columns vacancyTitle and conceptUri.")],
    taxonomy: Annotated[str, typer.Option(help="Taxonomy whose occupations have skills.")] = "esco-1.1.1",
    model: Annotated[str, typer.Option(help="Model of descriptions, as in `jobmatch describe`.")] = "",
    out: Annotated[Path | None, typer.Option(help="The file; the shipped one by default.")] = None,
    json: JsonOption = False,
) -> None:
    """Fit the weights by which a posting's title and description are fused, on made-up postings.

    Example: python -m lab train posting-weights titles.csv --out weights.json
    """
    check_apart(out, titles)
    out = out or SHIPPED_WEIGHTS
    loaded, linker = load_posting_model(model), open_linker(taxonomy)
    caching = loaded.keeping_vectors(Settings.from_environment())
    with progress_bar("Linking", hidden=json) as progress:
        fitted = fit_posting_weights(titles, linker, loaded, taxonomy_encoder=caching, progress=progress)
    _save_and_show(fitted, out, "made-up postings", json=json)


@app.command("hint-weights")
def hint_weights(
    taxonomy: Annotated[str, typer.Option(help="A release of ESCO.")] = "esco-1.0.3",
    model: Annotated[str, typer.Option(help="Of searches, as in `jobmatch search`; the one in use by default.")] = "",
    out: Annotated[Path | None, typer.Option(help="The file; the shipped one by default.")] = None,
    json: JsonOption = False,
) -> None:
    """Fit the weights by which a general title and a short description are fused, on our search queries.

    Example: python -m lab train hint-weights --out weights.json
    """
    fitted = fit_hint_weights(open_linker(taxonomy), SearchDescriptions(load_search_encoder(model)))
    _save_and_show(fitted, out or SHIPPED_HINT_WEIGHTS, "queries", json=json)


def _save_and_show(fitted: PostingWeights, out: Path, what: str, *, json: bool) -> None:
    fitted.save(out)
    if json:
        print_json({"weights_file": str(out)} | asdict(fitted))
        return
    rows = [(name, f"{weight:.3f}") for name, weight in zip(FEATURES, fitted.weights, strict=True)]
    print_table(("feature", "weight"), rows)
    print_line(f"Fitted on as many {what} as measured on ({fitted.held_out['postings']:,.0f}): {out}")


@app.command("context")
def context(
    data: Annotated[Path, typer.Argument(help="The folder with titles_coded and isco.")],
    skills: Annotated[str, typer.Option(help="Taxonomy whose occupations have skills.")] = "esco-1.1.1",
    blind: Annotated[bool, typer.Option(help="Leave out the titles that are held out, to measure with them.")] = False,
    out: Annotated[Path | None, typer.Option(help="The file; the shipped one by default.")] = None,
    json: JsonOption = False,
) -> None:
    """Train the model of titles in context.

    Example: python -m lab train context data --blind --out context.safetensors
    """
    out = out or Path(str(files("jobmatch_core.linking") / SHIPPED_CONTEXT))
    examples = context_examples(data, TaxonomyStore.open(Settings.from_environment()).load(skills), blind=blind)
    with progress_bar("Training", hidden=json) as progress:
        model = train_context(examples, progress=progress)
    model.save(out)
    counts = {"examples": len(examples), "features": len(model.hashes), "model": str(out)}
    print_json(counts) if json else print_line(f"Trained on {len(examples):,} titles: {out}")


@app.command("ranker")
def ranker(out: Annotated[Path, typer.Argument(help="The file of the ranker, shipped_ranker.json.")]) -> None:
    """Fit the ranker of freelancers on generated marketplaces.

    Example: python -m lab train ranker jobmatch_core/ranking/shipped_ranker.json
    """
    fitted = fit_shipped_ranker(out)
    print_table(("feature", "weight"), [(name, f"{weight:.3f}") for name, weight in fitted.weights.items()])


@app.command("gendered-nouns")
def gendered_nouns(
    out: Annotated[Path | None, typer.Option(help="The table; the shipped one by default.")] = None,
    json: JsonOption = False,
) -> None:
    """Write the gendered nouns of the bundled names and the lexicon, for the common form of texts.

    Example: python -m lab train gendered-nouns --out nouns.tsv
    """
    table = nouns_table(bundled_forms(TaxonomyStore.open(Settings.from_environment())))
    path = out or shipped_nouns()
    write_text_whole(path, table)
    figures = {"nouns": table.count("\n") - 1, "out": str(path)}
    print_json(figures) if json else print_line(f"Wrote {figures['nouns']:,} nouns: {path}")
