"""Embeddings on disk: encoded once, whoever asks, and whole whatever happens to the process."""

import signal
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobmatch_core.encoders.loading import EmbeddingCache
from jobmatch_core.entities import FloatArray
from jobmatch_core.errors import SettingsError
from jobmatch_core.io.vector_file import VectorFile

BLOCK = 512  # texts that are written at a time

# Encodes the texts 0, 1, ... of a range, and is killed when it is asked for one of them.
WORKER = """
import os, signal, sys
from pathlib import Path
import numpy as np
from jobmatch_core.encoders.loading import EmbeddingCache

class Numbers:
    name = "numbers"

    def encode(self, texts):
        if sys.argv[4] in texts:
            os.kill(os.getpid(), signal.SIGKILL)
        return np.array([[int(text), -int(text)] for text in texts], dtype=np.float32)

texts = [str(number) for number in range(int(sys.argv[2]), int(sys.argv[3]))]
cache = EmbeddingCache(Numbers(), Path(sys.argv[1]))
for start in range(0, len(texts), 50):
    cache.encode(texts[start:start + 50])
cache.encode(texts)
"""


class Numbers:
    """An encoder of numbers that remembers what it was asked for; *sign* tells two of the same name apart."""

    def __init__(self, name: str = "numbers", sign: int = 1) -> None:
        self.name = name
        self.sign = sign
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return (n, -n) for each text."""
        self.asked += texts
        rows = [[self.sign * int(text), -self.sign * int(text)] for text in texts]
        return np.array(rows, dtype=np.float32).reshape(-1, 2)


def vectors(*numbers: int) -> list[list[float]]:
    """Return what the encoder gives."""
    return [[number, -number] for number in numbers]


def worker(folder: Path, first: int, last: int, deadly: str = "") -> subprocess.Popen[bytes]:
    """Encode a range in another process."""
    return subprocess.Popen([sys.executable, "-c", WORKER, str(folder), str(first), str(last), deadly])


def test_only_new_texts_are_encoded(tmp_path: Path) -> None:
    """In the order asked for, repeated ones included, by this cache or another one of the same folder."""
    encoder = Numbers()
    cache = EmbeddingCache(encoder, tmp_path)
    assert cache.encode(["2", "1", "2"]).tolist() == vectors(2, 1, 2)
    assert encoder.asked == ["2", "1"]
    again = Numbers()
    assert EmbeddingCache(again, tmp_path).encode(["3", "2", "1"]).tolist() == vectors(3, 2, 1)
    assert again.asked == ["3"]


@settings(deadline=None)
@given(asked=st.lists(st.lists(st.integers(0, 30)), max_size=5))
def test_as_if_there_were_no_cache(tmp_path_factory: pytest.TempPathFactory, asked: list[list[int]]) -> None:
    """Whatever is asked for, and however often; each text is encoded once."""
    encoder = Numbers()
    cache = EmbeddingCache(encoder, tmp_path_factory.mktemp("cache"))
    for numbers in asked:
        assert cache.encode([str(number) for number in numbers]).tolist() == vectors(*numbers)
    assert len(encoder.asked) == len(set(encoder.asked))


def test_more_texts_than_are_written_at_a_time(tmp_path: Path) -> None:
    """Also where one comes back in a later block."""
    texts = [str(number) for number in range(2 * BLOCK + 3)] + ["0"]
    encoder = Numbers()
    assert EmbeddingCache(encoder, tmp_path).encode(texts)[[0, BLOCK, -1]].tolist() == vectors(0, BLOCK, 0)
    assert encoder.asked == texts[:-1]


def test_rows_are_single_precision_and_may_be_changed(tmp_path: Path) -> None:
    """Read ones as fresh ones; changing them changes nothing on disk."""
    cache = EmbeddingCache(Numbers(), tmp_path)
    for _ in range(2):
        rows = cache.encode(["1"])
        assert (rows.dtype, rows.tolist()) == (np.float32, vectors(1))
        rows[:] = 0


def test_no_texts(tmp_path: Path) -> None:
    """No rows, as wide as the encoder has them, and no file."""
    assert EmbeddingCache(Numbers(), tmp_path).encode([]).shape == (0, 2)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.first_case
@pytest.mark.parametrize("name", ["a/b", "a-b", "a/b ", "A/B", "職", "x" * 300, ""])
def test_encoders_do_not_mix(tmp_path: Path, name: str) -> None:
    """However alike or odd their names are; the cache's own name is the encoder's."""
    for number, other in enumerate(("a:b", "名", "x" * 299)):
        EmbeddingCache(Numbers(other, sign=number + 2), tmp_path).encode(["1"])
    cache = EmbeddingCache(Numbers(name), tmp_path)
    assert cache.name == name
    assert cache.encode(["1"]).tolist() == vectors(1)
    assert len(list(tmp_path.iterdir())) == 4


def test_texts_that_cannot_be_written_down(tmp_path: Path) -> None:
    """Half a character from a damaged file, and a null: they are only hashed."""

    class Lengths(Numbers):
        def encode(self, texts: Sequence[str]) -> FloatArray:
            return super().encode([str(len(text)) for text in texts])

    texts = ["\ud800", "\udfff\0", "\0\0\0"]
    assert EmbeddingCache(Lengths(), tmp_path).encode(texts).tolist() == vectors(1, 2, 3)


def test_two_processes_at_once(tmp_path: Path) -> None:
    """Both write the same file at the same time, overlapping ranges; nothing is lost, nothing fails."""
    processes = [worker(tmp_path, 0, 800), worker(tmp_path, 400, 1200)]
    assert [process.wait(timeout=120) for process in processes] == [0, 0]
    encoder = Numbers()
    assert EmbeddingCache(encoder, tmp_path).encode([str(n) for n in range(1200)]).tolist() == vectors(*range(1200))
    assert encoder.asked == []


def test_threads_share_a_cache(tmp_path: Path) -> None:
    """As the app's sessions do."""
    cache = EmbeddingCache(Numbers(), tmp_path)
    with ThreadPoolExecutor(4) as pool:
        rows = list(pool.map(lambda n: cache.encode([str(n), str(n % 5)]).tolist(), range(40)))
    assert rows == [vectors(n, n % 5) for n in range(40)]


def test_a_killed_process_leaves_what_it_had(tmp_path: Path) -> None:
    """It is killed while it encodes the fourth fifty; the next one goes on from there."""
    assert worker(tmp_path, 0, 400, deadly="170").wait(timeout=120) == -signal.SIGKILL
    encoder = Numbers()
    assert EmbeddingCache(encoder, tmp_path).encode([str(n) for n in range(400)]).tolist() == vectors(*range(400))
    assert encoder.asked == [str(number) for number in range(150, 400)]


def test_a_damaged_file(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It is begun anew, and the log says which."""
    path = VectorFile(tmp_path, "numbers").path
    path.write_bytes(b"this is no database" * 100)
    assert EmbeddingCache(Numbers(), tmp_path).encode(["1", "2"]).tolist() == vectors(1, 2)
    assert str(path) in caplog.text


def test_the_encoders_own_errors_stay_its_own(tmp_path: Path) -> None:
    """Nothing of the failed block is kept."""
    cache = EmbeddingCache(Numbers(), tmp_path)
    with pytest.raises(ValueError, match="invalid literal"):
        cache.encode(["1", "no number"])
    encoder = Numbers()
    EmbeddingCache(encoder, tmp_path).encode(["1"])
    assert encoder.asked == ["1"]


def test_a_cache_that_is_not_needed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Where nothing can be written the texts are encoded all the same, and the log says so once."""
    (tmp_path / "file").write_text("in the way", "utf-8")
    folder = tmp_path / "file" / "cache"
    with pytest.raises(SettingsError):
        EmbeddingCache(Numbers(), folder).encode(["1"])
    caplog.clear()
    cache = EmbeddingCache(Numbers(), folder, needed=False)
    for _ in range(2):
        assert cache.encode(["1", "2"]).tolist() == vectors(1, 2)
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "are not stored" in caplog.text


def test_a_disk_that_fills_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What is there is read, what is new is encoded."""
    cache = EmbeddingCache(Numbers(), tmp_path, needed=False)
    cache.encode(["1"])

    def refuse(*args: object) -> None:
        raise SettingsError("The disk is full.")

    monkeypatch.setattr(VectorFile, "write", refuse)
    assert cache.encode(["1", "2"]).tolist() == vectors(1, 2)
    assert "The disk is full." in caplog.text
