"""Titles in context: what is known beside them moves the link, and unknown words change nothing."""

import json
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from jobmatch_core.entities import LinkResult
from jobmatch_core.errors import DataFileError, SettingsError
from jobmatch_core.linking import Linker
from jobmatch_core.linking.batch import link_file
from jobmatch_core.linking.context import (
    Context,
    ContextColumns,
    TitleInContext,
    context_words,
    named_texts,
    titled,
)
from jobmatch_core.linking.decisions import renamed_result
from jobmatch_core.linking.link_answer import answered_link
from jobmatch_core.linking.link_job import BatchLinker
from jobmatch_core.linking.store import LinkerSpec
from jobmatch_core.linking.stored_list import from_lines, to_lines
from tests.core.linking.compared_links import assert_same
from tests.core.linking.made_files import TITLED

TITLE = "inspector"
FACTORY = Context.of({"industry": "food products manufacturing"})
HOSTILE = [
    '=HYPERLINK("http://127.0.0.1/","x")',
    "\u202eetagirb erif\u202c",
    "🚒👩‍🚒" * 50,
    "a" * 10_000,
    "fire " * 2_000,
    "\x00\x1b[31m",
    "<script>alert(1)</script>",
    "ఌ" * 300,
]


def _links(result: LinkResult) -> LinkResult:
    return replace(result, context=())


def test_a_context_drops_blank_texts_and_keeps_the_beginning_of_long_ones() -> None:
    """Missing cells are blank; names and texts are one line each."""
    context = Context.of({"skills": " Excel \n", "duties": None, "industry": "retail  trade", "size": float("nan")})
    assert context.texts == (("skills", "Excel"), ("industry", "retail trade"))
    assert not Context.of({"industry": " "})
    assert titled("cook", {"industry": ""}) == "cook"
    assert len(Context.of({"x" * 1000: "y" * 10_000}).texts[0][1]) == 2000
    with pytest.raises(DataFileError, match="a list where a text is expected"):
        Context.of({"skills": ["Excel"]})


def test_options_name_each_text_once() -> None:
    """A column without a name is its own name."""
    assert named_texts(["duties=B", "industry=A=1", "Branche"]) == {
        "duties": "B",
        "industry": "A=1",
        "Branche": "Branche",
    }
    for options, message in ((["industry="], "NAME=COLUMN"), (["=A"], "NAME=COLUMN"), (["x=A", "x=B"], "twice")):
        with pytest.raises(SettingsError, match=message):
            named_texts(options)


def test_unknown_words_change_nothing(lexical: Linker) -> None:
    """Not one probability; the answer says that they are not known."""
    alone = lexical.link(TITLE)
    beside = lexical.link(TitleInContext(TITLE, Context.of({"industry": "Zyxqo Qwvbn"})))
    assert _links(beside) == alone
    assert [context_words(said) for said in beside.context] == ["industry Zyxqo Qwvbn: not known, changes nothing"]


def test_a_title_without_context_is_linked_alike_beside_others_with_one(lexical: Linker) -> None:
    """They do not share anything in a batch."""
    alone, *_ = lexical.link_all([TITLE] * 3)  # the size of a batch may change the last digit
    beside, again, empty = lexical.link_all([TitleInContext(TITLE, FACTORY), TITLE, TitleInContext(TITLE, Context())])
    assert_same(again, alone)
    assert_same(empty, alone)
    assert not alone.context
    assert again.context == empty.context == alone.context
    assert [candidate.probability for candidate in beside.candidates] != [
        candidate.probability for candidate in alone.candidates
    ]
    assert sum(candidate.probability for candidate in beside.candidates) <= 1


def test_a_title_that_says_nothing_has_the_candidates_of_its_context(lexical: Linker) -> None:
    """A grade alone has no form to search for."""
    assert not lexical.link("Band 2c").candidates
    [result] = lexical.link_all([TitleInContext("Band 2c", Context.of({"industry": "bus company"}))])
    assert result.candidates
    assert not any(candidate.evidence.read_as for candidate in result.candidates)


@pytest.mark.parametrize("text", HOSTILE)
def test_any_text_may_stand_beside_a_title(lexical: Linker, text: str) -> None:
    """Probabilities stay probabilities, and what is said stays one short line."""
    result = lexical.link(TitleInContext("driver", Context.of({"duties": text})))
    assert all(0 <= candidate.probability <= 1 for candidate in result.candidates)
    assert all(len(context_words(said)) < 200 and "\n" not in context_words(said) for said in result.context)


def test_the_evidence_of_a_context_is_answered_renamed_and_stored(lexical: Linker) -> None:
    """With the unit group that it speaks for."""
    result = lexical.link(TitleInContext("driver", Context.of({"industry": "bus company"})), top=3)
    [said] = result.context
    assert (said.kind, said.text) == ("industry", "bus company")
    assert len(said.code) == 4
    assert said.log_odds > 0
    assert context_words(said) == f"industry bus company: speaks for {said.code} {said.group}"
    assert answered_link(result).context[0].isco == said.code
    assert from_lines(to_lines([result])) == [result]
    [renamed] = renamed_result(result, lexical.taxonomy, "fr").context
    assert renamed == replace(said, group=lexical.taxonomy.group_name(said.code, "fr"))


def test_a_file_says_what_stands_beside_its_titles(lexical: Linker, tmp_path: Path) -> None:
    """In a column; blank texts leave the file as it is without them, and a missing column is named."""
    source, out, plain = (tmp_path / name for name in ("answers.csv", "linked.jsonl", "plain.jsonl"))
    source.write_text("title,branch,=none\ninspector,food products manufacturing,\ninspector,,\ncook,, \n", "utf-8")
    link_file(lexical, source, out, layout=TITLED, context=ContextColumns.of({"industry": "branch"}))
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [bool(row["link_context"]) for row in rows] == [True, False, False]
    assert rows[0]["link_context"].startswith("industry food products manufacturing: speaks for ")
    link_file(lexical, source, plain, layout=TITLED)
    link_file(lexical, source, out, layout=TITLED, context=ContextColumns.of({"industry": "=none"}))
    assert out.read_bytes() == plain.read_bytes()
    with pytest.raises(DataFileError, match="no column 'sector'; it has title, branch"):
        link_file(lexical, source, out, layout=TITLED, context=ContextColumns.of({"industry": "sector"}))


def test_batches_are_linked_with_their_columns(lexical: Linker, monkeypatch: pytest.MonkeyPatch) -> None:
    """As files are, each pair of title and context once; a missing column is named."""
    monkeypatch.setattr(LinkerSpec, "_linker", lambda _: lexical)
    spec = LinkerSpec(context=ContextColumns.of({"industry": "branch"}))
    batch = pa.RecordBatch.from_pydict({"title": ["driver", "driver"], "branch": ["bus company", None]})
    [linked] = BatchLinker(spec, "title").link_batches(iter([batch]))
    said = linked.column("link_context").to_pylist()
    assert (said[0].split(":")[0], said[1]) == ("industry bus company", None)
    with pytest.raises(DataFileError, match="no column 'branch'; it has title"):
        next(BatchLinker(spec, "title").link_batches(iter([batch.select(["title"])])))
