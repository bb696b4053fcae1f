"""Large parametrisations of which `make test` and `make test-all` run a sample, and `make test-long` the rest."""

from collections.abc import Mapping
from typing import Any

import pytest


def sampled(cases: Mapping[str, Any], every: int) -> list[Any]:
    """Return the cases as parameters by their names, all but the first of *every* few marked as long."""
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            id=name,
            marks=[pytest.mark.long] * bool(number % every),
        )
        for number, (name, case) in enumerate(cases.items())
    ]
