"""The architecture against naive loops, by part; it ignores padding and the order of tokens."""

import math
from dataclasses import replace
from itertools import combinations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from jobmatch_core.towers.tower import SHORTEST, DocumentBatch, Tower
from jobmatch_core.towers.tower_recipe import TowerConfig

DIMENSION, SECTIONS = 8, 3
FULL = TowerConfig(heads=2, dropout=0.0)
SWITCHES = ("section_embeddings", "head", "skip", "weighted_pooling")


def batch_of(lengths: list[list[int]], seed: int = 1, padding: int = 0) -> DocumentBatch:
    """Return documents with random tokens.

    Args:
        lengths: number of tokens of each section of each document; 0 for an empty one.
        seed: seed of the tokens; padding does not change them.
        padding: additional places of padding.
    """
    longest = max(sum(max(size, 1) for size in sizes) for sizes in lengths) + padding
    tokens = torch.zeros(len(lengths), longest, DIMENSION)
    sections = torch.zeros(len(lengths), longest, dtype=torch.int64)
    mask, empty = (torch.zeros(len(lengths), longest, dtype=torch.bool) for _ in range(2))
    random = torch.Generator().manual_seed(seed)
    for row, sizes in enumerate(lengths):
        place = 0
        for number, size in enumerate(sizes):
            for _ in range(max(size, 1)):
                if size:
                    tokens[row, place] = torch.randn(DIMENSION, generator=random)
                empty[row, place] = not size
                sections[row, place], mask[row, place] = number, True
                place += 1
    return DocumentBatch(tokens, sections, mask, empty, SECTIONS)


def tower_of(config: TowerConfig = FULL, seed: int = 1) -> Tower:
    """Return a tower without zero weights, as after training."""
    torch.manual_seed(seed)
    tower = Tower(config, SECTIONS, DIMENSION)
    with torch.no_grad():
        for weight in tower.parameters():
            weight += 0.3 * torch.randn_like(weight)
    return tower.eval()


def naive_section_vectors(tower: Tower, batch: DocumentBatch, row: int) -> list[Tensor]:
    """Return equations 2 and 4 by loops; the head reads each document alone, without padding."""
    places = [place for place in range(batch.mask.shape[1]) if batch.mask[row, place]]
    of_section: dict[int, list[int]] = {number: [] for number in range(SECTIONS)}
    means = []
    for section in range(SECTIONS):
        tokens = [batch.tokens[row, p] for p in places if batch.sections[row, p] == section and not batch.empty[row, p]]
        means += [float(x) for x in torch.stack(tokens).mean(dim=0)] if tokens else []
    unit = max(math.sqrt(sum(x**2 for x in means) / max(len(means), 1)), SHORTEST)
    backbone, summed = [], []
    for number, place in enumerate(places):
        section = int(batch.sections[row, place])
        of_section[section].append(number)
        token = tower.empty if batch.empty[row, place] else batch.tokens[row, place] / unit
        backbone.append(token)
        summed.append(token if tower.section is None else token + tower.section[section])
    hidden = torch.stack(summed)
    if tower.head is not None:
        sizes = [len(numbers) * SECTIONS for numbers in of_section.values() for _ in numbers]
        weights = [1 / (size if tower.config.weighted_pooling else len(places)) for size in sizes]
        hidden = tower.head(hidden.unsqueeze(0), torch.tensor([weights]).log())[0]
    vectors = []
    for numbers in of_section.values():
        vector = torch.zeros(DIMENSION)
        for number in numbers:
            token = hidden[number] + backbone[number] if tower.head and tower.config.skip else hidden[number]
            share = len(numbers) * SECTIONS if tower.config.weighted_pooling else len(places)
            vector = vector + token / share
        vectors.append(vector)
    return vectors


LENGTHS = st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=3)


@settings(deadline=None, max_examples=40)
@given(lengths=LENGTHS, off=st.sets(st.sampled_from(SWITCHES)), padding=st.integers(0, 3), seed=st.integers(0, 9))
def test_equals_the_naive_loop(lengths: list[list[int]], off: set[str], padding: int, seed: int) -> None:
    """With any part switched off, and any padding."""
    tower = tower_of(replace(FULL, **dict.fromkeys(off, False)), seed)
    batch = batch_of(lengths, seed, padding)
    with torch.no_grad():
        sections, vectors = tower.section_vectors(batch), tower(batch)
        for row in range(len(lengths)):
            expected = torch.stack(naive_section_vectors(tower, batch, row))
            torch.testing.assert_close(sections[row], expected, atol=1e-4, rtol=1e-4)
            torch.testing.assert_close(
                vectors[row], torch.nn.functional.normalize(expected.sum(dim=0), dim=0), atol=1e-4, rtol=1e-4
            )


def test_padding_and_neighbours_do_not_matter() -> None:
    """A document's vector does not depend on its batch, or on the amount and content of padding."""
    tower = tower_of()
    lengths = [[2, 3, 0], [1, 6, 2], [0, 0, 1]]
    alone = [tower(batch_of([lengths[0]]))[0]]
    together = batch_of(lengths, padding=5)
    together.tokens[~together.mask] = 7.0
    together.sections[~together.mask] = 2
    together.empty[~together.mask] = True
    torch.testing.assert_close(tower(together)[:1], torch.stack(alone), atol=1e-5, rtol=1e-5)


def test_the_order_of_tokens_does_not_matter() -> None:
    """The place of padding does not matter either: a token's section is its only position."""
    tower, batch = tower_of(), batch_of([[2, 3, 0], [1, 4, 2]], padding=2)
    order = torch.randperm(batch.mask.shape[1], generator=torch.Generator().manual_seed(3))
    shuffled = DocumentBatch(
        batch.tokens[:, order], batch.sections[:, order], batch.mask[:, order], batch.empty[:, order], SECTIONS
    )
    torch.testing.assert_close(tower(shuffled), tower(batch), atol=1e-5, rtol=1e-5)


def test_without_head_and_section_embeddings_it_is_the_backbone_pooled_by_section() -> None:
    """Up to the scale; with a head, the initial vector is close to it."""
    torch.manual_seed(1)
    batch = batch_of([[2, 3, 0], [1, 1, 5]])
    tower = Tower(replace(FULL, head=False, section_embeddings=False), SECTIONS, DIMENSION).eval()
    mean = (batch.tokens[0, :2].mean(dim=0) + batch.tokens[0, 2:5].mean(dim=0)) / SECTIONS
    torch.testing.assert_close(tower(batch)[0], mean / mean.norm())
    begun = Tower(replace(FULL, section_embeddings=False), SECTIONS, DIMENSION).eval()
    assert (begun(batch) * tower(batch)).sum(dim=1).min() > 0.8


@pytest.mark.parametrize("pair", [*combinations([(), *((name,) for name in SWITCHES)], 2)])
def test_each_switch_changes_something(pair: tuple[tuple[str, ...], ...]) -> None:
    """For equal weights."""
    batch = batch_of([[2, 3, 0], [1, 1, 5]])
    weights = tower_of().state_dict()
    vectors = []
    for off in pair:
        tower = Tower(replace(FULL, **dict.fromkeys(off, False)), SECTIONS, DIMENSION).eval()
        tower.load_state_dict(weights, strict=False)
        vectors.append(tower(batch))
    assert (vectors[0] - vectors[1]).abs().max() > 1e-3


def test_what_a_switch_leaves_to_train() -> None:
    """Parts that are switched off have no weights."""
    names = {
        off: {name.split(".")[0] for name, _ in Tower(replace(FULL, **{off: False}), 3, 8).named_parameters()}
        for off in ("section_embeddings", "head")
    }
    assert names == {"section_embeddings": {"empty", "head"}, "head": {"empty", "section"}}


def test_weighted_pooling_keeps_a_long_section_from_drowning_a_short_one() -> None:
    """Nine tokens against one: equal weights for the sections, or nine tenths against one tenth."""
    batch = batch_of([[1, 9, 0]])
    batch.tokens[0, 0], batch.tokens[0, 1:10] = torch.eye(DIMENSION)[0], torch.eye(DIMENSION)[1]
    for weighted, expected in ((True, [1 / 3, 1 / 3]), (False, [1 / 11, 9 / 11])):
        tower = Tower(TowerConfig(head=False, section_embeddings=False, weighted_pooling=weighted), 3, DIMENSION)
        vector = tower.section_vectors(batch)[0].sum(dim=0)
        unit = DIMENSION**-0.5  # of tokens with a single one among their components
        assert (vector[:2] * unit).tolist() == pytest.approx(expected)


def test_a_document_without_any_text() -> None:
    """It is zero without head and section embeddings; with a head, its gradient is finite."""
    plain = Tower(replace(FULL, head=False, section_embeddings=False), SECTIONS, DIMENSION)
    assert plain(batch_of([[0, 0, 0]])).tolist() == [[0.0] * DIMENSION]
    tower = Tower(FULL, SECTIONS, DIMENSION)
    tower(batch_of([[0, 0, 0]])).sum().backward()
    assert all(weight.grad is None or torch.isfinite(weight.grad).all() for weight in tower.parameters())
    assert tower_of()(batch_of([[0, 0, 0]])).norm().item() == pytest.approx(1)


@pytest.mark.parametrize("off", [None, *SWITCHES])
def test_all_weights_learn(off: str | None) -> None:
    """Every weight has a gradient, and the loss of a tiny task falls."""
    torch.manual_seed(1)
    config = replace(FULL, **({off: False} if off else {}))
    tower, batch = Tower(config, SECTIONS, DIMENSION), batch_of([[2, 3, 0], [0, 1, 5], [4, 4, 4]])
    targets = torch.nn.functional.normalize(torch.randn(3, DIMENSION), dim=1)
    optimiser = torch.optim.Adam(tower.parameters(), lr=0.03)
    losses = []
    for _ in range(30):
        loss = -(tower(batch) * targets).sum(dim=1).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    for name, weight in tower.named_parameters():
        assert weight.grad is not None
        if not name.endswith("self_attn.in_proj_bias"):  # keys' bias changes no softmax
            assert weight.grad.abs().sum() > 0, name
    assert losses[-1] < losses[0] - 0.2
    assert not math.isnan(losses[-1])


def test_another_width() -> None:
    """Tokens are projected for the head and back."""
    tower = Tower(replace(FULL, width=4), SECTIONS, DIMENSION)
    assert tower(batch_of([[1, 2, 3]])).shape == (1, DIMENSION)
    widths = {tuple(weight.shape) for name, weight in tower.named_parameters() if "narrow.weight" in name}
    assert widths == {(4, DIMENSION)}


def test_a_width_that_heads_cannot_share() -> None:
    """The error is ours, not an assertion of the library."""
    with pytest.raises(ValueError, match="width 8 is not divisible by its 3 heads"):
        Tower(replace(FULL, heads=3), SECTIONS, DIMENSION)


def test_the_head_works_in_the_backbones_units() -> None:
    """Token vectors scaled by 1000 give the same document vectors."""
    tower = tower_of(seed=3)
    batch = batch_of([[2, 0, 3], [1, 4, 1]])
    with torch.no_grad():
        expected = tower(batch)
        scaled = tower(replace(batch, tokens=batch.tokens * 1000))
    torch.testing.assert_close(scaled, expected, atol=1e-5, rtol=1e-4)


def test_the_head_begins_by_passing_on() -> None:
    """A single token attends to itself: the head doubles it."""
    torch.manual_seed(1)
    tower = Tower(replace(FULL, section_embeddings=False, skip=False), SECTIONS, DIMENSION).eval()
    assert tower.head is not None
    tokens, weights = torch.randn(1, 1, DIMENSION), torch.zeros(1, 1)
    with torch.no_grad():
        torch.testing.assert_close(tower.head(tokens, weights), 2 * tokens)


def test_a_narrow_head_begins_by_passing_on_what_it_sees() -> None:
    """The output projection is the transpose of the input's, so the result has the direction of the tokens."""
    torch.manual_seed(1)
    config = replace(FULL, section_embeddings=False, skip=False, width=4)
    tower = Tower(config, SECTIONS, DIMENSION).eval()
    assert tower.head is not None
    tokens, weights = torch.randn(1, 1, DIMENSION), torch.zeros(1, 1)
    with torch.no_grad():
        once = tower.head(tokens, weights)
        torch.testing.assert_close(tower.head(once, weights), 2 * once)
