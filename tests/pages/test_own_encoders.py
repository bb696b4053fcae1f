"""The encoders of one's own on 'Train models': adding, use on the other pages, training over one, removal."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from jobmatch.access.principal import Principal, PrincipalKind, Role
from jobmatch.services.runs import TrainingRuns
from jobmatch.services.training_job import TowersJob
from jobmatch_core.benchmarks.datasets.tasks import Benchmark
from jobmatch_core.encoders.added_encoder import add_encoder, added_encoders
from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_blocks
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from pages.scoreboard import measuring
from pages.shared import sign_in
from pages.train_models import own_encoders
from tests.pages.observed import texts
from tests.tiny_transformer import save_transformer

Open = Callable[..., AppTest]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A transformer's folder, named ours."""
    return save_transformer(tmp_path_factory.mktemp("model") / "ours")


@pytest.fixture
def added(model: Path, home: Path) -> None:
    """Add the encoder to the home."""
    add_encoder("ours", model, Settings(home))


@pytest.fixture
def open_page(app: AppTest) -> Open:
    """Open a page by its folder, with parameters in the address."""

    def opened(page: str = "train_models", **parameters: str) -> AppTest:
        app.switch_page(f"pages/{page}/{page}.py")
        app.query_params.update(parameters)
        return app.run(timeout=60)

    return opened


@pytest.mark.usefixtures("added")
def test_links_open_pages_with_the_model(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """The model of 'Job descriptions' is in sight, and 'Measure' has only this system selected."""
    monkeypatch.setattr(measuring, "installed_benchmarks", lambda *_: [Benchmark("melo", "deu_q_de_c_de", Mock())])
    linked: dict[str, dict[str, str]] = {}
    monkeypatch.setattr(st, "page_link", lambda page, **given: linked.update({given["label"]: given["query_params"]}))
    own_encoders._places(added_encoders(Settings.from_environment())[0], key="test")
    assert linked["Job descriptions"] == {"model": "ours", "section": "models"}
    app = open_page("scoreboard", **linked["Scoreboard, 'Measure'"])
    assert not app.exception
    assert app.multiselect(key="board_systems_melo").value == ["encoder:ours"]
    app.multiselect(key="board_systems_melo").set_value(["linker"]).run()
    assert app.multiselect(key="board_systems_melo").value == ["linker"]


@pytest.fixture
def reviewer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sign a reviewer in, who may train, but not administer."""
    person = Principal("person:1", "Rita", Role.REVIEWER, PrincipalKind.PERSON)
    monkeypatch.setattr(sign_in, "principal", lambda: person)


def packed(model: Path) -> bytes:
    """Return a folder as a ZIP file."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for path in model.rglob("*"):
            archive.write(path, path.relative_to(model.parent))
    return file.getvalue()


def add_from(app: AppTest, folder: object, name: str = "") -> AppTest:
    """Type a folder of the server and a name, and press the button."""
    app.session_state["encoder_way"] = "folder"
    app.run()
    app.text_input(key="encoder_folder_0").set_value(str(folder)).run()
    app.text_input(key="encoder_name_0").set_value(name)
    return app.button(key="encoder_add").click().run(timeout=60)


def test_without_an_encoder_the_form_waits_for_one(open_page: Open) -> None:
    """The button is disabled until there is a file or a folder."""
    app = open_page()
    assert app.button(key="encoder_add").disabled
    assert "There is none yet" not in texts(app)


def test_a_zip_file_is_added_under_its_own_name(open_page: Open, model: Path, home: Path) -> None:
    """The result names the pages that can use it, and the form is empty again."""
    app = open_page()
    app.file_uploader(key="encoder_zip_0").set_value(("ours.zip", packed(model), "application/zip")).run()
    app.button(key="encoder_add").click().run(timeout=60)
    assert not app.exception
    assert [each.value for each in app.success] == ["Added **ours**. It can be used now on these pages:"]
    assert [encoder.name for encoder in added_encoders(Settings(home))] == ["ours"]
    assert not app.file_uploader(key="encoder_zip_1").value


def test_a_folder_of_the_server_is_added_under_a_name(open_page: Open, model: Path, home: Path) -> None:
    """An administrator may type its path."""
    app = add_from(open_page(), model, "theirs")
    assert not app.exception
    assert [encoder.name for encoder in added_encoders(Settings(home))] == ["theirs"]


@pytest.mark.parametrize(
    ("folder", "name", "problem"),
    [
        ("ours", "", "not the whole path"),
        ("/nowhere/ours", "", "no folder with an encoder"),
        ("/nowhere/ours", "../x", "no name for a model"),
        ("/nowhere/ours", "titles", "a model of jobmatch"),
    ],
)
def test_a_refused_model_says_what_to_do(open_page: Open, home: Path, folder: str, name: str, problem: str) -> None:
    """What was typed stays, and nothing is added."""
    app = add_from(open_page(), folder, name)
    assert not app.exception
    assert problem.replace(" ", "") in "".join(each.value for each in app.error).replace("\\", "").replace(" ", "")
    assert app.text_input(key="encoder_folder_0").value == folder
    assert added_encoders(Settings(home)) == []


@pytest.mark.usefixtures("added", "reviewer")
def test_only_administrators_add_and_remove(open_page: Open) -> None:
    """A reviewer sees the encoder and where it can be used, but no form and no path."""
    app = open_page()
    keys = {str(each.key) for kind in ("button", "text_input", "file_uploader") for each in app.get(kind)}
    assert "ours" in texts(app)
    assert not {
        key for key in keys if key.startswith(("encoder_add", "encoder_folder", "encoder_remove", "encoder_zip"))
    }


@pytest.mark.first_case
@pytest.mark.usefixtures("added")
@pytest.mark.parametrize(
    ("page", "parameters", "key"),
    [
        ("latent_map", {"model": "ours"}, "map_model"),
        ("latent_map", {"analysis": "model", "against": "ours"}, "map_against"),
        ("job_descriptions", {"model": "ours"}, "describe_model"),
    ],
)
def test_the_links_select_the_encoder(open_page: Open, page: str, parameters: dict[str, str], key: str) -> None:
    """The pages have it among their models and work with it."""
    app = open_page(page, **parameters)
    assert not app.exception
    assert not app.error
    assert app.session_state[key] == "ours"
    if page == "job_descriptions":
        assert "It is no probability: nothing was fitted for the model ours" in texts(app)
        assert "Probability 0" not in " ".join(bar.proto.text for bar in app.get("progress"))


@pytest.mark.usefixtures("added")
def test_the_scoreboard_offers_the_encoder(open_page: Open) -> None:
    """Of the titles' tasks as a system, of searches as an encoder."""
    app = open_page("scoreboard", section="measure", task="search")
    assert "ours" in app.multiselect(key="board_search_encoders").options


@pytest.mark.usefixtures("added")
def test_towers_are_trained_over_the_encoder(open_page: Open, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It becomes the backbone of a model with random weights."""
    settings = Settings(home)
    blocks = demo_blocks(TaxonomyStore.open(settings).load(BUNDLED_ID), DemoSpec(projects=12, freelancers=30))
    MarketplaceStore.open(settings).save("demo", blocks, origin={}, generated=True)
    started: list[TowersJob] = []
    monkeypatch.setattr(TrainingRuns, "start", lambda self, request, job: started.append(job))
    app = open_page(snapshot="")
    app.button(key="encoder_train_ours").click().run()
    assert app.selectbox(key="train_start_from").value == "ours"
    app.button(key="train_start").click().run()
    assert [(job.backbone, job.start) for job in started] == [("ours", "untrained")]


@pytest.mark.usefixtures("added")
def test_a_removal_asks_first_and_names_what_is_lost(open_page: Open, home: Path) -> None:
    """Models trained over the encoder are named; the encoder is gone after the second click."""
    towers = home / "models" / "over ours"
    towers.mkdir()
    (towers / "config.json").write_text('{"tower": {}, "backbone": "ours"}')
    app = open_page()
    app.button(key="encoder_remove_ours").click().run()
    assert "over ours" in texts(app)
    assert added_encoders(Settings(home))
    app.button(key="encoder_remove_confirmed").click().run()
    assert not app.exception
    assert added_encoders(Settings(home)) == []
    assert towers.exists()


@pytest.mark.usefixtures("added")
def test_a_role_that_was_taken_away_removes_nothing(
    open_page: Open, home: Path, request: pytest.FixtureRequest
) -> None:
    """The question was asked of an administrator, the answer is a reviewer's."""
    app = open_page()
    app.button(key="encoder_remove_ours").click().run()
    request.getfixturevalue("reviewer")
    app.button(key="encoder_remove_confirmed").click().run()
    assert added_encoders(Settings(home))
