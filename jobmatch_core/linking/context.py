"""What is known beside a title, such as the employer's industry or the duties: named texts that say which job it is."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from jobmatch_core.entities import ContextEvidence
from jobmatch_core.errors import SettingsError
from jobmatch_core.io.tables import Record, cell_text, no_column
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.tables import UNIT_DIGITS

KINDS = ("industry", "department", "duties", "skills")  # usual names of texts; any other is allowed
_MOST_LETTERS = 2000  # of a text; further ones say little about the occupation
_LONGEST_KIND, _SHOWN = 100, 60  # characters of a name, and of a text in words


@dataclass(frozen=True, slots=True)
class Context:
    """Texts beside a title, each under a name; a blank text is no text."""

    texts: tuple[tuple[str, str], ...] = ()  # (name, text) pairs

    @classmethod
    def of(cls, texts: Mapping[str, object]) -> Self:
        """Return the context of texts by name; None, NaN and pandas' NA are no text.

        Raises DataFileError if a text is a list, a record or bytes.
        """
        given = ((_line(kind)[:_LONGEST_KIND], _line(cell_text(text)[:_MOST_LETTERS])) for kind, text in texts.items())
        return cls(tuple((kind, text) for kind, text in given if text))

    def __bool__(self) -> bool:
        """Return whether there is a text."""
        return bool(self.texts)


NO_CONTEXT = Context()


def _line(text: str) -> str:
    return " ".join(text.split())


@dataclass(frozen=True, slots=True)
class TitleInContext:
    """A title and what is known beside it; linkers take it in place of a title."""

    title: str
    context: Context


Titled = str | TitleInContext


def titled(title: str, texts: Mapping[str, object]) -> Titled:
    """Return a title beside texts by name; the title itself if all are blank. Raises as `Context.of`."""
    context = Context.of(texts)
    return TitleInContext(title, context) if context else title


def parts_of(title: object) -> tuple[str, Context]:
    """Return a title as text, and its context; raises DataFileError if the title is a list, a record or bytes."""
    if isinstance(title, TitleInContext):
        return title.title, title.context
    return cell_text(title), NO_CONTEXT


def named_texts(options: Sequence[str]) -> dict[str, str]:
    """Return the texts of options such as `industry=Fire brigade` by name; `Branch` alone is its own name.

    Raises SettingsError if an option is incomplete, or a name is given twice.
    """
    texts: dict[str, str] = {}
    for option in options:
        name, equals, text = option.partition("=")
        name, text = name.strip(), (text if equals else name).strip()
        if not (name and text):
            raise SettingsError(f"--context needs NAME=COLUMN, such as industry=Branch; it is {option!r}.")
        if name in texts:
            raise SettingsError(f"--context {name} is given twice; give each text a name of its own.")
        texts[name] = text
    return texts


@dataclass(frozen=True, slots=True)
class ContextColumns:
    """Columns of a table with what is known beside its titles."""

    columns: tuple[tuple[str, str], ...] = ()  # (name, column) pairs

    @classmethod
    def of(cls, columns: Mapping[str, str]) -> Self:
        """Return the columns by name."""
        return cls(tuple(columns.items()))

    @property
    def names(self) -> list[str]:
        """The columns."""
        return [column for _, column in self.columns]

    def check(self, source: Path, columns: Sequence[str]) -> None:
        """Raise DataFileError unless the table *source*, which has *columns*, has all of these."""
        for column in self.names:
            if column not in columns:
                raise no_column(source, column, columns)

    def titled(self, title: str, row: Record) -> Titled:
        """Return a row's title in the context of these columns; raises as `Context.of`."""
        return titled(title, {name: row.get(column) for name, column in self.columns}) if self.columns else title


NO_COLUMNS = ContextColumns()


def context_evidence(
    context: Context, said: Mapping[str, tuple[int, float]], taxonomy: Taxonomy, show: str
) -> tuple[ContextEvidence, ...]:
    """Return what the texts of a context say.

    Args:
        said: by name of a text, the code as a number of the unit group that it speaks for, and its log-odds.
        taxonomy: names the groups.
        show: language of these names.
    """
    evidence = []
    for kind, text in context.texts:
        unit, log_odds = said.get(kind, (None, 0.0))
        code = "" if unit is None else f"{unit:0{UNIT_DIGITS}}"
        evidence.append(ContextEvidence(kind, text, code, taxonomy.group_name(code, show) if code else "", log_odds))
    return tuple(evidence)


def context_words(evidence: ContextEvidence) -> str:
    """Return what a text says, in words: 'industry Fire brigade: speaks for 5411 Firefighters'."""
    text = evidence.text if len(evidence.text) <= _SHOWN else f"{evidence.text[:_SHOWN].rstrip()} …"
    said = f"speaks for {evidence.code} {evidence.group}".rstrip() if evidence.code else "not known, changes nothing"
    return f"{evidence.kind} {text}: {said}"


def all_context_words(context: Iterable[ContextEvidence]) -> str:
    """Return what all texts beside a title say, in one line."""
    return "; ".join(map(context_words, context))
