"""Bags of skills for D1: titles with the skills that their holders need, and the bags' target vectors.

Paper: Deniz et al. (2024), section 3.1.1. Instead of private postings and machine translation, bags come from
taxonomies, O*NET, postings and tables, and names in all languages share a bag. Target vectors are PV-DBOW doc2vec (Le &
Mikolov 2014) with 512 dimensions.
"""

import io
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray
from jobmatch_core.errors import DataFileError, SettingsError, TaxonomyError
from jobmatch_core.io.table_limits import single_lines, unpacking
from jobmatch_core.io.tables import read_table
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.folding import fold
from jobmatch_core.text.locales import ENGLISH
from jobmatch_core.titles.occupation_names import OccupationNames

POSTING_TITLE = "job_title"
POSTING_SKILLS = ("hard_skills", "tools", "knowledge_domains", "digital_competences")
_SOC = "O*NET-SOC Code"
_ONET_TITLES = {
    "Occupation Data.txt": "Title",
    "Alternate Titles.txt": "Alternate Title",
    "Sample of Reported Titles.txt": "Reported Job Title",
}
_ONET_SKILLS = {"Technology Skills.txt": "Example", "Task Statements.txt": "Task"}
ONET_FILES = (*_ONET_TITLES, *_ONET_SKILLS)
DIMENSIONS = 512  # section 3.1.1
MIN_COUNT = 2  # a word of only one bag says nothing about others
_WORD = re.compile(r"\w+")
_LONGEST_PHRASE = 6  # words; a longer text is a sentence, and hardly another bag has the same


@dataclass(frozen=True, slots=True)
class SkillBag:
    """Titles that ask for the same skills, each text once."""

    titles: tuple[str, ...]
    skills: tuple[str, ...]


def taxonomy_bags(names: OccupationNames, skills: Taxonomy) -> list[SkillBag]:
    """Return a bag per occupation: its names in all languages, with the skills of the occupation of the same URI.

    Raises TaxonomyError if no occupation with a name has skills there.
    """
    texts = _skill_texts(skills)
    relations = skills.tables.relations
    by_uri: dict[str, list[str]] = {}
    for occupation, skill in zip(relations["occupation"].to_list(), relations["skill"].to_list(), strict=True):
        by_uri.setdefault(skills.uris[occupation], []).append(texts[skill])
    titles: dict[str, list[str]] = {}
    for row in np.argsort(names.concepts, kind="stable").tolist():
        titles.setdefault(names.uris[names.concepts[row]], []).append(names.texts[row])
    bags = [_bag(titles[uri], by_uri[uri]) for uri in titles if uri in by_uri]
    if not bags:
        raise TaxonomyError(
            f"{skills.id} relates no skills to the occupations that are trained on; name a taxonomy that does, "
            "such as ESCO imported from its whole CSV download."
        )
    return bags


def onet_bags(folder: Path) -> list[SkillBag]:
    """Return a bag per O*NET occupation: its titles, with its technology skills and task statements.

    The folder has O*NET's tab-separated text files, version 27 or later. Raises DataFileError if one is missing or
    lacks a column.
    """
    titles = _onet_column(folder, _ONET_TITLES)
    skills = _onet_column(folder, _ONET_SKILLS)
    return [_bag(titles[code], skills[code]) for code in titles if code in skills]


def posting_bags(path: Path) -> list[SkillBag]:
    """Return a bag per title: the skills found in all postings of that title.

    The file has JSON lines, also with .gz, with `job_title` and lists of skills. Raises DataFileError if it cannot be
    read, or no posting has a title and a skill.
    """
    pairs = (
        (str(row.get(POSTING_TITLE) or ""), str(skill))
        for row in _records(path)
        for field in POSTING_SKILLS
        for skill in row.get(field) or ()
    )
    return _by_title(path, pairs, f"a {POSTING_TITLE} and skills in {', '.join(POSTING_SKILLS)}")


def table_bags(path: Path) -> list[SkillBag]:
    """Return a bag per title: the skills of its rows.

    The table has the columns title and skill, one skill a row. Raises DataFileError if it cannot be read, or no row has
    both.
    """
    pairs = ((str(row.get("title") or ""), str(row.get("skill") or "")) for row in _records(path))
    return _by_title(path, pairs, "a title and a skill in the columns of these names")


def with_translations(bags: Sequence[SkillBag], path: Path) -> list[SkillBag]:
    """Add to each bag the titles that a file gives as foreign originals of one of its titles.

    The table, or JSON lines (also .gz), has the fields src and en. Raises DataFileError if it cannot be read, or lacks
    them.
    """
    originals: dict[str, set[str]] = {}
    for row in _records(path):
        if not row.get("src") or not row.get("en"):
            raise DataFileError(path, "expected a title as src and its translation as en in every row")
        originals.setdefault(fold(str(row["en"])), set()).add(str(row["src"]).strip())
    return [replace(bag, titles=_with_originals(bag.titles, originals)) for bag in bags]


def _skill_texts(taxonomy: Taxonomy) -> dict[int, str]:
    table = taxonomy.tables.skill_names
    chosen = table[table["preferred"]]
    texts: dict[int, str] = {}
    for skill, language, text in zip(chosen["skill"], chosen["language"], chosen["text"], strict=True):
        if language == ENGLISH or skill not in texts:
            texts[int(skill)] = str(text)
    return texts


def _with_originals(titles: Sequence[str], originals: dict[str, set[str]]) -> tuple[str, ...]:
    added = (original for title in titles for original in sorted(originals.get(fold(title), ())))
    return tuple(dict.fromkeys([*titles, *added]))


def _bag(titles: Iterable[str], skills: Iterable[str]) -> SkillBag:
    return SkillBag(tuple(dict.fromkeys(titles)), tuple(dict.fromkeys(skills)))


def _by_title(path: Path, pairs: Iterable[tuple[str, str]], expected: str) -> list[SkillBag]:
    """Group skills by folded title; a skill that occurs twice counts twice."""
    titles: dict[str, list[str]] = {}
    skills: dict[str, list[str]] = {}
    for title, skill in pairs:
        if (key := fold(title)) and skill.strip():
            titles.setdefault(key, []).append(title.strip())
            skills.setdefault(key, []).append(skill.strip())
    if not titles:
        raise DataFileError(path, f"no row has what was expected: {expected}")
    return [SkillBag(tuple(dict.fromkeys(titles[key])), tuple(skills[key])) for key in titles]


def _onet_column(folder: Path, columns: dict[str, str]) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for file, column in columns.items():
        for row in _records(folder / file):
            if _SOC not in row or column not in row:
                raise DataFileError(folder / file, f"expected the columns {_SOC!r} and {column!r}, separated by tabs")
            values.setdefault(row[_SOC], []).append(row[column].strip())
    return values


def _records(path: Path) -> Iterator[dict[str, Any]]:
    if path.name.endswith(".jsonl.gz"):
        yield from _zipped_records(path)
    else:
        for batch in read_table(path):
            yield from batch


def _zipped_records(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with unpacking(path) as file, io.TextIOWrapper(file, encoding="utf-8") as lines:
            for text in single_lines(path, lines):
                row = json.loads(text)
                if not isinstance(row, dict):
                    raise ValueError(f"no object, but {text[:40]!r}")
                yield row
    except (OSError, EOFError, ValueError, RecursionError, zlib.error) as error:
        raise DataFileError(path, f"expected zipped JSON lines ({error})") from error


@dataclass(frozen=True, slots=True)
class TitleTargets:
    """D1: titles, each with the vector of its bag."""

    titles: list[str]  # titles of all bags; a title of several bags is repeated
    bags: NDArray[np.int32]  # (title,) row of its bag's vector
    vectors: FloatArray  # (bag, dimension) L2-normalised


def title_targets(bags: Sequence[SkillBag], vectors: FloatArray) -> TitleTargets:
    """Pair every title with its bag's vector, shape (bag, dimension)."""
    numbers = np.repeat(np.arange(len(bags), dtype=np.int32), [len(bag.titles) for bag in bags])
    return TitleTargets([title for bag in bags for title in bag.titles], numbers, vectors)


def skill_vectors(bags: Sequence[SkillBag], *, dimensions: int = DIMENSIONS, epochs: int, seed: int) -> FloatArray:
    """Fit PV-DBOW to bags of skills.

    Args:
        bags: bags of skills, at least one.
        epochs: passes over the bags.
        seed: seed of the fit; it runs in one thread, so that the result is reproducible.

    Returns:
        L2-normalised, shape (bag, dimension).

    Raises:
        SettingsError: gensim is not installed.
    """
    try:
        from gensim.models.doc2vec import Doc2Vec, TaggedDocument
    except ImportError as error:
        raise SettingsError(
            "Learning from bags of skills needs gensim, which has no package for Python 3.14; train with 3.13 or older."
        ) from error

    documents = [TaggedDocument(skill_words(bag), [number]) for number, bag in enumerate(bags)]
    model = Doc2Vec(documents, dm=0, vector_size=dimensions, min_count=MIN_COUNT, epochs=epochs, workers=1, seed=seed)
    vectors = np.asarray(model.dv.vectors, dtype=np.float32)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, np.finfo(np.float32).tiny), dtype=np.float32)


def skill_words(bag: SkillBag) -> list[str]:
    """Return the words that a bag predicts: each short skill as one word, and the words of every skill.

    The words let bags of different sources meet, which hardly name any skill the same way. Of ESCO's bags, half have
    their nearest one in their own unit group, against three eighths with whole skills alone.
    """
    words = []
    for skill in bag.skills:
        parts = _WORD.findall(skill.casefold())
        words += parts
        if 1 < len(parts) <= _LONGEST_PHRASE:
            words.append("_".join(parts))
    return words
