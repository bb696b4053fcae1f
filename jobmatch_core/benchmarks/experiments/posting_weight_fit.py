"""The fit of the weights by which a posting's title and description are fused, as they come with jobmatch.

Titles are those of job normalization's validation data, with their occupations; descriptions are made up of the skills
that the taxonomy gives these occupations, among skills of others. For a fifth the occupation is taken away, so that
'none of these' is right. Benchmarks of postings and crosswalks of national classifications have no part in it.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.benchmarks.datasets.job_normalization import read_titles
from jobmatch_core.entities import FloatArray, Progress, no_progress
from jobmatch_core.linking import Linker
from jobmatch_core.linking.posting_linker import DescriptionEncoder, PostingLinker
from jobmatch_core.linking.posting_weights import PostingWeights, made_description
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.languages import ENGLISH

N_POSTINGS = 1500
SHARE_GONE = 0.2  # postings whose occupation is taken away
UNLIKE = (0.0, -1.0, -1.0)  # features of an occupation that is taken away
_START = PostingWeights((1.0, 10.0, 10.0), 5.0, 0.5, {})  # what features are reckoned with before there are any
_SEED = 6


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
        encoder: encoder of descriptions.
        taxonomy_encoder: see `PostingLinker`.
        n_postings: number of synthetic postings.
        progress: called with postings done and in all.

    Raises:
        DataFileError: the titles cannot be read.
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
    return PostingWeights.fit(
        *some_gone(features, right, right, gone), np.unique(owners, return_inverse=True)[1] % 2 == 1
    )


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
