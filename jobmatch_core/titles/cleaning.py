"""Cleaning of titles: `(m/w/d)`, `Senior`, requisition numbers, places, pay and languages asked for are set aside.

The words are in `noise_words.toml` by language; those of all languages are applied to every title. A new kind of
noise is a function in a file of its own, and a row of `STEPS`.
"""

import re
from collections.abc import Container
from dataclasses import dataclass

from jobmatch_core.entities import Seniority
from jobmatch_core.text.folding import TextPieces, fold, folded_name
from jobmatch_core.text.forms import forms_of_jobs
from jobmatch_core.titles.asked_languages import is_asked_language, take_out_languages
from jobmatch_core.titles.noise_patterns import take_out_patterns
from jobmatch_core.titles.noise_words import folded_grades, folded_noise, without_noise
from jobmatch_core.titles.notes import mark_notes
from jobmatch_core.titles.readings.kinds import TitleForms
from jobmatch_core.titles.readings.leadership import Leadership
from jobmatch_core.titles.readings.reading import Reading
from jobmatch_core.titles.relatives import take_out_relatives
from jobmatch_core.titles.title_parts import (
    TitleParts,
    keep_jobs,
    keep_title_line,
    split,
    take_out_former_jobs,
    take_out_places,
)

MAX_TITLE_LENGTH = 300  # longer texts are sentences; the rest is ignored
_ATTACHED = re.compile(r"(?<=[^\W\d_])\(-?([^\W\d_]{1,6})\)")
_LEARNING = (Seniority.INTERN, Seniority.WORKING_STUDENT, Seniority.APPRENTICE, Seniority.TRAINEE)
_GRADES = (Seniority.SENIOR, Seniority.EXPERIENCED, Seniority.JUNIOR)  # what counts less than leading


@dataclass(frozen=True, slots=True)
class CleanTitle:
    """A cleaned title."""

    forms: tuple[str, ...]  # folded texts to link; several if the title names several forms or jobs
    set_aside: tuple[str, ...]  # ignored pieces as written in the title
    seniority: Seniority = Seniority.NONE  # level that the title states
    readings: tuple[Reading, ...] = ()  # further ways to write it
    manages: bool = False  # whether most titles with such words of leadership are of managers (ISCO's major group 1)
    # (form,) number of its job, from 0; None for all jobs. Empty if the title names one job.
    jobs: tuple[int | None, ...] = ()
    no_job: str = ""  # why it names no job: it is a note, or a relative; '' if it may name one

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


def with_forms_divided(title: str) -> str:
    """Return a title with `technicien(ne)`, a form and not a part, as `technicien/ne`."""
    return _ATTACHED.sub(r"/\1", title)


def clean_title(title: str, known_words: Container[str], known_names: Container[str] = ()) -> CleanTitle:
    """Clean one title.

    Args:
        title: the title as typed.
        known_words: folded words of the taxonomy's names; a further part of the title without any of them counts as a
            place or company, unless it begins with a small letter.
        known_names: folded names; a further line of the title that is not a name counts as a place or company.
    """
    title, rest = title.strip()[:MAX_TITLE_LENGTH], title.strip()[MAX_TITLE_LENGTH:]
    left = TitleParts(with_forms_divided(title), known_words, known_names, [rest] if rest else [])
    for step in STEPS:
        step(left)
    forms = _forms(left.parts, left.aside)
    if not forms and fold(left.text):
        whole = fold(title)
        return CleanTitle((whole,), (rest,) if rest else (), _grade([whole]))
    read = TitleForms.of(title, left.parts, forms)
    return CleanTitle(
        tuple(forms),
        tuple(dict.fromkeys(piece for piece in left.aside if piece)),
        _seniority([*map(fold, left.aside), *read.noise], read.leadership),
        read.readings(),
        read.leadership is not None and read.leadership.manages,
        tuple(forms.values()) if any(forms.values()) else (),
        left.no_job,
    )


def _take_out_noise_parts(title: TitleParts) -> None:
    """Set aside the parts that are nothing but noise, unless all are."""
    anywhere, alone, whole = folded_noise(), folded_noise(alone=True), " ".join(title.parts)
    parts = [part for part in title.parts if (phrase := fold(part)) not in anywhere and phrase not in alone]
    if parts := [part for part in parts if not is_asked_language(part, whole)]:
        title.keep(parts)


STEPS = (
    mark_notes,
    take_out_patterns,
    take_out_languages,
    keep_title_line,
    split,
    take_out_places,
    take_out_former_jobs,
    _take_out_noise_parts,
    take_out_relatives,
    keep_jobs,
)


def _seniority(aside: list[str], leadership: Leadership | None) -> Seniority:
    """Return the level: a trainee manager is a trainee, and a senior director a director."""
    grade = _grade(aside)
    if leadership is None:
        return grade
    return grade if grade in _LEARNING and leadership.seniority != Seniority.ASSISTANT else leadership.seniority


def _grade(phrases: list[str]) -> Seniority:
    """Return the level that folded noise phrases name."""
    grades = folded_grades()
    levels = {grades[phrase] for phrase in phrases if phrase in grades}
    return next((grade for grade in (*_LEARNING, *_GRADES) if grade in levels), Seniority.NONE)


def _forms(jobs: list[str], aside: list[str]) -> dict[str, int | None]:
    """Return the expanded forms and the whole, both without noise words, and the whole as it was, and their jobs.

    The last is needed because some occupations are named by words that are noise elsewhere: `temporary works engineer`.
    """
    whole = " ".join(jobs)
    noise: list[str] = []
    numbers: dict[int, int] = {}  # of jobs that are more than noise
    forms: dict[str, int | None] = {}
    for form, job in forms_of_jobs(whole):
        if (bare := without_noise(fold(form), noise)) and bare not in forms:
            forms[bare] = numbers.setdefault(job, len(numbers))
    for bare in (without_noise(fold(whole), noise), fold(whole) if forms else ""):
        if bare:
            forms.setdefault(bare, None)
    aside.extend(_as_typed(phrase, whole) for phrase in dict.fromkeys(noise))
    return forms


def _as_typed(phrase: str, text: str) -> str:
    """Return a folded phrase as a text has it, also as the first word of `Ex-nurse`; as it is if the text has not."""
    texts = (TextPieces.of(spelling) for spelling in (text, text.replace("-", " ")))
    return next(filter(None, (pieces.written(folded_name(phrase)) for pieces in texts)), phrase)
