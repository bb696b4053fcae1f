"""The postings of a recipe, with their skills if the variant reads those."""

from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import numpy as np

from jobmatch_core.descriptions.advert_titles import as_advertised
from jobmatch_core.descriptions.aggregators import VARIANTS
from jobmatch_core.descriptions.jdan_recipe import JdanData, JdanRecipe
from jobmatch_core.descriptions.occupation_postings import occupation_postings
from jobmatch_core.descriptions.posting_skills import skill_names, with_skills
from jobmatch_core.descriptions.postings import Posting, read_onet, read_postings
from jobmatch_core.taxonomy import TaxonomyStore

_SEED = 1  # of the draw, the same for all seeds of a recipe, so that these learn from the same postings


def training_postings(recipe: JdanRecipe, folder: Path, store: TaxonomyStore) -> list[Posting]:
    """Read the postings of a recipe.

    Args:
        recipe: recipe with the `[data]` section.
        folder: folder that its paths are relative to.
        store: store with the taxonomy of the skills, if the variant reads skills.

    Raises:
        DataFileError: a file cannot be read, or lacks a column.
        TaxonomyError: the taxonomy is not there or damaged.
    """
    data = recipe.data
    postings: list[Posting] = []
    for name in data.postings:
        postings += islice(read_postings(folder / name), data.most or None)
    if data.onet:
        postings += _made(read_onet(folder / data.onet, alternates=data.onet_alternates), data)
    if data.taxonomy:
        postings += _made(occupation_postings(store.load(data.taxonomy)), data)
    if VARIANTS[recipe.variant].parts in ("skills", "skill-list"):
        return with_skills(postings, skill_names(store.load(data.skills)))
    return postings


def _made(postings: Iterable[Posting], data: JdanData) -> list[Posting]:
    """Return a random sample of the postings in their order, a share of them with titles as adverts write them."""
    found, most = list(postings), data.made_most
    if most and len(found) > most:
        found = [found[place] for place in sorted(np.random.default_rng(_SEED).permutation(len(found))[:most])]
    return as_advertised(found, data.advertised, _SEED)
