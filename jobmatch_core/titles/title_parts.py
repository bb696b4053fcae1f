"""A title in parts, while it is cleaned: what is left of it, and what is set aside."""

import re
from collections.abc import Container
from dataclasses import dataclass, field

from jobmatch_core.text.folding import fold
from jobmatch_core.titles.noise_words import former_job_apart, without_noise

_LINE = re.compile(r"\s*[\n\r\t\u2028]+\s*|\s+\|\s+")
_PART = re.compile(r"\s+[-–—]+\s+|\s*[|•·–—;,:!]\s+|\s*[()\[\]{}]|\s+@\s+|[\n\t]+")
# A preposition and a capital: `in Berlin`, `à Lyon`, but not `en automatisation`, `für Unternehmensstrategie`.
_PLACE = re.compile(
    r"(?P<job>.*\S)\s+(?:in|à|en|bei|at|near|w|we|v|ve|i|te|em|till|im raum|presso|chez)\s+(?P<place>\S.*)",
    re.IGNORECASE,
)


@dataclass(slots=True)
class TitleParts:
    """A title that the steps of cleaning make shorter."""

    text: str  # what is left of the title, before it is split into parts
    known_words: Container[str]  # folded words of the taxonomy's names
    known_names: Container[str]  # the folded names
    aside: list[str] = field(default_factory=list)  # the pieces that were set aside, as typed
    parts: list[str] = field(default_factory=list)  # what is left between separators; empty before `split`
    no_job: str = ""  # why the title names no job; '' if it may name one

    def take_out(self, pattern: "re.Pattern[str]") -> None:
        """Set aside what a pattern finds in the text; if it names a group, only that is reported."""
        pieces = [match.group(match.lastgroup or 0).strip() for match in pattern.finditer(self.text)]
        if pieces:
            self.aside += pieces
            self.text = pattern.sub(" ", self.text)

    def keep(self, parts: list[str]) -> None:
        """Set aside all parts but these."""
        self.aside += [part.strip() for part in self.parts if part not in parts]
        self.parts = parts

    def is_known(self, folded: str) -> bool:
        """Return whether a word of a folded text, of three letters or more, is one of a name."""
        return any(len(word) > 2 and word in self.known_words for word in folded.split())

    def names_work(self, text: str) -> bool:
        """Return whether a word of a text is one of a name, noise words aside."""
        return self.is_known(without_noise(fold(text), []))


def keep_title_line(title: TitleParts) -> None:
    """Keep the first of several lines or of parts between bars, and further jobs after it.

    What is not the name of a job is set aside, such as the company. Two lines of a word each, and a line that begins
    with a small letter, are wrapped, and belong together.
    """
    first, *others = [line for line in _LINE.split(title.text) if fold(line)] or [title.text]
    if not others or not title.is_known(fold(first)):
        return
    two_words = len(others) == 1 and "|" not in title.text and len(title.text.split()) == 2
    for line in others:
        if line[0].islower() or two_words:
            first += f" {line}"
        elif without_noise(fold(line), []) in title.known_names:
            first += f" / {line}"
        else:
            title.aside.append(line.strip())
    title.text = first


def split(title: TitleParts) -> None:
    """Split the text at separators."""
    title.parts = [part for part in _PART.split(title.text) if fold(part)]


def take_out_places(title: TitleParts) -> None:
    """Set places at the end of each part aside, the last first: `Nurse in training in London` keeps `in training`."""
    for number, part in enumerate(title.parts):
        while match := _PLACE.match(part):
            place = match.group("place")
            if not place[0].isupper() or title.is_known(fold(place)):
                break
            title.aside.append(part[match.end("job") :].strip())
            part = match.group("job")
        title.parts[number] = part


def take_out_former_jobs(title: TitleParts) -> None:
    """Set aside what somebody did before the job of an earlier part, or of the same: `teacher, formerly nurse`."""
    parts: list[str] = []
    for part in title.parts:
        now, former = former_job_apart(part)
        if former and title.names_work(" ".join([*parts, now])):
            title.aside.append(former)
            parts += [now] if fold(now) else []
        else:
            parts.append(part)
    title.parts = parts


def keep_jobs(title: TitleParts) -> None:
    """Set aside further parts that are a place or a company: they begin with a capital and have no known word."""
    title.keep(
        [
            part
            for place, part in enumerate(title.parts)
            if place == 0 or part.lstrip()[:1].islower() or title.names_work(part)  # `fitter, negatives`
        ]
    )
