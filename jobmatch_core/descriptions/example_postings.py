"""The example postings that come with jobmatch: twelve in six languages, synthetic (`example_postings.toml`)."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from jobmatch_core.descriptions.postings import Posting


@dataclass(frozen=True, slots=True)
class ExamplePosting:
    """A posting and its language."""

    posting: Posting
    language: str


@cache
def example_postings() -> tuple[ExamplePosting, ...]:
    """Return the postings, in the order of display."""
    text = (files("jobmatch_core.descriptions") / "example_postings.toml").read_text("utf-8")
    return tuple(
        ExamplePosting(Posting(each["id"], each["title"], each["description"].strip()), each["language"])
        for each in tomllib.loads(text)["posting"]
    )
