"""The label store: judgments, what counts of them, whose turn it is, and what annotators are told."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType

from sqlalchemy import Connection

from db import guidelines, history, leases, progress, recording, verdicts
from db.backup import back_up
from db.checks import check_judgment, check_name, check_text
from db.database import Database
from db.filters import EVERYTHING, JudgmentFilter
from db.guidelines import Guidelines
from db.progress import Counts
from db.upgrade import upgrade
from db.verdicts import PairVerdict
from jobmatch_core.entities import Judgment, Pair, PairKind
from jobmatch_core.errors import LabelStoreError


def utc_now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)


class LabelStore:
    """What people judged, on SQLite or PostgreSQL, for any number of threads and processes at once.

    Every method raises a LabelStoreError where the database cannot be used; its message says why and what to do.
    Those of more errors say so.
    """

    def __init__(self, database: Database, clock: Callable[[], datetime] = utc_now) -> None:
        """Take a database that is up to date, and what tells the time; see `open`."""
        self._database = database
        self._clock = clock

    @classmethod
    def open(cls, where: Path | str, clock: Callable[[], datetime] = utc_now) -> "LabelStore":
        """Open a store, make it where there is none, and bring its tables up to date.

        Args:
            where: the path of a file, or `postgresql+psycopg://user:password@host/database`.
            clock: tells the time of undos, leases and guidelines.

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
        """Let go of all connections."""
        self._database.close()

    def __enter__(self) -> "LabelStore":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<{self._database.name}>"

    def record(self, judgment: Judgment) -> bool:
        """Keep a judgment for good and end the annotator's lease on its pair; when this returns, it is on the disk.

        Returns:
            Whether it is new: what is sent twice is kept once.

        Raises:
            LabelStoreError: there is another judgment with its id, it takes back what it may not, or its texts,
                numbers or time cannot be stored.
        """
        return self.record_all([judgment]) == 1

    def record_all(self, judgments: Iterable[Judgment]) -> int:
        """Keep judgments as `record` does, all of them or, where one cannot be kept, none.

        Returns:
            How many are new.
        """
        checked = [check_judgment(judgment) for judgment in judgments]
        with self._database.writing() as connection:
            return recording.add(connection, checked)

    def record_each(self, judgments: Sequence[Judgment]) -> dict[str, str]:
        """Keep judgments as `record_all` does, but for those that can never be kept.

        Returns:
            Why, by the ids of those that are refused; empty where all are kept.

        Raises:
            LabelStoreError: the database cannot be used; then none is kept.
        """
        with self._database.writing() as connection:
            return _refused(connection, judgments)

    def undo(self, annotator: str, judgment_id: str | None = None) -> Judgment | None:
        """Take back the annotator's last recorded verdict that stands, or the judgment with an id.

        To take back an undo, give its id: what it took back then counts again, in its old place.

        Returns:
            The judgment that was added, which says what it undoes; None where nothing is left to take back.

        Raises:
            LabelStoreError: there is no judgment of that id, it is another annotator's, or was taken back before.
        """
        check_name("annotator", annotator)
        check_text("id", judgment_id or "")
        with self._database.writing() as connection:
            return recording.undo(connection, annotator, judgment_id, self._clock())

    def take_back(self, annotator: str, judgment_id: str) -> Judgment:
        """Take back a judgment that counts, also one that was taken back before and counts again since.

        Returns:
            The judgment that was added, which says what it undoes.

        Raises:
            LabelStoreError: there is no judgment of that id, it is another annotator's, or does not count.
        """
        check_name("annotator", annotator)
        check_text("id", judgment_id)
        with self._database.writing() as connection:
            return recording.take_back(connection, annotator, judgment_id, self._clock())

    def judgments(
        self, which: JudgmentFilter = EVERYTHING, *, limit: int | None = None, offset: int = 0
    ) -> list[Judgment]:
        """Return what was judged, undone or not, the last recorded first."""
        with self._database.reading() as connection:
            return history.judgments(connection, which, limit, offset)

    def count(self, which: JudgmentFilter = EVERYTHING) -> int:
        """Return how many judgments there are, undone or not."""
        with self._database.reading() as connection:
            return history.count(connection, which)

    def as_recorded(self) -> Iterator[Judgment]:
        """Yield every judgment in the order of recording, in which `record_all` takes them again."""
        with self._database.reading() as connection:
            yield from history.as_recorded(connection)

    def taken_back(self, ids: Iterable[str]) -> frozenset[str]:
        """Return those of some judgments' ids that are taken back."""
        with self._database.reading() as connection:
            return history.taken_back(connection, [check_text("id", each) for each in ids])

    def current(
        self, which: JudgmentFilter = EVERYTHING, *, limit: int | None = None, offset: int = 0
    ) -> list[Judgment]:
        """Return each annotator's last standing verdict on each pair, and adjudication; the last recorded first."""
        with self._database.reading() as connection:
            return verdicts.current(connection, which, limit, offset)

    def pair_verdicts(
        self, *, kind: PairKind | None = None, source: str | None = None, pairs: Iterable[Pair] | None = None
    ) -> list[PairVerdict]:
        """Return what the judged pairs count as: of a kind, of a source, or of some pairs."""
        with self._database.reading() as connection:
            return verdicts.pair_verdicts(connection, kind, source, pairs)

    def counts(self, which: JudgmentFilter = EVERYTHING) -> Counts:
        """Return how many verdicts count at the moment: by annotator, day, verdict and policy."""
        with self._database.reading() as connection:
            return progress.counts(connection, which)

    def lease(
        self,
        candidates: Iterable[Pair],
        annotator: str,
        *,
        for_seconds: float,
        count: int = 1,
        annotators_per_pair: int = 1,
    ) -> list[Pair]:
        """Hand out the first candidates that are free for an annotator; nobody else gets them meanwhile.

        Args:
            candidates: best first; no more of them are looked at than are needed.
            annotator: who asks. What they have judged or skipped they are not handed again, what they hold they are.
            for_seconds: how long the lease lasts, unless `record` or `release` ends it.
            count: how many are wanted.
            annotators_per_pair: how many people are to judge a pair; those who skipped it are not counted.

        Returns:
            At most *count* pairs.
        """
        check_name("annotator", annotator)
        now = self._clock()
        request = leases.LeaseRequest(
            annotator, count, annotators_per_pair, now=now, until=now + timedelta(seconds=for_seconds)
        )
        return leases.lease(self._database, candidates, request)

    def release(self, annotator: str, pairs: Iterable[Pair] | None = None) -> None:
        """Give back what an annotator was handed: some pairs, or all."""
        with self._database.writing() as connection:
            leases.release(connection, annotator, pairs)

    def guidelines(self) -> Guidelines | None:
        """Return the newest version of the guidelines, None where there is none yet."""
        with self._database.reading() as connection:
            return next(iter(guidelines.versions(connection, limit=1)), None)

    def guidelines_history(self) -> list[Guidelines]:
        """Return all versions of the guidelines, newest first."""
        with self._database.reading() as connection:
            return guidelines.versions(connection)

    def write_guidelines(self, text: str, author: str) -> None:
        """Add a version of the guidelines; older ones stay.

        Raises:
            LabelStoreError: the text or the name cannot be stored.
        """
        version = Guidelines(check_text("guidelines", text), check_name("author", author), self._clock())
        with self._database.writing() as connection:
            guidelines.add_version(connection, version)

    def backup(self, path: Path | str) -> None:
        """Copy the store as it is at one moment to a new file, while others write.

        Raises:
            LabelStoreError: the file exists or cannot be written, or the store is on PostgreSQL (`pg_dump` copies it).
        """
        back_up(self._database, Path(path))


def _refused(connection: Connection, judgments: Sequence[Judgment]) -> dict[str, str]:
    """Add the judgments that can be kept, and say why the others cannot.

    Where one of many is refused, they are added by halves: what was added of them before is known, and added once.
    """
    try:
        recording.add(connection, [check_judgment(judgment) for judgment in judgments])
    except LabelStoreError as error:  # of a judgment; those of the database come when the transaction is left
        if len(judgments) == 1:
            return {judgments[0].id: str(error)}
        half = len(judgments) // 2
        return _refused(connection, judgments[:half]) | _refused(connection, judgments[half:])
    return {}
