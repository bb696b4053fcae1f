"""Items of a map: their texts, and fields to colour them by."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from jobmatch_core.entities import Pair
from jobmatch_core.errors import MapError
from jobmatch_core.maps.neighbours import Rows
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.folding import fold

LANGUAGE = "language"
MAJOR, SUB_MAJOR, MINOR, UNIT = "ISCO major group", "ISCO sub-major group", "ISCO minor group", "ISCO unit group"
FAMILY, CATEGORY = "family", "category"
CONFIDENCE, LABEL = "confidence", "label"
CLUSTER = "cluster"  # see `picture.with_clusters`
FIELDS = (FAMILY, CATEGORY, MAJOR, SUB_MAJOR, MINOR, UNIT, LANGUAGE, CONFIDENCE, LABEL, CLUSTER)
# the finer field that divides one value of a field, such as a family's categories
FINER = {MAJOR: SUB_MAJOR, SUB_MAJOR: MINOR, MINOR: UNIT, FAMILY: CATEGORY}
_LEVELS = (MAJOR, SUB_MAJOR, MINOR, UNIT)


class ItemKind(StrEnum):
    """Kind of the points of a map."""

    OCCUPATIONS = "occupations"
    TITLES = "titles"
    FREELANCERS = "freelancers"
    PROJECTS = "projects"
    LABELS = "labels"


@dataclass(frozen=True, slots=True)
class Items:
    """Items of a map, in a fixed order."""

    kind: ItemKind
    source: str  # taxonomy, file or marketplace of the items
    ids: tuple[str, ...]  # unique ids, as in the source
    texts: tuple[str, ...]  # displayed texts
    # field to colour by -> (item,) values, '' for none; see `FIELDS`
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    concepts: tuple[str, ...] = ()  # (item,) concept that the item is a name of, or ''; empty if items are not names
    contents: tuple[tuple[str, ...], ...] = ()  # texts to encode, one or several per item; *texts* if empty
    pairs: tuple[Pair, ...] = ()  # judged pairs, for labels
    generated: bool = False  # true for synthetic items
    # field -> value -> its code, which is the same in every language, unlike the value
    codes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        columns = [self.texts, *self.fields.values(), *filter(None, (self.concepts, self.contents, self.pairs))]
        if any(len(column) != len(self.ids) for column in columns):
            raise ValueError("every item has every column")
        if len(set(self.ids)) != len(self.ids):
            raise MapError(f"Two items of {self.source} have the same id; give each its own.")

    def __len__(self) -> int:
        return len(self.ids)

    def values(self, name: str) -> tuple[str, ...]:
        """Return each item's value of a field; '' for all if there is no such field."""
        return self.fields[name] if name in self.fields else ("",) * len(self)

    def take(self, rows: Sequence[int] | Rows) -> "Items":
        """Return the items of some rows, in the order of *rows*."""
        chosen = [int(row) for row in rows]
        return Items(
            self.kind,
            self.source,
            tuple(self.ids[row] for row in chosen),
            tuple(self.texts[row] for row in chosen),
            {name: tuple(column[row] for row in chosen) for name, column in self.fields.items()},
            tuple(self.concepts[row] for row in chosen) if self.concepts else (),
            tuple(self.contents[row] for row in chosen) if self.contents else (),
            tuple(self.pairs[row] for row in chosen) if self.pairs else (),
            self.generated,
            self.codes,
        )

    def code(self, name: str, value: str) -> str:
        """Return the code of a field's value, of which a link to the value consists; without one, the value itself."""
        plain = value.partition(" ")[0] if name in _LEVELS else value
        return self.codes.get(name, {}).get(value) or plain

    @property
    def colours(self) -> list[str]:
        """The fields with more than one value, in the order of `FIELDS`."""
        return [name for name in FIELDS if len(set(self.values(name)) - {""}) > 1]

    @property
    def category_field(self) -> str:
        """The field of a point's category: its own, else its ISCO minor group, else its major group."""
        return next((name for name in (CATEGORY, MINOR, MAJOR, LABEL) if name in self.colours), "")


def isco_fields(codes: Sequence[str], taxonomy: Taxonomy, language: str) -> dict[str, tuple[str, ...]]:
    """Return the four levels of ISCO-08 codes as code and name; '' where a code is shorter."""
    names: dict[str, str] = {}

    def named(code: str) -> str:
        if code not in names:
            name = taxonomy.group_name(code, language)
            names[code] = f"{code} {name}" if name != code else code
        return names[code]

    return {
        level: tuple(named(code[:digits]) if len(code) >= digits else "" for code in codes)
        for digits, level in enumerate(_LEVELS, start=1)
    }


def find_items(items: Items, query: str, most: int = 20) -> list[int]:
    """Return the rows of items whose text contains the query, ignoring case and accents, or with that id.

    Exact matches come first, then texts that begin with the query, then shorter ones.
    """
    wanted = fold(query)
    matches = []
    for row, (id_, text) in enumerate(zip(items.ids, items.texts, strict=True)):
        folded = fold(text) if wanted else ""
        if id_ == query or (wanted and wanted in folded):
            rank = 0 if id_ == query or folded == wanted else 1 if folded.startswith(wanted) else 2
            matches.append((rank, len(folded), row))
    return [row for _, _, row in sorted(matches)[:most]]
