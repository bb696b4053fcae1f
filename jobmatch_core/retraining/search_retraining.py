"""Training of a search encoder to a model that can be promoted; from a search log with a comparison."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from jobmatch_core.metrics.before_after import BeforeAfter
from jobmatch_core.model_store.watch import Watch
from jobmatch_core.retraining.search_comparison import SearchTest, compare_search, search_test
from jobmatch_core.search.made_pairs import task_pairs
from jobmatch_core.search.pair_files import TextPair
from jobmatch_core.search.search_encoder import SearchEncoder
from jobmatch_core.search.search_models import load_search_encoder
from jobmatch_core.search.search_recipe import SearchRecipe
from jobmatch_core.search.search_report import SearchReport
from jobmatch_core.search.search_tasks import is_held_out
from jobmatch_core.search.search_training import train_search_encoder
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore


def retrain_search(
    recipe: SearchRecipe,
    data: Path,
    out: Path,
    *,
    log: Sequence[TextPair] = (),
    settings: Settings,
    resume: bool = True,
    watch: Watch | None = None,
) -> SearchReport:
    """Train a search encoder by a recipe; one that learns from the search log is compared with the one in use.

    Args:
        recipe: recipe with its start model and its teacher.
        data: folder of its files.
        out: the model's folder, which must not exist yet.
        log: what was opened in the application's own searches, weighted by inverse propensity.
        settings: location of taxonomies and models.
        resume: continue an interrupted training of the same recipe and data.
        watch: callbacks for stages and progress.

    Raises:
        JobMatchError: the data or `train_search_encoder` fail, the log is empty, or a named model or the one in use
            does not exist, or cannot be used.
    """
    watch = watch or Watch()
    watch.stage("Reading the pairs")
    store = TaxonomyStore.open(settings)
    pairs = task_pairs(recipe, data, store, log)
    # the teacher's vectors are cached, in case this is interrupted
    teacher = load_search_encoder(recipe.teacher, settings, kept=True) if recipe.teacher else None
    start = load_search_encoder(recipe.start, settings) if recipe.start else None
    compare = None
    if recipe.learns_from_log:
        held_out = [pair for pair in log if is_held_out(pair.query, recipe.training.validation, recipe.seed)]
        test = search_test(log, held_out, store.load())
        compare = partial(_compared, load_search_encoder("", settings), test=test, name=out.name, watch=watch)
    watch.stage("Training")
    return train_search_encoder(
        recipe, pairs, out, teacher=teacher, start=start, compare=compare, resume=resume, progress=watch.progress
    )


def _compared(before: SearchEncoder, after: SearchEncoder, *, test: SearchTest, name: str, watch: Watch) -> BeforeAfter:
    watch.stage("Comparing with the model in use")
    return replace(compare_search(before, after, test), after=name)
