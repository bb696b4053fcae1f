"""The tables and views of the label store.

    pairs              judged pairs, once each
    judgments          their judgments; append-only (enforced by triggers)
    leases             reservations of pairs, with their end
    guidelines         versions of the guidelines
    quotas             versions of the annotators' quotas; append-only
    searches           results that searches showed; deleted when they are old
    search_choices     results that were opened; likewise
    people             people who signed in, a row per change of name or role; append-only, like the next three
    access_keys        keys of programs, by their hashes
    access_key_days    the days on which a key was used
    access_ends        the times at which keys, or all earlier sessions of a person, were ended

    standing_judgments (view)   judgments with a verdict that were not withdrawn
    current_verdicts   (view)   the last of those by annotator and pair, separately for adjudications
    pair_verdicts      (view)   resolved verdict of a pair

Judgments are ordered by their numbers, never by `at`, because clocks may be set back.

A change here needs a new file in `migrations/versions`, written by hand; a test reports what it lacks.
"""

from datetime import UTC, datetime

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    Dialect,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator

KEY_LENGTH = 32  # of a pair's key, see rows.pair_key
ID_LENGTH = 36  # of a UUID
ROLE_LENGTH = 20
NAME_LENGTH = 200  # of an annotator's name; PostgreSQL indexes texts of up to 2,700 bytes

# SQLite numbers rows only if the type is exactly INTEGER
RowNumber = BigInteger().with_variant(Integer, "sqlite")


# a separate MetaData, so that nothing tries to create the views as tables
_VIEWS = MetaData()
STANDING = Table(
    "standing_judgments",
    _VIEWS,
    Column("number", RowNumber, primary_key=True),
    Column("pair_key", String(KEY_LENGTH)),
    Column("annotator", String(NAME_LENGTH)),
    Column("adjudicates", Boolean),
)
CURRENT = Table(
    "current_verdicts",
    _VIEWS,
    Column("number", RowNumber, primary_key=True),
    Column("pair_key", String(KEY_LENGTH)),
    Column("annotator", String(NAME_LENGTH)),
    Column("verdict", String(20)),
    Column("adjudicates", Boolean),
)
SETTLED = Table(
    "pair_verdicts",
    _VIEWS,
    Column("pair_key", String(KEY_LENGTH), primary_key=True),
    Column("verdict", String(20)),
    Column("adjudicated", Boolean),
    Column("positive", Integer),
    Column("negative", Integer),
    Column("unsure", Integer),
    Column("skip", Integer),
)


class UtcDateTime(TypeDecorator[datetime]):
    """A time in microseconds, stored in UTC; Python's values have a time zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert a time of any time zone to UTC."""
        if value is None:
            return None
        if value.utcoffset() is None:
            raise ValueError(f"{value} has no time zone")
        utc = value.astimezone(UTC)
        return utc.replace(tzinfo=None) if dialect.name == "sqlite" else utc

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Add the time zone UTC, which SQLite does not store."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    """Base of all tables."""


class PairRow(Base):
    """A pair that was judged."""

    __tablename__ = "pairs"

    key: Mapped[str] = mapped_column(String(KEY_LENGTH), primary_key=True)
    kind: Mapped[str] = mapped_column(String(40))
    source: Mapped[str] = mapped_column(Text)
    left_side: Mapped[str] = mapped_column(Text)
    right_side: Mapped[str] = mapped_column(Text)


class JudgmentRow(Base):
    """A judgment as it was recorded.

    A judgment and its withdrawals form a chain: the judgment has depth 0, its withdrawal depth 1, the withdrawal of
    that depth 2, and so on. A row is in force if an even number of rows follow it in its chain.
    """

    __tablename__ = "judgments"
    __table_args__ = (
        CheckConstraint("verdict IS NOT NULL OR undoes IS NOT NULL", name="says_something"),
        Index("judgments_of_pair", "pair_key", "annotator", "verdict", "adjudicates"),
        # PostgreSQL counts by hashing, and cannot index texts as long as a policy may be
        Index("judgments_by_policy", "annotator", "policy", "origin", "verdict", "at", "seconds").ddl_if(
            dialect="sqlite"
        ),
        Index("judgments_of_annotator", "annotator", "number"),
        Index("judgments_in_time", "at", "number"),
        Index("one_undo_each", "chain", "depth", unique=True),
    )

    number: Mapped[int] = mapped_column(RowNumber, primary_key=True)  # in the order of recording
    id: Mapped[str] = mapped_column(String(ID_LENGTH), unique=True)
    pair_key: Mapped[str] = mapped_column(ForeignKey(PairRow.key))
    verdict: Mapped[str | None] = mapped_column(String(20))
    annotator: Mapped[str] = mapped_column(String(NAME_LENGTH))
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    policy: Mapped[str] = mapped_column(Text)
    model: Mapped[str] = mapped_column(Text)
    rank: Mapped[int | None] = mapped_column(Integer)
    score: Mapped[float | None] = mapped_column(Double)
    reasons: Mapped[list[str]] = mapped_column(JSON)
    note: Mapped[str] = mapped_column(Text)
    seconds: Mapped[float | None] = mapped_column(Double)
    undoes: Mapped[str | None] = mapped_column(ForeignKey("judgments.id"))
    adjudicates: Mapped[bool]
    chain: Mapped[str] = mapped_column(String(ID_LENGTH))
    depth: Mapped[int] = mapped_column(Integer)
    origin: Mapped[str | None] = mapped_column(String(20))  # NULL in rows older than migration 0012


class LeaseRow(Base):
    """A pair leased by an annotator."""

    __tablename__ = "leases"
    __table_args__ = (Index("leases_in_time", "expires"),)

    pair_key: Mapped[str] = mapped_column(String(KEY_LENGTH), primary_key=True)
    annotator: Mapped[str] = mapped_column(String(NAME_LENGTH), primary_key=True)
    expires: Mapped[datetime] = mapped_column(UtcDateTime)


class GuidelinesRow(Base):
    """A version of the guidelines."""

    __tablename__ = "guidelines"

    number: Mapped[int] = mapped_column(RowNumber, primary_key=True)
    text: Mapped[str] = mapped_column(Text)
    author: Mapped[str] = mapped_column(String(NAME_LENGTH))
    at: Mapped[datetime] = mapped_column(UtcDateTime)


class QuotasRow(Base):
    """A version of the quotas."""

    __tablename__ = "quotas"

    number: Mapped[int] = mapped_column(RowNumber, primary_key=True)
    judgments: Mapped[int] = mapped_column(Integer)
    shares: Mapped[list[tuple[str, float]]] = mapped_column(JSON)
    author: Mapped[str] = mapped_column(String(NAME_LENGTH))
    at: Mapped[datetime] = mapped_column(UtcDateTime)


class SearchRow(Base):
    """Results that a search showed."""

    __tablename__ = "searches"
    __table_args__ = (Index("searches_in_time", "at"),)

    number: Mapped[int] = mapped_column(RowNumber, primary_key=True)
    id: Mapped[str] = mapped_column(String(ID_LENGTH), unique=True)
    sort: Mapped[str] = mapped_column(String(20))  # kind of the items
    source: Mapped[str] = mapped_column(Text)
    query: Mapped[str] = mapped_column(Text)
    model: Mapped[str] = mapped_column(Text)
    items: Mapped[list[str]] = mapped_column(JSON)
    pair: Mapped[int] = mapped_column(Integer)
    swapped: Mapped[bool]
    session: Mapped[str] = mapped_column(String(ID_LENGTH))
    searcher: Mapped[str] = mapped_column(String(ID_LENGTH), server_default="")  # '' in rows older than migration 0011
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    candidate: Mapped[str] = mapped_column(Text, server_default="")  # compared with the model in use
    teams: Mapped[list[str] | None] = mapped_column(JSON)  # NULL in rows older than migration 0013


class SearchChoiceRow(Base):
    """A result that was opened."""

    __tablename__ = "search_choices"
    __table_args__ = (Index("choices_of_search", "shown", "rank", unique=True),)

    number: Mapped[int] = mapped_column(RowNumber, primary_key=True)
    id: Mapped[str] = mapped_column(String(ID_LENGTH), unique=True)
    shown: Mapped[str] = mapped_column(ForeignKey(SearchRow.id))
    item: Mapped[str] = mapped_column(Text)
    rank: Mapped[int] = mapped_column(Integer)
    at: Mapped[datetime] = mapped_column(UtcDateTime)


class PersonRow(Base):
    """A person as they signed in, added when the name or the role has changed."""

    __tablename__ = "people"
    __table_args__ = (Index("rows_of_person", "id", "number"),)

    number: Mapped[int] = mapped_column(RowNumber, primary_key=True)
    id: Mapped[str] = mapped_column(String(NAME_LENGTH))
    issuer: Mapped[str] = mapped_column(Text)
    subject: Mapped[str] = mapped_column(Text)
    name: Mapped[str] = mapped_column(String(NAME_LENGTH))
    role: Mapped[str] = mapped_column(String(ROLE_LENGTH))
    at: Mapped[datetime] = mapped_column(UtcDateTime)


class AccessKeyRow(Base):
    """A program's key; the key itself is not stored."""

    __tablename__ = "access_keys"

    id: Mapped[str] = mapped_column(String(ID_LENGTH), primary_key=True)
    name: Mapped[str] = mapped_column(String(NAME_LENGTH))
    role: Mapped[str] = mapped_column(String(ROLE_LENGTH))
    scopes: Mapped[list[str]] = mapped_column(JSON)
    sha256: Mapped[str] = mapped_column(String(64), unique=True)
    made_by: Mapped[str] = mapped_column(String(NAME_LENGTH))
    at: Mapped[datetime] = mapped_column(UtcDateTime)


class AccessKeyDayRow(Base):
    """A day on which a key was used, such as 2026-11-21."""

    __tablename__ = "access_key_days"

    key_id: Mapped[str] = mapped_column(ForeignKey(AccessKeyRow.id), primary_key=True)
    day: Mapped[str] = mapped_column(String(10), primary_key=True)


class AccessEndRow(Base):
    """The end of a key, or of all sessions of a person that started earlier."""

    __tablename__ = "access_ends"
    __table_args__ = (Index("ends_of_subject", "subject", "at"),)

    number: Mapped[int] = mapped_column(RowNumber, primary_key=True)
    subject: Mapped[str] = mapped_column(String(NAME_LENGTH))  # id of a person or a key
    ended_by: Mapped[str] = mapped_column(String(NAME_LENGTH))
    at: Mapped[datetime] = mapped_column(UtcDateTime)
