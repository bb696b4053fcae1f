"""Earlier decisions about titles: rejections, accepted unit groups, and that no occupation fits.

The probability of a rejected occupation goes to 'none of these': that five occupations are wrong does not make the
sixth right.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from jobmatch_core.entities import ISCO_URI
from jobmatch_core.judged_title import NO_OCCUPATION_URI, OwnName
from jobmatch_core.taxonomy.tables import UNIT_DIGITS
from jobmatch_core.text.folding import fold


class EarlierDecisions:
    """Earlier decisions other than accepted occupations; they count only for titles that equal the judged one."""

    def __init__(self, names: Sequence[OwnName], cleaned: Callable[[str], str] = fold) -> None:
        """Take the decisions from own names; of two unit groups of a title the later one counts.

        *cleaned* returns a title's cleaned text, '' for none: that no occupation fits also counts for titles that equal
        it.
        """
        names = [
            name
            for name in names
            if name.rejected or name.uri == NO_OCCUPATION_URI or len(group_code(name.uri)) == UNIT_DIGITS
        ]
        self._names = names
        self._rejected: dict[str, dict[str, OwnName]] = {}
        self._groups: dict[str, OwnName] = {}
        self._without: dict[str, OwnName] = {}
        for name in sorted(names, key=lambda name: name.on):
            if name.rejected:
                self._rejected.setdefault(fold(name.title), {})[name.uri] = name
            elif name.uri == NO_OCCUPATION_URI:
                self._without |= {text: name for text in (cleaned(name.title), fold(name.title)) if text}
            else:
                self._groups[fold(name.title)] = name

    def __bool__(self) -> bool:
        return bool(self._names)

    @cached_property
    def digest(self) -> str:
        """Hash of the decisions, eight hexadecimal digits."""
        decisions = [(name.title, name.uri, name.rejected) for name in self._names]
        return hashlib.sha256(repr(decisions).encode()).hexdigest()[:8]

    def rejected(self, title: str) -> Mapping[str, OwnName]:
        """Return the rejections for a folded title, by URI."""
        return self._rejected.get(title, {})

    def group(self, title: str) -> OwnName | None:
        """Return the unit group accepted for a folded title, None without one."""
        return self._groups.get(title)

    def no_occupation(self, texts: Sequence[str]) -> OwnName | None:
        """Return the decision that no occupation fits a title, by the first of its texts that has one; None without."""
        return next((self._without[text] for text in texts if text in self._without), None)


def group_code(uri: str) -> str:
    """Return the code of an ISCO-08 group's URI, '' for other URIs."""
    return uri.removeprefix(ISCO_URI) if uri.startswith(ISCO_URI) else ""
