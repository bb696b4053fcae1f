"""Search by words and vectors: fused rankings, explanations, filters, similar items, and indexes on disk."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.entities import FloatArray, Freelancer, Project
from jobmatch_core.errors import MarketplaceError, ModelError, TaxonomyError
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.search import search_store
from jobmatch_core.search.search_index import SearchIndex, facts_of, why_found
from jobmatch_core.search.search_items import (
    NearText,
    OccupationCard,
    PeopleItems,
    Record,
    SearchItem,
    item_title,
    occupation_items,
)
from jobmatch_core.search.search_store import open_search
from jobmatch_core.search_events import SearchKind
from jobmatch_core.settings import Settings
from jobmatch_core.vector_stores.vector_store import Filters
from tests import made_marketplace
from tests.made_taxonomy import install, skilled_taxonomy

WORDS = ("homepage", "website", "logo", "emblem", "python", "statistics")


class Meanings:
    """Knows three meanings of two words each, and remembers what it was asked."""

    dimension = 3

    def __init__(self, name: str = "meanings") -> None:
        self.name = name
        self.encoded: list[str] = []

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return the sum of the words' meanings, at length one; zeros for a text without known words."""
        self.encoded += texts
        vectors = np.zeros((len(texts), 3), np.float32)
        for row, text in enumerate(texts):
            for number, word in enumerate(WORDS):
                vectors[row, number // 2] += word in text.lower()
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)

    def encode_queries(self, texts: Sequence[str]) -> FloatArray:
        """Return the same as for documents."""
        return self.encode(texts)


class AskedOtherwise(Meanings):
    """Encodes queries in another way."""

    def encode_queries(self, texts: Sequence[str]) -> FloatArray:
        """Return the third meaning, whatever is asked."""
        return np.tile(np.array([0, 0, 1], np.float32), (len(texts), 1))


def card(name: str, *texts: str) -> SearchItem:
    """Return an occupation with a name and texts to encode."""
    return SearchItem(
        OccupationCard(f"http://{name}", "", {"en": name}, ""), texts or (name,), " ".join((name, *texts))
    )


ITEMS = (card("website builder"), card("emblem painter"), card("statistics clerk", "clerk", "python"), card("porter"))


def index_of(items: Sequence[SearchItem] = ITEMS, encoder: Meanings | None = None) -> SearchIndex[OccupationCard]:
    """Build an index in memory."""
    return SearchIndex.build(items, OccupationCard, encoder or Meanings())


def test_the_time_left_is_counted_from_the_first_text() -> None:
    """Work begins with a report of nothing done, so that loading an encoder is no part of the time per item."""
    many = [card(str(number), *[f"{number} {text}" for text in range(600)]) for number in range(4)]
    reports: list[tuple[int, int]] = []
    SearchIndex.build(
        many, OccupationCard, Meanings(), count=4, progress=lambda done, total: reports.append((done, total))
    )
    assert reports == [(0, 4), (2, 4), (4, 4)]


def names(hits: Sequence[object]) -> list[str]:
    """Return the names of what was found."""
    return [hit.record.name("en") for hit in hits]  # type: ignore[attr-defined]


def test_by_words_by_meaning_and_by_both() -> None:
    """Items in both rankings come first; each hit has an explanation."""
    [porter] = index_of().search("Porters")
    assert (porter.words, porter.likeness) == ((("Porters", "porter"),), 0.0)
    [builder] = index_of().search("homepage")
    assert (builder.words, builder.likeness) == ((), pytest.approx(1.0))
    hits = index_of().search("website or porter")
    assert names(hits) == ["website builder", "porter"]
    assert [hit.rank for hit in hits] == [1, 2]


def test_the_nearest_of_an_items_texts_counts() -> None:
    """The clerk is as near as its text on Python, not as the mean of its texts."""
    [clerk] = index_of().search("python")
    assert (clerk.record.name("en"), clerk.likeness) == ("statistics clerk", pytest.approx(1.0))


def test_what_items_share_is_a_ranking_of_its_own() -> None:
    """Both painters share the best rank by their group; the one with a near name comes first."""
    plain, painter = card("porter of colours"), card("emblem painter")
    both = [replace(each, shared=(("logo", "statistics"),)) for each in (plain, painter)]
    index = index_of([*both, card("statistics clerk")])
    hits = index.search("logo")
    assert names(hits) == ["emblem painter", "porter of colours"]
    assert [hit.likeness for hit in hits] == [pytest.approx(1.0)] * 2


def test_another_encoder_adds_a_ranking_of_each_of_its_texts(tmp_path: Path) -> None:
    """The porter is found by a text that only the other encoder reads; similar items are found without it."""
    told = [(), (), (), (("carries logos",),)]
    items = [replace(item, beside=((), groups)) for item, groups in zip(ITEMS, told, strict=True)]
    index = SearchIndex.build(items, OccupationCard, Meanings(), beside=Meanings("beside"))
    assert names(index_of(items).search("logo")) == ["emblem painter"]
    assert names(index.search("logo")) == ["emblem painter", "porter"]
    assert names(index.alike("http://emblem painter")) == []
    index.save(tmp_path)
    again = SearchIndex.load(tmp_path, OccupationCard, Meanings(), beside=Meanings("beside"))
    assert again.search("logo") == index.search("logo")


def test_queries_may_be_encoded_in_another_way() -> None:
    """An encoder may have a query tower of its own."""
    assert names(index_of(encoder=AskedOtherwise()).search("homepage")) == ["statistics clerk"]


def test_a_japanese_query_is_read_in_english_where_its_own_words_find_nothing() -> None:
    """English glosses are searched by words and by vectors."""
    items = [card("statistics designer", "statistics"), card("emblem painter", "emblem"), card("看護師", "website")]
    encoder = Meanings()
    best = index_of(items, encoder).search("統計のデザイナー")[0]
    assert (names([best]), best.words) == (["statistics designer"], (("statistics",) * 2, ("designer",) * 2))
    assert encoder.encoded[-1] == "statistics designer"
    assert names(index_of(items, encoder).search("看護師"))[0] == "看護師"
    assert encoder.encoded[-1] == "看護師"


@pytest.mark.parametrize("query", ["", " \n", "🙂", "שלום", "x" * 10_000, "\ud800\u202e"])
def test_nothing_found(query: str) -> None:
    """Queries without words have no hits."""
    assert index_of().search(query) == []


def test_only_the_beginning_of_a_long_query_is_read() -> None:
    """The encoder reads at most a thousand characters."""
    encoder = Meanings()
    assert names(index_of(encoder=encoder).search("logo " * 5000)) == ["emblem painter"]
    assert len(encoder.encoded[-1]) <= 1000


def test_an_empty_index(tmp_path: Path) -> None:
    """An empty index has no hits, in memory and from the disk."""
    empty = index_of(())
    empty.save(tmp_path)
    for index in (empty, SearchIndex.load(tmp_path, OccupationCard, Meanings())):
        assert (len(index), index.search("logo"), index.alike("http://porter"), index.passing()) == (0, [], [], 0)


def test_more_like_this() -> None:
    """Similar by vectors and by the words of the title, without the item itself; none for an unknown id."""
    items = (*ITEMS, card("homepage painter"))
    assert names(index_of(items).alike("http://emblem painter")) == ["homepage painter"]
    assert names(index_of(items).alike("http://website builder")) == ["homepage painter"]
    assert index_of(items).alike("http://nobody") == []


def test_freelancers_are_filtered_before_they_are_ranked() -> None:
    """The filters are those of the page 'Find freelancers'."""
    people = made_marketplace.freelancers()
    items = list(map(PeopleItems().freelancer, people))
    index = SearchIndex.build(items, Freelancer, Meanings())
    german = Filters(languages=("de",))
    assert index.passing(german) == len(people) // 2
    hits = index.search("python", german, limit=2)
    assert [hit.record.language for hit in hits] == ["de", "de"]
    assert index.search("python", Filters(countries=("XX",))) == []
    assert {hit.record.language for hit in index.alike(people[0].id, german)} == {"de"}


def test_facts_are_words_of_their_own() -> None:
    """Facts form a ranking of their own, and each word of the query is explained once."""
    porters = [
        SearchItem(OccupationCard(f"http://{city}", "", {"en": "porter"}, ""), ("porter",), "porter", facts=city)
        for city in ("Köln Cologne", "Berlin")
    ]
    [first, second] = index_of(porters).search("Porter Köln")
    assert (first.record.uri, dict(first.words)) == ("http://Köln Cologne", {"Porter": "porter", "Köln": "koln"})
    assert dict(second.words) == {"Porter": "porter"}


def test_who_is_near_comes_before_who_is_far() -> None:
    """Without anybody in the city, people in its country come first; only typed words explain a hit."""
    porters = [
        SearchItem(OccupationCard(f"http://{place}", "", {"en": "porter"}, ""), ("porter",), "porter", facts=place)
        for place in ("France. Lyon", "Germany. Berlin", "Spain. Madrid")
    ]
    first, *others = index_of(porters).search("porter Köln")
    assert first.record.uri == "http://Germany. Berlin"
    assert [dict(hit.words) for hit in (first, *others)] == [{"porter": "porter"}] * 3


def test_people_who_meet_a_wish_come_first() -> None:
    """A language or country that the query names; similar people are found without wishes."""
    people = made_marketplace.freelancers()
    index = SearchIndex.build(map(PeopleItems().freelancer, people), Freelancer, Meanings())
    for language, wish in (("de", "deutsch"), ("en", "anglais")):
        found = [hit.record for hit in index.search(f"python {wish}", limit=6)]
        assert [person.title for person in found] == ["python"] * 6
        assert [person.language == language for person in found] == [True] * 3 + [False] * 3
    assert {hit.record.language for hit in index.alike(people[0].id)} == {"de", "en"}


def test_what_is_told_of_a_hit() -> None:
    """A hit is explained in words."""
    [hit] = index_of().search("Porters")
    assert why_found(hit) == "words: Porters ~ porter · similar meaning 0.00"
    assert why_found(replace(hit, words=(("Köln", "koln"),))) == "words: Köln · similar meaning 0.00"
    [meant] = index_of().search("homepage")
    assert why_found(meant) == "no shared words · similar meaning 1.00"


def test_items_of_a_taxonomy() -> None:
    """A text holds the names of a language, preferred ones first; the card has only these."""
    items = {item.record.id: item for item in occupation_items(skilled_taxonomy())}
    assert len(items) == 6
    coder = items["http://jobs/2512"]
    assert "coder, program writer" in coder.texts
    assert isinstance(coder.record, OccupationCard)
    assert coder.record.names == {"de": "Programmierer", "en": "coder", "he": "מתכנת", "ja": "プログラマー"}
    assert [item_title(coder.record, language) for language in ("de", "fr")] == ["Programmierer", "coder"]
    assert facts_of(coder.record) == ["ISCO 2512"]
    assert coder.beside == ((("coder, program writer",),), (), coder.shared)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A home with a tiny taxonomy and a tiny marketplace."""
    settings = Settings(tmp_path)
    install(skilled_taxonomy(), settings.home)
    MarketplaceStore.open(settings).save("tiny", made_marketplace.marketplace().blocks(), origin={}, generated=True)
    return settings


def opened(kind: SearchKind, settings: Settings, encoder: Meanings | None = None) -> SearchIndex[Record]:
    """Open an index of the tiny home."""
    source = "skilled-1" if kind is SearchKind.OCCUPATIONS else "tiny"
    return open_search(kind, source, settings=settings, encoder=encoder or Meanings())


@pytest.mark.first_case
@pytest.mark.parametrize("kind", list(SearchKind))
def test_an_index_is_built_once(settings: Settings, kind: SearchKind) -> None:
    """A reopened index encodes nothing and gives the same hits."""
    built = opened(kind, settings)
    encoder = Meanings()
    again = opened(kind, settings, encoder)
    assert encoder.encoded == []
    for query in ("author", "senior python statistics"):
        assert again.search(query) == built.search(query)
    assert len(again) == {SearchKind.OCCUPATIONS: 6, SearchKind.FREELANCERS: 24, SearchKind.PROJECTS: 20}[kind]


def test_the_lexicon_is_joined_for_a_new_index_alone(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening an existing index does not load the lexicon."""
    opened(SearchKind.OCCUPATIONS, settings)
    monkeypatch.setattr(search_store, "with_lexicon", lambda taxonomy: pytest.fail("it was joined"))
    assert opened(SearchKind.OCCUPATIONS, settings).search("author")


def test_an_index_goes_with_its_encoder_and_its_source(settings: Settings) -> None:
    """An index of another encoder or of other items is replaced."""
    opened(SearchKind.PROJECTS, settings)
    opened(SearchKind.PROJECTS, settings, Meanings("others"))
    assert [path.name for path in settings.vectors.iterdir()] == ["tiny+search-projects+others"]
    blocks = made_marketplace.marketplace(per_trade=1).blocks()
    MarketplaceStore.open(settings).save("tiny", blocks, origin={}, generated=True, replace=True)
    assert len(opened(SearchKind.PROJECTS, settings, Meanings("others"))) == 4


def test_an_index_goes_with_the_encoder_beside(settings: Settings) -> None:
    """It is built again once there is one, and knows more; people are searched without it."""
    before = opened(SearchKind.OCCUPATIONS, replace(settings, search_beside="")).search("programmer")
    with_titles = replace(settings, search_beside="titles")
    built = opened(SearchKind.OCCUPATIONS, with_titles).search("programmer")
    assert len(built) > len(before)
    assert {hit.nearest for hit in before} == {None}
    assert built[0].nearest == NearText.NAMES
    assert "nearest: names" in why_found(built[0])
    encoder = Meanings()
    assert opened(SearchKind.OCCUPATIONS, with_titles, encoder).search("programmer") == built
    assert encoder.encoded == ["programmer"]
    opened(SearchKind.PROJECTS, settings)
    opened(SearchKind.PROJECTS, with_titles, encoder)
    assert encoder.encoded == ["programmer"]
    with pytest.raises(ModelError, match="nothing"):
        opened(SearchKind.OCCUPATIONS, replace(settings, search_beside="nothing"))


@pytest.mark.first_case
@pytest.mark.parametrize("name", ["stamp.json", "ids.json", "records.npy", "words.txt", "vectors.npy"])
def test_a_damaged_index_is_built_again(settings: Settings, name: str) -> None:
    """Any damaged file leads to a new index."""
    before = opened(SearchKind.FREELANCERS, settings).search("python")
    [path] = settings.vectors.rglob(name)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert opened(SearchKind.FREELANCERS, settings).search("python") == before


def test_there_is_no_such_source(settings: Settings) -> None:
    """The error is that of the taxonomies or the marketplaces."""
    with pytest.raises(TaxonomyError, match="nowhere"):
        open_search(SearchKind.OCCUPATIONS, "nowhere", settings=settings, encoder=Meanings())
    with pytest.raises(MarketplaceError, match="nowhere"):
        open_search(SearchKind.PROJECTS, "nowhere", settings=settings, encoder=Meanings())


def test_a_project_is_read_back_whole(settings: Settings) -> None:
    """A project is read with its skills, by its id."""
    project = made_marketplace.projects(1)[0]
    record = opened(SearchKind.PROJECTS, settings).record(project.id)
    assert isinstance(record, Project)
    assert record == project
    assert opened(SearchKind.PROJECTS, settings).record("nobody") is None
