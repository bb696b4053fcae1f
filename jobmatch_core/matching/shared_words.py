"""Which words of a project and a profile speak of the same: words that both use, and names of each other's skills."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from jobmatch_core.entities import Freelancer, Project
from jobmatch_core.matching.language_guess import is_common
from jobmatch_core.matching.matches import compared_skills
from jobmatch_core.text import fold

_MARKS = r"\s/,;:()\[\]!?…\"'“”„«»‘’"
_PIECE = re.compile(rf"[^{_MARKS}]*[^{_MARKS}.]")  # what stands between such marks: a word, or 'C++', or '.NET'
_FEWEST_LETTERS = 4  # shorter words that both use say little, unless they are a skill


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a text, and whether the other side speaks of the same."""

    text: str
    shared: bool


@dataclass(frozen=True, slots=True)
class SharedWords:
    """What to look for in the texts of one side.

    Attributes:
        words: folded ones that both sides use.
        names: the folded words of each name of a skill that the other side asks for or offers; of those that both
            have, in the words of either.
    """

    words: frozenset[str]
    names: frozenset[tuple[str, ...]]

    @classmethod
    def of(cls, project: Project, freelancer: Freelancer) -> "tuple[SharedWords, SharedWords]":
        """Compare a project with a profile; return what to look for in the project's texts, and in the profile's."""
        wanted = _words(project.language, project.title, project.job_title, project.description)
        offered = _words(freelancer.language, freelancer.title, freelancer.description, freelancer.experience)
        skills = compared_skills(project, freelancer)
        shared = [name for skill in skills if skill.offered for name in (skill.wanted, skill.offered)]
        asked = [skill.wanted for skill in skills]
        declared = [skill.text for skill in freelancer.skills]
        both = frozenset(wanted & offered)
        return cls(both, _names([*shared, *declared])), cls(both, _names([*shared, *asked]))

    def mark(self, text: str) -> list[Span]:
        """Part a text into spans, which in their order are the text again; neighbours are not alike."""
        pieces = list(_PIECE.finditer(text))
        folded = [fold(piece.group()) for piece in pieces]
        marked = {place for place, word in enumerate(folded) if not self.words.isdisjoint(word.split())}
        marked |= set(self._named(folded))
        spans: list[Span] = []
        end = 0
        for place, piece in enumerate(pieces):
            if place in marked:
                joined = place - 1 in marked and text[end : piece.start()].isspace()
                start = end if joined else piece.start()
                _append(spans, text[end:start], shared=False)
                _append(spans, text[start : piece.end()], shared=True)
                end = piece.end()
        _append(spans, text[end:], shared=False)
        return spans

    def _named(self, folded: list[str]) -> Iterator[int]:
        """Yield the places of pieces that are, or together are, a name."""
        longest = max((len(name) for name in self.names), default=0)
        for start in range(len(folded)):
            words: list[str] = []
            for end in range(start, min(start + longest, len(folded))):
                words += folded[end].split()
                if tuple(words) in self.names:
                    yield from range(start, end + 1)


def _words(language: str, *texts: str) -> set[str]:
    words = {word for text in texts for word in fold(text).split()}
    return {
        word for word in words if len(word) >= _FEWEST_LETTERS and not word.isdigit() and not is_common(word, language)
    }


def _names(texts: Iterable[str]) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(fold(text).split()) for text in texts) - {()}


def _append(spans: list[Span], text: str, *, shared: bool) -> None:
    """Add a span, or lengthen the last one where that is of the same kind."""
    if not text:
        return
    if spans and spans[-1].shared == shared:
        text = spans.pop().text + text
    spans.append(Span(text, shared))
