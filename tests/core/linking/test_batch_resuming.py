"""Interrupted files: links are kept, and only the same job resumes them."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jobmatch_core.entities import Encoder, LinkResult
from jobmatch_core.errors import LinkingError
from jobmatch_core.linking import Linker, batch
from jobmatch_core.linking.batch import link_file
from jobmatch_core.linking.calibration import Calibration
from jobmatch_core.linking.candidates import feature_names
from jobmatch_core.linking.index import NameIndex
from jobmatch_core.taxonomy import Taxonomy
from tests.core.linking.made_files import TITLED, StandIn, interrupt, read, write

ROOT = Path(__file__).parents[3]


@pytest.mark.first_case
@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("out_format", ["csv", "jsonl", "parquet"])
@pytest.mark.parametrize("parts", [1, 3, 4])
def test_an_interrupted_run_goes_on_where_it_stopped(
    stand_in: Any, seven: Path, tmp_path: Path, parts: int, out_format: str
) -> None:
    """The output has the same bytes as without interruption; only missing parts are linked."""
    whole, out = tmp_path / f"whole.{out_format}", tmp_path / f"out.{out_format}"
    link_file(stand_in, seven, whole, layout=TITLED)
    interrupt(StandIn(), seven, out, parts)
    assert not out.exists()
    second = StandIn()
    assert link_file(second, seven, out, layout=TITLED, resume=True) == 7  # type: ignore[arg-type]
    assert second.calls == stand_in.calls[parts:]
    assert out.read_bytes() == whole.read_bytes()
    assert not (tmp_path / f"out.{out_format}.parts").exists()


@pytest.mark.usefixtures("small_parts")
def test_an_interruption_inside_a_part_loses_only_that_part(stand_in: Any, seven: Path, tmp_path: Path) -> None:
    """The linker is interrupted in the third part; two parts are kept."""
    link_all = stand_in.link_all

    def interrupted(titles: Sequence[str], **options: Any) -> list[LinkResult]:
        if len(stand_in.calls) == 2:
            raise KeyboardInterrupt
        return list(link_all(titles, **options))

    stand_in.link_all = interrupted
    with pytest.raises(KeyboardInterrupt):
        link_file(stand_in, seven, tmp_path / "out.csv", layout=TITLED)
    second = StandIn()
    link_file(second, seven, tmp_path / "out.csv", layout=TITLED, resume=True)  # type: ignore[arg-type]
    assert second.calls == [["cook", '=SUM("a")'], ["看護師"]]


KILLED = """
import time
from pathlib import Path
from jobmatch_core.linking import batch
from tests.core.linking.made_files import TITLED, StandIn
batch.PART_ROWS = 2
class Slow(StandIn):
    def link_all(self, titles, **options):
        time.sleep(0.2)
        return super().link_all(titles, **options)
batch.link_file(Slow(), Path({source!r}), Path({out!r}), layout=TITLED)
"""


@pytest.mark.usefixtures("small_parts")
def test_a_killed_process_can_be_resumed(stand_in: Any, tmp_path: Path) -> None:
    """After SIGKILL no row is lost, doubled or linked again."""
    source = write(tmp_path / "in.csv", [{"title": f"title {number}"} for number in range(40)])
    out, whole = tmp_path / "out.csv", tmp_path / "whole.csv"
    script = KILLED.format(source=str(source), out=str(out))
    process = subprocess.Popen([sys.executable, "-c", script], env={**os.environ, "PYTHONPATH": str(ROOT)})
    parts = tmp_path / "out.csv.parts"
    deadline = time.monotonic() + 60
    while len(list(parts.glob("[0-9]*.jsonl"))) < 3:
        assert process.poll() is None, "it ended before it could be killed"
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    assert process.wait(30) == -signal.SIGKILL
    finished = len(list(parts.glob("[0-9]*.jsonl")))
    assert 3 <= finished < 20
    assert not out.exists()
    assert link_file(stand_in, source, out, resume=True) == 40
    assert len(stand_in.calls) == 20 - finished
    link_file(stand_in, source, whole)
    assert out.read_bytes() == whole.read_bytes()


@pytest.mark.usefixtures("small_parts")
def test_without_resume_everything_is_linked_anew(stand_in: Any, seven: Path, tmp_path: Path) -> None:
    """Old parts are deleted, also those of another job."""
    interrupt(StandIn(), seven, tmp_path / "out.csv", layout=replace(TITLED, column="note"))
    link_file(stand_in, seven, tmp_path / "out.csv", layout=TITLED)
    assert len(stand_in.calls) == 4
    assert read(tmp_path / "out.csv")[0]["link_uri"] == "uri:cook"


def test_resume_without_parts_starts_anew(stand_in: Any, seven: Path, tmp_path: Path) -> None:
    """The job starts from the beginning."""
    assert link_file(stand_in, seven, tmp_path / "out.csv", layout=TITLED, resume=True) == 7


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize(
    "changed",
    [{"layout": replace(TITLED, column="note")}, {"show": "de"}, {"top": 4}, {"languages": ["de"]}],
    ids=["column", "show", "top", "languages"],
)
def test_resume_with_other_options_is_refused(
    stand_in: Any, seven: Path, tmp_path: Path, changed: dict[str, Any]
) -> None:
    """Rows linked in two ways must not mix; the parts stay for the right command."""
    out = tmp_path / "out.csv"
    interrupt(StandIn(), seven, out)
    with pytest.raises(LinkingError, match=r"out\.csv\.parts was left by another job .*run without --resume"):
        link_file(stand_in, seven, out, **{"layout": TITLED, **changed}, resume=True)
    assert stand_in.calls == []
    assert not out.exists()
    assert link_file(stand_in, seven, out, layout=TITLED, resume=True) == 7
    assert len(stand_in.calls) == 3


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("taxonomy", [("tiny-2", "abc"), ("tiny-1", "changed")], ids=["another", "replaced"])
def test_resume_with_another_taxonomy_is_refused(seven: Path, tmp_path: Path, taxonomy: tuple[str, str]) -> None:
    """Also with a replaced taxonomy of the same id."""
    interrupt(StandIn(), seven, tmp_path / "out.csv")
    with pytest.raises(LinkingError, match="was left by another job"):
        link_file(StandIn(*taxonomy), seven, tmp_path / "out.csv", layout=TITLED, resume=True)  # type: ignore[arg-type]


@pytest.mark.usefixtures("small_parts")
def test_resume_with_a_changed_source_is_refused(stand_in: Any, seven: Path, tmp_path: Path) -> None:
    """A row more, or other words of the same length."""
    for change in (lambda text: text + "8,nurse,,\n", lambda text: text.replace("cook", "chef")):
        interrupt(StandIn(), seven, tmp_path / "out.csv")
        before = seven.stat().st_mtime_ns
        seven.write_text(change(seven.read_text("utf-8")), "utf-8")
        os.utime(seven, ns=(before + 1_000_000_000,) * 2)
        with pytest.raises(LinkingError, match="was left by another job"):
            link_file(stand_in, seven, tmp_path / "out.csv", layout=TITLED, resume=True)


@pytest.mark.usefixtures("small_parts")
def test_resume_with_another_source_of_the_same_name_is_refused(stand_in: Any, seven: Path, tmp_path: Path) -> None:
    """The full path counts."""
    interrupt(StandIn(), seven, tmp_path / "out.csv")
    (tmp_path / "elsewhere").mkdir()
    other = tmp_path / "elsewhere" / "seven.csv"
    other.write_bytes(seven.read_bytes())
    stat = seven.stat()
    os.utime(other, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    with pytest.raises(LinkingError, match="was left by another job"):
        link_file(stand_in, other, tmp_path / "out.csv", layout=TITLED, resume=True)


@pytest.mark.long
@pytest.mark.usefixtures("small_parts")
def test_resume_with_an_encoder_is_another_job(
    seven: Path, tmp_path: Path, tiny_taxonomy: Taxonomy, letters: Encoder
) -> None:
    """Rows linked with and without an encoder must not mix."""

    def opened(encoder: Encoder | None) -> Linker:
        index = NameIndex.build(tiny_taxonomy, encoder)
        features = feature_names(list(index.scorers))
        return Linker(tiny_taxonomy, index, Calibration(tuple(features), (1.0,) * len(features), 0.0, 0.5, {}))

    interrupt(opened(None), seven, tmp_path / "out.csv")
    with pytest.raises(LinkingError, match="was left by another job"):
        link_file(opened(letters), seven, tmp_path / "out.csv", layout=TITLED, resume=True)


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content.split(b"\n")[0],
        lambda content: content[:-10],
        lambda content: b"",
        lambda content: b"\xff\xfe" + content,
        lambda content: content + b"\n{}",
        lambda content: b'"text"\n"text"',
    ],
    ids=["a row short", "cut short", "empty", "not text", "a row too many", "no links"],
)
def test_a_damaged_part_is_noticed(
    stand_in: Any, seven: Path, tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    """It is linked again, or refused with a LinkingError."""
    out, whole = tmp_path / "out.csv", tmp_path / "whole.csv"
    link_file(stand_in, seven, whole, layout=TITLED)
    interrupt(StandIn(), seven, out, parts=2)
    part = tmp_path / "out.csv.parts" / "0000000.jsonl"
    part.write_bytes(damage(part.read_bytes()))
    try:
        link_file(stand_in, seven, out, layout=TITLED, resume=True)
    except LinkingError:
        assert not out.exists()
    else:
        assert out.read_bytes() == whole.read_bytes()


@pytest.mark.usefixtures("small_parts")
def test_parts_of_another_size_are_not_mixed(
    stand_in: Any, seven: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Parts of a release with another part size must not shift the rows."""
    out, whole = tmp_path / "out.csv", tmp_path / "whole.csv"
    link_file(stand_in, seven, whole, layout=TITLED)
    interrupt(StandIn(), seven, out)
    monkeypatch.setattr(batch, "PART_ROWS", 3)
    try:
        link_file(stand_in, seven, out, layout=TITLED, resume=True)
    except LinkingError:
        assert not out.exists()
    else:
        assert out.read_bytes() == whole.read_bytes()
