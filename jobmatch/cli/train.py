"""`jobmatch train`: trainings by recipe, and snapshots of labels."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from jobmatch.cli import training
from jobmatch.cli.options import JsonOption
from jobmatch.cli.output import print_json, print_line
from jobmatch.cli.places import open_labels, print_home
from jobmatch.cli.training import run_and_show
from jobmatch.services.shipped_files import recipe_file
from jobmatch.services.training_job import JdanJob, LinkingJob, SearchJob, TitleEncoderJob, TowersJob
from jobmatch_core.judgment_origin import origin_words
from jobmatch_core.labelling.snapshot import Snapshots
from jobmatch_core.settings import Settings

OutOption = Annotated[Path | None, typer.Option(help="Folder of the model; by default under JOBMATCH_HOME.")]
BulkOption = Annotated[
    bool, typer.Option(help="Also train on judgments made in bulk; figures are measured on the others only.")
]
RunOption = Annotated[Path | None, typer.Option(help="Folder for the job and its progress, as the app writes them.")]


def jdan(
    recipe: Annotated[Path, typer.Argument(parser=recipe_file, help="Recipe, a TOML file; see recipes/jdan.")],
    data: Annotated[Path, typer.Option(help="Folder of the recipe's data files.")] = Path(),
    out: Annotated[Path | None, typer.Option(help="Folder of the model; by default under JOBMATCH_HOME.")] = None,
    backbone: Annotated[
        str | None,
        typer.Option(help="Backbone instead of the recipe's: titles, a folder, hub:NAME, or several joined by +."),
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, max=2**32 - 1, help="Random seed instead of the recipe's.")] = None,
    resume: Annotated[bool, typer.Option(help="Resume an interrupted training, or start over.")] = True,
    json: JsonOption = False,
) -> None:
    """Train a model of titles and descriptions: JDAN or one of its baselines.

    Example: jobmatch train jdan recipes/jdan/titles.toml --data data
    """
    job = JdanJob(
        recipe=str(recipe), data=str(data), out=str(out or ""), backbone=backbone or "", seed=seed, resume=resume
    )
    run_and_show(job, json)


def snapshot(json: JsonOption = False) -> None:
    """Freeze the current labels under JOBMATCH_HOME/snapshots for trainings.

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
    recipe: Annotated[Path, typer.Argument(parser=recipe_file, help="Recipe, a TOML file; see recipes/towers.")],
    marketplace: Annotated[
        str, typer.Option(help="Marketplace to train on; see `jobmatch marketplace list`.")
    ] = "demo",
    snapshot: Annotated[
        Path | None, typer.Option(help="Also train on these frozen labels: a name under JOBMATCH_HOME, or a folder.")
    ] = None,
    start: Annotated[
        str | None, typer.Option("--from", help="Start from this model; with --snapshot by default the one in use.")
    ] = None,
    out: OutOption = None,
    backbone: Annotated[
        str | None, typer.Option(help="Backbone instead of the recipe's: titles, a folder, or hub:NAME.")
    ] = None,
    compare: Annotated[bool, typer.Option(help="Compare it with the model in use.")] = True,
    bulk: BulkOption = False,
    resume: Annotated[bool, typer.Option(help="Resume an interrupted training, or start over.")] = True,
    run: RunOption = None,
    json: JsonOption = False,
) -> None:
    """Train the two towers that match projects and freelancers, on interactions and labels.

    Example: jobmatch train towers recipes/towers/titles.toml --marketplace demo

    Example: jobmatch train towers recipes/towers/retrain.toml --snapshot 2026-11-21-093000
    """
    job = TowersJob(
        recipe=str(recipe),
        marketplace=marketplace,
        snapshot=str(snapshot or ""),
        start=start,
        out=str(out or ""),
        backbone=backbone or "",
        compare=compare,
        resume=resume,
        keep_in_use=run is not None,
        bulk=bulk,
    )
    run_and_show(job, json, run=run)


def linking(
    snapshot: Annotated[Path, typer.Option(help="Frozen labels: a name under JOBMATCH_HOME, or a folder.")],
    taxonomy: Annotated[
        str | None, typer.Option(help="Taxonomy of the judged links; by default the one with most labels.")
    ] = None,
    bulk: BulkOption = False,
    out: OutOption = None,
    run: RunOption = None,
    json: JsonOption = False,
) -> None:
    """Refit the linker's concept head and probabilities on judged links, regularised towards the model in use.

    Example: jobmatch train linking --snapshot 2026-11-21-093000 --taxonomy esco-1.0.3
    """
    run_and_show(LinkingJob(str(snapshot), taxonomy or "", str(out or ""), bulk), json, run=run)


def search_encoder(
    recipe: Annotated[Path, typer.Argument(parser=recipe_file, help="Recipe, a TOML file; see recipes/search.")],
    data: Annotated[Path, typer.Option(help="Folder of the recipe's data files.")] = Path(),
    out: OutOption = None,
    backbone: Annotated[
        str | None, typer.Option(help="Backbone instead of the recipe's: titles, a folder, or hub:NAME.")
    ] = None,
    start: Annotated[
        str | None, typer.Option("--from", help="Start from this search encoder instead of the recipe's.")
    ] = None,
    teacher: Annotated[
        str | None, typer.Option(help="Teacher instead of the recipe's: a search encoder or any other encoder.")
    ] = None,
    resume: Annotated[bool, typer.Option(help="Resume an interrupted training, or start over.")] = True,
    run: RunOption = None,
    json: JsonOption = False,
) -> None:
    """Train the encoder of queries and documents on several tasks at once.

    Example: jobmatch train search-encoder recipes/search/clicks.toml --data data --from search
    """
    job = SearchJob(
        recipe=str(recipe),
        data=str(data),
        out=str(out or ""),
        backbone=backbone or "",
        start=start or "",
        teacher=teacher or "",
        resume=resume,
    )
    run_and_show(job, json, run=run)


app = typer.Typer(help="Train models by recipe.", no_args_is_help=True)


@app.command("title-encoder")
def title_encoder(
    recipe: Annotated[Path, typer.Argument(parser=recipe_file, help="Recipe, a TOML file; see recipes/title-encoder.")],
    out: Annotated[Path | None, typer.Option(help="Folder of the model; by default under JOBMATCH_HOME.")] = None,
    data: Annotated[Path, typer.Option(help="Folder of the recipe's data files.")] = Path(),
    backbone: Annotated[
        str | None, typer.Option(help="Backbone instead of the recipe's: titles, a name, a folder, or hub:NAME.")
    ] = None,
    resume: Annotated[bool, typer.Option(help="Resume an interrupted training, or start over.")] = True,
    json: JsonOption = False,
) -> None:
    """Train a title encoder in one or two stages.

    Example: jobmatch train title-encoder recipes/title-encoder/minilm-both.toml --out models/minilm-both
    """
    job = TitleEncoderJob(
        recipe=str(recipe), data=str(data), out=str(out or ""), backbone=backbone or "", resume=resume
    )
    run_and_show(job, json)


app.command("job")(training.job)
app.command("snapshot")(snapshot)
app.command("towers")(towers)
app.command("linking")(linking)
app.command("search-encoder")(search_encoder)
app.command("jdan")(jdan)
