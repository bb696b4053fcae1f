"""Crosswalks: which concepts of ESCO a national terminology's occupations correspond to.

Datasheet. Scope: one `crosswalk.json` a terminology, in a folder such as `deu_de` (source, language of its titles).
Fields: the terminology's id -> title, description, matches {URI: exactMatch | narrowMatch | broadMatch | closeMatch;
O*NET's also exactISCO, an exact match with an ISCO-08 group}.
Licence: MIT (Avature); the crosswalks behind them are the European Union's. Source: as `melo`. For evaluation only.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.text_files import read_json

FILE = "crosswalk.json"
_EXACT = ("exactMatch", "exactISCO")
_NARROW = "narrowMatch"
_FOLDER = re.compile(r"([a-z0-9]+)_([a-z]{2})")


@dataclass(frozen=True, slots=True)
class CrosswalkEntry:
    """One occupation of a terminology; matches are (concept's URI, kind of match)."""

    title: str
    matches: tuple[tuple[str, str], ...]

    @property
    def concept(self) -> str | None:
        """The one concept that it can be linked to: its only exact match, else its only narrow one (section 4)."""
        exact = [uri for uri, kind in self.matches if kind in _EXACT]
        found = exact or [uri for uri, kind in self.matches if kind == _NARROW]
        return found[0] if len(found) == 1 else None


@dataclass(frozen=True, slots=True)
class Crosswalk:
    """A terminology's entries in the order of the file, with its source (`deu`) and language."""

    source: str
    language: str
    entries: tuple[CrosswalkEntry, ...]


def read_crosswalk(path: Path) -> Crosswalk:
    """Read a `crosswalk.json`, or the one in a folder.

    Raises:
        DataFileError: it is missing or damaged, or its folder's name does not say source and language.
    """
    file = path if path.suffix == ".json" else path / FILE
    folder = _FOLDER.fullmatch(file.parent.resolve().name)
    if not folder:
        problem = (
            "the source and language are read from the name of the crosswalk's folder; expected one such as deu_de"
        )
        raise DataFileError(file, problem)
    try:
        content = read_json(file)
    except json.JSONDecodeError as error:
        raise DataFileError(file, f"this is not JSON ({error.msg}); is it cut short?", line=error.lineno) from error
    except UnicodeDecodeError as error:
        raise DataFileError(file, "this is not UTF-8 text; give the file as published") from error
    except OSError as error:
        raise DataFileError(file, f"the file cannot be read ({error.strerror or error})") from error
    if not isinstance(content, dict) or not content:
        raise DataFileError(file, 'expected an object of {id: {"title": ..., "matches": {URI: kind}}}')
    return Crosswalk(
        folder.group(1), folder.group(2), tuple(_entry(file, key, value) for key, value in content.items())
    )


def _entry(file: Path, key: str, value: object) -> CrosswalkEntry:
    match value:
        case {"title": str(title), "matches": dict(matches)} if title.strip():
            return CrosswalkEntry(title, tuple((str(uri), str(kind)) for uri, kind in matches.items()))
    raise DataFileError(file, f"the entry {key!r} must have a title and matches {{URI: kind}}")
