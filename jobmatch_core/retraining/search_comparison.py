"""Comparison of two search encoders on held-out choices, and on names in other languages."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.metrics.before_after import BeforeAfter, Part, changes_of
from jobmatch_core.search.pair_files import TextPair
from jobmatch_core.search.search_encoder import SearchEncoder
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.languages import ENGLISH

_MOST_CHOICES, _NAMES = 2000, 500
_SEED = 5

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SearchTest:
    """Test data.

    Attributes:
        choices: what was opened in held-out searches, weighted by inverse propensity.
        documents: texts that a search chooses from, those of the choices among them.
        names: names of occupations in other languages with the English ones.
    """

    choices: Sequence[TextPair]
    documents: Sequence[str]
    names: Sequence[TextPair]


def search_test(log: Sequence[TextPair], held_out: Sequence[TextPair], taxonomy: Taxonomy) -> SearchTest:
    """Return the test data of a search log and a taxonomy.

    Args:
        log: all that was opened.
        held_out: what was opened in searches that are not trained on.
        taxonomy: names are drawn from it, the same ones each time.
    """
    documents = tuple(dict.fromkeys(pair.document for pair in log))
    return SearchTest(held_out[:_MOST_CHOICES], documents, _names(taxonomy))


def compare_search(before: SearchEncoder, after: SearchEncoder, test: SearchTest) -> BeforeAfter:
    """Measure two models on the same searches.

    Args:
        before: the model in use.
        after: the new one.
        test: test data.
    """
    choices, names = test.choices, test.names
    english = tuple(dict.fromkeys(pair.document for pair in names))
    weights = np.array([pair.weight for pair in choices], dtype=np.float64)
    weights /= weights.mean() if len(weights) else 1
    opened = [reciprocal_ranks(model, choices, test.documents) for model in (before, after)]
    known = [{"named": reciprocal_ranks(model, names, english)} for model in (before, after)]
    corrected = [{"chosen": ranks * weights, "chosen_plain": ranks} for ranks in opened]
    parts = (
        Part("judgments", "Choices in searches that were put aside", len(choices), "choices", changes_of(*corrected)),
        Part("kept", "Occupations by their names in other languages", len(names), "names", changes_of(*known)),
    )
    return BeforeAfter(before.name, after.name, parts)


def reciprocal_ranks(encoder: SearchEncoder, pairs: Sequence[TextPair], documents: Sequence[str]) -> Floats:
    """Return one over the rank of each pair's document for its query, (pair,); equally near ones share the mean rank.

    Args:
        encoder: the encoder.
        pairs: pairs whose documents are among the documents.
        documents: distinct texts.
    """
    if not pairs:
        return np.zeros(0)
    rows = {text: row for row, text in enumerate(documents)}
    scores = encoder.encode_queries([pair.query for pair in pairs]) @ encoder.encode(documents).T
    own = scores[np.arange(len(pairs)), [rows[pair.document] for pair in pairs]][:, None]
    ranks = 1 + (scores > own).sum(axis=1) + ((scores == own).sum(axis=1) - 1) / 2
    return np.asarray(1 / ranks, dtype=np.float64)


def _names(taxonomy: Taxonomy) -> tuple[TextPair, ...]:
    """Return a sample of preferred names in other languages with the English ones; equal pairs are left out."""
    table = taxonomy.tables.names
    preferred = table[table["preferred"] & table["concept"].isin(taxonomy.occupation_numbers)]
    english = preferred[preferred["language"] == ENGLISH].drop_duplicates("concept").set_index("concept")["text"]
    others = preferred[(preferred["language"] != ENGLISH) & preferred["concept"].isin(english.index)]
    pairs = zip(others["text"], english.loc[others["concept"]], strict=True)
    known = [TextPair(text, name) for text, name in pairs if text.casefold() != name.casefold()]
    drawn = np.random.default_rng(_SEED).permutation(len(known))[:_NAMES]
    return tuple(known[row] for row in drawn.tolist())
