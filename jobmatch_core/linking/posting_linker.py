"""Linking of a whole posting to an occupation by fused scores of its title and its description.

An occupation has three features: the logarithm of the probability that the title means it, times the title's
informativeness; the cosine of the description's vector and the mean of its English names; and the cosine with its own
description. The conditional logit of `fusion` weighs them. Every occupation is a candidate, with or without a similar
name.

Paper: Laosaengpha et al. (2024), section 2, for an encoder of titles and descriptions; the fusion is ours.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import Candidate, Evidence, FloatArray, LinkResult, Progress, no_progress
from jobmatch_core.errors import LinkingError
from jobmatch_core.io.folders import write_text_whole
from jobmatch_core.io.records import read_record
from jobmatch_core.io.tables import cell_text
from jobmatch_core.io.text_files import json_text
from jobmatch_core.linking.abstention import forms_of, likely_group, reason_of
from jobmatch_core.linking.arrays import Indices
from jobmatch_core.linking.fusion import ConditionalLogit
from jobmatch_core.linking.link_rows import LinkResults
from jobmatch_core.linking.linker import Linker
from jobmatch_core.linking.ranking import Ranking
from jobmatch_core.linking.title_texts import is_general
from jobmatch_core.model_store.saved_model import check_finite
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.locales import ENGLISH
from jobmatch_core.titles.cleaning import clean_title
from jobmatch_core.vectors import in_blocks, normalised

FEATURES = ("title", "names", "description")
SHIPPED_WEIGHTS = Path(str(files("jobmatch_core.linking") / "posting_weights.json"))
SHIPPED_HINT_WEIGHTS = Path(str(files("jobmatch_core.linking") / "hint_weights.json"))  # general titles, short texts
LEAST_PROBABILITY = 1e-4  # floor of a title's probabilities
OWN_MEANING = 5.0  # weight of a general title's own probabilities; an occupation whose name has its words counts 1
_FIELDS_OF_NOISE = 8  # fields of work over which a title that names no job spreads its probability
_FIELD_DIGITS = 2  # of an ISCO code: one of 43 sub-major groups
NAMES_A_JOB = 0.5  # informativeness from which a title is judged without its description
_JUDGED_LETTERS = 160  # length of the judged text of less informative titles
_BLOCK = 256  # postings scored at once against all occupations
_DESCRIPTIONS = 128  # descriptions of a taxonomy between two progress reports


@dataclass(frozen=True, slots=True)
class PostingWeights:
    """Fitted weights and threshold."""

    weights: tuple[float, ...]  # weights of `FEATURES`, in their order
    none: float  # the utility of 'none of these'
    threshold: float  # the probability from which a posting is linked
    # figures on synthetic postings that the weights were not fitted on: `postings`, `accuracy`, `ece`, and the share
    # `linked` from the threshold on, with its `precision`
    held_out: dict[str, float]

    @property
    def logit(self) -> ConditionalLogit:
        """The fitted model."""
        return ConditionalLogit(np.array(self.weights), self.none)

    def __post_init__(self) -> None:
        """Raise ValueError for weights that are not finite numbers."""
        check_finite({"posting weights": [*self.weights, self.none, self.threshold]})

    def save(self, path: Path) -> None:
        """Write a JSON file."""
        write_text_whole(path, json_text(asdict(self), indent=2) + "\n")

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the file that `save` wrote; raises LinkingError if the file is missing or damaged."""
        try:
            return read_record(path, cls)
        except (OSError, ValueError) as error:
            raise LinkingError(f"The weights of postings in {path} cannot be read ({error}).") from error


class DescriptionEncoder(Protocol):
    """An encoder of titles and descriptions into vectors of one space."""

    @property
    def name(self) -> str:
        """The model's name."""

    def encode_titles(self, titles: Sequence[str]) -> FloatArray:
        """Return L2-normalised row vectors, shape (title, dimension)."""

    def encode_descriptions(self, descriptions: Sequence[str]) -> FloatArray:
        """Return L2-normalised row vectors, shape (description, dimension); zeros for texts without content."""


class PostingLinker:
    """Links postings to the occupations of the taxonomy of a linker."""

    def __init__(
        self,
        linker: Linker,
        encoder: DescriptionEncoder,
        weights: PostingWeights,
        *,
        taxonomy_encoder: DescriptionEncoder | None = None,
        general_titles: bool = False,
        progress: Progress = no_progress,
    ) -> None:
        """Encode the occupations' names and descriptions.

        Args:
            linker: linker of the titles.
            weights: weights and threshold.
            taxonomy_encoder: encoder of the occupations' names and descriptions; a caching one with the same vectors
                saves minutes. *encoder* by default.
            general_titles: share a title's probability among all occupations with a name that contains its words,
                unless people accepted the title.
            progress: called with names, then descriptions, done and in total.
        """
        self.linker = linker
        self.encoder = encoder
        self.weights = weights
        self._general_titles = general_titles
        self.concepts = linker.taxonomy.occupation_numbers  # (occupation,) concept numbers in the taxonomy, ascending
        self._fields = _fields_of_work(linker.taxonomy)
        self._place_of = np.full(len(linker.taxonomy.uris), len(self.concepts))
        self._place_of[self.concepts] = np.arange(len(self.concepts))
        self._names = _mean_name_vectors(linker.taxonomy, taxonomy_encoder or encoder, progress=progress)
        self._descriptions = _description_vectors(linker.taxonomy, taxonomy_encoder or encoder, progress=progress)

    @property
    def version(self) -> str:
        """Version of the scores, for the provenance of judgments."""
        return f"{self.linker.version}, descriptions {self.encoder.name}"

    def link(self, title: object, description: object, *, show: str = ENGLISH, top: int = 5) -> LinkResult:
        """Link one posting; see `link_all`."""
        return self.link_all([title], [description], show=show, top=top)[0]

    def link_all(
        self, titles: Iterable[object], descriptions: Iterable[object], *, show: str = ENGLISH, top: int = 5
    ) -> LinkResults:
        """Link postings; together they take about half the time of single calls.

        Args:
            titles: titles in any language; None, NaN and pandas' NA count as empty.
            descriptions: (title,) descriptions; if one of the two texts is empty, the other decides.
            show: language of the names in the answer.
            top: maximum number of candidates.

        Raises:
            DataFileError: a title or description is a list, a record or bytes.
        """
        title_texts, texts = list(map(cell_text, titles)), list(map(cell_text, descriptions))
        by_titles = self.linker.link_all(title_texts, show=show, top=len(self.concepts))
        features = (row for block in self.features(title_texts, texts) for row in block)
        return LinkResults(
            self._fused(by_title, row, show, top)
            if text.strip()
            else replace(by_title, candidates=by_title.candidates[:top])
            for by_title, text, row in zip(by_titles, texts, features, strict=True)
        )

    def judged_text(self, title: str, description: str) -> str:
        """Return the text that a judgment of a posting is about: its title, or its first words if the title is vague.

        A judgment of one 'Associate' must not count for others.
        """
        if self._informativeness(title, self.linker.rank([title])[0]) >= NAMES_A_JOB:
            return title
        return " ".join(f"{title} {description}".split())[:_JUDGED_LETTERS].rstrip()

    def features(self, titles: Sequence[str], descriptions: Sequence[str]) -> Iterator[FloatArray]:
        """Yield blocks of postings' features, each (posting, occupation, feature), in the order of `FEATURES`."""
        for start in range(0, len(titles), _BLOCK):
            block = slice(start, start + _BLOCK)
            rankings = self.linker.rank(titles[block])
            vectors = self.encoder.encode_descriptions(descriptions[block])
            scores = (
                self._title_scores(titles[block], rankings),
                vectors @ self._names.T,
                vectors @ self._descriptions.T,
            )
            yield np.stack(scores, axis=-1).astype(np.float32)

    def _title_scores(self, titles: Sequence[str], rankings: Sequence[Ranking]) -> FloatArray:
        scores = np.zeros((len(rankings), len(self.concepts)), dtype=np.float32)
        for row, (title, ranking) in enumerate(zip(titles, rankings, strict=True)):
            probabilities = np.maximum(self._title_probabilities(title, ranking), LEAST_PROBABILITY)
            scores[row] = self._informativeness(title, ranking) * np.log(probabilities / LEAST_PROBABILITY)
        return scores

    def _title_probabilities(self, title: str, ranking: Ranking) -> NDArray[np.float64]:
        # 'Inspector' names one occupation and is a word in the names of many: for general titles all of them share the
        # probability, and a few words about the work decide
        probabilities = np.zeros(len(self.concepts) + 1)  # the last is for concepts that are no occupations
        probabilities[self._place_of[ranking.concepts]] = ranking.probabilities
        if not self._general_titles or self.linker.accepts(title):
            return probabilities[:-1]
        index = self.linker.index
        names = index.names_with(clean_title(title, index.known_words, index.known_texts).forms)
        shares = np.zeros_like(probabilities)
        shares[self._place_of[index.concepts[names]]] = 1.0
        return np.asarray((OWN_MEANING * probabilities + shares)[:-1] / (OWN_MEANING + shares[:-1].sum()))

    def _informativeness(self, title: str, ranking: Ranking) -> float:
        if is_general(title, self.linker.index.known_words):
            return 0.0
        return informativeness(ranking.probabilities, self._fields[ranking.concepts])

    def _fused(self, by_title: LinkResult, features: FloatArray, show: str, top: int) -> LinkResult:
        logit = self.weights.logit
        probabilities = logit.probabilities(np.zeros(len(features), np.int64), logit.utilities(features), 1)
        abstained = bool(probabilities.max(initial=0.0) < self.weights.threshold)
        evidence = {candidate.uri: candidate.evidence for candidate in by_title.candidates}
        candidates = tuple(
            self._candidate(evidence, place, features[place], float(probabilities[place]), show)
            for place in np.argsort(-probabilities, kind="stable")[:top].tolist()
        )
        return replace(
            by_title,
            candidates=candidates,
            abstained=abstained,
            group=likely_group(self.linker.taxonomy, self.concepts, probabilities, show) if abstained else None,
            reason=reason_of(forms_of(by_title.title), candidates) if abstained else "",
        )

    def _candidate(
        self, evidence: dict[str, Evidence], place: int, features: FloatArray, probability: float, show: str
    ) -> Candidate:
        taxonomy, concept = self.linker.taxonomy, int(self.concepts[place])
        name = taxonomy.name(concept, show)
        matched = evidence.get(taxonomy.uris[concept]) or Evidence(name, show, {})
        return Candidate(
            uri=taxonomy.uris[concept],
            name=name,
            isco=taxonomy.isco_codes[concept],
            probability=probability,
            evidence=replace(matched, scores=_shares(features, self.weights.logit)),
        )


def informativeness(probabilities: NDArray[np.float64], fields: Indices) -> float:
    """Return how much a title says about the occupation, from 0 to 1: 1 - (none x spread)^2.

    'None' is the probability of 'none of these'; 'spread' is the entropy of the other probabilities over fields of
    work, divided by that of `_FIELDS_OF_NOISE` equal fields, at most 1. Both are high for 'Associate', which shares
    letters and words with occupations of all kinds. A title in a language that the taxonomy lacks is far from every
    name, too, but its candidates are of few fields.

    Args:
        probabilities: (candidate,) of one title; one minus their sum is the probability of 'none of these'.
        fields: (candidate,) number of the field of work.
    """
    total = float(probabilities.sum())
    if not total:
        return 0.0
    shares = np.bincount(fields, probabilities) / total
    shares = shares[shares > 0]
    spread = min(float(-(shares * np.log(shares)).sum()) / np.log(_FIELDS_OF_NOISE), 1.0)
    return float(1 - (max(1 - total, 0.0) * spread) ** 2)


def _fields_of_work(taxonomy: Taxonomy) -> Indices:
    # a concept without an ISCO code is a field of its own
    codes = zip(taxonomy.isco_codes, taxonomy.uris, strict=True)
    return np.unique([code[:_FIELD_DIGITS] or uri for code, uri in codes], return_inverse=True)[1]


def _mean_name_vectors(
    taxonomy: Taxonomy, encoder: DescriptionEncoder, *, progress: Progress = no_progress
) -> FloatArray:
    """Return L2-normalised means of the vectors of each occupation's English names, (occupation, dimension)."""
    concepts, names = taxonomy.occupation_numbers, taxonomy.tables.names
    english = names[(names["language"] == ENGLISH) & names["concept"].isin(concepts)]
    owners, texts = english["concept"].to_list(), english["text"].to_list()
    for concept in sorted(set(concepts.tolist()) - set(owners)):  # without an English name: the displayed name
        owners.append(concept)
        texts.append(taxonomy.name(concept, ENGLISH))
    vectors = in_blocks(encoder.encode_titles, texts, progress)
    sums = np.zeros((len(concepts), vectors.shape[1]), dtype=np.float32)
    np.add.at(sums, np.searchsorted(concepts, np.array(owners)), vectors)
    return normalised(sums)


def _description_vectors(
    taxonomy: Taxonomy, encoder: DescriptionEncoder, *, progress: Progress = no_progress
) -> FloatArray:
    """Return L2-normalised vectors of the occupations' English descriptions; zeros without a description."""
    table = taxonomy.tables.descriptions
    english = table[table["language"] == ENGLISH]
    texts = dict(zip(english["concept"].to_list(), english["text"].to_list(), strict=True))
    concepts = taxonomy.occupation_numbers.tolist()
    described = [place for place, concept in enumerate(concepts) if texts.get(concept, "").strip()]
    vectors = np.zeros((len(concepts), encoder.encode_titles([]).shape[1]), dtype=np.float32)
    if described:
        english_texts = [texts[concepts[place]] for place in described]
        vectors[described] = in_blocks(encoder.encode_descriptions, english_texts, progress, size=_DESCRIPTIONS)
    return vectors


def _shares(features: FloatArray, logit: ConditionalLogit) -> dict[str, float]:
    """Return each feature's share of the score; negative contributions count as zero."""
    parts = np.maximum(features * logit.weights, 0.0)
    total = float(parts.sum()) or 1.0
    return {name: round(float(part) / total, 4) for name, part in zip(FEATURES, parts, strict=True)}
