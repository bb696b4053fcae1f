"""`jobmatch train`: models by recipe, frozen labels, and models that can be promoted."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from jobmatch.cli import training
from jobmatch.cli.options import JsonOption, check_apart
from jobmatch.cli.output import print_json, print_line, print_table, progress_bar
from jobmatch.cli.places import open_labels, print_home
from jobmatch.cli.training import run_and_show
from jobmatch.services.shipped_files import recipe_file
from jobmatch.services.training_job import JdanJob, LinkingJob, SearchJob, ShippedEncoderJob, TitleEncoderJob, TowersJob
from jobmatch_core.judgment_origin import origin_words
from jobmatch_core.labelling.snapshot import Snapshots
from jobmatch_core.linking import open_linker
from jobmatch_core.linking.posting_weights import (
    FEATURES,
    PostingWeights,
    shipped_hint_weights_file,
    shipped_weights_file,
)
from jobmatch_core.settings import Settings
from jobmatch_core.training.figures import no_stage


def jdan(
    recipe: Annotated[Path, typer.Argument(parser=recipe_file, help="A TOML file; see recipes/jdan.")],
    data: Annotated[Path, typer.Option(help="The folder in which the recipe's files lie.")] = Path(),
    out: Annotated[Path | None, typer.Option(help="The model's folder; under JOBMATCH_HOME where not given.")] = None,
    backbone: Annotated[
        str | None,
        typer.Option(help="In place of the recipe's: titles, a folder, hub:NAME, or several with + between them."),
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, max=2**32 - 1, help="In place of the recipe's.")] = None,
    resume: Annotated[bool, typer.Option(help="Go on with an interrupted training, or start over.")] = True,
    json: JsonOption = False,
) -> None:
    """Train a model of titles and descriptions: JDAN, or a variant that it is compared with.

    Example: jobmatch train jdan recipes/jdan/titles.toml --data data
    """
    job = JdanJob(
        recipe=str(recipe), data=str(data), out=str(out or ""), backbone=backbone or "", seed=seed, resume=resume
    )  # fmt: skip
    run_and_show(job, json)


def posting_weights(
    titles: Annotated[Path, typer.Argument(help="A CSV with the columns vacancyTitle and conceptUri.")],
    taxonomy: Annotated[str, typer.Option(help="One whose occupations have skills.")] = "esco-1.1.1",
    model: Annotated[str, typer.Option(help="Of descriptions, as in `jobmatch describe`.")] = "",
    out: Annotated[Path | None, typer.Option(help="The file; the shipped one where not given.")] = None,
    json: JsonOption = False,
) -> None:
    """Fit the weights by which a posting's title and description are fused, on made-up postings.

    Example: jobmatch train posting-weights titles.csv --out weights.json
    """
    from jobmatch_core.benchmarks.experiments.posting_linking import fit_posting_weights
    from jobmatch_core.descriptions.posting_models import load_posting_model  # torch takes seconds

    check_apart(out, titles)
    out = out or shipped_weights_file()
    loaded, linker = load_posting_model(model), open_linker(taxonomy)
    caching = loaded.keeping_vectors(Settings.from_environment())
    with progress_bar("Linking", hidden=json) as progress:
        fitted = fit_posting_weights(titles, linker, loaded, taxonomy_encoder=caching, progress=progress)
    _save_and_show(fitted, out, "made-up postings", json=json)


def hint_weights(
    taxonomy: Annotated[str, typer.Option(help="A release of ESCO.")] = "esco-1.0.3",
    model: Annotated[str, typer.Option(help="Of searches, as in `jobmatch search`; the one in use by default.")] = "",
    out: Annotated[Path | None, typer.Option(help="The file; the shipped one where not given.")] = None,
    json: JsonOption = False,
) -> None:
    """Fit the weights by which a general title and a short description are fused, on our search queries.

    Example: jobmatch train hint-weights --out weights.json
    """
    from jobmatch_core.benchmarks.experiments.posting_linking import fit_hint_weights
    from jobmatch_core.search.search_encoder import SearchDescriptions
    from jobmatch_core.search.search_models import load_search_encoder

    fitted = fit_hint_weights(open_linker(taxonomy), SearchDescriptions(load_search_encoder(model)))
    _save_and_show(fitted, out or shipped_hint_weights_file(), "queries", json=json)


def _save_and_show(fitted: PostingWeights, out: Path, what: str, *, json: bool) -> None:
    fitted.save(out)
    if json:
        print_json({"weights_file": str(out)} | asdict(fitted))
        return
    rows = [(name, f"{weight:.3f}") for name, weight in zip(FEATURES, fitted.weights, strict=True)]
    print_table(("feature", "weight"), rows)
    print_line(f"Fitted on as many {what} as measured on ({fitted.held_out['postings']:,.0f}): {out}")


OutOption = Annotated[Path | None, typer.Option(help="The model's folder; under JOBMATCH_HOME where not given.")]
BulkOption = Annotated[
    bool,
    typer.Option(help="Also learn from what was accepted in bulk; figures are measured on what somebody looked at."),
]
RunOption = Annotated[
    Path | None, typer.Option(help="Write the job and how far it has come to this folder, as the app's trainings do.")
]


def snapshot(json: JsonOption = False) -> None:
    """Freeze the labels that count now under JOBMATCH_HOME/snapshots, for trainings to read.

    Example: jobmatch train snapshot
    """
    settings = Settings.from_environment()
    with open_labels(settings) as store, store.all_current() as current:
        frozen = Snapshots(settings).freeze_current(current)
    print_home(settings)
    if json:
        print_json({"snapshot": frozen.name} | (asdict(frozen.manifest) if frozen.manifest else {}))
    elif frozen.manifest:
        classes = frozen.manifest.classes
        print_line(f"{frozen.name}: {classes['positive']:,} positive labels, {classes['negative']:,} negative")
        print_line(f"Judgments: {origin_words(frozen.manifest.origins)}")


def towers(
    recipe: Annotated[Path, typer.Argument(parser=recipe_file, help="A TOML file; see recipes/towers.")],
    marketplace: Annotated[str, typer.Option(help="To learn from; see `jobmatch marketplace list`.")] = "demo",
    snapshot: Annotated[
        Path | None, typer.Option(help="Learn from these frozen labels, too: a name under JOBMATCH_HOME, or a folder.")
    ] = None,
    start: Annotated[
        str | None,
        typer.Option("--from", help="Start from this model; with --snapshot the one in use if not given."),
    ] = None,
    out: OutOption = None,
    backbone: Annotated[
        str | None, typer.Option(help="In place of the recipe's: titles, a folder, or hub:NAME.")
    ] = None,
    compare: Annotated[bool, typer.Option(help="Measure it beside the model in use.")] = True,
    bulk: BulkOption = False,
    resume: Annotated[bool, typer.Option(help="Go on with an interrupted training, or start over.")] = True,
    run: RunOption = None,
    json: JsonOption = False,
) -> None:
    """Train the two towers that match projects and freelancers, on a history and on labels.

    Example: jobmatch train towers recipes/towers/titles.toml --marketplace demo

    Example: jobmatch train towers recipes/towers/retrain.toml --snapshot 2026-11-21-093000
    """
    job = TowersJob(
        recipe=str(recipe), marketplace=marketplace, snapshot=str(snapshot or ""), start=start, out=str(out or ""),
        backbone=backbone or "", compare=compare, resume=resume, keep_in_use=run is not None, bulk=bulk,
    )  # fmt: skip
    run_and_show(job, json, run=run)


def linking(
    snapshot: Annotated[Path, typer.Option(help="Frozen labels: a name under JOBMATCH_HOME, or a folder.")],
    taxonomy: Annotated[
        str | None, typer.Option(help="Whose links were judged; that which has most labels if not given.")
    ] = None,
    bulk: BulkOption = False,
    out: OutOption = None,
    run: RunOption = None,
    json: JsonOption = False,
) -> None:
    """Fit the linker's concept head and probabilities again on judged links, held near to how it answers now.

    Example: jobmatch train linking --snapshot 2026-11-21-093000 --taxonomy esco-1.0.3
    """
    run_and_show(LinkingJob(str(snapshot), taxonomy or "", str(out or ""), bulk), json, run=run)


def search_encoder(
    recipe: Annotated[Path, typer.Argument(parser=recipe_file, help="A TOML file; see recipes/search.")],
    data: Annotated[Path, typer.Option(help="The folder in which the recipe's files lie.")] = Path(),
    out: OutOption = None,
    backbone: Annotated[
        str | None, typer.Option(help="In place of the recipe's: titles, a folder, or hub:NAME.")
    ] = None,
    start: Annotated[
        str | None, typer.Option("--from", help="Start from this search encoder, in place of the recipe's.")
    ] = None,
    teacher: Annotated[
        str | None, typer.Option(help="In place of the recipe's: a search encoder, or any other encoder.")
    ] = None,
    resume: Annotated[bool, typer.Option(help="Go on with an interrupted training, or start over.")] = True,
    run: RunOption = None,
    json: JsonOption = False,
) -> None:
    """Train the encoder of queries and documents on several tasks at once.

    Example: jobmatch train search-encoder recipes/search/clicks.toml --data data --from search
    """
    job = SearchJob(
        recipe=str(recipe), data=str(data), out=str(out or ""), backbone=backbone or "", start=start or "",
        teacher=teacher or "", resume=resume,
    )  # fmt: skip
    run_and_show(job, json, run=run)


app = typer.Typer(help="Train models by recipe.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Train models by recipe."""


@app.command("title-encoder")
def title_encoder(
    recipe: Annotated[Path, typer.Argument(parser=recipe_file, help="A TOML file; see recipes/title-encoder.")],
    out: Annotated[Path | None, typer.Option(help="The model's folder; under JOBMATCH_HOME where not given.")] = None,
    data: Annotated[Path, typer.Option(help="The folder in which the recipe's files lie.")] = Path(),
    backbone: Annotated[
        str | None, typer.Option(help="In place of the recipe's: titles, a name, a folder, or hub:NAME.")
    ] = None,
    resume: Annotated[bool, typer.Option(help="Go on with an interrupted training, or start over.")] = True,
    json: JsonOption = False,
) -> None:
    """Train a title encoder in one or two stages.

    Example: jobmatch train title-encoder recipes/title-encoder/minilm-both.toml --out models/minilm-both
    """
    job = TitleEncoderJob(
        recipe=str(recipe), data=str(data), out=str(out or ""), backbone=backbone or "", resume=resume
    )  # fmt: skip
    run_and_show(job, json)


@app.command("shipped-encoder")
def shipped_encoder(
    data: Annotated[Path, typer.Argument(help="The folder with esco, onet, isco, parallel and titles_coded.")],
    teacher: Annotated[
        str | None,
        typer.Option(
            help="Start from random weights, taught English by this encoder: a name or folder, or hub:NAME. "
            "Without it the training goes on from the shipped encoder."
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The model's folder; the shipped one where not given.")] = None,
    json: JsonOption = False,
) -> None:
    """Train the title encoder that comes with jobmatch again, and calibrate the linker with it.

    Example: jobmatch train shipped-encoder data --teacher hub:sentence-transformers/all-MiniLM-L6-v2
    """
    job = ShippedEncoderJob(str(data), teacher or "", str(out or ""))
    run_and_show(job, json, stage=no_stage if json else print_line)


app.command("job")(training.job)
app.command("snapshot")(snapshot)
app.command("towers")(towers)
app.command("linking")(linking)
app.command("search-encoder")(search_encoder)
app.command("jdan")(jdan)
app.command("posting-weights")(posting_weights)
app.command("hint-weights")(hint_weights)
