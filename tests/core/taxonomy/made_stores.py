"""ESCO with an old or a new nurse, and what a store holds of it."""

from collections.abc import Callable
from pathlib import Path

from jobmatch_core.taxonomy import TaxonomyStore

U = "http://data.europa.eu/esco/occupation/"
V103 = "conceptType,conceptUri,iscoGroup,preferredLabel,altLabels,description\n"
OLD = {"occupations_en.csv": V103 + f"Occupation,{U}1,2221,old nurse,,\n"}
NEW = {"occupations_en.csv": V103 + f"Occupation,{U}1,2221,new nurse,,\n"}
ESCO_ID = "esco-1.1.1"
FolderOf = Callable[..., Path]
FileOf = Callable[..., Path]


def nurse(store: TaxonomyStore) -> str:
    """Return the name of the nurse that is installed."""
    return store.load(ESCO_ID).occupation(U + "1").name


def ids(store: TaxonomyStore) -> list[str]:
    """Return the ids of the installed taxonomies."""
    return [manifest.id for manifest in store.installed()]


def snapshot(folder: Path) -> dict[str, bytes]:
    """Return the content of every file below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
