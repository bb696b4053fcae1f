"""Linking of postings to occupations by title and description: its figures, and the fits of the weights of the two.

Figures: by the title alone, by the description alone, and by both. Datasets: the coded postings of
`descriptions.postings`. Nothing is fitted on them. Every occupation of the taxonomy is ranked; of several right ones
the best counts, and of occupations that score the same the right one is taken to stand last. A posting whose
occupations the taxonomy does not have stays, and is missed.

Two sets of weights come with jobmatch. Weights of a posting's title and description: titles are those of job
normalization's validation data, with their occupations; descriptions are made up of the skills that the taxonomy gives
these occupations, among skills of others. Weights of a general title and a short description: the descriptions are our
queries over occupations ('someone who repairs lifts'), of which the search encoder has seen none; their titles are the
general words in the names of the occupation meant ('technician', 'mechanic'). In both, for a fifth the right
occupations are taken away, so that 'none of these' is right. Benchmarks of postings and crosswalks of national
classifications have no part in either.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.benchmarks.datasets.title_sets import read_titles
from jobmatch_core.benchmarks.retrieval.search_queries import ACCEPTABLE, MEANT, OccupationQuery, occupation_queries
from jobmatch_core.entities import FloatArray, Progress, no_progress
from jobmatch_core.errors import TaxonomyError
from jobmatch_core.linking import Linker
from jobmatch_core.linking.calibration import PRECISION
from jobmatch_core.linking.posting_linker import DescriptionEncoder, PostingLinker, PostingWeights
from jobmatch_core.metrics.comparisons import Interval, bootstrap_interval
from jobmatch_core.metrics.ranking import mean_reciprocal_rank, recall_at
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.locales import ENGLISH
from lab.experiments.coded_postings import CodedPosting
from lab.experiments.weight_fit import fit_weights, made_description

TITLE, DESCRIPTION, BOTH = "title", "description", "both"


N_POSTINGS = 1500
SHARE_GONE = 0.2  # postings whose occupation is taken away
UNLIKE = (0.0, -1.0, -1.0)  # features of an occupation that is taken away
_START = PostingWeights((1.0, 10.0, 10.0), 5.0, 0.5, {})  # what features are reckoned with before there are any
_SEED = 6
_HEAD_LAST = frozenset({"de", "en", "nl"})  # languages whose names end with the general word; others begin with it
_TITLES = 3  # at most, of a query


@dataclass(frozen=True, slots=True)
class PostingFigures:
    """Figures of one way of linking."""

    by: str  # text that is read of a posting
    postings: int
    # accuracy_at_1, recall_at_5, recall_at_10, mrr: figures of the right occupation, higher is better
    accuracy_at_1: float
    recall_at_5: float
    recall_at_10: float
    mrr: float
    mrr_interval: Interval  # 95 %, over the postings


def known_postings(
    postings: Sequence[CodedPosting], codes: Taxonomy
) -> tuple[list[CodedPosting], list[tuple[str, ...]]]:
    """Return the postings with a code that a taxonomy's occupations have, and the URIs of these occupations."""
    concepts = codes.tables.concepts.iloc[codes.occupation_numbers]
    uris = dict(zip(concepts["code"].to_list(), concepts["uri"].to_list(), strict=True))
    linked = [(posting, tuple(uris[code] for code in posting.codes if code in uris)) for posting in postings]
    return [posting for posting, right in linked if right], [right for _, right in linked if right]


def evaluate_posting_linking(
    fused: PostingLinker,
    postings: Sequence[CodedPosting],
    right: Sequence[Sequence[str]],
    *,
    progress: Progress = no_progress,
) -> list[PostingFigures]:
    """Rank all occupations for each posting in three ways.

    Args:
        right: the URIs of each one's occupations.
    """
    places = {fused.linker.taxonomy.uris[concept]: place for place, concept in enumerate(fused.concepts.tolist())}
    titles = [posting.posting.title for posting in postings]
    descriptions = [posting.posting.description for posting in postings]
    weights = np.array(fused.weights.weights)
    ways = {TITLE: weights * (1, 0, 0), DESCRIPTION: weights * (0, 1, 1), BOTH: weights}
    ranks: dict[str, list[float]] = {way: [] for way in ways}
    for features in fused.features(titles, descriptions):
        done = len(ranks[BOTH])
        wanted = [[places[uri] for uri in uris if uri in places] for uris in right[done : done + len(features)]]
        for way, chosen in ways.items():
            ranks[way] += best_ranks(features @ chosen, wanted, nothing=0.0 if way == TITLE else None)
        progress(len(ranks[BOTH]), len(titles))
    return [_figures(way, np.array(ranks_of_way)) for way, ranks_of_way in ranks.items()]


def best_ranks(
    utilities: NDArray[np.float64] | FloatArray, right: Sequence[Sequence[int]], *, nothing: float | None = None
) -> list[float]:
    """Return the rank of the best of each row's right columns, infinite where there is none.

    Args:
        utilities: (posting, occupation).
        nothing: the utility of what was not found at all, which has no rank.
    """
    ranks = []
    for row, columns in zip(utilities, right, strict=True):
        best = max((row[column] for column in columns), default=-np.inf)
        missed = not columns or (nothing is not None and best <= nothing)
        ranks.append(np.inf if missed else float((row >= best).sum()))
    return ranks


def _figures(by: str, ranks: NDArray[np.float64]) -> PostingFigures:
    return PostingFigures(
        by=by,
        postings=len(ranks),
        accuracy_at_1=recall_at(ranks, 1),
        recall_at_5=recall_at(ranks, 5),
        recall_at_10=recall_at(ranks, 10),
        mrr=mean_reciprocal_rank(ranks),
        mrr_interval=bootstrap_interval(1 / ranks),
    )


def fit_posting_weights(
    titles_file: Path,
    linker: Linker,
    encoder: DescriptionEncoder,
    *,
    taxonomy_encoder: DescriptionEncoder | None = None,
    n_postings: int = N_POSTINGS,
    progress: Progress = no_progress,
) -> PostingWeights:
    """Fit the weights on made-up postings.

    Args:
        titles_file: a CSV with the columns vacancyTitle and conceptUri.
        linker: to a taxonomy whose occupations have skills, such as ESCO 1.1.1.
        taxonomy_encoder: see `PostingLinker`.
        n_postings: number of synthetic postings.

    Raises DataFileError if the titles cannot be read.
    """
    random = np.random.default_rng(_SEED)
    titles, uris = read_titles(titles_file)
    sentences = _skills_by_occupation(linker.taxonomy)
    numbers = {uri: number for number, uri in enumerate(linker.taxonomy.uris)}
    usable = [row for row, uri in enumerate(uris) if numbers.get(uri) in sentences]
    drawn = [usable[place] for place in random.permutation(len(usable))[:n_postings]]
    owners = np.array([numbers[uris[row]] for row in drawn])
    others = sorted({text for texts in sentences.values() for text in texts})
    descriptions = [made_description(sentences[owner], others, random) for owner in owners.tolist()]
    fused = PostingLinker(linker, encoder, _START, taxonomy_encoder=taxonomy_encoder)
    features = _features(fused, [titles[row] for row in drawn], descriptions, progress)
    right = np.zeros(features.shape[:2], dtype=bool)
    gone = random.random(len(owners)) < SHARE_GONE
    right[np.arange(len(owners)), np.searchsorted(fused.concepts, owners)] = True
    return fit_weights(*some_gone(features, right, right, gone), np.unique(owners, return_inverse=True)[1] % 2 == 1)


def _features(fused: PostingLinker, titles: list[str], descriptions: list[str], progress: Progress) -> FloatArray:
    blocks: list[FloatArray] = []
    for block in fused.features(titles, descriptions):
        blocks.append(block)
        progress(sum(map(len, blocks)), len(titles))
    return np.concatenate(blocks)


def some_gone(
    features: FloatArray, right: NDArray[np.bool_], near: NDArray[np.bool_], gone: NDArray[np.bool_]
) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Take the occupations of some postings away, so that none is right there.

    Args:
        features: (posting, occupation, feature), which is changed.
        right: (posting, occupation) true for the right ones.
        near: (posting, occupation) true for those that are taken away, the right ones among them.
        gone: (posting,) true where they are.
    """
    features[near & gone[:, None]] = UNLIKE
    return features, right & ~gone[:, None]


def _skills_by_occupation(taxonomy: Taxonomy) -> dict[int, list[str]]:
    """Return the English names of each occupation's skills by its number; those with fewer than three left out."""
    tables = taxonomy.tables
    names = tables.skill_names[tables.skill_names["preferred"] & (tables.skill_names["language"] == ENGLISH)]
    text_of = dict(zip(names["skill"].to_list(), names["text"].to_list(), strict=True))
    skills: dict[int, list[str]] = {}
    for occupation, skill in zip(tables.relations["occupation"], tables.relations["skill"], strict=True):
        if skill in text_of:
            skills.setdefault(int(occupation), []).append(text_of[skill])
    return {occupation: texts for occupation, texts in skills.items() if len(texts) >= 3}


def fit_hint_weights(linker: Linker, encoder: DescriptionEncoder) -> PostingWeights:
    """Fit the weights on the queries whose best occupation the linker's taxonomy has.

    Raises TaxonomyError if it has none of them; they are ESCO's.
    """
    taxonomy = linker.taxonomy
    queries = [query for query in occupation_queries() if taxonomy.has_concept(_best(query))]
    if not queries:
        raise TaxonomyError(f"The queries are for ESCO's occupations, which {taxonomy.id} does not have.")
    tasks = [
        (number, word)
        for number, query in enumerate(queries)
        for word in general_words(taxonomy, taxonomy.number(_best(query)), query.language)
    ]
    owners = np.array([number for number, _ in tasks])
    fused = PostingLinker(linker, encoder, _START, general_titles=True)
    titles, texts = [word for _, word in tasks], [queries[number].text for number in owners.tolist()]
    features = np.concatenate(list(fused.features(titles, texts)))
    meant, graded = (
        np.stack([_graded(fused, query, at_least) for query in queries])[owners] for at_least in (MEANT, ACCEPTABLE)
    )
    gone = np.random.default_rng(_SEED).random(len(queries)) < SHARE_GONE
    drawn = some_gone(features, meant, graded, gone[owners])
    return fit_weights(*drawn, owners % 2 == 1, precision=PRECISION)


def general_words(taxonomy: Taxonomy, number: int, language: str) -> list[str]:
    """Return the words of an occupation's names that say what kind of job it is: 'technician' of a lift technician.

    At most `_TITLES`, that of its preferred name first.
    """
    names = taxonomy.occupation(taxonomy.uris[number]).names
    texts = [taxonomy.name(number, language), *(name.text for name in names if name.language == language)]
    place = -1 if language in _HEAD_LAST else 0
    words = [words[place].casefold() for text in texts if (words := text.split("/")[0].split())]
    return list(dict.fromkeys(words))[:_TITLES]


def _graded(fused: PostingLinker, query: OccupationQuery, at_least: int) -> NDArray[np.bool_]:
    """Return (occupation,) true for those with a grade of so much, or more."""
    grades = [query.grades.get(fused.linker.taxonomy.uris[concept], 0) for concept in fused.concepts.tolist()]
    return np.array(grades) >= at_least


def _best(query: OccupationQuery) -> str:
    """Return the URI of the occupation with the highest grade, the first of several."""
    return max(query.grades, key=query.grades.__getitem__)
