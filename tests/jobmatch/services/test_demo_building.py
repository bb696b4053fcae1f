"""The demo's home: built by the product's services, opened again at once, rebuilt if broken, never in a user's home."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from db.label_store import LabelStore
from jobmatch.services import demo_building
from jobmatch.services.demo_building import LIST_NAME, DemoSize, open_demo
from jobmatch.services.demo_home import DemoHome, demo_folder, read_demo, write_demo
from jobmatch.services.runs import TrainingRuns
from jobmatch_core.demo.recruiter import RECRUITER
from jobmatch_core.entities import PairKind, Progress
from jobmatch_core.errors import SettingsError
from jobmatch_core.io.user_store import TextStore
from jobmatch_core.labelling.snapshot import open_snapshot
from jobmatch_core.linking import Linker, open_linker
from jobmatch_core.linking.list_store import ListStore
from jobmatch_core.linking.review import Review
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.settings import Settings

SMALL = DemoSize(titles=60, decided=40, postings=6, pairs=40, projects=30, freelancers=60)
UNTIL = date(2026, 11, 27)


@pytest.fixture(autouse=True)
def indexed(linker_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read the index that all tests share, instead of building one."""

    def opened(*, settings: Settings, progress: Progress) -> Linker:
        return open_linker(settings=Settings(linker_home))

    monkeypatch.setattr(demo_building, "open_linker", opened)


@pytest.fixture
def own(tmp_path: Path) -> Settings:
    """The user's own home, which does not exist yet."""
    return Settings(tmp_path / "own")


@pytest.fixture
def settings(own: Settings) -> Settings:
    """The demo's home."""
    return Settings(demo_folder(own), keep_days=0)


def opened(settings: Settings, own: Settings, *, fresh: bool = False, said: list[str] | None = None) -> DemoHome:
    """Open a small demo, whose training is a process that ends at once."""

    @contextmanager
    def step(what: str) -> Iterator[Progress]:
        if said is not None:
            said.append(what)
        yield lambda done, total: None

    runs = TrainingRuns(settings, (sys.executable, "-c", "pass"))
    return open_demo(settings, own, size=SMALL, step=step, fresh=fresh, until=UNTIL, runs=runs)


def listed(settings: Settings, demo: DemoHome) -> Review:
    """Return the demo's list."""
    return ListStore.open(settings).load(demo.list_id).review


def test_what_a_demo_holds(settings: Settings, own: Settings) -> None:
    """A linked list that is partly decided, postings, pairs judged twice, a snapshot, and a training."""
    said: list[str] = []
    demo = opened(settings, own, said=said)
    assert len(said) == 5
    assert read_demo(settings) == demo
    assert not own.home.exists()

    [entry] = ListStore.open(settings).listed()
    assert (entry.card.name, entry.card.rows) == (LIST_NAME, 60)
    review = listed(settings, demo)
    assert 20 < review.n_decided <= 40
    assert review.n_left > 0
    texts = TextStore.open("postings", settings)
    assert [texts.read(text.id)["title"] for text in demo.postings] == [text.title for text in demo.postings]
    assert len(demo.postings) == 6
    market = MarketplaceStore.open(settings).manifest("demo")
    assert (market.generated, market.counts["projects"], market.counts["freelancers"]) == (True, 30, 60)

    with LabelStore.open(settings.label_store) as store:
        current = store.current()
    of_pairs = [each for each in current if each.pair.kind is PairKind.PROJECT_FREELANCER]
    assert len(of_pairs) == 2 * len({each.pair for each in of_pairs}) == 80
    assert {each.annotator for each in current} == {"Robin (demo)", "Kim (demo)", RECRUITER}
    assert {each.provenance.policy for each in current} == {"demo"}
    assert len(open_snapshot(demo.snapshot, settings).snapshot.judgments) == len(current)
    [run] = TrainingRuns(settings).all()
    assert (run.request.model, run.request.snapshot) == (demo.training, demo.snapshot)


def test_a_second_start_builds_nothing(settings: Settings, own: Settings) -> None:
    """What was done in the demo is still there, until it is asked for a fresh one."""
    demo = opened(settings, own)
    review = listed(settings, demo)
    number = next(number for number in range(60) if not review.is_decided(number))
    review.decide({number: None}, "me")
    said: list[str] = []
    assert opened(settings, own, said=said) == demo
    assert said == []
    assert listed(settings, demo).is_decided(number)
    assert opened(settings, own, fresh=True) != demo
    assert len(ListStore.open(settings).listed()) == 1


@pytest.mark.thorough
def test_an_interrupted_building_begins_again(
    settings: Settings, own: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No page takes the half-built home for a demo, and nothing of it is left in the next one."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(demo_building, "judgments", interrupted)
        with pytest.raises(KeyboardInterrupt):
            opened(settings, own)
    assert settings.demo.exists()
    assert read_demo(settings) is None
    demo = opened(settings, own)
    assert read_demo(settings) == demo
    assert len(ListStore.open(settings).listed()) == 1


@pytest.mark.parametrize(
    "part", ["jobmatch.db", pytest.param("marketplaces/demo/manifest.json", marks=pytest.mark.thorough)]
)
def test_a_broken_demo_is_built_again(settings: Settings, own: Settings, part: str) -> None:
    """If its judgments or its marketplace are gone."""
    demo = opened(settings, own)
    (settings.home / part).unlink()
    again = opened(settings, own)
    assert again != demo
    assert (settings.home / part).exists()


@pytest.mark.thorough
def test_the_same_day_gives_the_same_demo(settings: Settings, own: Settings) -> None:
    """Titles, decisions and verdicts; ids of lists and texts are random, so that nobody guesses them."""
    demo = opened(settings, own)
    other = Settings(settings.home.with_name("other"), keep_days=0)
    again = opened(other, own)
    assert [(text.title, text.language) for text in again.postings] == [
        (text.title, text.language) for text in demo.postings
    ]
    first, second = listed(settings, demo), listed(other, again)
    assert first.rows == second.rows
    assert list(first.statuses()) == list(second.statuses())


def test_the_users_own_data_are_never_touched(own: Settings, settings: Settings) -> None:
    """Neither as the demo's folder nor in it, around it or beside other files."""
    for home in (own.home, own.home / "demo", own.home.parent):
        with pytest.raises(SettingsError, match="give another --home"):
            opened(Settings(home), own)
    assert not own.home.exists()
    settings.home.mkdir()
    (settings.home / "thesis.txt").write_text("mine", "utf-8")
    with pytest.raises(SettingsError, match="holds no demo, so nothing was changed"):
        opened(settings, own)
    assert [path.name for path in settings.home.iterdir()] == ["thesis.txt"]


@pytest.mark.thorough
def test_an_empty_folder_may_become_a_demo(settings: Settings, own: Settings) -> None:
    """As `mktemp -d` makes it."""
    settings.home.mkdir()
    assert opened(settings, own).ready


def test_only_a_finished_demo_is_read(settings: Settings) -> None:
    """A folder without its mark, a damaged mark, and one that says that the demo is being built are none."""
    assert read_demo(settings) is None
    settings.home.mkdir()
    write_demo(settings, DemoHome())
    assert read_demo(settings) is None
    write_demo(settings, replace(DemoHome(), ready=True))
    assert read_demo(settings) == DemoHome(ready=True)
    settings.demo.write_text("{", "utf-8")
    assert read_demo(settings) is None
