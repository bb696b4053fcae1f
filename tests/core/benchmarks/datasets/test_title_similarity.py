"""Job title similarity's folders, in miniature."""

from pathlib import Path

import pytest

from jobmatch_core.benchmarks.datasets.title_sets import find_datasets, read_title_similarity
from jobmatch_core.errors import DataFileError

FILES = {
    "queries.tsv": "Chef_de_cuisine\tChef de cuisine\n",
    "corpus_documents.tsv": "Chef\tChef\nJuge\tJuge\nSous_chef\tSous chef\n",
    "annotations.tsv": "Chef_de_cuisine\t0\tSous_chef\t1\nChef_de_cuisine\t0\tChef\t1\n",
}


def write(tmp_path: Path, name: str) -> Path:
    """Write a language's folder."""
    folder = tmp_path / name
    folder.mkdir()
    for file, content in FILES.items():
        (folder / file).write_text(content, "utf-8")
    return folder


def test_a_dataset(tmp_path: Path) -> None:
    """Every document is a concept of its own."""
    dataset = read_title_similarity(write(tmp_path, "fr"))
    assert (dataset.name, dataset.task) == ("fr", "title-similarity")
    assert (dataset.query_language, dataset.corpus_languages, dataset.cross_lingual) == ("fr", ("fr",), False)
    assert (dataset.query_ids, dataset.queries) == (["Chef_de_cuisine"], ["Chef de cuisine"])
    assert (dataset.element_ids, dataset.elements[2]) == (["Chef", "Juge", "Sous_chef"], "Sous chef")
    assert dataset.element_languages == ["fr"] * 3
    assert dataset.ranks_titles
    assert (dataset.concepts, dataset.element_concepts.tolist()) == (dataset.element_ids, [0, 1, 2])
    assert dataset.relevant.toarray().tolist() == [[True, False, True]]


@pytest.mark.parametrize(
    ("name", "languages"),
    [
        ("en-de", ("en", "de")),
        ("en_de", ("en", "de")),
        ("de", ("de", "de")),
        ("pt-BR", ("pt", "pt")),
        ("zh-Hans", ("zh", "zh")),
        ("nb-en", ("no", "en")),
        ("es-CA", ("es", "es")),
        ("es-ca", ("es", "ca")),
        ("en-xx", ("en", "en")),
    ],
)
def test_a_folder_of_two_languages(tmp_path: Path, name: str, languages: tuple[str, str]) -> None:
    """Queries in the first, documents in the second; capitals are a country or a script."""
    dataset = read_title_similarity(write(tmp_path, name))
    assert (dataset.query_language, dataset.corpus_languages) == (languages[0], (languages[1],))
    assert dataset.element_languages == [languages[1]] * 3
    assert dataset.cross_lingual == (languages[0] != languages[1])
    assert dataset.taxonomy == "esco-1.0.3"


def test_a_folder_without_a_language(tmp_path: Path) -> None:
    """Its name is where the language stands."""
    with pytest.raises(DataFileError, match=r"data: the languages are read from the folder's name; .* or en-de for"):
        read_title_similarity(write(tmp_path, "data"))


def test_a_folder_without_its_files(tmp_path: Path) -> None:
    """The missing one is named."""
    folder = write(tmp_path, "fr")
    (folder / "annotations.tsv").unlink()
    with pytest.raises(DataFileError, match=r"annotations\.tsv: the file cannot be read"):
        read_title_similarity(folder)


def test_datasets_are_found(tmp_path: Path) -> None:
    """By language."""
    german, french = write(tmp_path, "de"), write(tmp_path, "fr")
    assert find_datasets(tmp_path) == [german, french]
