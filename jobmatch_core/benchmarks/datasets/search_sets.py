"""Public sets on which a search is measured: judged pairs, judged collections and translations.

Datasheet. Scope and fields: XGLUE's query-ad (query, title, text, Good or Bad) and query-passage (query, passage, 1 or
0) judgments, German, from a search engine (Liang et al. 2020); NFCorpus, English questions about health with graded
articles (Boteva et al. 2016), as BEIR packs it; inferences: XNLI (German), esXNLI (Spanish, English), SICK-NL with its
English originals; sentences with translations: Tatoeba, FLORES-200, NTREX-128. To measure, only their test sets are
read, where they have one. Licences: XGLUE and the inferences non-commercial, NFCorpus academic, Tatoeba CC BY 2.0 FR,
the other translations CC BY-SA 4.0.
"""

import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeAlias
from zipfile import BadZipFile, ZipFile

from scipy.sparse import csr_matrix

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.table_limits import most_unpacked
from jobmatch_core.search.pair_files import TextPair, read_pairs, read_parallel
from jobmatch_core.search.search_items import SearchItem

Texts = tuple[str, ...]
SearchSet: TypeAlias = "RankedSet | PairSet | TranslationSet"


@dataclass(frozen=True)
class RankedSet:
    """Queries over a collection with graded documents."""

    name: str
    languages: Texts  # language code of each query
    queries: Texts
    documents: Sequence[Texts]  # texts of each document
    grades: csr_matrix  # (query, document) grade of the relevant documents
    joint: str = "\n"  # separator to join a document's texts
    items: Sequence[SearchItem] = ()  # the documents as items of the app's search, if it can search them


@dataclass(frozen=True)
class PairSet:
    """Pairs that are matches or not."""

    name: str
    pairs: Sequence[TextPair]  # the pairs with their labels
    ranked: bool = False  # whether most queries have several documents to rank


@dataclass(frozen=True)
class TranslationSet:
    """Sentences with their English translations; the language code is that of the file's name."""

    name: str
    language: str
    pairs: Sequence[TextPair]


@dataclass(frozen=True, slots=True)
class PublicSet:
    """A public dataset."""

    pattern: str  # pattern of its files' names
    read: Callable[[Path], SearchSet]  # reads one of them
    english: str = ""  # suffix of the files with the English translations

    def found(self, folders: Sequence[Path]) -> list[Path]:
        """Return its files in some folders and their subfolders."""
        paths = sorted(path for folder in folders if folder.is_dir() for path in folder.rglob(self.pattern))
        return [path for path in paths if not self.english or not path.name.endswith(self.english)]


def public_sets(folders: Sequence[Path], name: str) -> Iterator[SearchSet]:
    """Yield a public set of `PUBLIC_SETS` from some folders: one set, or one per language.

    Raises DataFileError if a file is damaged.
    """
    public_set = PUBLIC_SETS[name]
    return (public_set.read(path) for path in public_set.found(folders))


def check_folders(folders: Sequence[Path]) -> None:
    """Raise DataFileError for a folder without public sets."""
    for folder in folders:
        if not any(public_set.found([folder]) for public_set in PUBLIC_SETS.values()):
            patterns = ", ".join(dict.fromkeys(public_set.pattern for public_set in PUBLIC_SETS.values()))
            raise DataFileError(folder, f"neither this folder nor a subfolder holds any of {patterns}")


def _pairs(path: Path, name: str, shape: str, *, ranked: bool = False) -> PairSet:
    return PairSet(name, read_pairs(path, shape), ranked)


def _tatoeba(path: Path) -> TranslationSet:
    return _translations("tatoeba", path.suffix[1:], path, path.with_suffix(".eng"))


def _flores(path: Path) -> TranslationSet:
    return _translations("flores", path.stem.split("_")[0], path, path.with_name("eng_Latn.dev"))


def _ntrex(path: Path) -> TranslationSet:
    code = path.name.split(".")[1].split("-")[0]
    return _translations("ntrex", code, path, path.with_name("newstest2019-src.eng.txt"))


def _translations(name: str, code: str, path: Path, english: Path) -> TranslationSet:
    return TranslationSet(name, code, read_parallel(path, english))


def _nfcorpus(path: Path) -> RankedSet:
    try:
        with ZipFile(path) as packed:
            if sum(member.file_size for member in packed.infolist()) > most_unpacked(path.stat().st_size):
                raise DataFileError(path, "it unpacks to far more than a collection of texts does")
            root = path.stem
            documents = dict(_records(path, packed.read(f"{root}/corpus.jsonl")))
            queries = dict(_records(path, packed.read(f"{root}/queries.jsonl")))
            judged = packed.read(f"{root}/qrels/test.tsv").decode().splitlines()[1:]
    except (OSError, KeyError, BadZipFile, zlib.error, RuntimeError, UnicodeDecodeError) as error:
        raise DataFileError(path, f"it is no collection as BEIR packs it ({error})") from error
    return _judged_collection(path, queries, documents, judged)


def _records(path: Path, content: bytes) -> Iterator[tuple[str, Texts]]:
    for line, text in enumerate(content.decode().split("\n"), start=1):
        if not text.strip():
            continue
        try:
            record = json.loads(text)
            texts = (str(record.get("title", "")), str(record["text"]))
            yield str(record["_id"]), tuple(text for text in texts if text.strip())
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise DataFileError(path, "expected a JSON object with _id and text", line=line) from error


def _judged_collection(
    path: Path, queries: dict[str, Texts], documents: dict[str, Texts], judged: Sequence[str]
) -> RankedSet:
    rows: dict[str, int] = {}
    columns = {key: place for place, key in enumerate(documents)}
    entries = []
    for line, text in enumerate(judged, start=2):
        match text.split("\t"):
            case [query, document, grade] if query in queries and document in columns and grade.isdecimal():
                entries.append((rows.setdefault(query, len(rows)), columns[document], float(grade)))
            case _:
                raise DataFileError(path, "expected the id of a query, the id of a document and a grade", line=line)
    if not entries:
        raise DataFileError(path, "no query of its test set is judged")
    queried, document_columns, grades = zip(*entries, strict=True)
    return RankedSet(
        name=path.stem,
        languages=("en",) * len(rows),
        queries=tuple(queries[key][0] for key in rows),
        documents=list(documents.values()),
        grades=csr_matrix((grades, (queried, document_columns)), shape=(len(rows), len(columns))),
    )


def _inferences(name: str, pattern: str, shape: str) -> PublicSet:
    return PublicSet(pattern, partial(_pairs, name=name, shape=shape))


PUBLIC_SETS = {
    "query-ad": PublicSet(
        "XGlue_Query_Ad_test.txt.gz", partial(_pairs, name="query-ad", shape="judgments", ranked=True)
    ),
    "query-passage": PublicSet("XGlue_Quest_Ans_test.txt.gz", partial(_pairs, name="query-passage", shape="judgments")),
    "nfcorpus": PublicSet("nfcorpus.zip", _nfcorpus),
    "xnli-de": _inferences("xnli-de", "XGlue_NLI_test.txt.gz", "xnli"),
    "esxnli": _inferences("esxnli", "esxnli.tsv", "xnli"),
    "sick-nl": _inferences("sick-nl", "SICK_NL.txt", "sick-test"),
    "sick-en": _inferences("sick-en", "SICK_NL.txt", "sick-original-test"),
    "tatoeba": PublicSet("tatoeba.*-eng.*", _tatoeba, ".eng"),
    "flores": PublicSet("*_*.dev", _flores, "eng_Latn.dev"),
    "ntrex": PublicSet("newstest2019-ref.*.txt", _ntrex),
}
