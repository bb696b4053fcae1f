"""Detection of text encodings: those that can decode every byte, most plausible first.

A decoded text is plausible if groups of three letters with accents occur in occupation names, if one alphabet has all
letters of a word, and if words are of one script; signs and capitals inside words make it less plausible. Short texts
remain ambiguous, so users should see the values and be able to choose.
"""

import codecs
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import pairwise

from jobmatch_core.taxonomy.bundled import bundled_files
from jobmatch_core.text.language_guess import unicode_script

UTF8 = "utf-8-sig"
_Standard = tuple[str, int, int]  # (codec, lowest and highest first byte of frequent characters)
ENCODINGS = {
    "cp1252": "Windows, Western Europe",
    "cp1250": "Windows, Central Europe",
    "cp1251": "Windows, Cyrillic",
    "cp1253": "Windows, Greek",
    "cp1254": "Windows, Turkish",
    "cp1255": "Windows, Hebrew",
    "cp1256": "Windows, Arabic",
    "cp1257": "Windows, Baltic",
    "cp874": "Windows, Thai",
    "cp932": "Japanese, Shift-JIS",
    "gb18030": "Chinese, simplified",
    "cp950": "Chinese, traditional, Big5",
    "cp949": "Korean",
    "euc_jp": "Japanese, EUC",
    "koi8_u": "Cyrillic, KOI8",
    "iso8859_2": "Central Europe, ISO 8859-2",
    "cp850": "DOS, Western Europe",
    "cp852": "DOS, Central Europe",
    "mac_roman": "Mac, Western Europe",
}
_OTHER_NAMES = {
    UTF8: "UTF-8",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16, little-endian",
    "utf-16-be": "UTF-16, big-endian",
}
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_NUL_SHARE = 0.2  # of all bytes, from which a text has two bytes per letter
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1a]")
_BINARY_SHARE = 0.01  # of such bytes, above which a file is not text
_MOST_OFFERED = 8
_RARITY = 0.02  # points that an encoding loses to the previous one, which is more frequent
_MOST_LINES = 2000  # with letters beyond ASCII, which are scored
_WORD = re.compile(r"\w[\w\u0300-\u036f]*")
_TYPOGRAPHIC = {"’": 1.6, "–": 1.0, "“": 1.0, "”": 1.0, "„": 1.0}
_USUAL_SIGNS = frozenset("‘‚«»‹›…•·€£§°©®™№¡¿ºª、。・（）「」〜～：；，！？／　\u00a0\u200b\ufeff")
_KANA = {"HIRAGANA", "KATAKANA"}
# The first part of a national standard has the frequent East Asian characters; these are its first bytes.
_EVERYDAY_JAPANESE = (("euc_jp", 0xA4, 0xCF),)
_EVERYDAY = (*_EVERYDAY_JAPANESE, ("gb2312", 0xB0, 0xD7), ("big5", 0xA4, 0xC6), ("euc_kr", 0xB0, 0xC8))
# Letters beyond ASCII of languages in Latin script.
_ALPHABETS = tuple(
    frozenset(letters)
    for letters in (
        "äöüß àâæçéèêëîïôœùûüÿ áéíóúüñ àèéìíòóù ãõáéíóúâêôàç ëïéöüáèóí ąćęłńóśźż áčďéěíňóřšťúůýž "
        "áäčďéíĺľňóôŕšťúýž áéíóöőúüű ăâîșțşţ çğıİöşü åäöé æøåéó áðéíóúýþæö õäöüšž āčēģīķļņšūž ąčęėįšųūž čćđšž "
        "äöåšž ċġħżàèìòù àçéèíïóòúüŀ"
    ).split()
)
# Letters of other alphabets, the frequent ones first.
_FREQUENT = {
    "CYRILLIC": "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъёіїєґјљњћџђ",
    "GREEK": "αοιετσνηυρπκμλςίόάέγδήθχωφβώύζξψϊ",
    "HEBREW": "יוהלרתמאבשנכדקעחפטצגזסםןךץף",
    "ARABIC": "اليمنترودبسعفةقكحجشطصهخضزذغثظءئأإؤىپچگک",
    "THAI": "านรกอเงมยลวดทสตะปบคหแจพชขใไโผถซธศณญฟฝภษุูิีึื่้็๊๋ั์ำฯ",
}


def encoding_name(encoding: str) -> str:
    """Return the description of an encoding, with its technical name."""
    name = ENCODINGS.get(encoding)
    return f"{name} ({encoding})" if name else _OTHER_NAMES.get(encoding, encoding)


def fitting_encodings(data: bytes) -> list[str]:
    """Return the encodings that can decode a text, the most plausible one first; only UTF-8 if that is one.

    Of encodings that give the same letters, only the first is returned.
    """
    if data.startswith(_UTF16_MARKS):
        return ["utf-16"] if _decoded(data, "utf-16") is not None else []
    if data.count(0) >= _NUL_SHARE * len(data) > 0:
        order = ("utf-16-le", "utf-16-be") if data[1::2].count(0) >= data[::2].count(0) else ("utf-16-be", "utf-16-le")
        return [encoding for encoding in order[:1] if _decoded(data, encoding) is not None]
    if len(_BINARY.findall(data)) > _BINARY_SHARE * len(data) or b"\0" in data:
        return []
    if _decoded(data, UTF8) is not None:
        return [UTF8]
    lines = list(dict.fromkeys(line for line in data.splitlines() if not line.isascii()))
    readings: dict[str, str] = {}
    for encoding in ENCODINGS:
        if _decoded(b"\n".join(lines), encoding) is not None:
            readings.setdefault(b"\n".join(lines[:_MOST_LINES]).decode(encoding), encoding)
    points = {encoding: _plausibility(text) for text, encoding in readings.items()}
    rarity = {encoding: _RARITY * place for place, encoding in enumerate(ENCODINGS)}
    return sorted(points, key=lambda encoding: rarity[encoding] - points[encoding])[:_MOST_OFFERED]


def _decoded(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _plausibility(text: str) -> float:
    # mean points per letter beyond ASCII
    letters = [letter for letter in text if not letter.isascii()]
    standards = _EVERYDAY_JAPANESE if any(unicode_script(letter) in _KANA for letter in letters) else _EVERYDAY
    points = sum(_word_points(word, standards) for word in _WORD.findall(text))
    return (points + sum(map(_sign_points, _WORD.sub("", text))) + _most_covered(letters)) / max(len(letters), 1)


def _sign_points(sign: str) -> float:
    if sign.isascii():
        return -5.0 if unicodedata.category(sign) == "Cc" and sign not in "\t\r\n" else 0.0
    if sign in _TYPOGRAPHIC:
        return _TYPOGRAPHIC[sign]
    if sign in _USUAL_SIGNS:
        return 0.0
    return -4.0 if unicodedata.category(sign) in ("Cc", "Co", "Cn") else -1.5


def _word_points(word: str, standards: Iterable[_Standard]) -> float:
    if word.isascii():
        return 0.0
    beyond = [letter for letter in word if not letter.isascii()]
    scripts = {"CJK" if (script := unicode_script(letter)) in _KANA else script for letter in word if letter.isalpha()}
    if len(scripts) > 1:
        return -2.0 * len(beyond)
    odd = 2.0 * sum(before.islower() and letter.isupper() for before, letter in pairwise(word))
    if scripts == {"LATIN"}:
        return _latin_points(word.lower(), beyond) - odd
    return sum(_letter_points(letter, standards) for letter in beyond) - odd


def _latin_points(word: str, beyond: list[str]) -> float:
    whole = any(alphabet.issuperset("".join(beyond).lower()) for alphabet in _ALPHABETS)
    n_known = sum(group in _known_groups() for group in _groups(word) if not group.isascii())
    return n_known / 3 + (0.5 if whole else -0.5) * len(beyond)


def _letter_points(letter: str, standards: Iterable[_Standard]) -> float:
    script = unicode_script(letter)
    if script in _FREQUENT:
        place = _FREQUENT[script].find(letter.lower())
        return 1.5 - place / 20 if place >= 0 else -1.0
    everyday = any(
        low <= coded[0] <= high for codec, low, high in standards if len(coded := letter.encode(codec, "ignore")) == 2
    )
    return -1.0 if not everyday else 0.5 if script == "CJK" else 1.0


def _most_covered(letters: Iterable[str]) -> float:
    # number of letters in the alphabet that has most of them
    counts = Counter(letter.lower() for letter in letters)
    return max(float(sum(counts[letter] for letter in alphabet)) for alphabet in _ALPHABETS)


def _groups(word: str) -> Iterable[str]:
    framed = f" {word} "
    return (framed[start : start + 3] for start in range(len(framed) - 2))


@cache
def _known_groups() -> frozenset[str]:
    text = " ".join(path.read_text("utf-8").lower() for path in bundled_files())
    words = {word for word in _WORD.findall(text) if not word.isascii()}
    return frozenset(group for word in words for group in _groups(word) if not group.isascii())
