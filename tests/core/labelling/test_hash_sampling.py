"""Random numbers that belong to texts."""

import numpy as np

from jobmatch_core.labelling.hash_sampling import code_of, draws, share_of, shares


def test_they_stay_the_same_for_ever() -> None:
    """Else queues would change, and what was tested on would be trained on; these were noted down."""
    assert code_of("a", "b") == 15624582798303165707
    assert draws(np.array([1], dtype=np.uint64), 0).tolist() == [3940787885362642990]


def test_texts_parted_otherwise() -> None:
    """Have other numbers."""
    assert len({code_of("a", "b"), code_of("ab", ""), code_of("b", "a"), code_of("a,b"), code_of('a", "b')}) == 5
    assert 0 <= share_of("\ud800") < 1


def test_they_are_spread_evenly() -> None:
    """Deciles of 10,000 draws have about 1,000 each, for every seed; and seeds do not agree with each other."""
    codes = np.array([code_of(str(number)) for number in range(10_000)], dtype=np.uint64)
    for seed in range(3):
        counts, _ = np.histogram(shares(codes, seed), bins=10, range=(0, 1))
        assert 880 < counts.min() <= counts.max() < 1120
        assert len(set(draws(codes, seed).tolist())) == 10_000
    assert abs(np.corrcoef(shares(codes, 0), shares(codes, 1))[0, 1]) < 0.04
