"""The page 'Crosswalks': from an uploaded list to reviewed mappings, two reviewers, conflicts and downloads."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from jobmatch_core.crosswalks.mapping import EXACT, Mapping, MappingSet
from jobmatch_core.crosswalks.review import CodeDecision, Target
from jobmatch_core.crosswalks.sssom import sssom_text
from jobmatch_core.crosswalks.store import CrosswalkStore, StoredCrosswalk
from jobmatch_core.settings import Settings
from tests.pages.conftest import ROOT, TINY_ID
from tests.pages.observed import texts

ELSEWHERE = MappingSet([Mapping("81", "http://example.org/nurse", EXACT, "Care")])
LIST = b"code,name\n22,Care\n2221,nurse\n51,Service\n5120,cook\n5131,waiter <b>\n"


def opened(**parameters: str) -> AppTest:
    """Open the page in a new session."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.switch_page("pages/crosswalks/crosswalks.py")
    app.query_params.update({"taxonomy": TINY_ID} | parameters)
    return app.run()


def begun(name: str = "national.csv", content: bytes = LIST) -> AppTest:
    """Upload a file and press the button."""
    app = opened()
    app.file_uploader(key="crosswalk_file").set_value((name, content, "text/csv")).run()
    app.button(key="crosswalk_start").click().run()
    assert not app.exception
    return app


def stored(home: Path) -> StoredCrosswalk:
    """Return the only stored crosswalk."""
    store = CrosswalkStore.open(Settings(home))
    [(crosswalk_id, _)] = store.listed()
    return store.load(crosswalk_id)


def picks(app: AppTest) -> list[str]:
    """Return the candidates, without the signs of Markdown."""
    labels = [each.label for each in app.button if str(each.key).startswith("pick_")]
    return [label.replace("\\", "").replace("**", "") for label in labels]


def heading(app: AppTest) -> str:
    """Return the code that the panel shows, with its state."""
    return next(str(each.value) for each in app.caption if str(each.value).startswith(("22", "51"))).replace("\\", "")


def test_from_a_list_to_reviewed_mappings(home: Path) -> None:
    """Each key is a decision that is stored at once, and the next code is shown; undo takes it back."""
    app = begun()
    assert heading(app).startswith("22 · ")
    table = app.dataframe(key="crosswalk_table").value
    assert table["Code"].tolist() == ["22", "\u20032221", "51", "\u20035120", "\u20035131"]
    app.button(key="none_of_these").click().run()
    assert heading(app).startswith("2221 · proposed · in 22 Care")
    assert picks(app)[0] == "exact · nurse"
    app.button(key="accept").click().run()
    review = stored(home).review
    [nurse] = review.mappings("2221")
    assert (nurse.target, nurse.relation, nurse.reviewer, nurse.state) == ("nurse", "exact", "me", "reviewed")
    assert [item.relation for item in review.mappings("22")] == ["none"]
    assert "Service" in texts(app)
    app.button(key="undo").click().run()
    assert heading(app).startswith("2221 · proposed")
    assert stored(home).review.decisions("2221") == []


def test_mappings_are_taken_as_they_are(home: Path) -> None:
    """The button says so, and the mapping of the file is reviewed."""
    mappings = MappingSet([Mapping("2221", "nurse", EXACT, "Care")], target_base=f"urn:jobmatch:{TINY_ID}:")
    app = opened()
    app.file_uploader(key="crosswalk_file").set_value(("KldB.tsv", sssom_text(mappings).encode(), "text/csv")).run()
    assert app.button(key="crosswalk_start").label == "Review these mappings"
    app.button(key="crosswalk_start").click().run()
    assert not app.exception
    assert picks(app)[0] == "exact · nurse"
    [mapping] = stored(home).review.mappings("2221")
    assert (mapping.target, mapping.relation) == ("nurse", "exact")


def test_columns_are_chosen(home: Path) -> None:
    """Where the guess would be wrong; what the list says of a code stands below its name."""
    app = opened()
    content = b"nr,key,title,definition\n1,2221,nurse,Cares for <b>people\n2,5120,cook,\n"
    app.file_uploader(key="crosswalk_file").set_value(("list.csv", content, "text/csv")).run()
    for label, column in {"Codes": "key", "Names": "title", "Descriptions": "definition"}.items():
        next(box for box in app.selectbox if box.label == label).set_value(column)
    assert "ISCO-08 codes" not in [box.label for box in app.selectbox]
    app.run().button(key="crosswalk_start").click().run()
    assert not app.exception
    assert [code.code for code in stored(home).review.codes.values()] == ["2221", "5120"]
    assert "Cares for <b>people" in texts(app)


def test_relations_are_picked(home: Path) -> None:
    """A digit adds a concept, a letter gives its relation or removes it, a search finds others."""
    begun()
    app = opened(crosswalk=stored(home).id, code="51")
    search = next(each for each in app.text_input if each.label == "Another concept")
    search.set_value("Koch").run()
    assert picks(app)[0].endswith("cook")
    app.button(key="pick_1").click().run()
    app.button(key="relation_broader").click().run()
    assert picks(app)[0] == "broader · cook"
    app.button(key="group").click().run()
    assert picks(app)[0] == "broader · cook"
    n_listed = len(picks(app))
    app.button(key="more").click().run()
    assert len(picks(app)) >= n_listed
    assert "more" not in [button.key for button in app.button]
    app.text_input(key="crosswalk_comment").set_value("cooks are service workers").run()
    app.button(key="accept").click().run()
    mappings = {item.target: item for item in stored(home).review.mappings("51")}
    assert (mappings["cook"].relation, mappings["cook"].comment) == ("broader", "cooks are service workers")
    app = opened(crosswalk=stored(home).id, view="all", code="51")
    for place, label in enumerate(picks(app), 1):
        if " · " in label:
            app.button(key=f"pick_{place}").click().run()
            app.button(key="remove").click().run()
    assert app.button(key="accept").disabled


def test_a_second_reviewer_is_not_led(home: Path) -> None:
    """The first decision is hidden until one has decided; then both are shown, and differing ones are disputed."""
    begun()
    crosswalk = stored(home)
    crosswalk.decide(CodeDecision("5120", "Ada", "2026-11-28T08:00:00", {"waiter": Target("waiter", "close")}, "why"))
    app = opened(crosswalk=crosswalk.id, view="second review")
    assert heading(app).startswith("5120 · reviewed")
    assert picks(app)[0] == "exact · cook"
    assert "Ada decided" not in texts(app)
    assert app.dataframe(key="crosswalk_table").value["Mapped to"].tolist() == ["= cook"]
    app.button(key="accept").click().run()
    app = opened(crosswalk=crosswalk.id, view="disputed")
    assert heading(app).startswith("5120 · disputed")
    assert "Ada decided: overlaps with waiter (why)" in texts(app)


def test_conflicts_are_shown(home: Path) -> None:
    """The view lists the codes, the panel says what contradicts."""
    begun()
    crosswalk = stored(home)
    for code in ("2221", "5120"):
        crosswalk.decide(CodeDecision(code, "Ada", "2026-11-28T08:00:00", {"nurse": Target("nurse", "exact")}))
    app = opened(crosswalk=crosswalk.id, view="conflicts")
    assert heading(app).startswith("5120")
    assert "means the same as several source codes: 2221; 5120" in texts(app)


def test_a_crosswalk_is_opened_again_and_deleted(home: Path) -> None:
    """By its address and from the list; an unknown one says so."""
    begun()
    crosswalk = stored(home)
    app = opened(crosswalk=crosswalk.id, code="5131")
    assert heading(app).startswith("5131")
    assert "waiter <b>" in texts(app)
    app.button(key="crosswalk_others").click().run()
    app.button(key=f"delete_{crosswalk.id}").click().run()
    app.button(key="crosswalk_delete_confirmed").click().run()
    assert CrosswalkStore.open(Settings(home)).listed() == []
    assert "There is no such crosswalk here" in texts(opened(crosswalk=crosswalk.id))


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.csv", b"x,y\n", "a.csv"),
        ("a.tsv", b"subject_id\tsubject_label\n1\tx\n", "the column predicate_id is missing"),
        ("a.tsv", sssom_text(ELSEWHERE).encode(), "it maps to another taxonomy than tiny-1"),
    ],
)
def test_bad_files(name: str, content: bytes, says: str) -> None:
    """The message says what is wrong; nothing is stored."""
    app = begun(name, content)
    assert says in texts(app)
