"""Job title similarity: which titles mean about the same, one folder a language.

Datasheet. Scope: 105 English titles as queries and about 2,600 as documents, and their translations into ten languages
(de, es, fr, it, ja, ko, nl, pl, pt, zh), where one or two fell together. Task: rank the documents; on average 23 are
relevant to a query. A query's own title may be among the documents.
Fields: queries.tsv and corpus_documents.tsv (id, title; an id is the title with underscores for spaces),
annotations.tsv (trec_eval's qrels); no headers. The language is the folder's name.
The translations are by people (de, fr, ja, zh) or by machine (the others).
Licence: Apache-2.0 (Avature). Source: https://github.com/Avature/jobtitlesimilarity-dataset.
Papers: Zbib et al. (2022), Learning Job Titles Similarity from Noisy Skill Labels; Deniz et al. (2024), Combined
Unsupervised and Contrastive Learning for Multilingual Job Recommendation, section 4.
For evaluation only: nothing is trained or fitted on it.
"""

from pathlib import Path

import numpy as np

from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.errors import DataFileError
from jobmatch_core.io.tsv import find_folders, hash_files, read_qrels, read_texts
from jobmatch_core.text.languages import language_code

TASK = "title-similarity"
QUERIES, DOCUMENTS, ANNOTATIONS = "queries.tsv", "corpus_documents.tsv", "annotations.tsv"
FILES = (QUERIES, DOCUMENTS, ANNOTATIONS)


def find_datasets(path: Path) -> list[Path]:
    """Return a language's folder, or those of all languages in a folder.

    Raises:
        DataFileError: there is none.
    """
    return find_folders(path, FILES)


def read_title_similarity(path: Path) -> RankingDataset:
    """Read one language's folder; every document is a concept of its own.

    Raises:
        DataFileError: a file is missing or damaged, the files do not belong together, or the folder is not named
            after a language.
    """
    language = language_code(path.resolve().name)
    if language is None:
        raise DataFileError(path, "the language is read from the folder's name; expected one such as en or de")
    query_ids, queries = read_texts(path / QUERIES, ("query id", "title"))
    document_ids, documents = read_texts(path / DOCUMENTS, ("document id", "title"))
    return RankingDataset(
        name=path.resolve().name,
        task=TASK,
        query_language=language,
        corpus_languages=(language,),
        query_ids=query_ids,
        queries=queries,
        element_ids=document_ids,
        elements=documents,
        element_languages=[language] * len(documents),
        concepts=document_ids,
        element_concepts=np.arange(len(documents), dtype=np.int32),
        relevant=read_qrels(path / ANNOTATIONS, query_ids, document_ids),
        data_hash=hash_files([path / file for file in FILES]),
    )
