"""The postings that a recipe names, with their skills where the variant reads those."""

from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import numpy as np

from jobmatch_core.descriptions.aggregators import VARIANTS
from jobmatch_core.descriptions.occupation_postings import occupation_postings
from jobmatch_core.descriptions.posting_skills import skill_names, with_skills
from jobmatch_core.descriptions.postings import Posting, read_onet, read_postings
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.training.jdan_recipe import JdanRecipe

_SEED = 1  # of the draw, the same for all seeds of a recipe, so that these learn from the same postings


def training_postings(recipe: JdanRecipe, folder: Path, store: TaxonomyStore) -> list[Posting]:
    """Read the postings of a recipe.

    Args:
        recipe: whose `[data]` says which.
        folder: that their paths are relative to.
        store: with the taxonomy whose skills are looked for, where the variant reads skills.

    Raises:
        DataFileError: a file cannot be read, or lacks a column.
        TaxonomyError: the taxonomy is not there or damaged.
    """
    data = recipe.data
    postings: list[Posting] = []
    for name in data.postings:
        postings += islice(read_postings(folder / name), data.most or None)
    if data.onet:
        postings += _drawn(read_onet(folder / data.onet, alternates=data.onet_alternates), data.made_most)
    if data.taxonomy:
        postings += _drawn(occupation_postings(store.load(data.taxonomy)), data.made_most)
    if VARIANTS[recipe.variant].parts in ("skills", "skill-list"):
        return with_skills(postings, skill_names(store.load(data.skills)))
    return postings


def _drawn(postings: Iterable[Posting], most: int) -> list[Posting]:
    """Return so many of the postings, drawn at random and in their order; all of them where *most* is 0."""
    found = list(postings)
    if not most or len(found) <= most:
        return found
    return [found[place] for place in sorted(np.random.default_rng(_SEED).permutation(len(found))[:most])]
