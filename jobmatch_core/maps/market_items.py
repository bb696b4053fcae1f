"""Freelancers, projects, and labels of both, as items of a map."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from jobmatch_core.entities import Freelancer, Project
from jobmatch_core.errors import MapError
from jobmatch_core.judgment_tallies import VotedPair
from jobmatch_core.labelling.exports import StoredTexts
from jobmatch_core.labelling.labels import label_of
from jobmatch_core.maps.items import CATEGORY, FAMILY, LABEL, LANGUAGE, ItemKind, Items
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.locales import ENGLISH, language_name
from jobmatch_core.towers.documents import freelancer_document, project_document

FITS, FITS_NOT = "belongs together", "does not"


def freelancer_items(marketplace: Marketplace, taxonomy: Taxonomy, show: str = ENGLISH) -> Items:
    """Return a marketplace's freelancers; *taxonomy* names their families and categories in the language *show*."""
    people = list(marketplace.freelancers)
    contents = [(freelancer_document(freelancer, as_written=True).whole,) for freelancer in people]
    return _of_records(ItemKind.FREELANCERS, marketplace, people, contents, _GroupNames(taxonomy, show, {}))


def project_items(marketplace: Marketplace, taxonomy: Taxonomy, show: str = ENGLISH) -> Items:
    """Return a marketplace's projects; *taxonomy* names their families and categories in the language *show*."""
    projects = list(marketplace.projects)
    contents = [(project_document(project, as_written=True).whole,) for project in projects]
    return _of_records(ItemKind.PROJECTS, marketplace, projects, contents, _GroupNames(taxonomy, show, {}))


def label_items(judged: Iterable[VotedPair], source: str, settings: Settings) -> Items:
    """Return labels of *source* (a marketplace, a taxonomy, '' for titles): a pair's vector is the mean of its sides.

    Raises:
        MapError: there are no such labels.
        MarketplaceError: that marketplace is not stored here.
        TaxonomyError: that taxonomy is not installed here, or has no such occupation.
    """
    texts = StoredTexts(settings)
    labelled = []
    for judged_pair in judged:
        if (positive := label_of(judged_pair.votes)) is not None:
            with suppress(KeyError):  # the freelancer or project has left the marketplace
                labelled.append((judged_pair.pair, positive, texts(judged_pair.pair)))
    if not labelled:
        whose = source or "pairs of titles"
        raise MapError(f"There are no labels of {whose} yet; add some on the page 'Label pairs'.")
    return Items(
        ItemKind.LABELS,
        source,
        tuple(f"{pair.left} × {pair.right}" for pair, _, _ in labelled),
        tuple(f"{_first_line(pair_texts.left)} × {_first_line(pair_texts.right)}" for _, _, pair_texts in labelled),
        {LABEL: tuple(FITS if positive else FITS_NOT for _, positive, _ in labelled)},
        contents=tuple((pair_texts.left, pair_texts.right) for _, _, pair_texts in labelled),
        pairs=tuple(pair for pair, _, _ in labelled),
    )


def _of_records(
    kind: ItemKind,
    marketplace: Marketplace,
    records: Sequence[Freelancer] | Sequence[Project],
    contents: Sequence[tuple[str, ...]],
    named: "_GroupNames",
) -> Items:
    if not records:
        raise MapError(f"The marketplace {marketplace.name} has no {kind}; choose another, or import some.")
    fields = {
        LANGUAGE: tuple(language_name(record.language) for record in records),
        FAMILY: tuple(named(record.family, record.family_name) for record in records),
        CATEGORY: tuple(named(record.category, record.category_name) for record in records),
    }
    codes = {
        FAMILY: dict(zip(fields[FAMILY], (record.family for record in records), strict=True)),
        CATEGORY: dict(zip(fields[CATEGORY], (record.category for record in records), strict=True)),
    }
    texts = tuple(record.title or record.category_name or record.id for record in records)
    ids = tuple(record.id for record in records)
    return Items(
        kind,
        marketplace.name,
        ids,
        texts,
        fields,
        contents=tuple(contents),
        generated=marketplace.generated,
        codes=codes,
    )


@dataclass(frozen=True, slots=True)
# names of families and categories in a language, else as they were first written
class _GroupNames:
    taxonomy: Taxonomy
    show: str
    names: dict[str, str]

    def __call__(self, key: str, written: str) -> str:
        if key not in self.names:
            name = self.taxonomy.group_name(key, self.show)
            self.names[key] = name if name != key else written or key
        return self.names[key]


def _first_line(text: str) -> str:
    return text.split("\n", 1)[0][:80]
