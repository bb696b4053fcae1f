"""Reader of SkillSpan (Zhang et al. 2022) and of its links to ESCO (Decorte et al. 2022), as published.

train.json, dev.json, test.json    a sentence a line: tokens, tags_skill, tags_knowledge (B, I, O), source
SET_PART_annotations.csv           sentence, span, sub_span, label (a preferred ESCO name), for the sets `tech` and
                                   `house` and the parts `validation` and `test`
"""

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jobmatch_core.errors import DataFileError

SETS = ("tech", "house")
VALIDATION, TEST = "validation", "test"
_NO_SKILL = frozenset({"UNDERSPECIFIED", "LABEL NOT PRESENT"})


@dataclass(frozen=True, slots=True)
class TaggedSentence:
    """A sentence with its tags."""

    tokens: tuple[str, ...]
    # skill, knowledge: whether each token is part of a skill, and of knowledge
    skill: tuple[bool, ...]
    knowledge: tuple[bool, ...]
    set: str  # its set, `tech` or `house`

    @property
    def text(self) -> str:
        """The tokens with a space between them, as the links have the sentence."""
        return " ".join(self.tokens)

    @property
    def has_span(self) -> bool:
        """Whether it has a span of either kind."""
        return any(self.skill) or any(self.knowledge)


@dataclass(frozen=True, slots=True)
class LinkedSentence:
    """A sentence with the names of its ESCO skills; none where its spans have no skill in ESCO."""

    text: str
    names: frozenset[str]


def read_tagged(folder: Path, part: str) -> list[TaggedSentence]:
    """Read `train`, `dev` or `test`; raises DataFileError if the file is missing or damaged."""
    path = folder / f"{part}.json"
    try:
        with path.open(encoding="utf-8") as lines:
            return [_tagged(json.loads(line)) for line in lines if line.strip()]
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise DataFileError(path, f"this is no part of SkillSpan ({error})") from error


def read_linked(folder: Path, name: str, part: str) -> list[LinkedSentence]:
    """Read the sentences of a set with the distinct skills of all their spans, in the order of the file.

    Raises DataFileError if the file is missing or damaged.
    """
    path = folder / f"{name}_{part}_annotations.csv"
    names: dict[str, set[str]] = {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            for row in csv.DictReader(file):
                names.setdefault(row["sentence"], set()).update({row["label"].strip()} - _NO_SKILL)
    except (OSError, ValueError, LookupError, AttributeError) as error:
        raise DataFileError(path, f"these are no links of SkillSpan to ESCO ({error!r})") from error
    return [LinkedSentence(sentence, frozenset(labels)) for sentence, labels in names.items()]


def right_skills(sentences: Sequence[LinkedSentence], numbers: Mapping[str, int]) -> list[frozenset[int]]:
    """Return the numbers of each sentence's skills, by their preferred names.

    Raises DataFileError if the taxonomy has no skill of such a name.
    """
    unknown = sorted({name for sentence in sentences for name in sentence.names}.difference(numbers))
    if unknown:
        raise DataFileError(
            "annotations.csv",
            f"{len(unknown)} of its skills are not in the taxonomy, such as {unknown[0]!r}; use ESCO 1.1.1",
        )
    return [frozenset(numbers[name] for name in sentence.names) for sentence in sentences]


def without_spans(sentences: Sequence[TaggedSentence]) -> list[LinkedSentence]:
    """Return the distinct sentences that have no span, and so no skill."""
    texts = dict.fromkeys(sentence.text for sentence in sentences if not sentence.has_span)
    return [LinkedSentence(text, frozenset()) for text in texts]


def _tagged(record: dict[str, Any]) -> TaggedSentence:
    skill, knowledge = (tuple(tag != "O" for tag in record[key]) for key in ("tags_skill", "tags_knowledge"))
    tokens = tuple(record["tokens"])
    if not len(tokens) == len(skill) == len(knowledge):
        raise ValueError("a sentence's numbers of tokens and tags differ")
    return TaggedSentence(tokens, skill, knowledge, str(record["source"]))
