"""Catalogues of the pages' texts: the template, and a catalogue of each language, brought up to date."""

from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from babel.messages import Catalog
from babel.messages.pofile import read_po, write_po

from jobmatch_core.text.locales import ENGLISH
from lab.translation.messages import messages
from pages.shared.language import CATALOGUES, DOMAIN, LANGUAGES, catalogue_path

TEMPLATE = CATALOGUES / f"{DOMAIN}.pot"
TRANSLATED = tuple(code for code in LANGUAGES if code != ENGLISH)
_BEGUN = datetime(2026, 11, 28, tzinfo=UTC)  # a template changes with its texts alone


def template() -> Catalog:
    """Return all texts of the pages, without translations."""
    catalogue = Catalog(creation_date=_BEGUN)
    for message in messages():
        catalogue.add(message.id, locations=[(message.place, 0)])
    return catalogue


def written(catalogue: Catalog) -> bytes:
    """Return a catalogue as a file, without the lines of the texts, which move all the time."""
    catalogue.header_comment = "# Texts of jobmatch's pages, kept up to date by `python -m lab translate`."
    catalogue.project, catalogue.version = "jobmatch", "pages"
    catalogue.msgid_bugs_address = catalogue.last_translator = catalogue.language_team = ""
    catalogue.fuzzy, catalogue.revision_date = False, _BEGUN
    file = BytesIO()
    write_po(file, catalogue, width=100, include_lineno=False, ignore_obsolete=True)
    return file.getvalue()


def read(path: Path, language: str) -> Catalog:
    """Return a stored catalogue."""
    with path.open("rb") as file:
        return read_po(file, locale=language, domain=DOMAIN)


def update() -> dict[str, int]:
    """Write the template, and each catalogue with the template's texts; return the number of texts left by language."""
    whole = template()
    TEMPLATE.parent.mkdir(parents=True, exist_ok=True)
    TEMPLATE.write_bytes(written(whole))
    left = {}
    for language in TRANSLATED:
        path = catalogue_path(language)
        path.parent.mkdir(parents=True, exist_ok=True)
        catalogue = read(path, language) if path.exists() else Catalog(language, domain=DOMAIN)
        catalogue.update(whole, no_fuzzy_matching=True)
        path.write_bytes(written(catalogue))
        left[language] = sum(not is_translated(message.string) for message in catalogue if message.id)
    return left


def is_translated(text: str | tuple[str, ...] | list[str] | None) -> bool:
    """Return whether a text, or each of its plural forms, is there."""
    return bool(text) if isinstance(text, str) else all(text or ("",))
