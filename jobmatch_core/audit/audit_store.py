"""The audits that a home keeps, each under a key: its time and a digest of its content."""

import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from jobmatch_core.audit.report import FORMAT, AuditReport
from jobmatch_core.audit.report_files import report_json
from jobmatch_core.errors import DataFileError, SettingsError
from jobmatch_core.io.folders import make_folder, write_text_whole
from jobmatch_core.io.records import read_record
from jobmatch_core.settings import Settings

_FOLDER = "audits"  # under `Settings.evaluations`
_DIGITS = re.compile(r"\d")
_MOMENT = 14  # digits of a date and a time


@dataclass(frozen=True, slots=True)
class StoredAudits:
    """All audits of a home."""

    reports: dict[str, AuditReport]  # key -> report, the latest first
    damaged: tuple[DataFileError, ...]  # what to do about files that cannot be read


class AuditStore:
    """Audits by date and model."""

    def __init__(self, settings: Settings) -> None:
        self.folder = settings.evaluations / _FOLDER

    def save(self, report: AuditReport) -> str:
        """Keep a report; return its key; SettingsError if the disk refuses."""
        key = audit_key(report)
        try:
            make_folder(self.folder)
            write_text_whole(self._path(key), report_json(report))
        except OSError as error:
            raise SettingsError(
                f"The audit could not be stored in {self.folder} ({error.strerror or error}). Free some disk space, "
                "or correct the folder's permissions, and audit again."
            ) from error
        return key

    def stored(self) -> StoredAudits:
        """Return all audits, the latest first; damaged files are named."""
        reports, damaged = {}, []
        for path in sorted(self.folder.glob("*.json"), reverse=True):
            try:
                reports[path.stem] = read_audit(path)
            except DataFileError as error:
                damaged.append(error)
        ordered = sorted(reports.items(), key=lambda item: item[1].created, reverse=True)
        return StoredAudits(dict(ordered), tuple(damaged))

    def latest(self) -> list[AuditReport]:
        """Return the last report of each model and data, the latest first.

        Raises DataFileError if one is damaged or of another release.
        """
        stored = self.stored()
        if stored.damaged:
            raise stored.damaged[0]
        by_name: dict[str, AuditReport] = {}
        for report in stored.reports.values():
            by_name.setdefault(report.name, report)
        return [*by_name.values()]

    def remove(self, key: str) -> None:
        """Remove one of the stored audits; nothing if it is gone; OSError if the disk refuses."""
        if key in self.stored().reports:
            self._path(key).unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.json"


def audit_key(report: AuditReport) -> str:
    """Return the key of a report."""
    moment = "".join(_DIGITS.findall(report.created))[:_MOMENT]
    return f"{moment}-{sha256(report_json(report).encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def read_audit(path: Path) -> AuditReport:
    """Read the report of a file; raises DataFileError if it is missing, damaged or of another release."""
    try:
        return read_record(path, AuditReport, formats=(FORMAT,))
    except (OSError, ValueError) as error:
        raise DataFileError(path, f"this audit cannot be read ({error}); remove {path} and audit again") from error
