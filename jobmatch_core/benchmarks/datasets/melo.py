"""MELO: linking national occupations to ESCO, one folder a dataset.

Datasheet. Scope: 48 datasets; the titles of 24 national terminologies (O*NET among them) as queries, in 21
languages; as the corpus every ESCO name in the queries' language, or in English (O*NET's second: in eight languages).
Task: rank the names; relevant are those of the one concept that the terminology's crosswalk gives as the match.
Folder: `deu_q_de_c_en`, that is source, queries' language, corpus's language or languages.
Fields: queries.tsv (id, title), corpus_elements.tsv (id, name; the language is in the id: `C000001_en_000`),
annotations.tsv (trec_eval's qrels), concept_mapping.tsv (element id, concept's URI); no headers.
Licence: MIT (Avature). Source: https://github.com/Avature/melo-benchmark, data/processed.
Paper: Retyk et al. (2024), MELO: An Evaluation Benchmark for Multilingual Entity Linking of Occupations, section 4.
For evaluation only: nothing is trained or fitted on it.
"""

import re
from pathlib import Path

import numpy as np

from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.errors import DataFileError
from jobmatch_core.io.tsv import find_folders, hash_files, read_qrels, read_texts

TASK = "melo"
QUERIES, ELEMENTS, ANNOTATIONS, MAPPING = (
    "queries.tsv", "corpus_elements.tsv", "annotations.tsv", "concept_mapping.tsv",
)  # fmt: skip
FILES = (QUERIES, ELEMENTS, ANNOTATIONS, MAPPING)
_NAME = re.compile(r"[a-z0-9]+_q_([a-z]{2})_c_([a-z]{2}(?:_[a-z]{2})*)")
_ELEMENT_ID = re.compile(r"[^_]+_([a-z]{2})_[^_]+")


def find_datasets(path: Path) -> list[Path]:
    """Return a dataset's folder, or those of all datasets in a folder.

    Raises:
        DataFileError: there is none.
    """
    return find_folders(path, FILES)


def read_melo(path: Path) -> RankingDataset:
    """Read one dataset's folder.

    Raises:
        DataFileError: a file is missing or damaged, the files do not belong together, or the folder's name does not
            say the languages.
    """
    query_language, corpus_languages = _languages(path)
    query_ids, queries = read_texts(path / QUERIES, ("query id", "title"))
    element_ids, elements = read_texts(path / ELEMENTS, ("element id", "name"))
    element_languages = _element_languages(path / ELEMENTS, element_ids, corpus_languages)
    uris = _element_uris(path / MAPPING, element_ids)
    concepts, element_concepts = np.unique(uris, return_inverse=True)
    return RankingDataset(
        name=path.resolve().name,
        task=TASK,
        query_language=query_language,
        corpus_languages=corpus_languages,
        query_ids=query_ids,
        queries=queries,
        element_ids=element_ids,
        elements=elements,
        element_languages=element_languages,
        concepts=concepts.tolist(),
        element_concepts=element_concepts.astype(np.int32),
        relevant=read_qrels(path / ANNOTATIONS, query_ids, element_ids),
        data_hash=hash_files([path / file for file in FILES]),
    )


def _languages(path: Path) -> tuple[str, tuple[str, ...]]:
    found = _NAME.fullmatch(path.resolve().name)
    if not found:
        raise DataFileError(path, "the languages are read from the folder's name; expected one such as deu_q_de_c_en")
    return found.group(1), tuple(found.group(2).split("_"))


def _element_languages(path: Path, element_ids: list[str], expected: tuple[str, ...]) -> list[str]:
    languages = []
    for line, key in enumerate(element_ids, start=1):
        found = _ELEMENT_ID.fullmatch(key)
        if not found or found.group(1) not in expected:
            problem = f"the id {key} does not name one of the folder's languages ({', '.join(expected)})"
            raise DataFileError(path, f"{problem}; expected one such as C000001_{expected[0]}_000", line=line)
        languages.append(found.group(1))
    return languages


def _element_uris(path: Path, element_ids: list[str]) -> list[str]:
    """Return each element's concept, whatever the order of the file."""
    mapped = dict(zip(*read_texts(path, ("element id", "concept URI")), strict=True))
    missing = [key for key in element_ids if key not in mapped]
    if missing:
        raise DataFileError(path, f"there is no concept for {missing[0]}; do the files belong together?")
    return [mapped[key] for key in element_ids]
