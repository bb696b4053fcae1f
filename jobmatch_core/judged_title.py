"""Own names and rejections: titles that people accepted or rejected for an occupation or a unit group."""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class OwnName:
    """A title that people accepted, or rejected, as a name of an occupation.

    Attributes:
        title: the title as it was judged; its language is unknown.
        uri: URI of the occupation or unit group.
        by: names of the annotators who accepted or rejected it, earliest first.
        on: UTC date of the last of these judgments.
        rejected: true if they rejected the occupation for this title.
        as_group: true if they accepted a unit group, even if an occupation of the taxonomy has the same URI.
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
        own: the rejection: by whom and when.
    """

    uri: str
    name: str
    isco: str
    own: OwnName
