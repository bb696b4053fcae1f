"""Codes at a target precision: shares by hand."""

from dataclasses import replace
from typing import Any

import pytest

from jobmatch_core.benchmarks.production.coded_titles import CodedTitles
from jobmatch_core.benchmarks.production.partial_codes import codes_at_precision
from jobmatch_core.entities import GroupOffer
from tests.core.linking.made_results import LINKED, UNSURE


class MadeLinker:
    """Answers by title."""

    calibration: Any = type("Calibration", (), {"precision": 0.95})()

    def link_all(self, titles: list[str], **_options: object) -> list[Any]:
        """Return a link to 5120, a partial code 51, or nothing."""
        partly = replace(UNSURE, coded=GroupOffer("51", "", 0.96))
        return [{"cook": LINKED, "kitchen": partly, "chef": LINKED}.get(title, UNSURE) for title in titles]


def test_by_hand() -> None:
    """Two of four titles at the unit groups, one of them right; one at two digits, right, also against 512."""
    coded = CodedTitles(["cook", "chef", "kitchen", "?"], [("5120",), ("3434",), ("512",), ("5120",)], [], [], 0)
    codes = codes_at_precision(MadeLinker(), coded)  # type: ignore[arg-type]
    unit, minor, sub_major, major = codes.levels
    assert (codes.precision, codes.titles) == (0.95, 4)
    assert (unit.digits, unit.coded, unit.share, unit.right) == (4, 2, 0.5, 0.5)
    assert (minor.coded, minor.right, major.coded) == (0, None, 0)
    assert (sub_major.digits, sub_major.share, sub_major.right) == (2, 0.25, 1.0)
    assert (codes.total.coded, codes.total.right) == (3, pytest.approx(2 / 3))
