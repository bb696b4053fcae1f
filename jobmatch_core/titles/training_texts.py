"""Training texts of our own encoder, each with its known labels.

A text may name an occupation of the taxonomy, belong to a unit group of ISCO-08, name one of O*NET's occupations, and
have a target: the vector that a teacher gives to its English. Names in other languages share the mean target of
their occupation's English names, which stands in for machine translation (Deniz et al. 2024, section 3.1.1).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.lexicon import LexiconTitle
from jobmatch_core.taxonomy.tables import UNIT_DIGITS
from jobmatch_core.text.folding import fold
from jobmatch_core.text.forms import expand_forms
from jobmatch_core.text.languages import ENGLISH
from jobmatch_core.titles.sources import CodedRow
from jobmatch_core.vectors import normalised

NONE = -1


@dataclass(frozen=True)
class TrainingTexts:
    """Texts with their labels; NONE where a label is unknown.

    Attributes:
        texts: folded texts.
        occupations: (text,) number of the occupation that it names.
        groups: (text,) number of its unit group.
        families: (text,) number of the O*NET occupation that it names.
        weights: (text,) weight of the text in the loss.
        targets: (text,) number of its target.
        teacher_texts: English texts; the first targets are the teacher's vectors of them.
        target_means: (occupation,) numbers of the targets of its English names; the further targets are their means.
        uris: (occupation,) URI of each.
        occupation_groups: (occupation,) unit group of each.
        group_sets: unit groups that each group stands for: itself, or several that a title may mean.
        n_families: number of O*NET occupations.
    """

    texts: list[str]
    occupations: NDArray[np.int32]
    groups: NDArray[np.int32]
    families: NDArray[np.int32]
    weights: NDArray[np.float32]
    targets: NDArray[np.int32]
    teacher_texts: list[str]
    target_means: list[list[int]]
    uris: list[str]
    occupation_groups: NDArray[np.int32]
    group_sets: list[tuple[int, ...]]
    n_families: int

    def teacher_targets(self, vectors: FloatArray) -> FloatArray:
        """Return every target, given the teacher's vectors of `teacher_texts`; L2-normalised rows."""
        zeros = np.zeros(vectors.shape[1], dtype=np.float32)
        means = [vectors[rows].mean(axis=0) if rows else zeros for rows in self.target_means]
        both = np.concatenate([vectors, np.reshape(np.array(means, np.float32), (-1, vectors.shape[1]))])
        return normalised(both)


@dataclass
class TextCollector:
    """Gathers texts from their sources."""

    _texts: list[str] = field(default_factory=list)
    _known: list[tuple[int, int, int, float, str]] = field(default_factory=list)
    _occupations: dict[str, int] = field(default_factory=dict)
    _occupation_groups: list[int] = field(default_factory=list)
    _groups: dict[str, int] = field(default_factory=dict)
    _group_sets: list[tuple[int, ...]] = field(default_factory=list)
    _families: dict[str, int] = field(default_factory=dict)
    _seen: set[tuple[str, str]] = field(default_factory=set)

    def add_names(self, taxonomy: Taxonomy, left_out: frozenset[tuple[str, str]] = frozenset()) -> None:
        """Add every form of every name of every occupation, and those of the unit groups as titles of theirs.

        Args:
            taxonomy: several taxonomies may be added: their occupations are joined by URI.
            left_out: (URI, folded form) pairs to hold out for measuring.
        """
        numbers = {number: self._occupation(taxonomy, number) for number in taxonomy.occupation_numbers.tolist()}
        table = taxonomy.tables.names
        for concept, language, text in zip(table["concept"], table["language"], table["text"], strict=True):
            uri = taxonomy.uris[concept]
            occupation = numbers.get(concept, NONE)
            group = self._groups.get(taxonomy.isco_codes[concept], NONE)
            if occupation == group == NONE:  # a group above the unit groups
                continue
            for folded in dict.fromkeys(fold(form) for form in (*expand_forms(text), text)):
                if (folded, uri) in self._seen or (uri, folded) in left_out:
                    continue
                self._seen.add((folded, uri))
                english = folded if language == ENGLISH else ""
                self._add(folded, occupation=occupation, group=group, english=english)

    def add_sentences(self, taxonomy: Taxonomy, weight: float) -> None:
        """Add the sentences of the English descriptions of occupations that were added before."""
        table = taxonomy.tables.descriptions
        for concept, language, text in zip(table["concept"], table["language"], table["text"], strict=True):
            number = self._occupations.get(taxonomy.uris[concept])
            if language == ENGLISH and number is not None:
                for sentence in text.replace(";", ".").split(". "):
                    self._add(fold(sentence), occupation=number, weight=weight, english=fold(sentence))

    def add_group_titles(self, rows: Iterable[tuple[str, str]]) -> None:
        """Add (unit group, English title) rows."""
        for code, title in rows:
            if code in self._groups:
                self._add(fold(title), group=self._groups[code], english=fold(title))

    def add_lexicon(self, titles: Iterable[LexiconTitle], *, taught: bool) -> None:
        """Add titles of the lexicon: names of their occupation where they have one, else titles of their unit group.

        Args:
            titles: the titles.
            taught: whether the English ones have the teacher's target.
        """
        for each in titles:
            occupation = self._occupations.get(each.esco, NONE)
            group = self._groups.get(each.isco, NONE)
            if group == NONE:
                continue
            for folded in dict.fromkeys(fold(form) for form in (*expand_forms(each.title), each.title)):
                english = folded if taught and each.language == ENGLISH else ""
                self._add(folded, occupation=occupation, group=group, english=english)

    def add_coded_titles(self, rows: Iterable[CodedRow], weight: float, *, taught: bool) -> None:
        """Add titles that may mean any of their unit groups.

        Args:
            rows: the titles.
            weight: weight of each title in the loss.
            taught: as in `add_lexicon`.
        """
        for codes, title, _ in rows:
            known = [self._group(code) for code in codes if code in self._groups]
            if known:
                group = known[0] if len(known) == 1 else self._group("|".join(sorted(codes)), tuple(known))
                for folded in dict.fromkeys(fold(form) for form in (*expand_forms(title), title)):
                    self._add(folded, group=group, weight=weight, english=folded if taught else "")

    def add_family_titles(self, rows: Iterable[tuple[str, str]], weight: float) -> None:
        """Add (O*NET occupation, English title) rows."""
        for code, title in rows:
            family = self._families.setdefault(code, len(self._families))
            self._add(fold(title), family=family, weight=weight, english=fold(title))

    def add_translations(self, rows: Iterable[tuple[str, str]], weight: float) -> None:
        """Add (text in any language, its English) rows."""
        for text, english in rows:
            self._add(fold(text), weight=weight, english=fold(english))

    def collected(self) -> TrainingTexts:
        """Return all collected texts."""
        teacher = {text: row for row, text in enumerate(sorted({known[4] for known in self._known if known[4]}))}
        means: list[list[int]] = [[] for _ in self._occupations]
        targets = np.full(len(self._texts), NONE, dtype=np.int32)
        for row, (occupation, _, _, weight, english) in enumerate(self._known):
            if english:
                targets[row] = teacher[english]
                if occupation != NONE and weight == 1.0:
                    means[occupation].append(teacher[english])
            elif occupation != NONE:
                targets[row] = len(teacher) + occupation
        columns = list(zip(*self._known, strict=True)) or [()] * 5
        return TrainingTexts(
            texts=self._texts,
            occupations=np.array(columns[0], dtype=np.int32),
            groups=np.array(columns[1], dtype=np.int32),
            families=np.array(columns[2], dtype=np.int32),
            weights=np.array(columns[3], dtype=np.float32),
            targets=targets,
            teacher_texts=list(teacher),
            target_means=means,
            uris=list(self._occupations),
            occupation_groups=np.array(self._occupation_groups, dtype=np.int32),
            group_sets=self._group_sets,
            n_families=len(self._families),
        )

    def _occupation(self, taxonomy: Taxonomy, number: int) -> int:
        uri = taxonomy.uris[number]
        if uri not in self._occupations:
            code = taxonomy.isco_codes[number][:UNIT_DIGITS]
            self._occupations[uri] = len(self._occupations)
            self._occupation_groups.append(self._group(code))
        return self._occupations[uri]

    def _group(self, code: str, members: tuple[int, ...] = ()) -> int:
        """Return the number of a unit group, or of a set of them."""
        if code not in self._groups:
            self._groups[code] = len(self._groups)
            self._group_sets.append(members or (self._groups[code],))
        return self._groups[code]

    def _add(
        self,
        folded: str,
        *,
        occupation: int = NONE,
        group: int = NONE,
        family: int = NONE,
        weight: float = 1.0,
        english: str = "",
    ) -> None:
        if folded:
            if occupation != NONE:
                group = self._occupation_groups[occupation]
            self._texts.append(folded)
            self._known.append((occupation, group, family, weight, english))
