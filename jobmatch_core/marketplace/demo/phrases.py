"""Sentence patterns by language, `phrases/XX.toml`: the words around titles and skills in generated texts.

There are patterns in eight languages. Texts in all others are lists of names (`names_only.toml`), without any
connecting words, so that no language is mixed into another.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pl", "pt")
Patterns = dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Phrases:
    """One language's patterns; their slots are explained in `phrases/en.toml`.

    Attributes:
        conjunction: the word for 'and'.
        sectors: names of economic sectors, in one order in all languages.
        seniority: words from junior to lead.
        freelancer, project: kind of sentence -> patterns.
    """

    conjunction: str
    sectors: tuple[str, ...]
    seniority: tuple[str, ...]
    freelancer: Patterns
    project: Patterns

    def listed(self, names: list[str]) -> str:
        """Join names as in a sentence."""
        if len(names) < 2:
            return "".join(names)
        return f"{', '.join(names[:-1])} {self.conjunction} {names[-1]}"


@cache
def load_phrases(language: str) -> Phrases:
    """Read a language's patterns, or those of names only if it has none."""
    name = language if language in LANGUAGES else "names_only"
    path = files("jobmatch_core.marketplace.demo") / "phrases" / f"{name}.toml"
    tables = tomllib.loads(path.read_text("utf-8"))
    freelancer, project = (
        {kind: tuple(patterns) for kind, patterns in tables[noun].items()} for noun in ("freelancer", "project")
    )
    return Phrases(tables["and"], tuple(tables["sectors"]), tuple(tables["seniority"]), freelancer, project)
