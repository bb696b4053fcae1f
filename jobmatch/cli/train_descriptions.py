"""`jobmatch train jdan|posting-weights|hint-weights`: models of titles and descriptions, and the weights of both."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from jobmatch.cli.options import JsonOption, check_apart
from jobmatch.cli.output import print_json, print_line, print_table, progress_bar
from jobmatch.cli.training import run_and_show
from jobmatch.services.shipped_files import recipe_file
from jobmatch.services.training_job import JdanJob
from jobmatch_core.linking import open_linker
from jobmatch_core.linking.posting_weights import (
    FEATURES,
    PostingWeights,
    shipped_hint_weights_file,
    shipped_weights_file,
)
from jobmatch_core.settings import Settings


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
    from jobmatch_core.benchmarks.experiments.posting_weight_fit import fit_posting_weights
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
    from jobmatch_core.benchmarks.experiments.hint_weight_fit import fit_hint_weights
    from jobmatch_core.search.search_descriptions import SearchDescriptions
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
