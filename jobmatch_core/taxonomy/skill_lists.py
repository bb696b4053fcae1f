"""Lists of skills in one text: apart by semicolons, or by any other usual sign where the pieces are known skills."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from jobmatch_core.entities import NamedSkill
from jobmatch_core.taxonomy.skill_finder import SkillKeys

# a middle dot inside a word may be Catalan, as in 'col·laboració'
_ALWAYS = re.compile(r"[;；\n\r●•▪■◦‣|¦]|\s[·∙]|[·∙]\s")
# names have these signs, too: 'C/C++', 'nursing, general'
_WHERE_KNOWN = tuple(re.compile(pattern) for pattern in (r"[,，、،]", r"/", r"[·∙](?![lL])|(?<![lL])[·∙]|・"))
_BULLET = re.compile(r"^\s*[-–—*]\s+")
_KNOWN = 0.5  # share of known pieces from which a sign separates
_WORDS = 4  # of a piece on average, above which a text is a sentence
_EXAMPLES = 3


@dataclass(slots=True)
class SkillSplitter:
    """Splits texts into skills, and keeps those that look like several but could not be told apart.

    Attributes:
        keys: the known skills.
        doubtful: number of texts with commas, slashes or middle dots between short pieces that are no known skills.
    """

    keys: SkillKeys
    doubtful: int = 0
    _examples: dict[str, None] = field(default_factory=dict)

    def split(self, text: str) -> list[str]:
        """Return the skills of a text, in its order; a name that is known as a whole stays whole."""
        parts = (_BULLET.sub("", part).strip() for part in _ALWAYS.split(text))
        return [piece for part in parts if part for piece in self._pieces(part)]

    def named(self, skills: str | Sequence[str]) -> tuple[NamedSkill, ...]:
        """Return the skills of a text or a list, each once."""
        return self.keys.named(self.split(skills) if isinstance(skills, str) else skills)

    def note(self) -> str:
        """Return a warning about doubtful texts; '' where there are none."""
        if not self.doubtful:
            return ""
        shown = ", ".join(map(repr, self._examples))
        return (
            f"Texts that look like several skills were read as one each, because the taxonomy does not know most of "
            f"the pieces: {self.doubtful:,}, such as {shown}. Put semicolons between skills."
        )

    def _pieces(self, text: str) -> list[str]:
        if self.keys.knows(text):
            return [text]
        ways = [[piece.strip() for piece in sign.split(text) if piece.strip()] for sign in _WHERE_KNOWN]
        ways = [pieces for pieces in ways if len(pieces) > 1]
        for pieces in ways:
            if sum(map(self.keys.knows, pieces)) >= _KNOWN * len(pieces):
                return [each for piece in pieces for each in self._pieces(piece)]
        if any(len(" ".join(pieces).split()) <= _WORDS * len(pieces) for pieces in ways):
            self.doubtful += 1
            if len(self._examples) < _EXAMPLES:
                self._examples[text] = None
        return [text]
