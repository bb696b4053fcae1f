"""Audits in the background of this process, one at a time, which go on while their starter looks elsewhere."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

from jobmatch.services.auditing import AuditService, MatchingAudit
from jobmatch.services.background_call import Background
from jobmatch.services.linking import LinkingService, LinkOptions, linking_service
from jobmatch_core.audit.audit_store import audit_key
from jobmatch_core.audit.title_audit import PER_LANGUAGE
from jobmatch_core.entities import Progress
from jobmatch_core.errors import SettingsError

_one_at_a_time = Lock()


@dataclass(frozen=True, slots=True)
class TitlesAudit:
    """An audit of the linker of a taxonomy, with at most so many twins of each language."""

    taxonomy: str
    per_language: int = PER_LANGUAGE


class _Stopped(Exception):
    pass


class AuditRun:
    """An audit that runs or has ended."""

    def __init__(self, service: AuditService, what: TitlesAudit | MatchingAudit, who: str) -> None:
        """Start the audit."""
        # stopping: true once it was asked to stop
        self.what, self.who, self.stopping = what, who, False
        self._service = service
        self.background: Background[str] = Background(self._run)  # the call; done and total of its current step

    @property
    def running(self) -> bool:
        """True until it has ended."""
        return not self.background.future.done()

    def stop(self) -> None:
        """Stop at the next report of progress; nothing is stored."""
        self.stopping = True

    def result(self) -> str:
        """Wait for the key of the stored report; '' if it was stopped. Raises as `AuditService`."""
        return self.background.result()

    def _run(self, progress: Progress) -> str:
        def report(done: int, total: int) -> None:
            if self.stopping:
                raise _Stopped
            progress(done, total)

        try:
            if isinstance(self.what, MatchingAudit):
                return audit_key(self._service.matching(self.what, progress=report))
            options = LinkOptions(self.what.taxonomy)
            return audit_key(self._service.titles(options, self.what.per_language, progress=report))
        except _Stopped:
            return ""


class AuditRuns:
    """The audits of a home in this process."""

    def __init__(self, linking: LinkingService) -> None:
        self._service = AuditService(linking)
        self._lock = Lock()
        self.latest: AuditRun | None = None

    def start(self, what: TitlesAudit | MatchingAudit, who: str) -> AuditRun:
        """Start an audit and return at once; raises SettingsError while another one runs, as each takes all cores."""
        with self._lock:
            if self.latest is not None and self.latest.running:
                raise SettingsError(
                    f"An audit runs already, started by {self.latest.who}; wait until it ends, or stop it."
                )
            self.latest = AuditRun(self._service, what, who)
            return self.latest


_over: Callable[[LinkingService], AuditRuns] = lru_cache(maxsize=1)(AuditRuns)


def audit_runs() -> AuditRuns:
    """Return the shared audits of this process, for the folders of its current environment."""
    with _one_at_a_time:
        return _over(linking_service())
