"""Headings of adverts: the part that names the job is linked, and what may be another job leaves the title unsure."""

from dataclasses import replace
from typing import Any

import pytest

from jobmatch_core.entities import Candidate, Evidence, GroupOffer, LinkResult, Seniority
from jobmatch_core.link_reasons import NO_JOB, NOT_SURE
from jobmatch_core.linking import Linker
from jobmatch_core.linking.headings import PART_IS_NO_JOB, PART_IS_SURE, heading_parts, is_unsure, link_of_heading


def answer(title: str, probability: float, isco: str = "7112", *, linked: bool = True, **fields: Any) -> LinkResult:
    """An answer with one candidate, of which the linker is sure or not."""
    candidate = Candidate(f"uri:{isco}", isco, isco, probability, Evidence(title, "en", {}))
    result = LinkResult(title, (candidate,), not linked, None, "esco", (), reason="" if linked else NOT_SURE)
    return replace(result, **fields)


@pytest.mark.parametrize(
    ("title", "parts"),
    [
        ("URGENT! Bricklayer, nights, free parking", ("URGENT", "Bricklayer", "nights", "free parking")),
        ("Bricklayer – 3 years", ("Bricklayer", "3 years")),
        ("看護助手/日勤のみ/時給1,350円", ("看護助手", "日勤のみ", "時給1", "350円")),
        ("建築塗装工★日給1.4万円★寮完備", ("建築塗装工", "日給1.4万円", "寮完備")),
        ("洗车工 12小时两班倒 工资日结", ("洗车工", "12小时两班倒", "工资日结")),
        ("مطلوب: معلم بيتزا – جدة – 4500", ("مطلوب", "معلم بيتزا", "جدة")),
        ("operator, quarry", ()),  # a job and its field
        ("nurse (night)", ()),
        ("nurse", ()),
        ("", ()),
        ("★★★", ()),
        (", ".join(["word"] * 13), ()),  # a list, not a heading
    ],
)
def test_parts(title: str, parts: tuple[str, ...]) -> None:
    """Marks and, in Chinese and Japanese, spaces divide a heading; a job and its field stay whole."""
    assert heading_parts(title) == parts


def test_parts_have_no_parts() -> None:
    """No part is a heading itself, so that linking the parts ends."""
    title = "URGENT! 看護助手/日勤のみ | Bricklayer  (2 shifts) – £ 20 – a - - b"

    assert [heading_parts(part) for part in heading_parts(title)] == [()] * len(heading_parts(title))


def test_the_part_that_names_the_job_answers_for_the_title() -> None:
    """The other parts are set aside, and the seniority is that of the whole."""
    whole = answer("Bricklayer! 20 £, Leeds", 0.2, linked=False, seniority=Seniority.SENIOR)
    job = answer("Bricklayer", PART_IS_SURE)

    link = link_of_heading(whole, [job, answer("20 £", 0.1, "9999", linked=False)])

    assert link is not None
    assert (link.title, link.best, link.set_aside) == (whole.title, job.best, ("20 £",))
    assert link.seniority is Seniority.SENIOR


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ([("Bricklayer", PART_IS_SURE - 0.01, "7112", True), ("20", 0.1, "9999", False)], "no part is sure"),
        ([("Bricklayer", 0.95, "7112", True), ("Painter", 0.9, "7131", True)], "two jobs"),
        ([("Bricklayer", 0.95, "7112", True), ("food", PART_IS_NO_JOB + 0.01, "5120", False)], "a field of work"),
        ([("Bricklayer", 0.95, "7112", False), ("20", 0.1, "9999", False)], "no part is linked"),
        ([], "no parts"),
    ],
)
def test_no_part_answers(parts: list[tuple[str, float, str, bool]], why: str) -> None:
    """The title stays unsure."""
    answers = [answer(title, probability, isco, linked=linked) for title, probability, isco, linked in parts]

    assert link_of_heading(answer("x", 0.2, linked=False), answers) is None, why


def test_two_parts_of_one_unit_group_agree() -> None:
    """The surer one answers."""
    whole, group = answer("x", 0.2, linked=False), GroupOffer("2165", "surveyors", 0.9)
    parts = [answer("surveyor", 0.9, "2165", group=group), answer("land surveyor", 0.95, "2165")]

    link = link_of_heading(whole, parts)

    assert link is not None
    assert link.probability == 0.95


def test_only_what_is_unsure_is_read_as_a_heading() -> None:
    """A link stays, and so does a text that is no job."""
    assert is_unsure(answer("x", 0.2, linked=False))
    assert not is_unsure(answer("x", 0.9))
    assert not is_unsure(answer("x", 0.2, linked=False, reason=NO_JOB))


def test_headings_of_adverts_are_linked(bundled: Linker) -> None:
    """They have the answer of the part that names the job."""
    titles = ["品出しスタッフ 早朝6:00-9:00 高校生不可", "Sushi chef ★ Berlin Mitte ★ 2.800 ★ Xyzzy Gmbh ★ plugh"]

    whole, parts = bundled.link_all(titles), bundled.link_all(["品出しスタッフ", "Sushi chef"])

    for heading, part in zip(whole, parts, strict=True):
        assert not heading.abstained
        assert heading.candidates[0].isco == part.candidates[0].isco
        assert heading.set_aside


def test_headings_among_other_titles(bundled: Linker) -> None:
    """Answers stay with their titles where only some of a batch are read by their parts."""
    titles = [
        "品出しスタッフ 早朝6:00-9:00 高校生不可",
        "nurse",
        "管理栄養士◎年間休日120日◎賞与3.5ヶ月",
        "",
        "★ 1 ★ 2 ★ 3",
    ]

    results = bundled.link_all(titles)

    assert [result.title for result in results] == titles
    assert [result.candidates[0].isco if result.level else "" for result in results] == ["9334", "2221", "2265", "", ""]
