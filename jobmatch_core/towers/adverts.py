"""Sets of adverts and CVs with judgments of which CVs fit each advert, such as TalentCLEF's task A of 2026.

Scope: full texts of job adverts (queries) and CVs (corpus), in one language. Fields: `queries` and `corpus` are JSON
lines with `id` and `text`, `qrels` is trec_eval's table of query, 0, corpus id and relevance; an unjudged pair
is not relevant. Files: `*queries.jsonl`, `*corpus.jsonl` (either with `.gz`) and `*qrels.tsv` in one folder; the
language stands in their names, as in `dev_ro_corpus.jsonl.gz`.
"""

import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from scipy.sparse import csr_matrix

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.gzip_file import unpacking
from jobmatch_core.io.table_limits import single_lines
from jobmatch_core.io.text_files import check_regular
from jobmatch_core.io.tsv import hash_files, read_qrels
from jobmatch_core.taxonomy.skill_keys import SkillKeys
from jobmatch_core.text.languages import language_code
from jobmatch_core.towers.advert_sections import sectioned
from jobmatch_core.towers.documents import Document, Kind

_ENDINGS = {"queries": "*queries.jsonl*", "corpus": "*corpus.jsonl*", "qrels": "*qrels.tsv"}


@dataclass(frozen=True)
class AdvertSet:
    """Adverts to be answered out of CVs.

    Attributes:
        name: name of the folder.
        language: language code of all texts.
        adverts: documents of the kind `project`.
        profiles: documents of the kind `freelancer`.
        relevant: (advert, profile) boolean.
        data_hash: SHA-256 of the files read, for the reports.
    """

    name: str
    language: str
    adverts: tuple[Document, ...]
    profiles: tuple[Document, ...]
    relevant: csr_matrix
    data_hash: str


def read_adverts(folder: Path, *, language: str = "", keys: SkillKeys | None = None) -> AdvertSet:
    """Read a folder's adverts, CVs and judgments.

    Args:
        folder: with the three files.
        language: language code of the texts; read from the file names by default.
        keys: keys of skills by name; by default each skill has its own text as key.

    Raises:
        DataFileError: a file is missing, ambiguous or damaged, an id occurs twice, the judgments have unknown ids, or
            the language is unknown.
    """
    paths = {kind: _only(folder, pattern) for kind, pattern in _ENDINGS.items()}
    language = language or _language_of(paths["corpus"])
    adverts, profiles = (
        tuple(sectioned(key, kind, language, text, keys or SkillKeys()) for key, text in _texts(path).items())
        for kind, path in _kinds(paths)
    )
    return AdvertSet(
        name=folder.resolve().name,
        language=language,
        adverts=adverts,
        profiles=profiles,
        relevant=read_qrels(paths["qrels"], [each.id for each in adverts], [each.id for each in profiles]),
        data_hash=hash_files(list(paths.values())),
    )


def _kinds(paths: dict[str, Path]) -> tuple[tuple[Kind, Path], tuple[Kind, Path]]:
    return ("project", paths["queries"]), ("freelancer", paths["corpus"])


def _only(folder: Path, pattern: str) -> Path:
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise DataFileError(folder, f"expected one file {pattern} in this folder, found {len(found)}")
    return found[0]


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
