"""Safe names of downloads, made from names that users chose."""

import re
import unicodedata

_MOST_BYTES = 200  # of 255 that file systems allow; clients add a number to a name that is taken
# separators of folders, signs of shells and Windows, invisible characters, and direction overrides
_UNSAFE = re.compile('["*/:<>?\\\\|\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]')
_HIDING = ". "  # at the beginning of a name they hide the file
_NOT_PLAIN = re.compile(r"[^ -~]|%")  # some clients decode `%`


def download_name(stem: str, ending: str) -> str:
    """Return a safe file name for a download; *ending* is its last part in ASCII, such as ' linked.csv'."""
    safe = _UNSAFE.sub("_", unicodedata.normalize("NFC", stem)).lstrip(_HIDING)
    safe = safe.encode()[: _MOST_BYTES - len(ending)].decode(errors="ignore")
    return f"{safe.rstrip()}{ending}".lstrip()


def ascii_name(name: str) -> str:
    """Return a download's name in ASCII: letters without accents, `_` for other characters."""
    letters = (letter for letter in unicodedata.normalize("NFKD", name) if not unicodedata.combining(letter))
    return _NOT_PLAIN.sub("_", _UNSAFE.sub("_", "".join(letters))).lstrip(_HIDING)
