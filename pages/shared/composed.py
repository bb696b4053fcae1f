"""What core composes, in the viewer's language: errors, conflicts of crosswalks, findings of audits, quality of maps.

Core composes these texts in English and does not know that they are translated. The catalogue `core` has their
templates: a text is a template whose fields have values. A text without a template, such as a reason that the operating
system gives, stays as it is.
"""

import re
from functools import cache

from babel.messages.pofile import read_po

from jobmatch_core.text.locales import ENGLISH, LANGUAGE_CODES
from pages.shared.language import CORE, _, catalogue_path, language, language_name, numeral, percent

_FIELD = re.compile(r"(?<!\{)\{(\w+)\}(?!\})")
# names of fields whose values are core's words, not a user's
_WORDS = re.compile(
    r"SENTENCES_\w+|RESUME\w*|\w+_if_\w+|\w*language\w*|interval\w*|result_(cue|example|\w+_group)|(column_)?expected|"
    r"(items_)?kinds?|kinds_type_value|database_name|quality_field|view_colour|self_(what|latest_who)|"
    r"act|by_chance|changed|choice|choose|count|error|expired|fault|figures|having|how|made|named|of(_wanted)?|old|others?|"
    r"problem|reason|remedy|shipped|store|variable|wanted|what|why"
)
_SENTENCE_END = re.compile(r"(?<=[.!?]) ")
# a version may have one decimal; a figure has more
_COUNT, _DECIMAL, _PERCENT = map(re.compile, (r"\d{1,3}(,\d{3})+", r"[-+]?\d+\.\d{2,}", r"\d+(\.\d+)?%"))
_FILE = re.compile(r"(?P<file>[^:\n]+\.\w+)(?:, line (?P<line>[\d,]+))?")
_PARTS = re.compile(r"[:;.] ")
_LONGEST, _MOST_PARTS = 2000, 20  # a longer text is a user's or a file's, and each part is a level of recursion
_FEWEST_LETTERS = 8  # of a template with fields; a shorter one would fit a user's text, too


def composed(text: str) -> str:
    """Return a text that core composed, in the viewer's language; blanks at its ends are kept."""
    inner = text.strip()
    if language() == ENGLISH or not inner or len(inner) > _LONGEST or len(_PARTS.findall(inner)) > _MOST_PARTS:
        return text
    return text.replace(inner, _number(inner) or _translated(inner))


def _translated(text: str) -> str:
    place, colon, problem = text.partition(": ")
    if colon and (file := _FILE.fullmatch(place)) and (translated := composed(problem)) != problem:
        named = _("{file}, line {line}", **file.groupdict()) if file["line"] else place
        return f"{named}{colon}{translated}"
    if fitted := _fitted(text):
        return fitted
    for end in reversed([match.start() for match in _SENTENCE_END.finditer(text)]):
        if fitted := _fitted(text[:end]):
            return f"{fitted} {composed(text[end + 1 :])}"
    if colon and not file and (translated := composed(problem)) != problem:
        return f"{composed(place)}{colon}{translated}"
    first, semicolon, advice = text.rpartition("; ")
    return f"{composed(first)}{semicolon}{composed(advice)}" if semicolon else text


def _number(text: str) -> str:
    """Return a number or a percent as the viewer writes it; '' for another text."""
    if _COUNT.fullmatch(text):
        return numeral(int(text.replace(",", "")))
    if _DECIMAL.fullmatch(text):
        return numeral(float(text), len(text.partition(".")[2]), signed=text[0] == "+")
    return percent(float(text[:-1]) / 100, len(text[:-1].partition(".")[2])) if _PERCENT.fullmatch(text) else ""


def _fitted(text: str) -> str:
    """Return a text of one template in the viewer's language; '' if none fits."""
    if (translated := _(text)) != text:
        return translated
    for pattern in _patterns(language()):
        if (fields := pattern.fields(text)) is not None:
            return pattern.translation.format(**{name: _value(name, value) for name, value in fields.items()})
    return ""


def _value(name: str, value: str) -> str:
    if not _WORDS.fullmatch(name):
        return _number(value) or value
    return language_name(LANGUAGE_CODES[value]) if value in LANGUAGE_CODES else composed(value)


class _Pattern:
    """A template that texts are compared with."""

    def __init__(self, english: str, translation: str) -> None:
        pieces = _FIELD.split(english.strip())
        self.translation = translation.strip()
        self._constants = [piece.replace("{{", "{").replace("}}", "}") for piece in pieces[::2]]
        self._names = pieces[1::2]
        self.letters = sum(map(len, self._constants))
        self.is_clear = not self._names or self.letters >= _FEWEST_LETTERS

    def fields(self, text: str) -> dict[str, str] | None:
        """Return the values of the fields in a text, each up to where what follows it comes first; None without a fit.

        A regular expression would try all other places, too: in a hostile text that takes for ever.
        """
        first, last = self._constants[0], self._constants[-1]
        if not self._names:
            return {} if text == first else None
        at, end = len(first), len(text) - len(last)
        if at > end or not text.startswith(first) or not text.endswith(last):
            return None
        values = []
        for constant in self._constants[1:-1]:
            place = text.find(constant, at, end)
            if place < 0:
                return None
            values.append(text[at:place])
            at = place + len(constant)
        values.append(text[at:end])
        fields = dict(zip(self._names, values, strict=True))
        return fields if values == [fields[name] for name in self._names] else None  # a name may come twice


@cache
def _patterns(code: str) -> list[_Pattern]:
    # those with the most words first, since a short one may fit a longer text, too
    path = catalogue_path(code, CORE)
    if not path.exists():
        return []
    with path.open("rb") as file:
        catalogue = read_po(file, locale=code)
    patterns = [_Pattern(str(text.id), str(text.string)) for text in catalogue if text.id and text.string]
    return sorted((pattern for pattern in patterns if pattern.is_clear), key=lambda pattern: -pattern.letters)
