"""A tiny marketplace made by hand, and encoders that know its words.

Four trades in two categories. Projects and profiles name the same trade by different words, in German or English, so
that no model knows who fits whom before it was trained. Of each trade's six freelancers the even ones say yes to its
projects, the odd ones no; a freelancer of the other trade of the category was refused as well.
"""

from collections.abc import Sequence

import numpy as np
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import StaticEmbedding
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from jobmatch_core.entities import FloatArray, Freelancer, Interaction, NamedSkill, Project
from jobmatch_core.marketplace.marketplace import Marketplace, SkillTruth, skill_rows

TRADES = ("web", "data", "logo", "film")
CATEGORIES = ("code", "code", "art", "art")
WANTED = ("homepage", "statistics", "emblem", "trailer")  # what projects call the trades
DONE = ("javascript", "python", "drawing", "editing")  # what freelancers do
LEVELS = ("senior", "junior")
PER_TRADE = 6
WORDS = (*CATEGORIES, *WANTED, *DONE, *LEVELS)


def freelancers() -> tuple[Freelancer, ...]:
    """Return six of each trade: even ones seniors with the trade's skill, odd ones juniors without any."""
    return tuple(
        Freelancer(
            id=f"f-{trade}-{number}",
            language=("en", "de")[number % 2],
            title=DONE[row],
            description=f"{LEVELS[number % 2]} {DONE[row]}",
            experience="",
            family="all",
            family_name="",
            category=CATEGORIES[row],
            category_name=CATEGORIES[row],
            skills=() if number % 2 else (NamedSkill(trade, DONE[row]),),
            generated=True,
        )
        for row, trade in enumerate(TRADES)
        for number in range(PER_TRADE)
    )


def projects(per_trade: int) -> tuple[Project, ...]:
    """Return some of each trade, in the order of their dates."""
    return tuple(
        Project(
            id=f"p-{trade}-{number}",
            language=("de", "en")[row % 2],
            title=WANTED[row],
            job_title="",
            description=f"senior {WANTED[row]}",
            family="all",
            family_name="",
            category=CATEGORIES[row],
            category_name=CATEGORIES[row],
            mandatory=(NamedSkill(trade, WANTED[row]),),
            bonus=(),
            created=f"2026-01-{number + 1:02}",
            generated=True,
        )
        for number in range(per_trade)
        for row, trade in enumerate(TRADES)
    )


def marketplace(per_trade: int = 5) -> Marketplace:
    """Return all of it; the hidden truth is that the even ones master their trade, and nobody anything else."""
    wanted = projects(per_trade)
    answers = []
    for project in wanted:
        row = TRADES.index(project.id.split("-")[1])
        others = TRADES[row + 1 if row % 2 == 0 else row - 1]
        answers += [(project, f"f-{TRADES[row]}-{number}", number % 2 == 0) for number in range(PER_TRADE)]
        answers += [(project, f"f-{others}-0", False)]
    return Marketplace(
        name="tiny",
        projects=wanted,
        freelancers=freelancers(),
        interactions=tuple(
            Interaction(project.id, freelancer, positive, project.created) for project, freelancer, positive in answers
        ),
        truth=SkillTruth(
            TRADES,
            mastered=skill_rows([[] if n % 2 else [row] for row in range(len(TRADES)) for n in range(PER_TRADE)], 4),
            mandatory=skill_rows([[row] for _ in range(per_trade) for row in range(len(TRADES))], 4),
            bonus=skill_rows([[]] * len(wanted), 4),
        ),
        generated=True,
    )


class WordVectors:
    """Encodes a text as the sum of its words' vectors, which mean nothing, at length one."""

    name = "word-vectors"

    def __init__(self, dimension: int = 16) -> None:
        """Draw the vectors."""
        vectors = np.random.default_rng(1).normal(size=(len(WORDS), dimension)).astype(np.float32)
        self._vectors = dict(zip(WORDS, vectors, strict=True))
        self._dimension = dimension

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return (text, dimension); zeros for a text without words."""
        sums = np.zeros((len(texts), self._dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in text.replace(",", " ").split():
                sums[row] += self._vectors[word]
        return sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), np.float32(1e-9))


def tiny_sentence_bert(dimension: int = 16) -> SentenceTransformer:
    """Return a model whose words have random vectors."""
    tokenizer = Tokenizer(WordLevel({word: number for number, word in enumerate(["?", *WORDS])}, unk_token="?"))
    tokenizer.pre_tokenizer = Whitespace()
    weights = np.random.default_rng(2).normal(size=(len(WORDS) + 1, dimension)).astype(np.float32)
    modules = [StaticEmbedding(tokenizer, embedding_weights=weights)]
    return SentenceTransformer(modules=modules, device="cpu", trust_remote_code=False)
