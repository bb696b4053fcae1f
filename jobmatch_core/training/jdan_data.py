"""The postings that a recipe names, with their skills where the variant reads those."""

from itertools import islice
from pathlib import Path

from jobmatch_core.descriptions.aggregators import VARIANTS
from jobmatch_core.descriptions.posting_skills import skill_names, with_skills
from jobmatch_core.descriptions.postings import Posting, read_onet, read_postings
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.training.jdan_recipe import JdanRecipe


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
        postings += read_onet(folder / data.onet, alternates=data.onet_alternates)
    if VARIANTS[recipe.variant].parts in ("skills", "skill-list"):
        return with_skills(postings, skill_names(store.load(data.skills)))
    return postings
