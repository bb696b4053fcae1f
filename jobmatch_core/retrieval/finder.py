"""Search for a project's nearest freelancers that pass hard filters (Jouanneau et al. 2024, section 6.1).

Profiles are stored in a memory-mapped Arrow file with an index by id, for random access in milliseconds, and with
digests to detect changes:

    profiles.arrow   the records, in the marketplace's order
    ids.npy          their ids (UTF-8), sorted
    rows.npy         the row of each of these ids
    digests.npy      the digest of each of these ids' records
    terms/           see `ranking/profile_terms.py`; rows in the marketplace's order
"""

import hashlib
import logging
import mmap
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import accumulate, islice
from pathlib import Path
from typing import Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray, Freelancer, Project
from jobmatch_core.errors import MatchingError
from jobmatch_core.marketplace.stored_records import FREELANCERS
from jobmatch_core.ranking.features import POOL, Pool, missing_must_haves
from jobmatch_core.ranking.profile_terms import ProfileTerms
from jobmatch_core.ranking.ranker import Fit, Ranker
from jobmatch_core.retrieval.matches import (
    MUST_HAVES_FIRST,
    Arrangement,
    Contributions,
    Match,
    MatchOrder,
    arranged,
    compared_skills,
)
from jobmatch_core.towers.documents import SECTIONS, Document, Kind, freelancer_document, project_document
from jobmatch_core.vector_stores.stored_segment import Ids, mapped
from jobmatch_core.vector_stores.vector_store import NO_FILTERS, Filters, VectorHit, VectorStore

_BLOCK = 2048  # records in a block of the file
Ranked = tuple[VectorHit, Fit | None]
_log = logging.getLogger(__name__)


class Profiles:
    """Freelancers by id; thread-safe."""

    def __init__(self, folder: Path) -> None:
        """Open the files that `write` wrote, memory-mapped; raises MatchingError if a file is missing or damaged."""
        try:
            with (folder / "profiles.arrow").open("rb") as file:
                self._file = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            reader = pa.ipc.open_file(pa.BufferReader(pa.py_buffer(self._file)))
            self._blocks = [reader.get_batch(number) for number in range(reader.num_record_batches)]
            self.ids: Ids = mapped(folder / "ids.npy")
            self._rows: NDArray[np.int64] = mapped(folder / "rows.npy")
            self.digests: NDArray[np.uint64] = mapped(folder / "digests.npy")
            self.terms = ProfileTerms.load(folder / "terms")
        except (OSError, ValueError, EOFError, pa.ArrowException) as error:
            raise MatchingError(f"The profiles in {folder} are damaged ({error}); delete that folder.") from error
        self._starts = [0, *accumulate(len(block) for block in self._blocks)]
        if not len(self.ids) == len(self._rows) == len(self.digests) == len(self.terms) == self._starts[-1]:
            raise MatchingError(f"The profiles in {folder} are damaged; delete that folder.")

    @classmethod
    def write(cls, folder: Path, freelancers: Iterable[Freelancer]) -> None:
        """Write freelancers into a folder one by one.

        Raises MatchingError if two have the same id, or one has none or a NUL in it.
        """
        ids: list[bytes] = []
        digests: list[int] = []
        stream = iter(freelancers)
        # arrow does not close a file of its own where the disk is full
        with (folder / "profiles.arrow").open("wb") as file, pa.ipc.new_file(file, FREELANCERS.schema) as writer:

            def written() -> Iterator[Freelancer]:
                while block := list(islice(stream, _BLOCK)):
                    writer.write_table(FREELANCERS.to_table(block))
                    ids.extend(freelancer.id.encode("utf-8", "surrogatepass") for freelancer in block)
                    digests.extend(map(_digest, block))
                    yield from block

            ProfileTerms.of(written()).save(folder / "terms")
        names = np.array(ids, dtype=np.bytes_)
        order = np.argsort(names, kind="stable")
        _check_ids(ids, names[order])
        np.save(folder / "ids.npy", names[order])
        np.save(folder / "rows.npy", order.astype(np.int64))
        np.save(folder / "digests.npy", np.array(digests, dtype=np.uint64)[order])

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[Freelancer]:
        """Yield all in the marketplace's order, with one block in memory at a time."""
        for block in self._blocks:
            yield from FREELANCERS.from_table(pa.Table.from_batches([block]))

    def unchanged_since(self, older: "Profiles") -> NDArray[np.bool_]:
        """Return for each of the sorted ids whether *older* has the same record."""
        if not len(older):
            return np.zeros(len(self), dtype=bool)
        places = np.minimum(np.searchsorted(older.ids, self.ids), len(older) - 1)
        same: NDArray[np.bool_] = (older.ids[places] == self.ids) & (older.digests[places] == self.digests)
        return same

    def rows_of(self, ids: Sequence[str]) -> NDArray[np.int64]:
        """Return the row of each id in the marketplace's order; -1 for an unknown one."""
        if not ids or not len(self):
            return np.full(len(ids), -1)
        wanted = np.array([id_.encode("utf-8", "surrogatepass") for id_ in ids], dtype=np.bytes_)
        places = np.minimum(np.searchsorted(self.ids, wanted), len(self) - 1)
        return np.where(self.ids[places] == wanted, self._rows[places], -1)

    def by_id(self, ids: Sequence[str]) -> dict[str, Freelancer]:
        """Return the stored freelancers among some ids."""
        rows = self.rows_of(ids)
        if not (rows >= 0).any():
            return {}
        stored_rows = rows[rows >= 0].tolist()
        records = [block.slice(row - start, 1) for row in stored_rows for start, block in [self._block_of(row)]]
        freelancers = FREELANCERS.from_table(pa.Table.from_batches(records, FREELANCERS.schema))
        if hasattr(mmap, "MADV_DONTNEED"):  # else the whole file would stay in memory
            self._file.madvise(mmap.MADV_DONTNEED)
        return {freelancer.id: freelancer for freelancer in freelancers}

    def _block_of(self, row: int) -> tuple[int, pa.RecordBatch]:
        number = bisect_right(self._starts, row) - 1
        return self._starts[number], self._blocks[number]


def _digest(freelancer: Freelancer) -> int:
    return int.from_bytes(hashlib.blake2b(repr(freelancer).encode("utf-8", "surrogatepass"), digest_size=8).digest())


def _check_ids(ids: Sequence[bytes], ordered: Ids) -> None:
    if any(not id_ or b"\0" in id_ for id_ in ids):
        raise MatchingError("A freelancer's id is empty or contains a NUL character; give each freelancer a valid id.")
    twice = ordered[1:][ordered[1:] == ordered[:-1]]
    if len(twice):
        raise MatchingError(f"Two freelancers have the id {twice[0].decode('utf-8', 'replace')!r}; give each its own.")


@dataclass(frozen=True, slots=True)
class Loosening:
    """Filters to remove."""

    taken_out: tuple[str, ...]  # fields of `Filters` to remove
    count: int  # number of freelancers that pass the remaining filters


def filters_set(filters: Filters) -> tuple[str, ...]:
    """Return the fields of the filters that are set."""
    names = (field.name for field in fields(Filters))
    return tuple(name for name in names if getattr(filters, name) != getattr(NO_FILTERS, name))


def without(filters: Filters, names: Collection[str]) -> Filters:
    """Return filters without some fields."""
    return replace(filters, **{name: getattr(NO_FILTERS, name) for name in names})


def loosenings(store: VectorStore, filters: Filters) -> list[Loosening]:
    """Return the filters to remove so that freelancers remain, one filter at a time, most freelancers first.

    If removing one filter is not enough, the only result removes several.

    Raises MatchingError if the store cannot be reached.
    """
    names = filters_set(filters)
    single = [Loosening((name,), store.count(without(filters, [name]))) for name in names]
    sufficient = sorted((loosening for loosening in single if loosening.count), key=lambda one: -one.count)
    return sufficient or _fewest_out(store, filters, names)


def empty_alone(store: VectorStore, filters: Filters) -> list[str]:
    """Return the fields of filters that no freelancer passes even alone; raises as `loosenings`."""
    names = filters_set(filters)
    return [name for name in names if not _count_alone(store, filters, name)]


def _fewest_out(store: VectorStore, filters: Filters, names: Collection[str]) -> list[Loosening]:
    out, count = list(names), store.count()
    for name in sorted(names, key=lambda name: -_count_alone(store, filters, name)):
        left = [other for other in out if other != name]
        if passing := store.count(without(filters, left)):
            out, count = left, passing
    return [Loosening(tuple(out), count)] if out and count else []


def _count_alone(store: VectorStore, filters: Filters, name: str) -> int:
    return store.count(without(filters, [other for other in filters_set(filters) if other != name]))


class MatchModel(Protocol):
    """A model with vectors of projects and freelancers in one space, and contributions of their sections."""

    @property
    def name(self) -> str:
        """The model's name, unique to its weights."""

    def encode_projects(self, projects: Sequence[Project]) -> FloatArray:
        """Return L2-normalised row vectors, shape (len(projects), dimension)."""

    def encode_freelancers(self, freelancers: Sequence[Freelancer]) -> FloatArray:
        """Return L2-normalised row vectors, shape (len(freelancers), dimension)."""

    def section_vectors(self, documents: Sequence[Document]) -> FloatArray:
        """Return each section's contribution to its document's vector, shape (document, section, dimension)."""


class Finder:
    """Search over a marketplace's freelancers: a model's vectors find a pool, and a ranker orders it."""

    def __init__(self, model: MatchModel, store: VectorStore, profiles: Profiles, ranker: Ranker | None = None) -> None:
        """Put the parts together; without a ranker, freelancers are ordered by similarity."""
        self.model = model
        self.store = store
        self.profiles = profiles
        self.ranker = ranker

    def match(
        self,
        project: Project,
        filters: Filters = NO_FILTERS,
        limit: int = 20,
        arrangement: Arrangement = MUST_HAVES_FIRST,
        *,
        explain: bool = False,
    ) -> list[Match]:
        """Return a project's best freelancers, as `match_all` does.

        With *explain*, each section's contribution is computed, too, which takes as long as encoding those freelancers.

        Raises MatchingError if the model knows no word of the project, or the store cannot be reached.
        """
        vectors = self.model.encode_projects([project])
        if not vectors.any():
            raise MatchingError(
                f"The model {self.model.name} knows no word of this project and cannot compare it with freelancers; "
                "describe it in another language, or choose another model."
            )
        [hits] = self.store.search(vectors, filters, self._pool_size(arrangement.among(project, limit)))
        matches = self._matches(project, hits, limit, arrangement)
        if not explain:
            return matches
        reasons = self.contributions(project, [match.freelancer for match in matches])
        return [replace(match, contributions=reason) for match, reason in zip(matches, reasons, strict=True)]

    def match_all(
        self,
        projects: Sequence[Project],
        filters: Filters = NO_FILTERS,
        limit: int = 20,
        arrangement: Arrangement = MUST_HAVES_FIRST,
    ) -> list[list[Match]]:
        """Return for each project its best freelancers in an arrangement, ties by fit, similarity and id.

        A project without any word known to the model has no matches, and a warning is logged.

        Args:
            limit: maximum number of matches per project.

        Raises:
            MatchingError: the store cannot be reached.
        """
        if not projects:
            return []
        vectors = self.model.encode_projects(projects)
        most = max(arrangement.among(project, limit) for project in projects)
        answers = self.store.search(vectors, filters, self._pool_size(most))
        ranked = []
        for project, vector, hits in zip(projects, vectors, answers, strict=True):
            if not vector.any():
                _log.warning("%s knows no word of project %s, which has no matches.", self.model.name, project.id)
            ranked.append(self._matches(project, hits if vector.any() else [], limit, arrangement))
        return ranked

    def _pool_size(self, limit: int) -> int:
        return max(limit, POOL) if self.ranker else limit

    def _matches(
        self, project: Project, hits: Sequence[VectorHit], limit: int, arrangement: Arrangement
    ) -> list[Match]:
        ranked = self._ranked(project, hits, arrangement.among(project, limit))
        if (project.mandatory or arrangement.order is MatchOrder.SCORE) and len(ranked) > limit:
            ranked = self._eligible(project, ranked, arrangement, limit)
        profiles = self.profiles.by_id([hit.id for hit, _ in ranked])
        matches = (
            Match(profiles[hit.id], hit.score, rank, compared_skills(project, profiles[hit.id]), fit=fit)
            for rank, (hit, fit) in enumerate(ranked, 1)
        )
        return arranged(matches, arrangement, limit)

    def _eligible(
        self, project: Project, ranked: Sequence[Ranked], arrangement: Arrangement, limit: int
    ) -> list[Ranked]:
        """Leave out freelancers whose terms rule them out of the first *limit*: reading 1,000 profiles takes 0.1 s."""
        rows = self.profiles.rows_of([hit.id for hit, _ in ranked])
        least, most = missing_must_haves(Pool(project, self.profiles.terms.take(rows)))
        places = np.arange(len(ranked))
        if arrangement.complete and project.mandatory:
            chosen = least == 0
        elif arrangement.order is MatchOrder.SCORE:
            chosen = np.argsort([-hit.score for hit, _ in ranked], kind="stable").argsort() < limit
        else:
            latest = np.partition(most * len(ranked) + places, limit - 1)[limit - 1]
            chosen = least * len(ranked) + places <= latest
        return [ranked[place] for place in np.flatnonzero(chosen).tolist()]

    def _ranked(self, project: Project, hits: Sequence[VectorHit], limit: int) -> list[Ranked]:
        rows = self.profiles.rows_of([hit.id for hit in hits])
        is_stored = rows >= 0  # the server may have newer freelancers
        stored = [hit for hit, is_known in zip(hits, is_stored.tolist(), strict=True) if is_known]
        if self.ranker is None:
            return [(hit, None) for hit in stored[:limit]]
        pool = Pool(project, self.profiles.terms.take(rows[is_stored][:POOL]))
        best = [(stored[row], fit) for row, fit in self.ranker.best(pool, limit)]
        return [*best, *((hit, None) for hit in stored[POOL:limit])]

    def contributions(self, project: Project, freelancers: Sequence[Freelancer]) -> list[Contributions]:
        """Return what the sections of a project and of each freelancer add to their score."""
        if not freelancers:
            return []
        [wanted] = self.model.section_vectors([project_document(project)])
        offered = self.model.section_vectors([freelancer_document(freelancer) for freelancer in freelancers])
        of_project = offered.sum(axis=1) @ wanted.T  # (freelancer, section of the project)
        of_freelancer = offered @ wanted.sum(axis=0)  # (freelancer, section of the profile)
        return [
            Contributions(_by_section("project", ours), _by_section("freelancer", theirs))
            for ours, theirs in zip(of_project, of_freelancer, strict=True)
        ]


def _by_section(kind: Kind, shares: FloatArray) -> dict[str, float]:
    return dict(zip(SECTIONS[kind], shares.tolist(), strict=True))
