"""The label store: judgments, verdicts, leases, guidelines, quotas, the search log, people and keys."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType

from db import guidelines, history, leases, quotas, recording, search_log, tallies, verdicts
from db.access_store import AccessStore
from db.database import Database, back_up
from db.guidelines import Guidelines
from db.history import EVERYTHING, JudgmentFilter
from db.quotas import QuotasVersion
from db.rows import check_judgment, check_name, check_text
from db.search_log import ErasedSearches, SearchLogSize
from db.tallies import Counts
from db.upgrade import upgrade
from jobmatch_core.entities import Judgment, Pair, PairKind
from jobmatch_core.judgment_tallies import (
    CurrentJudgments,
    HistoryTallies,
    JudgedPair,
    PairJudgments,
    TimedVerdict,
    VerdictColumns,
    VotedPair,
)
from jobmatch_core.quotas import NO_QUOTAS, Quotas
from jobmatch_core.search_events import SearchChoice, SearchShown


def utc_now() -> datetime:
    """Return the current UTC time."""
    return datetime.now(UTC)


class LabelStore:
    """Judgments on SQLite or PostgreSQL; safe for concurrent threads and processes.

    Every method raises LabelStoreError if the database cannot be used.
    """

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

        Raises:
            LabelStoreError: the URL or path cannot be used, the file is no database, or a newer release wrote it.
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

        Returns:
            Whether it is new: a judgment sent twice is stored once.

        Raises:
            LabelStoreError: it is invalid, another judgment has its id, it withdraws one that it may not withdraw, or
                it settles a disagreement in which its annotator took part.
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
        """Store judgments as `record_all` does, except invalid ones.

        Returns:
            The reasons for refused judgments, by id; empty if all are stored.

        Raises:
            LabelStoreError: the database cannot be used; then none is stored.
        """
        with self._database.writing() as connection:
            return recording.add_each(connection, judgments)

    def undo(self, annotator: str, judgment_id: str | None = None) -> Judgment | None:
        """Withdraw the annotator's last recorded current verdict, or the judgment with an id.

        Withdrawing an undo by its id restores the judgment that it withdrew, in its old place in the order.

        Returns:
            The added judgment, which names the one that it undoes; None if nothing is left to withdraw.

        Raises:
            LabelStoreError: no judgment has that id, it is another annotator's, or is already withdrawn.
        """
        check_name("annotator", annotator)
        check_text("id", judgment_id or "")
        with self._database.writing() as connection:
            return recording.undo(connection, annotator, judgment_id, self._clock())

    def take_back(self, annotator: str, judgment_id: str) -> Judgment:
        """Withdraw a current judgment, including one that was withdrawn and restored.

        Returns:
            The added judgment, which names the one that it undoes.

        Raises:
            LabelStoreError: no judgment has that id, it is another annotator's, or is not current.
        """
        check_name("annotator", annotator)
        check_text("id", judgment_id)
        with self._database.writing() as connection:
            return recording.take_back(connection, annotator, judgment_id, self._clock())

    def claim(self, old: str, new: str, claimed_by: str) -> int:
        """Reassign an annotator's current judgments to another annotator; see `recording.claim`.

        Returns:
            The number of reassigned judgments.

        Raises:
            LabelStoreError: a name cannot be stored, or both are the same.
        """
        for what, name in (("old annotator", old), ("new annotator", new), ("claim", claimed_by)):
            check_name(what, name)
        with self._database.writing() as connection:
            return recording.claim(connection, old, new, claimed_by, self._clock())

    def judgments(
        self, which: JudgmentFilter = EVERYTHING, *, limit: int | None = None, offset: int = 0
    ) -> list[Judgment]:
        """Return judgments, including withdrawn ones, the last recorded first."""
        with self._database.reading() as connection:
            return history.judgments(connection, which, limit, offset)

    def count(self, which: JudgmentFilter = EVERYTHING) -> int:
        """Return the number of judgments, including withdrawn ones."""
        with self._database.reading() as connection:
            return history.count(connection, which)

    def as_recorded(self) -> Iterator[Judgment]:
        """Yield every judgment in the order of recording, which `record_all` accepts."""
        with self._database.reading() as connection:
            yield from history.as_recorded(connection)

    def taken_back(self, ids: Iterable[str]) -> frozenset[str]:
        """Return the ids of withdrawn judgments among some ids."""
        with self._database.reading() as connection:
            return history.taken_back(connection, [check_text("id", judgment_id) for judgment_id in ids])

    def current(self, which: JudgmentFilter = EVERYTHING, *, limit: int | None = None) -> list[Judgment]:
        """Return each annotator's current verdict and current adjudication on each pair, the last recorded first."""
        with self._database.reading() as connection:
            return verdicts.current(connection, which, limit)

    @contextmanager
    def all_current(self) -> Iterator[CurrentJudgments]:
        """Yield a snapshot of all current judgments; read it within the block."""
        with self._database.reading() as connection:
            yield CurrentJudgments(tuple(tallies.alike_pairs(connection)), verdicts.current_blocks(connection))

    def verdict_columns(self, kind: PairKind) -> VerdictColumns:
        """Return the current judgments of all pairs of a kind as arrays, in recording order."""
        with self._database.reading() as connection:
            return verdicts.verdict_columns(connection, kind)

    def judgments_of(self, keys: Sequence[str]) -> list[PairJudgments]:
        """Return the current judgments of some pairs by their keys, each pair's in the order of recording."""
        with self._database.reading() as connection:
            return verdicts.judgments_of(connection, keys)

    def counts(self, kind: PairKind | None = None) -> Counts:
        """Return the numbers of current verdicts by annotator and policy, of all pairs or those of a kind."""
        with self._database.reading() as connection:
            return tallies.counts(connection, kind)

    def tallies(self) -> HistoryTallies:
        """Return counts over the whole history: pairs by their votes, and annotators' work."""
        with self._database.reading() as connection:
            return tallies.history_tallies(connection)

    def kinds(self) -> frozenset[PairKind]:
        """Return the kinds of all judged pairs."""
        with self._database.reading() as connection:
            return tallies.kinds(connection)

    def voted_pairs(self, kind: PairKind | None, source: str) -> list[VotedPair]:
        """Return the judged pairs of a source, of a kind or all, in the order of their first current judgments."""
        with self._database.reading() as connection:
            return list(tallies.voted_pairs(connection, kind, source))

    def judged_pairs(self, annotator: str, pairs: Iterable[Pair]) -> list[JudgedPair]:
        """Return those of some pairs that were judged, with the annotator's own verdicts told from the others'."""
        with self._database.reading() as connection:
            return list(tallies.judged_pairs(connection, annotator, pairs))

    def second_opinions(self, annotator: str, kind: PairKind, source: str, most: int) -> list[JudgedPair]:
        """Return the pairs of a source that 1 to *most* others, but not the annotator, have judged; without votes."""
        with self._database.reading() as connection:
            return list(tallies.second_opinions(connection, annotator, kind, source, most))

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
        with self._database.reading() as connection:
            return next(iter(guidelines.versions(connection, limit=1)), None)

    def guidelines_history(self) -> list[Guidelines]:
        """Return all versions of the guidelines, newest first."""
        with self._database.reading() as connection:
            return guidelines.versions(connection)

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

    def quotas_history(self, limit: int | None = None) -> list[QuotasVersion]:
        """Return the versions of the quotas, newest first."""
        with self._database.reading() as connection:
            return quotas.versions(connection, limit)

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

    def searches(self) -> list[SearchShown]:
        """Return the stored searches with the results that they showed, in recording order."""
        with self._database.reading() as connection:
            return search_log.searches(connection)

    def search_choices(self) -> list[SearchChoice]:
        """Return the opened results, in recording order."""
        with self._database.reading() as connection:
            return search_log.choices(connection)

    def search_log_size(self) -> SearchLogSize:
        """Return the size and age of the search log."""
        with self._database.reading() as connection:
            return search_log.size(connection)

    def searches_of(self, searcher: str) -> int:
        """Return the number of stored searches of a browser by its random id."""
        with self._database.reading() as connection:
            return search_log.count_of(connection, searcher)

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
