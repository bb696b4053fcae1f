"""Whose pairs are whose: as many people a pair as asked for, in proportion to their shares, whoever else there is."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.labelling.hash_sampling import code_of
from jobmatch_core.labelling.own_share import is_own
from jobmatch_core.quotas import NO_QUOTAS, Quotas

CODES = np.array([code_of(str(number)) for number in range(10_000)], dtype=np.uint64)


@st.composite
def any_quotas(draw: st.DrawFn) -> Quotas:
    """Draw quotas of up to six people that share the whole."""
    judgments = draw(st.integers(1, 3))
    weights = draw(st.lists(st.integers(1, 9), min_size=judgments, max_size=6))
    while max(weights) * judgments > sum(weights):  # nobody judges a pair twice
        weights[weights.index(max(weights))] -= 1
    return Quotas(judgments, tuple((f"person {n}", w / sum(weights)) for n, w in enumerate(weights)))


@given(any_quotas(), st.integers(50, 400))
def test_each_pair_has_as_many_people_as_asked_for(quotas: Quotas, n_pairs: int) -> None:
    """And each person exactly the share of all that was wished, to less than a judgment."""
    own = np.array([is_own(CODES[:n_pairs], quotas, name) for name, _ in quotas.shares])
    assert set(own.sum(axis=0).tolist()) == {quotas.judgments}
    for pairs, (_, share) in zip(own, quotas.shares, strict=True):
        assert abs(pairs.sum() - share * quotas.judgments * n_pairs) < 1


def test_what_nobody_has_a_share_of_is_anybodys() -> None:
    """A half of ann's, so of two judgments she has one, of each pair, anybody the other; without shares all."""
    quotas = Quotas(2, (("ann", 0.5),))
    assert is_own(CODES, quotas, "ann").all()
    assert is_own(CODES, quotas, "bob").all()
    assert not is_own(CODES, Quotas(1, (("ann", 1.0),)), "bob").any()
    assert is_own(CODES, NO_QUOTAS, "ann").all()


def test_everybody_meets_everybody() -> None:
    """Else the agreement of some two could never be measured; each two of five share about a tenth of all pairs."""
    quotas = Quotas(2, tuple((name, 0.2) for name in "abcde"))
    own = np.array([is_own(CODES, quotas, name) for name in "abcde"], dtype=np.int64)
    shared = (own @ own.T)[np.triu_indices(5, 1)]
    assert 800 < shared.min() <= shared.max() < 1200


def test_a_pair_stays_with_its_people() -> None:
    """In whatever order pairs and shares were given; where there are more pairs, nearly all stay with them."""
    quotas = Quotas(2, (("ann", 0.4), ("bob", 0.35), ("eva", 0.25)))
    turned = Quotas(2, quotas.shares[::-1])
    assert is_own(CODES[::-1], turned, "bob").tolist() == is_own(CODES, quotas, "bob")[::-1].tolist()
    assert (is_own(CODES[:5000], quotas, "bob") == is_own(CODES, quotas, "bob")[:5000]).mean() > 0.95
    assert is_own(CODES[:0], quotas, "bob").tolist() == []
