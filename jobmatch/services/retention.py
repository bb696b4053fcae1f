"""Retention: hourly deletion of searches, lists, texts and jobs older than `JOBMATCH_KEEP_DAYS`."""

import logging
import threading
from collections.abc import Callable

from db.label_store import LabelStore
from jobmatch.services.link_jobs import LinkJobStore
from jobmatch_core.errors import JobMatchError
from jobmatch_core.io.temporary import remove_left_over
from jobmatch_core.io.user_store import TextStore
from jobmatch_core.linking.list_store import ListStore
from jobmatch_core.settings import Settings

_log = logging.getLogger(__name__)
_PERIOD_SECONDS = 60 * 60.0


class Retention:
    """Deletes old searches, lists, texts and ended jobs of a home, now and every hour; several servers may do so."""

    def __init__(self, settings: Settings, wait: Callable[[float], bool] | None = None) -> None:
        """Delete nothing before `start` or `run`; *wait* waits so many seconds and returns whether to stop."""
        self._settings = settings
        self._stopping = threading.Event()
        self._wait = wait or self._stopping.wait
        self._thread = threading.Thread(target=self.run, name="retention", daemon=True)

    def start(self) -> None:
        """Run in a thread of its own."""
        self._thread.start()

    def stop(self, seconds: float = 5.0) -> None:
        """Stop, and wait at most so long for a deletion in progress."""
        self._stopping.set()
        self._thread.join(seconds)

    def run(self) -> None:
        """Delete old data now and every hour, until it is time to stop."""
        while True:
            for delete in (
                self._delete_searches,
                lambda: ListStore.open(self._settings).remove_old(),
                lambda: LinkJobStore(self._settings).remove_old(),
                self._delete_texts,
            ):
                try:
                    delete()
                except (OSError, JobMatchError) as error:  # tried again after an hour
                    _log.warning("Old data could not be deleted: %s", error)
            remove_left_over()
            if self._wait(_PERIOD_SECONDS):
                return

    def _delete_texts(self) -> None:
        kinds = self._settings.texts.iterdir() if self._settings.texts.is_dir() else ()
        for folder in kinds:
            TextStore.open(folder.name, self._settings).remove_old()

    def _delete_searches(self) -> None:
        if not self._settings.may_have_labels:
            return
        with LabelStore.open(self._settings.label_store) as store:
            days = self._settings.keep_days
            erased = store.erase_searches(days).count if days else 0
            # also if nothing was old: an earlier erasure may have been incomplete because the log was being read
            remains = store.overwrite_deleted()
        if erased:
            _log.info("%d searches older than %d days were erased. %s", erased, days, remains)
