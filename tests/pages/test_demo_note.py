"""In the demo's home, and only there, pages say that all is made up, and suggest what to try."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from jobmatch.services.demo_home import DemoHome, DemoText, write_demo
from jobmatch_core.io.user_store import TextStore
from jobmatch_core.settings import Settings
from tests.pages.observed import texts

MARK = "Demo: all data is made up"


@pytest.fixture
def demo(home: Path) -> DemoHome:
    """Make the home a demo with one posting."""
    settings = Settings(home)
    text_id = TextStore.open("postings", settings).add({"title": "Cook", "description": "You cook for forty guests."})
    demo = DemoHome(True, "x" * 22, (DemoText(text_id, "Cook", "en"),))
    write_demo(settings, demo)
    return demo


def test_another_home_says_nothing_of_a_demo(app: AppTest) -> None:
    """Not even a demo whose building was interrupted."""
    assert MARK not in texts(app.run())
    write_demo(Settings.from_environment(), DemoHome())
    app.run()
    assert MARK not in texts(app)
    assert "Three things to try" not in texts(app)


def test_the_first_page_suggests_what_to_try(app: AppTest, demo: DemoHome) -> None:
    """A list, a disagreement and a model, on their pages."""
    app.run()
    assert not app.exception
    assert MARK in texts(app)
    assert "Three things to try" in texts(app)
    links = [(link.proto.page, link.proto.query_string) for link in app.get("page_link")]
    assert links[:3] == [
        ("", f"view=many&list={demo.list_id}"),
        ("label_pairs", "view=agreement"),
        ("train_models", "for=towers"),
    ]


def test_every_page_has_the_mark(app: AppTest, demo: DemoHome) -> None:
    """Also those that draw little."""
    app.run()
    for page in ("about", "taxonomies"):
        app.switch_page(f"pages/{page}/{page}.py").run()
        assert not app.exception
        assert MARK in texts(app)


def test_a_posting_of_the_demo_is_opened(app: AppTest, demo: DemoHome) -> None:
    """By its button, as a stored text."""
    app.switch_page("pages/job_descriptions/job_descriptions.py").run()
    app.button(key=f"describe_demo_{demo.postings[0].id}").click().run()
    assert not app.exception
    assert app.text_input(key="describe_title").value == "Cook"
    assert app.query_params["text"] in (demo.postings[0].id, [demo.postings[0].id])
