"""The losses against naive loops, worked examples and their limits.

What a batch is trained for: against what its parts give one by one.
"""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from jobmatch_core.descriptions.aggregators import VARIANTS, NetworkConfig, PostingReading
from jobmatch_core.descriptions.description_model import DescriptionModel
from jobmatch_core.descriptions.jdan_backbones import FrozenBackbone
from jobmatch_core.descriptions.jdan_data import NumberedPostings
from jobmatch_core.descriptions.jdan_objectives import (
    TEMPERATURE,
    Contrastive,
    Doc2VecTargets,
    SkipGram,
    bidirectional_contrastive,
    negative_cosine,
    objective_of,
    skip_gram,
)
from jobmatch_core.descriptions.jdan_recipe import Doc2VecRecipe, Gradients, JdanRecipe, JdanTraining
from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.errors import SettingsError
from tests.core.descriptions.made_postings import WordEncoder, made_postings


def random_rows(*shape: int, seed: int = 1) -> Tensor:
    """Return random numbers."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def cosine(left: Tensor, right: Tensor) -> float:
    """Return the cosine of two vectors."""
    return float(left @ right / (left.norm() * right.norm()))


def naive_contrastive(titles: Tensor, descriptions: Tensor, temperature: float) -> float:
    """Equation 2, letter by letter, and the mean over i."""
    n = len(titles)
    losses = []
    for i in range(n):
        right = math.exp(cosine(titles[i], descriptions[i]) / temperature)
        forth = sum(math.exp(cosine(titles[i], descriptions[j]) / temperature) for j in range(n))
        back = sum(math.exp(cosine(titles[j], descriptions[i]) / temperature) for j in range(n))
        losses.append(-(math.log(right / forth) + math.log(right / back)))
    return sum(losses) / n


@pytest.mark.parametrize("temperature", [TEMPERATURE, 0.5])
@pytest.mark.parametrize("n", [1, 2, 7])
def test_contrastive_equals_naive_loop(n: int, temperature: float) -> None:
    """Vectors of any length."""
    titles, descriptions = 3 * random_rows(n, 4), random_rows(n, 4, seed=2)
    expected = naive_contrastive(titles, descriptions, temperature)
    assert bidirectional_contrastive(titles, descriptions, temperature).item() == pytest.approx(expected, abs=1e-4)


def test_contrastive_by_hand() -> None:
    """Two pairs at right angles: -2 log(e^20 / (e^20 + 1)), nearly 0; swapped, -2 log(1 / (e^20 + 1)), nearly 40."""
    titles = torch.eye(2)
    assert bidirectional_contrastive(titles, 5 * titles).item() == pytest.approx(0, abs=1e-6)
    assert bidirectional_contrastive(titles, titles.flip(0)).item() == pytest.approx(40, abs=1e-5)


def test_contrastive_is_the_same_both_ways() -> None:
    """Unlike SimCSE's, which the second term is added to."""
    titles, descriptions = random_rows(5, 3), random_rows(5, 3, seed=2)
    forth = bidirectional_contrastive(titles, descriptions)
    assert forth.item() == pytest.approx(bidirectional_contrastive(descriptions, titles).item())


def test_skip_gram_equals_naive_loop() -> None:
    """A positive and two negatives a title."""
    titles, skills, negatives = random_rows(3, 4), random_rows(3, 4, seed=2), random_rows(3, 2, 4, seed=3)
    expected = sum(
        -math.log(torch.sigmoid(titles[i] @ skills[i]))
        - sum(math.log(torch.sigmoid(-titles[i] @ negatives[i, k])) for k in range(2))
        for i in range(3)
    )
    assert skip_gram(titles, skills, negatives).item() == pytest.approx(expected / 3)


def test_negative_cosine_by_hand() -> None:
    """One alike, one at right angles: -(1 + 0) / 2."""
    titles, targets = torch.tensor([[1.0, 0.0], [1.0, 0.0]]), torch.tensor([[3.0, 0.0], [0.0, 2.0]])
    assert negative_cosine(titles, targets).item() == pytest.approx(-0.5)


def test_what_is_refused() -> None:
    """A temperature that would turn the objective round, and shapes that would broadcast."""
    with pytest.raises(ValueError, match="above 0"):
        bidirectional_contrastive(random_rows(2, 3), random_rows(2, 3), 0)
    for left, right in (((2, 3), (1, 3)), ((2, 3), (2, 4)), ((0, 3), (0, 3)), ((3,), (3,))):
        with pytest.raises(ValueError, match="two equal shapes"):
            bidirectional_contrastive(random_rows(*left), random_rows(*right))
        with pytest.raises(ValueError, match="two equal shapes"):
            negative_cosine(random_rows(*left), random_rows(*right))
    for negatives in ((2, 3), (1, 5, 3), (2, 5, 4)):
        with pytest.raises(ValueError, match="expected negatives"):
            skip_gram(random_rows(2, 3), random_rows(2, 3), random_rows(*negatives))


CPU = torch.device("cpu")
POSTINGS = made_postings(24)
RECIPE = JdanRecipe("x", network=NetworkConfig(layers=1, heads=2, dropout=0.0), doc2vec=Doc2VecRecipe(8, 3))
ROWS = np.array([4, 0, 1])


def objective(variant: str, recipe: JdanRecipe = RECIPE) -> object:
    """Return a variant's objective over a frozen encoder."""
    numbered = NumberedPostings.of(POSTINGS, PostingReading(VARIANTS[variant].parts))
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


class TableBackbone:
    """A vector a text, all of them trained."""

    def __init__(self, n_texts: int) -> None:
        torch.manual_seed(2)
        self.table = nn.Parameter(torch.randn(n_texts, 8))
        self.name, self.dimension, self.separator, self.module = "table", 8, ", ", None

    def vectors(self, numbers: np.ndarray) -> torch.Tensor:
        """Look them up."""
        return functional.normalize(self.table[torch.from_numpy(numbers)], dim=-1)


def test_gradients_of_titles_alone() -> None:
    """The loss is the whole one's, but what the parts of postings are is fixed until the next epoch begins."""
    numbered = NumberedPostings.of(POSTINGS, PostingReading("sentences"))
    recipe = replace(RECIPE, variant="sentence-mean", training=JdanTraining(gradients="titles"))
    backbone = TableBackbone(len(numbered.texts))
    whole = objective_of(replace(recipe, training=JdanTraining()), backbone, numbered, CPU)
    made = objective_of(recipe, backbone, numbered, CPU)
    random = np.random.default_rng(1)
    made.begin_epoch(ROWS)
    loss = made.loss(ROWS, random)
    assert loss.item() == pytest.approx(whole.loss(ROWS, random).item(), abs=1e-5)
    loss.backward()
    titles = set(numbered.titles[ROWS].tolist())
    assert backbone.table.grad is not None
    moved = set(backbone.table.grad.abs().sum(dim=1).nonzero().squeeze(1).tolist())
    assert moved == titles

    with torch.no_grad():
        backbone.table += torch.randn_like(backbone.table) * torch.tensor(
            [[number not in titles] for number in range(len(numbered.texts))]
        )
    assert made.loss(ROWS, random).item() == pytest.approx(loss.item(), abs=1e-5)
    with torch.no_grad():  # what is measured is measured as it is
        assert made.loss(ROWS, random).item() == pytest.approx(whole.loss(ROWS, random).item(), abs=1e-5)
    made.begin_epoch(ROWS)
    assert made.loss(ROWS, random).item() == pytest.approx(whole.loss(ROWS, random).item(), abs=1e-5)
    assert abs(made.loss(ROWS, random).item() - loss.item()) > 1e-3


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
    numbered = NumberedPostings.of(postings, PostingReading("skills"))
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
    numbered = NumberedPostings.of([replace(POSTINGS[0], skills=("rare",))], PostingReading("skills"))
    with pytest.raises(SettingsError, match="more postings with shared skills"):
        Doc2VecTargets(RECIPE, FrozenBackbone(WordEncoder(), CPU), numbered, CPU)


def test_heads_that_do_not_fit() -> None:
    """The recipe's section is named."""
    with pytest.raises(SettingsError, match=r"\[network\] cannot be built over words: 3 heads cannot divide"):
        objective("jdan", replace(RECIPE, network=NetworkConfig(heads=3)))


def named_postings() -> list[Posting]:
    """Give every second posting the name of its occupation, which is no other text's."""
    return [replace(each, occupation_name=f"name {row}" if row % 2 else "") for row, each in enumerate(POSTINGS)]


def test_titles_and_names() -> None:
    """Equation 2 once more, of those whose occupation is known, at the recipe's weight; 0 leaves the paper's."""
    numbered = NumberedPostings.of(named_postings(), PostingReading("sentences"), with_names=True)
    backbone = FrozenBackbone(WordEncoder(), CPU)
    backbone.prepare(numbered.texts)
    rows, random = np.array([0, 1, 2, 3, 4]), np.random.default_rng(1)

    def loss(weight: float) -> float:
        recipe = replace(RECIPE, variant="sentence-mean", training=JdanTraining(name_weight=weight))
        return objective_of(recipe, backbone, numbered, CPU).loss(rows, random).item()

    titles, names = (
        torch.from_numpy(WordEncoder().encode(texts))
        for texts in ([POSTINGS[1].title, POSTINGS[3].title], ["name 1", "name 3"])
    )
    term = bidirectional_contrastive(titles, names).item()
    assert term > 0.1
    assert loss(0.5) - loss(0) == pytest.approx(0.5 * term * 2 / 5, abs=1e-4)
    with torch.no_grad():  # what is measured is the paper's loss
        assert loss(0.5) == pytest.approx(loss(0), abs=1e-5)


@pytest.mark.parametrize("gradients", ["all", "titles"])
def test_names_are_learned(gradients: Gradients) -> None:
    """Also where the parts of postings are fixed; a batch in which nothing is named has the paper's loss."""
    numbered = NumberedPostings.of(named_postings(), PostingReading("sentences"), with_names=True)
    backbone = TableBackbone(len(numbered.texts))
    training = JdanTraining(name_weight=1.0, gradients=gradients)
    made = objective_of(replace(RECIPE, variant="sentence-mean", training=training), backbone, numbered, CPU)
    plain = objective_of(replace(RECIPE, variant="sentence-mean"), backbone, numbered, CPU)
    rows, random = np.arange(6), np.random.default_rng(1)
    made.begin_epoch(rows)
    made.loss(rows, random).backward()
    assert backbone.table.grad is not None
    assert (backbone.table.grad[numbered.names[[1, 3, 5]]].abs().sum(dim=1) > 0).all()
    unnamed = np.array([0, 2, 4])
    assert made.loss(unnamed, random).item() == pytest.approx(plain.loss(unnamed, random).item(), abs=1e-6)
