"""Linking of a whole posting to an occupation by the fused scores of its title and its description.

'Associate' or 'Specialist II' name no occupation; the sentences below them do. An occupation has three features: the
logarithm of the probability that the title means it, times the title's informativeness (`informativeness`, zero if
the title `is_general`); the cosine of the description's vector and the mean of its English names; and that of the
description's vector and its own description's, where the taxonomy has one. They are weighed by the conditional logit
of `fusion`, fitted by `lab/experiments/posting_linking.py`. Every occupation of the taxonomy is a candidate,
so that one is found whose names share nothing with the title.

'Inspector' is a name of one occupation and a word in the names of many, which a few words about the work tell apart.
Where titles are general all of them share in the title's probability, unless people accepted the title.

Any object that gives titles and descriptions vectors of one space implements the protocol of the description encoder.
Paper: Laosaengpha et al. (2024), section 2, for such a model; the fusion is ours.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import Candidate, Evidence, FloatArray, LinkResult, Progress, no_progress
from jobmatch_core.io.tables import cell_text
from jobmatch_core.linking.abstention import forms_of, likely_group, reason_of
from jobmatch_core.linking.fusion import ConditionalLogit
from jobmatch_core.linking.link_rows import LinkResults
from jobmatch_core.linking.linker import Linker
from jobmatch_core.linking.posting_weights import FEATURES, PostingWeights
from jobmatch_core.linking.ranking import Ranking
from jobmatch_core.linking.scorers import Indices
from jobmatch_core.linking.title_texts import is_general
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.locales import ENGLISH
from jobmatch_core.titles.cleaning import clean_title
from jobmatch_core.vectors import in_blocks, normalised

LEAST_PROBABILITY = 1e-4  # of a title's link; lower probabilities, and occupations not found, count as this
OWN_MEANING = 5.0  # what a title's own probabilities count, in occupations whose names have its words
_FIELDS_OF_NOISE = 8  # among which a title that names no job spreads its probability
_FIELD_DIGITS = 2  # of an ISCO code: one of 43 sub-major groups
NAMES_A_JOB = 0.5  # a title at least as informative is judged by itself
_JUDGED_LETTERS = 160  # of the description of a posting with a less informative title
_BLOCK = 256  # postings scored at once against all occupations
_DESCRIPTIONS = 128  # of a taxonomy between two progress reports


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
    """Links postings to the occupations of the taxonomy of a linker.

    Attributes:
        linker: linker of the titles.
        encoder: encoder of the descriptions.
        weights: weights of the features, and the threshold below which it abstains.
        concepts: (occupation,) the occupations' numbers in the taxonomy, ascending.
    """

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
            encoder: encoder of the descriptions.
            weights: weights of the features.
            taxonomy_encoder: encoder of the occupations' names and descriptions: one of the same vectors with a cache,
                where *encoder* takes minutes. *encoder* by default.
            general_titles: let all occupations that have a name with the title's words share in its probability.
            progress: called with names, and then with descriptions, done and in total.
        """
        self.linker = linker
        self.encoder = encoder
        self.weights = weights
        self._general_titles = general_titles
        self.concepts = linker.taxonomy.occupation_numbers
        self._fields = fields_of_work(linker.taxonomy)
        self._place_of = np.full(len(linker.taxonomy.uris), len(self.concepts))
        self._place_of[self.concepts] = np.arange(len(self.concepts))
        self._names = mean_name_vectors(linker.taxonomy, taxonomy_encoder or encoder, progress=progress)
        self._descriptions = description_vectors(linker.taxonomy, taxonomy_encoder or encoder, progress=progress)

    @property
    def version(self) -> str:
        """Identity of the scores, for the provenance of judgments: the linker of titles and the description encoder."""
        return f"{self.linker.version}, descriptions {self.encoder.name}"

    def link(self, title: object, description: object, *, show: str = ENGLISH, top: int = 5) -> LinkResult:
        """Link one posting; see `link_all`."""
        return self.link_all([title], [description], show=show, top=top)[0]

    def link_all(
        self, titles: Iterable[object], descriptions: Iterable[object], *, show: str = ENGLISH, top: int = 5
    ) -> LinkResults:
        """Link postings; many together take about half the time that they take one by one.

        Args:
            titles: titles in any language; None, NaN and pandas' NA are empty texts here and below.
            descriptions: (title,) text below each title; if either is empty, the other decides.
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
        """Return the text that a judgment of a posting is about: its title or, if that says little, its first words.

        A judgment of one 'Associate' says nothing of others.
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
        """Return the logarithms of the titles' probabilities above the least one, weighted, (posting, occupation)."""
        scores = np.zeros((len(rankings), len(self.concepts)), dtype=np.float32)
        for row, (title, ranking) in enumerate(zip(titles, rankings, strict=True)):
            probabilities = np.maximum(self._shared(title, ranking), LEAST_PROBABILITY)
            scores[row] = self._informativeness(title, ranking) * np.log(probabilities / LEAST_PROBABILITY)
        return scores

    def _shared(self, title: str, ranking: Ranking) -> NDArray[np.float64]:
        """Return (occupation,) the title's probabilities; those of general titles shared, as the module says."""
        probabilities = np.zeros(len(self.concepts) + 1)  # the last for what is no occupation
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

    def _probabilities(self, features: FloatArray) -> NDArray[np.float64]:
        logit = self.weights.logit
        return logit.probabilities(np.zeros(len(features), np.int64), logit.utilities(features), 1)

    def _fused(self, by_title: LinkResult, features: FloatArray, show: str, top: int) -> LinkResult:
        """Return a posting's link from its title's link and its features, (occupation, feature)."""
        probabilities = self._probabilities(features)
        abstained = bool(probabilities.max(initial=0.0) < self.weights.threshold)
        known = {candidate.uri: candidate for candidate in by_title.candidates}
        candidates = tuple(
            self._candidate(known, place, features[place], float(probabilities[place]), show)
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
        self, known: dict[str, Candidate], place: int, features: FloatArray, probability: float, show: str
    ) -> Candidate:
        taxonomy, concept = self.linker.taxonomy, int(self.concepts[place])
        found = known.get(taxonomy.uris[concept])
        name = taxonomy.name(concept, show)
        evidence = found.evidence if found else Evidence(name, show, {})
        return Candidate(
            uri=taxonomy.uris[concept],
            name=name,
            isco=taxonomy.isco_codes[concept],
            probability=probability,
            evidence=replace(evidence, scores=_shares(features, self.weights.logit)),
        )


def informativeness(probabilities: NDArray[np.float64], fields: Indices) -> float:
    """Return how much a title says of the occupation, 0 to 1: 1 - (none x spread)^2.

    'None' is the probability of 'none of these'; 'spread' is the entropy of the others over fields of work, 1 where it
    is at least that of `_FIELDS_OF_NOISE` fields of the same probability. Both are high for 'Associate', which shares
    letters and words with occupations of all kinds. A title in a language that the taxonomy does not have is far from
    every name as well, but what it finds is of few fields; and one of several jobs in one field is near to some.

    Args:
        probabilities: (candidate,) of one title; one minus their sum is the probability of 'none of these'.
        fields: (candidate,) number of each one's field of work.
    """
    total = float(probabilities.sum())
    if not total:
        return 0.0
    shares = np.bincount(fields, probabilities) / total
    shares = shares[shares > 0]
    spread = min(float(-(shares * np.log(shares)).sum()) / np.log(_FIELDS_OF_NOISE), 1.0)
    return float(1 - (max(1 - total, 0.0) * spread) ** 2)


def fields_of_work(taxonomy: Taxonomy) -> Indices:
    """Return the number of each concept's ISCO sub-major group; without an ISCO code, each is of a field of its own."""
    codes = zip(taxonomy.isco_codes, taxonomy.uris, strict=True)
    return np.unique([code[:_FIELD_DIGITS] or uri for code, uri in codes], return_inverse=True)[1]


def mean_name_vectors(
    taxonomy: Taxonomy, encoder: DescriptionEncoder, *, progress: Progress = no_progress
) -> FloatArray:
    """Return the means of the vectors of each occupation's English names, L2-normalised, (occupation, dimension).

    An occupation without an English name has the vector of its displayed name.
    """
    concepts, names = taxonomy.occupation_numbers, taxonomy.tables.names
    english = names[(names["language"] == ENGLISH) & names["concept"].isin(concepts)]
    owners, texts = english["concept"].to_list(), english["text"].to_list()
    for concept in sorted(set(concepts.tolist()) - set(owners)):
        owners.append(concept)
        texts.append(taxonomy.name(concept, ENGLISH))
    vectors = in_blocks(encoder.encode_titles, texts, progress)
    sums = np.zeros((len(concepts), vectors.shape[1]), dtype=np.float32)
    np.add.at(sums, np.searchsorted(concepts, np.array(owners)), vectors)
    return normalised(sums)


def description_vectors(
    taxonomy: Taxonomy, encoder: DescriptionEncoder, *, progress: Progress = no_progress
) -> FloatArray:
    """Return the L2-normalised vectors of each occupation's English description; zeros where there is none."""
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
    """Return each feature's share of the score; a negative contribution counts as nothing."""
    parts = np.maximum(features * logit.weights, 0.0)
    total = float(parts.sum()) or 1.0
    return {name: round(float(part) / total, 4) for name, part in zip(FEATURES, parts, strict=True)}
