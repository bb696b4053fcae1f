"""Paired and gendered forms: `Koch/Köchin`, `Verkäufer/in`, `infirmier·ère` become the titles they stand for.

Used for what people type and for the taxonomy's own names, so that either form finds the other.
"""

import re

_MAX_FORMS = 6

# Where the feminine ending replaces part of the masculine one; all other endings are appended.
_REPLACED = {
    "euse": ("eur",), "rice": ("eur",), "trice": ("teur", "tore"), "ère": ("er",), "ière": ("ier",),
    "ice": ("eur",), "ive": ("if",), "a": ("o", "e"), "ora": ("ore",), "essa": ("e",), "ka": ("ek",), "ca": ("ec",),
    "yně": ("ec",), "trix": ("tor",),
}  # fmt: skip
_SUFFIX = (
    r"innen|in|euse|rice|trice|ière|ère|ive|ienne|enne|nne|ne|esse|essa|ora|rix|trix|ice|yně|va|ová|ka|ca|a|e|te|le|x"
)
# `Verkäufer/in`, `Mitarbeiter/-in`, `Verkäufer*in`, `Lehrer:in`, `infirmier·ère`, `vendeur(se)`, `camarero/a`
_SHORT_PAIR = re.compile(
    rf"(?P<stem>[^\W\d_]{{3,}})(?:\s?/\s?-?|[*:·•∙_]|\(-?|[-.](?=(?:e|ne|ère|euse|rice|trice)\b))(?P<suffix>{_SUFFIX}|se|r|n)"
    r"(?:\)|[·•∙.-]s)?(?!\w)",
    re.IGNORECASE,
)
_INNER_I = re.compile(r"(?<=[a-zäöüß])In(nen)?\b")  # VerkäuferIn
_AT_SIGN = re.compile(r"(?<=[^\W\d_]{3})@(?!\w)")  # administrativ@
_LONG_PAIR = re.compile(r"(?P<left>[^\W\d_][\w'’-]*)\s?/\s?(?P<right>[^\W\d_][\w'’-]*)")
_SPACED_SLASH = re.compile(r"\s/\s|\s*[|;]\s*")


def expand_forms(text: str) -> list[str]:
    """Return the titles that a text with paired forms stands for, the first-named first.

    `Koch/Köchin` gives Koch and Köchin; `vendeur/vendeuse de fleurs` both with `de fleurs`;
    `driver / warehouse worker` two jobs. A text without pairs comes back alone.
    """
    text = _INNER_I.sub("/in", text)
    text = _AT_SIGN.sub("o/a", text)
    expanded = [variant for job in _split_jobs(text) for variant in _expand(job)]
    return list(dict.fromkeys(variant.strip(" /-") for variant in expanded if variant.strip(" /-")))[:_MAX_FORMS]


def _split_jobs(text: str) -> list[str]:
    """Split at ` / `, unless a pair of forms of one word stands on both sides."""
    parts = [part for part in _SPACED_SLASH.split(text) if part.strip()]
    if len(parts) == 2 and _same_word(parts[0].split()[-1], parts[1].split()[0]):
        return [text]
    return parts or [text]


def _expand(text: str) -> list[str]:
    short = _SHORT_PAIR.search(text)
    if short:
        masculine = short.group("stem")
        both = (masculine, _feminine(masculine, short.group("suffix")))
        return [v for form in both for v in _expand(text[: short.start()] + form + text[short.end() :])]
    long = _LONG_PAIR.search(text)
    if not long:
        return [text]
    if _same_word(long.group("left"), long.group("right")):
        both = (long.group("left"), long.group("right"))
        return [v for form in both for v in _expand(text[: long.start()] + form + text[long.end() :])]
    left, right = re.split(r"\s?/\s?", text, maxsplit=1)
    return [variant for form in (left, right) for variant in _expand(form)]


def _same_word(left: str, right: str) -> bool:
    """Tell whether two words are forms of one: they share their first letters, umlauts aside."""
    a, b = (word.casefold().translate(_UMLAUTS) for word in (left, right))
    shared = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return shared >= 3 or (shared >= 2 and min(len(a), len(b)) <= 5)


_UMLAUTS = str.maketrans("äöüéèêàâç", "aoueeeaac")


def _feminine(masculine: str, suffix: str) -> str:
    suffix = suffix.lower()
    if suffix == "se" and masculine.endswith("eur"):
        return masculine[:-1] + "se"
    for ending in _REPLACED.get(suffix, ()):
        if masculine.endswith(ending):
            return masculine[: -len(ending)] + suffix
    return masculine + suffix
