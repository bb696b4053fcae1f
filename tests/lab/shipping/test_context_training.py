"""Training of the model of titles in context, in miniature."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.linking.context_model import ContextModel
from lab.shipping.context_training import CONTEXT_RECIPE, ContextExample, train_context

RECIPE = replace(CONTEXT_RECIPE, dimension=16, most_features=400, least_texts=1, epochs=20, batch_size=8)
EXAMPLES = [
    ContextExample("drawer", ("metal wire",), frozenset({7321})),
    ContextExample("drawer", ("textile mill",), frozenset({8151})),
    ContextExample("driver", ("bus company",), frozenset({8331})),
    ContextExample("driver", ("haulage",), frozenset({8332})),
    ContextExample("nurse", (), frozenset({2221, 3221})),
] * 8


def test_what_stands_beside_a_title_decides(tmp_path: Path) -> None:
    """Of a title of two unit groups, also after the model was written and read; of words never seen none is known."""
    path = tmp_path / "context.safetensors"
    train_context(EXAMPLES, RECIPE).save(path)
    model = ContextModel.load(path)

    pairs = [("drawer", ["metal", "wire"]), ("drawer", ["textile", "mill"]), ("driver", ["haulage"])]

    logs = model.log_probabilities(pairs)
    assert model.codes[logs.argmax(axis=1)].tolist() == [7321, 8151, 8332]
    assert np.exp(logs).sum(axis=1) == pytest.approx(1)
    assert model.known_words("Metal and zyxqo") == ["metal"]
    assert (model.known_share("drawer"), model.known_share("zyxqo")) == (1.0, 0.0)


def test_either_of_two_groups_is_right() -> None:
    """A title that may mean both gives all of its probability to them."""
    logs = ContextModel(train_context(EXAMPLES, RECIPE)).log_probabilities([("nurse", [])])
    probabilities = dict(zip(sorted({7321, 8151, 8331, 8332, 2221, 3221}), np.exp(logs[0]).tolist(), strict=True))
    assert probabilities[2221] + probabilities[3221] > 0.9
