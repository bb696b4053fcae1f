"""Our own search queries: 200 over ESCO's occupations, in 8 languages, and 100 over the demo marketplace, in 4.

`occupation_search.csv` asks for occupations by what people do, in words that are not their names; its author graded the
occupations meant (2) and acceptable neighbours (1) before any search encoder was trained. `freelancer_search.csv` has a
skill, a role, a place or a language in a few words, and as columns what each of its queries wishes for: the freelancers
are graded by the skills that they truly master, which the generator of the demo marketplace keeps, not by their texts.
Words such as 'senior' are in the queries, but the truth knows nothing of them.
"""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from jobmatch_core.benchmarks.datasets.search_sets import RankedSet
from jobmatch_core.entities import Freelancer
from jobmatch_core.errors import MarketplaceError, TaxonomyError
from jobmatch_core.marketplace.cities import City, all_cities
from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_marketplace
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.search.search_items import PeopleItems, occupation_documents, occupation_items, occupation_names
from jobmatch_core.taxonomy import BUNDLED_ID, Taxonomy, TaxonomyStore
from jobmatch_core.taxonomy.lexicon import with_lexicon
from jobmatch_core.text.locales import language_name
from jobmatch_core.towers.documents import freelancer_document

OCCUPATIONS, FREELANCERS = "occupations", "freelancers"
OCCUPATIONS_TAXONOMY = "esco-1.0.3"
MEANT, ACCEPTABLE = 2, 1
_HALF = 0.5  # a condition half fulfilled
_FEWEST_KNOWN = 0.5  # minimum share of the graded occupations in a taxonomy

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class OccupationQuery:
    """A query with the grades of its correct occupations by URI."""

    language: str
    text: str
    grades: dict[str, int]


@dataclass(frozen=True, slots=True)
class FreelancerQuery:
    """A query over freelancers, and its conditions; '' and () for none."""

    language: str  # language code of the query
    text: str
    skills: tuple[str, ...]  # keys of skills in the bundled taxonomy
    categories: tuple[str, ...]  # codes of unit groups, any of which is correct
    city: str
    speaks: str  # language code of the profile


def occupation_queries() -> list[OccupationQuery]:
    """Read `occupation_search.csv`."""
    return [
        OccupationQuery(row["language"], row["query"], _grades(row["occupations"]))
        for row in _rows("occupation_search.csv")
    ]


def freelancer_queries() -> list[FreelancerQuery]:
    """Read `freelancer_search.csv`."""
    return [
        FreelancerQuery(
            row["language"], row["query"], _parts(row["skills"]), _parts(row["categories"]), row["city"], row["speaks"]
        )
        for row in _rows("freelancer_search.csv")
    ]


def own_set(name: str, store: TaxonomyStore, taxonomy_id: str = "") -> RankedSet:
    """Return one of our own sets; arguments and errors as for `occupation_set` and `freelancer_set`."""
    return occupation_set(store, taxonomy_id) if name == OCCUPATIONS else freelancer_set(store)


def occupation_set(store: TaxonomyStore, taxonomy_id: str = "") -> RankedSet:
    """Return the queries over the occupations of a release of ESCO, 1.0.3 by default.

    Raises TaxonomyError if it is not installed, or lacks a language of the queries or half of the graded occupations.
    """
    queries = occupation_queries()
    wanted = {uri for query in queries for uri in query.grades}
    if not taxonomy_id and OCCUPATIONS_TAXONOMY not in {manifest.id for manifest in store.installed()}:
        raise TaxonomyError(
            f"The queries over occupations are answered by {OCCUPATIONS_TAXONOMY}, which is not installed; import it "
            f"with 'jobmatch taxonomy import', or measure the other sets, as with --set {FREELANCERS}."
        )
    taxonomy = store.load(taxonomy_id or OCCUPATIONS_TAXONOMY)
    if sum(map(taxonomy.has_concept, wanted)) < _FEWEST_KNOWN * len(wanted):
        raise TaxonomyError(
            f"The queries over occupations are answered by ESCO's, which {taxonomy.id} does not have; install ESCO "
            f"with 'jobmatch taxonomy import', or measure the other sets, as with --set {FREELANCERS}."
        )
    if missing := {query.language for query in queries}.difference(taxonomy.manifest.languages):
        raise TaxonomyError(
            f"The queries over occupations are in eight languages, and {taxonomy.id} has no names in "
            f"{', '.join(map(language_name, sorted(missing)))}; import a release of ESCO with all of them."
        )
    return _occupation_set(taxonomy, queries)


def _occupation_set(taxonomy: Taxonomy, queries: Sequence[OccupationQuery]) -> RankedSet:
    languages = tuple(query.language for query in queries)
    named = frozenset(languages)
    documents = occupation_documents(taxonomy, named)
    columns = {document.uri: place for place, document in enumerate(documents)}
    grades = np.zeros((len(queries), len(documents)))
    for row, query in enumerate(queries):
        for uri, grade in query.grades.items():
            if uri in columns:
                grades[row, columns[uri]] = grade
    return RankedSet(
        name=OCCUPATIONS,
        languages=languages,
        queries=tuple(query.text for query in queries),
        documents=[
            tuple(text for text in (*names, document.texts[1]) if text)
            for names, document in zip(occupation_names(taxonomy, named), documents, strict=True)
        ],
        grades=csr_matrix(grades),
        joint=", ",
        items=list(occupation_items(with_lexicon(taxonomy))),
    )


def freelancer_set(store: TaxonomyStore) -> RankedSet:
    """Return the queries over the freelancers of the demo marketplace; raises as `demo_marketplace`."""
    taxonomy = store.load(BUNDLED_ID)
    market = demo_marketplace(taxonomy, DemoSpec(projects=1))
    queries = freelancer_queries()
    return RankedSet(
        name=FREELANCERS,
        languages=tuple(query.language for query in queries),
        queries=tuple(query.text for query in queries),
        documents=[
            tuple(text for text in freelancer_document(freelancer).texts if text) for freelancer in market.freelancers
        ],
        grades=grade_freelancers(queries, market),
        items=list(map(PeopleItems.of(taxonomy).freelancer, market.freelancers)),
    )


def grade_freelancers(queries: Sequence[FreelancerQuery], market: Marketplace) -> csr_matrix:
    """Return (query, freelancer) grades of a synthetic marketplace by the least fulfilled condition.

    Relevant: all conditions fulfilled; acceptable: all at least by half. Skills count by the share truly mastered, the
    same family or country as half of a category or city, a language fully or not at all.

    Raises MarketplaceError if the marketplace has no hidden truth, or it has other skills.
    """
    truth = market.truth
    if truth is None:
        raise MarketplaceError(f"{market.name} is a real marketplace without ground truth for skills.")
    columns = {key: place for place, key in enumerate(truth.skills)}
    if unknown := sorted({key for query in queries for key in query.skills} - set(columns)):
        raise MarketplaceError(
            f"The skills of {market.name} are of another taxonomy without {unknown[0]!r}; generate a marketplace from "
            f"{BUNDLED_ID}."
        )
    mastered = truth.mastered.astype(np.float64)
    fulfilled = [_fulfilled(query, market.freelancers, mastered, columns) for query in queries]
    least = np.stack(fulfilled)
    return csr_matrix(np.where(least >= 1, MEANT, np.where(least >= _HALF, ACCEPTABLE, 0)).astype(np.float64))


def _fulfilled(
    query: FreelancerQuery, freelancers: Sequence[Freelancer], mastered: csr_matrix, columns: dict[str, int]
) -> Floats:
    """Return the degree of each freelancer's least fulfilled condition, 0 to 1."""
    declared = [
        min(_in_category(query, freelancer), _in_city(query, freelancer), _speaks(query, freelancer))
        for freelancer in freelancers
    ]
    if not query.skills:
        return np.array(declared)
    skills = mastered[:, [columns[key] for key in query.skills]]
    return np.minimum(np.asarray(skills.mean(axis=1)).ravel(), declared)


def _in_category(query: FreelancerQuery, freelancer: Freelancer) -> float:
    if not query.categories or freelancer.category in query.categories:
        return 1.0
    return _HALF if freelancer.family in {code[:2] for code in query.categories} else 0.0


def _in_city(query: FreelancerQuery, freelancer: Freelancer) -> float:
    if not query.city or freelancer.place == _city(query.city).place:
        return 1.0
    return _HALF if freelancer.country == _city(query.city).country else 0.0


def _speaks(query: FreelancerQuery, freelancer: Freelancer) -> float:
    return float(query.speaks in ("", freelancer.language))


@cache
def _city(name: str) -> City:
    return next(city for city in all_cities() if city.name == name)


def _rows(name: str) -> list[dict[str, str]]:
    table = files("jobmatch_core.benchmarks.retrieval") / name
    return list(csv.DictReader(table.read_text("utf-8").splitlines()))


def _parts(cell: str) -> tuple[str, ...]:
    return tuple(cell.split("|")) if cell else ()


def _grades(cell: str) -> dict[str, int]:
    """Read `URI=2|URI=1`."""
    pairs = [part.rpartition("=") for part in _parts(cell)]
    return {uri: int(grade) for uri, _, grade in pairs}
