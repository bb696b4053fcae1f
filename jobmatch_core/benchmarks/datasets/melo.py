"""MELO: linking national occupations to ESCO; reads the datasets and builds new ones from crosswalks.

Datasheet. Scope: 48 datasets; the titles of 24 national terminologies (O*NET among them) as queries, in 21
languages; as the corpus every ESCO name in the queries' language, or in English (O*NET's second: in eight languages).
Task: rank the names; relevant are those of the one concept that the terminology's crosswalk gives as the match.
Folder: `deu_q_de_c_en`, that is source, queries' language, corpus's language or languages.
Fields: queries.tsv (id, title), corpus_elements.tsv (id, name; the language is in the id: `C000001_en_000`),
annotations.tsv (trec_eval's qrels), concept_mapping.tsv (element id, concept's URI); no headers.
Licence: MIT (Avature). Source: https://github.com/Avature/melo-benchmark, data/processed.
Paper: Retyk et al. (2024), MELO: An Evaluation Benchmark for Multilingual Entity Linking of Occupations, section 4.
For evaluation only: nothing is trained or fitted on it.

Crosswalks: which concepts of ESCO a terminology's occupations correspond to. Scope: one `crosswalk.json` a terminology,
in a folder such as `deu_de` (source, language of its titles). Fields: the terminology's id -> title, description,
matches {URI: exactMatch | narrowMatch | broadMatch | closeMatch; O*NET's also exactISCO, an exact match with an ISCO-08
group}. Licence: MIT (Avature); the crosswalks behind them are the European Union's. Source and use: as above.

Each dataset is based on one release of ESCO (Table 1). Only 1.0.3 and 1.1.1 can be downloaded, so datasets of 1.0.8 and
1.0.9 are linked to 1.0.3, and those of 1.1.0 to 1.1.1.

Datasets built here reproduce the published ones if the release is the same. Queries are entries with exactly one exact
match, or no exact and exactly one narrow match; the corpus is every name of every concept, including ISCO groups.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.errors import DataFileError, TaxonomyError
from jobmatch_core.io.folders import atomic_folder
from jobmatch_core.io.text_files import hash_files, read_json
from jobmatch_core.io.tsv import find_folders, read_qrels, read_texts, write_tsv
from jobmatch_core.taxonomy import Taxonomy

FILE = "crosswalk.json"
_EXACT = ("exactMatch", "exactISCO")
_NARROW = "narrowMatch"
_FOLDER = re.compile(r"([a-z0-9]+)_([a-z]{2})")
TASK = "melo"
QUERIES, ELEMENTS, ANNOTATIONS, MAPPING = (
    "queries.tsv",
    "corpus_elements.tsv",
    "annotations.tsv",
    "concept_mapping.tsv",
)
FILES = (QUERIES, ELEMENTS, ANNOTATIONS, MAPPING)
TAXONOMY = "taxonomy.txt"  # only in datasets built here
# sources of the published datasets by ESCO's release (Table 1: 1.0.3 to 1.0.9, 1.1.0 and 1.1.1), of those on offer
_OF_RELEASE = {
    "esco-1.0.3": "bel,bgr,cze,deu,dnk,esp,est,fra,hrv,hun,ita,ltu,lva,nld,nor,pol,prt,rou,svk,svn",
    "esco-1.1.1": "aut,swe,usa",
}
_RELEASES = {source: release for release, sources in _OF_RELEASE.items() for source in sources.split(",")}
_NAME = re.compile(r"[a-z0-9]+_q_([a-z]{2})_c_([a-z]{2}(?:_[a-z]{2})*)")
_ELEMENT_ID = re.compile(r"[^_]+_([a-z]{2})_[^_]+")


@dataclass(frozen=True)
class NameCorpus:
    """Names as elements; the fields are those of `RankingDataset`.

    An id such as `C000700_de_001` has the concept's rank by URI, the language, and the name's rank in it, preferred
    names first.
    """

    element_ids: list[str]
    elements: list[str]
    element_languages: list[str]
    concepts: list[str]
    element_concepts: NDArray[np.int32]


def names_of(taxonomy: Taxonomy, numbers: Sequence[int], languages: Sequence[str]) -> NameCorpus:
    """Collect the names of some of a taxonomy's concepts.

    Raises TaxonomyError if no language is given, or the taxonomy lacks one.
    """
    _check_languages(taxonomy, languages)
    places = {number: place for place, number in enumerate(sorted(numbers, key=taxonomy.uris.__getitem__), start=1)}
    names = taxonomy.tables.names
    names = names[names["language"].isin(languages) & names["concept"].isin(list(places))]
    names = names.assign(place=names["concept"].map(places), text=names["text"].str.split().str.join(" "))
    names = names.sort_values(["place", "language", "preferred", "text"], ascending=[True, True, False, True])
    names = names.drop_duplicates(["place", "language", "text"])
    counts = names.groupby(["place", "language"]).cumcount()
    used, element_concepts = np.unique(names["place"], return_inverse=True)
    uris = {place: taxonomy.uris[number] for number, place in places.items()}
    return NameCorpus(
        element_ids=[
            f"C{place:06d}_{language}_{count:03d}"
            for place, language, count in zip(names["place"], names["language"], counts, strict=True)
        ],
        elements=names["text"].to_list(),
        element_languages=names["language"].to_list(),
        concepts=[uris[place] for place in used.tolist()],
        element_concepts=element_concepts.astype(np.int32),
    )


def _check_languages(taxonomy: Taxonomy, languages: Sequence[str]) -> None:
    have = taxonomy.manifest.languages
    missing = [language for language in languages if language not in have]
    if missing or not languages:
        unavailable = ", ".join(missing) or "no language at all"
        raise TaxonomyError(f"{taxonomy.id} cannot give names in {unavailable}; it has {', '.join(have)}.")


@dataclass(frozen=True, slots=True)
class CrosswalkEntry:
    """One occupation of a terminology; matches are (concept's URI, kind of match)."""

    title: str
    matches: tuple[tuple[str, str], ...]

    @property
    def concept(self) -> str | None:
        """Its only exact match, else its only narrow match (section 4); None if ambiguous."""
        exact = [uri for uri, kind in self.matches if kind in _EXACT]
        candidates = exact or [uri for uri, kind in self.matches if kind == _NARROW]
        return candidates[0] if len(candidates) == 1 else None


@dataclass(frozen=True, slots=True)
class Crosswalk:
    """A terminology's entries in file order, its source (`deu`) and language."""

    source: str
    language: str
    entries: tuple[CrosswalkEntry, ...]


def read_crosswalk(path: Path) -> Crosswalk:
    """Read a `crosswalk.json`, or the one in a folder.

    Raises DataFileError if it is missing or damaged, or its folder is not named by source and language.
    """
    file = path if path.suffix == ".json" else path / FILE
    folder = _FOLDER.fullmatch(file.parent.resolve().name)
    if not folder:
        problem = (
            "the source and language are read from the name of the crosswalk's folder; expected one such as deu_de"
        )
        raise DataFileError(file, problem)
    try:
        content = read_json(file)
    except json.JSONDecodeError as error:
        raise DataFileError(file, f"this is not JSON ({error.msg}); is it cut short?", line=error.lineno) from error
    except UnicodeDecodeError as error:
        raise DataFileError(file, "this is not UTF-8 text; give the file as published") from error
    except OSError as error:
        raise DataFileError(file, f"the file cannot be read ({error.strerror or error})") from error
    if not isinstance(content, dict) or not content:
        raise DataFileError(file, 'expected an object of {id: {"title": ..., "matches": {URI: kind}}}')
    return Crosswalk(
        folder.group(1), folder.group(2), tuple(_entry(file, key, value) for key, value in content.items())
    )


def _entry(file: Path, key: str, value: object) -> CrosswalkEntry:
    match value:
        case {"title": str(title), "matches": dict(matches)} if title.strip():
            return CrosswalkEntry(title, tuple((str(uri), str(kind)) for uri, kind in matches.items()))
    raise DataFileError(file, f"the entry {key!r} must have a title and matches {{URI: kind}}")


def find_datasets(path: Path) -> list[Path]:
    """Return a dataset's folder, or those of all datasets in a folder; DataFileError if there is none."""
    return find_folders(path, FILES)


def read_melo(path: Path) -> RankingDataset:
    """Read one dataset's folder.

    Raises DataFileError if a file is missing or damaged, the files do not match, or the folder is not named by
    languages.
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
        taxonomy=_taxonomy(path),
    )


def _taxonomy(path: Path) -> str:
    if (path / TAXONOMY).is_file():
        return (path / TAXONOMY).read_text("utf-8").strip()
    return _RELEASES.get(path.resolve().name.partition("_")[0], "")


def _languages(path: Path) -> tuple[str, tuple[str, ...]]:
    match = _NAME.fullmatch(path.resolve().name)
    if not match:
        raise DataFileError(path, "the languages are read from the folder's name; expected one such as deu_q_de_c_en")
    return match.group(1), tuple(match.group(2).split("_"))


def _element_languages(path: Path, element_ids: list[str], expected: tuple[str, ...]) -> list[str]:
    languages = []
    for line, key in enumerate(element_ids, start=1):
        match = _ELEMENT_ID.fullmatch(key)
        if not match or match.group(1) not in expected:
            problem = f"the id {key} does not name one of the folder's languages ({', '.join(expected)})"
            raise DataFileError(path, f"{problem}; expected one such as C000001_{expected[0]}_000", line=line)
        languages.append(match.group(1))
    return languages


def _element_uris(path: Path, element_ids: list[str]) -> list[str]:
    mapped = dict(zip(*read_texts(path, ("element id", "concept URI")), strict=True))
    missing = [key for key in element_ids if key not in mapped]
    if missing:
        raise DataFileError(path, f"there is no concept for {missing[0]}; do the files belong together?")
    return [mapped[key] for key in element_ids]


def build_melo(crosswalk: Path, taxonomy: Taxonomy, languages: Sequence[str], out: Path) -> RankingDataset:
    """Write a dataset in the published format and read it back.

    Queries whose concept is not in the taxonomy count as misses, so that versions of ESCO can be compared.

    Args:
        crosswalk: a `crosswalk.json` or its folder, named such as `deu_de`.
        languages: language codes of the corpus.
        out: parent of the dataset's folder, such as `deu_q_de_c_en`, which is replaced.

    Raises:
        DataFileError: the crosswalk is missing or damaged.
        TaxonomyError: the taxonomy has no names in a language, or none of the crosswalk's concepts.
    """
    return build_dataset(read_crosswalk(crosswalk), taxonomy, languages, out)


def build_dataset(source: Crosswalk, taxonomy: Taxonomy, languages: Sequence[str], out: Path) -> RankingDataset:
    """Write a dataset of a crosswalk that was read, as `build_melo` does; raises TaxonomyError as it does."""
    wanted = sorted(set(languages))
    corpus = names_of(taxonomy, range(len(taxonomy.uris)), wanted)
    queries = [(entry.title, entry.concept) for entry in source.entries if entry.concept]
    if not {concept for _, concept in queries} & set(corpus.concepts):
        raise TaxonomyError(f"{taxonomy.id} has none of the crosswalk's concepts; import the ESCO that it points to.")
    folder = out / f"{source.source}_q_{source.language}_c_{'_'.join(wanted)}"
    with atomic_folder(folder) as temporary:
        _write(temporary, queries, corpus)
        (temporary / TAXONOMY).write_text(f"{taxonomy.id}\n", "utf-8")
    return read_melo(folder)


def _write(folder: Path, queries: Sequence[tuple[str, str]], corpus: NameCorpus) -> None:
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
