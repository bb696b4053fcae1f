"""Catalogues of what pages show: a template of each kind, and a catalogue of each language, brought up to date."""

from datetime import UTC, datetime
from functools import cache
from io import BytesIO
from pathlib import Path

from babel.messages import Catalog
from babel.messages.pofile import read_po, write_po

from jobmatch_core.text.locales import ENGLISH
from lab.translation.composed_texts import composed_texts
from lab.translation.messages import messages
from pages.shared.language import CATALOGUES, CORE, LANGUAGES, PAGES, catalogue_path

KINDS = (PAGES, CORE)
TRANSLATED = tuple(code for code in LANGUAGES if code != ENGLISH)
_BEGUN = datetime(2026, 11, 28, tzinfo=UTC)  # a template changes with its texts alone


def template_path(kind: str) -> Path:
    """Return the file with the texts of a kind."""
    return CATALOGUES / f"{kind}.pot"


def template(kind: str) -> Catalog:
    """Return all texts of a kind, without translations."""
    catalogue = Catalog(creation_date=_BEGUN)
    for text, place in _texts(kind):
        catalogue.add(text, locations=[(place, 0)])
    return catalogue


@cache  # reading the code takes a second, and a template is made for each language
def _texts(kind: str) -> list[tuple[str | tuple[str, str], str]]:
    return list(composed_texts() if kind == CORE else ((message.id, message.place) for message in messages()))


def written(catalogue: Catalog, kind: str) -> bytes:
    """Return a catalogue as a file, without the lines of the texts, which move all the time."""
    catalogue.header_comment = "# Texts of jobmatch's pages, kept up to date by `python -m lab translate`."
    catalogue.project, catalogue.version = "jobmatch", kind
    catalogue.msgid_bugs_address = catalogue.last_translator = catalogue.language_team = ""
    catalogue.fuzzy, catalogue.revision_date = False, _BEGUN
    file = BytesIO()
    write_po(file, catalogue, width=100, include_lineno=False, ignore_obsolete=True)
    return file.getvalue()


def read(path: Path, language: str) -> Catalog:
    """Return a stored catalogue."""
    with path.open("rb") as file:
        return read_po(file, locale=language)


def update() -> dict[str, int]:
    """Write the templates, and each catalogue with its template's texts; return the texts left by language."""
    left = dict.fromkeys(TRANSLATED, 0)
    for kind in KINDS:
        whole = template(kind)
        template_path(kind).write_bytes(written(whole, kind))
        for language in TRANSLATED:
            path = catalogue_path(language, kind)
            path.parent.mkdir(parents=True, exist_ok=True)
            catalogue = read(path, language) if path.exists() else Catalog(language)
            catalogue.update(whole, no_fuzzy_matching=True)
            path.write_bytes(written(catalogue, kind))
            left[language] += sum(not is_translated(message.string) for message in catalogue if message.id)
    return left


def is_translated(text: str | tuple[str, ...] | list[str] | None) -> bool:
    """Return whether a text, or each of its plural forms, is there."""
    return bool(text) if isinstance(text, str) else all(text or ("",))
