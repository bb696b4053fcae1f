"""The list of pages: it has every page, what people do there, and the role that it needs."""

from jobmatch.access.principal import Role
from pages.shared.page_list import PAGES
from tests.pages.conftest import ROOT


def test_every_folder_with_a_page_is_listed() -> None:
    """A page is a folder with a file of the same name."""
    folders = {path.parent.name for path in (ROOT / "pages").glob("*/*.py") if path.stem == path.parent.name}
    assert folders == set(PAGES)


def test_help_says_what_each_page_is_for() -> None:
    """In a sentence; the page 'Help' does not list itself."""
    assert [folder for folder, page in PAGES.items() if not page.purpose.endswith(".")] == ["about"]


def test_the_roles_of_pages() -> None:
    """Written by hand, to notice an error in the list."""
    others = {folder: page.role for folder, page in PAGES.items() if page.role is not Role.VIEWER}
    assert others == {"label_pairs": Role.ANNOTATOR, "train_models": Role.REVIEWER, "audit": Role.REVIEWER}
