"""Datasets built of a crosswalk and a taxonomy, and the corpus that a taxonomy gives."""

import json
from pathlib import Path

import pytest

from jobmatch_core.benchmarks.datasets.melo import build_melo, find_datasets, names_of, read_melo
from jobmatch_core.errors import DataFileError, TaxonomyError
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.tables import GROUP, OCCUPATION, Manifest, TablesBuilder

CROSSWALK = {
    "3": {"title": "Köchin\tEbene 2", "description": "", "matches": {"uri:b": "exactMatch", "uri:a": "narrowMatch"}},
    "2": {"title": "Amme", "description": "", "matches": {"uri:a": "broadMatch"}},
    "1": {"title": "Fürst", "description": "", "matches": {"uri:withdrawn": "narrowMatch"}},
    "0": {"title": "Leiter", "description": "", "matches": {"uri:a": "narrowMatch"}},
}


@pytest.fixture
def taxonomy() -> Taxonomy:
    """An occupation that is met before its group, in two languages, and one without German names."""
    builder = TablesBuilder()
    cook = builder.concept("uri:b", kind=OCCUPATION, code="5120.1", isco="5120")
    builder.add_names(cook, "en", "cook", ["line  cook", "chef", "line cook"])
    builder.add_names(cook, "de", "Koch/Köchin", ["Köchin", "Koch"])
    manager = builder.concept("uri:a", kind=GROUP, code="1", isco="1")
    builder.add_names(manager, "en", "Managers", [])
    builder.add_names(manager, "de", "Führungskräfte", [])
    judge = builder.concept("uri:c", kind=OCCUPATION, code="2612.1", isco="2612")
    builder.add_names(judge, "en", "judge", [])
    return Taxonomy(
        Manifest("tiny-1", "Tiny", "1", ("de", "en"), {}, source_hash="", attribution="", created=""), builder.build()
    )


@pytest.fixture
def crosswalk(tmp_path: Path) -> Path:
    """A terminology of four entries, of which three point to one concept."""
    folder = tmp_path / "deu_de"
    folder.mkdir()
    (folder / "crosswalk.json").write_text(json.dumps(CROSSWALK), "utf-8")
    return folder


def test_a_monolingual_dataset(tmp_path: Path, taxonomy: Taxonomy, crosswalk: Path) -> None:
    """Queries in the file's order; concepts by URI; the preferred name first, then by characters."""
    dataset = build_melo(crosswalk, taxonomy, ["de"], tmp_path / "out")
    assert dataset.name == "deu_q_de_c_de"
    assert dataset.query_ids == ["Q000001", "Q000002", "Q000003"]
    assert dataset.queries == ["Köchin Ebene 2", "Fürst", "Leiter"]
    assert list(zip(dataset.element_ids, dataset.elements, strict=True)) == [
        ("C000001_de_000", "Führungskräfte"),
        ("C000002_de_000", "Koch/Köchin"),
        ("C000002_de_001", "Koch"),
        ("C000002_de_002", "Köchin"),
    ]
    assert dataset.concepts == ["uri:a", "uri:b"]
    assert dataset.relevant.toarray().tolist() == [[False, True, True, True], [False] * 4, [True, False, False, False]]


def test_any_set_of_languages(tmp_path: Path, taxonomy: Taxonomy, crosswalk: Path) -> None:
    """Languages by name within a concept; white space is evened out, which leaves `line cook` once."""
    dataset = build_melo(crosswalk, taxonomy, ["en", "de", "en"], tmp_path)
    assert (dataset.name, dataset.corpus_languages) == ("deu_q_de_c_de_en", ("de", "en"))
    assert dataset.element_ids[:3] == ["C000001_de_000", "C000001_en_000", "C000002_de_000"]
    assert dataset.elements[5:] == ["cook", "chef", "line cook", "judge"]
    assert dataset.element_languages == ["de", "en", "de", "de", "de", "en", "en", "en", "en"]


def test_the_folder_is_a_dataset(tmp_path: Path, taxonomy: Taxonomy, crosswalk: Path) -> None:
    """It is found and read like a published one, and built anew in its place."""
    built = build_melo(crosswalk, taxonomy, ["en"], tmp_path / "out")
    [folder] = find_datasets(tmp_path / "out")
    assert folder.name == "deu_q_de_c_en"
    assert (read_melo(folder).elements, read_melo(folder).data_hash) == (built.elements, built.data_hash)
    assert build_melo(crosswalk, taxonomy, ["en"], tmp_path / "out").data_hash == built.data_hash


def test_what_cannot_be_built(tmp_path: Path, taxonomy: Taxonomy, crosswalk: Path) -> None:
    """A language without names, no language, a crosswalk to another taxonomy or none; nothing is left behind."""
    out = tmp_path / "out"
    with pytest.raises(TaxonomyError, match="tiny-1 cannot give names in fr; it has de, en"):
        build_melo(crosswalk, taxonomy, ["de", "fr"], out)
    with pytest.raises(TaxonomyError, match="no language at all"):
        build_melo(crosswalk, taxonomy, [], out)
    (crosswalk / "crosswalk.json").write_text('{"1": {"title": "Koch", "matches": {"x": "exactMatch"}}}', "utf-8")
    with pytest.raises(TaxonomyError, match="none of the crosswalk's concepts"):
        build_melo(crosswalk, taxonomy, ["de"], out)
    with pytest.raises(DataFileError, match="cannot be read"):
        build_melo(tmp_path / "fra_fr", taxonomy, ["de"], out)
    assert not out.exists()


def test_a_corpus_of_some_concepts(taxonomy: Taxonomy) -> None:
    """Concepts keep their places though one has no German name, and are numbered without gaps."""
    corpus = names_of(taxonomy, taxonomy.occupation_numbers.tolist(), ["de"])
    assert corpus.element_ids == ["C000001_de_000", "C000001_de_001", "C000001_de_002"]
    assert (corpus.concepts, corpus.element_concepts.tolist()) == (["uri:b"], [0, 0, 0])
    both = names_of(taxonomy, taxonomy.occupation_numbers.tolist(), ["en"])
    assert both.element_ids == ["C000001_en_000", "C000001_en_001", "C000001_en_002", "C000002_en_000"]
    assert both.element_concepts.tolist() == [0, 0, 0, 1]
