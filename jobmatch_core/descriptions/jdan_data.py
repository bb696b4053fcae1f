"""Data of a JDAN training: a recipe's postings, numbered and in batches.

A taxonomy's occupations are postings, too: each English name, with the occupation's description and skills. Titles
like those of adverts are synthesised from names, so that the encoder learns to ignore noise: grades, contracts and
advert phrases are those of the linker's `noise_words.toml`; career steps, places and further jobs are added here.

Equation 2 of Laosaengpha et al. (2024) takes all other postings of a batch as negatives. So no batch has two postings
of the same title, description or learned occupation name, which the paper does not mention.
"""

from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.descriptions.aggregators import VARIANTS, PostingReading
from jobmatch_core.descriptions.jdan_recipe import JdanData, JdanRecipe
from jobmatch_core.descriptions.postings import Posting, read_onet, read_postings
from jobmatch_core.descriptions.skills import skill_names, with_skills
from jobmatch_core.taxonomy import Taxonomy, TaxonomyStore
from jobmatch_core.text.folding import fold
from jobmatch_core.text.locales import ENGLISH
from jobmatch_core.titles.noise_words import noise_phrases

_SIDES = ((True, False), (False, True), (True, True))  # in front of the name, behind it, both: equally often
_NEVER_IN_FRONT = set(
    (
        "no experience required, no experience needed, with experience, traineeship, internship, apprenticeship, "
        "graduate scheme, graduate programme, work placement, beginner, interns"
    ).split(", ")
)
_PLACES = tuple(
    (
        "Amsterdam, Athens, Auckland, Bangkok, Berlin, Boston, Brussels, Chicago, Copenhagen, Dubai, Dublin, Glasgow, "
        "Helsinki, Houston, Johannesburg, Lagos, Leeds, Lisbon, London, Madrid, Manchester, Manila, Melbourne, Milan, "
        "Mumbai, Munich, Nairobi, New York, Oslo, Paris, Prague, Riyadh, Rome, Singapore, Stockholm, Sydney, Toronto, "
        "Vienna, Warsaw, Zurich"
    ).split(", ")
)
_STEPS = ("I", "II", "III", "1", "2")
_JOINTS = ("{} ({})", "{} - {}", "{}, {}", "{} {}")
_ANOTHER_JOB = ("{} / {}", "{} & {}", "{} and {}")
NO_NAME = -1
_LEAST = 2  # postings of a batch: a single one has no negatives
_LEAST_SHARE = 0.5  # of the batch size: a step on few postings weighs as much as one on many
_SEED = 1  # of the draw, independent of the recipe's seed, so that all seeds train on the same postings

Rows = NDArray[np.intp]


def as_advertised(postings: Sequence[Posting], share: float, seed: int) -> list[Posting]:
    """Return postings with English occupation names as titles, a share of them in the style of adverts."""
    random = np.random.default_rng(seed)
    titles = [posting.title for posting in postings]
    chosen = random.random(len(postings)) < share
    return [
        replace(posting, title=_advertised(posting.title, titles, random)) if adorned else posting
        for posting, adorned in zip(postings, chosen, strict=True)
    ]


def _advertised(name: str, others: Sequence[str], random: np.random.Generator) -> str:
    in_front, behind = _SIDES[int(random.integers(len(_SIDES)))]
    title = name
    if in_front:
        grades = noise_phrases("seniority", ENGLISH)
        title = f"{_one_of([grade for grade in grades if grade not in _NEVER_IN_FRONT], random)} {title}"
    return _with_something_behind(title, others, random) if behind else title


def _with_something_behind(title: str, others: Sequence[str], random: np.random.Generator) -> str:
    kinds = (  # a place twice as often as each of the others
        (_ANOTHER_JOB, others),
        (("{} {}",), _STEPS),
        (_JOINTS, noise_phrases("contract", ENGLISH)),
        (_JOINTS, noise_phrases("advert", ENGLISH)),
        (_JOINTS, _PLACES),
        (_JOINTS, _PLACES),
    )
    joints, added = kinds[int(random.integers(len(kinds)))]
    return _one_of(joints, random).format(title, _one_of(added, random))


def _one_of(choices: Sequence[str], random: np.random.Generator) -> str:
    return choices[int(random.integers(len(choices)))]


def occupation_postings(taxonomy: Taxonomy) -> Iterator[Posting]:
    """Yield a posting per name; all of an occupation's have the same description, with one skill per line.

    Occupations without a description or skills in English are skipped.
    """
    tables = taxonomy.tables
    names = tables.skill_names[tables.skill_names["preferred"] & (tables.skill_names["language"] == ENGLISH)]
    skill_texts = dict(zip(names["skill"].to_list(), names["text"].to_list(), strict=True))
    english = tables.descriptions[tables.descriptions["language"] == ENGLISH]
    lines: dict[int, list[str]] = {
        concept: [text] for concept, text in zip(english["concept"].to_list(), english["text"].to_list(), strict=True)
    }
    essential_first = tables.relations.sort_values("essential", ascending=False, kind="stable")
    for occupation, skill in zip(essential_first["occupation"], essential_first["skill"], strict=True):
        if skill in skill_texts:
            lines.setdefault(int(occupation), []).append(skill_texts[skill])
    occupations = set(taxonomy.occupation_numbers.tolist())
    rows = zip(tables.names["concept"], tables.names["language"], tables.names["text"], strict=True)
    for number, (concept, language, text) in enumerate(rows):
        if language == ENGLISH and concept in occupations and concept in lines:
            name = taxonomy.name(concept, ENGLISH)
            yield Posting(f"{taxonomy.uris[concept]}/{number}", text, "\n".join(lines[concept]), occupation_name=name)


@dataclass(frozen=True)
class NumberedPostings:
    """Postings whose texts are numbers."""

    postings: list[Posting]  # those with a title and at least one part
    texts: list[str]  # all distinct titles and parts
    titles: Rows  # (posting,) number of its title
    names: Rows  # (posting,) number of its occupation's name, or `NO_NAME`
    parts: list[Rows]  # numbers of each posting's parts

    @classmethod
    def of(
        cls, postings: Sequence[Posting], reading: PostingReading, *, with_names: bool = False
    ) -> "NumberedPostings":
        """Number the texts of all postings with a title and at least one part; others are skipped."""
        numbers: dict[str, int] = {}
        usable: list[Posting] = []
        titles: list[int] = []
        names: list[int] = []
        parts: list[Rows] = []
        for posting in postings:
            texts = reading.texts(posting)
            if texts and fold(posting.title):
                usable.append(posting)
                titles.append(numbers.setdefault(posting.title, len(numbers)))
                named = with_names and fold(posting.occupation_name)
                names.append(numbers.setdefault(posting.occupation_name, len(numbers)) if named else NO_NAME)
                parts.append(np.array([numbers.setdefault(text, len(numbers)) for text in texts], dtype=np.intp))
        return cls(usable, list(numbers), np.array(titles, dtype=np.intp), np.array(names, dtype=np.intp), parts)

    def __len__(self) -> int:
        return len(self.postings)

    def split(self, share: float, seed: int) -> tuple[Rows, Rows]:
        """Return the rows of postings to train on and of those held out, by share.

        All postings of a title are on one side, so that held-out titles are unseen. They may still occur as the
        occupation names of other postings.
        """
        keys = [fold(posting.title) for posting in self.postings]
        names = sorted(set(keys))
        left_out = set(np.random.default_rng(seed).permutation(len(names))[: round(share * len(names))].tolist())
        places = {name: place for place, name in enumerate(names)}
        is_left_out = np.array([places[key] in left_out for key in keys], dtype=bool)
        return np.flatnonzero(~is_left_out), np.flatnonzero(is_left_out)


class JdanBatches:
    """Draws the batches of some of the postings."""

    def __init__(self, numbered: NumberedPostings, rows: Rows, size: int, *, by_names: bool = False) -> None:
        self._rows = rows
        self._size = size
        self._keys: list[set[Hashable]] = [
            {fold(numbered.postings[row].title), numbered.parts[row].tobytes()}
            | ({fold(numbered.postings[row].occupation_name)} if by_names and numbered.names[row] != NO_NAME else set())
            for row in rows
        ]

    def epoch(self, seed: tuple[int, ...]) -> list[Rows]:
        """Return the batches of an epoch, by rows; the same seed draws the same ones.

        A posting that conflicts with its batch waits for the next one; a last batch less than half full is dropped.
        """
        waiting = deque(np.random.default_rng(seed).permutation(len(self._rows)).tolist())
        batches: list[Rows] = []
        while waiting:
            batch = self._draw(waiting)
            if len(batch) >= (max(_LEAST, _LEAST_SHARE * self._size) if batches else _LEAST):
                batches.append(self._rows[np.array(batch, dtype=np.intp)])
        return batches

    def _draw(self, waiting: deque[int]) -> list[int]:
        batch: list[int] = []
        met: set[Hashable] = set()
        later: list[int] = []
        while waiting and len(batch) < self._size:
            place = waiting.popleft()
            if met.isdisjoint(self._keys[place]):
                met.update(self._keys[place])
                batch.append(place)
            else:
                later.append(place)
        waiting.extendleft(reversed(later))
        return batch


def training_postings(recipe: JdanRecipe, folder: Path, store: TaxonomyStore) -> list[Posting]:
    """Read the postings of a recipe.

    Raises:
        DataFileError: a file cannot be read, or lacks a column.
        TaxonomyError: a taxonomy is missing or damaged.
    """
    data = recipe.data
    postings: list[Posting] = []
    for name in data.postings:
        postings += islice(read_postings(folder / name), data.most or None)
    if data.onet:
        postings += _made(read_onet(folder / data.onet, alternates=data.onet_alternates), data)
    if data.taxonomy:
        postings += _made(occupation_postings(store.load(data.taxonomy)), data)
    if VARIANTS[recipe.variant].parts in ("skills", "skill-list"):
        return with_skills(postings, skill_names(store.load(data.skills)))
    return postings


def _made(postings: Iterable[Posting], data: JdanData) -> list[Posting]:
    made, most = list(postings), data.made_most
    if most and len(made) > most:
        made = [made[place] for place in sorted(np.random.default_rng(_SEED).permutation(len(made))[:most])]
    return as_advertised(made, data.advertised, _SEED)
