"""Titles in context: what is known beside them moves the link, and unknown words change nothing."""

import json
from pathlib import Path

import pytest

from jobmatch_core.errors import DataFileError, SettingsError
from jobmatch_core.linking import Linker
from jobmatch_core.linking.batch import link_file
from jobmatch_core.linking.context import Context, ContextColumns, TitleInContext, context_words, titled
from jobmatch_core.linking.link_answer import answered_link
from jobmatch_core.linking.stored_list import from_lines, to_lines
from tests.core.linking.made_files import TITLED

TITLE = "inspector"
FACTORY = Context.of({"industry": "food products manufacturing"})


def test_a_context_keeps_the_order_of_kinds_and_drops_blank_texts() -> None:
    """Whatever the order in which they are given."""
    context = Context.of({"skills": " Excel \n", "duties": "", "industry": "retail  trade"})
    assert context.texts == (("industry", "retail trade"), ("skills", "Excel"))
    assert not Context.of({"industry": " "})
    assert titled("cook", Context()) == "cook"


def test_an_unknown_kind_is_refused_with_the_kinds_there_are() -> None:
    """In the library and on the command line."""
    with pytest.raises(SettingsError, match=r"no context .colour.; it is one of .*industry"):
        Context.of({"colour": "red"})
    for options, message in ((["industry"], "KIND=COLUMN"), (["industry=A", "industry=B"], "twice")):
        with pytest.raises(SettingsError, match=message):
            ContextColumns.parsed(options)
    assert ContextColumns.parsed(["duties=B", "industry=A"]).columns == (("industry", "A"), ("duties", "B"))


def test_unknown_words_change_nothing(lexical: Linker) -> None:
    """Not one probability; the answer says that they are not known."""
    alone = lexical.link(TITLE)
    beside = lexical.link(TitleInContext(TITLE, Context.of({"industry": "Zyxqo Qwvbn"})))
    assert (beside.candidates, beside.group, beside.reason) == (alone.candidates, alone.group, alone.reason)
    assert [context_words(said) for said in beside.context] == [
        'industry "Zyxqo Qwvbn" is not known and changes nothing'
    ]


def test_a_title_without_context_is_linked_alike_beside_others_with_one(lexical: Linker) -> None:
    """They do not share anything in a batch."""
    alone = lexical.link(TITLE)
    beside, again = lexical.link_all([TitleInContext(TITLE, FACTORY), TITLE])
    assert again == alone
    assert [candidate.probability for candidate in beside.candidates] != [
        candidate.probability for candidate in alone.candidates
    ]
    assert sum(candidate.probability for candidate in beside.candidates) <= 1


def test_the_evidence_of_a_context_is_answered_and_stored(lexical: Linker) -> None:
    """With the unit group that it speaks for."""
    result = lexical.link(TitleInContext("driver", Context.of({"industry": "bus company"})), top=3)
    [said] = result.context
    assert (said.kind, said.text) == ("industry", "bus company")
    assert len(said.code) == 4
    assert said.log_odds > 0
    assert context_words(said) == f'industry "bus company" speaks for {said.code} {said.group}'
    assert answered_link(result).context[0].isco == said.code
    assert from_lines(to_lines([result])) == [result]


def test_a_file_with_context_says_what_it_speaks_for(lexical: Linker, tmp_path: Path) -> None:
    """In a column of its own, which files without context lack; each pair of title and context is linked once."""
    source, out = tmp_path / "answers.csv", tmp_path / "linked.jsonl"
    source.write_text("title,branch\ninspector,food products manufacturing\ninspector,\ncook,\n", "utf-8")
    layout = TITLED
    link_file(lexical, source, out, layout=layout, context=ContextColumns.parsed(["industry=branch"]))
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [bool(row["link_context"]) for row in rows] == [True, False, False]
    assert rows[0]["link_context"].startswith('industry "food products manufacturing" speaks for ')
    link_file(lexical, source, out, layout=layout)
    assert "link_context" not in json.loads(out.read_text("utf-8").splitlines()[0])
    with pytest.raises(DataFileError, match="no column 'sector'"):
        link_file(lexical, source, out, layout=layout, context=ContextColumns.parsed(["industry=sector"]))
