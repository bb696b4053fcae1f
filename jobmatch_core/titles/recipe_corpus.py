"""The corpus of a recipe's data section: names to train on and to measure with, and the bags of skills."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from jobmatch_core.errors import DataFileError
from jobmatch_core.taxonomy import Taxonomy, TaxonomyStore
from jobmatch_core.titles.held_out import leave_out
from jobmatch_core.titles.occupation_names import OccupationNames
from jobmatch_core.titles.skill_bags import (
    ONET_FILES,
    SkillBag,
    onet_bags,
    posting_bags,
    table_bags,
    taxonomy_bags,
    with_translations,
)
from jobmatch_core.titles.title_recipe import DataRecipe, Recipe


@dataclass(frozen=True, slots=True)
class Corpus:
    """The data of a training.

    Attributes:
        names: names to train on.
        titles: held-out names.
        relations: the taxonomy with the skills.
        data_hash: SHA-256 of all files that are read.
    """

    names: OccupationNames
    titles: OccupationNames
    relations: Taxonomy
    data_hash: str


def open_corpus(recipe: Recipe, store: TaxonomyStore, folder: Path) -> Corpus:
    """Load a recipe's taxonomies, and hold names out.

    Args:
        recipe: the recipe with the data section.
        store: the store with the taxonomies.
        folder: folder of the recipe's files.

    Raises:
        TaxonomyError: a taxonomy is not installed, or has no names in one of the languages.
        DataFileError: one of the other files is missing.
    """
    data = recipe.data
    taxonomy = store.load(data.names)
    relations = store.load(data.relations) if data.relations else taxonomy
    names, titles = leave_out(
        OccupationNames.of(taxonomy, data.languages, relations), recipe.held_out.titles, recipe.seed
    )
    digest = hashlib.sha256(f"{taxonomy.manifest.source_hash} {relations.manifest.source_hash}".encode())
    for path in _files(data, folder):
        if not path.is_file():
            raise DataFileError(path, f"there is no such file in {path.parent}; give its folder with --data")
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return Corpus(names, titles, relations, digest.hexdigest())


def skill_bags(corpus: Corpus, data: DataRecipe, folder: Path) -> list[SkillBag]:
    """Return the bags of all sources of a recipe.

    Raises:
        TaxonomyError: the taxonomy has no skills.
        DataFileError: a file is not what was expected.
    """
    bags = taxonomy_bags(corpus.names, corpus.relations)
    if data.onet:
        bags += onet_bags(folder / data.onet)
    if data.postings:
        bags += posting_bags(folder / data.postings)
    if data.skills_table:
        bags += table_bags(folder / data.skills_table)
    return with_translations(bags, folder / data.translations) if data.translations else bags


def _files(data: DataRecipe, folder: Path) -> list[Path]:
    """Return the files that are read in addition to the taxonomies."""
    onet = [folder / data.onet / file for file in ONET_FILES] if data.onet else []
    return onet + [folder / file for file in (data.postings, data.skills_table, data.translations) if file]
