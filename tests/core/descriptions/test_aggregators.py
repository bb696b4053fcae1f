"""The variants: which texts each reads."""

import pytest

from jobmatch_core.descriptions.aggregators import VARIANTS, PostingReading, Variant
from jobmatch_core.descriptions.postings import Posting

POSTING = Posting("1", "Baker", "Tasks:\n- Bake bread.\n-----\nWe pay well. Apply!", ("baking", "cleaning"))


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ("sentences", ("Tasks:", "Bake bread.", "We pay well.", "Apply!")),
        ("document", (POSTING.description,)),
        ("skills", ("baking", "cleaning")),
        ("skill-list", ("baking, cleaning",)),
    ],
)
def test_texts(parts: str, expected: tuple[str, ...]) -> None:
    """A posting without content has no texts."""
    assert PostingReading(parts).texts(POSTING) == expected  # type: ignore[arg-type]
    assert PostingReading(parts).texts(Posting("2", "Baker", " \n")) == ()  # type: ignore[arg-type]


def test_no_more_than_the_most() -> None:
    """The first ones are read; the separator may be a token of the backbone's."""
    assert PostingReading("sentences", most=2).texts(POSTING) == ("Tasks:", "Bake bread.")
    assert PostingReading("skill-list", separator=" [SEP] ").texts(POSTING) == ("baking [SEP] cleaning",)
    assert PostingReading("skill-list", most=1).texts(POSTING) == ("baking",)


def test_variants_of_the_tables() -> None:
    """Tables 1, 5 and 8; only JDAN has a network."""
    assert len(set(VARIANTS.values())) == len(VARIANTS) == 9
    assert [name for name, variant in VARIANTS.items() if variant.summary == "network"] == ["jdan"]
    assert [name for name, variant in VARIANTS.items() if variant.objective != "contrastive"] == [
        "jobbert",
        "doc2vec-skill",
    ]
    assert VARIANTS["skill-concat"] == Variant("skill-list", "mean")
