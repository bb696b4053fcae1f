"""Keys of skills: a text matches a skill if it equals one of its names, in any language."""

from collections.abc import Iterable

from jobmatch_core.entities import NamedSkill
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.skill_finder import SkillNames
from jobmatch_core.text.folding import fold

TEXT_KEY = "text:"  # begins the key of a skill unknown to the taxonomy; the folded text follows


class SkillKeys:
    """Keys by folded name; where several skills share one, the first skill with it as a preferred name has it."""

    def __init__(self, names: SkillNames | None = None) -> None:
        """Fold the names; without names, every skill has its own text as key."""
        self._keys: dict[str, str] = {}
        if names is None:
            return
        rows = list(zip(names.preferred, names.texts, names.keys, strict=True))
        for wanted in (True, False):
            for preferred, text, key in rows:
                if preferred == wanted:
                    self._keys.setdefault(fold(text), key)

    @classmethod
    def of(cls, taxonomy: Taxonomy) -> "SkillKeys":
        """Return the keys of a taxonomy's skill names."""
        return cls(SkillNames.of(taxonomy))

    def key(self, text: str) -> str:
        """Return the key of the skill of that name, or one of the text itself."""
        folded = fold(text)
        return self._keys.get(folded) or TEXT_KEY + (folded or text.strip())

    def named(self, texts: Iterable[str]) -> tuple[NamedSkill, ...]:
        """Return the skills of some texts, each once, without the empty ones."""
        skills: dict[str, NamedSkill] = {}
        for text in filter(None, (text.strip() for text in texts)):
            key = self.key(text)
            skills.setdefault(key, NamedSkill(key, text))
        return tuple(skills.values())
