"""The table of kinds of readings.

A new kind is a function of folded texts in a file of its own, and a row of `READINGS`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from jobmatch_core.text.folding import fold
from jobmatch_core.titles.noise_words import without_noise
from jobmatch_core.titles.readings.abbreviations import spelt_out
from jobmatch_core.titles.readings.clippings import unclipped
from jobmatch_core.titles.readings.glosses import glossed
from jobmatch_core.titles.readings.leadership import Leadership, find_leadership
from jobmatch_core.titles.readings.reading import Reading

Forms = Mapping[str, int | None]  # folded text -> number of its job; None if it is of all jobs


@dataclass(frozen=True, slots=True)
class TitleForms:
    """The forms of a title, and what its readings are made from."""

    typed: str  # the title as typed
    parts: Sequence[str]  # its parts between separators, without what was set aside
    forms: Forms
    glosses: Forms  # English glosses of the forms
    unclipped: Forms  # the forms that have clipped words, with these spelt out
    noise: Sequence[str]  # English noise words of the glosses
    leadership: Leadership | None  # the leadership that it states, None without any
    leading: int | None  # number of the job that states it; None if the title as a whole does

    @classmethod
    def of(cls, typed: str, parts: Sequence[str], forms: Forms) -> Self:
        """Read the forms of a title."""
        noise: list[str] = []
        english = ((without_noise(fold(gloss), noise), job) for form, job in forms.items() for gloss in glossed(form))
        glosses = {gloss: job for gloss, job in english if gloss}
        spelt = {text: job for form, job in forms.items() if (text := unclipped(form)) != form}
        texts = (*forms.items(), *glosses.items(), *spelt.items())
        stated = ((leadership, job) for text, job in texts if (leadership := find_leadership(text)))
        return cls(typed, parts, forms, glosses, spelt, noise, *next(stated, (None, None)))

    def readings(self) -> tuple[Reading, ...]:
        """Return the readings of all kinds; of two with the same text the first by `READINGS` counts."""
        readings: dict[tuple[str, bool], Reading] = {}
        for read in READINGS:
            for reading in read(self):
                if (text := fold(reading.text)) not in self.forms:
                    readings.setdefault((text, reading.as_name), reading)
        return tuple(readings.values())


# `VP Product` is a `product manager`, as most names have it
def _led(title: TitleForms) -> Iterator[Reading]:
    if title.leadership:
        yield from (Reading(text, job=title.leading) for text in title.leadership.equal)
        yield from (Reading(text, equal=False, job=title.leading) for text in title.leadership.near)


# `HGV` is a `heavy goods vehicle driver`; a reading for each meaning
def _spelt_out(title: TitleForms) -> Iterator[Reading]:
    for form, job in {**title.forms, **title.unclipped}.items():
        yield from (Reading(text, meaning, job=job) for text, meaning in spelt_out(form, title.typed))


# English glosses, and clipped words spelt out: `asst mgr` is an `assistant manager`
def _in_other_words(title: TitleForms) -> Iterator[Reading]:
    yield from (Reading(text, job=job) for text, job in {**title.glosses, **title.unclipped}.items())


# two parts in the other order, which count only as a name: `Operator, Production`
def _turned(title: TitleForms) -> Iterator[Reading]:
    if len(title.parts) == 2 and not any(title.forms.values()):
        text = unclipped(without_noise(fold(" ".join(reversed(title.parts))), []))
        yield from [Reading(text, as_name=True)] if text else []


READINGS = (_led, _spelt_out, _in_other_words, _turned)
