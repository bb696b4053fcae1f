"""The linker over a dataset's texts alone, as published systems had them, with the shipped calibration.

By name, a text's score is the cosine of vectors plus a hundredth of the letters' cosine; by occupation, the linker
ranks the dataset's concepts. Its encoder is trained on ESCO's names, but vectors learned for URIs are not used.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from jobmatch_core.benchmarks.datasets.dataset import RankingDataset
from jobmatch_core.benchmarks.systems.linker_system import CandidatesFirst, NamesByText, shipped_calibration_digest
from jobmatch_core.benchmarks.systems.system import Digests, OverTitleEncoder, Ranker
from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.entities import Encoder, FloatArray, Progress
from jobmatch_core.linking import Linker
from jobmatch_core.linking.calibration import Calibration
from jobmatch_core.linking.index import NameIndex
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.tables import OCCUPATION, Manifest, TablesBuilder


@dataclass(frozen=True, slots=True)
class CorpusLinker(OverTitleEncoder):
    """The linker with the shipped encoder and an index of the corpus."""

    name: str = "linker:corpus"

    def digests(self, dataset: RankingDataset) -> Digests:
        """Return the digests of the encoder and of the shipped calibration."""
        encoder = shipped_encoder().name
        return Digests(encoder, shipped_calibration_digest(encoder))

    def prepare(self, dataset: RankingDataset, *, progress: Progress) -> Ranker:
        """Build an index of the corpus."""
        return CorpusRanker(dataset, progress)


class CorpusRanker:
    """The linker prepared for a corpus."""

    def __init__(self, dataset: RankingDataset, progress: Progress) -> None:
        encoder = shipped_encoder()
        taxonomy = taxonomy_of(dataset)
        index = NameIndex.build(taxonomy, _TextEncoder(encoder), progress=progress)
        calibration = Calibration.shipped_for(encoder.name) or Calibration.fit(index, progress=progress)
        self._names = NamesByText(encoder, dataset.elements)
        self._candidates = CandidatesFirst(Linker(taxonomy, index, calibration), dataset, languages=())

    def scores(self, queries: Sequence[str]) -> FloatArray:
        """Score every name by its own text, shape (query, name)."""
        _, cosines, letters = self._names.of(queries)
        return cosines + letters

    def occupation_scores(self, queries: Sequence[str]) -> FloatArray:
        """Rank the linker's candidates first, then the others by the concept head."""
        return self._candidates.scores(queries)


@dataclass(frozen=True, slots=True)
class _TextEncoder:
    """An encoder without what it learned of occupations and of unit groups."""

    encoder: Encoder

    @property
    def name(self) -> str:
        return self.encoder.name

    def encode(self, texts: Sequence[str]) -> FloatArray:
        return self.encoder.encode(texts)


def taxonomy_of(dataset: RankingDataset) -> Taxonomy:
    """Return the corpus's concepts as occupations, its elements as their names."""
    builder = TablesBuilder()
    names: dict[tuple[int, str], list[str]] = defaultdict(list)
    for text, language, concept in zip(
        dataset.elements, dataset.element_languages, dataset.element_concepts.tolist(), strict=True
    ):
        number = builder.concept(dataset.concepts[concept], kind=OCCUPATION, code="", isco="")
        names[number, language].append(text)
    for (number, language), texts in names.items():
        builder.add_names(number, language, texts[0], texts[1:])
    manifest = Manifest(
        id=f"corpus-{dataset.name}",
        name=dataset.name,
        version="",
        languages=tuple(sorted(set(dataset.element_languages))),
        counts={},
        source_hash=dataset.data_hash,
        attribution="",
        created="",
    )
    return Taxonomy(manifest, builder.build())
