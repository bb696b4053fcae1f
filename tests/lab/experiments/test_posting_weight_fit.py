"""The weights of title and description, fitted on made-up postings of the bundled taxonomy."""

import csv
from pathlib import Path

import pytest

from jobmatch_core.descriptions.posting_models import load_posting_model
from jobmatch_core.errors import DataFileError
from jobmatch_core.linking import Linker, open_linker
from jobmatch_core.linking.posting_linker import PostingLinker
from jobmatch_core.settings import Settings
from jobmatch_core.text.locales import ENGLISH
from lab.experiments.posting_linking import fit_posting_weights


@pytest.fixture
def linker(linker_home: Path) -> Linker:
    """The linker of the bundled taxonomy, which has skills."""
    return open_linker(settings=Settings(linker_home))


@pytest.fixture
def titles(linker: Linker, tmp_path: Path) -> Path:
    """Names of occupations, which have skills, and one that nobody knows."""
    taxonomy = linker.taxonomy
    skilled = sorted(set(taxonomy.tables.relations["occupation"].tolist()))
    path = tmp_path / "titles.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["vacancyTitle", "conceptUri"])
        table.writerows([taxonomy.name(concept, ENGLISH), taxonomy.uris[concept]] for concept in skilled)
        table.writerow(["zeppelin pilot", "http://gone"])
    return path


@pytest.mark.thorough
def test_title_and_description_both_count(linker: Linker, titles: Path) -> None:
    """Weights above zero that find the right one mostly; the same ones every time; the steps are told."""
    encoder, told = load_posting_model("mean"), list[tuple[int, int]]()
    fitted = fit_posting_weights(titles, linker, encoder, n_postings=60, progress=lambda *step: told.append(step))
    assert min(fitted.weights) >= 0
    assert sum(weight > 0 for weight in fitted.weights) >= 2
    assert fitted.held_out["postings"] == 60
    assert fitted.held_out["accuracy"] > 0.6
    assert told[-1] == (60, 60)
    assert fit_posting_weights(titles, linker, encoder, n_postings=60) == fitted
    uri = linker.taxonomy.uris[linker.taxonomy.tables.relations["occupation"].iloc[0]]
    name = linker.taxonomy.name(linker.taxonomy.uris.index(uri), ENGLISH)
    assert PostingLinker(linker, encoder, fitted).link(name, "You work with us.").candidates[0].uri == uri


def test_titles_that_cannot_be_read(linker: Linker, tmp_path: Path) -> None:
    """Said by the file's name."""
    with pytest.raises(DataFileError, match=r"gone\.csv"):
        fit_posting_weights(tmp_path / "gone.csv", linker, load_posting_model("mean"))
