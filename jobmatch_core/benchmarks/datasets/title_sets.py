"""Public sets of job titles: title similarity, and normalization to occupations. For evaluation only.

Job title similarity: which titles mean about the same, one folder a language.
Datasheet. Scope: 105 English titles as queries and about 2,600 as documents, and their translations into ten languages
(de, es, fr, it, ja, ko, nl, pl, pt, zh), in which one or two titles became equal. Task: rank the documents; on average
23 are relevant to a query. A query's own title may be among the documents.
Fields: queries.tsv and corpus_documents.tsv (id, title; an id is the title with underscores for spaces),
annotations.tsv (trec_eval's qrels); no headers. The language is the folder's name; `en-de` has English queries and
German documents. The linker finds the titles' occupations in ESCO 1.0.3.
The translations are by people (de, fr, ja, zh) or by machine (the others).
Licence: Apache-2.0 (Avature). Source: https://github.com/Avature/jobtitlesimilarity-dataset.
Papers: Zbib et al. (2022), Learning Job Titles Similarity from Noisy Skill Labels; Deniz et al. (2024), Combined
Unsupervised and Contrastive Learning for Multilingual Job Recommendation, section 4.
Nothing is trained or fitted on it.

Job normalization: real vacancy titles to ESCO occupations.
Datasheet. Scope: 15,463 English vacancy titles with one ESCO occupation each (JobBERT, Decorte et al. 2021;
used as the test of JDAN, section 4). Fields: vacancyTitle, conceptUri. Task: rank the taxonomy's occupations.
Labels come from a weak mapping: of titles that equal an ESCO name, only about 65 % carry that name's occupation.
Licence: research use, by JobBERT's authors. Nothing of ours is fitted on it.
As a ranking dataset, the corpus is the English names of an installed taxonomy's occupations, without ISCO groups.
Titles whose occupation is not in that taxonomy stay: nothing is relevant to them, and every system misses them.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.benchmarks.datasets.melo import names_of
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.errors import DataFileError, SettingsError
from jobmatch_core.io.tables import cell_text, no_column, read_table, table_columns
from jobmatch_core.io.text_files import hash_files
from jobmatch_core.io.tsv import find_folders, read_qrels, read_texts
from jobmatch_core.linking import Linker
from jobmatch_core.metrics.calibration import (
    CoveragePoint,
    ReliabilityBin,
    expected_calibration_error,
    reliability,
    risk_coverage,
)
from jobmatch_core.metrics.ranking import mean_reciprocal_rank, ranks_of, recall_at
from jobmatch_core.sheets.table_layout import table_encodings
from jobmatch_core.taxonomy import BUNDLED_ID, Taxonomy
from jobmatch_core.taxonomy.rows import read_rows
from jobmatch_core.text.locales import ENGLISH, LANGUAGE_NAMES, language_code

SIMILARITY_TASK = "title-similarity"
QUERIES, DOCUMENTS, ANNOTATIONS = "queries.tsv", "corpus_documents.tsv", "annotations.tsv"
FILES = (QUERIES, DOCUMENTS, ANNOTATIONS)
SIMILARITY_TAXONOMY = "esco-1.0.3"
NORMALIZATION_TASK = "job-normalization"
_TAXONOMIES = {
    "http://data.europa.eu/esco/occupation/": SIMILARITY_TAXONOMY,
    "http://data.europa.eu/esco/isco/": BUNDLED_ID,
}
_BLOCK = 1000
_TITLE_COLUMNS = ("vacancyTitle", "conceptUri")


def find_datasets(path: Path) -> list[Path]:
    """Return a language's folder, or those of all languages in a folder; DataFileError if there is none."""
    return find_folders(path, FILES)


def read_title_similarity(path: Path) -> RankingDataset:
    """Read the folder of one language or of two; every document is its own concept.

    Raises DataFileError if a file is missing or damaged, the files do not match, or the folder is not named by
    languages.
    """
    query_language, language = _languages(path)
    query_ids, queries = read_texts(path / QUERIES, ("query id", "title"))
    document_ids, documents = read_texts(path / DOCUMENTS, ("document id", "title"))
    return RankingDataset(
        name=path.resolve().name,
        task=SIMILARITY_TASK,
        query_language=query_language,
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
        taxonomy=SIMILARITY_TAXONOMY,
        ranks_titles=True,
    )


def similarity_languages(name: str) -> tuple[str, str] | None:
    """Return the languages of a folder's queries and documents: `en-de`, `de`, `pt-BR`; None for other names."""
    first, _, second = name.replace("_", "-").partition("-")
    if first.islower() and second in LANGUAGE_NAMES and language_code(first):
        return str(language_code(first)), second
    language = language_code(name)
    return (language, language) if language else None


def _languages(path: Path) -> tuple[str, str]:
    languages = similarity_languages(path.resolve().name)
    if languages is None:
        raise DataFileError(
            path,
            "the languages are read from the folder's name; expected one such as de, or en-de for English "
            "queries and German documents",
        )
    return languages


@dataclass(frozen=True, slots=True)
class NormalizationReport:
    """Figures of a linker on job normalization; each occupation is ranked once."""

    titles: int
    accuracy_at_1: float
    recall_at_5: float
    recall_at_10: float
    mrr: float
    ece: float
    mean_confidence: float
    linked: float  # share of titles linked
    accuracy_linked: float
    reliability: list[ReliabilityBin]
    risk_coverage: list[CoveragePoint]


def _title_rows(path: Path) -> Iterator[tuple[str, str]]:
    if path.suffix.lower() == ".csv":
        for strict in read_rows(path, _TITLE_COLUMNS):
            yield strict[_TITLE_COLUMNS[0]], strict[_TITLE_COLUMNS[1]]
        return
    encoding = table_encodings(path)[0]
    columns = table_columns(path, encoding=encoding)
    for name in _TITLE_COLUMNS:
        if name not in columns:
            raise no_column(path, name, columns, line=1)
    for batch in read_table(path, encoding=encoding):
        for row in batch:
            title, uri = (cell_text(row.get(name), path).strip() for name in _TITLE_COLUMNS)
            yield title, uri


def read_titles(path: Path) -> tuple[list[str], list[str]]:
    """Return the titles and their occupations' URIs; raises DataFileError if the file is damaged or has no rows."""
    rows = list(_title_rows(path))
    if not rows:
        raise DataFileError(path, "the file has a header but no rows", line=1)
    return [title for title, _ in rows], [uri for _, uri in rows]


def taxonomy_of_titles(name: str, right: Sequence[str]) -> str:
    """Return the id of the taxonomy of a file's URIs; SettingsError if they are neither ESCO's nor ISCO's."""
    for prefix, taxonomy_id in _TAXONOMIES.items():
        if right[0].startswith(prefix):
            return taxonomy_id
    raise SettingsError(f"{name} does not say which taxonomy its occupations are of; name it with --taxonomy.")


def read_job_normalization(path: Path, taxonomy: Taxonomy) -> RankingDataset:
    """Return the titles as queries over a taxonomy's occupations.

    Raises:
        DataFileError: the file is damaged or has no rows.
        TaxonomyError: the taxonomy has no English names.
    """
    titles, right = read_titles(path)
    corpus = names_of(taxonomy, taxonomy.occupation_numbers.tolist(), [ENGLISH])
    numbers = {uri: number for number, uri in enumerate(corpus.concepts)}
    gold = np.array([numbers.get(uri, -1) for uri in right])
    return RankingDataset(
        name=path.stem,
        task=NORMALIZATION_TASK,
        query_language=ENGLISH,
        corpus_languages=(ENGLISH,),
        query_ids=[str(number) for number in range(1, len(titles) + 1)],
        queries=titles,
        element_ids=corpus.element_ids,
        elements=corpus.elements,
        element_languages=corpus.element_languages,
        concepts=corpus.concepts,
        element_concepts=corpus.element_concepts,
        relevant=_names_of_gold(gold, corpus.element_concepts),
        data_hash=hashlib.sha256((hash_files([path]) + taxonomy.manifest.source_hash).encode()).hexdigest(),
        taxonomy=taxonomy.id,
    )


def _names_of_gold(gold: NDArray[np.intp], element_concepts: NDArray[np.int32]) -> csr_matrix:
    """Return (title, element) boolean: whether the element names the title's concept (-1 for none)."""
    size = int(element_concepts.max()) + 1
    linked = np.flatnonzero(gold >= 0)
    of_title = csr_matrix((np.ones(len(linked), np.int32), (linked, gold[linked])), shape=(len(gold), size))
    n_elements = len(element_concepts)
    of_element = csr_matrix((np.ones(n_elements, np.int32), (element_concepts, range(n_elements))), (size, n_elements))
    return (of_title @ of_element).astype(np.bool_)


def evaluate_job_normalization(
    linker: Linker, titles: list[str], right: list[str], *, progress: Progress = no_progress
) -> NormalizationReport:
    """Link every title and compare the result with its occupation."""
    ranked: list[list[str]] = []
    top: list[float] = []
    for start in range(0, len(titles), _BLOCK):
        for ranking in linker.rank(titles[start : start + _BLOCK]):
            ranked.append([linker.taxonomy.uris[concept] for concept in ranking.concepts])
            top.append(float(ranking.probabilities[0]) if len(ranking.probabilities) else 0.0)
        progress(len(ranked), len(titles))
    ranks = ranks_of(ranked, right)
    probabilities, correct = np.array(top), ranks == 1
    linked = probabilities >= linker.calibration.threshold
    return NormalizationReport(
        titles=len(titles),
        accuracy_at_1=recall_at(ranks, 1),
        recall_at_5=recall_at(ranks, 5),
        recall_at_10=recall_at(ranks, 10),
        mrr=mean_reciprocal_rank(ranks),
        ece=expected_calibration_error(probabilities, correct),
        mean_confidence=float(probabilities.mean()),
        linked=float(linked.mean()),
        accuracy_linked=float(correct[linked].mean()) if linked.any() else 0.0,
        reliability=reliability(probabilities, correct),
        risk_coverage=risk_coverage(probabilities, correct),
    )
