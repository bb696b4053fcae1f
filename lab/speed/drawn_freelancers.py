"""Freelancers and queries of a size that no marketplace at hand has.

Any number of freelancers is drawn around those of a demo marketplace: the same profiles and payloads with other ids,
and vectors that lie near theirs, so that a million take no encoding.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import numpy as np

from jobmatch_core.entities import FloatArray, Freelancer, Project
from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_marketplace
from jobmatch_core.retrieval.finder import MatchModel, Profiles
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.vector_stores.exact_store import ExactStore
from jobmatch_core.vector_stores.vector_store import Filters, Payload, VectorStore
from jobmatch_core.vectors import normalised

_REAL = 5000  # freelancers of the marketplace
_SPREAD = 0.5  # length of what is added to a vector of length one: the cosine of both is 0.89
_DRAWN_AT_ONCE = 20_000
_HIGHEST_RATE = 600.0
_DEMO_SEED = 5


@dataclass(frozen=True, slots=True)
class Freelancers:
    """Some freelancers and their vectors, (freelancer, dimension)."""

    profiles: Sequence[Freelancer]
    vectors: FloatArray

    def payloads(self) -> list[Payload]:
        """Return what is filtered on."""
        return [Payload.of(profile) for profile in self.profiles]

    def put_into(self, store: VectorStore) -> None:
        """Store them."""
        store.upsert([profile.id for profile in self.profiles], self.vectors, self.payloads())


def real_freelancers(count: int, model: MatchModel) -> Freelancers:
    """Return up to five thousand freelancers of a demo marketplace, encoded by a model."""
    spec = DemoSpec(projects=1, freelancers=min(count, _REAL), seed=_DEMO_SEED)
    profiles = demo_marketplace(TaxonomyStore.open().load(), spec).freelancers
    return Freelancers(profiles, model.encode_freelancers(profiles))


def drawn_freelancers(real: Freelancers, count: int) -> Iterator[Freelancers]:
    """Yield *count* synthetic freelancers in blocks, reproducibly."""
    generator = np.random.default_rng(_DEMO_SEED)
    for start in range(0, count, _DRAWN_AT_ONCE):
        numbers = range(start, min(start + _DRAWN_AT_ONCE, count))
        rows = [number % len(real.profiles) for number in numbers]
        noise = generator.standard_normal((len(rows), real.vectors.shape[1]), dtype=np.float32)
        profiles = [replace(real.profiles[row], id=f"{number:08}") for number, row in zip(numbers, rows, strict=True)]
        yield Freelancers(profiles, normalised(real.vectors[rows] + _SPREAD * normalised(noise)))


def store_drawn_freelancers(folder: Path, real: Freelancers, count: int) -> None:
    """Write freelancers into a folder, as `Profiles` and, in `store`, as `ExactStore`."""
    store = ExactStore.create(folder / "store", real.vectors.shape[1])

    def stored() -> Iterator[Sequence[Freelancer]]:
        for block in drawn_freelancers(real, count):
            block.put_into(store)
            yield block.profiles

    Profiles.write(folder, chain.from_iterable(stored()))


@dataclass(frozen=True, slots=True)
class Query:
    """A project, and two filters on who may answer it: its language or English, and a highest day rate."""

    project: Project
    filters: Filters


def drawn_queries(count: int) -> list[Query]:
    """Return projects of the same marketplace, which do not depend on the number of freelancers."""
    spec = DemoSpec(projects=count, freelancers=1, seed=_DEMO_SEED)
    projects = demo_marketplace(TaxonomyStore.open().load(), spec).projects
    return [
        Query(project, Filters(languages=(project.language, "en"), max_day_rate=_HIGHEST_RATE)) for project in projects
    ]
