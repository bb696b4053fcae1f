"""`jobmatch train jdan|posting-weights`: models of titles and descriptions, and what links postings with them."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from jobmatch.cli.options import JsonOption, check_apart
from jobmatch.cli.output import print_json, print_line, print_table, progress_bar
from jobmatch.services.shipped_files import recipe_file
from jobmatch_core.descriptions.jdan_recipe import check_jdan_recipe, read_jdan_recipe
from jobmatch_core.errors import SettingsError
from jobmatch_core.io.folder_lock import claimed
from jobmatch_core.linking import open_linker
from jobmatch_core.linking.posting_weights import FEATURES, shipped_weights_file
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore


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
    read = read_jdan_recipe(recipe)
    read = replace(read, backbone=backbone or read.backbone, seed=read.seed if seed is None else seed)
    try:
        check_jdan_recipe(read)
    except ValueError as error:
        raise SettingsError(f"{recipe.name} cannot be trained like this: {error}.") from error
    out = out or Settings.from_environment().models / read.name

    from transformers.utils import logging  # it and torch take seconds

    from jobmatch_core.descriptions.jdan_data import training_postings
    from jobmatch_core.descriptions.jdan_training import train_jdan

    logging.set_verbosity_error()  # its remarks on checkpoints are for programmers
    postings = training_postings(read, data, TaxonomyStore.open())
    with claimed(out), progress_bar("Training", hidden=json) as progress:
        report = train_jdan(read, postings, out, resume=resume, progress=progress)
    if json:
        print_json({"model": str(out)} | asdict(report))
        return
    rows = [("0", "-", _shown(report.before), "-")]
    for number, each in enumerate(report.epochs, start=1):
        rows.append((str(number), _shown(each.loss), _shown(each.validation_loss), f"{each.seconds:,.0f}"))
    print_table(("epoch", "loss", "of left-out postings", "seconds"), rows)
    for name, found in (("untrained mean", report.untrained), ("trained", report.trained)):
        if found is not None:
            print_line(f"{found.postings:,} left-out descriptions find their title, {name}: MRR {found.mrr:.3f}")
    print_line(f"Trained in {report.seconds:,.0f} s on {report.postings[0]:,} postings: {out}")


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
    kept = loaded.keeping_vectors(Settings.from_environment())
    with progress_bar("Linking", hidden=json) as progress:
        fitted = fit_posting_weights(titles, linker, loaded, taxonomy_encoder=kept, progress=progress)
    fitted.save(out)
    if json:
        print_json({"weights_file": str(out)} | asdict(fitted))
        return
    rows = [(name, f"{weight:.3f}") for name, weight in zip(FEATURES, fitted.weights, strict=True)]
    print_table(("feature", "weight"), rows)
    print_line(f"Fitted on as many made-up postings as measured on ({fitted.held_out['postings']:,.0f}): {out}")


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
