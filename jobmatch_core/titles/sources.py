"""Readers of our own encoder's training files, in their publishers' formats.

All rows are (text, its English) or (code, English title); `training_texts` describes their use. Licences:
ESCO (c) European Union, CC BY 4.0; O*NET 27, CC BY 4.0; the index of ISCO-08, ILO; NTREX-128 and FLORES-200, CC BY-SA
4.0; Tatoeba, CC BY 2.0 FR; the United Kingdom's coding index of SOC 2020, Open Government Licence v3; Canada's NOC,
Open Government Licence - Canada; ANZSCO 2022 and Tabiya's names, CC BY 4.0.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.tables import read_table
from jobmatch_core.io.text_files import read_text
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.rows import split_names
from jobmatch_core.text.languages import ENGLISH

Rows = Iterator[tuple[str, str]]
SKILL_LANGUAGES = ("es", "fr")
MOST_GROUPS = 3
# languages without names in any taxonomy here: their codes in NTREX, FLORES and Tatoeba
EAST_ASIAN = {"ja": ("jpn", "jpn_Jpan", "jpn"), "ko": ("kor", "kor_Hang", "kor"), "zh": ("zho-CN", "zho_Hans", "cmn")}


class CodedRow(NamedTuple):
    """A title of a national coding index.

    Attributes:
        groups: unit groups of ISCO-08 that it may mean.
        title: the title, in English, perhaps with what the index qualifies it by.
        stem: the title without that.
    """

    groups: tuple[str, ...]
    title: str
    stem: str


def isco_index(path: Path) -> Rows:
    """Yield (unit group, title) of the ILO's index; `nurse: head` is reordered to `head nurse`."""
    for row in rows_with(path, "isco08", "title"):
        parts = [part.strip() for part in row["title"].split(":")]
        yield row["isco08"], " ".join(reversed(parts)) if len(parts) == 2 else row["title"]


def onet_titles(folder: Path) -> Rows:
    """Yield (O*NET occupation, title) of the alternate and the reported titles; O*NET's own names are left out."""
    for file, column in (("Alternate Titles.txt", "Alternate Title"), ("Sample of Reported Titles.txt", "Reported Job Title")):  # fmt: skip  # noqa: E501
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
        groups: dict[tuple[str, str], set[str]] = {}
        for row in rows_with(folder / f"{file}.tsv", "title", column):
            groups.setdefault((row["title"], row["title"]), set()).update(row[column].split("|"))
        yield from _coded_rows(groups)


def _coded_rows(groups: dict[tuple[str, str], set[str]]) -> Iterator[CodedRow]:
    for (title, stem), codes in groups.items():
        known = codes - {""}  # a title that no group was found for
        if title and known:
            yield CodedRow(tuple(sorted(known)), title, stem)


def skill_names(taxonomy: Taxonomy) -> Rows:
    """Yield each English name of each skill as its own English."""
    table = taxonomy.tables.skill_names
    for text in table["text"][table["language"] == ENGLISH]:
        yield text, text


def skill_translations(folder: Path, taxonomy: Taxonomy) -> Rows:
    """Yield the names of skills in other languages with the preferred English name.

    Args:
        folder: folder with `skills_XX.csv` of ESCO.
        taxonomy: the taxonomy with the same skills in English.
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
    texts, translations = (_lines(each) for each in (path, english))
    if len(texts) != len(translations):
        raise DataFileError(path, f"expected {len(translations)} lines as in {english.name}, found {len(texts)}")
    yield from zip(texts, translations, strict=True)


def _lines(path: Path) -> list[str]:
    try:
        return read_text(path).split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise DataFileError(path, f"expected text in UTF-8, one sentence a line ({error})") from error


def rows_with(path: Path, *columns: str) -> Iterator[dict[str, str]]:
    """Yield the rows of a table with these columns, and perhaps others.

    Raises:
        DataFileError: the table cannot be read, or lacks a column.
    """
    for batch in read_table(path):
        for record in batch:
            if any(column not in record for column in columns):
                raise DataFileError(path, f"expected the columns {', '.join(columns)}")
            yield {column: str(record[column] or "").strip() for column in columns}
