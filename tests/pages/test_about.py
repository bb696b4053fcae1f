"""The page 'Help': its links, versions, keys, words and attributions."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from jobmatch.access.access import Access
from jobmatch.access.access_config import AccessConfig
from jobmatch.access.current_access import set_access
from jobmatch.access.principal import Role
from jobmatch_core import __version__
from jobmatch_core.linking.link_words import confidence_word
from pages.shared.page_list import PAGES
from tests.pages.conftest import ROOT
from tests.pages.observed import texts
from tests.pages.test_sign_in import become


@pytest.fixture
def about(app: AppTest) -> AppTest:
    """The page, before it is drawn."""
    app.run()
    return app.switch_page("pages/about/about.py")


def test_version_attributions_and_keys_are_shown(about: AppTest, home: Path) -> None:
    """The page shows the escaped attribution of each installed taxonomy, and the data folder."""
    app = about.run()
    assert not app.exception
    assert [title.value for title in app.title] == ["Help"]
    assert f"jobmatch {__version__}" in app.code[0].value
    assert "**Tiny 1:**" in texts(app)
    assert "International Labour Organization" in texts(app)
    assert app.code[1].value == str(home.resolve())


def test_every_page_has_a_link_that_says_what_it_is_for(about: AppTest) -> None:
    """All but this page, and 'Account', which is only there with sign-in."""
    labels = [link.proto.label for link in about.run().get("page_link")]
    listed = [page for folder, page in PAGES.items() if folder not in ("about", "account")]
    assert labels == [f"**{page.title}:** {page.purpose}" for page in listed]


@pytest.mark.parametrize(
    ("sources", "place"),
    [
        (("link_titles/review_panel.py", "link_titles/review_desk.py"), "Link titles, a list"),
        (("label_pairs/judge_tab.py",), "Label pairs"),
    ],
)
def test_the_keys_of_a_page_are_those_that_it_has(about: AppTest, sources: tuple[str, ...], place: str) -> None:
    """Every shortcut in the page's code is named, and no other letter."""
    code = "".join((ROOT / "pages" / source).read_text("utf-8") for source in sources)
    shortcuts = {key.upper() for key in re.findall(r'(?:shortcut=|search_by_key\()"(\w)"', code)}
    line = next(each.value for each in about.run().markdown if each.value.startswith(f"**{place}:**"))
    assert shortcuts == set(re.findall(r"`([A-Z])`", line))


def test_the_verdicts_have_the_keys_that_help_names(about: AppTest) -> None:
    """In the words of the buttons of 'Label pairs'."""
    code = (ROOT / "pages" / "label_pairs" / "judge_tab.py").read_text("utf-8")
    buttons = re.findall(r'\(Verdict\.\w+, N_\("([^"]+)"\), "(\d)"\)', code)
    assert len(buttons) == 4
    shown = texts(about.run()).replace("\u00a0", " ")
    assert all(f"`{key}` {label.lower()}" in shown for label, key in buttons)


def test_the_words_of_probabilities_are_those_of_the_linker(about: AppTest) -> None:
    """Sure from 0.8, likely from 0.5."""
    assert "at least 0.8, at least 0.5, or lower" in texts(about.run())
    assert [confidence_word(at) for at in (0.8, 0.79, 0.5, 0.49)] == ["sure", "likely", "likely", "unsure"]


@pytest.mark.parametrize("served", [True, False])
@pytest.mark.parametrize("built", [True, False])
def test_the_documentation_is_linked_where_it_is_served(
    about: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, served: bool, built: bool
) -> None:
    """By a server, and only if the site is built."""
    if built:
        (tmp_path / "index.html").touch()
    monkeypatch.setenv("JOBMATCH_DOCS", str(tmp_path))
    set_access(Access(AccessConfig(), pytest.fail) if served else None)  # type: ignore[arg-type]
    try:
        app = about.run()
    finally:
        set_access(None)
    assert not app.exception
    assert ("[documentation](/docs)" in texts(app)) is (served and built)


def test_only_administrators_see_the_folder(about: AppTest, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A viewer sees neither the server's folder nor the keys of pages that they may not open."""
    become(monkeypatch, Role.VIEWER)
    app = about.run()
    assert not app.exception
    assert all(str(home.resolve()) not in code.value for code in app.code)
    assert "Label pairs" not in texts(app)
