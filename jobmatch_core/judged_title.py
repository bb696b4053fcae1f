"""Titles that people accepted or rejected for an occupation or a unit group: own names, and rejections."""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class OwnName:
    """A title that people accepted for an occupation: a surface form of the user's own layer over a taxonomy.

    Or, where `rejected`, a title that does not mean the occupation, by what people said.

    Attributes:
        title: the title as it was judged; its language is unknown.
        uri: URI of the occupation or unit group.
        by: names of the annotators who accepted or rejected it, earliest first.
        on: UTC date of the last of these judgments.
        rejected: true if they rejected the occupation for this title.
        as_group: true if they accepted a unit group as such, also where an occupation of the taxonomy has its URI.
    """

    title: str
    uri: str
    by: tuple[str, ...]
    on: date
    rejected: bool = False
    as_group: bool = False


@dataclass(frozen=True, slots=True)
class Rejection:
    """An occupation or unit group that is not offered for a title, because people rejected it.

    Attributes:
        uri: URI of the occupation or group.
        name: name in the shown language.
        isco: ISCO-08 code, '' where it has none.
        own: who rejected it, and when.
    """

    uri: str
    name: str
    isco: str
    own: OwnName
