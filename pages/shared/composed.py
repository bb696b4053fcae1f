"""What core composes, in the viewer's language: errors, conflicts of crosswalks, findings of audits, quality of maps.

Core composes these texts in English and does not know that they are translated. The catalogue `core` has their
templates: a text is a template whose fields have values. A text without a template, such as a reason that the operating
system gives, stays as it is.
"""

import re
from functools import cache, cached_property

from babel.messages.pofile import read_po

from jobmatch_core.text.locales import ENGLISH, LANGUAGE_CODES
from pages.shared.language import CORE, _, catalogue_path, language, language_name, numeral, percent

_FIELD = re.compile(r"(?<!\{)\{(\w+)\}(?!\})")
_SENTENCE_END = re.compile(r"(?<=[.!?]) ")
_COUNT, _PERCENT = re.compile(r"\d{1,3}(,\d{3})+"), re.compile(r"\d+(\.\d+)?%")
_OF_FILE = re.compile(r"(?P<file>[^:\n]+\.\w+)(?:, line (?P<line>[\d,]+))?: (?P<problem>.+)", re.DOTALL)


def composed(text: str) -> str:
    """Return a text that core composed, in the viewer's language."""
    if language() == ENGLISH or not text.strip():
        return text
    if (match := _OF_FILE.fullmatch(text)) and (problem := composed(match["problem"])) != match["problem"]:
        file, line = match["file"], match["line"]
        return f"{_('{file}, line {line}', file=file, line=line) if line else file}: {problem}"
    if fitted := _fitted(text):
        return fitted
    for end in reversed([match.start() for match in _SENTENCE_END.finditer(text)]):
        if fitted := _fitted(text[:end]):
            return f"{fitted} {composed(text[end + 1 :])}"
    for sign in (": ", "; "):  # of what, or a problem and what to do
        first, sign, last = text.rpartition(sign) if sign == "; " else text.partition(sign)
        if sign and (translated := composed(last)) != last:
            return f"{composed(first)}{sign}{translated}"
    return text


class _Pattern:
    """A template that texts are compared with."""

    def __init__(self, english: str, translation: str) -> None:
        pieces = _FIELD.split(english.strip())
        self.translation = translation.strip()
        self._constants = [piece.replace("{{", "{").replace("}}", "}") for piece in pieces[::2]]
        self._fields = pieces[1::2]
        self.letters = sum(map(len, self._constants))
        # most texts lack it, which is sooner seen than that a pattern does not match
        self._longest = max(self._constants, key=len)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        seen: set[str] = set()

        def group(name: str) -> str:
            again = name in seen
            seen.add(name)
            return f"(?P={name})" if again else f"(?P<{name}>.*?)"

        groups = [*map(group, self._fields), ""]
        pieces = zip(map(re.escape, self._constants), groups, strict=True)
        return re.compile("".join(map("".join, pieces)), re.DOTALL)

    def fields(self, text: str) -> dict[str, str] | None:
        """Return the values of the fields in a text; None if it does not fit."""
        match = self._pattern.fullmatch(text) if self._longest in text else None
        return None if match is None else match.groupdict()


def _fitted(text: str) -> str:
    """Return a text of one template in the viewer's language; '' if none fits."""
    stripped = text.strip()
    if (translated := _(stripped)) != stripped:
        return translated
    for pattern in _patterns(language()):
        if (fields := pattern.fields(stripped)) is not None:
            return pattern.translation.format(**{name: _value(value) for name, value in fields.items()})
    return ""


def _value(text: str) -> str:
    if _COUNT.fullmatch(text):
        return numeral(int(text.replace(",", "")))
    if _PERCENT.fullmatch(text):
        return percent(float(text[:-1]) / 100, len(text[:-1].partition(".")[2]))
    if (code := LANGUAGE_CODES.get(text)) is not None:
        return language_name(code)
    inner = text.strip()  # a field may have the blank before it
    return text.replace(inner, composed(inner)) if inner else text


@cache
def _patterns(code: str) -> list[_Pattern]:
    # those with the most words first, since a short one may fit a longer text, too
    path = catalogue_path(code, CORE)
    if not path.exists():
        return []
    with path.open("rb") as file:
        catalogue = read_po(file, locale=code)
    patterns = [_Pattern(str(text.id), str(text.string)) for text in catalogue if text.id and text.string]
    return sorted(patterns, key=lambda pattern: -pattern.letters)
