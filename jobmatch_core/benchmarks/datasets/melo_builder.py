"""Make a MELO dataset of a crosswalk and an imported taxonomy, in any of its languages.

Queries are the entries with exactly one exact match, or no exact and exactly one narrow match; the corpus is every
name of every concept, ISCO groups included. With the ESCO version that a published dataset was made of, it comes out
the same.
Paper: Retyk et al. (2024), MELO, section 4.
"""

from collections.abc import Sequence
from pathlib import Path

from jobmatch_core.benchmarks.datasets.corpus import Corpus, names_of
from jobmatch_core.benchmarks.datasets.crosswalks import read_crosswalk
from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.benchmarks.datasets.melo import ANNOTATIONS, ELEMENTS, MAPPING, QUERIES, read_melo
from jobmatch_core.errors import TaxonomyError
from jobmatch_core.io.folders import written_whole
from jobmatch_core.io.tsv import write_tsv
from jobmatch_core.taxonomy import Taxonomy


def build_melo(crosswalk: Path, taxonomy: Taxonomy, languages: Sequence[str], out: Path) -> RankingDataset:
    """Write a dataset in the published format and read it back.

    Queries whose concept the taxonomy does not know stay, so that versions of ESCO can be compared; no element is
    relevant to them, and every system misses them.

    Args:
        crosswalk: a `crosswalk.json` or its folder, which is named such as `deu_de`.
        taxonomy: taxonomy with the names.
        languages: language codes of the corpus.
        out: the folder in which the dataset's folder, such as `deu_q_de_c_en`, is written or replaced.

    Raises:
        DataFileError: the crosswalk is missing or damaged.
        TaxonomyError: the taxonomy has no names in a language, or none of the crosswalk's concepts.
    """
    source = read_crosswalk(crosswalk)
    wanted = sorted(set(languages))
    corpus = names_of(taxonomy, range(len(taxonomy.uris)), wanted)
    queries = [(entry.title, entry.concept) for entry in source.entries if entry.concept]
    if not {concept for _, concept in queries} & set(corpus.concepts):
        raise TaxonomyError(f"{taxonomy.id} has none of the crosswalk's concepts; import the ESCO that it points to.")
    folder = out / f"{source.source}_q_{source.language}_c_{'_'.join(wanted)}"
    with written_whole(folder) as temporary:
        _write(temporary, queries, corpus)
    return read_melo(folder)


def _write(folder: Path, queries: Sequence[tuple[str, str]], corpus: Corpus) -> None:
    elements: dict[str, list[str]] = {}
    uris = [corpus.concepts[number] for number in corpus.element_concepts.tolist()]
    for key, uri in zip(corpus.element_ids, uris, strict=True):
        elements.setdefault(uri, []).append(key)
    keyed = [(f"Q{number:06d}", title, uri) for number, (title, uri) in enumerate(queries, start=1)]
    write_tsv(folder / QUERIES, ((query, title) for query, title, _ in keyed))
    write_tsv(folder / ELEMENTS, zip(corpus.element_ids, corpus.elements, strict=True))
    write_tsv(folder / MAPPING, zip(corpus.element_ids, uris, strict=True))
    write_tsv(
        folder / ANNOTATIONS, ((query, "0", key, "1") for query, _, uri in keyed for key in elements.get(uri, ()))
    )
