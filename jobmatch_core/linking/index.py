"""Index of a taxonomy's names, folded and searchable; the part of the linker that needs no fitting.

A name of one occupation may be a general word in the names of many: `supervisor` is a name of one in oil refineries. A
title that is such a word means any of these occupations, unless it is a title of its own in the lexicon: `Mechanic`.
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
from jobmatch_core.linking.arrays import Flags, Indices
from jobmatch_core.linking.encoder_scorer import EncoderScorer
from jobmatch_core.linking.scorers import NameScorer, TfidfScorer
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.lexicon import LexiconTitle, at_nearest, bundled_groups, lexicon_titles, title_groups
from jobmatch_core.taxonomy.tables import UNIT_DIGITS
from jobmatch_core.text.folding import fold
from jobmatch_core.text.forms import name_forms
from jobmatch_core.text.language_guess import main_scripts
from jobmatch_core.text.packed_texts import PackedTexts

MANY = 20  # unit groups from which a word is general
LEXICAL = ("char", "word")
ENCODER = "encoder"
NO_UNIT = -1
_BY_ENTRY = ("concepts", "preferred", "whole", "general", "of_group", "votes")
_ARRAYS = (*_BY_ENTRY, "form_entries", "form_names", "groups", "units")
_COUNT = "n_own_names"
_FIRST_LETTERS = 3  # of a name, which show its script; reading all of them takes seconds


def general_groups(texts: Sequence[str], units: Indices, titles: Iterable[LexiconTitle]) -> NDArray[np.int32]:
    """Return (entry,) the number of unit groups that a name of one word stands for, 0 for names that are not general.

    *texts* are folded names by entry, *units* the codes of their unit groups, *titles* the lexicon's.
    """
    words = {text for text in texts if " " not in text}
    units_by_word: dict[str, set[int]] = defaultdict(set)
    for text, unit in zip(texts, units.tolist(), strict=True):
        first, blank, rest = text.partition(" ")
        if blank:
            for word in words.intersection((first, rest.rpartition(" ")[2])):
                units_by_word[word].add(unit)
    general = {word: len(named) for word, named in units_by_word.items() if len(named) >= MANY}
    for title in titles if general else ():
        for form in name_forms(title.title):
            general.pop(fold(form), None)
    return np.array([general.get(text, 0) for text in texts], dtype=np.int32)


@dataclass(frozen=True, slots=True)
class HeadGroups:
    """Unit groups of the concept head's occupations."""

    codes: NDArray[np.int32]  # (group,) codes as numbers, ascending
    groups: NDArray[np.intp]  # (column,) group numbers
    members: csr_matrix  # (column, group) 1 where the occupation is in the group
    columns_by_group: list[NDArray[np.intp]]  # columns of each group's occupations


@dataclass(frozen=True)
class NameIndex:
    """Folded names (entries), each of one concept, with the scorers over them.

    Several surface forms can fold to one entry: `Koch` in German and `koch` in Danish.
    """

    texts: PackedTexts  # the folded names, by entry
    concepts: NDArray[np.int32]  # (entry,) concept numbers
    preferred: Flags  # (entry,) true if it is, or is a form of, a preferred name
    whole: Flags  # (entry,) true if it is a name, and not only a form of one: `sander` of `woodworker/sander`
    # (entry,) number of unit groups that it stands for as a general word, see `general_groups`; mostly 0
    general: NDArray[np.int32]
    of_group: Flags  # (entry,) true if it means the unit group of its concept alone, see `at_nearest`
    # (entry, 2) what the lexicon and the bundled taxonomy say of it, in a language of its names: 1 if it is in its unit
    # group there, -1 if it is in others, 0 if they do not have it
    votes: NDArray[np.int8]
    form_entries: NDArray[np.int32]  # (form,) entry numbers, ascending
    form_names: NDArray[np.int32]  # (form,) rows of the taxonomy's name table
    # (concept,) true if it is an ISCO group; not for a unit group that has names of the lexicon because no occupation
    # is in it
    groups: Flags
    units: NDArray[np.int32]  # (concept,) code of its unit group of ISCO-08 as a number; NO_UNIT if it has none
    n_own_names: int  # number of the taxonomy's own names, the first rows of the name table; the lexicon's follow
    scorers: dict[str, NameScorer[Any]]  # name -> scorer, in the order in which they are fused

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
        named = taxonomy.tables.names["concept"].to_numpy()[taxonomy.n_own_names :]  # by the lexicon
        is_group = ~np.isin(np.arange(len(taxonomy.uris)), np.concatenate([taxonomy.occupation_numbers, named]))
        texts, concepts, form_entries, form_names, whole = _entries(
            taxonomy, np.zeros_like(is_group) if groups else is_group
        )
        if not texts:
            raise LinkingError(f"{taxonomy.id} has no names to link to.")
        scorers: dict[str, NameScorer[Any]] = {kind: TfidfScorer.fit(kind, texts) for kind in LEXICAL}
        if encoder is not None:
            scorers[ENCODER] = EncoderScorer.fit(encoder, texts, concepts, taxonomy.uris, progress=progress)
        preferred = np.zeros(len(texts), dtype=bool)
        preferred[form_entries[taxonomy.tables.names["preferred"].to_numpy()[form_names]]] = True
        codes = (code[:UNIT_DIGITS] for code in taxonomy.isco_codes)
        units = np.array([int(code) if len(code) == UNIT_DIGITS else NO_UNIT for code in codes], dtype=np.int32)
        titles = list(lexicon_titles())
        general = general_groups(texts, units[concepts], titles)
        of_group = np.ones(len(texts), dtype=bool)
        of_group[form_entries[~at_nearest(taxonomy, titles)[form_names]]] = False
        if not groups:  # a group that can be linked to is meant itself
            of_group |= ~np.isin(concepts, taxonomy.occupation_numbers)
        packed = PackedTexts.of(texts)
        return cls(
            packed,
            concepts,
            preferred,
            whole,
            general,
            of_group,
            _votes(taxonomy, titles, texts, form_entries, form_names, units[concepts]),
            form_entries,
            form_names,
            is_group,
            units,
            taxonomy.n_own_names,
            scorers,
        )

    @property
    def encoder(self) -> EncoderScorer | None:
        """The encoder's scorer; None without an encoder."""
        scorer = self.scorers.get(ENCODER)
        return scorer if isinstance(scorer, EncoderScorer) else None

    @cached_property
    def head_groups(self) -> HeadGroups:
        """The unit groups of the concept head's occupations; none without an encoder."""
        units = self.units[self.encoder.head.concepts] if self.encoder else np.empty(0, np.int32)
        codes, groups = np.unique(units, return_inverse=True)
        members = csr_matrix((np.ones(len(units), np.float32), (np.arange(len(units)), groups)))
        ends = np.cumsum(np.bincount(groups, minlength=len(codes)))
        return HeadGroups(codes, groups, members, np.split(np.argsort(groups, kind="stable"), ends[:-1]))

    @cached_property
    def known_words(self) -> frozenset[str]:
        """The words of the names."""
        scorer = self.scorers["word"]
        return frozenset(scorer.vocabulary if isinstance(scorer, TfidfScorer) else ())

    def names_with(self, forms: Iterable[str]) -> NDArray[np.intp]:
        """Return the entries that have all words of any of some folded forms, ascending."""
        scorer = self.scorers["word"]
        entries = [scorer.containing(form) for form in forms] if isinstance(scorer, TfidfScorer) else []
        return np.unique(np.concatenate([np.empty(0, np.intp), *entries]))

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

    # (entry,) the first of `forms`: the taxonomy's own names come before others
    @cached_property
    def _first_names(self) -> NDArray[np.int32]:
        return self.form_names[self._form_starts[:-1]]

    def forms(self, entry: int) -> NDArray[np.int32]:
        """Return the rows of the name table that fold to an entry."""
        return self.form_names[self._form_starts[entry] : self._form_starts[entry + 1]]

    def are_further(self, entries: Indices) -> Flags:
        """Return true for each of *entries* that is no name of the taxonomy itself: the lexicon's and own names."""
        in_index = entries < len(self.texts)
        return ~in_index | (self._first_names[np.where(in_index, entries, 0)] >= self.n_own_names)

    def in_languages(self, taxonomy: Taxonomy, languages: Collection[str]) -> "NameIndex":
        """Return the part of the index whose names are in some languages.

        Raises LinkingError if the taxonomy has no names in one of them.
        """
        if missing := sorted(set(languages) - set(taxonomy.manifest.languages)):
            have = ", ".join(taxonomy.manifest.languages)
            raise LinkingError(f"{taxonomy.id} has no names in {', '.join(missing)}; it has {have}.")
        name_languages = taxonomy.tables.names["language"].to_numpy()
        forms = np.flatnonzero(np.isin(name_languages[self.form_names], list(languages)))
        entries = np.unique(self.form_entries[forms])
        return replace(
            self,
            texts=PackedTexts.of(self.texts.take(entries)),
            form_entries=np.searchsorted(entries, self.form_entries[forms]).astype(np.int32),
            form_names=self.form_names[forms],
            scorers={name: scorer.subset(entries) for name, scorer in self.scorers.items()},
            **{name: getattr(self, name)[entries] for name in _BY_ENTRY},
        )

    def with_head_moved(self, moves: FloatArray) -> "NameIndex":
        """Return the index with its concept head moved by (concept, dimension) vectors; itself without an encoder."""
        if self.encoder is None:
            return self
        return replace(self, scorers=self.scorers | {ENCODER: self.encoder.moved(moves)})

    def save(self, folder: Path) -> None:
        """Write the entries and the scorers into a folder."""
        self.texts.save(folder / "texts.arrow")
        for name in (*_ARRAYS, _COUNT):
            np.save(folder / f"{name}.npy", getattr(self, name))
        for name, scorer in self.scorers.items():
            scorer.save(folder / name)

    @classmethod
    def load(cls, folder: Path, encoder: Encoder | None = None) -> "NameIndex":
        """Read the files that `save` wrote; the large matrices are memory-mapped.

        Raises LinkingError if the files do not fit together.
        """
        scorers: dict[str, NameScorer[Any]] = {kind: TfidfScorer.load(kind, folder / kind) for kind in LEXICAL}
        if encoder is not None:
            scorers[ENCODER] = EncoderScorer.load(encoder, folder / ENCODER)
        texts = PackedTexts.load(folder / "texts.arrow")
        arrays = {name: np.load(folder / f"{name}.npy") for name in _ARRAYS}
        if len(texts) != len(arrays["concepts"]):
            raise LinkingError(f"The index in {folder.name} is damaged; build it again.")
        n_own_names = int(np.load(folder / f"{_COUNT}.npy"))
        return cls(texts=texts, scorers=scorers, n_own_names=n_own_names, **arrays)


# (entry, 2), see `NameIndex.votes`; of several languages the best counts
def _votes(
    taxonomy: Taxonomy,
    titles: Iterable[LexiconTitle],
    texts: Sequence[str],
    form_entries: NDArray[np.int32],
    form_names: NDArray[np.int32],
    units: Indices,
) -> NDArray[np.int8]:
    languages, unit_codes = taxonomy.name_languages, [f"{unit:04}" for unit in units.tolist()]
    forms = list(zip(form_entries.tolist(), form_names.tolist(), strict=True))
    votes = []
    for groups in (title_groups(titles), bundled_groups()):
        by_entry = [0] * len(texts)
        for entry, name in forms:
            if codes := groups.get((languages[name], texts[entry])):
                vote = 1 if unit_codes[entry] in codes else -1
                by_entry[entry] = max(vote, by_entry[entry] or vote)
        votes.append(by_entry)
    return np.array(votes, dtype=np.int8).T.copy()


# texts and concepts by entry, entries and names by form, and whether entries are whole names; an entry is unique by
# text and concept
def _entries(
    taxonomy: Taxonomy, left_out: Flags
) -> tuple[list[str], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], Flags]:
    names = taxonomy.tables.names
    entries: dict[tuple[str, int], int] = {}
    forms: dict[tuple[int, int], None] = {}
    names_themselves: list[int] = []
    for row, (concept, text) in enumerate(zip(names["concept"].to_list(), names["text"].to_list(), strict=True)):
        if left_out[concept]:
            continue
        for form in name_forms(text):
            folded = fold(form)
            # a form of one letter is left of `A/C installer`
            if folded and not (len(folded) == 1 and folded.isascii()):
                entry = entries.setdefault((folded, concept), len(entries))
                forms[entry, row] = None
                if form == text:
                    names_themselves.append(entry)
    pairs = np.array(sorted(forms), dtype=np.int32).reshape(-1, 2)
    concepts = np.array([concept for _, concept in entries], dtype=np.int32)
    whole = np.zeros(len(entries), dtype=bool)
    whole[names_themselves] = True
    return [text for text, _ in entries], concepts, pairs[:, 0].copy(), pairs[:, 1].copy(), whole
