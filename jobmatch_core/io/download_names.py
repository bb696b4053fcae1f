"""Names of files that users download, from names that users chose."""

import re
import unicodedata

_MOST_BYTES = 200  # of 255 that file systems allow: clients add to a name that is taken
# folders, what shells and Windows read otherwise, what nobody sees, and what turns the direction of the text around it
_UNSAFE = re.compile('["*/:<>?\\\\|\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]')
_HIDING = ". "  # at a name's beginning: a file of which `ls` and file managers show nothing
_NOT_PLAIN = re.compile(r"[^ -~]|%")  # `%` would be decoded by some clients


def download_name(stem: str, ending: str) -> str:
    """Return the name of a file that is to be saved.

    Args:
        stem: name without the ending; what cannot be part of a file's name becomes `_`.
        ending: the rest of the name, such as ' linked.csv', in ASCII.
    """
    safe = _UNSAFE.sub("_", unicodedata.normalize("NFC", stem)).lstrip(_HIDING)
    safe = safe.encode()[: _MOST_BYTES - len(ending)].decode(errors="ignore")
    return f"{safe.rstrip()}{ending}".lstrip()


def ascii_name(name: str) -> str:
    """Return a download's name in ASCII: letters without their accents, `_` for what has no such letter."""
    letters = (letter for letter in unicodedata.normalize("NFKD", name) if not unicodedata.combining(letter))
    return _NOT_PLAIN.sub("_", _UNSAFE.sub("_", "".join(letters))).lstrip(_HIDING)
