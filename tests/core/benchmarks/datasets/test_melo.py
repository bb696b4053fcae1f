"""MELO's folders, in miniature."""

from pathlib import Path

import pytest

from jobmatch_core.benchmarks.datasets.melo import find_datasets, read_melo
from jobmatch_core.errors import DataFileError

FILES = {
    "queries.tsv": "Q000001\tKoch/Köchin\nQ000002\tLehrer\n",
    "corpus_elements.tsv": "C000001_en_000\tcook\nC000001_de_000\tKoch\nC000002_en_000\tteacher\n",
    "annotations.tsv": "Q000001\t0\tC000001_en_000\t1\nQ000001\t0\tC000001_de_000\t1\n",
    "concept_mapping.tsv": "C000002_en_000\turi:a\nC000001_en_000\turi:b\nC000001_de_000\turi:b\n",
}


def write(tmp_path: Path, name: str = "deu_q_de_c_de_en", **changed: str) -> Path:
    """Write a dataset's folder, with some files changed."""
    folder = tmp_path / name
    folder.mkdir()
    for file, content in FILES.items():
        (folder / file).write_text(changed.get(file.removesuffix(".tsv"), content), "utf-8")
    return folder


def test_a_dataset(tmp_path: Path) -> None:
    """Concepts are ordered by URI, whatever the order of the mapping; the second query has nothing relevant."""
    dataset = read_melo(write(tmp_path))
    assert (dataset.name, dataset.task) == ("deu_q_de_c_de_en", "melo")
    assert (dataset.query_language, dataset.corpus_languages) == ("de", ("de", "en"))
    assert not dataset.cross_lingual
    assert (dataset.query_ids, dataset.queries) == (["Q000001", "Q000002"], ["Koch/Köchin", "Lehrer"])
    assert dataset.element_ids == ["C000001_en_000", "C000001_de_000", "C000002_en_000"]
    assert dataset.elements == ["cook", "Koch", "teacher"]
    assert dataset.element_languages == ["en", "de", "en"]
    assert (dataset.concepts, dataset.element_concepts.tolist()) == (["uri:a", "uri:b"], [1, 1, 0])
    assert dataset.relevant.toarray().tolist() == [[True, True, False], [False] * 3]


def test_the_hash_covers_every_file(tmp_path: Path) -> None:
    """One changed name is other data; the folder's place is not."""
    (tmp_path / "b").mkdir()
    (tmp_path / "c").mkdir()
    first, same = read_melo(write(tmp_path)), read_melo(write(tmp_path / "b"))
    other = read_melo(write(tmp_path / "c", queries=FILES["queries.tsv"].replace("Lehrer", "Lehrerin")))
    assert first.data_hash == same.data_hash != other.data_hash


@pytest.mark.parametrize(
    ("name", "changed", "message"),
    [
        ("datasets", {}, "datasets: the languages are read from the folder's name; expected one such as deu_q_de_c_en"),
        ("deu_q_de_c_en", {}, "corpus_elements.tsv, line 2: the id C000001_de_000 does not name one of"),
        ("deu_q_de_c_de_en", {"corpus_elements": "C1\tcook\n"}, "corpus_elements.tsv, line 1: the id C1 does not"),
        (
            "deu_q_de_c_de_en",
            {"concept_mapping": "C000001_en_000\turi:a\n"},
            "concept_mapping.tsv: there is no concept for C000001_de_000",
        ),
        (
            "deu_q_de_c_de_en",
            {"annotations": "Q000003\t0\tC000001_en_000\t1\n"},
            "annotations.tsv, line 1: there is no query or element Q000003",
        ),
    ],
)
def test_folders_that_are_refused(tmp_path: Path, name: str, changed: dict[str, str], message: str) -> None:
    """Each with its file and line, if it has one."""
    with pytest.raises(DataFileError) as caught:
        read_melo(write(tmp_path, name, **changed))
    assert str(caught.value).startswith(message)


def test_datasets_are_found(tmp_path: Path) -> None:
    """All in a folder, or the one given."""
    folder, other = write(tmp_path), write(tmp_path, "aut_q_de_c_de_en")
    assert find_datasets(tmp_path) == [other, folder]
    assert find_datasets(folder) == [folder]
