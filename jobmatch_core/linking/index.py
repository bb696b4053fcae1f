"""Index of a taxonomy's names, folded and searchable; the part of the linker that needs no fitting.

Some names of one occupation are the general word of many: ESCO has `supervisor` as a name of one in oil refineries. A
title that is such a word means any of the occupations that are named with it. Words that the lexicon has as titles of
their own, such as `Mechanic`, say what they mean.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from jobmatch_core.entities import Encoder, FloatArray, Progress, no_progress
from jobmatch_core.errors import LinkingError
from jobmatch_core.linking.encoder_scorer import EncoderScorer
from jobmatch_core.linking.scorers import Indices, NameScorer, TfidfScorer
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.lexicon import at_nearest, lexicon_titles
from jobmatch_core.taxonomy.tables import UNIT_DIGITS
from jobmatch_core.text.folding import fold
from jobmatch_core.text.forms import name_forms
from jobmatch_core.text.language_guess import main_scripts
from jobmatch_core.text.packed_texts import PackedTexts

MANY = 20  # unit groups from which a word is general
LEXICAL = ("char", "word")
ENCODER = "encoder"
NO_UNIT = -1
_FIRST_LETTERS = 3  # of a name, which show its script; reading all of them takes seconds


def general_groups(texts: Sequence[str], units: Indices) -> NDArray[np.int32]:
    """Return (name,) the number of unit groups that a name of one word stands for, 0 for names that are not general.

    Args:
        texts: folded names.
        units: (name,) unit group of each one's occupation.
    """
    words = {text for text in texts if " " not in text}
    groups: dict[str, set[int]] = defaultdict(set)
    for text, unit in zip(texts, units.tolist(), strict=True):
        first, blank, rest = text.partition(" ")
        if blank:
            for word in words.intersection((first, rest.rpartition(" ")[2])):
                groups[word].add(unit)
    general = {word: len(found) for word, found in groups.items() if len(found) >= MANY}
    for title in lexicon_titles() if general else ():
        for form in name_forms(title.title):
            general.pop(fold(form), None)
    return np.array([general.get(text, 0) for text in texts], dtype=np.int32)


@dataclass(frozen=True)
class NameIndex:
    """Folded names (entries), each of one concept, with the scorers over them.

    Several surface forms can fold to one entry: `Koch` in German and `koch` in Danish.

    Attributes:
        texts: the folded names, by entry.
        concepts: each entry's concept number in the taxonomy.
        preferred: (entry,) true if it is, or is a form of, a preferred name.
        general: (entry,) number of unit groups that it stands for as a general word, see `general_groups`; mostly 0.
        of_group: (entry,) true if it means the unit group of its concept alone, see `at_nearest`.
        form_entries: (form,) entry of each form, ascending.
        form_names: (form,) row in the taxonomy's name table of each form.
        groups: (concept,) true if the concept of the taxonomy is an ISCO group.
        units: (concept,) code of its unit group of ISCO-08 as a number; NO_UNIT if it has none.
        scorers: name -> scorer, in the order in which they are fused.
    """

    texts: PackedTexts
    concepts: NDArray[np.int32]
    preferred: NDArray[np.bool_]
    general: NDArray[np.int32]
    of_group: NDArray[np.bool_]
    form_entries: NDArray[np.int32]
    form_names: NDArray[np.int32]
    groups: NDArray[np.bool_]
    units: NDArray[np.int32]
    scorers: dict[str, NameScorer[Any]]

    @classmethod
    def build(
        cls,
        taxonomy: Taxonomy,
        encoder: Encoder | None = None,
        *,
        groups: bool = False,
        progress: Progress = no_progress,
    ) -> "NameIndex":
        """Fold and index every name of every occupation.

        Args:
            taxonomy: the taxonomy to link to.
            encoder: encoder for scores by meaning; None for letters and words only.
            groups: also link titles to ISCO groups.
            progress: called with names encoded and names in total.

        Raises:
            LinkingError: the taxonomy has no names.
        """
        is_group = ~np.isin(np.arange(len(taxonomy.uris)), taxonomy.occupation_numbers)
        texts, concepts, form_entries, form_names = _entries(taxonomy, np.zeros_like(is_group) if groups else is_group)
        if not texts:
            raise LinkingError(f"{taxonomy.id} has no names to link to.")
        scorers: dict[str, NameScorer[Any]] = {kind: TfidfScorer.fit(kind, texts) for kind in LEXICAL}
        if encoder is not None:
            scorers[ENCODER] = EncoderScorer.fit(encoder, texts, concepts, taxonomy.uris, progress=progress)
        preferred = np.zeros(len(texts), dtype=bool)
        preferred[form_entries[taxonomy.tables.names["preferred"].to_numpy()[form_names]]] = True
        units = _units(taxonomy)
        general = general_groups(texts, units[concepts])
        of_group = np.ones(len(texts), dtype=bool)
        of_group[form_entries[~at_nearest(taxonomy)[form_names]]] = False
        packed = PackedTexts.of(texts)
        return cls(packed, concepts, preferred, general, of_group, form_entries, form_names, is_group, units, scorers)

    @property
    def encoder(self) -> EncoderScorer | None:
        """The encoder's scorer, where there is one."""
        scorer = self.scorers.get(ENCODER)
        return scorer if isinstance(scorer, EncoderScorer) else None

    @cached_property
    def head_groups(self) -> tuple[NDArray[np.int32], NDArray[np.intp], csr_matrix]:
        """The unit groups of the concept head's occupations, the same for every title.

        Codes as numbers, ascending; (occupation,) place of its group among them; (occupation, group) 1 for members.
        """
        units = self.units[self.encoder.head.concepts] if self.encoder else np.empty(0, np.int32)
        codes, groups = np.unique(units, return_inverse=True)
        members = csr_matrix((np.ones(len(units), np.float32), (np.arange(len(units)), groups)))
        return codes, groups, members

    @cached_property
    def occupations_of_groups(self) -> list[NDArray[np.intp]]:
        """The concept head's occupations of each of `head_groups`."""
        codes, groups, _ = self.head_groups
        ends = np.cumsum(np.bincount(groups, minlength=len(codes)))
        return np.split(np.argsort(groups, kind="stable"), ends[:-1])

    @cached_property
    def known_words(self) -> frozenset[str]:
        """The words that occur in the names."""
        scorer = self.scorers["word"]
        return frozenset(scorer.vocabulary if isinstance(scorer, TfidfScorer) else ())

    def names_with(self, forms: Iterable[str]) -> NDArray[np.intp]:
        """Return the entries that have all words of any of some folded forms, ascending."""
        scorer = self.scorers["word"]
        found = [scorer.containing(form) for form in forms] if isinstance(scorer, TfidfScorer) else []
        return np.unique(np.concatenate([np.empty(0, np.intp), *found]))

    @cached_property
    def known_texts(self) -> frozenset[str]:
        """The folded names."""
        return frozenset(self.texts)

    @cached_property
    def scripts(self) -> frozenset[str]:
        """The scripts of the names."""
        return main_scripts({text[:_FIRST_LETTERS] for text in self.texts})

    @cached_property
    def _by_concept(self) -> NDArray[np.intp]:
        return np.argsort(self.concepts, kind="stable")

    def entries_of(self, concept: int) -> NDArray[np.intp]:
        """Return the entries of a concept, ascending."""
        start, end = np.searchsorted(self.concepts, [concept, concept + 1], sorter=self._by_concept)
        return self._by_concept[start:end]

    @cached_property
    def _form_starts(self) -> NDArray[np.intp]:
        return np.searchsorted(self.form_entries, np.arange(len(self.texts) + 1, dtype=self.form_entries.dtype))

    @cached_property
    def _first_names(self) -> NDArray[np.int32]:
        """(entry,) the first of `forms`: the taxonomy's own names come before others."""
        return self.form_names[self._form_starts[:-1]]

    def forms(self, entry: int) -> NDArray[np.int32]:
        """Return the rows of the name table that fold to an entry."""
        return self.form_names[self._form_starts[entry] : self._form_starts[entry + 1]]

    def are_further(self, taxonomy: Taxonomy, entries: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
        """Return (entry,) true for those that no name of the taxonomy itself has: the lexicon's and accepted titles."""
        known = entries < len(self.texts)
        return ~known | (self._first_names[np.where(known, entries, 0)] >= taxonomy.n_own_names)

    def in_languages(self, taxonomy: Taxonomy, languages: Collection[str]) -> "NameIndex":
        """Return the part of the index whose names are in some languages.

        Raises:
            LinkingError: the taxonomy has no names in one of them.
        """
        if missing := sorted(set(languages) - set(taxonomy.manifest.languages)):
            have = ", ".join(taxonomy.manifest.languages)
            raise LinkingError(f"{taxonomy.id} has no names in {', '.join(missing)}; it has {have}.")
        name_languages = taxonomy.tables.names["language"].to_numpy()
        kept_forms = np.isin(name_languages[self.form_names], list(languages))
        kept = np.unique(self.form_entries[kept_forms])
        return NameIndex(
            texts=PackedTexts.of(self.texts.take(kept)),
            concepts=self.concepts[kept],
            preferred=self.preferred[kept],
            general=self.general[kept],
            of_group=self.of_group[kept],
            form_entries=np.searchsorted(kept, self.form_entries[kept_forms]).astype(np.int32),
            form_names=self.form_names[kept_forms],
            groups=self.groups,
            units=self.units,
            scorers={name: scorer.subset(kept) for name, scorer in self.scorers.items()},
        )

    def with_head_moved(self, moves: FloatArray) -> "NameIndex":
        """Return the index with another concept head, without copying anything; itself if it has no encoder.

        Args:
            moves: (concept, dimension) moves of the head, see `HeadMoves.by_concept`.
        """
        if self.encoder is None:
            return self
        return replace(self, scorers=self.scorers | {ENCODER: self.encoder.moved(moves)})

    def save(self, folder: Path) -> None:
        """Write the entries and the scorers into a folder."""
        self.texts.save(folder / "texts.arrow")
        for name in ("concepts", "preferred", "general", "of_group", "form_entries", "form_names", "groups", "units"):
            np.save(folder / f"{name}.npy", getattr(self, name))
        for name, scorer in self.scorers.items():
            scorer.save(folder / name)

    @classmethod
    def load(cls, folder: Path, encoder: Encoder | None = None) -> "NameIndex":
        """Read the files that `save` wrote; the large matrices are memory-mapped.

        Raises:
            LinkingError: the files do not fit together.
        """
        scorers: dict[str, NameScorer[Any]] = {kind: TfidfScorer.load(kind, folder / kind) for kind in LEXICAL}
        if encoder is not None:
            scorers[ENCODER] = EncoderScorer.load(encoder, folder / ENCODER)
        texts = PackedTexts.load(folder / "texts.arrow")
        concepts = np.load(folder / "concepts.npy")
        if len(texts) != len(concepts):
            raise LinkingError(f"The index in {folder.name} is damaged; build it again.")
        return cls(
            texts=texts,
            concepts=concepts,
            preferred=np.load(folder / "preferred.npy"),
            general=np.load(folder / "general.npy"),
            of_group=np.load(folder / "of_group.npy"),
            form_entries=np.load(folder / "form_entries.npy"),
            form_names=np.load(folder / "form_names.npy"),
            groups=np.load(folder / "groups.npy"),
            units=np.load(folder / "units.npy"),
            scorers=scorers,
        )


def _entries(
    taxonomy: Taxonomy, left_out: NDArray[np.bool_]
) -> tuple[list[str], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """Fold the names of concepts that are not left out, and their forms, into entries unique by text and concept."""
    names = taxonomy.tables.names
    entries: dict[tuple[str, int], int] = {}
    forms: dict[tuple[int, int], None] = {}
    for row, (concept, text) in enumerate(zip(names["concept"].to_list(), names["text"].to_list(), strict=True)):
        if left_out[concept]:
            continue
        for form in name_forms(text):
            if (folded := fold(form)) and not _is_letter(folded):
                entry = entries.setdefault((folded, concept), len(entries))
                forms[entry, row] = None
    pairs = np.array(sorted(forms), dtype=np.int32).reshape(-1, 2)
    concepts = np.array([concept for _, concept in entries], dtype=np.int32)
    return [text for text, _ in entries], concepts, pairs[:, 0].copy(), pairs[:, 1].copy()


def _is_letter(folded: str) -> bool:
    """Return whether a form is one letter of an alphabet, what is left of `A/C installer`."""
    return len(folded) == 1 and folded.isascii()


def _units(taxonomy: Taxonomy) -> NDArray[np.int32]:
    codes = (code[:UNIT_DIGITS] for code in taxonomy.isco_codes)
    return np.array([int(code) if len(code) == UNIT_DIGITS else NO_UNIT for code in codes], dtype=np.int32)
