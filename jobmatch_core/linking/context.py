"""What is known beside a title, such as the employer's branch or the duties: named texts that say which job it is."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from jobmatch_core.entities import ContextEvidence
from jobmatch_core.errors import SettingsError
from jobmatch_core.io.tables import Record, cell_text, listed
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.tables import UNIT_DIGITS

SETTING, WORK = "setting", "work"  # where somebody works, and what they do there
KINDS = {
    "industry": SETTING,
    "sector": SETTING,
    "branch": SETTING,
    "department": SETTING,
    "duties": WORK,
    "skills": WORK,
}
MOST_LETTERS = 2000  # of a text; further ones say little about the occupation
_SHOWN = 60  # characters of a text in words


@dataclass(frozen=True, slots=True)
class Context:
    """Texts beside a title, one a kind; a blank text is no text.

    Attributes:
        texts: (kind, text) pairs, in the order of `KINDS`.
    """

    texts: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, texts: Mapping[str, str]) -> Self:
        """Return the context of texts by kind.

        Raises:
            SettingsError: there is no such kind.
        """
        check_kinds(texts)
        given = ((kind, " ".join(texts.get(kind, "")[:MOST_LETTERS].split())) for kind in KINDS)
        return cls(tuple((kind, text) for kind, text in given if text))

    def __bool__(self) -> bool:
        """Return whether there is a text."""
        return bool(self.texts)


NO_CONTEXT = Context()


@dataclass(frozen=True, slots=True)
class TitleInContext:
    """A title and what is known beside it; linkers take it in place of a title."""

    title: str
    context: Context


@dataclass(frozen=True, slots=True)
class Said:
    """What one text beside a title says.

    Attributes:
        kind: kind of the text.
        text: the text.
        unit: code as a number of the unit group that it speaks for most; None if none of its words is known.
        log_odds: by how much it raises the log-odds of that group.
    """

    kind: str
    text: str
    unit: int | None = None
    log_odds: float = 0.0


Titled = str | TitleInContext


def titled(title: str, context: Context) -> Titled:
    """Return a title in its context; the title itself if there is no context."""
    return TitleInContext(title, context) if context else title


def parts_of(title: object) -> tuple[str, Context]:
    """Return a title as text, and its context.

    Raises:
        DataFileError: the title is a list, a record or bytes.
    """
    if isinstance(title, TitleInContext):
        return title.title, title.context
    return cell_text(title), NO_CONTEXT


def check_kinds(kinds: Iterable[str]) -> None:
    """Raise SettingsError unless all kinds exist."""
    for kind in kinds:
        if kind not in KINDS:
            raise SettingsError(f"There is no context {kind!r}; it is one of {listed(list(KINDS))}.")


@dataclass(frozen=True, slots=True)
class ContextColumns:
    """Columns of a table with what is known beside its titles.

    Attributes:
        columns: (kind, column) pairs, in the order of `KINDS`.
    """

    columns: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, columns: Mapping[str, str]) -> Self:
        """Return the columns by kind; raises SettingsError as `check_kinds`."""
        check_kinds(columns)
        return cls(tuple((kind, columns[kind]) for kind in KINDS if columns.get(kind)))

    @classmethod
    def parsed(cls, options: Sequence[str]) -> Self:
        """Return the columns of options such as `industry=Branch`.

        Raises:
            SettingsError: an option has no kind and column, the kind does not exist, or it is given twice.
        """
        columns: dict[str, str] = {}
        for option in options:
            kind, equals, column = option.partition("=")
            kind, column = kind.strip(), column.strip()
            if not (equals and column):
                raise SettingsError(f"--context needs KIND=COLUMN, such as industry=Branch; it is {option!r}.")
            if kind in columns:
                raise SettingsError(f"--context {kind} is given twice; give one column for each kind.")
            columns[kind] = column
        return cls.of(columns)

    def __bool__(self) -> bool:
        """Return whether there is a column."""
        return bool(self.columns)

    @property
    def names(self) -> list[str]:
        """The columns."""
        return [column for _, column in self.columns]

    def titled(self, title: str, row: Record) -> Titled:
        """Return a row's title in the context of these columns."""
        if not self.columns:
            return title
        return titled(title, Context.of({kind: cell_text(row.get(column)) for kind, column in self.columns}))


NO_COLUMNS = ContextColumns()


def context_evidence(said: Iterable[Said], taxonomy: Taxonomy, show: str) -> tuple[ContextEvidence, ...]:
    """Return what texts say, with the names of the unit groups in the language *show*."""
    evidence = []
    for each in said:
        code = "" if each.unit is None else f"{each.unit:0{UNIT_DIGITS}}"
        name = taxonomy.group_name(code, show) if code else ""
        evidence.append(ContextEvidence(each.kind, each.text, code, name, each.log_odds))
    return tuple(evidence)


def context_words(evidence: ContextEvidence) -> str:
    """Return what a text says, in words: 'industry "Fire service" speaks for 5411 Firefighters'."""
    text = evidence.text if len(evidence.text) <= _SHOWN else f"{evidence.text[:_SHOWN].rstrip()} …"
    said = f"speaks for {evidence.code} {evidence.group}" if evidence.code else "is not known and changes nothing"
    return f'{evidence.kind} "{text}" {said}'
