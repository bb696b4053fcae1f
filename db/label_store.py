"""The label store: judgments, verdicts, leases, guidelines, quotas, the search log, people and keys."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import wraps
from pathlib import Path
from types import TracebackType
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection

from db import guidelines, history, leases, quotas, recording, search_log, tallies, verdicts
from db.access_store import AccessStore
from db.database import Database, back_up
from db.guidelines import Guidelines
from db.history import JudgmentFilter
from db.quotas import QuotasVersion
from db.rows import check_judgment, check_name, check_text
from db.search_log import ErasedSearches
from db.upgrade import upgrade
from jobmatch_core.entities import Judgment, Pair, PairKind
from jobmatch_core.judgment_tallies import CurrentJudgments, TimedVerdict
from jobmatch_core.quotas import NO_QUOTAS, Quotas
from jobmatch_core.search_events import SearchChoice, SearchShown

P = ParamSpec("P")
T = TypeVar("T")


def utc_now() -> datetime:
    """Return the current UTC time."""
    return datetime.now(UTC)


def _reads(read: Callable[Concatenate[Connection, P], T]) -> Callable[Concatenate["LabelStore", P], T]:
    # a method that calls a function with a connection that only reads
    @wraps(read)
    def method(store: "LabelStore", /, *args: P.args, **kwargs: P.kwargs) -> T:
        with store._database.reading() as connection:
            return read(connection, *args, **kwargs)

    return method


class LabelStore:
    """Judgments on SQLite or PostgreSQL; safe for concurrent threads and processes.

    Every method raises LabelStoreError if the database cannot be used.
    """

    judgments, count = _reads(history.judgments), _reads(history.count)
    taken_back = _reads(history.taken_back)
    current, judgments_of = _reads(verdicts.current), _reads(verdicts.judgments_of)
    verdict_columns = _reads(verdicts.verdict_columns)
    counts, kinds = _reads(tallies.counts), _reads(tallies.kinds)
    voted_pairs, judged_pairs = _reads(tallies.voted_pairs), _reads(tallies.judged_pairs)
    second_opinions = _reads(tallies.second_opinions)
    tallies = _reads(tallies.history_tallies)
    guidelines_history, quotas_history = _reads(guidelines.versions), _reads(quotas.versions)
    searches, search_choices = _reads(search_log.searches), _reads(search_log.choices)
    search_log_size, searches_of = _reads(search_log.size), _reads(search_log.count_of)

    def __init__(self, database: Database, clock: Callable[[], datetime] = utc_now) -> None:
        """Use an upgraded database and a clock; see `open`."""
        self._database = database
        self._clock = clock

    @classmethod
    def open(cls, where: Path | str, clock: Callable[[], datetime] = utc_now) -> "LabelStore":
        """Open a store, create it if missing, and bring its tables up to date.

        Args:
            where: path of a file, or `postgresql+psycopg://user:password@host/database`.
            clock: returns the time of undos, leases and guidelines.

        Raises LabelStoreError if the URL or path cannot be used, the file is no database, or a newer release wrote it.
        """
        database = Database(where)
        try:
            upgrade(database)
        except BaseException:
            database.close()
            raise
        return cls(database, clock)

    def close(self) -> None:
        """Close all connections."""
        self._database.close()

    def __enter__(self) -> "LabelStore":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<{self._database.name}>"

    @property
    def access(self) -> AccessStore:
        """People who signed in, keys of programs, and the times at which sessions and keys were ended."""
        return AccessStore(self._database, self._clock)

    def record(self, judgment: Judgment) -> bool:
        """Store a judgment permanently and end the annotator's lease on its pair; on return it is on the disk.

        Returns whether it is new: a judgment sent twice is stored once. Raises LabelStoreError if it is invalid,
        another judgment has its id, it withdraws one that it may not withdraw, or it settles a disagreement in which
        its annotator took part.
        """
        return self.record_all([judgment]) == 1

    def record_all(self, judgments: Iterable[Judgment], *, history: bool = False) -> int:
        """Store judgments as `record` does, in their order: all of them or, if one cannot be stored, none.

        Args:
            judgments: judgments in the order of recording.
            history: the judgments come from another store, so annotators may have settled their own disagreements.

        Returns:
            The number of new ones.
        """
        checked = [check_judgment(judgment) for judgment in judgments]
        with self._database.writing() as connection:
            if not history:
                recording.check_settlers(connection, checked)
            return recording.add(connection, checked)

    def record_each(self, judgments: Sequence[Judgment]) -> dict[str, str]:
        """Store judgments as `record_all` does, except invalid ones; return the reasons for refusals by id.

        Raises LabelStoreError if the database cannot be used; then none is stored.
        """
        with self._database.writing() as connection:
            return recording.add_each(connection, judgments)

    def undo(self, annotator: str, judgment_id: str | None = None) -> Judgment | None:
        """Withdraw the annotator's last recorded current verdict, or the judgment with an id.

        Withdrawing an undo by its id restores the judgment that it withdrew, in its old place in the order.

        Returns the added judgment, which names the one that it undoes; None if nothing is left to withdraw. Raises
        LabelStoreError if no judgment has that id, it is another annotator's, or is already withdrawn.
        """
        check_name("annotator", annotator)
        check_text("id", judgment_id or "")
        with self._database.writing() as connection:
            return recording.undo(connection, annotator, judgment_id, self._clock())

    def take_back(self, annotator: str, judgment_id: str) -> Judgment:
        """Withdraw a current judgment, including one that was withdrawn and restored; return the added judgment.

        Raises LabelStoreError if no judgment has that id, it is another annotator's, or is not current.
        """
        check_name("annotator", annotator)
        check_text("id", judgment_id)
        with self._database.writing() as connection:
            return recording.take_back(connection, annotator, judgment_id, self._clock())

    def claim(self, old: str, new: str, claimed_by: str) -> int:
        """Reassign an annotator's current judgments to another, as `recording.claim` does; return their number.

        Raises LabelStoreError if a name cannot be stored, or both are the same.
        """
        for what, name in (("old annotator", old), ("new annotator", new), ("claim", claimed_by)):
            check_name(what, name)
        with self._database.writing() as connection:
            return recording.claim(connection, old, new, claimed_by, self._clock())

    def as_recorded(self) -> Iterator[Judgment]:
        """Yield every judgment in the order of recording, which `record_all` accepts."""
        with self._database.reading() as connection:
            yield from history.as_recorded(connection)

    @contextmanager
    def all_current(self) -> Iterator[CurrentJudgments]:
        """Yield a snapshot of all current judgments; read it within the block."""
        with self._database.reading() as connection:
            yield CurrentJudgments(tuple(tallies.alike_pairs(connection)), verdicts.current_blocks(connection))

    def timed_verdicts(self, annotator: str, kind: PairKind, source: str) -> list[TimedVerdict]:
        """Return an annotator's current verdicts on the pairs of a source, without adjudications."""
        which = JudgmentFilter(kind, source, annotator, adjudicates=False)
        with self._database.reading() as connection:
            return tallies.timed_verdicts(connection, which)

    def lease(
        self,
        candidates: Iterable[Pair],
        annotator: str,
        *,
        for_seconds: float,
        count: int = 1,
        annotators_per_pair: int = 1,
    ) -> list[Pair]:
        """Lease up to *count* candidates that are free for an annotator.

        Until a lease ends, it counts as one of the pair's annotators, so that others do not get the pair needlessly.

        Args:
            candidates: pairs, best first; only as many as needed are checked.
            annotator: name of the annotator; their leased pairs count as free, those they judged or skipped do not.
            for_seconds: duration of the lease, unless `record` or `release` ends it.
            annotators_per_pair: number of people who should judge a pair; those who skipped it are not counted.
        """
        check_name("annotator", annotator)
        now = self._clock()
        request = leases.LeaseRequest(
            annotator, count, annotators_per_pair, now=now, until=now + timedelta(seconds=for_seconds)
        )
        return leases.lease(self._database, candidates, request)

    def release(self, annotator: str, pairs: Iterable[Pair] | None = None) -> None:
        """Release an annotator's leases: of some pairs, or all."""
        with self._database.writing() as connection:
            leases.release(connection, annotator, pairs)

    def guidelines(self) -> Guidelines | None:
        """Return the newest version of the guidelines, or None."""
        return next(iter(self.guidelines_history(limit=1)), None)

    def write_guidelines(self, text: str, author: str) -> None:
        """Add a version of the guidelines; older ones stay.

        Raises LabelStoreError if the text or the name cannot be stored.
        """
        version = Guidelines(check_text("guidelines", text), check_name("author", author), self._clock())
        with self._database.writing() as connection:
            guidelines.add_version(connection, version)

    def quotas(self) -> Quotas:
        """Return the current quotas; by default each pair is judged once, by anybody."""
        newest = next(iter(self.quotas_history(limit=1)), None)
        return newest.quotas if newest else NO_QUOTAS

    def set_quotas(self, new: Quotas, author: str) -> None:
        """Add a version of the quotas; older ones stay.

        Raises LabelStoreError if a name cannot be stored.
        """
        for name, _ in new.shares:
            check_name("annotator", name)
        version = QuotasVersion(new, check_name("author", author), self._clock())
        with self._database.writing() as connection:
            quotas.add_version(connection, version)

    def record_search(self, shown: SearchShown, searcher: str = "") -> bool:
        """Store the results that a search showed; return whether they are new.

        *searcher* is the random id of the browser, '' for none. Raises LabelStoreError if the texts cannot be stored.
        """
        with self._database.writing() as connection:
            return search_log.add_shown(connection, search_log.check_shown(shown, searcher), searcher)

    def record_choice(self, choice: SearchChoice) -> bool:
        """Store an opened result; return False if it is already stored, or no stored search shows it."""
        check_text("id of the opened result", choice.item)
        with self._database.writing() as connection:
            return search_log.add_choice(connection, choice)

    def erase_searches(self, older_than_days: int | None = None, *, searcher: str | None = None) -> ErasedSearches:
        """Delete searches permanently: all, older ones, or those of a browser by its random id."""
        before = None if older_than_days is None else self._clock() - timedelta(days=older_than_days)
        with self._database.writing() as connection:
            count = search_log.erase(connection, before, searcher)
        return ErasedSearches(count, self._database.overwrite_deleted(everywhere=before is None and searcher is None))

    def overwrite_deleted(self) -> str:
        """Empty SQLite's write-ahead log; return where erased texts stay readable, '' for nowhere."""
        return self._database.overwrite_deleted()

    def backup(self, path: Path | str) -> None:
        """Copy a snapshot of the store to a new file; others may write meanwhile.

        Raises LabelStoreError if the file exists or cannot be written, or the store is on PostgreSQL (use `pg_dump`).
        """
        back_up(self._database, Path(path))
