"""Titles with garbled characters: letters replaced by U+FFFD or '?', or decoded with a wrong encoding."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from jobmatch_core.text.language_guess import unicode_script

_REPLACEMENT = "\ufffd"
_EXAMPLE_LENGTH = 80
_ADDRESS = re.compile(r"\S*(?:://|www\.)\S*")
# A question mark between two letters, before a small letter that begins a word, or several that stand for a word.
_LOST = re.compile(r"(?<=[^\W\d_])\?+(?=[^\W\d_])|(?<![^\s(\-/])\?+(?=[^\W\d_][^\W\d_A-Z])|(?<!\S)\?{4,}(?!\S)")
_TOKEN = re.compile(r"\S*[^\x00-\x7f]\S*")
_WRONG_ENCODINGS = ("cp1252", "cp1250", "cp1251", "mac_roman", "cp850")  # often used by mistake to decode UTF-8
_LETTERS = ("Lu", "Ll", "Mn")
_SURE = 3  # letters beyond ASCII that are none by chance
_JAPANESE = "CJK"  # whose words mix ideographs, kana and wide or narrow letters
# `unicode_script` of letters, and the script of the words that they stand in; '' for any
_SCRIPTS = {
    "HIRAGANA": _JAPANESE,
    "KATAKANA": _JAPANESE,
    "IDEOGRAPHIC": _JAPANESE,  # 々 and 〆
    "HALFWIDTH": _JAPANESE,
    "FULLWIDTH": _JAPANESE,
    "FEMININE": "LATIN",  # ª
    "MASCULINE": "LATIN",  # º
    "MICRO": "LATIN",
    "MODIFIER": "",  # ʻ and ʼ
}


@dataclass(frozen=True, slots=True)
class GarbledTitles:
    """Titles with garbled characters."""

    count: int  # number of them
    of: int  # number of titles that are not empty
    row: int = 0  # row number of the first garbled one; 0 without any
    example: str = ""  # the first garbled one

    def __bool__(self) -> bool:
        return self.count > 0

    def message(self, again: str = "upload it again") -> str:
        """Return a warning for users; *again* is the last step of the remedy."""
        titles = "title contains" if self.of == 1 else "titles contain"
        return (
            f"{self.count:,} of {self.of:,} {titles} garbled characters, e.g. row {self.row:,}: {self.example}; "
            f"save the file as UTF-8 and {again}"
        )


def garbled_titles(titles: Iterable[tuple[int, str]]) -> GarbledTitles:
    """Count the garbled ones among titles, given with their row numbers."""
    count = of = row = 0
    example = ""
    for number, title in titles:
        of += bool(title.strip())
        if is_garbled(title):
            count += 1
            if count == 1:
                row, example = number, " ".join(title.split())[:_EXAMPLE_LENGTH]
    return GarbledTitles(count, of, row, example)


def is_garbled(title: str) -> bool:
    """Return whether a title has garbled characters: `Verk\ufffdufer`, `Verk?ufer`, `VerkÃ¤ufer`."""
    if title.isascii() and "?" not in title:
        return False
    if _REPLACEMENT in title:
        return True
    return _LOST.search(_ADDRESS.sub("", title)) is not None or any(map(_is_misread_utf8, _TOKEN.findall(title)))


def _is_misread_utf8(token: str) -> bool:
    return _is_odd(token) and any(_is_utf8(_encoded(token, encoding)) for encoding in _WRONG_ENCODINGS)


def _is_odd(token: str) -> bool:
    # a sign beyond ASCII, or a capital after a small letter; `ORĂŞEAN` has neither
    signs = any(not sign.isascii() and unicodedata.category(sign) not in _LETTERS for sign in token)
    return signs or any(before.islower() and letter.isupper() for before, letter in pairwise(token))


def _is_utf8(data: bytes) -> bool:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    letters = [letter for letter in text if letter.isalpha()]
    others = [letter for letter in letters if not letter.isascii()]
    # words such as `SEO-менеджер` begin with an acronym; by chance, one letter beside ASCII makes no word: `caf酔`
    scripts = set(map(_script, others if len(others) >= _SURE else letters))
    return not text.isascii() and len(scripts - {""}) <= 1


def _script(letter: str) -> str:
    script = unicode_script(letter)
    return _SCRIPTS.get(script, script)


def _encoded(token: str, encoding: str) -> bytes:
    # b'' if the encoding lacks a letter; C1 control characters stand for their own bytes
    encoded = bytearray()
    for letter in token:
        try:
            encoded += letter.encode(encoding)
        except UnicodeEncodeError:
            if not "\x80" <= letter <= "\x9f":
                return b""
            encoded.append(ord(letter))
    return bytes(encoded)
