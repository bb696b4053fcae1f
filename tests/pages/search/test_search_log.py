"""The log of the page 'Search': consent, what is kept and erased, the varied order, and training on it."""

import shutil
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import pytest
from streamlit.testing.v1 import AppTest

from db.label_store import LabelStore
from jobmatch.services import search_log
from jobmatch.services.home_services import home_services
from jobmatch.services.training_job import SearchJob
from jobmatch_core.errors import SettingsError
from jobmatch_core.io.user_store import new_id
from jobmatch_core.model_store.model_spec import ModelKind
from jobmatch_core.retraining.online_comparison import start_comparison, stop_comparison
from jobmatch_core.retraining.promotion import promote, roll_back
from jobmatch_core.search.search_encoder import DOCUMENT
from jobmatch_core.search.search_models import load_search_encoder, shipped_folder
from jobmatch_core.search_events import SearchKind
from jobmatch_core.settings import Settings
from jobmatch_core.training.figures import Watch
from tests.made_search_encoder import encoder, tower
from tests.pages.conftest import TINY_ID
from tests.pages.search.conftest import titles

Open = Callable[..., AppTest]
QUERIES = ("nurse", "cares for patients", "waiter", "serves food", "cook", "prepares meals")
RECIPE = """
name = "from-log"
dimension = 16
[[tasks]]
name = "choices"
kind = "positives"
made = "search-log"
loss = "softmax"
[training]
epochs = 2
batch_size = 4
learning_rate = 0.05
validation = 0.3
least_texts = 1
"""


def consent(app: AppTest) -> AppTest:
    """Switch the log on."""
    return app.toggle(key="search_keep").set_value(True).run()


def store_of(home: Path) -> LabelStore:
    """Open the label store of the test's home."""
    return LabelStore.open(Settings(home).label_store)


def test_nothing_is_kept_without_consent(page: Open, home: Path) -> None:
    """The log is off by default, and nothing is stored."""
    app = page(query="nurse")
    assert app.toggle(key="search_keep").value is False
    app.button(key="search_open_1").click().run()
    assert not Settings(home).may_have_labels


def test_what_is_opened_is_kept_and_can_be_erased(page: Open, home: Path) -> None:
    """An opened result is stored once with the hits in their order, listed, and erased by a click."""
    app = consent(page(query="nurse"))
    assert any("for 90 days" in each.value for each in app.markdown)
    cards = titles(app)
    for _ in range(3):  # open, close, open
        app.button(key="search_open_2").click().run()
    assert not app.exception
    with store_of(home) as store:
        [shown], [choice] = store.searches(), store.search_choices()
    assert (shown.query, shown.source, len(shown.items)) == ("nurse", TINY_ID, len(cards))
    assert (choice.rank, choice.item) == (2, shown.items[1])
    [listed] = [each.value for each in app.dataframe if "Opened" in each.value]
    assert listed.to_dict("list") == {"Search": ["nurse"], "Opened": [cards[1]], "Rank": [2]}
    app.button(key="search_log_erase").click().run()
    with store_of(home) as store:
        assert store.search_log_size().searches == 0
    assert any(each.value == "No searches are stored here." for each in app.markdown)


def test_somebody_erases_their_own_searches(page: Open, home: Path, cookies: dict[str, str]) -> None:
    """All tabs of the browser are covered, also while the log is off; others' searches remain."""
    mine, theirs = new_id(), new_id()
    cookies["jobmatch_search_log"] = "plain"
    for searcher in (theirs, mine):
        cookies["jobmatch_searcher"] = searcher
        page(query="nurse").button(key="search_open_1").click().run()
    del cookies["jobmatch_search_log"]
    app = page(query="cook")
    assert "the 1 search that this browser stored" in " ".join(each.value for each in app.markdown)
    app.button(key="search_log_erase_own").click().run()
    assert not app.exception
    assert "search_log_erase_own" not in [each.key for each in app.button]
    with store_of(home) as store:
        assert [store.searches_of(searcher) for searcher in (mine, theirs)] == [0, 1]


def test_an_erased_search_is_not_stored_again(page: Open, home: Path) -> None:
    """The search on display is not stored after it was erased, but the next one is."""
    app = consent(page(query="nurse"))
    app.button(key="search_open_1").click().run()
    app.button(key="search_log_erase_own").click().run()
    app.button(key="search_open_2").click().run()
    for query in ("cook", "waiter"):
        app.text_input(key="search_query").set_value(query).run()
    assert not app.exception
    with store_of(home) as store:
        assert [each.query for each in store.searches()] == ["cook"]


@pytest.mark.first_case
@pytest.mark.parametrize("cookie", ["", "x" * 22 + "'; DROP TABLE", "\ud800" * 22])
def test_a_made_up_cookie(page: Open, home: Path, cookies: dict[str, str], cookie: str) -> None:
    """An invalid cookie is replaced and matches no searches, not even those without an id from earlier releases."""
    cookies["jobmatch_searcher"] = cookie
    app = page(query="nurse")
    consent(app).button(key="search_open_1").click().run()
    assert not app.exception
    with store_of(home) as store:
        assert (store.search_log_size().searches, store.searches_of(cookie.encode("utf-8", "replace").decode())) == (
            1,
            0,
        )


def test_half_typed_searches_are_not_kept(page: Open, home: Path) -> None:
    """A search is stored only if the next one does not continue it."""
    app = consent(page())
    for query in ("nur", "nurs", "nurse", "cook"):
        app.text_input(key="search_query").set_value(query).run()
    with store_of(home) as store:
        assert [each.query for each in store.searches()] == ["nurse"]
    app.toggle(key="search_keep").set_value(False).run()
    app.text_input(key="search_query").set_value("waiter").run()
    with store_of(home) as store:
        assert [each.query for each in store.searches()] == ["nurse"]


def test_swapped_neighbours_stay_where_they_are(page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """A swap survives redraws; without swaps hits are in ranked order."""
    monkeypatch.setattr(search_log, "drawn_order", lambda items, seed: ((items[1], items[0], *items[2:]), 1, True))
    app = page(query="nurse")
    first, second, *_ = titles(app)
    assert titles(consent(app).run())[:2] == [second, first]
    assert titles(app.run())[:2] == [second, first]
    app.toggle(key="search_swap").set_value(False).run()
    app.text_input(key="search_query").set_value("the nurse").run()
    assert titles(app)[:2] == [first, second]


@pytest.mark.thorough
def test_results_of_two_models_are_mixed(page: Open, home: Path) -> None:
    """While a comparison runs, with consent: opened results are credited, and nothing moves until the next query."""
    encoder(**{DOCUMENT: tower()}).save(home / "models" / "mine", {})
    comparison = start_comparison(ModelKind.SEARCH, "mine", Settings(home), who="ann")
    home_services().searching.opening(SearchKind.OCCUPATIONS, TINY_ID, "mine").result()
    app = consent(page(query="nurse")).run()
    before = titles(app)
    app.button(key="search_open_2").click().run()
    assert not app.exception
    assert titles(app) == before
    stop_comparison(Settings(home))
    assert titles(app.run()) == before
    with store_of(home) as store:
        [shown] = store.searches()
        assert (shown.model, shown.candidate) == comparison.encoders
        assert len(shown.teams) == len(shown.items) == len(before)
        result = search_log.comparison_credit(store, comparison)
    assert (result.searches, result.opened) == (1, 1)


def test_the_order_is_not_varied_without_consent(page: Open, home: Path) -> None:
    """With the varied order switched off, no candidate answers, although a comparison runs."""
    encoder(**{DOCUMENT: tower()}).save(home / "models" / "mine", {})
    start_comparison(ModelKind.SEARCH, "mine", Settings(home), who="ann")
    ranked = titles(page(query="nurse"))
    app = consent(page())  # no search is logged, and none shown in a varied order, before the switch is off
    app.toggle(key="search_swap").set_value(False).run()
    app.text_input(key="search_query").set_value("nurse").run()
    assert titles(app) == ranked
    app.button(key="search_open_1").click().run()
    with store_of(home) as store:
        assert {search.candidate for search in store.searches()} == {""}


def test_a_candidate_that_is_gone(page: Open, home: Path) -> None:
    """The model in use answers alone, and the next run says why."""
    encoder(**{DOCUMENT: tower()}).save(home / "models" / "mine", {})
    start_comparison(ModelKind.SEARCH, "mine", Settings(home), who="ann")
    shutil.rmtree(home / "models" / "mine")
    app = consent(page(query="nurse"))
    app.text_input(key="search_query").set_value("cook").run()
    app.text_input(key="search_query").set_value("waiter").run()
    assert not app.exception
    assert titles(app)
    assert "mine" in app.error[0].value


def test_consent_is_remembered_by_the_browser(page: Open, cookies: dict[str, str]) -> None:
    """A cookie holds the consent."""
    cookies["jobmatch_search_log"] = "plain"
    app = page(query="nurse")
    assert (app.toggle(key="search_keep").value, app.toggle(key="search_swap").value) == (True, False)


def searched_by(app: AppTest, home: Path) -> str:
    """Search and open a hit; return the name of the search model in the log."""
    app.text_input(key="search_query").set_value(str(uuid4())).run()
    app.text_input(key="search_query").set_value("waitress").run()
    app.button(key="search_open_1").click().run()
    app.button(key="search_open_1").click().run()  # closed: by chance it may come first again
    assert not app.exception
    with store_of(home) as store:
        return store.searches()[-1].model


@pytest.mark.thorough
def test_from_the_log_to_a_search_and_back(page: Open, home: Path, tmp_path: Path) -> None:
    """Training needs consent; a trained model searches only while it is promoted."""
    settings = Settings(home)
    recipe = tmp_path / "from-log.toml"
    recipe.write_text(RECIPE, "utf-8")
    job = SearchJob(str(recipe))
    app = page(query="nurse")
    app.button(key="search_open_1").click().run()
    with pytest.raises(SettingsError, match="The search log has nothing to learn from"):
        job.train(settings, Watch())
    consent(app)
    for query in QUERIES:
        app.text_input(key="search_query").set_value(query).run()
        app.button(key="search_open_2").click().run()
        app.button(key="search_open_2").click().run()
    assert not app.exception
    with store_of(home) as store:
        assert {each.query for each in store.searches()} == set(QUERIES)
        models = {each.model for each in store.searches()}
        assert [each.rank for each in store.search_choices()] == [2] * len(QUERIES)
    trained = job.train(settings, Watch())
    [task] = trained.report.tasks
    assert task.trained + task.held_out == len(QUERIES)
    assert trained.report.comparison.parts[0].n == task.held_out
    assert models == {load_search_encoder("", settings).name}
    promote(ModelKind.SEARCH, "from-log", settings, who="ann")
    assert searched_by(app, home) == load_search_encoder("from-log", settings).name != models.pop()
    roll_back(ModelKind.SEARCH, settings, who="ann")
    assert searched_by(app, home).startswith(shipped_folder().name)


def test_what_is_opened_is_kept_after_an_earlier_consent(page: Open, home: Path, cookies: dict[str, str]) -> None:
    """The first opened result in a new tab is stored."""
    cookies["jobmatch_search_log"] = "plain"
    page(query="nurse").button(key="search_open_1").click().run()
    with store_of(home) as store:
        assert [each.rank for each in store.search_choices()] == [1]
