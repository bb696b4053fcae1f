"""Answers checked against the protocol's schemas."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

SCHEMAS = Path(__file__).parents[3] / "data" / "reconciliation"


@cache
def _validator(name: str) -> Draft202012Validator:
    schema = json.loads((SCHEMAS / f"{name}.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def valid(response: Any, name: str) -> Any:
    """Return the content of an answer that a schema of `tests/data/reconciliation` allows."""
    assert response.status_code == 200, response.text
    content = response.json()
    _validator(name).validate(content)
    return content
