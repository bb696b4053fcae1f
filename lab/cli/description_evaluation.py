"""`python -m lab evaluate descriptions|faithfulness|postings`: what descriptions teach and tell."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jobmatch.cli.benchmarks import AgainOption
from jobmatch.cli.options import JsonOption, PostingModelOption, SeedOption
from jobmatch.cli.output import print_json, print_line, print_table, progress_bar
from jobmatch.cli.places import print_home
from jobmatch.services.shipped_files import recipe_file
from jobmatch_core.descriptions.jdan_recipe import JdanRecipe, read_jdan_recipe
from jobmatch_core.descriptions.postings import read_postings
from jobmatch_core.errors import SettingsError
from jobmatch_core.linking import open_linker
from jobmatch_core.linking.posting_linker import SHIPPED_WEIGHTS, PostingLinker, PostingWeights
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from lab.experiments.coded_postings import CodedPosting, read_hahu_postings, read_polish_postings

if TYPE_CHECKING:
    from jobmatch_core.descriptions.description_model import DescriptionModel
    from lab.experiments.description_runs import DescriptionRow

_FIGURES = (("recall_at_5", "R@5"), ("recall_at_10", "R@10"), ("mrr", "MRR"))


def descriptions(
    titles: Annotated[Path, typer.Argument(help="A CSV with the columns vacancyTitle and conceptUri.")],
    recipe: Annotated[
        list[Path] | None, typer.Argument(parser=recipe_file, help="Recipes to train: TOML files; see recipes/jdan.")
    ] = None,
    data: Annotated[Path, typer.Option(help="Folder of the recipes' files.")] = Path(),
    taxonomy: Annotated[
        str, typer.Option(help="Taxonomy to rank; by default ESCO 1.0.3 or ISCO-08, depending on the URIs.")
    ] = "",
    described: Annotated[
        str, typer.Option(help="Taxonomy with descriptions and skills, to rank occupations by these, too.")
    ] = "",
    model: Annotated[list[str] | None, typer.Option(help="An existing model to measure, too; may be repeated.")] = None,
    seeds: Annotated[int, typer.Option(min=1, help="Number of trainings of each recipe.")] = 5,
    most: Annotated[
        int | None, typer.Option(min=1, help="Number of postings per source, instead of the recipes' numbers.")
    ] = None,
    again: AgainOption = False,
    json: JsonOption = False,
) -> None:
    """Train recipes with several seeds, and measure their titles on job normalization.

    A run that is there already is not trained again, and one that was interrupted goes on. Occupations are ranked by
    their preferred English names, and with --described by name and description.

    Example: python -m lab evaluate descriptions titles.csv recipes/jdan/titles.toml --data data
    """
    if not recipe and not model:
        raise SettingsError("There is nothing to measure: name recipes, or models with --model.")

    from transformers.utils import logging  # it and torch take seconds

    from jobmatch_core.benchmarks.datasets.title_sets import read_titles, taxonomy_of_titles
    from jobmatch_core.descriptions.jdan_data import training_postings
    from lab.experiments.description_experiment import DescriptionExperiment, NormalizationTask
    from lab.experiments.description_runs import description_rows, description_runs

    logging.set_verbosity_error()  # its remarks on checkpoints are for programmers
    settings = Settings.from_environment()
    store = TaxonomyStore.open(settings)
    taxonomy = taxonomy or taxonomy_of_titles(titles.name, read_titles(titles)[1])
    models = [_loaded(word) for word in model or []]
    occupations = store.load(taxonomy)
    task = NormalizationTask.read(titles, occupations)
    tasks = [task, task.described_by(store.load(described), occupations)] if described else [task]
    recipes = [_with_most(read_jdan_recipe(path), most) for path in recipe or []]
    experiment = DescriptionExperiment(
        tasks, lambda task: training_postings(task, data, store), description_runs(settings), again=again
    )
    with progress_bar("Training", hidden=json) as progress:
        runs = experiment.run(recipes, seeds, progress=progress)
    runs += experiment.measure(models)
    print_home(settings)
    rows = description_rows(runs)
    if json:
        record = {"dataset": task.name, "taxonomy": taxonomy, "described": described, "data_hash": tasks[-1].data_hash}
        print_json(record | {"results": [asdict(row) for row in rows], "runs": [asdict(run) for run in runs]})
        return
    _print_rows(rows, f"{titles.name}: {len(task.titles):,} titles, {len(task.names):,} occupations of {taxonomy}")


def _with_most(recipe: JdanRecipe, most: int | None) -> JdanRecipe:
    return recipe if most is None else replace(recipe, data=replace(recipe.data, most=most, made_most=most))


def faithfulness(
    path: Annotated[Path, typer.Argument(help="A table of postings with the columns title and description.")],
    model: PostingModelOption = "",
    n: Annotated[int, typer.Option(min=1, help="Number of sampled postings.")] = 500,
    seed: SeedOption = 1,
    json: JsonOption = False,
) -> None:
    """Compare what a model attends to with how far its vectors move without each sentence.

    Example: python -m lab evaluate faithfulness postings.jsonl.gz --n 500
    """
    from lab.experiments.faithfulness import evaluate_faithfulness

    postings, loaded = list(read_postings(path)), _loaded(model)
    with progress_bar("Comparing", hidden=json) as progress:
        try:
            figures = evaluate_faithfulness(loaded, postings, n, seed=seed, progress=progress)
        except ValueError as error:
            raise SettingsError(f"Nothing can be compared: {error}.") from error
    if json:
        print_json(
            {"dataset": path.name, "model": loaded.name, "seed": seed, "results": [asdict(row) for row in figures]}
        )
        return
    rows = [
        (
            row.weight,
            f"{row.correlation.mean:.3f}",
            f"{row.correlation.low:.3f} to {row.correlation.high:.3f}",
            f"{row.top:.1%}",
        )
        for row in figures
    ]
    title = f"{path.name}, {figures[0].correlation.n:,} postings, {loaded.name}"
    print_table(("weight", "rank correlation", "95 %", "heaviest moves it farthest"), rows, title=title)


def postings(
    path: Annotated[Path, typer.Argument(help="hahu_postings_esco_en.csv, or with --crosswalk the Polish postings.")],
    crosswalk: Annotated[Path | None, typer.Option(help="pl_kzis_esco_crosswalk.csv.")] = None,
    model: PostingModelOption = "",
    taxonomy: Annotated[str, typer.Option(help="Taxonomy to link to.")] = "esco-1.1.1",
    codes: Annotated[str, typer.Option(help="Taxonomy with the occupations' codes.")] = "esco-1.1.1",
    weights: Annotated[
        Path | None, typer.Option(help="Weights of title and description; the shipped ones by default.")
    ] = None,
    most: Annotated[int, typer.Option(min=0, help="Maximum number of postings; 0 for all.")] = 0,
    json: JsonOption = False,
) -> None:
    """Link postings with known occupations by their title, by their description, and by both.

    Example: python -m lab evaluate postings hahu_postings_esco_en.csv
    """
    from lab.experiments.posting_linking import evaluate_posting_linking, known_postings

    read: list[CodedPosting] = list(read_polish_postings(path, crosswalk) if crosswalk else read_hahu_postings(path))
    coded, right = known_postings(read[: most or None], TaxonomyStore.open().load(codes))
    if not coded:
        raise SettingsError(f"No occupation of {codes} has a code of {path.name}; say with --codes which taxonomy has.")
    fitted = PostingWeights.load(weights or SHIPPED_WEIGHTS)
    loaded = _loaded(model)
    caching = loaded.keeping_vectors(Settings.from_environment())
    with progress_bar("Reading the taxonomy", hidden=json) as progress:
        fused = PostingLinker(open_linker(taxonomy), loaded, fitted, taxonomy_encoder=caching, progress=progress)
    with progress_bar("Linking", hidden=json) as progress:
        figures = evaluate_posting_linking(fused, coded, right, progress=progress)
    if json:
        record = {"dataset": path.name, "taxonomy": taxonomy, "model": fused.encoder.name, "weights": fitted.weights}
        print_json(record | {"results": [asdict(row) for row in figures]})
        return
    rows = [
        (
            row.by,
            f"{row.accuracy_at_1:.3f}",
            f"{row.recall_at_5:.3f}",
            f"{row.recall_at_10:.3f}",
            f"{row.mrr:.3f}",
            f"{row.mrr_interval.low:.3f} to {row.mrr_interval.high:.3f}",
        )
        for row in figures
    ]
    title = f"{path.name}, {len(coded):,} postings, {fused.encoder.name}, {taxonomy}"
    print_table(("by", "A@1", "R@5", "R@10", "MRR", "95 %"), rows, title=title)


def _loaded(word: str) -> "DescriptionModel":
    from jobmatch_core.descriptions.posting_models import load_posting_model  # torch takes seconds

    return load_posting_model(word)


def _print_rows(rows: "Sequence[DescriptionRow]", title: str) -> None:
    cells = []
    for row in rows:
        figures = [_cell(row, name) for name, _ in _FIGURES]
        p_value = "-" if row.p_value is None else f"{row.p_value['recall_at_10']:.3g}"
        what = (row.recipe, row.variant, row.tables, row.ranked_by, str(row.seeds))
        cells.append((*what, *figures, p_value, f"{row.train_s:,.0f}"))
    labels = (label for _, label in _FIGURES)
    heads = ("recipe", "variant", "tables", "ranked by", "seeds", *labels, "p, R@10", "training, s")
    print_table(heads, cells, title=title)
    print_line("p: two-sample t-test against JDAN over the same backbone. The tables are those of the paper.")


def _cell(row: "DescriptionRow", name: str) -> str:
    spread = "" if row.deviation is None else f" ±{row.deviation[name]:.4f}"
    return f"{row.mean[name]:.4f}{spread}"
