"""Finding freelancers: from a stored marketplace and a model to matches with reasons, and what is kept between runs."""

import threading
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.entities import FloatArray, Freelancer, NamedSkill, Place, Project
from jobmatch_core.errors import MarketplaceError, MatchingError
from jobmatch_core.marketplace.marketplace import RecordBlock
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.retrieval.finder import Finder, Profiles
from jobmatch_core.retrieval.freelancer_index import open_finder
from jobmatch_core.retrieval.matches import (
    Arrangement,
    Match,
    MatchOrder,
    SkillMatch,
    SkillState,
    compared_skills,
    named_skills,
)
from jobmatch_core.settings import Settings
from jobmatch_core.vector_stores.vector_store import Filters, Payload
from tests.hashing_model import HashingModel


def skill(key: str, text: str = "") -> NamedSkill:
    """Return a skill."""
    return NamedSkill(key, text or key)


def freelancer(id_: str, words: str, *skills: NamedSkill, language: str = "en") -> Freelancer:
    """Return a profile of some words."""
    return Freelancer(
        id=id_,
        language=language,
        title=words,
        description=f"I do {words}",
        experience="",
        family="25",
        family_name="Technology",
        category="2512",
        category_name="Developers",
        skills=skills,
        country="DE",
        place=Place(52.5, 13.4),
        available_from="2026-01-01",
        day_rate=400.0,
    )


ANNA = freelancer("anna", "webshops in python", skill("python", "Python"), skill("shop", "Webshops"), language="de")
BEA = freelancer("bea", "bridges of steel", skill("steel"))
CARLA = freelancer("carla", "python for science", skill("python"), skill("ml", "uczenie maszynowe"), language="pl")
ALL = (ANNA, BEA, CARLA)
PROJECT = Project(
    id="p1",
    language="en",
    title="webshops wanted",
    job_title="",
    description="python webshops",
    family="25",
    family_name="Technology",
    category="2512",
    category_name="Developers",
    mandatory=(skill("python"), skill("ml", "machine learning")),
    bonus=(skill("shop", "shops"), skill("python")),
)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Give a home of the test's own."""
    return Settings(tmp_path / "home")


def store_market(settings: Settings, freelancers: Iterable[Freelancer] = ALL) -> None:
    """Store a marketplace of some freelancers."""
    block = RecordBlock(projects=[PROJECT], freelancers=list(freelancers))
    MarketplaceStore.open(settings).save("market", [block], origin={}, replace=True)


def opened(settings: Settings, model: HashingModel | None = None, *, rebuild: bool = False) -> Finder:
    """Open the finder of that marketplace."""
    return open_finder("market", model or HashingModel(), settings=settings, rebuild=rebuild)


def ids(finder: Finder) -> list[str]:
    """Return who is found for the project."""
    return [match.freelancer.id for match in finder.match(PROJECT)]


def test_the_best_come_first_with_their_skills(settings: Settings) -> None:
    """The profile, its rank and score; skills by key, whatever they are called on either side."""
    store_market(settings)
    first, second, third = opened(settings).match(PROJECT, arrangement=Arrangement(MatchOrder.FIT))
    assert (first.freelancer, first.rank) == (ANNA, 1)
    assert (second.freelancer, third.freelancer, third.rank) == (CARLA, BEA, 3)
    assert first.score > second.score > third.score
    assert first.shared == (
        SkillMatch("python", "python", "Python", True),
        SkillMatch("shop", "shops", "Webshops", False),
    )
    assert first.missing == (SkillMatch("ml", "machine learning", "", True),)
    assert third.shared == ()
    assert first.contributions is None


def test_who_has_the_must_haves_comes_first(settings: Settings) -> None:
    """Also among those whom a limit would leave out by fit; without must-haves, the order is by fit."""
    store_market(settings)
    finder = opened(settings)
    assert ids(finder) == ["carla", "anna", "bea"]
    [carla] = finder.match(PROJECT, limit=1, explain=True)
    assert (carla.freelancer, carla.rank, carla.missing_must_haves) == (CARLA, 1, 0)
    assert carla.contributions is not None
    free = replace(PROJECT, mandatory=(), bonus=PROJECT.mandatory)
    assert finder.match_all([PROJECT, free]) == [
        finder.match(PROJECT),
        finder.match(free, arrangement=Arrangement(MatchOrder.FIT)),
    ]


def test_scores_are_the_models_cosines(settings: Settings) -> None:
    """Of the vectors that it gives."""
    store_market(settings)
    model = HashingModel()
    expected = model.encode_projects([PROJECT]) @ model.encode_freelancers(ALL).T
    scores = {match.freelancer.id: match.score for match in opened(settings).match(PROJECT)}
    assert scores == pytest.approx(dict(zip(("anna", "bea", "carla"), expected[0].tolist(), strict=True)), abs=1e-6)


def test_sections_contributions_add_up_to_the_score(settings: Settings) -> None:
    """Those of the profile, and those of the project; sections that nobody filled add nothing."""
    store_market(settings)
    for match in opened(settings).match(PROJECT, explain=True):
        assert match.contributions is not None
        assert list(match.contributions.freelancer) == [
            "title",
            "description",
            "family",
            "category",
            "skills",
            "experience",
        ]
        assert list(match.contributions.project)[:2] == ["title", "job_title"]
        assert sum(match.contributions.freelancer.values()) == pytest.approx(match.score, abs=1e-5)
        assert sum(match.contributions.project.values()) == pytest.approx(match.score, abs=1e-5)
        assert match.contributions.freelancer["experience"] == match.contributions.project["job_title"] == 0


def test_filters_and_limit(settings: Settings) -> None:
    """Only who passes is ranked."""
    store_market(settings)
    finder = opened(settings)
    assert [match.freelancer.id for match in finder.match(PROJECT, Filters(languages=("pl", "en")))] == ["carla", "bea"]
    assert [match.rank for match in finder.match(PROJECT, limit=1)] == [1]
    assert finder.match(PROJECT, Filters(languages=("fr",)), explain=True) == []


def test_many_projects_at_once(settings: Settings) -> None:
    """As one after another."""
    store_market(settings)
    finder = opened(settings)
    other = replace(PROJECT, id="p2", title="bridges", description="steel bridges")
    assert finder.match_all([PROJECT, other], limit=2) == [finder.match(PROJECT, limit=2), finder.match(other, limit=2)]
    assert finder.match_all([]) == []


def test_a_project_that_the_model_knows_nothing_of(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    """All would be as near to it: one by itself is refused, one among many has no matches."""
    store_market(settings)
    finder = opened(settings)
    empty = dict.fromkeys(("title", "description", "family_name", "category_name"), "")
    unknown = replace(PROJECT, id="p2", mandatory=(), bonus=(), **empty)
    with pytest.raises(MatchingError, match="hashing knows no word of this project"):
        finder.match(unknown)
    assert finder.match_all([unknown, PROJECT]) == [[], finder.match(PROJECT)]
    assert "knows no word of project p2" in caplog.text


def test_a_second_opening_encodes_nobody(settings: Settings) -> None:
    """What the first kept serves; so does that of another model beside it."""
    store_market(settings)
    expected = opened(settings).match(PROJECT)
    model, other = HashingModel(), HashingModel(32, "hashing 32")
    assert opened(settings, model).match(PROJECT) == expected
    assert model.encoded == []
    opened(settings, other)
    assert sorted(set(other.encoded)) == ["anna", "bea", "carla"]
    assert opened(settings, model).match(PROJECT) == expected
    assert model.encoded == []
    assert len(list(settings.vectors.iterdir())) == 2


def test_a_changed_marketplace_encodes_who_has_changed(settings: Settings) -> None:
    """One has left, one has come, one has another title, one another day rate, which is filtered on."""
    dora = freelancer("dora", "python")
    store_market(settings, (*ALL, dora))
    opened(settings)
    erna = freelancer("erna", "webshops wanted")
    store_market(settings, (erna, replace(ANNA, title="gardens"), CARLA, replace(dora, day_rate=900.0)))
    model = HashingModel()
    finder = opened(settings, model)
    assert sorted(model.encoded) == ["anna", "dora", "erna"]
    assert sorted(ids(finder)) == ["anna", "carla", "dora", "erna"]
    assert max(finder.match(PROJECT), key=lambda match: match.score).freelancer == erna
    assert "dora" not in [match.freelancer.id for match in finder.match(PROJECT, Filters(max_day_rate=500))]
    again = HashingModel()
    assert opened(settings, again).match(PROJECT) == finder.match(PROJECT)
    assert again.encoded == []


def test_all_are_encoded_again_on_request(settings: Settings) -> None:
    """Even if nothing has changed."""
    store_market(settings)
    expected = opened(settings).match(PROJECT)
    model = HashingModel()
    assert opened(settings, model, rebuild=True).match(PROJECT) == expected
    assert sorted(set(model.encoded)) == ["anna", "bea", "carla"]


@pytest.mark.first_case
@pytest.mark.parametrize("path", ["state.json", "profiles/ids.npy", "profiles/profiles.arrow", "store/manifest.json"])
@pytest.mark.parametrize("content", [None, b"{}"], ids=["missing", "damaged"])
def test_what_is_damaged_is_made_anew(settings: Settings, path: str, content: bytes | None) -> None:
    """Nobody has to know that there is such a folder."""
    store_market(settings)
    expected = opened(settings).match(PROJECT)
    [home] = settings.vectors.iterdir()
    (home / path).unlink()
    if content:
        (home / path).write_bytes(content)
    model = HashingModel()
    assert opened(settings, model).match(PROJECT) == expected
    assert sorted(set(model.encoded)) == ["anna", "bea", "carla"]


@pytest.mark.thorough
def test_a_file_that_lost_its_end_is_noticed(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    """Each file that is kept of the freelancers, cut short by one byte or, every other one, emptied; that is logged."""
    store_market(settings)
    expected = opened(settings).match(PROJECT)
    [home] = settings.vectors.iterdir()
    count = len([path for path in home.rglob("*") if path.is_file()])
    for place in range(count):
        path = sorted(path for path in home.rglob("*") if path.is_file())[place]  # segments have names of their own
        content = path.read_bytes()
        if not content:  # the lock
            continue
        path.unlink()  # it is mapped, and must not shrink under the finder that has it open
        path.write_bytes(content[: -(place % 2)])
        caplog.clear()
        model = HashingModel()
        assert opened(settings, model).match(PROJECT) == expected, path
        assert sorted(set(model.encoded)) == ["anna", "bea", "carla"], path
        assert "damaged" in caplog.text or path.name == "stamp", path


def test_an_update_that_was_cut_off_is_not_trusted(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The store has new vectors, the profiles are old: also when the old marketplace comes back, all is made anew."""
    store_market(settings)
    expected = opened(settings).match(PROJECT)
    store_market(settings, (replace(ANNA, title="gardens"), BEA, CARLA))
    with monkeypatch.context() as patch:
        patch.setattr(
            "jobmatch_core.retrieval.freelancer_index.IndexState.save",
            lambda *_: (_ for _ in ()).throw(KeyboardInterrupt),
        )
        with pytest.raises(KeyboardInterrupt):
            opened(settings)
    store_market(settings)
    assert opened(settings).match(PROJECT) == expected


def test_what_a_killed_process_left_goes(settings: Settings) -> None:
    """A million freelancers' half-written vectors take a gigabyte."""
    store_market(settings)
    opened(settings)
    [home] = settings.vectors.iterdir()
    for name in (".store.tmp-1a2b3c4d", ".profiles.tmp-1a2b3c4d"):
        (home / name).mkdir()
    opened(settings, rebuild=True)
    assert sorted(path.name for path in home.iterdir()) == ["lock", "profiles", "state.json", "store"]


class Interrupting(HashingModel):
    """Lets another thread open the same marketplace in the middle of its own encoding."""

    def __init__(self, other: threading.Thread) -> None:
        super().__init__()
        self._other = other

    def encode_freelancers(self, freelancers: Sequence[Freelancer]) -> FloatArray:
        """Start the other before the first is encoded."""
        if not self._other.ident:
            self._other.start()
        return super().encode_freelancers(freelancers)


@pytest.mark.parametrize("before", [(), (ANNA, BEA)], ids=["the first time", "after a change"])
def test_who_comes_second_waits_and_encodes_nobody(settings: Settings, before: Sequence[Freelancer]) -> None:
    """As two people do who try it at once."""
    if before:
        store_market(settings, before)
        opened(settings)
    store_market(settings)
    model, found = HashingModel(), []
    other = threading.Thread(target=lambda: found.append(opened(settings, model).match(PROJECT)))
    expected = opened(settings, Interrupting(other)).match(PROJECT)
    other.join()
    assert found == [expected]
    assert model.encoded == []


def test_progress_is_told(settings: Settings) -> None:
    """In freelancers."""
    store_market(settings)
    told: list[tuple[int, int]] = []
    open_finder("market", HashingModel(), settings=settings, progress=lambda *step: told.append(step))
    assert told == [(0, 3), (3, 3)]


def test_what_cannot_be_opened(settings: Settings) -> None:
    """No marketplace of that name, or one without freelancers, or one whose ids cannot be."""
    with pytest.raises(MarketplaceError, match="There is no marketplace 'market'"):
        opened(settings)
    store_market(settings, ())
    with pytest.raises(MatchingError, match="market has no freelancers"):
        opened(settings)
    store_market(settings, (ANNA, BEA, ANNA))
    with pytest.raises(MatchingError, match="Two freelancers have the id 'anna'"):
        opened(settings)
    store_market(settings, (ANNA, replace(BEA, id="")))
    with pytest.raises(MatchingError, match="id is empty"):
        opened(settings)


def test_who_is_in_the_store_alone_is_passed_over(settings: Settings) -> None:
    """A server may have been filled by another machine, from a later marketplace."""
    store_market(settings)
    finder = opened(settings)
    finder.store.upsert(["zoe"], HashingModel().encode_projects([PROJECT]), [Payload.of(ANNA)])
    assert ids(finder) == ["carla", "anna", "bea"]


def test_profiles_are_read_by_id(tmp_path: Path) -> None:
    """In blocks of the file or between them; who is not there is not in the answer."""
    many = [freelancer(f"{number * 7919 % 5000:04}", str(number)) for number in range(5000)]
    Profiles.write(tmp_path, many)
    profiles = Profiles(tmp_path)
    assert len(profiles) == 5000
    assert list(profiles) == many
    wanted: Sequence[Freelancer] = [many[0], many[2047], many[2048], many[4999]]
    assert profiles.by_id([*(each.id for each in wanted), "nobody"]) == {each.id: each for each in wanted}
    assert profiles.by_id([]) == {}
    assert np.array_equal(profiles.unchanged_since(profiles), np.ones(5000, dtype=bool))


def test_a_skill_is_declared_in_the_text_or_not_found() -> None:
    """What the profile only writes of is not missing; a common word of its language names no skill."""
    wanted = (skill("python"), skill("ml", "Machine Learning"), skill("go", "we"), skill("sap", "SAP"))
    project = replace(PROJECT, mandatory=wanted, bonus=())
    text = "We do machine  learning; SAPs"
    profile = replace(ANNA, description=text, experience="", language="en")
    found = compared_skills(project, profile)
    assert [each.state for each in found] == [
        SkillState.DECLARED,
        SkillState.IN_TEXT,
        SkillState.NOT_FOUND,
        SkillState.NOT_FOUND,
    ]
    assert found[1].written == "machine  learning"
    match = Match(profile, 0.5, 1, found)
    assert [each.key for each in match.shared] == ["python", "ml"]
    assert [each.key for each in match.missing] == ["go", "sap"]
    assert named_skills(found[:2]) == "python = Python; Machine Learning (in the text)"


def test_skills_are_shown_with_both_words_for_them() -> None:
    """Once where they are alike."""
    assert named_skills(compared_skills(PROJECT, CARLA)) == "python; machine learning = uczenie maszynowe; shops"
