"""The linker's calibration fitted again on judged titles: what is learned, measured, saved, promoted and used."""

import json
import shutil
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from jobmatch_core.entities import Judgment, Pair, PairKind
from jobmatch_core.errors import LabellingError, ModelError, SettingsError
from jobmatch_core.judged_title import OwnName
from jobmatch_core.judgment_origin import Origin
from jobmatch_core.labelling.snapshot import NamedSnapshot, Snapshots, open_snapshot
from jobmatch_core.linking import Linker, open_linker
from jobmatch_core.linking import linker as linking_module
from jobmatch_core.linking.corrections import EXACT_NAME
from jobmatch_core.linking.index import NameIndex
from jobmatch_core.linking.linking_model import HeadMoves, linking_model_in_use, load_linking_model
from jobmatch_core.linking.refit import JudgedCandidates
from jobmatch_core.model_store.model_spec import ModelKind
from jobmatch_core.model_store.registry import Registry
from jobmatch_core.retraining import linker_retraining
from jobmatch_core.retraining.head_fit import HeadFit
from jobmatch_core.retraining.linker_retraining import retrain_linker
from jobmatch_core.retraining.title_labels import JudgedTitle, judged_candidates, title_labels
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.text.packed_texts import PackedTexts
from tests.core.labelling.made_judgments import judgment

AT = datetime(2026, 11, 21, 9, tzinfo=UTC)
TITLES = ("nurse", "baker", "truck driver", "software developer", "waiter", "plumber", "dentist", "carpenter")


def said(verdict: str, title: str, uri: str, source: str = "isco-08") -> Judgment:
    """Return a judgment of a title and an occupation."""
    return judgment(verdict, of=Pair(PairKind.TITLE_OCCUPATION, source, title, uri))


def in_bulk(given: list[Judgment]) -> list[Judgment]:
    """Return judgments as decisions in bulk."""
    return [replace(each, provenance=replace(each.provenance, origin=Origin.BULK)) for each in given]


@pytest.fixture(scope="module")
def linker(linker_home: Path) -> Linker:
    """The linker of the bundled taxonomy, to be read only."""
    return open_linker(settings=Settings(linker_home))


def judgments(linker: Linker) -> list[Judgment]:
    """Accept the first candidate of each title, refuse the second."""
    results = linker.link_all(TITLES, top=2)
    return [
        said(verdict, result.title, candidate.uri)
        for result in results
        for verdict, candidate in zip("+-", result.candidates, strict=True)
    ]


def frozen(settings: Settings, given: list[Judgment]) -> NamedSnapshot:
    """Freeze judgments in a home."""
    return open_snapshot(Snapshots(settings).freeze(given, AT).name, settings)


def test_what_is_known_of_titles(linker: Linker, jobmatch_home: Path) -> None:
    """Right and wrong occupations by number; a title is on one side of the split; other judgments are left out."""
    taxonomy, first = linker.taxonomy, judgments(linker)
    strange = [said("+", "nurse", "http://gone"), said("+", "nurse", taxonomy.uris[0], "another")]
    labels = frozen(Settings(jobmatch_home), [*first, *strange]).snapshot.labels
    found = title_labels(labels, taxonomy)
    assert found.left_out == 2
    assert (found.n_train + found.n_held_out, len(found.train) + len(found.held_out)) == (16, len(TITLES))
    assert not {each.title for each in found.train} & {each.title for each in found.held_out}
    [nurse] = [each for each in (*found.train, *found.held_out) if each.title == "nurse"]
    assert [taxonomy.uris[number] for number in nurse.right] == [first[0].pair.right]
    assert [taxonomy.uris[number] for number in nurse.wrong] == [first[1].pair.right]


def test_what_labels_leave_possible(linker: Linker) -> None:
    """A right occupation leaves only itself possible, a wrong one all others and 'none', an unfound one 'none'."""
    number = {uri: row for row, uri in enumerate(linker.taxonomy.uris)}
    [result] = linker.link_all(["nurse"], top=1)
    right = number[result.candidates[0].uri]
    [far] = linker.link_all(["zeppelin pilot"], top=1)
    other = number[far.candidates[0].uri]
    titles = [
        JudgedTitle("nurse", frozenset([right]), frozenset()),
        JudgedTitle("nurse", frozenset(), frozenset([right])),
        JudgedTitle("nurse", frozenset([other]), frozenset()),
        JudgedTitle("(m/w/d)", frozenset([right]), frozenset()),
    ]
    judged = judged_candidates(linker, titles)
    assert judged.n_titles == 4
    assert judged.proposals.rows.concepts[judged.proposals.rows.equal].tolist() == [right] * 3  # whose name is `nurse`
    found = judged.answers(linker.calibration.logit)
    assert found.none_possible.tolist() == [False, True, True, True]
    assert found.concepts[(found.titles == 0) & found.possible].tolist() == [right]
    assert found.concepts[(found.titles == 1) & ~found.possible].tolist() == [right]
    assert not found.possible[found.titles == 2].any()
    for title in range(3):
        concepts = found.concepts[found.titles == title]
        assert len(set(concepts.tolist())) == len(concepts) > 1
    assert judged_candidates(linker, []).n_titles == 0


READ = (
    "Koch/Köchin",
    "HGV",  # an abbreviation whose reading is a name
    "RGN nights",
    "PM",  # of several meanings
    "組み込みソフトウェアエンジニア",
    "cook / bus driver",
    "Deputy Head of Finance",
    "Leiter Einkauf",
    "PA / truck driver",
    "supervisor",
    "(m/w/d)",
)


@pytest.mark.parametrize("factor", [1.0, 0.4])
@pytest.mark.parametrize("exact_name", [None, 0.5])
def test_judged_titles_have_the_linkers_probabilities(linker: Linker, factor: float, exact_name: float | None) -> None:
    """This holds under any weights, also for titles with readings and of two jobs, and for a part of the titles."""
    judged = judged_candidates(linker, [JudgedTitle(title, frozenset(), frozenset()) for title in READ])
    old = linker.calibration
    weights = tuple(weight * factor for weight in old.weights)
    other = Linker(linker.taxonomy, linker.index, replace(old, weights=weights, none=1.0, exact_name=exact_name))
    answers = judged.answers(other.calibration.logit)
    for number, (title, ranking) in enumerate(zip(READ, other.rank(READ), strict=True)):
        found = answers.titles == number
        assert answers.concepts[found].tolist() == ranking.concepts.tolist(), title
        assert answers.probabilities[found].tolist() == ranking.probabilities.tolist(), title
    part = judged.of_titles(np.arange(len(READ)) % 2 == 1).answers(other.calibration.logit)
    assert part.probabilities.tolist() == answers.probabilities[answers.titles % 2 == 1].tolist()
    readings = {each.evidence.read_as for title in READ for each in other.link(title).candidates}
    assert {"heavy goods vehicle driver", "project manager", "embedded software engineer"} <= readings


def test_many_titles_are_scored_in_blocks(linker: Linker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scoring them in blocks gives the same answers as at once."""
    titles = [JudgedTitle(title, frozenset(), frozenset()) for title in READ]
    whole = judged_candidates(linker, titles).answers(linker.calibration.logit)
    monkeypatch.setattr(linking_module, "BATCH", 3)
    parts = judged_candidates(linker, titles).answers(linker.calibration.logit)
    assert parts.titles.tolist() == whole.titles.tolist()
    assert parts.probabilities == pytest.approx(whole.probabilities, abs=1e-6)


def test_accepted_titles_have_no_part_in_what_is_learned(linker: Linker) -> None:
    """As own names they would make every judged title look easy."""
    [plain] = linker.link_all(["zeppelin pilot"], top=1)
    own = linker.with_own_names([OwnName("zeppelin pilot", plain.candidates[0].uri, ("ann", "bob"), AT.date())])
    titles = [JudgedTitle("zeppelin pilot", frozenset(), frozenset())]
    before, after = (judged_candidates(each, titles).proposals for each in (linker, own))
    assert np.array_equal(before.candidates.features, after.candidates.features)


def test_trained_promoted_and_used(
    linker: Linker, own_linker_home: Path, lexical_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder with config, weights and report; the linker weighs by it once promoted, and no longer after."""
    shutil.copytree(lexical_home / "indexes", own_linker_home / "indexes", dirs_exist_ok=True)
    monkeypatch.setattr(linker_retraining, "_BENCHMARK_NAMES", 60)
    monkeypatch.setattr(linker_retraining, "_ANCHORS", 40)
    settings = Settings(own_linker_home)
    out = own_linker_home / "models" / "links"
    report = retrain_linker(linker, "shipped", frozen(settings, judgments(linker)), out)
    assert sorted(path.name for path in out.iterdir()) == ["config.json", "model.safetensors", "report.json"]
    told = json.loads((out / "report.json").read_text("utf-8"))
    assert (told["taxonomy"], told["start"], told["seed"]) == ("isco-08", "shipped", 1)
    assert sum(report.titles) == len(TITLES)
    assert [part.kind for part in report.comparison.parts[:2]] == ["judgments", "benchmark"]
    assert report.comparison.parts[1].n == 66
    with pytest.raises(SettingsError, match="exists already"):
        retrain_linker(linker, "shipped", frozen_again(settings), out)

    weights = [float(weight) for weight in told["threshold"]]
    assert weights[0] == linker.calibration.threshold
    registry, features = Registry(settings), linker.calibration.features
    assert linker.index.encoder is not None
    encoder = linker.index.encoder.name
    change_threshold(out, 0.777)
    registry.promote(ModelKind.LINKING, "links", who="ann")
    assert open_linker(settings=settings).calibration.threshold == 0.777
    assert linking_model_in_use(features, encoder, settings) == "links"
    assert open_linker(encoder=None, settings=settings).calibration.threshold != 0.777  # it was fitted beside another
    with pytest.raises(ModelError, match="was fitted for"):
        load_linking_model(out, "", features)
    model = load_linking_model(out, encoder, features)
    assert model.moves is not None
    assert len(model.moves.uris) == report.moved
    assert open_linker(settings=settings).version.endswith(f"head {model.moves.digest}")
    (out / "model.safetensors").write_bytes(b"x")
    assert open_linker(settings=settings).calibration == linker.calibration  # with a warning in the log
    registry.promote(ModelKind.LINKING, "shipped", who="ann")
    assert linking_model_in_use(features, encoder, settings) == "shipped"


@pytest.mark.thorough
def test_what_was_accepted_in_bulk(linker: Linker, own_linker_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It changes no figure on judged titles, and no threshold is read from it; the report has both numbers."""
    monkeypatch.setattr(linker_retraining, "_BENCHMARK_NAMES", 60)
    monkeypatch.setattr(linker_retraining, "_ANCHORS", 40)
    settings, given_ = Settings(own_linker_home), judgments(linker)
    snapshot = frozen(settings, [*given_[:12], *in_bulk(given_[12:])])
    reports = [
        retrain_linker(linker, "shipped", snapshot, own_linker_home / f"bulk {bulk}", bulk=bulk)
        for bulk in (False, True)
    ]
    numbers = f"12 looked at, {len(given_) - 12} accepted in bulk"
    assert [each.labels.origins for each in reports] == [f"{numbers}, left out", f"{numbers}, trained on"]
    assert reports[0].labels.held_out == reports[1].labels.held_out
    assert reports[0].labels.trained < reports[1].labels.trained
    assert reports[0].comparison.parts[0].n == reports[1].comparison.parts[0].n
    with pytest.raises(LabellingError, match="accepted in bulk"):
        retrain_linker(linker, "shipped", _later(settings, in_bulk(given_)), own_linker_home / "none")


def _later(settings: Settings, given: list[Judgment]) -> NamedSnapshot:
    return open_snapshot(Snapshots(settings).freeze(given, AT + timedelta(days=1)).name, settings)


def test_anchors_are_answered_by_the_moved_head(
    linker: Linker, jobmatch_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Weights and threshold, which will serve with it, are held near to how it answers, not the head before."""
    monkeypatch.setattr(linker_retraining, "_BENCHMARK_NAMES", 8)
    monkeypatch.setattr(linker_retraining, "_ANCHORS", 16)
    assert linker.index.encoder is not None
    width = linker.index.encoder.encode(["nurse"]).shape[1]
    uris = tuple(linker.taxonomy.uris)
    moves = HeadMoves(uris, np.random.default_rng(1).normal(size=(len(uris), width)).astype(np.float32))
    seen: list[JudgedCandidates] = []

    def fit_head(linker: Linker, titles: list[JudgedTitle], names: Any, *, seed: int) -> HeadFit:
        return HeadFit(1.0, moves, judged_candidates(linker, titles), np.ones(len(titles), dtype=np.bool_))

    def refit(start: Any, titles: JudgedCandidates, anchors: JudgedCandidates) -> Any:
        seen.append(anchors)
        return start

    monkeypatch.setattr(linker_retraining, "fit_head", fit_head)
    monkeypatch.setattr(linker_retraining, "refit", refit)
    out = jobmatch_home / "models" / "links"
    retrain_linker(linker, "shipped", frozen(Settings(jobmatch_home), judgments(linker)), out)
    candidates = partial(linker_retraining._candidates, drawn=linker_retraining._drawn_names(linker.index)[0])
    before, moved = (
        candidates(each).proposals.candidates.features
        for each in (linker, Linker(linker.taxonomy, linker.index, linker.calibration, moves))
    )
    assert all(np.array_equal(anchors.proposals.candidates.features, moved) for anchors in seen)
    assert before.shape != moved.shape or not np.allclose(before, moved)


@pytest.mark.thorough
def test_names_that_are_refused(linker: Linker, jobmatch_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where equal names are wrong, titles that equal one are less sure, in the saved model too."""
    monkeypatch.setattr(linker_retraining, "_BENCHMARK_NAMES", 60)
    monkeypatch.setattr(linker_retraining, "_ANCHORS", 40)
    refused = [said("-", each.title, found.uri) for each in linker.link_all(TITLES, top=5) for found in each.candidates]
    out = jobmatch_home / "models" / "links"
    retrain_linker(linker, "shipped", frozen(Settings(jobmatch_home), refused), out)
    assert linker.index.encoder is not None
    model = load_linking_model(out, linker.index.encoder.name, linker.calibration.features)
    share = model.calibration.exact_name
    assert share is not None
    assert share < EXACT_NAME
    retrained = Linker(linker.taxonomy, linker.index, model.calibration, model.moves)
    before, after = (each.link("electrician").candidates[0].probability for each in (linker, retrained))
    assert (before, after) == (pytest.approx(max(before, EXACT_NAME)), pytest.approx(share))
    without = Linker(linker.taxonomy, linker.index, replace(model.calibration, exact_name=None), model.moves)
    assert retrained.version != without.version  # links of the one are not those of the other


def test_no_name_is_both_an_anchor_and_of_the_benchmark(linker: Linker) -> None:
    """From many names both get their full number, and nonsense in proportion."""
    anchors, benchmark = linker_retraining._drawn_names(linker.index)
    drawn = list(zip(anchors.names, anchors.owners.tolist(), strict=True))
    others = list(zip(benchmark.names, benchmark.owners.tolist(), strict=True))
    assert not {each for each in drawn if each[0]} & {each for each in others if each[0]}
    n = min(2500, len(linker.index.texts))
    assert sum(bool(name) for name in anchors.names) == -(-n * 2 // 5)
    assert len(anchors.titles) + len(benchmark.titles) == n + round(n / 10)
    assert anchors.names.count("") == pytest.approx(round(n / 10) * 0.4, abs=1)
    assert [len(anchors.titles)] * 3 == [len(anchors.answers), len(anchors.owners), len(anchors.name_kept)]


@pytest.mark.parametrize(("names", "of_each"), [(1, (1, 0)), (2, (1, 1)), (4, (2, 2)), (5, (2, 3))])
def test_few_names_are_shared(names: int, of_each: tuple[int, int]) -> None:
    """Few names are divided in proportion, with at least one anchor."""
    index = cast(NameIndex, SimpleNamespace(texts=PackedTexts.of("abcdefgh"[:names]), concepts=np.arange(names)))
    anchors, benchmark = linker_retraining._drawn_names(index)
    assert (len(anchors.titles), len(benchmark.titles)) == of_each
    assert sorted(anchors.names + benchmark.names) == list(index.texts)


@pytest.mark.thorough
def test_a_taxonomy_of_one_name(own_linker_home: Path, tmp_path: Path) -> None:
    """Its name is an anchor, and there is no benchmark. Without a unit group it gets no names of the lexicon."""
    path, settings = tmp_path / "one.csv", Settings(own_linker_home)
    path.write_text("concept_id,language,preferred,alternatives,parent,description\nnurse,en,nurse,,,\n", "utf-8")
    TaxonomyStore.open(settings).import_from(path, name="One", version="1")
    linker = open_linker("one-1", settings=settings)
    [result] = linker.link_all(["nurse"], top=1)
    labels = frozen(settings, [said("+", "nurse", result.candidates[0].uri, "one-1")])
    report = retrain_linker(linker, "shipped", labels, own_linker_home / "models" / "links")
    assert report.anchors == 1
    assert [part.kind for part in report.comparison.parts] == ["judgments"]


def frozen_again(settings: Settings) -> NamedSnapshot:
    """Return the snapshot that is there."""
    return open_snapshot(Snapshots(settings).all()[0].name, settings)


def change_threshold(folder: Path, threshold: float) -> None:
    """Make a calibration another one."""
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | {"threshold": threshold}), "utf-8")


def test_no_judged_titles(linker: Linker, jobmatch_home: Path) -> None:
    """The error says where to judge titles."""
    labels = frozen(Settings(jobmatch_home), [judgment("+")])
    with pytest.raises(LabellingError, match=r"no judged titles of isco-08\. Judge links on the page"):
        retrain_linker(linker, "shipped", labels, jobmatch_home / "m")
