"""Earlier decisions about titles: rejections, and accepted unit groups.

The probability of a rejected occupation goes to 'none of these': that five occupations are wrong does not make the
sixth right.
"""

import hashlib
from collections.abc import Mapping, Sequence
from functools import cached_property

from jobmatch_core.entities import ISCO_URI
from jobmatch_core.judged_title import OwnName
from jobmatch_core.taxonomy.tables import UNIT_DIGITS
from jobmatch_core.text.folding import fold


class EarlierDecisions:
    """Rejections, and accepted unit groups; they count only for titles that equal the judged one."""

    def __init__(self, names: Sequence[OwnName]) -> None:
        """Take the rejections and accepted unit groups of own names; of two groups of a title the later one counts."""
        names = [name for name in names if name.rejected or len(group_code(name.uri)) == UNIT_DIGITS]
        self._names = names
        self._rejected: dict[str, dict[str, OwnName]] = {}
        self._groups: dict[str, OwnName] = {}
        for name in sorted(names, key=lambda name: name.on):
            if name.rejected:
                self._rejected.setdefault(fold(name.title), {})[name.uri] = name
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


def group_code(uri: str) -> str:
    """Return the code of an ISCO-08 group's URI, '' for other URIs."""
    return uri.removeprefix(ISCO_URI) if uri.startswith(ISCO_URI) else ""
