"""Shared words of a project and a profile: words that both use, and names of each other's skills."""

from collections.abc import Iterable
from dataclasses import dataclass

from jobmatch_core.entities import Freelancer, Project
from jobmatch_core.retrieval.matches import compared_skills
from jobmatch_core.text.folding import fold
from jobmatch_core.text.language_guess import guess_language, is_common, is_stop_word
from jobmatch_core.text.text_pieces import Name, TextPieces, folded_name

_FEWEST_LETTERS = 4  # shorter shared words say little, unless they are a skill


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a text, and whether the other side shares it."""

    text: str
    shared: bool


@dataclass(frozen=True, slots=True)
class SharedWords:
    """Words and names to mark in the texts of one side.

    Attributes:
        words: folded words that both sides use, without stop words.
        names: folded words of each name of a skill that the other side asks for or offers; for common skills, the names
            of both sides.
    """

    words: frozenset[str]
    names: frozenset[Name]

    @classmethod
    def of(cls, project: Project, freelancer: Freelancer) -> "tuple[SharedWords, SharedWords]":
        """Compare a project with a profile; return the words to mark in the project's texts, and in the profile's."""
        wanted = _words(project.language, project.title, project.job_title, project.description)
        offered = _words(freelancer.language, freelancer.title, freelancer.description, freelancer.experience)
        skills = compared_skills(project, freelancer)
        shared = [name for skill in skills if skill.offered for name in (skill.wanted, skill.offered)]
        asked = [skill.wanted for skill in skills]
        declared = [skill.text for skill in freelancer.skills]
        both = frozenset(wanted & offered)
        return (
            cls(both, _names(project.language, [*shared, *declared])),
            cls(both, _names(freelancer.language, [*shared, *asked])),
        )

    def mark(self, text: str) -> list[Span]:
        """Split a text into spans; joined they are the text again, and neighbours differ in `shared`."""
        pieces = TextPieces.of(text)
        marked = {place for place, word in enumerate(pieces.folded) if not self.words.isdisjoint(word.split())}
        marked.update(place for places in pieces.named(self.names) for place in places)
        spans: list[Span] = []
        last = 0
        for place, (start, end) in enumerate(pieces.spans):
            if place in marked:
                joined = place - 1 in marked and text[last:start].isspace()
                start = last if joined else start
                _append(spans, text[last:start], shared=False)
                _append(spans, text[start:end], shared=True)
                last = end
        _append(spans, text[last:], shared=False)
        return spans


def _words(language: str, *texts: str) -> set[str]:
    language = language or guess_language(" ".join(texts))
    words = {word for text in texts for word in fold(text).split()}
    return {
        word
        for word in words
        if len(word) >= _FEWEST_LETTERS and not word.isdigit() and not is_stop_word(word, language)
    }


def _names(language: str, texts: Iterable[str]) -> frozenset[Name]:
    names = {folded_name(text) for text in texts}
    return frozenset(name for name in names if name and not is_common(" ".join(name), language))


def _append(spans: list[Span], text: str, *, shared: bool) -> None:
    """Add a span, or lengthen the last one if it is of the same kind."""
    if not text:
        return
    if spans and spans[-1].shared == shared:
        text = spans.pop().text + text
    spans.append(Span(text, shared))
