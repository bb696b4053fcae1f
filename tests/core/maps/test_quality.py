"""Quality figures against loops, scikit-learn, and cases by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.manifold import trustworthiness
from sklearn.metrics import silhouette_samples

from jobmatch_core.entities import FloatArray
from jobmatch_core.errors import MapError
from jobmatch_core.maps.quality import Mixing, map_quality
from tests.core.maps.conftest import made_vectors
from tests.core.maps.test_neighbours import naive


def plane(count: int, seed: int = 1) -> FloatArray:
    """Return random positions."""
    return np.random.default_rng(seed).normal(size=(count, 2)).astype(np.float32)


def naive_trust(space: FloatArray, shown: FloatArray, k: int) -> float:
    """Venna & Kaski (2001), equation 1."""
    count, off = len(space), 0
    for row in range(count):
        ordered = naive(space, row, count)
        intruders = set(naive(shown, row, k)) - set(ordered[:k])
        off += sum(ordered.index(other) + 1 - k for other in intruders)
    return 1 - 2 / (count * k * (2 * count - 3 * k - 1)) * off


@settings(max_examples=10)
@given(st.integers(8, 14), st.integers(1, 3), st.integers(0, 100))
def test_trustworthiness_continuity_and_overlap(count: int, k: int, seed: int) -> None:
    """Continuity is trustworthiness with map and space exchanged."""
    space, shown = made_vectors(count, seed=seed), plane(count, seed)
    quality = map_quality(space, shown, neighbours=k)
    assert quality.trustworthiness == pytest.approx(naive_trust(space, shown, k))
    assert quality.continuity == pytest.approx(naive_trust(shown, space, k))
    kept = [len(set(naive(space, row, k)) & set(naive(shown, row, k))) for row in range(count)]
    assert quality.overlap == pytest.approx(np.mean(kept) / k)


def test_as_scikit_learn_has_it() -> None:
    """Trustworthiness equals scikit-learn's."""
    space, shown = made_vectors(120), plane(120)
    assert map_quality(space, shown, neighbours=7).trustworthiness == pytest.approx(
        trustworthiness(space, shown, n_neighbors=7), abs=1e-6
    )


def test_a_map_of_itself_is_perfect() -> None:
    """All figures of a space as its own map are 1."""
    points = plane(30)
    quality = map_quality(points, points * 3, neighbours=5)
    assert (quality.trustworthiness, quality.continuity, quality.overlap) == (1, 1, 1)


def test_silhouettes_as_scikit_learn_has_them() -> None:
    """A group of one counts 0; points without a group are ignored."""
    space, shown = made_vectors(40), plane(40)
    groups = ["", *(["a", "b", "c"] * 13)[:38], "alone"]
    quality = map_quality(space, shown, groups=groups, neighbours=3)
    known = [row for row, group in enumerate(groups) if group]
    for points, found in ((shown, quality.silhouette), (space, quality.space_silhouette)):
        expected = silhouette_samples(points[known], [groups[row] for row in known])
        assert found == pytest.approx(expected.mean(), abs=1e-5)
    expected = silhouette_samples(shown[known], [groups[row] for row in known])
    of_a = [value for value, row in zip(expected, known, strict=True) if groups[row] == "a"]
    assert dict(quality.by_group)["a"] == pytest.approx(np.mean(of_a), abs=1e-5)
    assert dict(quality.by_group)["alone"] == 0


def test_one_group_has_no_silhouette() -> None:
    """A single group has no silhouette, a single language no mixing."""
    space, shown = made_vectors(10), plane(10)
    assert map_quality(space, shown, groups=["a"] * 10, languages=["en"] * 10).silhouette is None
    assert map_quality(space, shown).mixing is None


def mixing_of(vectors: np.ndarray, languages: list[str], *, neighbours: int) -> Mixing:
    """Return the language mixing of a space."""
    found = map_quality(vectors, vectors[:, :2], languages=languages, neighbours=neighbours).space_mixing
    assert found is not None
    return found


def test_language_mixing_by_a_loop() -> None:
    """The share of neighbours in another language, and the share expected by chance."""
    space = made_vectors(30)
    languages = [("en", "de", "fr")[row % 3] if row > 5 else "en" for row in range(30)]
    mixing = mixing_of(space, languages, neighbours=4)
    shares = [np.mean([languages[other] != languages[row] for other in naive(space, row, 4)]) for row in range(30)]
    chances = [sum(each != languages[row] for each in languages) / 29 for row in range(30)]
    assert mixing.share == pytest.approx(np.mean(shares))
    assert mixing.chance == pytest.approx(np.mean(chances))
    assert mixing.ratio == pytest.approx(np.mean(shares) / np.mean(chances))


def test_languages_apart_do_not_mix() -> None:
    """Separate clusters have a share of 0, isolated bilingual pairs a share of 1."""
    heaps = np.concatenate([plane(10), plane(10) + 100])
    assert mixing_of(heaps, ["en"] * 10 + ["de"] * 10, neighbours=5).ratio == 0
    pairs = np.array([[float(10 * pair), side * 0.1] for pair in range(6) for side in (0, 1)], dtype=np.float32)
    assert mixing_of(pairs, ["en", "de"] * 6, neighbours=1).share == 1


def test_a_sample_tells_about_the_whole() -> None:
    """Figures of a sample are close to those of all points, and progress ends at the total."""
    told: list[tuple[int, int]] = []
    space, shown = made_vectors(600), plane(600)
    whole = map_quality(space, shown)
    some = map_quality(space, shown, measured=200, progress=lambda done, total: told.append((done, total)))
    assert (some.points, some.measured) == (600, 200)
    assert some.trustworthiness == pytest.approx(whole.trustworthiness, abs=0.03)
    assert told[-1] == (200, 200)


def test_too_few_points() -> None:
    """The message says how many are needed."""
    with pytest.raises(MapError, match="at least 4"):
        map_quality(made_vectors(3), plane(3))
