"""Sets of adverts and CVs with judgments of which CVs fit each advert, such as TalentCLEF's task A of 2026.

Scope: full texts of job adverts (queries) and CVs (corpus), in one language. Fields: `queries` and `corpus` are JSON
lines with `id` and `text`, `qrels` is trec_eval's table of query, 0, corpus id and relevance; an unjudged pair
is not relevant. Files: `*queries.jsonl`, `*corpus.jsonl` (either with `.gz`) and `*qrels.tsv` in one folder; the
language stands in their names, as in `dev_ro_corpus.jsonl.gz`.

A text is split into the sections of a document at its headings (`headings.toml`, nine languages). An advert's first
line is its title and says who is wanted. A CV seldom has one: its title is the last job's, the first line below the
heading of the experience. Text under no heading, or under an unknown one, is the description.
"""

import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from scipy.sparse import csr_matrix

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.table_limits import single_lines, unpacking
from jobmatch_core.io.text_files import check_regular, hash_files
from jobmatch_core.io.tsv import read_qrels
from jobmatch_core.taxonomy.skill_finder import SkillKeys
from jobmatch_core.text.folding import fold
from jobmatch_core.text.locales import language_code
from jobmatch_core.text.markup import plain_text
from jobmatch_core.towers.documents import SECTIONS, Document, Kind, known_headings

_LONGEST_HEADING, _LONGEST_TITLE = 60, 100  # letters
_RULE = re.compile(r"^[-=_*\s]{3,}$")
_BULLET = re.compile(r"^[-*•·–▪]+\s+")
_BETWEEN_SKILLS = re.compile(r"[,;|•·\n]")
_SKILL_SECTIONS = ("mandatory_skills", "bonus_skills", "skills")
_LONGEST_SKILL = 60  # letters; more is a sentence
_HEADED: dict[Kind, tuple[str, ...]] = {
    "project": ("description", "mandatory_skills", "bonus_skills"),
    "freelancer": ("description", "experience", "education", "skills"),
}
_ENDINGS = {"queries": "*queries.jsonl*", "corpus": "*corpus.jsonl*", "qrels": "*qrels.tsv"}


def sectioned(key: str, kind: Kind, language: str, text: str, keys: SkillKeys) -> Document:
    """Return a text as a document.

    Args:
        key: id of the document.
        kind: an advert is a project, a CV a freelancer.
        language: language code of the text.
        text: one heading, paragraph or item per line.
        keys: keys of skills by name.
    """
    sections = dict.fromkeys(SECTIONS[kind], "")
    parts: dict[str, list[str]] = {}
    for section, line in _parted(text, kind):
        parts.setdefault(section, []).append(line)
    title = _title(kind, parts)
    parts["experience"] = parts.get("experience", []) + parts.pop("education", [])
    sections |= {section: "\n".join(parts.get(section, [])) for section in sections} | {"title": title}
    if kind == "project":
        sections["job_title"] = title
    skills = keys.named(
        item for section in _SKILL_SECTIONS for line in parts.get(section, []) for item in _skill_items(line)
    )
    return Document(
        id=key,
        kind=kind,
        language=language,
        category="",
        texts=tuple(sections[section] for section in SECTIONS[kind]),
        skill_keys=frozenset(skill.key for skill in skills),
    )


def _parted(text: str, kind: Kind) -> Iterator[tuple[str, str]]:
    """Yield each line that is not a heading, with its section."""
    section = "title" if kind == "project" else "description"
    headings = known_headings(kind, _HEADED[kind])
    for line in (line.strip() for line in plain_text(text).splitlines()):
        if not line or _RULE.match(line):
            continue
        if heading := headings.get(fold(line)) if len(line) <= _LONGEST_HEADING else None:
            section = heading
        elif _is_heading(line):
            section = "description"
        elif section == "title" and len(line) > _LONGEST_TITLE:
            section = "description"
            yield section, line
        else:
            yield section, line
            section = "description" if section == "title" else section


def _is_heading(line: str) -> bool:
    """Return whether a line looks like an unknown heading: a short one in capitals or with a colon at its end."""
    if len(line) > _LONGEST_HEADING or _BULLET.match(line):
        return False
    return line.endswith(":") or (line.isupper() and len(fold(line)) > 3)


def _title(kind: Kind, parts: dict[str, list[str]]) -> str:
    """Return an advert's own title, or the first line of a CV's experience."""
    lines = parts.get("title" if kind == "project" else "experience", [])
    is_title = bool(lines) and len(lines[0]) <= _LONGEST_TITLE and not _BULLET.match(lines[0])
    return lines[0].strip("*# ") if is_title else ""


def _skill_items(line: str) -> list[str]:
    line = _BULLET.sub("", line)
    before, colon, after = line.partition(":")
    items = _BETWEEN_SKILLS.split(after if colon and after.strip() else before)
    return [item.strip(" .*") for item in items if len(item.strip()) <= _LONGEST_SKILL]


@dataclass(frozen=True)
class AdvertSet:
    """Adverts to be answered out of CVs."""

    name: str  # name of the folder
    language: str  # language code of all texts
    adverts: tuple[Document, ...]  # documents of the kind `project`
    profiles: tuple[Document, ...]  # documents of the kind `freelancer`
    relevant: csr_matrix  # (advert, profile) boolean
    data_hash: str  # SHA-256 of the files read, for the reports


def read_adverts(folder: Path, *, language: str = "") -> AdvertSet:
    """Read a folder's adverts, CVs and judgments.

    Args:
        folder: with the three files.
        language: language code of the texts; read from the file names by default.

    Raises:
        DataFileError: a file is missing, ambiguous or damaged, an id occurs twice, the judgments have unknown ids, or
            the language is unknown.
    """
    paths = {kind: _only(folder, pattern) for kind, pattern in _ENDINGS.items()}
    language = language or _language_of(paths["corpus"])
    adverts, profiles = (
        tuple(sectioned(key, kind, language, text, SkillKeys()) for key, text in _texts(path).items())
        for kind, path in _kinds(paths)
    )
    return AdvertSet(
        name=folder.resolve().name,
        language=language,
        adverts=adverts,
        profiles=profiles,
        relevant=read_qrels(paths["qrels"], [advert.id for advert in adverts], [profile.id for profile in profiles]),
        data_hash=hash_files(list(paths.values())),
    )


def _kinds(paths: dict[str, Path]) -> tuple[tuple[Kind, Path], tuple[Kind, Path]]:
    return ("project", paths["queries"]), ("freelancer", paths["corpus"])


def _only(folder: Path, pattern: str) -> Path:
    paths = sorted(folder.glob(pattern))
    if len(paths) != 1:
        raise DataFileError(folder, f"expected one file {pattern} in this folder, found {len(paths)}")
    return paths[0]


def _language_of(path: Path) -> str:
    codes = [code for part in path.name.split(".")[0].split("_") if len(part) == 2 and (code := language_code(part))]
    if not codes:
        raise DataFileError(path, "the file's name has no language, as in dev_ro_corpus.jsonl; give one")
    return codes[0]


def _texts(path: Path) -> dict[str, str]:
    texts: dict[str, str] = {}
    for line, row in enumerate(_lines(path), 1):
        if not row.strip():
            continue
        try:
            record = json.loads(row)
            key, text = str(record["id"]), record["text"]
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise DataFileError(path, "expected a JSON object with an id and a text", line=line) from error
        if key in texts or not isinstance(text, str):
            problem = f"the id {key} occurs twice" if key in texts else "the text is no text"
            raise DataFileError(path, problem, line=line)
        texts[key] = text
    if not texts:
        raise DataFileError(path, "the file is empty")
    return texts


def _lines(path: Path) -> Iterator[str]:
    try:
        check_regular(path)
        opened = unpacking(path) if path.suffix == ".gz" else path.open("rb")
        with opened as file, io.TextIOWrapper(file, encoding="utf-8") as text:
            yield from single_lines(path, text)
    except (OSError, EOFError, UnicodeDecodeError) as error:  # what gzip raises of a damaged file
        raise DataFileError(path, f"the file cannot be read ({error})") from error
