"""Index of items for combined word and vector search.

Four rankings are fused by reciprocal rank (Cormack, Clarke and Büttcher 2009): BM25 of the free text and of the
structured fields (`word_index`), the cosine of the query and an item's nearest text, and of its nearest shared text.
An item gets 1 / (20 + rank) from each ranking that contains it, so the scores need no common scale. Equal scores share
a rank. Hard filters exclude items before they are ranked. An encoder beside the index's own adds a ranking of each of
the items' texts for it. A person who does not meet a wish for a country or a language has half the score (`wishes`).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import Encoder, FloatArray, Freelancer, Progress, no_progress
from jobmatch_core.search.search_encoder import SearchEncoder
from jobmatch_core.search.search_items import (
    Group,
    NearText,
    OccupationCard,
    Record,
    SearchItem,
    SharedTexts,
    item_title,
)
from jobmatch_core.search.wishes import wish_factors, with_countries
from jobmatch_core.search.word_index import WordIndex
from jobmatch_core.text.folding import fold
from jobmatch_core.text.markup import plain_text
from jobmatch_core.titles.readings.glosses import glossed
from jobmatch_core.vector_stores.stored_segment import PayloadColumns, mapped
from jobmatch_core.vector_stores.vector_store import NO_FILTERS, Filters, Payload

RecordT = TypeVar("RecordT", bound=Record)
LONGEST_QUERY = 1000  # characters
_RANKED = 200  # of each ranking
_SMOOTHING = 20  # of reciprocal ranks; 60 in the paper, whose rankings are a thousand deep
_BLOCK = 1024  # texts encoded at a time
_BESIDE = "beside-"

Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class SearchHit(Generic[RecordT]):
    """A search result with its evidence."""

    record: RecordT  # the item
    rank: int  # from 1
    likeness: float  # cosine of the query and the item's nearest text, -1 to 1
    words: tuple[tuple[str, str], ...]  # words of the query, each with the item's word that it matched
    nearest: NearText | None = None  # the text by which the encoder beside ranks it best; None if it ranks it by none


class SearchIndex(Generic[RecordT]):
    """Items with their words and vectors; immutable and thread-safe."""

    def __init__(
        self,
        words: WordIndex,
        facts: WordIndex,
        vectors: FloatArray,
        starts: Rows,
        records: "PackedRecords[RecordT]",
        encoder: SearchEncoder,
        shared: SharedTexts,
        columns: PayloadColumns | None = None,
        beside: "Beside | None" = None,
    ) -> None:
        """Assemble an index; use `build` or `load` to get one.

        Args:
            words: words of the items.
            facts: words of their structured fields.
            vectors: (text, dimension) vectors of all texts, grouped by item.
            starts: (item + 1,) first text of each item.
            records: record of each item, for display.
            encoder: encoder of the vectors.
            shared: texts that items share.
            columns: values to filter by; None without filters.
            beside: rankings by another encoder.
        """
        self._words, self._facts, self._vectors, self._starts = words, facts, vectors, starts
        self._records, self._columns, self._encoder, self._shared = records, columns, encoder, shared
        self._with_texts, self._beside = np.flatnonzero(np.diff(starts)), beside

    @classmethod
    def build(
        cls,
        items: Iterable[SearchItem],
        kind: type[RecordT],
        encoder: SearchEncoder,
        *,
        beside: Encoder | None = None,
        count: int = 0,
        progress: Progress = no_progress,
    ) -> "SearchIndex[RecordT]":
        """Encode and index items with records of a kind; *count* of them for the progress."""
        further: list[tuple[tuple[Group, ...], ...]] = []
        blocks: list[FloatArray] = []
        starts, pending, facts = [0], list[str](), list[str]()
        records, payloads, shared = list[Record](), list[Payload](), list[tuple[Group, ...]]()

        # words are counted while items are read, so that the progress of an item includes them
        def read() -> Iterator[str]:
            for item in items:
                if not records:
                    progress(0, count)  # the time left is that of items, without the time until the first of them
                pending.extend(item.texts)
                starts.append(starts[-1] + len(item.texts))
                facts.append(item.facts)
                records.append(item.record)
                shared.append(item.shared)
                further.append(item.beside)
                if kind is Freelancer:
                    payloads.append(Payload.of(item.record))  # type: ignore[arg-type]  # only freelancers are filtered
                if len(pending) >= _BLOCK:
                    blocks.append(encoder.encode(pending))
                    pending.clear()
                    progress(len(records), count)
                yield item.words

        words = WordIndex.of(read())
        blocks.append(encoder.encode(pending))
        return cls(
            words,
            WordIndex.of(facts),
            np.concatenate(blocks).astype(np.float32),
            np.array(starts, dtype=np.intp),
            PackedRecords.of(records, kind),
            encoder,
            SharedTexts.of(shared, encoder),
            PayloadColumns.of(payloads) if kind is Freelancer else None,
            Beside(beside, [SharedTexts.of(each, beside) for each in zip(*further, strict=True)]) if beside else None,
        )

    def __len__(self) -> int:
        return len(self._starts) - 1

    @property
    def model(self) -> str:
        """Name of the encoder."""
        return self._encoder.name

    def passing(self, filters: Filters = NO_FILTERS) -> int:
        """Return the number of items that pass the filters."""
        return len(self._allowed(filters))

    def search(self, query: str, filters: Filters = NO_FILTERS, limit: int = 20) -> list[SearchHit[RecordT]]:
        """Return the items that match a query, best first; none for a query without words.

        Args:
            query: in any language; at most 1,000 characters are read. A query in Japanese, Chinese or Korean without an
                indexed word is also read in English, word by word.
            filters: conditions on freelancers.
            limit: maximum number of items.
        """
        query = " ".join(plain_text(query)[:LONGEST_QUERY].split())
        if not query or not len(self):
            return []
        glosses = glossed(fold(query))
        if glosses and self._words.look_up(query):
            glosses = []
        vector: FloatArray = self._encoder.encode_queries([next(iter(glosses), query)])[0]
        beside = self._beside.likeness(query) if self._beside else []
        factors = None if self._columns is None else wish_factors(query, self._columns)
        return self._ranked(" ".join([query, *glosses]), vector, self._allowed(filters), limit, beside, factors)

    def alike(self, id_: str, filters: Filters = NO_FILTERS, limit: int = 20) -> list[SearchHit[RecordT]]:
        """Return the items most similar to an item, without it, by title and vectors; none for an unknown id."""
        row = self._records.rows.get(id_)
        if row is None:
            return []
        own = self._vectors[self._starts[row] : self._starts[row + 1]].sum(axis=0)
        length = float(np.linalg.norm(own))
        allowed = self._allowed(filters)
        title = item_title(self._records[row])
        return self._ranked(title, own / length if length else own, allowed[allowed != row], limit)

    def record(self, id_: str) -> RecordT | None:
        """Return an item, or None for an unknown id."""
        row = self._records.rows.get(id_)
        return None if row is None else self._records[row]

    def _allowed(self, filters: Filters) -> Rows:
        everything = np.arange(len(self))
        if self._columns is None or filters == NO_FILTERS:
            return everything
        return self._columns.passing(filters, np.ones(len(everything), dtype=bool))

    def _ranked(
        self,
        query: str,
        vector: FloatArray,
        allowed: Rows,
        limit: int,
        beside: Sequence[FloatArray] = (),
        factors: NDArray[np.float64] | None = None,
    ) -> list[SearchHit[RecordT]]:
        words, facts = self._words.look_up(query), self._facts.look_up(with_countries(query))
        own, shared = self._likeness(vector), self._shared.likeness(vector)
        likeness = np.maximum(own, shared)
        lexical = [np.sum([word.scores for word in matches], axis=0) for matches in (words, facts) if matches]
        points = np.stack([_points(scores, allowed) for scores in (*lexical, own, shared, *beside)])
        fused, by_text = points.sum(axis=0), points[len(points) - len(beside) :]
        if factors is not None:
            fused *= factors
        found = np.flatnonzero(fused)
        rows = found[np.lexsort((found, -own[found], -fused[found]))][:limit].tolist()
        matched = [(word.text, self._words.matched(word, rows)) for word in words]
        matched += [(word.text, self._facts.matched(word, rows)) for word in facts if word.text in query]
        return [
            SearchHit(
                self._records[row],
                place + 1,
                float(likeness[row]),
                tuple({typed: indexed[place] for typed, indexed in reversed(matched) if indexed[place]}.items())[::-1],
                _nearest(by_text[:, row]),
            )
            for place, row in enumerate(rows)
        ]

    def _likeness(self, vector: FloatArray) -> FloatArray:
        cosines = np.zeros(len(self), dtype=np.float32)
        if len(self._with_texts) and vector.any():
            scores: FloatArray = self._vectors @ vector
            if len(scores) == len(self._with_texts) == len(self):  # one text each
                return scores
            cosines[self._with_texts] = np.maximum.reduceat(scores, self._starts[self._with_texts])
        return cosines

    def save(self, folder: Path) -> None:
        """Write the index into a folder."""
        self._words.save(folder, "words")
        self._facts.save(folder, "facts")
        np.save(folder / "vectors.npy", self._vectors)
        np.save(folder / "starts.npy", self._starts)
        self._records.save(folder)
        self._shared.save(folder)
        if self._columns is not None:
            self._columns.save(folder)
        if self._beside is not None:
            self._beside.save(folder)

    @classmethod
    def load(
        cls,
        folder: Path,
        kind: type[RecordT],
        encoder: SearchEncoder,
        *,
        beside: Encoder | None = None,
    ) -> "SearchIndex[RecordT]":
        """Read the files that `save` wrote, memory-mapped; arguments as for `build`.

        Raises OSError or ValueError or KeyError if a file is missing or damaged.
        """
        starts, vectors = mapped(folder / "starts.npy"), mapped(folder / "vectors.npy")
        records = PackedRecords.load(folder, kind)
        if starts[-1] != len(vectors) or len(records) != len(starts) - 1:
            raise ValueError("the vectors do not fit the items")
        columns = PayloadColumns.load(folder, mapped) if kind is Freelancer else None
        words, facts = (WordIndex.load(folder, name, len(starts) - 1) for name in ("words", "facts"))
        shared = SharedTexts.load(folder)
        others = Beside.load(folder, beside) if beside else None
        return cls(words, facts, vectors, starts, records, encoder, shared, columns, others)


@dataclass(frozen=True, slots=True)
class Beside:
    """Another encoder, and the texts of each of its rankings."""

    encoder: Encoder
    texts: Sequence[SharedTexts]

    def likeness(self, query: str) -> list[FloatArray]:
        """Return the cosine of a query and each item's nearest text, (item,) of each ranking."""
        [vector] = self.encoder.encode([query])
        return [texts.likeness(vector) for texts in self.texts]

    def save(self, folder: Path) -> None:
        """Write the texts' vectors into folders of a folder, by number."""
        for number, texts in enumerate(self.texts):
            (folder / f"{_BESIDE}{number}").mkdir()
            texts.save(folder / f"{_BESIDE}{number}")

    @classmethod
    def load(cls, folder: Path, encoder: Encoder) -> "Beside":
        """Read the files that `save` wrote; raises as `SearchIndex.load` does."""
        return cls(encoder, [SharedTexts.load(own) for own in sorted(folder.glob(f"{_BESIDE}*"))])


class PackedRecords(Generic[RecordT]):
    """Concatenated JSON records with random access."""

    def __init__(
        self, content: NDArray[np.uint8], ends: NDArray[np.int64], ids: list[str], kind: type[RecordT]
    ) -> None:
        """Wrap the bytes of all records, the end of each, and their ids."""
        self._content, self._ends, self._ids = content, ends, ids
        self._decoder = msgspec.json.Decoder(kind)
        self.rows = {id_: row for row, id_ in enumerate(ids)}  # row of each record by its id

    @classmethod
    def of(cls, records: Iterable[Record], kind: type[RecordT]) -> "PackedRecords[RecordT]":
        """Encode records."""
        encoder, parts, ids = msgspec.json.Encoder(), list[bytes](), list[str]()
        for record in records:
            parts.append(encoder.encode(record))
            ids.append(record.id)
        ends = np.cumsum([len(part) for part in parts], dtype=np.int64)
        return cls(np.frombuffer(b"".join(parts), dtype=np.uint8), ends, ids, kind)

    def __len__(self) -> int:
        return len(self._ends)

    def __getitem__(self, row: int) -> RecordT:
        start = int(self._ends[row - 1]) if row else 0
        return self._decoder.decode(self._content[start : int(self._ends[row])].tobytes())

    def save(self, folder: Path) -> None:
        """Write the records into a folder."""
        np.save(folder / "records.npy", self._content)
        np.save(folder / "ends.npy", self._ends)
        (folder / "ids.json").write_bytes(msgspec.json.encode(self._ids))

    @classmethod
    def load(cls, folder: Path, kind: type[RecordT]) -> "PackedRecords[RecordT]":
        """Read the files that `save` wrote; raises as `SearchIndex.load` does."""
        ids = msgspec.json.decode((folder / "ids.json").read_bytes(), type=list[str])
        ends, content = mapped(folder / "ends.npy"), mapped(folder / "records.npy")
        if len(ids) != len(ends) or (len(ends) and ends[-1] != len(content)):
            raise ValueError("the records do not fit together")
        return cls(content, ends, ids, kind)


def _nearest(points: NDArray[np.float64]) -> NearText | None:
    return tuple(NearText)[int(points.argmax())] if points.any() else None


def _points(scores: FloatArray, allowed: Rows) -> NDArray[np.float64]:
    """Return the reciprocal ranks of the best items, (item,); 0 for all others."""
    best = _best(scores, allowed)
    points = np.zeros(len(scores))
    points[best] = 1 / (_SMOOTHING + _ranks(scores[best]))
    return points


def _best(scores: FloatArray, allowed: Rows) -> Rows:
    among = scores[allowed]
    if len(among) > _RANKED:
        best = np.argpartition(-among, _RANKED)[:_RANKED]
        allowed, among = allowed[best], among[best]
    order = np.lexsort((allowed, -among))
    return allowed[order][among[order] > 0]


def _ranks(scores: FloatArray) -> NDArray[np.intp]:
    first = np.flatnonzero(np.diff(scores, prepend=np.inf))
    return np.repeat(first + 1, np.diff(first, append=len(scores)))


def why_found(hit: SearchHit[Record]) -> str:
    """Return an explanation of a hit: the matched words and the similarity of meaning."""
    words = [typed if fold(typed) == matched else f"{typed} ~ {matched}" for typed, matched in hit.words]
    nearest = f" · nearest: {hit.nearest}" if hit.nearest else ""
    meaning = f"similar meaning {max(hit.likeness, 0.0):.2f}{nearest}"
    return f"words: {', '.join(words)} · {meaning}" if words else f"no shared words · {meaning}"


def facts_of(record: Record) -> list[str]:
    """Return the known ones of an item's language, country and day rate, or an occupation's ISCO-08 code."""
    if isinstance(record, OccupationCard):
        return [f"ISCO {record.isco}"] if record.isco else []
    kind = ["synthetic"] if record.generated else []
    rate = [f"{record.day_rate:,.0f} € per day"] if isinstance(record, Freelancer) and record.day_rate else []
    return [part for part in (record.language, record.country, *rate, *kind) if part]
