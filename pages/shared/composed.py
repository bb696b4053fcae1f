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
# a version may have one decimal; a figure has more
_COUNT, _DECIMAL, _PERCENT = (re.compile(form) for form in (r"\d{1,3}(,\d{3})+", r"[-+]?\d+\.\d{2,}", r"\d+(\.\d+)?%"))
_OF_FILE = re.compile(r"(?P<file>[^:\n]+\.\w+)(?:, line (?P<line>[\d,]+))?: (?P<problem>.+)", re.DOTALL)


def composed(text: str) -> str:
    """Return a text that core composed, in the viewer's language; blanks at its ends are kept."""
    inner = text.strip()
    return text if language() == ENGLISH or not inner else text.replace(inner, _translated(inner))


def _translated(text: str) -> str:
    if value := _value(text) or _of_file(text) or _fitted(text):
        return value
    for end in reversed([match.start() for match in _SENTENCE_END.finditer(text)]):
        if fitted := _fitted(text[:end]):
            return f"{fitted} {composed(text[end + 1 :])}"
    for first, sign, last in (text.partition(": "), text.rpartition("; ")):  # of what, or a problem and what to do
        if sign and (translated := composed(last)) != last:
            return f"{composed(first)}{sign}{translated}"
    return text


def _value(text: str) -> str:
    """Return a number, a percent or the name of a language as the viewer writes it; '' for another text."""
    if _COUNT.fullmatch(text):
        return numeral(int(text.replace(",", "")))
    if _DECIMAL.fullmatch(text):
        return numeral(float(text), len(text.partition(".")[2]), signed=text[0] == "+")
    if _PERCENT.fullmatch(text):
        return percent(float(text[:-1]) / 100, len(text[:-1].partition(".")[2]))
    return language_name(LANGUAGE_CODES[text]) if text in LANGUAGE_CODES else ""


def _of_file(text: str) -> str:
    """Return an error of a file, which begins with its name and perhaps a line; '' for another text."""
    match = _OF_FILE.fullmatch(text)
    if match is None or (problem := composed(match["problem"])) == match["problem"]:
        return ""
    file, line = match["file"], match["line"]
    return f"{_('{file}, line {line}', file=file, line=line) if line else file}: {problem}"


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
    if (translated := _(text)) != text:
        return translated
    for pattern in _patterns(language()):
        if (fields := pattern.fields(text)) is not None:
            return pattern.translation.format(**{name: composed(value) for name, value in fields.items()})
    return ""


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
