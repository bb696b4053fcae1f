"""Retention: deletes what is older than `JOBMATCH_KEEP_DAYS` by the clock, also while nobody uses the server."""

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
    """Deletes old searches, lists, texts and ended jobs of a home, at once and then every hour.

    Several servers may do this for one home at once.
    """

    def __init__(self, settings: Settings, wait: Callable[[float], bool] | None = None) -> None:
        """Use a home; nothing is deleted before `start` or `run`.

        Args:
            settings: locations, and the number of days.
            wait: waits so many seconds and returns whether to stop; by default until `stop` is called.
        """
        self._settings = settings
        self._stopping = threading.Event()
        self._wait = wait or self._stopping.wait
        self._thread = threading.Thread(target=self.run, name="retention", daemon=True)

    def start(self) -> None:
        """Begin, in a thread of its own."""
        self._thread.start()

    def stop(self, seconds: float = 5.0) -> None:
        """Stop, and wait so long at most for what is being deleted."""
        self._stopping.set()
        self._thread.join(seconds)

    def run(self) -> None:
        """Delete what is old, now and every hour, until it is time to stop."""
        while True:
            for delete in (self._delete_searches, self._delete_lists, self._delete_jobs, self._delete_texts):
                try:
                    delete()
                except (OSError, JobMatchError) as error:  # the next hour tries again
                    _log.warning("What is old could not be deleted: %s", error)
            remove_left_over()
            if self._wait(_PERIOD_SECONDS):
                return

    def _delete_lists(self) -> None:
        ListStore.open(self._settings).remove_old()

    def _delete_jobs(self) -> None:
        LinkJobStore(self._settings).remove_old()

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
            # again, also where nothing was old: somebody may have read the log when something was erased
            remains = store.overwrite_deleted()
        if erased:
            _log.info("%d searches older than %d days were erased. %s", erased, days, remains)
