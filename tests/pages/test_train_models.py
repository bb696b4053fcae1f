"""The page 'Train models': empty, with labels, during and after a training, promotion and rollback."""

import json
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from db.label_store import LabelStore
from jobmatch.services import promoting, runs
from jobmatch.services.launch import tower_recipes
from jobmatch.services.run_status import Loss, RunState, RunStatus
from jobmatch.services.runs import TrainingRequest, TrainingRuns
from jobmatch.services.training_job import TowersJob
from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.entities import Pair, PairKind
from jobmatch_core.errors import SettingsError
from jobmatch_core.labelling.snapshot import Snapshots
from jobmatch_core.linking.calibration import Calibration
from jobmatch_core.linking.candidates import feature_names
from jobmatch_core.linking.index import ENCODER, LEXICAL
from jobmatch_core.linking.linking_model import LinkingModel, save_linking_model
from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_blocks
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.metrics.comparisons import BeforeAfter, FigureChange, Part
from jobmatch_core.model_store.model_spec import ModelKind
from jobmatch_core.model_store.registry import Registry
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from tests.core.audit.test_report import REPORT
from tests.core.labelling.made_judgments import judgment, pair
from tests.pages.conftest import TINY_ID
from tests.pages.made_trainings import COMPARISON, EVIL, status, store_compared, store_model, store_run
from tests.pages.observed import texts

Open = Callable[..., AppTest]


@pytest.fixture
def train(app: AppTest) -> Open:
    """Open the page without an exception, with parameters in the address."""

    def opened(**parameters: str) -> AppTest:
        app.switch_page("pages/train_models/train_models.py")
        app.query_params.update(parameters)
        assert not app.run().exception
        return app

    return opened


@pytest.fixture
def market(home: Path) -> None:
    """Store a small demo marketplace."""
    settings = Settings(home)
    blocks = demo_blocks(TaxonomyStore.open(settings).load(BUNDLED_ID), DemoSpec(projects=12, freelancers=30))
    MarketplaceStore.open(settings).save("demo", blocks, origin={}, generated=True)


@pytest.fixture
def labels(home: Path) -> None:
    """Record three judgments, of the oldest projects of the marketplace."""
    market = MarketplaceStore.open(Settings(home)).load("demo")
    oldest = sorted(market.projects, key=lambda each: each.created)[:3]
    pairs = [pair(project.id, freelancer.id) for project, freelancer in zip(oldest, market.freelancers, strict=False)]
    said = zip("+-+", ("ann", "ann", EVIL), pairs, strict=True)
    with LabelStore.open(Settings(home).label_store) as store:
        store.record_all([judgment(verdict, who, of=each) for verdict, who, each in said])


def _recipe_names() -> list[str]:
    return [recipe.name for recipe in tower_recipes()]


def button_kinds(app: AppTest, *keys: str) -> list[str]:
    """Return which buttons are primary."""
    return [app.button(key=key).proto.type for key in keys]


def test_an_empty_home_says_where_to_begin(train: Open) -> None:
    """The page links to the labels, asks for a marketplace, and names the model in use."""
    app = train()
    shown = texts(app)
    for words in (
        "Nobody has judged a pair of a project and a freelancer yet",
        "Or train on the marketplace's history alone",
        "There is no marketplace yet",
        "In use on every page: **word vectors, untrained**",
        "No model has been promoted yet",
    ):
        assert words in shown
    assert "train_freeze" not in [button.key for button in app.button]
    app = train(**{"for": "linking"})
    assert "Nobody has judged a link of a title and an occupation yet" in texts(app)
    assert "Freeze a snapshot in step 1 first" in texts(app)


@pytest.mark.usefixtures("market", "labels")
def test_freeze_and_start(train: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new snapshot is selected; the start passes on the selection; a refusal is shown."""
    asked: list[tuple[TrainingRequest, TowersJob]] = []

    def start(self: TrainingRuns, what: TrainingRequest, job: TowersJob) -> None:
        asked.append((what, job))
        if len(asked) > 1:
            raise SettingsError("A training runs already, of m since 9 o'clock; wait until it ends, or stop it.")

    monkeypatch.setattr(TrainingRuns, "start", start)
    app = train()
    assert "3 judgments so far, none of them frozen yet" in texts(app)
    app.button(key="train_freeze").click().run()
    assert not app.exception
    assert "Frozen. Next: train." in texts(app)
    assert "**3 labels**: 2 fit, 1 do not." in texts(app)
    assert "No new judgments since the latest snapshot" in texts(app)
    recipes = dict(zip(app.selectbox(key="train_recipe").options, _recipe_names(), strict=True))
    assert recipes["Improve the model with new labels"] == "retrain"
    snapshot = app.query_params["snapshot"]
    assert EVIL not in texts(app)  # nobody's name is read as Markdown
    app.button(key="train_start").click().run()
    what, job = asked[0]
    assert what == TrainingRequest("towers", what.model, "titles", "demo", str(what.snapshot), "untrained", "me")
    assert what.snapshot in snapshot
    assert (job.marketplace, job.start, job.snapshot, job.keep_in_use) == ("demo", "untrained", what.snapshot, True)
    assert (Path(job.recipe).name, Path(job.out).name) == ("titles.toml", what.model)
    app.button(key="train_start").click().run()
    assert "A training runs already" in app.error[0].value


@pytest.mark.usefixtures("market")
def test_labels_of_another_marketplace(train: Open, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The training does not start; the page says why and what to do."""
    monkeypatch.setattr(TrainingRuns, "start", lambda *asked: pytest.fail("it has started"))
    elsewhere = Pair(PairKind.PROJECT_FREELANCER, "elsewhere", "p1", "f1")
    Snapshots(Settings(home)).freeze([judgment("+", of=elsewhere)], datetime(2026, 11, 21, 9, tzinfo=UTC))
    app = train()
    app.button(key="train_start").click().run()
    assert not app.exception
    assert "no training labels for projects of demo (1 of its labels" in app.error[0].value.replace("\\", "")


@pytest.mark.usefixtures("market")
def test_how_long_it_will_take(train: Open, home: Path) -> None:
    """The estimate follows the size, or the last similar training."""
    assert "It will take less than a minute on two cores, estimated from its size." in texts(train())
    took = RunStatus(RunState.DONE, "2026-11-21T09:00:00+00:00", "2026-11-21T09:37:20+00:00")
    store_run(home, took, recipe="titles")
    assert "It will take roughly 37 min, like the last training of this kind." in texts(train())


@pytest.mark.usefixtures("market")
def test_the_history_alone(train: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """A training can run without labels."""
    asked: list[TowersJob] = []
    monkeypatch.setattr(TrainingRuns, "start", lambda self, what, job: asked.append(job))
    app = train()
    assert "no labels" in texts(app)
    app.button(key="train_start").click().run()
    assert not app.exception
    assert [job.snapshot for job in asked] == [""]


@pytest.mark.first_case
@pytest.mark.parametrize(
    ("left", "words"),
    [
        (status(RunState.DONE, losses=(Loss(1, 0.5), Loss(2, 0.4))), "Trained: m, in 1 min 5 s. Next: compare."),
        (status(RunState.STOPPED), "Stopped: m. Nothing was saved."),
        (status(RunState.FAILED, error="No label <b>here</b>."), "m failed: No label"),
        (status(RunState.RUNNING), "ended unexpectedly"),
    ],
    ids=["done", "stopped", "failed", "died"],
)
@pytest.mark.usefixtures("market")
def test_what_became_of_the_last(train: Open, home: Path, left: RunStatus, words: str) -> None:
    """The last training's result and log are shown, and another can be started."""
    store_run(home, left, log="some <b>line</b>")
    app = train()
    assert words in texts(app)
    assert "Started by ann" in texts(app)
    assert app.code[-1].value == "some <b>line</b>"
    assert not app.button(key="train_start").disabled


@pytest.mark.usefixtures("market")
def test_the_time_left_is_that_of_the_stage(train: Open, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page shows the training's own estimate once there is one."""
    store_run(home, status(RunState.RUNNING, stage="Training", done=20, total=900, seconds_left=130.0))
    monkeypatch.setattr(TrainingRuns, "_holder", lambda self: runs._Holder("20261121-090000-000000", 0))
    assert "this stage about 2 min 10 s left" in texts(train())


@pytest.mark.usefixtures("market")
def test_nothing_half_trained_is_kept(train: Open, home: Path) -> None:
    """The unfinished model of a crashed training is removed, and the page says so."""
    store_run(home, status(RunState.RUNNING))
    (home / "training" / "lock").touch()
    left = home / "models" / "m.unfinished"
    left.mkdir(parents=True)
    assert "The unfinished model was discarded" in texts(train())
    assert not left.exists()


@pytest.mark.usefixtures("market")
def test_while_one_runs(train: Open, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stage, losses and Stop are shown; a second training cannot start."""
    store_run(home, status(RunState.RUNNING, stage="Training", done=3, total=12, losses=(Loss(1, 0.9), Loss(2, 0.8))))
    name = "20261121-090000-000000"
    monkeypatch.setattr(TrainingRuns, "_holder", lambda self: runs._Holder(name, 0))
    app = train()
    assert "One training runs at a time" in texts(app)
    assert [button.key for button in app.button if button.key == "train_start"] == []
    assert "left" not in next(each.value for each in app.caption if "so far" in each.value)
    monkeypatch.setattr(TrainingRuns, "_end", lambda self, run: None)  # as while its process has not heard of it yet
    app.button(key="train_stop").click().run()
    assert not app.exception
    assert (app.button(key="train_stop").label, app.button(key="train_stop").disabled) == ("Stopping …", True)


@pytest.fixture
def audited_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Audits before a promotion find no difference, at once; `test_promotion_audit` has the others."""
    monkeypatch.setattr(promoting, "model_report", lambda *_sample, **_rest: REPORT)


@pytest.mark.usefixtures("market", "audited_alike")
def test_compare_promote_and_roll_back(train: Open, home: Path) -> None:
    """Worse figures are listed; the promotion is in use and in the history, until it is rolled back."""
    store_compared(home, COMPARISON)
    Registry(Settings(home)).keep_in_use(ModelKind.TOWERS, "untrained")
    app = train()
    shown = texts(app)
    assert app.metric[0].value == "Worse"
    assert "**Of 100 projects, 12 got better and 41 got worse.**" in shown
    assert "interested people ranked high (MAP): 0.300 → 0.200 (95% of the difference: -0.150 to -0.050)" in shown
    assert "The model before may have" in app.metric[0].help.replace("the model", "The model")
    assert "Of 5 figures, **1 better**, **2 worse**, 0 inconclusive, 2 too few to tell." in shown
    assert ":red[**worse**: required skills declared among 10, The frozen benchmark: 0.500 → 0.400" in shown
    assert "ranked above those judged not to (AUC): 1.000 → 1.000 (too few to tell)" in shown
    assert "Judged pairs of the latest projects: there are none" in shown
    rows = app.dataframe[0].value.to_dict("records")
    assert [row["Verdict"] for row in rows] == ["too few to tell", "worse", "worse", "better", "too few to tell"]
    assert rows[4]["95% interval"] == "too few to tell"
    by_use = "14 labels: 8 trained on, 2 held out to measure, 1 of later projects, used only to measure, 3 left out"
    assert shown.count(by_use) == 2  # in the comparison and on the model's card
    assert any(each.label.endswith("worse") for each in app.expander)
    app.text_input(key="train_why").set_value("more skills").run()
    assert "primary" not in button_kinds(app, "train_promote", "train_promote_new")
    app.button(key="train_promote").click().run()
    assert "is worse than the model it was compared with in 2 figures" in texts(app)
    assert (
        "- interested people ranked high (MAP), The frozen benchmark: of 100 projects, 12 got better and 41 got worse "
        "(0.300 → 0.200)" in texts(app)
    )
    assert button_kinds(app, "train_promote_cancelled", "train_promote_confirmed") == ["primary", "secondary"]
    assert Registry(Settings(home)).promoted(ModelKind.TOWERS) == "untrained"
    app.button(key="train_promote_confirmed").click().run()
    assert not app.exception
    assert "In use now, on every page: new." in texts(app)
    [row] = Registry(Settings(home)).history(ModelKind.TOWERS)[1:]
    assert (row.after, row.who, row.why) == ("new", "me", "more skills")
    app.switch_page("pages/find_freelancers/find_freelancers.py").run()
    assert app.selectbox(key="find_model").value == "new"
    app.switch_page("pages/train_models/train_models.py").run()
    app.button(key="train_roll_back").click().run()
    assert "**word vectors, untrained** will be used on every page again, instead of **new**" in texts(app)
    assert Registry(Settings(home)).promoted(ModelKind.TOWERS) == "new"
    app.button(key="train_roll_back_confirmed").click().run()
    assert "Rolled back. In use now, on every page: word vectors, untrained." in texts(app)
    assert Registry(Settings(home)).promoted(ModelKind.TOWERS) == "untrained"


@pytest.mark.first_case
@pytest.mark.parametrize(
    ("parts", "said", "kind"),
    [
        (
            (Part("benchmark", "All", 100, "projects", (FigureChange("map", 100, 0.3, 0.4, 0.05, 0.15),)),),
            "Better",
            "primary",
        ),
        (
            (Part("benchmark", "All", 100, "projects", (FigureChange("map", 100, 0.3, 0.3, -0.05, 0.05),)),),
            "Inconclusive",
            "secondary",
        ),
        (
            (Part("judgments", "Titles", 2, "titles", (FigureChange("first", 2, 1.0, 1.0, -1.0, 1.0),)),),
            "Too few to tell",
            "secondary",
        ),
        ((), "Too few to tell", "secondary"),
    ],
    ids=["better", "chance", "two titles", "nothing"],
)
def test_the_verdict_and_the_button(train: Open, home: Path, parts: tuple[Part, ...], said: str, kind: str) -> None:
    """Only a better model has the primary button; without worse figures there is no confirmation."""
    store_compared(home, BeforeAfter("untrained", "new", parts))
    Registry(Settings(home)).keep_in_use(ModelKind.TOWERS, "untrained")
    app = train()
    assert app.metric[0].value == said
    assert ("At least 30 titles are needed" in texts(app)) == (bool(parts) and said == "Too few to tell")
    assert button_kinds(app, "train_promote") == [kind]
    app.button(key="train_promote").click().run()
    assert "In use now, on every page: new." in texts(app)


def test_what_changed_for_titles_is_said_in_words(train: Open, home: Path) -> None:
    """A figure that is 1 or 0 for each title is told by titles that became right and titles that became wrong."""
    change = FigureChange("first", 100, 0.7, 0.73, 0.01, 0.05, gained=4, lost=1)
    store_compared(home, BeforeAfter("untrained", "new", (Part("benchmark", "Names", 100, "titles", (change,)),)))
    app = train()
    assert "**Of 100 titles, 4 became right and 1 became wrong.**" in texts(app)


def test_many_models_are_searched(train: Open, home: Path) -> None:
    """Part of a name selects models."""
    for number in range(6):
        store_model(home, f"towers-{number}")
    app = train()
    app.text_input(key="train_search").set_value("WERS-3").run()
    assert not app.exception
    shown = [each.label.split(" · ")[0] for each in app.expander if each.label.startswith("towers")]
    assert shown == ["towers\\-3"]
    app.text_input(key="train_search").set_value("nothing").run()
    assert "No model has this text in its name" in texts(app)


def test_a_model_that_cannot_be_used(train: Open, home: Path) -> None:
    """The page shows the reason and offers no promotion; an older report with few fields is accepted."""
    store_model(home, "old", recipe="x", seconds="y", versions=None)
    config = home / "models" / "old" / "config.json"
    config.write_text(json.dumps(json.loads(config.read_text("utf-8")) | {"backbone_name": "gone"}), "utf-8")
    app = train(model="old")
    assert "it was trained over gone" in texts(app).replace("\\", "")
    assert not [each.key for each in app.button if (each.key or "").startswith("train_promote")]


def test_the_promoted_linking_model_is_gone(train: Open, home: Path) -> None:
    """The page names the model used instead, trains from it, and rolls back."""
    settings, registry = Settings(home), Registry(Settings(home))
    title = judgment("+", of=Pair(PairKind.TITLE_OCCUPATION, TINY_ID, "nurse", "http://x"))
    Snapshots(settings).freeze([title], datetime(2026, 11, 21, 9, tzinfo=UTC))
    folder, features = home / "models" / "links", tuple(feature_names([*LEXICAL, ENCODER]))
    calibration = Calibration(features, (1.0,) * len(features), 0.0, 0.5, {})
    save_linking_model(folder, LinkingModel(calibration), shipped_encoder().name, {})
    registry.keep_in_use(ModelKind.LINKING, "shipped")
    registry.promote(ModelKind.LINKING, "links", who="ann")
    app = train(**{"for": "linking"})
    assert "In use on every page: **links**" in texts(app)
    shutil.rmtree(folder)
    st.cache_resource.clear()  # as time does
    app = train(**{"for": "linking"})
    shown = texts(app)
    for words in (
        "links was promoted, but it is gone or cannot be used. Every page uses the shipped calibration instead. "
        "Roll back, or promote another one.",
        "In use on every page: **the shipped calibration**",
        "Starts from the model in use (the shipped calibration)",
    ):
        assert words in shown
    app.button(key="train_roll_back").click().run()
    app.button(key="train_roll_back_confirmed").click().run()
    assert "Rolled back. In use now, on every page: the shipped calibration." in texts(app)
    assert "was promoted, but it is gone" not in texts(app)


def test_a_linking_model_that_cannot_be_used(train: Open, home: Path) -> None:
    """The page shows the reason and offers no promotion."""
    features = tuple(feature_names([*LEXICAL, ENCODER]))
    calibration = Calibration(features, (1.0,) * len(features), 0.0, 0.5, {})
    save_linking_model(home / "models" / "links", LinkingModel(calibration), "another", {})
    app = train(**{"for": "linking"})
    assert "It cannot be used" in texts(app)
    assert "it was fitted for another" in texts(app)
    assert not [each.key for each in app.button if (each.key or "").startswith("train_promote")]


def test_a_damaged_history(train: Open, home: Path) -> None:
    """The error message names the file."""
    (home / "promoted").mkdir()
    (home / "promoted" / "history.json").write_text("{", "utf-8")
    app = train()
    assert "history of promotions cannot be read" in app.error[0].value


def test_an_address_with_nonsense(train: Open, market: None) -> None:
    """Invalid values in the address are ignored."""
    app = train(**{"for": "x", "snapshot": "<b>", "recipe": "../x", "model": "y"})
    assert not app.error
