"""Judgments of titles carried over to another version of their taxonomy."""

from dataclasses import replace

from jobmatch_core.entities import Judgment, Pair, PairKind, Provenance, Verdict
from jobmatch_core.judgment_origin import Origin
from jobmatch_core.labelling.carry_over import carry_over
from jobmatch_core.taxonomy.versions import compare_versions
from tests.db.made_judgments import make_judgment
from tests.made_versions import uri, versions

CHANGES = compare_versions(*versions())


def judged(title: str, key: str, verdict: Verdict = Verdict.POSITIVE, annotator: str = "ann") -> Judgment:
    """Return a judgment of a title in the earlier version."""
    return make_judgment(verdict, annotator, Pair(PairKind.TITLE_OCCUPATION, "trades-1", title, uri(key)))


def test_occupations_of_both_versions_keep_their_judgments() -> None:
    """With annotator, time, verdict, note and origin, under a new id and the later version."""
    bulk = Provenance("review desk", "model", 1, 0.9, Origin.BULK)
    earlier = [
        replace(judged("ward nurse", "nurse"), note="sure", provenance=bulk),
        judged("guide dog", "guide", Verdict.NEGATIVE, "bob"),
    ]
    result = carry_over(earlier, [], CHANGES)
    assert [
        replace(new, id=old.id, pair=old.pair) for new, old in zip(result.as_before, earlier, strict=True)
    ] == earlier
    assert [(new.pair.source, new.pair.right) for new in result.as_before] == [
        ("trades-2", uri("nurse")),
        ("trades-2", uri("guide")),
    ]
    assert not {new.id for new in result.as_before} & {old.id for old in earlier}


def test_the_only_successor_gets_what_was_accepted() -> None:
    """Not what was rejected; nobody gets what was split or removed."""
    accepted, rejected = judged("RTT", "radio"), judged("radio host", "radio", Verdict.NEGATIVE)
    split, removed = judged("grower", "grower"), judged("writer of scrolls", "scribe")
    result = carry_over([accepted, rejected, split, removed], [], CHANGES)
    assert [(new.pair.left, new.pair.right) for new in result.to_successors] == [("RTT", uri("therapist"))]
    assert result.left == (rejected, split, removed)
    assert result.as_before == ()


def test_carried_over_twice() -> None:
    """The second time, nothing is new."""
    earlier = [judged("ward nurse", "nurse"), judged("RTT", "radio")]
    first = carry_over(earlier, [], CHANGES)
    second = carry_over(earlier, [*first.as_before, *first.to_successors], CHANGES)
    assert (second.as_before, second.to_successors, second.already) == ((), (), 2)


def test_a_later_decision_of_the_same_person_counts() -> None:
    """On the title in any spelling; another person's does not."""
    later = [
        replace(
            judged("Ward NURSE", "guide"), pair=Pair(PairKind.TITLE_OCCUPATION, "trades-2", "Ward NURSE", uri("guide"))
        )
    ]
    result = carry_over([judged("ward nurse", "nurse"), judged("ward nurse", "nurse", annotator="bob")], later, CHANGES)
    assert result.decided_anew == 1
    assert [new.annotator for new in result.as_before] == ["bob"]


def test_other_pairs_are_ignored() -> None:
    """Those of other taxonomies and other kinds."""
    other = replace(judged("nurse", "nurse"), pair=Pair(PairKind.TITLE_OCCUPATION, "tiny-1", "nurse", uri("nurse")))
    result = carry_over([other, make_judgment()], [], CHANGES)
    assert (result.as_before, result.left) == ((), ())
