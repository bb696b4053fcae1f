"""Published figures on MELO: 15 systems on 48 datasets, all by name.

Source: Retyk et al. (2024), MELO, Appendix C and the authors' repository (Avature/melo-benchmark, MIT); sizes from
Table 3, E5's from Deniz et al. (2024), Table 1. The figures are bundled, none is computed here.
"""

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jobmatch_core.errors import DataFileError

_FILE = Path(__file__).parent / "published" / "melo_results.csv"
PUBLISHED_METRICS = ("mrr", "accuracy_at_1", "accuracy_at_5", "accuracy_at_10", "map")
_BYTES_PER_PARAMETER = 4  # 32-bit numbers


@dataclass(frozen=True, slots=True)
class PublishedSystem:
    """A system of the paper: what it is called there, of what kind it is, and how many million parameters it has."""

    name: str
    label: str
    kind: str
    million_parameters: int | None = None

    @property
    def size_mb(self) -> float | None:
        """Size at 32 bits a parameter; None where it is unknown or there are no parameters."""
        return self.million_parameters * _BYTES_PER_PARAMETER if self.million_parameters else None


PUBLISHED_SYSTEMS: dict[str, PublishedSystem] = {
    system.name: system
    for system in (
        PublishedSystem("edit_distance", "Edit distance", "lexical"),
        PublishedSystem("word_tf_idf", "Word TF-IDF", "lexical"),
        PublishedSystem("word_tf_idf_lemmas", "Word TF-IDF (lemmas)", "lexical"),
        PublishedSystem("char_tf_idf", "Char TF-IDF", "lexical"),
        PublishedSystem("char_tf_idf_lemmas", "Char TF-IDF (lemmas)", "lexical"),
        PublishedSystem("bm25", "BM25", "lexical"),
        PublishedSystem("bm25_lemmas", "BM25 (lemmas)", "lexical"),
        PublishedSystem("escoxlm_r", "ESCOXLM-R", "bi-encoder", 561),
        PublishedSystem("muse_cnn", "mUSE-CNN", "bi-encoder", 69),
        PublishedSystem("paraph_mmpnet", "Paraph-mMPNet", "bi-encoder", 278),
        PublishedSystem("bge_m3", "BGE-M3", "bi-encoder", 560),
        PublishedSystem("gist_embedding", "GIST-Embedding", "bi-encoder", 109),
        PublishedSystem("me5", "mE5 (large)", "bi-encoder", 560),
        PublishedSystem("e5", "E5 (Mistral 7B)", "bi-encoder", 7111),
        PublishedSystem("openai", "OpenAI text-embedding-3-large", "bi-encoder"),
    )
}


@dataclass(frozen=True, slots=True)
class PublishedResult:
    """A published system's figures on one MELO dataset, by name: *values* by the names of `PUBLISHED_METRICS`."""

    system: str
    dataset: str
    values: dict[str, float]


@cache
def published_results() -> tuple[PublishedResult, ...]:
    """Return all published figures."""
    with _FILE.open(encoding="utf-8", newline="") as file:
        return tuple(
            PublishedResult(row["model"], row["dataset"], {name: float(row[name]) for name in PUBLISHED_METRICS})
            for row in csv.DictReader(file)
        )


def melo_languages(dataset: str) -> tuple[str, tuple[str, ...]]:
    """Return a MELO dataset's query language and corpus languages, read off its name.

    Raises:
        DataFileError: it is not named like `deu_q_de_c_en`.
    """
    country, _, rest = dataset.partition("_q_")
    query, _, corpus = rest.partition("_c_")
    if not (country and query and corpus):
        raise DataFileError(dataset, "expected a name such as deu_q_de_c_en: country, query and corpus languages")
    return query, tuple(corpus.split("_"))
