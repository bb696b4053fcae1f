"""Digits of codes: the odds by hand, lists that follow ISCO-08, and lists that do not."""

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.crosswalks.code_digits import CodeDigits, leading_digits, shared_digits
from jobmatch_core.taxonomy import Taxonomy

# 100 occupations: 10 of 2511, 10 of 2512, 20 of 2411, 60 of 7112
GROUPS = ["2511"] * 10 + ["2512"] * 10 + ["2411"] * 20 + ["7112"] * 60
TAXONOMY = cast(Taxonomy, SimpleNamespace(isco_codes=GROUPS, occupation_numbers=np.arange(100)))
ICT, SALES, BRICKS = 0, 25, 50  # concepts


@pytest.mark.parametrize(
    ("code", "digits"), [("2511.03", "2511"), ("25-11", "2511"), ("B 11113-101", "1111"), ("B", ""), ("٢٥", "")]
)
def test_leading_digits(code: str, digits: str) -> None:
    """Whatever stands between them; those of other scripts are none of ISCO's."""
    assert leading_digits(code) == digits


@pytest.mark.parametrize(("code", "group", "shared"), [("2511", "2511", 4), ("25", "2511", 2), ("3511", "2511", 0)])
def test_shared_digits(code: str, group: str, shared: int) -> None:
    """From the left, until one differs."""
    assert shared_digits(code, group) == shared


def test_odds_by_hand() -> None:
    """Six of eight sure pairs share four digits, where chance has a tenth: (6 / 0.1 + 10) / (8 + 10)."""
    sure = [("2511.1", ICT)] * 6 + [("2411", BRICKS)] * 2
    odds = CodeDigits(TAXONOMY, sure).odds("2511.9", ["2511", "2512", "2411", "7112"])
    assert odds == pytest.approx([70 / 18, 10 / 18, 10 / 18, (2 / 0.6 + 10) / 18])


def test_occupations_without_a_code_share_nothing() -> None:
    """Of 100 occupations, ten have a code: the odds are those of ten among a hundred, as above."""
    some: Any = SimpleNamespace(isco_codes=["2511"] * 10 + [""] * 90, occupation_numbers=np.arange(100))
    sure = [("2511.1", 0)] * 6 + [("2411", 50)] * 2
    assert CodeDigits(some, sure).odds("2511.9", ["2511"]) == pytest.approx([70 / 18])


def test_a_short_code_shares_as_much_as_it_has() -> None:
    """Pairs that share more count with those that share all digits of it: 20 of 100 occupations begin with 25."""
    odds = CodeDigits(TAXONOMY, [("2511.1", ICT)] * 8).odds("25", ["2511", "2512", "7112"])
    assert odds == pytest.approx([(8 / 0.2 + 10) / 18] * 2 + [10 / 18])


@given(code=st.text(max_size=8), groups=st.lists(st.sampled_from(GROUPS), max_size=5))
def test_without_sure_pairs_digits_say_nothing(code: str, groups: list[str]) -> None:
    """All odds are 1."""
    assert CodeDigits(TAXONOMY, []).odds(code, groups).tolist() == [1.0] * len(groups)


def test_a_taxonomy_without_codes_of_isco() -> None:
    """Everything shares nothing."""
    plain: Any = SimpleNamespace(isco_codes=["", ""], occupation_numbers=np.arange(2))
    assert CodeDigits(plain, [("2511", 0)]).odds("2511", ["", ""]) == pytest.approx([1, 1])
