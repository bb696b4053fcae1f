"""Nearest titles and occupations, by hand and against a naive loop.

The names of a taxonomy as titles.
"""

from collections.abc import Sequence

import numpy as np
import pytest

from jobmatch_core.descriptions.nearest import TitleSpace, open_title_space
from jobmatch_core.entities import FloatArray
from jobmatch_core.vectors import normalised
from tests.core.descriptions.made_postings import WordEncoder
from tests.made_taxonomy import skilled_taxonomy

DEGREES = {"cook": 0, "chef": 10, "Cook": 4, "nurse": 90, "medic": 100}
URIS = ["a", "a", "b", "c", "c"]


class Angles:
    """Titles at angles of a circle."""

    name = "angles"

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return unit vectors."""
        return at(*(DEGREES[text] for text in texts))


def at(*degrees: float) -> FloatArray:
    """Return unit vectors at angles."""
    radians = np.deg2rad(np.array(degrees, dtype=np.float32)).reshape(-1)
    return np.stack([np.cos(radians), np.sin(radians)], axis=1)


SPACE = TitleSpace(Angles(), list(DEGREES), URIS)


def test_titles_by_hand() -> None:
    """'Cook' and 'cook' are one title, at the nearer position."""
    found = SPACE.titles(at(3)[0], top=3)
    assert [(each.text, each.uri) for each in found] == [("Cook", "b"), ("chef", "a"), ("nurse", "c")]
    assert found[0].likeness == pytest.approx(np.cos(np.deg2rad(1)), abs=1e-5)


def test_occupations_lie_at_the_mean_of_their_titles() -> None:
    """Means at 5 degrees, 4 and 95; each occupation has the name of its first title."""
    found = SPACE.occupations(at(80)[0], top=2)
    assert [(each.text, each.uri) for each in found] == [("nurse", "c"), ("cook", "a")]
    assert found[0].likeness == pytest.approx(np.cos(np.deg2rad(15)), abs=1e-5)
    assert len(SPACE.occupations(at(0)[0], top=9)) == 3


def test_changed_equals_a_naive_loop() -> None:
    """The number of nearest occupations that differ."""
    random = np.random.default_rng(1)
    titles = [f"{number}" for number in range(40)]
    vectors = normalised(random.normal(size=(40, 6)).astype(np.float32))

    class Table:
        name = "table"

        def encode(self, texts: Sequence[str]) -> FloatArray:
            return vectors[[int(text) for text in texts]]

    space = TitleSpace(Table(), titles, titles)
    own, others = vectors[0], normalised(random.normal(size=(9, 6)).astype(np.float32))
    first = {each.uri for each in space.occupations(own, 5)}
    expected = [len({each.uri for each in space.occupations(other, 5)} - first) for other in others]
    assert space.changed(own, others, 5).tolist() == expected
    assert any(expected)


def test_what_is_refused() -> None:
    """No titles, or a different number of URIs."""
    for titles, uris in (([], []), (["cook"], [])):
        with pytest.raises(ValueError, match="as many titles"):
            TitleSpace(Angles(), titles, uris)


def test_names_in_one_language() -> None:
    """Preferred names represent their occupation; English replaces a missing language."""
    encoder = WordEncoder(64)
    space = open_title_space(skilled_taxonomy(), encoder, "de")
    [near, *_] = space.titles(encoder.encode(["Kartograf"])[0])
    assert (near.text, near.uri) == ("Kartograf", "http://jobs/2165")
    [occupation, *_] = space.occupations(encoder.encode(["Kartograf"])[0])
    assert occupation.text == "Vermesser"
    missing = open_title_space(skilled_taxonomy(), encoder, "fi")
    assert missing.titles(encoder.encode(["surveyor"])[0])[0].text == "surveyor"


def test_how_far_it_is() -> None:
    """Progress is reported to the end."""
    encoder, seen = WordEncoder(64), []
    open_title_space(skilled_taxonomy(), encoder, progress=lambda *step: seen.append(step))
    assert seen == [(0, encoder.encoded), (encoder.encoded, encoder.encoded)]
