"""The languages that names may be in: two-letter ISO 639-1 codes and their English names."""

from jobmatch_core.errors import SettingsError

ENGLISH = "en"

LANGUAGE_NAMES = {
    "ar": "Arabic", "bg": "Bulgarian", "bs": "Bosnian", "ca": "Catalan", "cs": "Czech", "da": "Danish",
    "de": "German", "el": "Greek", "en": "English", "es": "Spanish", "et": "Estonian", "eu": "Basque",
    "fa": "Persian", "fi": "Finnish", "fr": "French", "ga": "Irish", "gl": "Galician", "he": "Hebrew",
    "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "hy": "Armenian", "id": "Indonesian",
    "is": "Icelandic", "it": "Italian", "ja": "Japanese", "ka": "Georgian", "kk": "Kazakh", "ko": "Korean",
    "lb": "Luxembourgish", "lt": "Lithuanian", "lv": "Latvian", "mk": "Macedonian", "ms": "Malay",
    "mt": "Maltese", "nl": "Dutch", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian",
    "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sq": "Albanian", "sr": "Serbian", "sv": "Swedish",
    "th": "Thai", "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip

_ALIASES = {"nb": "no", "nn": "no", "iw": "he", "in": "id"}


def language_code(code: str) -> str | None:
    """Return the two-letter code that *code* stands for (`DE`, `de-AT`, `nb`), or None if unknown."""
    short = code.strip().lower().replace("_", "-").split("-")[0]
    short = _ALIASES.get(short, short)
    return short if short in LANGUAGE_NAMES else None


def checked_language(code: str) -> str:
    """Return the two-letter code that a user's code stands for.

    Raises:
        SettingsError: it is not a language known here.
    """
    found = language_code(code)
    if found is None:
        raise SettingsError(f"{code!r} is not a language known here; known are {', '.join(LANGUAGE_NAMES)}.")
    return found


def language_name(code: str) -> str:
    """Return the English name of a language, or the code itself where it has none."""
    return LANGUAGE_NAMES.get(code, code)
