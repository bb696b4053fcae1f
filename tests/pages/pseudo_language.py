"""Languages that nobody speaks, to see what is not translated: English with accents, and English in Arabic letters."""

import re
from collections.abc import Callable
from gettext import NullTranslations

# what a translator keeps: placeholders, icons, colours of Markdown, code, addresses, tags
KEPT = re.compile(r"%?\{[^{}]*\}|%[dbYm]|:material/\w+:|:[a-z-]+\[|`[^`]*`|\]\([^)]*\)|</?[a-z]+>|&\w+;")
_ACCENTED = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "àƀçđéƒğĥîĵķļɱñöþɋŕšţûṽŵẋýžÀƁÇĐÉƑĞĤÎĴĶĻṀÑÖÞɊŔŠŢÛṼŴẊÝŽ"
)
_ARABIC = str.maketrans("abcdefghijklmnopqrstuvwxyz", "ابثدهفغحيجكلمنوپقرستعڤوخيز")
_LONGER = 0.4  # of the letters, as German and Polish are


def _mapped(text: str, mapped: Callable[[str], str]) -> str:
    pieces, end = [], 0
    for kept in KEPT.finditer(text):
        pieces += [mapped(text[end : kept.start()]), kept.group()]
        end = kept.end()
    return "".join([*pieces, mapped(text[end:])])


def accented(text: str) -> str:
    """Return a text with accents, 40% longer; what a translator keeps is kept."""
    letters = sum(letter.isalpha() for letter in KEPT.sub("", text))
    blank = len(text) - len(text.rstrip())
    longer = _mapped(text.rstrip(), lambda piece: piece.translate(_ACCENTED)) + "ö" * round(_LONGER * letters)
    return longer + text[len(text) - blank :]


def arabic(text: str) -> str:
    """Return a text in Arabic letters, which run from right to left; what a translator keeps is kept."""
    return _mapped(text, lambda piece: piece.lower().translate(_ARABIC))


class Pseudo(NullTranslations):
    """Translations by a function."""

    def __init__(self, turned: Callable[[str], str]) -> None:
        super().__init__()
        self._turned = turned

    def gettext(self, message: str) -> str:
        """Return the turned text."""
        return self._turned(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the turned singular or plural."""
        return self._turned(msgid1 if n == 1 else msgid2)
