"""What a batch is trained for: against what its parts give one by one."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

from jobmatch_core.descriptions.aggregators import VARIANTS, Reading
from jobmatch_core.descriptions.description_model import DescriptionModel
from jobmatch_core.descriptions.losses import bidirectional_contrastive
from jobmatch_core.descriptions.network_config import NetworkConfig
from jobmatch_core.errors import SettingsError
from jobmatch_core.training.jdan_backbones import FrozenBackbone
from jobmatch_core.training.jdan_batches import NumberedPostings
from jobmatch_core.training.jdan_objectives import Contrastive, Doc2VecTargets, SkipGram, objective_of
from jobmatch_core.training.jdan_recipe import Doc2VecRecipe, JdanRecipe
from tests.core.descriptions.made_postings import WordEncoder, made_postings

CPU = torch.device("cpu")
POSTINGS = made_postings(24)
RECIPE = JdanRecipe("x", network=NetworkConfig(layers=1, heads=2, dropout=0.0), doc2vec=Doc2VecRecipe(8, 3))
ROWS = np.array([4, 0, 1])


def objective(variant: str, recipe: JdanRecipe = RECIPE) -> object:
    """Return a variant's objective over a frozen encoder."""
    numbered = NumberedPostings.of(POSTINGS, Reading(VARIANTS[variant].parts))
    backbone = FrozenBackbone(WordEncoder(), CPU)
    backbone.prepare(numbered.texts)
    torch.manual_seed(1)
    return objective_of(replace(recipe, variant=variant), backbone, numbered, CPU)


@pytest.mark.parametrize("variant", [name for name, each in VARIANTS.items() if each.objective == "contrastive"])
def test_contrastive_is_the_loss_of_the_model_in_use(variant: str) -> None:
    """The batch's numbered and padded texts make the vectors that `DescriptionModel` makes of the postings."""
    made = objective(variant)
    assert isinstance(made, Contrastive)
    assert (made.module is None) == (variant != "jdan")
    if made.module is not None:
        made.module.eval()
    model = DescriptionModel(WordEncoder(), "words", variant, network=made.network)
    chosen = [POSTINGS[row] for row in ROWS]
    expected = bidirectional_contrastive(
        torch.from_numpy(model.encode_titles([each.title for each in chosen])),
        torch.from_numpy(model.encode_postings(chosen)),
    )
    assert made.loss(ROWS, np.random.default_rng(1)).item() == pytest.approx(expected.item(), abs=1e-4)


def test_jobbert_begins_where_nothing_is_known_and_learns() -> None:
    """Vectors of zero: each of a pair's six logistic terms is log 2. Negatives are drawn by frequency to the 3/4."""
    made = objective("jobbert")
    assert isinstance(made, SkipGram)
    random = np.random.default_rng(1)
    assert made.loss(ROWS, random).item() == pytest.approx(6 * np.log(2), abs=1e-5)
    assert isinstance(made.module, nn.Embedding)
    optimiser = torch.optim.AdamW(made.module.parameters(), lr=0.1)
    for _ in range(30):
        loss = made.loss(ROWS, random)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    assert loss.item() < 5 * np.log(2)


def test_how_jobbert_draws() -> None:
    """Counts of 16 and 1 become shares of 8 : 1."""

    class Recorder:
        """Draws the first skill, and keeps what it was told."""

        def choice(self, n: int, size: tuple[int, int], p: np.ndarray) -> np.ndarray:
            self.asked = n, size, p
            return np.zeros(size, dtype=np.int64)

    postings = [replace(POSTINGS[0], skills=("often",) * 16 + ("once",))]
    numbered = NumberedPostings.of(postings, Reading("skills"))
    backbone = FrozenBackbone(WordEncoder(), CPU)
    backbone.prepare(numbered.texts)
    random = Recorder()
    SkipGram(backbone, numbered, CPU).loss(np.array([0]), random)  # type: ignore[arg-type]
    assert random.asked[:2] == (2, (17, 5))
    assert random.asked[2].tolist() == pytest.approx([8 / 9, 1 / 9])


@pytest.mark.parametrize("dimensions", [8, 16])
def test_doc2vec_targets(dimensions: int) -> None:
    """A projection is learned only where the lengths differ; the loss is minus a mean cosine."""
    made = objective("doc2vec-skill", replace(RECIPE, doc2vec=Doc2VecRecipe(dimensions, 3)))
    assert isinstance(made, Doc2VecTargets)
    assert (made.module is None) == (dimensions == 16)
    assert -1 <= made.loss(ROWS, np.random.default_rng(1)).item() <= 1


def test_skills_that_no_two_postings_share() -> None:
    """Doc2vec needs a vocabulary."""
    numbered = NumberedPostings.of([replace(POSTINGS[0], skills=("rare",))], Reading("skills"))
    with pytest.raises(SettingsError, match="more postings that share some"):
        Doc2VecTargets(RECIPE, FrozenBackbone(WordEncoder(), CPU), numbered, CPU)


def test_heads_that_do_not_fit() -> None:
    """The recipe's section is named."""
    with pytest.raises(SettingsError, match=r"\[network\] cannot be built over words: .*16 numbers, which 3 heads"):
        objective("jdan", replace(RECIPE, network=NetworkConfig(heads=3)))
