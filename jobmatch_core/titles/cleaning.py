"""Cleaning of titles: `(m/w/d)`, `Senior`, requisition numbers, places, pay and languages asked for are set aside.

The words are in `noise_words.toml` by language; those of all languages are applied to every title.
"""

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass

from jobmatch_core.entities import Seniority
from jobmatch_core.text.folding import TextPieces, fold, folded_name
from jobmatch_core.text.forms import forms_of_jobs
from jobmatch_core.titles.asked_languages import asks_for_languages, is_asked_language, language_phrases
from jobmatch_core.titles.noise_words import folded_grades, folded_noise, former_job_apart, named_phrases
from jobmatch_core.titles.readings import Leadership, find_leadership, glossed, spelt_out, unclipped
from jobmatch_core.titles.relatives import civil_status_apart, is_civil_status, is_relative

MAX_TITLE_LENGTH = 300  # longer texts are sentences; the rest is ignored

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
_PAY = re.compile(
    r"(?:R?[£$€]|\b(?:eur|usd|gbp|rm|chf|pln|zł|kč)\b)\s?\d[\d.,]*\s?k?(?:\s?[-–]\s?[£$€]?\s?\d[\d.,]*\s?k?)?"
    r"(?:\s?(?:/|per|pro|p)\s?(?:h(?:ou)?r?|std|stunde|annum|year|month|day|week|a|h)\b)?"
    r"|\b\d[\d.,]*\s?k?\s?(?:[£$€]|eur\b|zł|kč|pln\b)(?:\s?/\s?\w+)?"
    r"|\b\d+\s?k?\s?[-–]\s?\d+\s?k\b|\b(?:\d{1,3}\s?[-–]\s?)?\d{1,3}\s?%",
    re.IGNORECASE,
)
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
_LINE = re.compile(r"\s*[\n\r\t\u2028]+\s*|\s+\|\s+")
_PART = re.compile(r"\s+[-–—]+\s+|\s*[|•·–—;,:!]\s+|\s*[()\[\]{}]|\s+@\s+|[\n\t]+")
_ATTACHED = re.compile(r"(?<=[^\W\d_])\(-?([^\W\d_]{1,6})\)")  # technicien(ne): a form, not a part
# A preposition and a capital: `in Berlin`, `à Lyon`, but not `en automatisation`, `für Unternehmensstrategie`.
_PLACE = re.compile(
    r"(?P<job>.*\S)\s+(?:in|à|en|bei|at|near|w|we|v|ve|i|te|em|till|im raum|presso|chez)\s+(?P<place>\S.*)",
    re.IGNORECASE,
)
_MAX_PHRASE = 4
_LEARNING = (Seniority.INTERN, Seniority.WORKING_STUDENT, Seniority.APPRENTICE, Seniority.TRAINEE)
_GRADES = (Seniority.SENIOR, Seniority.EXPERIENCED, Seniority.JUNIOR)  # what counts less than leading


@dataclass(frozen=True, slots=True)
class Reading:
    """Another way to write a title, scored like its forms.

    Attributes:
        text: the words, unfolded where the reading adds them.
        meaning: number of the abbreviation's meaning, from 0; None for all meanings.
        equal: whether it has the title's meaning, so that a name that equals it equals the title.
        job: number of the title's job; None for all jobs.
        as_name: whether it counts only if it equals a name.
    """

    text: str
    meaning: int | None = None
    equal: bool = True
    job: int | None = None
    as_name: bool = False


@dataclass(frozen=True, slots=True)
class CleanTitle:
    """A cleaned title.

    Attributes:
        forms: folded texts to link; several if the title names several forms or jobs.
        set_aside: ignored pieces as written in the title.
        seniority: level that the title states.
        readings: further ways to write it.
        manages: whether most titles with such words of leadership are of managers (ISCO's major group 1).
        jobs: (form,) number of its job, from 0; None for all jobs. Empty if the title names one job.
        of_relative: whether it names a relative, with or without a job: `doctor's wife`, `widow`.
    """

    forms: tuple[str, ...]
    set_aside: tuple[str, ...]
    seniority: Seniority = Seniority.NONE
    readings: tuple[Reading, ...] = ()
    manages: bool = False
    jobs: tuple[int | None, ...] = ()
    of_relative: bool = False

    @property
    def n_meanings(self) -> int:
        """Number of meanings of each job, 1 without an abbreviation."""
        return 1 + max((reading.meaning or 0 for reading in self.readings), default=0)

    @property
    def n_jobs(self) -> int:
        """Number of jobs: two for `driver / warehouse worker`."""
        return 1 + max((job or 0 for job in self.jobs), default=0)

    @property
    def first_forms(self) -> list[str]:
        """(job,) the first form of each job."""
        return [self.forms[self.jobs.index(job)] for job in range(self.n_jobs)] if self.jobs else [*self.forms[:1]]

    def forms_of(self, job: int) -> list[int]:
        """Return the indices of a job's forms."""
        return [place for place in range(len(self.forms)) if self.job_of(place) in (job, None)]

    def job_of(self, place: int) -> int | None:
        """Return the number of a form's job; None for all jobs."""
        return self.jobs[place] if place < len(self.jobs) else None


def clean_title(title: str, known_words: Container[str], known_names: Container[str] = ()) -> CleanTitle:
    """Clean one title.

    Args:
        title: the title as typed.
        known_words: folded words of the taxonomy's names; a further part of the title without any of them counts as a
            place or company, unless it begins with a small letter.
        known_names: folded names; a further line of the title that is not a name counts as a place or company.
    """
    aside: list[str] = []
    title, rest = title.strip()[:MAX_TITLE_LENGTH], title.strip()[MAX_TITLE_LENGTH:]
    if rest:
        aside.append(rest)
    text = _ATTACHED.sub(r"/\1", title)
    for pattern in (_GENDER, _PAY, _TERM, _REQUISITION):
        text = _take_out(pattern, text, aside)
    if asks_for_languages(text):
        text = _take_out(language_phrases(), text, aside)
    text = _title_of_cell(text, known_words, known_names, aside)
    parts = [part for part in _PART.split(text) if fold(part)]
    parts = [_without_place(part, known_words, aside) for part in parts]
    parts = _without_former_jobs(parts, known_words, aside)
    parts = _without_noise_parts(parts, aside)
    parts = _without_relatives(parts, known_words, aside)
    jobs = [part for place, part in enumerate(parts) if place == 0 or _is_job(part, known_words)]
    aside.extend(part.strip() for part in parts if part not in jobs)
    jobs_of_forms = _forms(jobs, aside)
    forms = tuple(jobs_of_forms)
    if not forms and fold(text):
        whole = fold(title)
        return CleanTitle((whole,), (rest,) if rest else (), _grade([whole]))
    noise: list[str] = []  # English words for what the title itself says
    glosses = _glosses(jobs_of_forms, noise)
    reworded = {whole: job for form, job in jobs_of_forms.items() if (whole := unclipped(form)) != form}
    read = {**glosses, **reworded, **jobs_of_forms}
    leaders = ((form, find_leadership(form)) for form in (*forms, *glosses, *reworded))
    led, leadership = next(((form, leadership) for form, leadership in leaders if leadership), ("", None))
    return CleanTitle(
        forms,
        tuple(dict.fromkeys(piece for piece in aside if piece)),
        _seniority([*map(fold, aside), *noise], leadership),
        (*_readings(title, jobs_of_forms, glosses, reworded, leadership, read.get(led)), *_turned(jobs, jobs_of_forms)),
        leadership is not None and leadership.manages,
        tuple(jobs_of_forms.values()) if any(jobs_of_forms.values()) else (),
        any(is_relative(part, whole=len(parts) == 1) for part in parts),
    )


def _seniority(aside: list[str], leadership: Leadership | None) -> Seniority:
    """Return the level: a trainee manager is a trainee, and a senior director a director."""
    grade = _grade(aside)
    if leadership is None:
        return grade
    return grade if grade in _LEARNING and leadership.seniority != Seniority.ASSISTANT else leadership.seniority


def _grade(phrases: list[str]) -> Seniority:
    grades = folded_grades()
    levels = {grades[phrase] for phrase in phrases if phrase in grades}
    return next((grade for grade in (*_LEARNING, *_GRADES) if grade in levels), Seniority.NONE)


def _glosses(forms: dict[str, int | None], noise: list[str]) -> dict[str, int | None]:
    glosses = ((_without_noise(fold(gloss), noise), job) for form, job in forms.items() for gloss in glossed(form))
    return {gloss: job for gloss, job in glosses if gloss}


def _turned(parts: list[str], forms: dict[str, int | None]) -> tuple[Reading, ...]:
    """Return both parts of `Operator, Production` in the other order, as a reading that only a name makes count.

    Args:
        parts: the parts of the title, between separators.
        forms: form -> its job.
    """
    if len(parts) != 2 or any(forms.values()):
        return ()
    text = unclipped(_without_noise(fold(" ".join(reversed(parts))), []))
    return (Reading(text, as_name=True),) if text and text not in forms else ()


def _readings(
    title: str,
    forms: dict[str, int | None],
    glosses: dict[str, int | None],
    reworded: dict[str, int | None],
    leadership: Leadership | None,
    leading: int | None,
) -> tuple[Reading, ...]:
    equal = leadership.equal if leadership else ()
    near = leadership.near if leadership else ()
    readings = [
        *(Reading(text, job=leading) for text in equal),
        *(Reading(text, equal=False, job=leading) for text in near),
        *(
            Reading(text, meaning, job=job)
            for form, job in {**forms, **reworded}.items()
            for text, meaning in spelt_out(form, title)
        ),
        *(Reading(text, job=job) for text, job in {**glosses, **reworded}.items()),
    ]
    return tuple(
        {fold(reading.text): reading for reading in reversed(readings) if fold(reading.text) not in forms}.values()
    )


def _forms(jobs: list[str], aside: list[str]) -> dict[str, int | None]:
    """Return the expanded forms and the whole, both without noise words, and the whole as it was, and their jobs.

    The last is needed because some occupations are named by words that are noise elsewhere: `temporary works engineer`.
    """
    whole = " ".join(jobs)
    noise: list[str] = []
    numbers: dict[int, int] = {}  # of jobs that are more than noise
    forms: dict[str, int | None] = {}
    for form, job in forms_of_jobs(whole):
        if (bare := _without_noise(fold(form), noise)) and bare not in forms:
            forms[bare] = numbers.setdefault(job, len(numbers))
    for bare in (_without_noise(fold(whole), noise), fold(whole) if forms else ""):
        if bare:
            forms.setdefault(bare, None)
    aside.extend(_as_typed(phrase, whole) for phrase in dict.fromkeys(noise))
    return forms


def _as_typed(phrase: str, text: str) -> str:
    """Return a folded phrase as a text has it, also as the first word of `Ex-nurse`; as it is if the text has not."""
    texts = (TextPieces.of(spelling) for spelling in (text, text.replace("-", " ")))
    return next(filter(None, (pieces.written(folded_name(phrase)) for pieces in texts)), phrase)


def _take_out(pattern: "re.Pattern[str]", text: str, aside: list[str]) -> str:
    def note(match: "re.Match[str]") -> str:
        aside.append(match.group().strip())
        return " "

    return pattern.sub(note, text)


def _title_of_cell(text: str, known_words: Container[str], known_names: Container[str], aside: list[str]) -> str:
    """Return the title of a cell of several lines, or of parts between bars: the first, and further jobs after it.

    What is not the name of a job is set aside, such as the company. Two lines of a word each, and a line that begins
    with a small letter, are wrapped, and belong together.
    """
    first, *others = [line for line in _LINE.split(text) if fold(line)] or [text]
    if not others or not _any_known(fold(first).split(), known_words):
        return text
    two_words = len(others) == 1 and "|" not in text and len(text.split()) == 2
    for line in others:
        if line[0].islower() or two_words:
            first += f" {line}"
        elif _without_noise(fold(line), []) in known_names:
            first += f" / {line}"
        else:
            aside.append(line.strip())
    return first


def _without_place(part: str, known_words: Container[str], aside: list[str]) -> str:
    """Take places off the end, the last first: `Nurse in training in London` keeps `in training`."""
    while match := _PLACE.match(part):
        place = match.group("place")
        if not place[0].isupper() or _any_known(fold(place).split(), known_words):
            break
        aside.append(part[match.end("job") :].strip())
        part = match.group("job")
    return part


def _without_former_jobs(parts: list[str], known_words: Container[str], aside: list[str]) -> list[str]:
    """Set aside what somebody did before the job of an earlier part, or of the same: `teacher, formerly nurse`."""
    remaining: list[str] = []
    for part in parts:
        now, former = former_job_apart(part)
        if former and _any_known(_without_noise(fold(" ".join([*remaining, now])), []).split(), known_words):
            aside.append(former)
            remaining += [now] if fold(now) else []
        else:
            remaining.append(part)
    return remaining


def _without_noise_parts(parts: list[str], aside: list[str]) -> list[str]:
    """Set aside the parts that consist of noise only, unless all do."""
    anywhere, alone, title = folded_noise(), folded_noise(alone=True), " ".join(parts)
    remaining = [part for part in parts if (phrase := fold(part)) not in anywhere and phrase not in alone]
    remaining = [part for part in remaining if not is_asked_language(part, title)]
    aside.extend(part.strip() for part in parts if remaining and part not in remaining)
    return remaining or parts


def _without_relatives(parts: list[str], known_words: Container[str], aside: list[str]) -> list[str]:
    """Set aside civil status beside a job, and the person's relatives: `nurse, wife`, `mother of two, cleaner`."""
    parts = [piece for part in parts for piece in civil_status_apart(part)]
    relatives = [part for part in parts if is_relative(part)]
    others = [part for part in parts if part not in relatives]
    if not others or not (
        all(map(is_civil_status, relatives)) or any(_any_known(fold(part).split(), known_words) for part in others)
    ):
        return parts
    aside.extend(part.strip() for part in relatives)
    return others


def _is_job(part: str, known_words: Container[str]) -> bool:
    if part.lstrip()[:1].islower():  # `fitter, negatives`: places and companies are written with a capital
        return True
    return _any_known(_without_noise(fold(part), []).split(), known_words)


def _any_known(words: Iterable[str], known_words: Container[str]) -> bool:
    return any(len(word) > 2 and word in known_words for word in words)


def _without_noise(folded: str, aside: list[str]) -> str:
    words = folded.split()
    remaining: list[str] = []
    position = 0
    noise, named = folded_noise(), named_phrases()
    while position < len(words):
        phrases = [" ".join(words[position:end]) for end in range(position + 1, position + _MAX_PHRASE + 1)]
        phrase = next((candidate for candidate in reversed(phrases) if candidate in noise or candidate in named), "")
        (aside if phrase in noise else remaining).append(phrase or words[position])
        position += len(phrase.split()) or 1
    return " ".join(remaining)
