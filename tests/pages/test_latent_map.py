"""The page 'Latent map': the first map, colours, search, selection, empty states, error messages."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from jobmatch_core.maps.stored_items import occupation_items
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.titles.encoder import shipped_folder
from pages.latent_map import map_chart, rings
from pages.shared import label_market
from tests.pages.conftest import TINY_ID
from tests.pages.find_freelancers.conftest import market, market_home
from tests.pages.observed import texts
from tests.tiny_transformer import save_transformer, trap

__all__ = ["market", "market_home"]  # fixtures


@pytest.fixture
def page(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Open the page with parameters in the address, by PCA, which compiles nothing; wait for its figures."""
    monkeypatch.setattr(map_chart, "_PATIENCE_SECONDS", 60.0)

    def opened(**parameters: str) -> AppTest:
        app.query_params.clear()
        for name, value in {"method": "pca", "taxonomy": TINY_ID, **parameters}.items():
            app.query_params[name] = value
        return app.switch_page("pages/latent_map/latent_map.py").run()

    return opened


def test_it_opens_on_a_picture(page: Any) -> None:
    """The page opens with a coloured map of occupations, and figures with explanations."""
    app = page(taxonomy="isco-08")
    assert not app.exception
    assert not app.error
    assert app.selectbox(key="map_what").value == "occupations"
    assert "trustworthiness **" in texts(app)
    assert "language mixing **" in texts(app)
    assert "Click a point to list its nearest neighbours" in texts(app)
    assert app.query_params["method"] == "pca"


def test_colours_contours_and_one_group(page: Any) -> None:
    """The view is in the address; unknown values are ignored."""
    app = page(taxonomy="isco-08", colour="ISCO major group", within="2")
    assert not app.exception
    assert app.selectbox(key="map_within").value == "2"
    assert "2 Professionals" in app.selectbox(key="map_within").options
    assert app.toggle(key="map_contours").value is False
    app.toggle(key="map_contours").set_value(True).run()
    assert not app.exception
    app.selectbox(key="map_colour").set_value("cluster").run()
    assert not app.exception
    assert app.selectbox(key="map_within").options == ["whole map"]
    assert app.query_params["colour"] == "cluster"


@pytest.mark.thorough
def test_a_link_opens_the_same_view(page: Any) -> None:
    """The link holds everything that is chosen; unknown languages and numbers are ignored."""
    chosen = {
        "taxonomy": "isco-08",
        "colour": "language",
        "languages": "en,fr",
        "names": "on",
        "lines": "on",
        "analysis": "odd",
        "find": "nurse",
    }
    app = page(**chosen)
    assert not app.exception
    assert app.multiselect(key="map_languages").value == ["en", "fr"]
    assert app.toggle(key="map_all_names").value
    assert app.toggle(key="map_lines").value
    assert not app.toggle(key="map_contours").value
    [link] = [code.value for code in app.code]
    query = dict(parse_qsl(urlsplit(link).query))
    assert {name: query.get(name) for name in chosen} == chosen


def test_numbers_of_an_address(page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are kept within their limits; what is no number, and an unknown language, is ignored."""
    monkeypatch.setattr(map_chart, "_projecting", lambda *arguments: _Endless())
    app = page(method="umap", taxonomy="isco-08", languages="xx,de", neighbours="700", distance="inf")
    assert not app.exception
    assert app.multiselect(key="map_languages").value == ["de"]
    assert app.slider(key="map_neighbours").value == 100
    assert app.slider(key="map_min_dist").value == 0.1


def test_what_is_looked_for(page: Any) -> None:
    """Several matches are offered; a text without a match is reported, escaped."""
    app = page(taxonomy="isco-08", find="nurs")
    assert len(app.selectbox(key="map_found_nurs").options) > 1
    app.text_input(key="map_find").set_value("**nobody** :red[x]").run()
    assert "No item is called **nobody** :\u2060red[x]" in texts(app)
    assert not app.exception


def test_from_one_model_to_another(page: Any) -> None:
    """The map moves to another model's; the table lists drifted points with the names of neighbours gained and lost."""
    app = page(taxonomy="isco-08")
    app.selectbox(key="map_panel").set_value("model").run()
    assert not app.exception
    [chart] = app.get("plotly_chart")
    drawn = json.loads(chart.proto.spec)
    [menu] = drawn["layout"]["updatemenus"]
    assert [button["label"] for button in menu["buttons"]] == ["▶ shipped title encoder", "▶ letters (TF-IDF)"]
    assert [frame["name"] for frame in drawn["frames"]] == menu["buttons"][1]["args"][0]
    assert "on average **" in texts(app)
    assert {"id", "drift", "neighbours gained", "neighbours lost"} <= set(app.dataframe[-1].value.columns)
    figures = [caption.value.replace("\\", "") for caption in app.caption if caption.value.startswith("PCA, ")]
    assert figures == ["PCA, shipped title encoder:", "PCA, letters (TF-IDF):"]


@pytest.mark.thorough
def test_neighbours_say_their_model(page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside another model, those of either are listed; the map rings them, and ticked rows are used together."""
    ids = occupation_items(TaxonomyStore.open().load("isco-08"), ["en", "de", "fr"]).ids
    ringed: list[tuple[Any, ...]] = []
    monkeypatch.setattr(rings, "show", lambda *given: ringed.append(given))
    app = page(taxonomy="isco-08")
    select(monkeypatch, ids[0])
    app.selectbox(key="map_panel").set_value("model").run()
    assert "nearest neighbours by the model shipped title encoder" in texts(app)
    near = list(app.dataframe[0].value["id"])
    assert ringed[-1] == ("map_chart", ids[0], near[1:], [])
    app.segmented_control(key="map_near_model").set_value("tf-idf").run()
    assert not app.exception
    assert "nearest neighbours by the model letters" in texts(app)
    assert list(app.dataframe[0].value["id"]) != near


def test_languages_and_odd_places(page: Any) -> None:
    """The panels show alignment and uniformity (as figure 5 of the paper), outliers and near-duplicates."""
    app = page(taxonomy="isco-08")
    app.selectbox(key="map_panel").set_value("languages").run()
    assert not app.exception
    compared = app.dataframe[-1].value
    assert set(compared["language"]) == {"German", "French"}
    assert compared["alignment"].is_monotonic_increasing
    assert compared["pairs of names"].to_list() == [436, 436]
    assert compared["uniformity"].lt(0).all()
    app.selectbox(key="map_panel").set_value("odd").run()
    assert not app.exception
    assert "near-duplicates" in texts(app)
    assert "surrounded by" in app.dataframe[-1].value.columns or "item" in app.dataframe[-1].value.columns


def test_titles_of_ones_own_that_are_not_there_yet(page: Any) -> None:
    """The page explains the map and links to 'Link titles'."""
    app = page(what="titles")
    assert not app.exception
    assert "This map shows your own titles" in texts(app)


def test_a_linked_list_is_mapped(page: Any) -> None:
    """Points are coloured by the confidence of their links."""
    app = page()
    app.switch_page("pages/link_titles/link_titles.py")
    app.query_params["view"] = "many"
    app.run()
    names = ["nurse", "cook", "driver", "Koch", "Head of Vibes", "nurse aide"]
    app.text_area(key="many_paste").set_value("\n".join(names)).run()
    app.button(key="many_link").click().run()
    app.query_params["what"], app.query_params["method"] = "titles", "pca"
    app.switch_page("pages/latent_map/latent_map.py").run()
    assert not app.exception
    assert "confidence" in app.selectbox(key="map_colour").options
    assert "trustworthiness" in texts(app)


def select(monkeypatch: pytest.MonkeyPatch, *ids: str) -> None:
    """Select points as a lasso would: AppTest has no mouse."""
    monkeypatch.setattr(map_chart, "_selected", lambda event: list(ids))


@pytest.mark.thorough
def test_selected_freelancers_go_to_be_labelled(page: Any, market: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table lists the selected ids; each forms a pair with the chosen project, with the policy 'map'."""
    app = page(what="freelancers", marketplace="demo", model="untrained")
    assert not app.exception
    people = [each.id for each in market.load("demo").freelancers][:3]
    select(monkeypatch, *people)
    app.run()
    assert app.dataframe[0].value["id"].to_list() == people
    project = app.selectbox(key="map_partner_freelancers").value
    handed: list[Any] = []
    monkeypatch.setattr(label_market, "hand_over", lambda source, proposals: handed.extend(proposals))
    app.button(key="map_judge").click().run()
    assert [(each.pair.left, each.pair.right) for each in handed] == [(project, id_) for id_ in people]
    assert {each.provenance.policy for each in handed} == {"map"}


def test_the_neighbours_of_one_point_are_listed(page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The point, then its ten neighbours, nearest first, with distances in the model's space; several have none."""
    ids = occupation_items(TaxonomyStore.open().load("isco-08"), ["en", "de", "fr"]).ids
    app = page(taxonomy="isco-08")
    select(monkeypatch, ids[0])
    app.run()
    assert not app.exception
    [found] = [table.value for table in app.dataframe]
    assert found["distance"].is_monotonic_increasing
    assert list(found.columns[:4]) == ["distance", "text", "ISCO major group", "language"]
    assert found["id"].nunique() == 1 + 10
    assert (found["id"][0], found["distance"][0]) == (ids[0], 0)
    select(monkeypatch, *ids[:2])
    assert "distance" not in app.run().dataframe[0].value


def test_a_table_of_ones_own(page: Any) -> None:
    """Layout and titles are detected as on 'Link titles'; without a column of titles, the page asks for one."""
    app = page(what="titles")
    table = "Personal 2024\n\nNr;Stelle\n1;Köchin\n2;Bürokaufmann\n3;Kellnerin\n4;Maurer\n5;Bäcker\n"
    app.file_uploader(key="map_upload").set_value(("staff.csv", table.encode("cp1252"), "text/csv")).run()
    assert not app.exception
    assert not app.error
    [column] = [each for each in app.selectbox if each.label == "Column with job titles"]
    assert (column.value, column.options) == ("Stelle", ["Nr", "Stelle"])
    assert "trustworthiness **" in texts(app)
    app.file_uploader(key="map_upload").set_value(("pay.csv", b"id,pay\n1,20\n2,30\n", "text/csv")).run()
    assert not app.exception
    [column] = [each for each in app.selectbox if each.label == "Column with job titles"]
    assert column.value is None


def test_selected_names_open_in_link_titles(page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """They open as a list without duplicates."""
    taxonomy = TaxonomyStore.open().load("isco-08")
    items = occupation_items(taxonomy, ["en", "de", "fr"])
    app = page(taxonomy="isco-08")
    select(monkeypatch, *items.ids[:4])
    app.run()
    table = app.dataframe[0].value
    assert list(table.columns[:3]) == ["text", "ISCO major group", "language"]
    assert table["id"].to_list() == list(items.ids[:4])
    app.button(key="map_link").click().run()
    assert app.session_state["many_paste"].splitlines() == list(dict.fromkeys(items.texts[:4]))


def test_no_labels_yet(page: Any, market: Any) -> None:
    """The page explains the map, says how many labels it needs, and links to 'Label pairs'."""
    app = page(what="labels", marketplace="demo")
    assert not app.exception
    assert "It needs 4 labels; there are 0 so far." in texts(app)


def test_a_model_that_cannot_be_loaded(page: Any) -> None:
    """The error message names the model."""
    folder = Settings.from_environment().home / "models" / "broken"
    folder.mkdir(parents=True)
    (folder / "modules.json").write_text("", "utf-8")
    app = page(taxonomy="isco-08")
    app.selectbox(key="map_model").set_value("broken").run()
    assert not app.exception
    assert "could not be loaded" in texts(app)


@pytest.mark.thorough
def test_a_model_that_is_stored_again_is_mapped_again(page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under the same name, both as the chosen model and as the one to compare with."""
    mapped: list[str] = []

    def counting(call: Callable[..., Any], place: int) -> Callable[..., Any]:
        return lambda *arguments, **options: mapped.append(arguments[place]) or call(*arguments, **options)

    for name in ("encoded", "followed"):
        monkeypatch.setattr(map_chart, name, counting(getattr(map_chart, name), 1))
    folder = Settings.from_environment().home / "models" / "mine"
    shutil.copytree(shipped_folder(), folder)
    app = page(model="mine")
    for stored_at in (1, 2):
        mapped.clear()
        os.utime(folder / "config.json", (stored_at, stored_at))
        for _ in range(2):
            assert not app.run().exception
        assert mapped == ["mine"]
    app.selectbox(key="map_model").set_value("titles").run()
    app.selectbox(key="map_panel").set_value("model").run()
    app.selectbox(key="map_against").set_value("mine").run()
    for stored_at in (3, 4):
        mapped.clear()
        os.utime(folder / "config.json", (stored_at, stored_at))
        assert not app.run().exception
        assert mapped == ["mine"]


def test_no_path_of_the_server_is_taken(page: Any, tmp_path: Path) -> None:
    """Neither a field nor the address accepts a path; only models in JOBMATCH_HOME/models are offered."""
    shutil.copytree(shipped_folder(), tmp_path / "outside")
    shutil.copytree(shipped_folder(), Settings.from_environment().home / "models" / "mine")
    app = page(taxonomy="isco-08", model=str(tmp_path / "outside"))
    assert not app.exception
    assert app.selectbox(key="map_model").value == "titles"
    assert "mine" in app.selectbox(key="map_model").options
    assert "map_own_model" not in {each.key for each in app.text_input}


def test_another_models_folder_runs_no_code(page: Any, tmp_path: Path) -> None:
    """A model in JOBMATCH_HOME/models that carries code is refused with a message."""
    marker = tmp_path / "marker"
    trap(save_transformer(Settings.from_environment().home / "models" / "evil"), marker)
    app = page()
    app.selectbox(key="map_model").set_value("evil").run()
    assert not app.exception
    assert "says how the model is loaded" in texts(app)
    assert not marker.exists()


class _Endless:
    """A projection that never finishes."""

    done, total = 3, 10
    begun, reported = 0.0, 6.0

    def wait(self, seconds: float) -> bool:
        """Return that it is not finished."""
        return False


def test_a_sketch_has_no_figures_and_no_files(page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the chosen method is computed, the map by PCA is shown in grey, without figures and downloads."""
    monkeypatch.setattr(map_chart, "_projecting", lambda *arguments: _Endless())
    app = page(method="tsne")
    assert not app.exception
    [progress] = app.get("progress")
    assert progress.proto.text.startswith("t-SNE is being computed; until then, a sketch by PCA is shown")
    assert "trustworthiness **" not in texts(app)
    assert not [each for each in app.get("download_button") if "map" in str(each)]


def test_groups_and_languages_have_the_viewers_names(app: AppTest, page: Any) -> None:
    """Items are read in a thread, which has no viewer; languages are compared all the same."""
    app.context["locale"] = "de-DE"
    shown = page(taxonomy="isco-08", colour="ISCO major group", analysis="languages", find="Krankenpfl")
    assert not shown.exception
    drawn = [json.loads(chart.proto.spec) for chart in shown.get("plotly_chart")]
    assert "2 Akademische Berufe" in str(drawn)
    assert "Deutsch" in str(drawn)
    assert set(shown.dataframe[-1].value["Sprache"]) == {"Deutsch", "Französisch"}
    assert "German" not in str(drawn)
    assert drawn[0]["data"][-1]["name"] == "gefunden"


@pytest.mark.parametrize(
    ("colour", "code", "name"), [("ISCO major group", "2", "2 Akademische Berufe"), ("language", "fr", "Französisch")]
)
def test_a_link_to_a_group_opens_in_another_language(
    app: AppTest, page: Any, colour: str, code: str, name: str
) -> None:
    """It holds the group's code, of which each viewer sees the name."""
    app.context["locale"] = "de-DE"
    shown = page(taxonomy="isco-08", colour=colour, within=code)
    assert not shown.exception
    box = shown.selectbox(key="map_within")
    assert (box.value, box.options[0]) == (code, "ganze Karte")
    assert name in box.options
    [link] = [shared.value for shared in shown.code]
    assert dict(parse_qsl(urlsplit(link).query))["within"] == code
