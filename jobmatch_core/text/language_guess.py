"""Guess of a text's language by its commonest words or its script, and the scripts of texts.

Three sentences usually suffice. Scripts follow from the Unicode names of letters: `THAI CHARACTER KO KAI` is Thai.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Set
from functools import cache, lru_cache

from stop_words import LANGUAGE_MAPPING, get_stop_words

from jobmatch_core.text.folding import fold

_FEWEST = 2  # common words of a language that a text must have
_WORD = re.compile(r"[^\W\d_]+")
# Short words that are common in job texts, too; words of several languages cancel out.
_COMMON = {
    "cs": "a je se na v že to s z do jsem pro jako za jsou od ale po který která být také nebo při podle má máme jsme",
    "da": "og i det at en den til er som på de med af for ikke der var har vi et om fra du jeg kan vil skal hvor "
    "eller mig dig sig noget nogle hvad blev bliver efter mere kun mellem uden nu ud op siger erfaring søger "
    "virksomhed",
    "de": "und die der in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus "
    "er hat dass wir sie nach bei einer um am sind noch wie einem über einen ich du ihr oder unser suchen",
    "en": "the of and to in a is that for it as with on be by this are from at we you will our or have an your i "
    "was not who what he she they my his her has can do if would",
    "es": "de la que el en y a los del se las por un para con no una su al lo como más pero sus le es o este sí son "
    "está muy nuestro buscamos hay tiene yo me qué",
    "et": "ja on ei et ta see oma kui ka ning mis aga või seda kes oli ma sa me te nad kõik väga siis meie olla mida",
    "fi": "ja on ei se että hän oli mutta kun niin en ovat myös minä tämä sinä joka mitä voi tai me olla sekä "
    "kanssa mukaan",
    "fr": "de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont nous vous "
    "avec ou notre je cette aux elle mais c d l qu n j cherchons recherchons",
    "ga": "an na agus ar i a is go le sé bhí tá do ag mé sin nach ní air seo leis mar ach níl atá mo",
    "hr": "i je se u na da za su s od koji a kao ne to što bi sam će ili iz po o kako smo nije ali samo može",
    "hu": "a az és hogy nem is egy volt meg ez van de csak már még mint vagy azt ki el ha én kell minden nagyon lesz",
    "is": "og að í á er sem ég það til um við ekki en með var hann fyrir þú af hún þetta eru ef þess hef",
    "it": "di e il la che in un a per è una non sono con si da come le dei del nel alla della più anche ma gli i lo "
    "al ho ha o se questo nostro cerchiamo chi cosa",
    "lt": "ir yra kad į su ne tai iš kaip bet o už jis ar buvo per nuo apie jo ji mes aš tu mano labai man kas",
    "lv": "un ir ka par ar no uz tas bet es viņš nav lai kas vai to arī jau viņa mēs tu man ļoti bija ko kā",
    "mt": "li ta u fil għal il biex minn hija hu ma kien fuq dan din mhux jew huwa kif tal is bil mill",
    "nl": "de van het een en in is dat op te zijn met voor niet aan er om ook als bij door naar maar we wij die uit "
    "ik je heeft wordt deze of onze zoeken",
    "no": "og i det på som er en til for av at med de har ikke den jeg vi et om fra du kan var vil skal hva eller "
    "noe meg deg seg noen ble blir etter mer bare mellom uten nå ut opp sier erfaring søker bedrift",
    "pl": "i w na z się do nie jest to że o jak za po co dla od oraz przez są ale czy był jego tak już tylko lub "
    "który która mamy szukamy poszukujemy ja ma mi",
    "pt": "de a o que e do da em um para com não uma os no se na por mais as dos como mas ao ele das à seu sua ou "
    "quando muito nos já está são nossa procuramos você eu tem",
    "ro": "și de la în a nu cu o pe că un este din care pentru mai ce să se fi sunt ca am au sau lui dar fost noi eu",
    "sk": "a je sa na v že to s z do som pre ako za sú od ale po ktorý ktorá byť tiež alebo pri podľa má máme sme nie",
    "sl": "in je se na v da za so s od ki kot ne to bi sem ali iz po o kako smo ni še tudi pri lahko bo",
    "sq": "dhe të në e i një për me që nuk është si ka por nga do ishte më jam kjo ky ne unë",
    "sv": "och i att det som en på är av för med den till inte har de ett om jag vi från du kan var vill eller hos ska",
    "tr": "ve bir bu da de için ile çok ne o var gibi daha ama değil mi ben olarak olan en sen her kadar biz ya",
}
# Letters that hardly any other of these languages has: a word with one counts as a common word.
_OWN_LETTERS = {
    "cs": "ěřů",
    "de": "ß",
    "es": "ñ",
    "hu": "őű",
    "is": "ðþ",
    "lt": "ėįų",
    "lv": "āņļķģ",
    "mt": "ħġ",
    "pl": "łśź",
    "pt": "ãõ",
    "ro": "țăș",
    "sk": "ľĺŕô",
    "tr": "ğı",
}
_OWN = {language: frozenset(letters) for language, letters in _OWN_LETTERS.items()}
_WORDS = {language: frozenset(words.split()) for language, words in _COMMON.items()}
# Languages by script, as Unicode names its letters; _LETTERS tells languages with the same script apart.
_SCRIPTS = {
    "GREEK": "el",
    "HEBREW": "he",
    "ARMENIAN": "hy",
    "GEORGIAN": "ka",
    "THAI": "th",
    "DEVANAGARI": "hi",
    "HANGUL": "ko",
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "CJK": "zh",
    "ARABIC": "ar",
    "CYRILLIC": "bg",
}
_LETTERS = {
    "bg": (("uk", "іїєґ"), ("kk", "әғқңө"), ("ru", "ыэё"), ("mk", "ѓќѕ"), ("sr", "ђћџљњ")),
    "ar": (("fa", "پچژگ"),),
}
_NORWEGIAN = {"no": "nb", "nn": "nb"}  # the package lists Bokmål only
# English names of scripts where they differ from the first word of a letter's Unicode name.
_NAMES = {
    "CJK": "Chinese characters",
    "IDEOGRAPHIC": "Chinese characters",
    "HIRAGANA": "Japanese",
    "KATAKANA": "Japanese",
    "HANGUL": "Korean",
    "MYANMAR": "Burmese",
    "ORIYA": "Odia",
    "CANADIAN": "Canadian syllabics",
    "NKO": "N'Ko",
}
_OF_NO_SCRIPT = frozenset({"MODIFIER", "CARON", "VERTICAL", "MASU", "TURNED", "VEDIC"})
_FEW = 0.1  # share of a text's letters: a brand or a level in a title of another script


def guess_language(text: str) -> str:
    """Return the two-letter code of a text's language; '' if too few of its words are common in one language."""
    text = text.lower()
    script = _script(text)
    if script != "LATIN":
        language = _SCRIPTS.get(script, "")
        return next((other for other, letters in _LETTERS.get(language, ()) if set(letters) & set(text)), language)
    counts = Counter(_WORD.findall(text))
    scores = Counter({language: sum(counts[word] for word in words) for language, words in _WORDS.items()})
    for language, letters in _OWN.items():
        scores[language] += sum(count for word, count in counts.items() if not letters.isdisjoint(word))
    (best, most), (_, second) = scores.most_common(2)
    return best if most >= _FEWEST and most > second else ""


def is_common(word: str, language: str) -> bool:
    """Return whether a word in lower case is among a language's commonest; false for an unknown language."""
    return word in _WORDS.get(language, ())


def _script(text: str) -> str:
    names = Counter(unicode_script(letter) for letter in text if letter.isalpha())
    # Japanese has kana among the Chinese characters
    if names["HIRAGANA"]:
        return "HIRAGANA"
    return names.most_common(1)[0][0] if names else "LATIN"


def is_stop_word(word: str, language: str) -> bool:
    """Return whether a folded word is a stop word of a language, given by its two-letter code."""
    return word in _stop_words(language)


@cache
def _stop_words(language: str) -> frozenset[str]:
    code = _NORWEGIAN.get(language, language)
    listed = get_stop_words(code) if code in LANGUAGE_MAPPING else []
    return frozenset(part for word in (*listed, *_WORDS.get(language, ())) for part in fold(word).split())


def unicode_script(letter: str) -> str:
    """Return the first word of a letter's Unicode name, such as 'GREEK' or 'CJK'; '' for a letter without a name."""
    return unicodedata.name(letter, "").partition(" ")[0].partition("-")[0]


@lru_cache(maxsize=65536)
def script_name(sign: str) -> str:
    """Return the English name of a letter's script, such as 'Greek'; '' for a sign that is not a letter."""
    letter = unicodedata.normalize("NFKC", sign)[:1]
    word = unicode_script(letter) if letter.isalpha() else ""
    return "" if word in _OF_NO_SCRIPT else _NAMES.get(word, word.capitalize())


def count_scripts(text: str) -> Counter[str]:
    """Return the number of letters of each script in a text; accents and vowel signs do not count."""
    scripts = Counter(map(script_name, text))
    scripts.pop("", None)
    return scripts


def main_script(text: str) -> str:
    """Return the script of most letters of a text, the first of a tie; '' for a text without letters."""
    scripts = count_scripts(text)
    return max(scripts, key=scripts.__getitem__, default="")


def main_scripts(texts: Iterable[str]) -> frozenset[str]:
    """Return the main scripts of all texts that have letters."""
    return frozenset(map(main_script, texts)) - {""}


def foreign_script(text: str, expected: Set[str]) -> str:
    """Return the most frequent script of a text that is not *expected*.

    Returns '' if more than a tenth of the letters are of expected scripts, or without letters.
    """
    scripts = count_scripts(text)
    foreign = {script: count for script, count in scripts.items() if script not in expected}
    if not foreign or scripts.total() - sum(foreign.values()) > _FEW * scripts.total():
        return ""
    return max(foreign, key=foreign.__getitem__)
