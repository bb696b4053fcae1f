"""Paired and gendered forms: `Koch/Köchin`, `Verkäufer/in`, `infirmier·ère` become the titles they stand for.

Used for what people type and for the taxonomy's own names, so that either form finds the other.
"""

import re
from collections import deque
from unicodedata import normalize

MAX_LENGTH = 300  # longer texts are not names and stay unchanged
_MAX_FORMS = 6
_PAIR_SIGNS = frozenset("/(*:·•|;@")

# Where a feminine ending replaces part of the masculine one; all other endings are appended.
_REPLACED = {
    "euse": ("eur",),
    "rice": ("eur", "ore"),
    "trice": ("teur", "tore"),
    "ère": ("er",),
    "ière": ("ier",),
    "ères": ("ers",),
    "ice": ("ík", "eur"),
    "ive": ("if",),
    "a": ("o", "e", "as", "s", "ος"),
    "α": ("ος", "ός"),
    "ė": ("as", "is", "ys"),
    "e": ("is", "s"),
    "ģe": ("gs",),
    "ce": ("ks",),
    "ρια": ("ης", "ής"),
    "use": ("ur",),
    "žka": ("g", "h"),
    "čka": ("k",),
    "ička": ("ik", "ík"),
    "жка": ("г",),
    "чка": ("к",),
    "ница": ("ник",),
    "czka": ("k",),
    "riċi": ("ur",),
    "triċi": ("tur",),
    "ress": ("or", "er"),
    "tress": ("tor", "ter"),
    "te": ("ter", "ts"),
    "ora": ("ore",),
    "essa": ("e",),
    "ka": ("ek", "a", "ec"),
    "in": ("e",),
    "ster": ("er",),
    "woman": ("man",),
    "women": ("men",),
    "vrouw": ("man",),
    "kvinna": ("man",),
    "kvinne": ("mann",),
    "kvinde": ("mand",),
    "naine": ("mees",),
    "nainen": ("mies",),
    "kona": ("maður", "karl"),
    "žena": ("muž",),
    "mann": ("frau",),
    "man": ("vrouw",),
    "oare": ("or",),
    "are": ("r",),
    "easă": ("ar",),
    "ăreasă": ("ar",),
    "ca": ("ec", "co", "k"),
    "ica": ("ico",),
    "ne": ("ns",),
    "fe": ("fs",),
    "le": ("ls",),
    "va": ("v",),
    "yně": ("ec",),
    "trix": ("tor",),
    "czyni": ("ca",),
    "frau": ("mann",),
    "se": ("r",),
    "τρια": ("τής", "της"),
}
_SUFFIX = (
    r"innen|in|euses|euse|rice|trice|ières|ière|ères|ère|ives|ive|ienne|enne|nne|ne|esse|essa|ssa|ora|rix|trix|ice|ica"
    r"|yně|va|ová|ka|ca|czyni|frau|fe|se|τρια|ка|a|e|te|le|x|r|n"
)


# Endings that may come after letters of the masculine form, repeated: `aktivista/tka`, `abogado/da`, `lovac/vkinja`
_AFTER_REPEATED = frozenset(
    """
    žka čka ška ka ca ice nice kyně yně ní inja kinja ica ička ičarka čarka arka czka żka szka owa ini ana na
    a ra ora ara esa isa ina riz triz trice rice rici ã oa essa ia use euse ière ère ive nne enne te
    ă oare are easă iță oasă gă agă e ja iece ģe ce dze iņa iene ė jā
    ка жка чка шка ница ица иня ша еса ая щица чица іня
    α ρια τρια ισσα ίνα ιά σα in frau inna inne ska ske ris ös ess ress tress ster nő nna iċi riċi triċi
    """.split()
)
_APPENDED = frozenset("ă iță inja kinja ė ja nő ininkė iene inna inne ess ница ша иня ίνα ισσα ة ה ת ית".split())
_WHOLE_ENDINGS = frozenset("in innen ne nne enne sse esse ssa essa fe ka ca va le te n r e a ă ica inja".split())
_NEVER_REPEATING = frozenset("ne nne enne sse ssa fe ka ca va in le te".split())
_MOST_REPLACED = 6  # letters at the end of the masculine form
_MOST_REPLACED_BY_WHOLE = 2  # by an ending that repeats nothing as a rule: `admiral/ica`, but `radnik/ica`
# What these endings may be confused with is a word: `cook/use` has no letter in common
_REPEATING_PAIR = re.compile(
    r"(?P<stem>[^\W\d_]{3,40})(?:\s?/\s?-?|\(-?|(?<=\w)/-)(?P<suffix>[^\W\d_]{1,9})\)?(?!\w)", re.IGNORECASE
)
_SECOND_HALF = re.compile(r"(?<=[^\W\d_]{4})/-(?![A-ZÄÖÜ])[^\W\d_]{4,}(?!\w)")  # Krankenschwester/-pfleger
_DOTTED = r"e|es|ne|se|ère|ière|euse|rice|trice"  # after a dot or a dash, where other endings would be words
# `Verkäufer/in`, `Mitarbeiter/-in`, `Verkäufer*in`, `Lehrer:in`, `infirmier·ère`, `vendeur(se)`, `camarero/a`
_SHORT_PAIR = re.compile(
    rf"(?P<stem>[^\W\d_]{{3,40}})(?:\s?/\s?-?|[*:·•∙_]|\(-?|[-.](?=(?:{_DOTTED})\b))(?P<suffix>{_SUFFIX})"
    r"(?:\)|[·•∙.-]s)?(?!\w)",
    re.IGNORECASE,
)
_INNER_I = re.compile(r"(?<=[a-zäöüß])(?<!Linked)In(nen)?\b")  # VerkäuferIn
_AT_SIGN = re.compile(r"(?<=[^\W\d_]{3})@(?!\w)")  # administrativ@
_LONG_PAIR = re.compile(r"(?P<left>[^\W\d_][\w'’-]*)\s?/\s?(?P<right>[^\W\d_][\w'’-]*)")
_SPACED_SLASH = re.compile(r"\s/\s(?!-)|\s?[|;]\s?|(?i:\scum\s)")  # `driver cum cook` is English of South Asia
_UMLAUTS = str.maketrans("äöüéèêàâç", "aoueeeaac")


def expand_forms(text: str) -> list[str]:
    """Return up to six titles that a text with paired forms stands for, in the order of the text.

    `Koch/Köchin` gives Koch and Köchin; `vendeur/vendeuse de fleurs` both with `de fleurs`;
    `driver / warehouse worker` two jobs. A text without pairs is returned unchanged.
    """
    return [form for form, _ in forms_of_jobs(text)]


def forms_of_jobs(text: str) -> list[tuple[str, int]]:
    """Return the forms of `expand_forms`, each with the number of its job; those of `Koch/Köchin` share one."""
    if len(text) > MAX_LENGTH:
        return [(text, 0)]
    text = _AT_SIGN.sub("o/a", _INNER_I.sub("/in", text))
    jobs: list[tuple[str, tuple[int, ...]]] = [(part, (place,)) for place, part in enumerate(_split_jobs(text))]
    waiting = deque(jobs[:_MAX_FORMS])
    forms: dict[str, tuple[int, ...]] = {}
    while waiting and len(forms) < _MAX_FORMS:
        form, job = waiting.popleft()
        parts, are_jobs = _expand_once(form)
        if len(parts) == 1 or len(forms) + len(waiting) >= _MAX_FORMS:
            if bare := parts[0].strip(" /-"):
                forms.setdefault(bare, job)
        else:
            further = [(part, (*job, place) if are_jobs else job) for place, part in enumerate(parts)]
            waiting.extendleft(reversed(further))
    numbers = {job: number for number, job in enumerate(dict.fromkeys(forms.values()))}
    return [(form, numbers[job]) for form, job in forms.items()]


def name_forms(name: str) -> list[str]:
    """Return the titles that a name of a taxonomy stands for, and the name itself.

    A part with fewer words than another is not a name: `iron` in `iron/steel worker`. Of two parts, the shorter one is
    completed with words of the other: `iron worker`, and `naval architect` for `naval engineer/architect`.
    """
    if _PAIR_SIGNS.isdisjoint(name):
        return [name]
    parts = expand_forms(name)
    lengths = [len(part.split()) for part in parts]
    whole = [part for part, length in zip(parts, lengths, strict=True) if length == max(lengths)]
    completed = _completed(*(part.split() for part in parts)) if len(parts) == 2 else []
    return list(dict.fromkeys([*whole, *completed, name]))


def _completed(left: list[str], right: list[str]) -> list[str]:
    if len(left) == len(right) or _same_word(left[0], right[0]):
        return []
    return [" ".join([*left, *right[1:]] if len(left) < len(right) else [*left[:-1], *right])]


def _split_jobs(text: str) -> list[str]:
    parts = [part for part in _SPACED_SLASH.split(text) if part.strip()]
    # a slash between two forms of one word does not separate jobs
    if len(parts) == 2 and _same_word(parts[0].split()[-1], parts[1].split()[0]):
        return [text]
    return parts or [text]


def _expand_once(text: str) -> tuple[list[str], bool]:
    """Return the two texts that the first pair stands for, and whether they are two jobs; without a pair the text."""
    if short := _short_pair(text):
        both = _both(short.group("stem"), short.group("suffix"))
        return [text[: short.start()] + form + text[short.end() :] for form in both], False
    long = _LONG_PAIR.search(text)
    if not long:
        return [_SECOND_HALF.sub("", text)], False
    if phrases := _paired_phrases(text[: long.end("left")], text[long.start("right") :]):
        return phrases, False
    if _same_word(long.group("left"), long.group("right")):
        both = (long.group("left"), long.group("right"))
        return [text[: long.start()] + form + text[long.end() :] for form in both], False
    return [text[: long.end("left")], text[long.start("right") :]], True


def _paired_phrases(left: str, right: str) -> list[str]:
    # `A und B/Ain und Bin in C`: each word of one phrase is a form of the same word of the other
    before, after = left.split(), right.split()
    for length in range(min(len(before), len(after)), 1, -1):
        pairs = zip(before[-length:], after[:length], strict=True)
        if all(a == b or _same_word(a, b) for a, b in pairs):
            around = before[:-length], after[length:]
            return [" ".join([*around[0], *phrase, *around[1]]) for phrase in (before[-length:], after[:length])]
    return []


def _same_word(left: str, right: str) -> bool:
    # forms of one word share their first letters, umlauts aside
    a, b = (word.casefold().translate(_UMLAUTS) for word in (left, right))
    shared = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return shared >= 3 or (shared >= 2 and min(len(a), len(b)) <= 5)


def _short_pair(text: str) -> "re.Match[str] | None":
    # the first word with an ending of another form
    pairs = (pair for pair in _REPEATING_PAIR.finditer(text) if _is_ending(pair.group("stem"), pair.group("suffix")))
    return min(filter(None, (_SHORT_PAIR.search(text), next(pairs, None))), key=re.Match.start, default=None)


def _is_ending(masculine: str, suffix: str) -> bool:
    word, ending = masculine.lower(), suffix.lower()
    replaced = any(word.endswith(end) for end in _REPLACED.get(ending, ()))
    return (
        replaced or ending in _APPENDED or (ending == "ster" and len(word) > 4) or _repeated(word, ending) is not None
    )


def _both(masculine: str, suffix: str) -> tuple[str, str]:
    # `medewerk(st)er`
    if suffix.lower() == "ster" and not masculine.lower().endswith("er"):
        return masculine + suffix[2:], masculine + suffix
    return masculine, _feminine(masculine, suffix)


def _repeated(masculine: str, ending: str) -> int | None:
    """Return the place in a masculine form from which an ending repeats it: `aktivista/tka`; None if it does not."""
    most = _MOST_REPLACED_BY_WHOLE if ending in _WHOLE_ENDINGS else _MOST_REPLACED
    word, plain = _plain(masculine), _plain(ending)
    for length in range(len(ending) - 1, 0, -1):
        if ending[length:] in _AFTER_REPEATED:
            place = word.rfind(plain[:length], max(len(word) - most, 2))
            if place >= 0:
                return place
    return None


# letters without accents, each in its place
def _plain(word: str) -> str:
    return "".join(normalize("NFD", letter)[0] for letter in word)


def _feminine(masculine: str, suffix: str) -> str:
    word, ending = masculine.lower(), suffix.lower()
    if ending == "e" and word.endswith(("ter", "ner")):  # Beauftragter
        return masculine[:-1]
    for replaced in _REPLACED.get(ending, ()):
        if word.endswith(replaced):
            return masculine[: len(masculine) - len(replaced)] + ending
    appended = len(ending) == 1 or ending in _NEVER_REPEATING
    place = None if appended else _repeated(word, ending)
    return masculine + suffix if place is None else masculine[:place] + suffix
