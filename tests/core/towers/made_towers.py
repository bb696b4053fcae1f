"""A tiny marketplace whose projects need a skill, a backbone of random word vectors, and a recipe of towers."""

from collections.abc import Sequence

import numpy as np

from jobmatch_core.encoders.token_encoders import padded
from jobmatch_core.entities import Freelancer, Interaction, NamedSkill, Project
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.token_vectors import TokenBatch
from jobmatch_core.towers.sampling import Sampling
from jobmatch_core.towers.tower_recipe import TowerConfig, TowerRecipe, TowerTraining

SKILLS = ("python", "java", "triage", "surgery")  # two a category
CATEGORIES = ("2511", "2511", "2221", "2221")


class Words:
    """A backbone with a random vector per word."""

    dimension = 8

    def __init__(self, name: str = "words") -> None:
        self.name = name

    def encode_tokens(self, texts: Sequence[str]) -> TokenBatch:
        """Return one token per word."""
        return padded([self._vectors(text.split()) for text in texts], self.dimension)

    def _vectors(self, words: list[str]) -> np.ndarray:
        seeds = [[ord(letter) for letter in word] for word in words]
        rows = [np.random.default_rng(seed).normal(size=self.dimension) for seed in seeds]
        return np.array(rows, dtype=np.float32).reshape(-1, self.dimension)


def project(number: int) -> Project:
    """Return a project that needs one of four skills."""
    skill = NamedSkill(SKILLS[number % 4], SKILLS[number % 4])
    category = CATEGORIES[number % 4]
    return Project(f"p{number}", "en", "job", "", "", category[:2], "", category, "", (skill,), ())


def freelancer(number: int) -> Freelancer:
    """Return a freelancer with one of four skills."""
    skill = NamedSkill(SKILLS[number % 4], SKILLS[number % 4])
    category = CATEGORIES[number % 4]
    return Freelancer(f"f{number}", "en", "worker", "", "", category[:2], "", category, "", (skill,))


def interactions(n_projects: int, n_freelancers: int) -> tuple[Interaction, ...]:
    """Return the answers within a category: positive if the freelancer has the skill."""
    return tuple(
        Interaction(f"p{p}", f"f{f}", p % 4 == f % 4, "2026-01-01")
        for p in range(n_projects)
        for f in range(n_freelancers)
        if CATEGORIES[p % 4] == CATEGORIES[f % 4]
    )


MARKETPLACE = Marketplace(
    "tiny", [*map(project, range(12))], [*map(freelancer, range(16))], interactions(12, 16), generated=True
)
RECIPE = TowerRecipe(
    name="tiny",
    seed=3,
    tower=TowerConfig(heads=2, dropout=0.1),
    sampling=Sampling(projects=2, positives=2, negatives=1, weak_negatives=3, project_weak_negatives=False),
    training=TowerTraining(temperature=0.3, epochs=4, learning_rate=0.01, section_pace=1.0, validation=0.25),
)
