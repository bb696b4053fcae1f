"""The network: equal to torch's own layers, independent of padding and order, with true attention."""

import pytest
import torch
from torch import Tensor, nn

from jobmatch_core.descriptions.aggregators import NetworkConfig
from jobmatch_core.descriptions.attention import summary_rows
from jobmatch_core.descriptions.jdan_objectives import bidirectional_contrastive
from jobmatch_core.descriptions.network import AggregationNetwork, SentenceBatch, attention_of

DIMENSION = 8
LENGTHS = [3, 0, 5, 1]


def network_of(seed: int = 1, **config: object) -> AggregationNetwork:
    """Return a network in which nothing is zero any more, as after training."""
    torch.manual_seed(seed)
    network = AggregationNetwork(NetworkConfig(**({"layers": 2, "heads": 2} | config)), DIMENSION)  # type: ignore[arg-type]
    with torch.no_grad():
        for weight in network.parameters():
            weight += 0.2 * torch.randn_like(weight)
    return network.eval()


def sentences(length: int, seed: int = 1) -> Tensor:
    """Return random sentence vectors."""
    return torch.randn(length, DIMENSION, generator=torch.Generator().manual_seed(seed))


def batch_of(postings: list[Tensor], padding: int = 0) -> SentenceBatch:
    """Pad postings with numbers that must not count."""
    longest = max(map(len, postings)) + padding
    vectors = torch.full((len(postings), longest, DIMENSION), 7.0)
    mask = torch.zeros(len(postings), longest, dtype=torch.bool)
    for row, posting in enumerate(postings):
        vectors[row, : len(posting)] = posting
        mask[row, : len(posting)] = True
    return SentenceBatch(vectors, mask)


def torch_layers(network: AggregationNetwork, config: NetworkConfig) -> nn.TransformerEncoder:
    """Return torch's own transformer with the network's weights."""
    layer = nn.TransformerEncoderLayer(DIMENSION, config.heads, config.feedforward * DIMENSION, batch_first=True)
    encoder = nn.TransformerEncoder(layer, config.layers, enable_nested_tensor=False).eval()
    names = {"project_in.": "self_attn.in_proj_", "project_out": "self_attn.out_proj"}
    for theirs, ours in zip(encoder.layers, network.layers, strict=True):
        weights = ours.state_dict()
        for name, its in names.items():
            weights = {key.replace(name, its): value for key, value in weights.items()}
        theirs.load_state_dict(weights)
    return encoder


@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("layers", [1, 2, 4])
def test_equation_1_with_torchs_own_transformer(layers: int, keep: bool) -> None:
    """D = TransformerEncoder(LayerNorm([CLS; G])), then three layers with two ReLUs between."""
    network = network_of(layers=layers)
    posting = sentences(6)
    states = network.norm(torch.cat([network.cls.unsqueeze(0), posting]))
    summed = torch_layers(network, network.config)(states.unsqueeze(0))[0, 0]
    one, two, three = (each for each in network.mlp if isinstance(each, nn.Linear))
    expected = three(torch.relu(two(torch.relu(one(summed)))))
    assert torch.allclose(network(batch_of([posting]), attention=keep).vectors[0], expected, atol=1e-5)


@pytest.mark.parametrize("pooling", ["cls", "mean"])
@pytest.mark.parametrize("padding", [0, 4])
def test_a_padded_batch_equals_one_by_one(pooling: str, padding: int) -> None:
    """Vectors and attention; a posting without sentences, too."""
    network = network_of(pooling=pooling)
    postings = [sentences(length, seed) for seed, length in enumerate(LENGTHS)]
    together = network(batch_of(postings, padding), attention=True)
    for row, posting in enumerate(postings):
        alone = network(batch_of([posting]), attention=True)
        assert torch.allclose(together.vectors[row], alone.vectors[0], atol=1e-5)
        ours, theirs = attention_of(together, row, len(posting)), attention_of(alone, 0, len(posting))
        assert ours.weights == pytest.approx(theirs.weights, abs=1e-5)


@pytest.mark.parametrize("pooling", ["cls", "mean"])
def test_padding_gets_no_gradient(pooling: str) -> None:
    """Real sentences have gradients, padding has none."""
    batch = batch_of([sentences(3), sentences(5)])
    vectors = batch.vectors.clone().requires_grad_()
    network_of(pooling=pooling)(SentenceBatch(vectors, batch.mask)).vectors[:, 0].sum().backward()
    assert vectors.grad is not None
    assert torch.equal(vectors.grad.abs().sum(dim=-1) > 0, batch.mask)


def test_order_does_not_matter() -> None:
    """Sentences have no positions; attention follows their order."""
    network, posting = network_of(), sentences(5)
    order = torch.tensor([3, 1, 4, 0, 2])
    one, other = (network(batch_of([each]), attention=True) for each in (posting, posting[order]))
    assert torch.allclose(one.vectors, other.vectors, atol=1e-5)
    assert summary_rows(attention_of(other, 0, 5)) == pytest.approx(
        summary_rows(attention_of(one, 0, 5))[..., order], abs=1e-5
    )


def test_attention_is_data() -> None:
    """(layer, head, sentence + 1, sentence + 1), rows that sum to one; None unless requested."""
    aggregated = network_of()(batch_of([sentences(5), sentences(2)]), attention=True)
    attention = attention_of(aggregated, 1, 2)
    assert attention.weights.shape == (2, 2, 3, 3)
    assert attention.weights.sum(axis=-1) == pytest.approx(1, abs=1e-5)
    with pytest.raises(ValueError, match="not requested"):
        attention_of(network_of()(batch_of([sentences(5)])), 0, 5)


def test_the_summary_token_is_learned() -> None:
    """Gradients reach every weight, and a few steps bring the loss down."""
    network = network_of(dropout=0.0).train()
    postings = batch_of([sentences(4, seed) for seed in range(6)])
    titles = sentences(6, seed=9)
    optimiser = torch.optim.AdamW(network.parameters(), lr=3e-3)
    losses = []
    for _ in range(20):
        loss = bidirectional_contrastive(titles, network(postings).vectors)
        optimiser.zero_grad()
        loss.backward()
        assert all(each.grad is not None and each.grad.abs().sum() > 0 for each in network.parameters())
        optimiser.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0] / 2


def test_what_is_refused() -> None:
    """Heads that do not divide the dimension."""
    with pytest.raises(ValueError, match="3 heads cannot divide"):
        AggregationNetwork(NetworkConfig(heads=3), DIMENSION)


@pytest.mark.parametrize("layers", [1, 4])
def test_postings_are_told_apart_from_the_start(layers: int) -> None:
    """What the sentences say is not outweighed by the summary token and the biases; with torch's weights it is 0.98."""
    torch.manual_seed(1)
    network = AggregationNetwork(NetworkConfig(layers=layers), 64).eval()
    postings = [torch.randn(6, 64, generator=torch.Generator().manual_seed(seed)) for seed in range(12)]
    batch = SentenceBatch(torch.stack(postings), torch.ones(12, 6, dtype=torch.bool))
    vectors = torch.nn.functional.normalize(network(batch).vectors, dim=-1)
    assert (vectors @ vectors.T).fill_diagonal_(0).sum() / (12 * 11) < 0.93
