"""Patterns of what job adverts add to titles: genders, pay, grades, hours, dates, contracts, work on call, numbers."""

import re
from functools import cache

from jobmatch_core.titles.noise_words import SIGNS, phrases_with_signs
from jobmatch_core.titles.title_parts import TitleParts

_GENDER_LETTERS = "mwfdhkxvžnмжн"
_GENDER = re.compile(
    rf"[(\[]\s*(?:[{_GENDER_LETTERS}](?:\s*[/|,.*+:\-]\s*[{_GENDER_LETTERS}ai])+|gn|a|all genders?|m/w/divers)\s*[)\]]"
    rf"|(?<![\w/])[{_GENDER_LETTERS}](?:\s?[/|]\s?[{_GENDER_LETTERS}]){{1,3}}(?![\w/])"
    r"|\b(?:all genders?|alle geschlechter|tous genres)\b",
    re.IGNORECASE,
)
_REQUISITION = re.compile(
    r"(?:\b(?:ref(?:erence|erenz|\.)?|req(?:uisition)?|job\s?id|id|kennziffer|nr|no|réf)\b[\s.:#°-]*)[\w/-]*\d[\w/-]*"
    r"|#\s?\w*\d\w*|\b[A-Z]{1,4}-?\d{4,}\b|(?<!iso )(?<!en )(?<!din )\b\d{4,}\b|(?<!\w)[x×]\s?\d+\b",
    re.IGNORECASE,
)
_PER = (
    r"(?:\s?(?:/|per|pro|p/?|die|im|par|por|al)\s?"
    r"(?:h(?:ou)?r?|std|stunde|uur|heure|hora|ora|day|week|month|monat|maand|mois|mese?|annum|year|a|h)\b)?"
)
_PAY = re.compile(
    r"(?:R?[£$€]|\b(?:eur|usd|gbp|rm|chf|pln|zł|kč)\b)"
    rf"\s?\d[\d.,]*\s?k?(?:\s?[-–]\s?[£$€]?\s?\d[\d.,]*\s?k?)?{_PER}"
    rf"|\b\d[\d.,]*\s?k?\s?(?:[£$€]|eur\b|zł|kč|pln\b)(?:\s?/\s?\w+|{_PER})"
    r"|\b\d+\s?k?\s?[-–]\s?\d+\s?k\b|\b(?:\d{1,3}\s?[-–]\s?)?\d{1,3}\s?%",
    re.IGNORECASE,
)
_SUM = re.compile(  # in the ways of further countries: `от 45 т.р.`, `20.000,-`, `Rp 4,5 juta`, `30.000 TL`
    r"(?:\b(?:от|до|с)\s)?(?<!\w)\d[\d .,]*(?:\s?[-–]\s?\d[\d .,]*)?\s?"
    r"(?:т\.\s?р\.?|тыс\.?(?:\s?руб\.?)?|руб\.?|р\.|₽|грн\.?|тг|₺|tl\b|ft\b|lei\b|juta\b|jt\b|ريال|درهم|جنيه|دينار)"
    r"(?:\s?/\s?\w+)?"
    r"|\brp\.?\s?\d[\d.,]*(?:\s?[-–]\s?\d[\d.,]*)?(?:\s?(?:juta|jt|ribu|rb)\b)?|(?<!\w)\d[\d.]*,-(?!\w)",
    re.IGNORECASE,
)
_GRADE = re.compile(r"(?<!\w)\d(?:\s?[-–]\s?\d)?(?:-?го)?\s?(?:разряда?\b|разр\b\.?)", re.IGNORECASE)
_TURN = re.compile(r"(?<!\w)[1-3]\s?(?:[ºª°oa.]\s?)?(?:turno|turni)\b", re.IGNORECASE)
_TOWN = re.compile(r"\bг\.\s?[А-ЯЁ][\w-]+")
_START = re.compile(  # `dal 25 agosto`, `ab 01.09.2025`
    r"\b(?:ab(?:\s+dem)?|starting|from|dal|à partir du|dès le|od|vanaf|desde el|a partir de|mulai)\s+"
    r"\d{1,2}(?:\.|st|nd|rd|th|º|er)?"
    r"(?:\s?[./]\s?\d{1,2}\.?(?:\s?[./]?\s?\d{2,4})?|\s+(?:de\s+)?[^\W\d_]{3,}\.?(?:\s+(?:de\s+)?\d{4})?)(?!\w)",
    re.IGNORECASE,
)
_EXTRAS = re.compile(
    r"\+\s?(?:OTE?|overtime|comm(?:ission)?|bonus(?:es)?|benefits|tips|pension|expenses|perks|car(?:\s+allowance)?)\b",
    re.IGNORECASE,
)
_WEEK = r"(?:week|wk|woche|semaine|semana|settimana|uge|vecka|uke|viikko|tydzień|týden|týždeň|hét|неделю|тиждень)"
_HOURS = re.compile(  # of a shift or a week: `12hr shifts`, `38 Std./Woche`, but not `24 hour nursing`
    r"(?<![\w.,])(?:\d{1,2}(?:[.,]\d{1,2})?\s?[-–]\s?)?\d{1,2}(?:[.,]\d{1,2})?[\s-]?"
    r"(?:h(?:ou)?rs?|h|std|stunden|heures|horas|ore|uur|timer|timmar|tuntia|godzin|hodin|hodín|óra|час(?:ов|а)|годин)\b\.?"
    r"[\s-]*(?:shifts?\b|weekly\b|wöchentlich\b|pw\b|settimanali\b|sett\b\.?|semana(?:le|i)s\b|týdně\b|tygodniowo\b"
    rf"|(?:/|per|a|pro|par|por|alla|om|i|na|v|в|на)\s?{_WEEK}\b)"
    r"|(?<![\w.,])\d[.,]\d{1,2}\s?(?:fte|vte|etp|ст(?:авки)?|etatu|úvazku)\b\.?"  # of a full week: `0,8 fte`
    r"|(?<![\w.,])(?:\d{1,2}\s?[-–]\s?)?\d{1,2}\s?uur(?=\s*(?:$|[-–|,()/]))",
    re.IGNORECASE,
)
_SCALE = re.compile(  # of pay in public service: `EG 9b TVöD`, `schaal 10`, `10. platová třída`, `2e classe`
    r"\bEG\s?\d{1,2}[a-c]?\b|\bTV(?:öD|-?L)(?:-[A-Z]{1,3})?(?:\s?E?\s?\d{1,2}[a-c]?)?\b|\([AEP]\s?\d{1,2}[a-c]?\)"
    r"|\bschaal\s?\d{1,2}\b|\b\d{1,2}\.\s?pl(?:atová)?\.?\s?tř(?:ída)?\b\.?|\bliv(?:ello)?\b\.?\s?\d\b"
    r"|\bgr(?:adul)?\b\.?\s?I{1,3}A?\b|\bGS-\d{1,2}\b|\b(?:de\s)?(?:1[eè]?re|[2-9]e)\s(?:classe\b|cl\b\.?)",
    re.IGNORECASE,
)
_EMPLOYER = re.compile(r"(?<=[\w)])\s+@\s?(?P<employer>[^\W\d_].*?)(?=\s+[-–—|]\s|$)")  # `Engineer @ AI startup`
_CONTRACT = (  # with a length: alone, `contract` is a word of occupations too
    r"(?:fixed[\s-]?term(?:\s+contract)?|contract|ftc|befristet(?:\s+(?:auf|für|bis))?|(?:arbeits)?vertrag|cdd|contrat"
    r"|contrato|contratto|umowa)"
)
_LENGTH = r"(?<![\w.,])(?:\d{1,2}\s?(?:[-–/]|to|bis|à|a|tot)\s?)?\d{1,2}[\s-]?"
_MONTHS = (
    r"(?:months?|mths?|monate?n?|mois|mes(?:es)?|mes[ei]|maand(?:en)?|månad(?:er)?|måned(?:er)?|miesi(?:ąc|ące|ęcy))"
)
_YEARS = r"(?:years?|yrs?|jahre?n?|ans?|años?|anos?|ann[oi]|jaar|lata?)"
_TERM = re.compile(  # a length in years alone may be anything: `Year 6 teacher`
    rf"(?:\b{_CONTRACT}\b[\s:,-]*)?(?:\b(?:mind(?:estens)?|min|für|for|ab|de|di)\b\.?\s*)?"
    rf"{_LENGTH}{_MONTHS}\b(?!\s+old)(?:[\s-]*{_CONTRACT}\b)?"
    rf"|\b{_CONTRACT}\b[\s:,-]*(?:(?:of|de|di)\s+)?{_LENGTH}{_YEARS}\b|{_LENGTH}{_YEARS}[\s-]*{_CONTRACT}\b"
    rf"|{_LENGTH}\+?\s?{_YEARS}(?:\s+of)?\s+exp(?:erience)?\b",
    re.IGNORECASE,
)
_BAND = re.compile(
    r"\b(?:(?:afc|nhs)\s)?band\s?[1-9][a-d]?(?:\s?(?:[-–/]|to)\s?(?:band\s)?[1-9][a-d]?)?\b", re.IGNORECASE
)  # pay
_BANK = re.compile(r"(?:^|(?<=[-–(,/|:]))\s*bank\b", re.IGNORECASE)  # work on call, but not `investment bank`
_CARE = re.compile(  # of those who work on call; a `Cashier - Bank` works in one
    r"\b(?:nurs\w*|midwi\w*|health\s?care|hca|rgn|rmn|support\s+worker|care\s+assistant|care\s+worker|carer"
    r"|radiographer|physiotherapist|occupational\s+therapist|paramedic)\b",
    re.IGNORECASE,
)
_ANYTHING, _SIGN, _DIGIT, _AT = map(re.compile, ("", f"[{SIGNS}]", r"\d", "@"))  # most titles have neither


def take_out_patterns(title: TitleParts) -> None:
    """Set genders, employers, pay, hours, contracts, work on call and numbers aside: `(m/w/d)`, `25 £/h`, `#1234`."""
    for pattern, needed in (
        (_GENDER, _ANYTHING),
        (_EMPLOYER, _AT),
        (_with_signs(), _SIGN),
        (_START, _DIGIT),
        (_PAY, _DIGIT),
        (_SUM, _DIGIT),
        (_GRADE, _DIGIT),
        (_TURN, _DIGIT),
        (_TOWN, _ANYTHING),
        (_BAND, _DIGIT),
        (_BANK, _CARE),
        (_EXTRAS, _SIGN),
        (_HOURS, _DIGIT),
        (_SCALE, _ANYTHING),
        (_TERM, _DIGIT),
        (_REQUISITION, _DIGIT),
    ):
        if needed.search(title.text):
            title.take_out(pattern)


@cache
def _with_signs() -> "re.Pattern[str]":
    phrases = "|".join(map(re.escape, sorted(phrases_with_signs(), key=len, reverse=True)))
    return re.compile(rf"(?<![\w/])(?:{phrases})(?![\w/])", re.IGNORECASE)
