"""Text as the matchers see it: case, accents and punctuation folded the same way everywhere.

Does not clean job titles of their dirt; that is `linking.cleaning`.
"""

import re
import unicodedata

# Letters that Unicode does not decompose, but that people type without their stroke.
_STROKES = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"})
_LATIN_MARKS = re.compile("[\u0300-\u036f]")  # not the kana voicing marks, which change the word
_WORD = re.compile(r"\w+")


def fold(text: str) -> str:
    """Return *text* in lower case, without accents or punctuation, its words one space apart.

    Keeps `c++`, `c#` and `.net` apart from `c` and `net`, because they are different jobs.
    """
    text = unicodedata.normalize("NFKD", text.casefold())
    text = _LATIN_MARKS.sub("", text).translate(_STROKES)
    text = unicodedata.normalize("NFC", text)
    text = text.replace("c++", "cplusplus").replace("c#", "csharp").replace(".net", " dotnet")
    return " ".join(_WORD.findall(text.replace("_", " ")))
