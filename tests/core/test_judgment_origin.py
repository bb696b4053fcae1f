"""Origins of judgments: looked at, or accepted in bulk."""

from jobmatch_core.judgment_origin import Origin, origin_words, unrecorded_origin


def test_earlier_judgments() -> None:
    """The policy of the buttons for many titles determines the origin."""
    assert unrecorded_origin("link-titles-accept-many") is Origin.BULK
    assert unrecorded_origin("link-titles-selection") is Origin.BULK
    assert {unrecorded_origin(policy) for policy in ("link-titles-list", "random", "api", "")} == {Origin.LOOKED_AT}


def test_both_numbers_are_said() -> None:
    """Both numbers are stated, even if one is 0."""
    assert origin_words({Origin.LOOKED_AT: 33, Origin.BULK: 86}) == "33 looked at, 86 accepted in bulk"
    assert origin_words({Origin.BULK: 1200}) == "0 looked at, 1,200 accepted in bulk"
