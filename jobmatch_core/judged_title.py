"""Own names and rejections: titles that people accepted or rejected for an occupation or a unit group."""

from dataclasses import dataclass
from datetime import date

NO_OCCUPATION_URI = "jobmatch:no-occupation"  # in place of an occupation's URI: no occupation fits the title


@dataclass(frozen=True, slots=True)
class OwnName:
    """A title that people accepted, or rejected, as a name of an occupation."""

    title: str  # the title as it was judged; its language is unknown
    uri: str  # URI of the occupation or unit group, or NO_OCCUPATION_URI
    by: tuple[str, ...]  # names of the annotators who accepted or rejected it, earliest first
    on: date  # UTC date of the last of these judgments
    rejected: bool = False  # true if they rejected the occupation for this title
    as_group: bool = False  # true if they accepted a unit group, even if an occupation of the taxonomy has the same URI


@dataclass(frozen=True, slots=True)
class Rejection:
    """An occupation or unit group that is not offered for a title, because people rejected it."""

    uri: str  # URI of the occupation or group
    name: str  # name in the shown language
    isco: str  # ISCO-08 code, '' where it has none
    own: OwnName  # the rejection: by whom and when
