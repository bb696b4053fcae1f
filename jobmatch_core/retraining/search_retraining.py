"""Training of a search encoder; if it learns from the search log, with a comparison to the model in use."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.metrics.comparisons import BeforeAfter, Part, changes_of
from jobmatch_core.search.made_pairs import task_pairs
from jobmatch_core.search.pair_files import TextPair
from jobmatch_core.search.search_encoder import SearchEncoder
from jobmatch_core.search.search_models import load_search_encoder
from jobmatch_core.search.search_recipe import SearchRecipe, SearchReport
from jobmatch_core.search.search_tasks import is_held_out
from jobmatch_core.search.search_training import train_search_encoder
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import Taxonomy, TaxonomyStore
from jobmatch_core.text.locales import ENGLISH
from jobmatch_core.training.figures import Watch

_MOST_CHOICES, _NAMES = 2000, 500
_SEED = 5

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SearchTest:
    """Test data."""

    choices: Sequence[TextPair]  # results opened in held-out searches, weighted by inverse propensity
    documents: Sequence[str]  # searched texts, including those of the choices
    names: Sequence[TextPair]  # names of occupations in other languages, paired with the English ones


def search_test(log: Sequence[TextPair], held_out: Sequence[TextPair], taxonomy: Taxonomy) -> SearchTest:
    """Return the test data of a search log and a taxonomy.

    Args:
        log: all opened results.
        held_out: results opened in held-out searches.
        taxonomy: source of a fixed sample of names.
    """
    documents = tuple(dict.fromkeys(pair.document for pair in log))
    return SearchTest(held_out[:_MOST_CHOICES], documents, _names(taxonomy))


def compare_search(before: SearchEncoder, after: SearchEncoder, test: SearchTest) -> BeforeAfter:
    """Compare the model in use with a new one on the same searches."""
    choices, names = test.choices, test.names
    english = tuple(dict.fromkeys(pair.document for pair in names))
    weights = np.array([pair.weight for pair in choices], dtype=np.float64)
    weights /= weights.mean() if len(weights) else 1
    opened = [reciprocal_ranks(model, choices, test.documents) for model in (before, after)]
    named = [{"named": reciprocal_ranks(model, names, english)} for model in (before, after)]
    corrected = [{"chosen": ranks * weights, "chosen_plain": ranks} for ranks in opened]
    parts = (
        Part("judgments", "Choices in searches that were put aside", len(choices), "choices", changes_of(*corrected)),
        Part("kept", "Occupations by their names in other languages", len(names), "names", changes_of(*named)),
    )
    return BeforeAfter(before.name, after.name, parts)


def reciprocal_ranks(encoder: SearchEncoder, pairs: Sequence[TextPair], documents: Sequence[str]) -> Floats:
    """Return the reciprocal rank of each pair's document for its query, (pair,); ties share the mean rank.

    The documents are distinct, and include those of the pairs.
    """
    if not pairs:
        return np.zeros(0)
    rows = {text: row for row, text in enumerate(documents)}
    scores = encoder.encode_queries([pair.query for pair in pairs]) @ encoder.encode(documents).T
    own = scores[np.arange(len(pairs)), [rows[pair.document] for pair in pairs]][:, None]
    ranks = 1 + (scores > own).sum(axis=1) + ((scores == own).sum(axis=1) - 1) / 2
    return np.asarray(1 / ranks, dtype=np.float64)


def _names(taxonomy: Taxonomy) -> tuple[TextPair, ...]:
    """Return a sample of preferred names in other languages with different English ones."""
    table = taxonomy.tables.names
    preferred = table[table["preferred"] & table["concept"].isin(taxonomy.occupation_numbers)]
    english = preferred[preferred["language"] == ENGLISH].drop_duplicates("concept").set_index("concept")["text"]
    others = preferred[(preferred["language"] != ENGLISH) & preferred["concept"].isin(english.index)]
    pairs = zip(others["text"], english.loc[others["concept"]], strict=True)
    differing = [TextPair(text, name) for text, name in pairs if text.casefold() != name.casefold()]
    drawn = np.random.default_rng(_SEED).permutation(len(differing))[:_NAMES]
    return tuple(differing[row] for row in drawn.tolist())


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
    """Train a search encoder by a recipe; if it learns from the search log, compare it with the model in use.

    Args:
        recipe: recipe with its start model and its teacher.
        out: the model's folder, which must not exist yet.
        log: results opened in the application's own searches, weighted by inverse propensity.

    Raises JobMatchError if the data or `train_search_encoder` fail, the log is empty, or a model is missing or
    unusable.
    """
    watch = watch or Watch()
    watch.stage("Reading the pairs")
    store = TaxonomyStore.open(settings)
    pairs = task_pairs(recipe, data, store, log)
    # the teacher's vectors are cached, in case training is interrupted
    teacher = load_search_encoder(recipe.teacher, settings, cached=True) if recipe.teacher else None
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
