"""Large parametrisations of which `make test` runs a sample, and `make test-all` everything."""

from collections.abc import Mapping
from typing import Any

import pytest


def sampled(cases: Mapping[str, Any], every: int) -> list[Any]:
    """Return the cases as parameters by their names, all but the first of *every* few marked as thorough."""
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            id=name,
            marks=[pytest.mark.thorough] * bool(number % every),
        )
        for number, (name, case) in enumerate(cases.items())
    ]
