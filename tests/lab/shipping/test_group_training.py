"""Training of the classifier of unit groups, in miniature."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from jobmatch_core.titles.encoder import TitleEncoder
from jobmatch_core.titles.group_classifier import GROUPS_FILE, GroupClassifier
from lab.shipping.group_training import GROUP_RECIPE, GroupTitle, _loss, group_titles, train_groups

RECIPE = replace(GROUP_RECIPE, dimension=8, least_texts=1, epochs=40, batch_size=4, rate=0.1)
TITLES = [
    *(GroupTitle(f"{word} nurse", (2221,)) for word in ("staff", "night", "ward", "school")),
    *(GroupTitle(f"{word} cook", (5120,)) for word in ("line", "pastry", "ward", "school")),
    *(GroupTitle(f"{word} baker", (5120, 7512)) for word in ("night", "bread")),
    *(GroupTitle(f"bread {word}", (7512,)) for word in ("maker", "man")),
    *(GroupTitle(f"{word}meister", ()) for word in ("haus", "koch", "back", "ober")),
]


def test_the_loss_by_hand() -> None:
    """Minus the log of the probability of any possible class, the mean of all titles."""
    logits = torch.tensor([[math.log(1), math.log(3), math.log(4)]] * 2)
    possible = torch.tensor([[False, True, False], [True, False, True]])
    assert _loss(logits, possible).item() == pytest.approx(-(math.log(3 / 8) + math.log(5 / 8)) / 2)


def test_it_learns_groups_and_languages(tmp_path: Path) -> None:
    """New titles of known words; a set is answered by what its words say elsewhere; the loss falls."""
    steps: list[tuple[int, int]] = []
    trained = train_groups(TITLES, RECIPE, progress=lambda *step: steps.append(step))
    trained.weights.save(tmp_path)
    classifier = GroupClassifier.load(tmp_path / GROUPS_FILE, TitleEncoder.of_bag)
    assert classifier.codes.tolist() == [2221, 5120, 7512]
    shares = classifier.probabilities(["pastry nurse", "night cook", "bread baker", "stallmeister"])
    assert classifier.codes[shares[:3].argmax(axis=1)].tolist() == [2221, 5120, 7512]
    assert shares[:3].sum(axis=1).min() > 0.5 > shares[3].sum()
    assert len(trained.losses) == 40
    assert trained.losses[-1] < trained.losses[0] / 2
    assert steps[-1] == (160, 160)


def test_the_same_titles_and_seed_give_the_same_weights() -> None:
    """They are equal to the last bit; another seed gives others."""
    short = replace(RECIPE, epochs=2)
    first, again = (train_groups(TITLES, short).weights for _ in range(2))
    np.testing.assert_array_equal(first.bag, again.bag)
    np.testing.assert_array_equal(first.layer, again.layer)
    assert not np.array_equal(first.bag, train_groups(TITLES, replace(short, seed=9)).weights.bag)


def test_what_is_trained_on() -> None:
    """Forms are folded, each once for the same groups, in any language; pieces of sentences are no titles."""
    rows = [
        (("5120",), "Cook"),
        (("5120",), "COOK"),
        (("7512", "5120"), "cook"),
        (("7512",), "Bäcker/Bäckerin"),
        (("1120",), "!"),
        ((), "none"),
    ]
    titles = group_titles(rows, ["Cook!", "Cook!", "", "An apple"])
    assert titles[:5] == [
        GroupTitle("cook", (5120,)),
        GroupTitle("cook", (5120, 7512)),
        GroupTitle("backer", (7512,)),
        GroupTitle("backerin", (7512,)),
        GroupTitle("backer backerin", (7512,)),
    ]
    pieces = {row.text for row in titles[5:]}  # one of each length; 'cook' is a title
    assert pieces in ({"an apple", "an"}, {"an apple", "apple"})
    assert not any(row.units for row in titles[5:])
