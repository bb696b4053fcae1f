"""Roles of a posting's sentences: requirement, task, offer, or none of these.

They are recognised by words and headings in 27 languages (`sentence_roles.toml`), not learned: a reading aid, which no
model sees. The role with the most cues wins; without cues, or in a tie, the heading above the sentence decides.
"""

import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cache
from importlib.resources import files

from jobmatch_core.descriptions.segments import Segment, SegmentKind
from jobmatch_core.text.folding import fold

_KEY = 3  # letters by which cues are looked up


class SentenceRole(StrEnum):
    """Topic of a sentence."""

    REQUIREMENT = "requirement"
    TASK = "task"
    OFFER = "offer"
    BOILERPLATE = "boilerplate"


def sentence_roles(segments: Sequence[Segment]) -> tuple[SentenceRole, ...]:
    """Return the role of each segment of a posting; boilerplate by default.

    Args:
        segments: segments in their order, since a heading applies to the text below it, up to the next one.
    """
    roles: list[SentenceRole] = []
    section = SentenceRole.BOILERPLATE
    in_list = False  # behind the bullets below a heading, a plain sentence is no longer its own
    for segment in segments:
        kind = segment.kind
        if kind is SegmentKind.HEADING or (in_list and kind is SegmentKind.SENTENCE):
            section = SentenceRole.BOILERPLATE
        role = _role(segment.content, section)
        if kind is SegmentKind.HEADING:
            section = role
        in_list = kind is SegmentKind.BULLET
        roles.append(role)
    return tuple(roles)


def _role(text: str, section: SentenceRole) -> SentenceRole:
    """Return the role with the most cues; the section's role counts as half a cue."""
    votes = Counter(_cues_in(text))
    return max([section, *votes], key=lambda role: votes[role] + 0.5 * (role is section))


def _cues_in(text: str) -> Iterator[SentenceRole]:
    """Yield the roles of the cues in a text, once for each occurrence."""
    folded, cues = fold(text), _cues()
    start = 0
    while start < len(folded):
        for cue, role in cues.get(folded[start : start + _KEY], ()):
            if folded.startswith(cue, start):
                yield role
                break  # the longest one
        start = folded.find(" ", start) + 1 or len(folded)


@cache
def _cues() -> dict[str, list[tuple[str, SentenceRole]]]:
    """Return the cues of all languages by their first letters, the longest first."""
    tables = tomllib.loads((files("jobmatch_core.descriptions") / "sentence_roles.toml").read_text("utf-8"))
    found: dict[str, list[tuple[str, SentenceRole]]] = {}
    for role in SentenceRole:
        for cue in {fold(cue) for cues in tables[role].values() for cue in cues}:
            short = cue if len(cue) >= _KEY else f"{cue} "  # of two letters only a whole word
            found.setdefault(short[:_KEY], []).append((short, role))
    for cues in found.values():
        cues.sort(key=lambda each: (-len(each[0]), each))
    return found
