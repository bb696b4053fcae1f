"""Runs of models and the tables of them: what takes another's place, means and deviations by hand.

The whole experiment on a tiny marketplace: each model once, what is kept, and what is not measured again.
"""

import json
import re
from dataclasses import astuple, replace
from pathlib import Path

import pytest

from jobmatch_core.benchmarks.retrieval.matching_experiment import (
    LanguageMatching,
    MatchingExperiment,
    MatchingRun,
    language_rows,
    matching_runs,
    rows_of,
    run_experiment,
)
from jobmatch_core.benchmarks.retrieval.matching_models import DEFAULT_MODELS, MatchingModel, ModelChoices, open_model
from jobmatch_core.errors import DataFileError, MarketplaceError, SettingsError
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.settings import Settings
from jobmatch_core.towers.matching_metrics import FIGURES, MatchingFigures
from tests.made_marketplace import WordVectors, marketplace, tiny_sentence_bert


def figures(value: float | None) -> MatchingFigures:
    """Return the same number as every figure."""
    return MatchingFigures(**dict.fromkeys(FIGURES, value))


def run(model: str, seed: int, value: float | None, train_s: float = 1.0) -> MatchingRun:
    """Return a run over three projects, one of them German."""
    return MatchingRun(
        model=model,
        seed=seed,
        setting="{}",
        data_hash="abc",
        share_test=0.2,
        generated=True,
        projects=3,
        freelancers=24,
        interactions=28,
        train_s=train_s,
        score_s=0.5,
        versions={"jobmatch": "0"},
        overall=figures(value),
        languages=(LanguageMatching("en", 2, figures(value)), LanguageMatching("de", 1, figures(None))),
    )


def test_what_was_kept_comes_back(tmp_path: Path) -> None:
    """Record for record, with figures that nothing is known of, under JOBMATCH_HOME."""
    kept = run("bm25", 1, 0.5), run("towers", 1, None)
    for each in kept:
        matching_runs(Settings(tmp_path)).add("demo", each)
    assert matching_runs(Settings(tmp_path)).runs("demo") == kept
    content = json.loads((tmp_path / "evaluations" / "matching" / "demo.json").read_text("utf-8"))
    assert content["runs"][1]["overall"]["map"] is None


def test_runs_from_before_a_figure_was_added(tmp_path: Path) -> None:
    """The figure is unknown; the others are as they were."""
    store = matching_runs(Settings(tmp_path))
    store.add("demo", run("bm25", 1, 0.5))
    content = store.path("demo").read_text("utf-8")
    assert content.count('"ndcg_at_10"') == 3
    store.path("demo").write_text(re.sub(r',\s*"ndcg_at_10": [^,}\s]*', "", content), "utf-8")
    [stored] = store.runs("demo")
    assert (stored.overall.map, stored.overall.ndcg_at_10) == (0.5, None)


def test_another_seed_setting_or_marketplace_is_another_run() -> None:
    """Other figures are not."""
    first = run("towers", 1, 0.5)
    others = (replace(first, seed=2), replace(first, setting="other"), replace(first, data_hash="other"))
    assert not any(first.repeats(each) for each in others)
    assert first.repeats(replace(first, overall=figures(0.7)))


def test_table_1_by_hand() -> None:
    """0.2 and 0.4: mean 0.3, deviation sqrt(0.02); one run alone has none; an unknown figure stays unknown."""
    runs = [run("towers", 1, 0.2, 1), run("bm25", 1, 0.5), run("towers", 2, 0.4, 3), run("none", 1, None)]
    towers, bm25, none = rows_of(runs)
    assert (towers.model, towers.seeds, towers.projects, towers.train_s) == ("towers", 2, 3, 2)
    assert towers.mean == figures(pytest.approx(0.3))
    assert towers.deviation == figures(pytest.approx(0.02**0.5))
    assert (bm25.seeds, bm25.mean, bm25.deviation) == (1, figures(0.5), figures(None))
    assert (none.mean, none.deviation) == (figures(None), figures(None))


def test_table_2_by_hand() -> None:
    """A row a model and language, the German project saying nothing."""
    rows = language_rows([run("towers", 1, 0.2), run("towers", 2, 0.4)])
    assert [(row.model, row.language, row.projects, row.seeds) for row in rows] == [
        ("towers", "en", 2, 2),
        ("towers", "de", 1, 2),
    ]
    assert rows[0].mean == figures(pytest.approx(0.3))
    assert rows[1].mean == figures(None)


CHOICES = ModelChoices(WordVectors())
UNTRAINED = ("bm25", "skill-overlap", "section-sbert", "concatenated-text")


def opened(*names: str) -> list[MatchingModel]:
    """Open models by name."""
    return [open_model(name, CHOICES) for name in names]


@pytest.fixture
def experiment() -> MatchingExperiment:
    """The tiny marketplace, its latest four projects being the test."""
    return MatchingExperiment(marketplace(), "hash")


def test_a_run_by_hand(experiment: MatchingExperiment) -> None:
    """Declared skills are the truth here: the three seniors of the trade come first.

    Category: of the first ten three are of the trade, and of the seven others, by their ids, how many are of the
    category is a matter of the alphabet; of all 24 half are. Skills: 3 of 10, 3 of 24. All are retrieved at 100.
    """
    run = experiment.run(*opened("skill-overlap"), seed=1)
    figures = run.overall
    assert (figures.recall_single, figures.recall_all, figures.map, figures.ndcg_at_10) == (1, 1, 1, 1)
    assert (figures.skills_at_10, figures.skills_at_100) == (pytest.approx(0.3), pytest.approx(3 / 24))
    assert (figures.category_at_100, figures.coverage_at_10) == (pytest.approx(0.5), pytest.approx(0.3))
    assert (figures.positives_at_100, figures.negatives_at_100) == (1, 1)
    assert (run.model, run.projects, run.freelancers, run.interactions) == ("skill-overlap", 4, 24, 28)
    assert run.generated
    assert {part.language: part.projects for part in run.languages} == {"de": 2, "en": 2}
    assert {"jobmatch", "python", "torch", "numpy"} <= set(run.versions)
    assert run.score_s > 0


@pytest.mark.parametrize("name", [*DEFAULT_MODELS, "concatenated-text"])
def test_every_model_by_its_name(experiment: MatchingExperiment, name: str) -> None:
    """It is called as it was asked for, and every figure is there."""
    [model] = opened(name)
    run = experiment.run(model, 1)
    assert (model.name, run.model) == (name, name)
    assert model.seeded == (name not in UNTRAINED)
    assert None not in astuple(run.overall)


def test_a_retrained_sbert(experiment: MatchingExperiment, tmp_path: Path) -> None:
    """From a folder, anew for each seed, which stays as it is."""
    tiny_sentence_bert().save_pretrained(str(tmp_path / "tiny"), create_model_card=False)
    before = {path: path.read_bytes() for path in (tmp_path / "tiny").rglob("*") if path.is_file()}
    model = open_model("sbert-triplet", replace(CHOICES, sbert=str(tmp_path / "tiny"), sbert_steps=4))
    first, again = (experiment.run(model, 1) for _ in range(2))
    assert first.overall == again.overall
    assert '"steps": 4' in model.setting
    assert before == {path: path.read_bytes() for path in (tmp_path / "tiny").rglob("*") if path.is_file()}


def test_towers_by_recipe(experiment: MatchingExperiment, tmp_path: Path) -> None:
    """Named as the recipe is, and the architecture is the recipe's."""
    path = tmp_path / "deeper.toml"
    path.write_text("[tower]\nlayers = 2\n[training]\nepochs = 1\n", "utf-8")
    [model] = opened(str(path))
    assert (model.name, model.seeded) == ("deeper", True)
    assert '"layers": 2' in model.setting
    assert experiment.run(model, 2).seed == 2


def test_models_that_cannot_be_opened(tmp_path: Path) -> None:
    """The message says what there is, or what is missing."""
    with pytest.raises(SettingsError, match=r"no model 'tower'; choose one of bm25, .*\.toml"):
        opened("tower")
    with pytest.raises(SettingsError, match="--sbert"):
        opened("sbert-triplet")
    with pytest.raises(DataFileError, match=r"missing\.toml"):
        opened(str(tmp_path / "missing.toml"))


def test_each_seed_once_and_what_is_kept_not_again(experiment: MatchingExperiment, tmp_path: Path) -> None:
    """Nothing random: one run. A second experiment takes all from the store, unless asked to measure again."""
    store, seen = matching_runs(Settings(tmp_path)), list[tuple[int, int]]()
    models = opened("bm25", "section-sbert+projection-triplet")
    runs = run_experiment(experiment, models, 3, store, progress=lambda done, total: seen.append((done, total)))
    assert [(run.model.split("+")[-1], run.seed) for run in runs] == [
        ("bm25", 1),
        ("projection-triplet", 1),
        ("projection-triplet", 2),
        ("projection-triplet", 3),
    ]
    assert store.runs("tiny") == tuple(runs)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert (seen[-1], {total for _, total in seen}) == ((4000, 4000), {4000})
    kept = run_experiment(experiment, models, 3, store)
    assert kept == runs
    again = run_experiment(experiment, models[:1], 3, store, again=True)
    assert astuple(again[0].overall) == astuple(runs[0].overall)
    assert (len(store.runs("tiny")), store.runs("tiny")[-1].model) == (4, "bm25")


def test_other_data_or_settings_are_measured_again(tmp_path: Path) -> None:
    """The hash of the data and the setting are part of what a run is."""
    store, model = matching_runs(Settings(tmp_path)), opened("bm25")[0]
    for experiment in (
        MatchingExperiment(marketplace(), "one"),
        MatchingExperiment(marketplace(), "two"),
    ):
        run_experiment(experiment, [model], 1, store)
    run_experiment(experiment, [replace(model, setting="other")], 1, store)
    assert len(store.runs("tiny")) == 3


def test_an_interrupted_experiment_keeps_what_it_measured(experiment: MatchingExperiment, tmp_path: Path) -> None:
    """A model that fails loses only itself."""

    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    broken = MatchingModel("broken", "", seeded=False, fit=fail)  # type: ignore[arg-type]
    store = matching_runs(Settings(tmp_path))
    with pytest.raises(KeyboardInterrupt):
        run_experiment(experiment, [*opened("bm25"), broken], 1, store)
    assert [run.model for run in store.runs("tiny")] == ["bm25"]


def test_a_stored_marketplace(tmp_path: Path) -> None:
    """It gives what the one in memory gives, and its files' hash."""
    store = MarketplaceStore(tmp_path)
    store.save("tiny", marketplace().blocks(), origin={}, generated=True)
    [model] = opened("bm25")
    stored = MatchingExperiment.open("tiny", store).run(model, 1)
    assert stored.overall == MatchingExperiment(marketplace(), "").run(model, 1).overall
    assert len(stored.data_hash) == 64


def test_a_marketplace_of_one_day_cannot_be_split() -> None:
    """There is no past."""
    with pytest.raises(MarketplaceError, match="cannot be split"):
        MatchingExperiment(marketplace(per_trade=1), "")


def test_nothing_of_the_test_is_trained_on() -> None:
    """What later projects were answered changes no model."""
    market = marketplace()
    turned = replace(
        market,
        interactions=tuple(
            replace(each, positive=not each.positive) if each.date == "2026-01-05" else each
            for each in market.interactions
        ),
    )
    [model] = opened("section-sbert+projection-infonce")
    one, other = (MatchingExperiment(each, "").run(model, 1).overall for each in (market, turned))
    assert (one.skills_at_10, one.coverage_at_10) == (other.skills_at_10, other.coverage_at_10)
    assert one.map != other.map
