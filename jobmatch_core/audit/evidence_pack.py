"""The evidence pack: one folder under the headings of Annex IV of the EU's AI Act, with gaps marked as gaps.

It orders what is stored. Whether that is enough in law is for people to decide, so the pack never says so.
"""

import io
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from jobmatch_core.audit.report_files import html_page, paragraphs
from jobmatch_core.io.folders import make_folder, write_text_whole
from jobmatch_core.io.tables import Record, write_table
from jobmatch_core.io.temporary import temporary_folder
from jobmatch_core.io.text_files import json_text

JSON_FILE, CSV_FILE, HTML_FILE = "evidence.json", "evidence.csv", "evidence.html"
NOTICE = (
    "This pack orders what is stored under the headings of Annex IV of Regulation (EU) 2024/1689. "
    "It is no legal assessment. A gap is something that is not stored here and that people have to add."
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """One stored fact."""

    subject: str  # the model, data set or action that it is about
    fact: str  # kind of fact
    value: str  # the fact in words or figures


@dataclass(frozen=True, slots=True)
class EvidenceSection:
    """A heading of the annex."""

    heading: str
    facts: tuple[Evidence, ...]  # what is stored
    gaps: tuple[str, ...]  # what the annex asks for and nothing here knows


@dataclass(frozen=True, slots=True)
class EvidencePack:
    """All sections, with the time and version of their collection."""

    created: str
    version: str
    sections: tuple[EvidenceSection, ...]


def write_pack(pack: EvidencePack, folder: Path) -> list[Path]:
    """Write a pack as HTML, CSV and JSON into a folder, which is made if it is missing; OSError if the disk refuses."""
    make_folder(folder)
    paths = [folder / name for name in (HTML_FILE, CSV_FILE, JSON_FILE)]
    write_text_whole(paths[0], pack_html(pack))
    write_table(paths[1], pack_rows(pack))
    write_text_whole(paths[2], json_text({"notice": NOTICE} | asdict(pack), ensure_ascii=False, indent=1))
    return paths


def packed(pack: EvidencePack) -> bytes:
    """Return the files of a pack as a ZIP archive."""
    archive = io.BytesIO()
    with temporary_folder() as folder, ZipFile(archive, "w", ZIP_DEFLATED) as file:
        for path in write_pack(pack, folder):
            file.write(path, f"evidence/{path.name}")
    return archive.getvalue()


def pack_rows(pack: EvidencePack) -> Iterator[Record]:
    """Yield one row for each fact and each gap."""
    for section in pack.sections:
        for fact in section.facts:
            yield {"heading": section.heading, "is_gap": False} | asdict(fact)
        for gap in section.gaps:
            yield {"heading": section.heading, "is_gap": True, "subject": "", "fact": "gap", "value": gap}


def pack_html(pack: EvidencePack) -> str:
    """Return the pack as a page; all texts are escaped."""
    parts = [
        "<h1>Evidence pack</h1>",
        *paragraphs([f"{pack.created}, jobmatch {pack.version}", NOTICE]),
        *(part for section in pack.sections for part in _section_html(section)),
    ]
    return html_page("Evidence pack", parts)


def _section_html(section: EvidenceSection) -> Sequence[str]:
    rows = "".join(
        f"<tr><td>{escape(fact.subject)}</td><td>{escape(fact.fact)}</td><td>{escape(fact.value)}</td></tr>"
        for fact in section.facts
    )
    head = "<thead><tr><th>about</th><th>what</th><th>stored</th></tr></thead>"
    table = f"<table>{head}<tbody>{rows}</tbody></table>" if rows else ""
    gaps = [f'<p class="gap">Gap: {escape(gap)}</p>' for gap in section.gaps]
    return [f"<h2>{escape(section.heading)}</h2>", table, *gaps]
