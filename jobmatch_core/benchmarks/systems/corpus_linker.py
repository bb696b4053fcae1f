"""The linker over a dataset's texts alone, as systems that were published had them: no other name of the taxonomy.

Neither names in other languages nor the lexicon's are in its index, and what the encoder learned of the occupations by
their URIs is left out; the calibration is the shipped one. By name every text is scored by itself: the cosine of the
vectors and a hundredth of the letters', and which of them name one occupation is not looked at. By occupation the
linker ranks the occupations that the dataset gives its names. One advantage over published systems remains: the encoder
was trained on ESCO's names.
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
        """Return those of the encoder and of the shipped calibration; no taxonomy has a part in it."""
        encoder = shipped_encoder().name
        return Digests(encoder, shipped_calibration_digest(encoder))

    def prepare(self, dataset: RankingDataset, *, progress: Progress) -> Ranker:
        """Build an index of the corpus."""
        return CorpusRanker(dataset, progress)


class CorpusRanker:
    """The linker prepared for a corpus, over nothing but its texts."""

    def __init__(self, dataset: RankingDataset, progress: Progress) -> None:
        """Encode and index the corpus."""
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
        """Put the linker's candidates first, in their order, and the others after them by the concept head."""
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
