"""The tour of a first visit: its steps by role, closed for good, shown again from the page 'Help'."""

import shutil
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from jobmatch.access.principal import Role
from pages.shared import sign_in
from tests.pages.conftest import ROOT
from tests.pages.observed import texts
from tests.pages.test_sign_in import become


@pytest.fixture
def first_visit(home: Path) -> Path:
    """A home in which nobody has closed the tour."""
    shutil.rmtree(home / "tours")
    return home


def keys(app: AppTest) -> set[str]:
    """Return the keys of the tour's buttons."""
    return {str(button.key) for button in app.button if str(button.key).startswith("tour_")}


def test_three_steps_and_closed_for_good(app: AppTest, first_visit: Path) -> None:
    """Each step names its reader; the last has no 'Next'; closed, it is gone from this session and the next one."""
    app.run()
    for number, reader in enumerate(("Recruiters", "Data scientists", "Annotators"), 1):
        assert f"{number} of 3]] **{reader}:**" in texts(app)
        assert keys(app) == ({"tour_next", "tour_close"} if number < 3 else {"tour_close"})
        app.button(key="tour_next" if number < 3 else "tour_close").click().run()
    assert not app.exception
    assert not keys(app)
    assert [path.name for path in (first_visit / "tours").iterdir()] == ["everybody"]
    again = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30).run()
    assert not keys(again)


def test_the_tour_stands_above_the_entry_of_titles_alone(app: AppTest, first_visit: Path) -> None:
    """No other page has it; both views of the entry do."""
    app.query_params["view"] = "many"
    assert keys(app.run())
    app.switch_page("pages/about/about.py").run()
    assert not keys(app)


def test_help_shows_a_closed_tour_again(app: AppTest, home: Path) -> None:
    """It opens 'Link titles' at the first step; whoever closed it before has closed it in other sessions still."""
    assert not keys(app.run())
    app.switch_page("pages/about/about.py").run()
    app.button(key="show_tour").click().run()
    assert not app.exception
    assert "**Recruiters:**" in texts(app)
    assert (home / "tours" / "everybody").exists()


def test_people_who_sign_in_close_it_for_themselves(
    app: AppTest, first_visit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A viewer has no step for a page that they may not open."""
    person = become(monkeypatch, Role.VIEWER)
    app.run()
    assert "1 of 2]" in texts(app)
    app.button(key="tour_close").click().run()
    assert [path.name for path in (first_visit / "tours").iterdir()] == [person.id]
    assert sign_in.owner() == person.id


def test_a_disk_that_refuses_closes_it_for_now(app: AppTest, first_visit: Path) -> None:
    """The tour closes, and a message says why it comes back."""
    (first_visit / "tours").write_text("not a folder", "utf-8")
    app.run()
    app.button(key="tour_close").click().run()
    assert not app.exception
    assert not keys(app)
    assert "shows again at the next visit" in app.toast[0].value
