"""Postings made up for tests, in two languages, and a tiny encoder that needs no files."""

import zlib
from collections.abc import Sequence

import numpy as np

from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.entities import FloatArray
from jobmatch_core.text.folding import fold
from jobmatch_core.vectors import normalised

JOBS = {
    # titles: what is done there
    "baker|pastry baker|Bäcker": "You bake bread.|Dough is kneaded by you.|Sie backen Brot und Kuchen.|Ovens are hot.",
    "nurse|ward nurse|Pflegekraft": "You care for patients.|Wounds are dressed.|Sie pflegen Kranke.|Medicine is given.",
    "welder|arc welder|Schweißer": "You weld steel.|Seams are ground.|Sie schweißen Rohre.|Torches are lit.",
    "teacher|tutor|Lehrkraft": "You teach pupils.|Lessons are planned.|Sie unterrichten Klassen.|Tests are marked.",
    "driver|lorry driver|Fahrer": "You drive lorries.|Freight is secured.|Sie fahren Lastwagen.|Tyres are checked.",
    "clerk|office clerk|Bürokraft": "You file letters.|Invoices are written.|Sie führen Akten.|Calls are answered.",
}
BOILERPLATE = (
    "We pay well.",
    "Apply by Friday.",
    "Our firm is 100 years old.",
    "Wir freuen uns auf Sie.",
    "Parking is free.",
    "Holidays: 28 days a year.",
)


def made_postings(n: int, seed: int = 1) -> list[Posting]:
    """Make postings: two to three sentences of the job among as many that say nothing of it, in any order."""
    random = np.random.default_rng(seed)
    jobs = [(titles.split("|"), tasks.split("|")) for titles, tasks in JOBS.items()]
    made = []
    for number in range(n):
        titles, tasks = jobs[number % len(jobs)]
        own = random.choice(tasks, size=int(random.integers(2, 4)), replace=False)
        others = random.choice(BOILERPLATE, size=3, replace=False)
        sentences = random.permutation([*own, *others])
        skills = tuple(word for task in own for word in fold(str(task)).split()[-1:])
        made.append(Posting(str(number), str(random.choice(titles)), "\n".join(map(str, sentences)), skills))
    return made


class WordEncoder:
    """The mean of a random vector a word; a real encoder, if a tiny one, that counts what it was asked for."""

    def __init__(self, dimension: int = 16, name: str = "words") -> None:
        """Choose how many numbers a vector has."""
        self.name = name
        self.dimension = dimension
        self.encoded = 0  # texts

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return L2-normalised vectors; zeros for a text without a word."""
        self.encoded += len(texts)
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in fold(text).split():
                vectors[row] += np.random.default_rng(zlib.crc32(word.encode())).normal(size=self.dimension)
        return normalised(vectors)
