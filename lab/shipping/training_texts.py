"""Training texts of our own encoder, each with its known labels, and readers of the files that they come from.

A text may have an occupation, a unit group, an O*NET occupation and a target, the teacher's vector of its English.
Names in other languages share the mean target of their occupation's English names, instead of machine translation
(Deniz et al. 2024, section 3.1.1). Licences of the files: ESCO (c) European Union, CC BY 4.0; O*NET 27, CC BY 4.0; the
index of ISCO-08, ILO; NTREX-128 and FLORES-200, CC BY-SA 4.0; Tatoeba, CC BY 2.0 FR; the United Kingdom's coding index
of SOC 2020, Open Government Licence v3; Canada's NOC, Open Government Licence - Canada; ANZSCO 2022 and Tabiya's names,
CC BY 4.0; India's NCO 2015, Apache-2.0; Mexico's SINCO, Bolivia's COB and German names of ISCO's groups, MIT; Brazil's
CBO 2002, public domain.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray
from jobmatch_core.errors import DataFileError
from jobmatch_core.io.tables import rows_with
from jobmatch_core.io.text_files import read_text
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.lexicon import LexiconTitle
from jobmatch_core.taxonomy.rows import split_names
from jobmatch_core.taxonomy.tables import UNIT_DIGITS
from jobmatch_core.text.folding import fold
from jobmatch_core.text.forms import expand_forms
from jobmatch_core.text.locales import ENGLISH
from jobmatch_core.vectors import normalised

Rows = Iterator[tuple[str, str]]
SKILL_LANGUAGES = ("es", "fr")
MOST_GROUPS = 3
# languages without names in any taxonomy here: their codes in NTREX, FLORES and Tatoeba
EAST_ASIAN = {"ja": ("jpn", "jpn_Jpan", "jpn"), "ko": ("kor", "kor_Hang", "kor"), "zh": ("zho-CN", "zho_Hans", "cmn")}
FURTHER_LISTS = (  # those whose licence is stated; the others are for experiments alone
    "fr_canada_noc2021",
    "pt_br_cbo2002_derived",
    "en_india_nco2015",
    "es_mexico_sinco",
    "es_bolivia_cob2009",
    "de_isco08_groups",
)
NONE = -1


class CodedRow(NamedTuple):
    """A title of a national coding index."""

    groups: tuple[str, ...]  # unit groups of ISCO-08 that it may mean
    title: str  # the title, perhaps with what the index qualifies it by
    stem: str  # the title without that


def isco_index(path: Path) -> Rows:
    """Yield (unit group, title) of the ILO's index; `nurse: head` is reordered to `head nurse`."""
    for row in rows_with(path, "isco08", "title"):
        parts = [part.strip() for part in row["title"].split(":")]
        yield row["isco08"], " ".join(reversed(parts)) if len(parts) == 2 else row["title"]


def onet_titles(folder: Path) -> Rows:
    """Yield (O*NET occupation, title) of the alternate and the reported titles; O*NET's own names are left out."""
    for file, column in (
        ("Alternate Titles.txt", "Alternate Title"),
        ("Sample of Reported Titles.txt", "Reported Job Title"),
    ):
        for row in rows_with(folder / file, "O*NET-SOC Code", column):
            yield row["O*NET-SOC Code"], row[column]


def coded_titles(folder: Path) -> Iterator[CodedRow]:
    """Yield the titles of all national coding indexes together; a title may mean any of its groups.

    Titles of more than `MOST_GROUPS` groups are left out: they say too little.
    """
    groups: dict[str, set[str]] = {}
    stems: dict[str, str] = {}
    for row in coding_indexes(folder):
        groups.setdefault(row.title, set()).update(row.groups)
        stems.setdefault(row.title, row.stem)
    for title, codes in groups.items():
        if len(codes) <= MOST_GROUPS:
            yield CodedRow(tuple(sorted(codes)), title, stems[title])


def coding_indexes(folder: Path) -> Iterator[CodedRow]:
    """Yield the titles of each national coding index, with all groups that they may mean in that index."""
    british: dict[tuple[str, str], set[str]] = {}
    for row in rows_with(folder / "uk_soc2020.tsv", "title", "qualifier_add", "qualifier_industry", "isco08"):
        qualified = " ".join(filter(None, (row["title"], row["qualifier_add"], row["qualifier_industry"])))
        for title in dict.fromkeys((row["title"], qualified)):
            british.setdefault((title, row["title"]), set()).add(row["isco08"])
    yield from _coded_rows(british)
    others = (
        ("canada_noc_en", "isco08_candidates"),
        ("anzsco2022", "isco08_candidates"),
        ("tabiya_localised", "isco08"),
    )
    for file, column in others:
        yield from _listed(folder / f"{file}.tsv", column)


def further_lists(folder: Path) -> Iterator[CodedRow]:
    """Yield the titles of national lists in several languages, with all groups that they may mean in their list."""
    for file in FURTHER_LISTS:
        yield from _listed(folder / f"{file}.tsv", "isco08")


def _listed(path: Path, column: str) -> Iterator[CodedRow]:
    groups: dict[tuple[str, str], set[str]] = {}
    for row in rows_with(path, "title", column):
        groups.setdefault((row["title"], row["title"]), set()).update(row[column].split("|"))
    yield from _coded_rows(groups)


def _coded_rows(groups: dict[tuple[str, str], set[str]]) -> Iterator[CodedRow]:
    for (title, stem), codes in groups.items():
        assigned = codes - {""}  # a title that no group was found for
        if title and assigned:
            yield CodedRow(tuple(sorted(assigned)), title, stem)


def skill_names(taxonomy: Taxonomy) -> Rows:
    """Yield each English name of each skill as its own English."""
    table = taxonomy.tables.skill_names
    for text in table["text"][table["language"] == ENGLISH]:
        yield text, text


def skill_translations(folder: Path, taxonomy: Taxonomy) -> Rows:
    """Yield the names of skills in other languages with the preferred English name.

    Args:
        folder: folder with `skills_XX.csv` of ESCO.
    """
    table = taxonomy.tables.skill_names
    chosen = table[table["preferred"] & (table["language"] == ENGLISH)]
    uris = taxonomy.tables.skills["uri"].to_list()
    english = {uris[skill]: text for skill, text in zip(chosen["skill"], chosen["text"], strict=True)}
    for language in SKILL_LANGUAGES:
        for row in rows_with(folder / f"skills_{language}.csv", "conceptUri", "preferredLabel", "altLabels"):
            if name := english.get(row["conceptUri"]):
                for text in (row["preferredLabel"], *split_names(row["altLabels"])):
                    yield text, name


def parallel_sentences(folder: Path) -> Rows:
    """Yield (sentence, its English) in Japanese, Korean and Chinese of NTREX-128, FLORES-200 and Tatoeba."""
    for ntrex, flores, tatoeba in EAST_ASIAN.values():
        news, wiki = folder / "ntrex", folder / "flores200_dev"
        yield from _aligned(news / f"newstest2019-ref.{ntrex}.txt", news / "newstest2019-src.eng.txt")
        yield from _aligned(wiki / f"{flores}.dev", wiki / "eng_Latn.dev")
        pair = folder / "tatoeba" / f"tatoeba.{tatoeba}-eng"
        yield from _aligned(pair.with_suffix(f"{pair.suffix}.{tatoeba}"), pair.with_suffix(f"{pair.suffix}.eng"))


def _aligned(path: Path, english: Path) -> Rows:
    texts, translations = (_lines(file) for file in (path, english))
    if len(texts) != len(translations):
        raise DataFileError(path, f"expected {len(translations)} lines as in {english.name}, found {len(texts)}")
    yield from zip(texts, translations, strict=True)


def _lines(path: Path) -> list[str]:
    try:
        return read_text(path).split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise DataFileError(path, f"expected text in UTF-8, one sentence a line ({error})") from error


@dataclass(frozen=True)
class TrainingTexts:
    """Texts with their labels; NONE where a label is unknown."""

    texts: list[str]  # folded texts
    occupations: NDArray[np.int32]  # (text,) number of the occupation that it names
    groups: NDArray[np.int32]  # (text,) number of its unit group
    families: NDArray[np.int32]  # (text,) number of the O*NET occupation that it names
    weights: NDArray[np.float32]  # (text,) weight of the text in the loss
    targets: NDArray[np.int32]  # (text,) number of its target
    teacher_texts: list[str]  # English texts; the first targets are the teacher's vectors of them
    # (occupation,) numbers of the targets of its English names; the further targets are their means
    target_means: list[list[int]]
    uris: list[str]  # (occupation,) URI of each
    occupation_groups: NDArray[np.int32]  # (occupation,) unit group of each
    # unit groups that each group stands for: itself, or several that a title may mean
    group_sets: list[tuple[int, ...]]
    n_families: int  # number of O*NET occupations

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
            taught: whether the English ones have the teacher's target.
        """
        for title in titles:
            occupation = self._occupations.get(title.esco, NONE)
            group = self._groups.get(title.isco, NONE)
            if group == NONE:
                continue
            for folded in dict.fromkeys(fold(form) for form in (*expand_forms(title.title), title.title)):
                english = folded if taught and title.language == ENGLISH else ""
                self._add(folded, occupation=occupation, group=group, english=english)

    def add_coded_titles(self, rows: Iterable[CodedRow], weight: float, *, taught: bool) -> None:
        """Add titles that may mean any of their unit groups.

        Args:
            weight: weight of each title in the loss.
            taught: as in `add_lexicon`.
        """
        for codes, title, _ in rows:
            groups = [self._group(code) for code in codes if code in self._groups]
            if groups:
                group = groups[0] if len(groups) == 1 else self._group("|".join(sorted(codes)), tuple(groups))
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
        teacher = {text: row for row, text in enumerate(sorted({row[4] for row in self._known if row[4]}))}
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
