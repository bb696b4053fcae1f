"""Public search sets are found by the names of their files, and read as they are published."""

import gzip
import json
from pathlib import Path
from zipfile import ZipFile

import pytest

from jobmatch_core.benchmarks.datasets.search_sets import (
    PUBLIC_SETS,
    PairSet,
    RankedSet,
    TranslationSet,
    check_folders,
    public_sets,
)
from jobmatch_core.errors import DataFileError
from jobmatch_core.search.pair_files import TextPair


def _nfcorpus(path: Path, qrels: str = "query-id\tcorpus-id\tscore\nq2\td1\t2\nq2\td3\t1\n") -> None:
    documents = [{"_id": "d1", "title": "Bread", "text": "Flour."}, {"_id": "d2", "title": "", "text": "Milk."}]
    documents += [{"_id": "d3", "title": "Salt", "text": "Sea."}]
    queries = [{"_id": "q1", "text": "unjudged"}, {"_id": "q2", "text": "what to bake"}]
    with ZipFile(path, "w") as packed:
        packed.writestr("nfcorpus/corpus.jsonl", "\n".join(map(json.dumps, documents)))
        packed.writestr("nfcorpus/queries.jsonl", "\n".join(map(json.dumps, queries)))
        packed.writestr("nfcorpus/qrels/test.tsv", qrels)


def test_pairs_in_a_folder_below(tmp_path: Path) -> None:
    """A packed file of judgments is found below the folder."""
    (tmp_path / "search").mkdir()
    (tmp_path / "search/XGlue_Query_Ad_test.txt.gz").write_bytes(gzip.compress(b"glue\tStick\tSticks.\tGood\n"))
    check_folders([tmp_path])
    assert list(public_sets([tmp_path], "query-ad")) == [
        PairSet("query-ad", [TextPair("glue", "Stick\nSticks.", 1.0)], ranked=True)
    ]
    assert list(public_sets([tmp_path], "query-passage")) == []


def test_collection(tmp_path: Path) -> None:
    """Queries of the test set alone are there, with the grades of their documents."""
    _nfcorpus(tmp_path / "nfcorpus.zip")
    (found,) = public_sets([tmp_path], "nfcorpus")
    assert isinstance(found, RankedSet)
    assert found.queries == ("what to bake",)
    assert found.documents == [("Bread", "Flour."), ("Milk.",), ("Salt", "Sea.")]
    assert found.grades.toarray().tolist() == [[2.0, 0.0, 1.0]]


@pytest.mark.parametrize(
    ("qrels", "problem"),
    [("head\nq2\tnobody\t1\n", "expected the id of a query"), ("head\n", "no query of its test set is judged")],
)
def test_damaged_judgments(tmp_path: Path, qrels: str, problem: str) -> None:
    """Judgments of unknown documents, and none at all, are refused."""
    _nfcorpus(tmp_path / "nfcorpus.zip", qrels)
    with pytest.raises(DataFileError, match=problem):
        list(public_sets([tmp_path], "nfcorpus"))


def test_damaged_collections(tmp_path: Path) -> None:
    """A file that is no ZIP, one of other files, and one with a line that is no document are refused."""
    path = tmp_path / "nfcorpus.zip"
    path.write_bytes(b"no zip")
    with pytest.raises(DataFileError, match="no collection as BEIR packs it"):
        list(public_sets([tmp_path], "nfcorpus"))
    with ZipFile(path, "w") as packed:
        packed.writestr("nfcorpus/corpus.jsonl", "{}")
    with pytest.raises(DataFileError, match="expected a JSON object with _id and text"):
        list(public_sets([tmp_path], "nfcorpus"))
    with ZipFile(path, "w") as packed:
        packed.writestr("other.txt", "")
    with pytest.raises(DataFileError, match="no collection as BEIR packs it"):
        list(public_sets([tmp_path], "nfcorpus"))


@pytest.mark.parametrize(
    ("name", "files", "language"),
    [
        ("tatoeba", ("tatoeba.deu-eng.deu", "tatoeba.deu-eng.eng"), "deu"),
        ("tatoeba", ("tatoeba.ell-eng.ell", "tatoeba.ell-eng.eng"), "ell"),
        ("flores", ("est_Latn.dev", "eng_Latn.dev"), "est"),
        ("ntrex", ("newstest2019-ref.zho-CN.txt", "newstest2019-src.eng.txt"), "zho"),
    ],
)
def test_translations(tmp_path: Path, name: str, files: tuple[str, str], language: str) -> None:
    """Sentences are paired with their English translations, which are no set of their own."""
    for file, text in zip(files, ("Brot", "bread"), strict=True):
        (tmp_path / file).write_text(f"{text}\n")
    assert list(public_sets([tmp_path], name)) == [TranslationSet(name, language, [TextPair("Brot", "bread")])]


def test_folder_without_a_set(tmp_path: Path) -> None:
    """A folder that holds nothing known is refused, with the names that are expected."""
    with pytest.raises(DataFileError, match=r"holds any of XGlue_Query_Ad_test\.txt\.gz"):
        check_folders([tmp_path])
    assert all(list(public_sets([tmp_path], name)) == [] for name in PUBLIC_SETS)
