"""Both towers as a model: vectors, contributions of sections, and the stored folder."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save_file

from jobmatch_core.entities import Freelancer, NamedSkill, Project
from jobmatch_core.errors import ModelError
from jobmatch_core.titles.encoder import shipped_encoder
from jobmatch_core.towers.documents import SECTIONS, freelancer_document, project_document
from jobmatch_core.towers.matcher import CosineMatcher
from jobmatch_core.towers.tower_recipe import TowerConfig
from jobmatch_core.towers.two_towers import TwoTowers

SMALL = TowerConfig(width=16, heads=2, feedforward=1, dropout=0.1)
ZERO_SHOT = TowerConfig(section_embeddings=False, head=False)
PYTHON = NamedSkill("py", "Python")

PROJECTS = [
    Project("p1", "en", "Pipelines", "data engineer", "Move our data.", "25", "IT", "2511", "Analysts", (PYTHON,), ()),
    Project("p2", "de", "Praxisvertretung", "Krankenschwester", "", "22", "Gesundheit", "2221", "Pflege", (), ()),
]
FREELANCERS = [
    Freelancer("f1", "en", "Nurse", "Cares.", "Ten years in a ward.", "22", "Health", "2221", "Nurses", ()),
    Freelancer("f2", "en", "Data engineer", "", "", "25", "IT", "2511", "Analysts", (PYTHON,)),
    Freelancer("f3", "", "", "", "", "", "", "", "", ()),
]


def towers_of(config: TowerConfig = SMALL) -> TwoTowers:
    """Return towers without zero weights, as after training."""
    towers = TwoTowers(shipped_encoder(), "titles", config, name="small")
    torch.manual_seed(1)
    with torch.no_grad():
        for weight in towers.module.parameters():
            weight += 0.1 * torch.randn_like(weight)
    return towers


@pytest.fixture(scope="module")
def towers() -> TwoTowers:
    """Return a model that tests do not change."""
    return towers_of()


def test_vectors(towers: TwoTowers) -> None:
    """Normalised rows in the order of the records; documents give the same rows, deterministically."""
    projects, freelancers = towers.encode_projects(PROJECTS), towers.encode_freelancers(FREELANCERS)
    assert (projects.shape, freelancers.shape, projects.dtype) == ((2, 256), (3, 256), np.float32)
    np.testing.assert_allclose(np.linalg.norm(np.vstack([projects, freelancers]), axis=1), 1, atol=1e-5)
    np.testing.assert_array_equal(towers.encode([project_document(record) for record in PROJECTS]), projects)
    for number, freelancer in enumerate(FREELANCERS):
        np.testing.assert_allclose(towers.encode_freelancers([freelancer])[0], freelancers[number], atol=1e-5)


def test_the_two_towers_have_weights_of_their_own(towers: TwoTowers) -> None:
    """W_P and W_F differ."""
    shapes = {kind: tower.section.shape for kind, tower in towers.towers.items() if tower.section is not None}
    assert shapes == {"freelancer": (6, 256), "project": (7, 256)}
    heads = [dict(tower.named_parameters())["head.out.weight"] for tower in towers.towers.values()]
    assert not torch.equal(heads[0], heads[1])


def test_more_documents_than_a_batch(towers: TwoTowers) -> None:
    """Their rows are in the given order, although they are sorted by length inside."""
    many = [replace(FREELANCERS[0], id=str(n), title="nurse " * (1 + n * 7 % 11)) for n in range(150)]
    vectors = towers.encode_freelancers(many)
    for number in (0, 70, 149):
        np.testing.assert_allclose(vectors[number], towers.encode_freelancers([many[number]])[0], atol=1e-5)


def test_progress(towers: TwoTowers) -> None:
    """Progress counts documents."""
    seen: list[tuple[int, int]] = []
    towers.encode_freelancers(FREELANCERS * 30, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(64, 90), (90, 90)]


def test_nobody(towers: TwoTowers) -> None:
    """There are no rows, of the usual width."""
    assert towers.encode_projects([]).shape == (0, 256)


def test_documents_of_two_kinds(towers: TwoTowers) -> None:
    """They are refused."""
    with pytest.raises(ValueError, match="one kind"):
        towers.encode([project_document(PROJECTS[0]), freelancer_document(FREELANCERS[0])])


def test_sections_parts_add_up(towers: TwoTowers) -> None:
    """To the vector, and so to every score."""
    projects = [project_document(record) for record in PROJECTS]
    parts = towers.section_vectors(projects)
    assert parts.shape == (2, len(SECTIONS["project"]), 256)
    np.testing.assert_allclose(parts.sum(axis=1), towers.encode(projects), atol=1e-6)
    freelancers = towers.encode_freelancers(FREELANCERS)
    contributions = parts @ freelancers.T
    np.testing.assert_allclose(contributions.sum(axis=1), towers.encode(projects) @ freelancers.T, atol=1e-5)


def test_untrained_towers_match_by_meaning_across_languages() -> None:
    """Zero-shot, by the mean of the sections' word vectors; an empty profile matches nothing."""
    zero_shot = TwoTowers(shipped_encoder(), "titles", ZERO_SHOT)
    projects, freelancers = ([project_document(p) for p in PROJECTS], [freelancer_document(f) for f in FREELANCERS])
    scores = CosineMatcher(zero_shot).scores(projects, freelancers)
    assert scores.argmax(axis=1).tolist() == [1, 0]
    assert scores[:, 2].tolist() == [0, 0]
    begun = CosineMatcher(TwoTowers(shipped_encoder(), "titles", SMALL)).scores(projects, freelancers)
    assert begun[:, :2].argmax(axis=1).tolist() == [1, 0], "a head begins near to none"


def test_the_seed_decides_and_disturbs_nobody() -> None:
    """One seed gives equal towers; torch's global random state is unchanged."""
    torch.manual_seed(5)
    expected = torch.rand(1)
    torch.manual_seed(5)
    first, again, other = (TwoTowers(shipped_encoder(), "titles", SMALL, seed=seed) for seed in (1, 1, 2))
    assert torch.equal(torch.rand(1), expected)
    for name, weight in first.weights().items():
        assert torch.equal(weight, again.weights()[name])
    assert any(not torch.equal(weight, other.weights()[name]) for name, weight in first.weights().items())


def test_saved_and_loaded_it_is_the_same(towers: TwoTowers, tmp_path: Path) -> None:
    """Vectors are equal; the backbone is loaded by its name."""
    towers.save(tmp_path / "model", {"seed": 1})
    assert sorted(path.name for path in (tmp_path / "model").iterdir()) == [
        "config.json",
        "model.safetensors",
        "report.json",
    ]
    loaded = TwoTowers.load(tmp_path / "model")
    assert loaded.config == towers.config
    assert loaded.encoder is shipped_encoder()
    np.testing.assert_array_equal(loaded.encode_projects(PROJECTS), towers.encode_projects(PROJECTS))
    np.testing.assert_array_equal(loaded.encode_freelancers(FREELANCERS), towers.encode_freelancers(FREELANCERS))
    assert json.loads((tmp_path / "model" / "report.json").read_text("utf-8")) == {"seed": 1}


def test_a_models_name_tells_it_from_others(towers: TwoTowers, tmp_path: Path) -> None:
    """It has the folder's name and a digest of the weights."""
    towers_of(replace(SMALL, skip=False)).save(tmp_path / "other" / "model", {})
    towers.save(tmp_path / "model", {})
    names = {TwoTowers.load(folder).name for folder in (tmp_path / "model", tmp_path / "other" / "model")}
    assert len(names) == 2
    assert all(name.startswith("model-") for name in names)
    assert towers.name == "small"


def test_an_older_folder_stays_unless_told(towers: TwoTowers, tmp_path: Path) -> None:
    """It is replaced on request only."""
    towers.save(tmp_path / "model", {"seed": 1})
    with pytest.raises(OSError, match="model"):
        towers.save(tmp_path / "model", {"seed": 2})
    assert "1" in (tmp_path / "model" / "report.json").read_text("utf-8")
    towers.save(tmp_path / "model", {"seed": 2}, replace=True)
    assert "2" in (tmp_path / "model" / "report.json").read_text("utf-8")


def _without(folder: Path, name: str) -> None:
    (folder / name).unlink()


def _cut(folder: Path, name: str) -> None:
    (folder / name).write_bytes((folder / name).read_bytes()[:50])


def _changed(folder: Path, key: str, value: object) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | {key: value}), "utf-8")


def _without_a_weight(folder: Path, name: str) -> None:
    weights = load_file(folder / "model.safetensors")
    del weights[name]
    save_file(weights, folder / "model.safetensors")


@pytest.mark.parametrize(
    ("damage", "words", "message"),
    [
        (_without, ("config.json",), "No such file"),
        (_without, ("model.safetensors",), "No such file"),
        (_cut, ("config.json",), ""),
        (_cut, ("model.safetensors",), ""),
        (_changed, ("tower", {"colour": 1}), "colour"),
        (_changed, ("tower", {"heads": "many"}), ""),
        (_changed, ("tower", {"heads": 3}), "3 heads"),
        (_changed, ("tower", {}), "its weights do not match"),
        (_changed, ("sections", {}), "other sections"),
        (_changed, ("backbone_name", "older"), "trained over older, and jobmatch-titles-.* gives other vectors"),
        (_without_a_weight, ("project.section",), "its weights do not match"),
    ],
)
def test_a_folder_that_cannot_be_used(towers: TwoTowers, tmp_path: Path, damage, words, message: str) -> None:  # noqa: ANN001
    """The error has the reason and what to do."""
    towers.save(tmp_path / "model", {})
    damage(tmp_path / "model", *words)
    with pytest.raises(
        ModelError, match=rf"model holds no towers that can be used \(.*{message}.*jobmatch train towers"
    ):
        TwoTowers.load(tmp_path / "model")


def test_no_folder_and_no_backbone(towers: TwoTowers, tmp_path: Path) -> None:
    """They raise the same error; that of the backbone is included."""
    with pytest.raises(ModelError, match="holds no towers"):
        TwoTowers.load(tmp_path / "nowhere")
    towers.save(tmp_path / "model", {})
    _changed(tmp_path / "model", "backbone", str(tmp_path / "gone"))
    with pytest.raises(ModelError, match=r"holds no towers .*There is no model .*gone"):
        TwoTowers.load(tmp_path / "model")
