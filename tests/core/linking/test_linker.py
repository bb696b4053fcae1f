"""The linker: which occupations it answers, in which order, and how sure it is.

Languages and scripts are in `test_linker_languages.py`, abstention and groups in `test_linker_abstention.py`.
"""

import dataclasses
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobmatch_core.linking import Linker, linker
from jobmatch_core.linking.corrections import EXACT_NAME, NameRivals
from jobmatch_core.linking.index import NameIndex
from jobmatch_core.taxonomy.taxonomy import Taxonomy
from tests.core.linking.compared_links import assert_same, take_slow_path

SCORERS = ["char", "word", "encoder", "fuzzy", "preferred", "names", "exact", "near", "concept", "group", "coded"]
EXACT = [
    ("cook", "cook"),
    ("Koch", "cook"),
    ("KÖCHIN", "cook"),
    ("Koch/Köchin (m/w/d)", "cook"),
    ("Bäckerin", "baker"),
    ("infirmière", "nurse"),
    ("registered nurse", "nurse"),
    ("Verkäufer/in", "shop"),
    ("vendeuse", "shop"),
    ("Schweisser", "welder"),
    ("electricien", "electrician"),
    ("barkeeper", "bar"),
    ("waitress", "waiter"),
    ("comptable", "accountant"),
    ("Senior bus driver in London", "bus"),
    ("bartendre", "bar"),
]


def test_every_dirty_title_finds_its_unit_group(bundled: Linker, dirty_titles: list[dict[str, str]]) -> None:
    """Of 140 titles with a known answer, in eight languages, one link is wrong; at most twelve are not linked."""
    rows = [row for row in dirty_titles if row["isco"]]
    results = bundled.link_all([row["dirty"] for row in rows])
    wrong = [
        (r["dirty"], result.abstained)
        for r, result in zip(rows, results, strict=True)
        if result.candidates[0].isco not in r["isco"].split("|")
    ]
    assert len(rows) == 140
    assert [title for title, abstained in wrong if not abstained] == ["Bombiero, Aveiro"]  # a misspelt firefighter
    assert len(wrong) <= 3
    assert sum(result.abstained for result in results) <= 12


@pytest.mark.thorough
def test_answers_are_those_of_the_slow_path(
    bundled: Linker, dirty_titles: list[dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Candidates, probabilities and evidence to the last bit, for dirty titles and names, some with a letter less."""
    names = bundled.index.texts[:600:3]
    titles = [*(row["dirty"] for row in dirty_titles), *names, *(name[:4] + name[5:] for name in names), "", "\x00 zzz"]
    fast = bundled.link_all(titles)
    take_slow_path(monkeypatch)
    for one, other in zip(fast, bundled.link_all(titles), strict=True):
        assert one == other


@pytest.mark.parametrize(("title", "uri"), EXACT, ids=[title for title, _ in EXACT])
def test_titles_of_the_tiny_taxonomy(tiny: Linker, title: str, uri: str) -> None:
    """Names in three languages, in either form, dirty or mistyped."""
    best = tiny.link(title).best
    assert best is not None
    assert best.uri == uri


def test_the_fields_of_a_result(tiny: Linker) -> None:
    """All of them, for one title."""
    result = tiny.link("Krankenschwester (m/w/d) in Hamburg", show="fr")
    assert (result.title, result.taxonomy) == ("Krankenschwester (m/w/d) in Hamburg", "tiny-1")
    assert result.set_aside == ("(m/w/d)", "in Hamburg")
    assert not result.abstained
    assert result.group is None
    best = result.candidates[0]
    assert result.best is best
    assert (best.uri, best.name, best.isco) == ("nurse", "infirmier·ère", "2221")
    assert (best.evidence.name, best.evidence.language) == ("Krankenschwester", "de")
    assert 0.8 < best.probability < 1


def test_candidates_are_in_order_and_their_probabilities_add_up_to_at_most_one(
    bundled: Linker, dirty_titles: list[dict[str, str]]
) -> None:
    """In descending order, but those of a linked group first; distinct, and at most one in total."""
    for result in bundled.link_all([row["dirty"] for row in dirty_titles], top=500):
        probabilities = [candidate.probability for candidate in result.candidates]
        code = result.group.code if result.group and len(result.group.code) == 4 else ""
        order = [(not candidate.isco.startswith(code), -candidate.probability) for candidate in result.candidates]
        assert order == sorted(order)
        assert sum(probabilities) <= 1 + 1e-9
        assert len({candidate.uri for candidate in result.candidates}) == len(probabilities)
        sure = bool(probabilities) and max(probabilities) >= bundled.calibration.threshold
        assert result.best is (result.candidates[0] if sure else None)
        assert result.abstained == (not sure and result.level != "unit group")


def test_evidence_shares_add_up_to_one(bundled: Linker) -> None:
    """Each scorer's share of the utility, none negative; best and soft maximum count together."""
    for candidate in bundled.link("Softwareentwickler", top=10).candidates:
        assert list(candidate.evidence.scores) == SCORERS
        assert sum(candidate.evidence.scores.values()) == pytest.approx(1.0, abs=1e-3)
        assert min(candidate.evidence.scores.values()) >= 0


@pytest.mark.parametrize(("top", "count"), [(0, 0), (1, 1), (3, 3), (500, 12)])
def test_top_limits_only_what_is_shown(tiny: Linker, top: int, count: int) -> None:
    """Probabilities and abstention do not depend on it."""
    title = "cook baker nurse welder electrician shop waiter bartender developer accountant bus"
    result = tiny.link(title, top=top)
    assert len(result.candidates) <= count
    assert len(result.candidates) == min(top, len(tiny.link(title, top=12).candidates))
    assert result.abstained == tiny.link(title).abstained


def test_no_titles(bundled: Linker) -> None:
    """An empty batch has no answers."""
    assert bundled.link_all([]) == []
    assert bundled.rank([]) == []


def test_a_title_of_five_thousand_characters(bundled: Linker) -> None:
    """Only its start is read; the rest is set aside."""
    title = "Krankenschwester " + "mit viel Erfahrung " * 263
    result = bundled.link(title)
    assert len(title) > 5000
    assert result.title == title
    assert result.set_aside[0] == title.strip()[300:]
    assert_same(dataclasses.replace(result, set_aside=()), dataclasses.replace(bundled.link(title[:300]), title=title))
    assert bundled.link("Koch " * 1000).candidates[0].isco == "5120"
    assert bundled.link("😀" * 5000).candidates == ()


@given(st.text(max_size=40))
@settings(max_examples=60, deadline=None)
def test_any_text_has_an_answer(tiny: Linker, title: str) -> None:
    """No text of any script fails."""
    result = tiny.link(title, top=20)
    assert result.title == title
    assert sum(candidate.probability for candidate in result.candidates) <= 1 + 1e-9


def test_a_batch_answers_like_one_by_one(bundled: Linker, dirty_titles: list[dict[str, str]]) -> None:
    """A title's answer does not depend on its neighbours."""
    titles = [row["dirty"] for row in dirty_titles[::5]]
    for alone, together in zip(map(bundled.link, titles), bundled.link_all(titles), strict=True):
        assert_same(alone, together)


def test_batches_are_joined_in_order(
    bundled: Linker, dirty_titles: list[dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In batches of seven; progress counts titles."""
    titles = [row["dirty"] for row in dirty_titles[:23]]
    whole = bundled.link_all(titles)
    monkeypatch.setattr(linker, "BATCH", 7)
    steps: list[tuple[int, int]] = []
    parts = bundled.link_all(titles, progress=lambda done, total: steps.append((done, total)))
    assert steps == [(7, 23), (14, 23), (21, 23), (23, 23)]
    for one, other in zip(whole, parts, strict=True):
        assert_same(one, other)


def test_ranking_has_every_candidate_in_the_order_of_the_links(bundled: Linker) -> None:
    """Benchmarks see what users see."""
    titles = ["Koch", "bus driver", "", "infirmière de nuit"]
    for ranking, result in zip(bundled.rank(titles), bundled.link_all(titles, top=10_000), strict=True):
        assert [bundled.taxonomy.uris[c] for c in ranking.concepts] == [c.uri for c in result.candidates]
        assert ranking.probabilities.tolist() == pytest.approx([c.probability for c in result.candidates])
        assert (np.diff(ranking.probabilities) <= 0).all()
        assert ranking.shares.shape == (len(ranking.concepts), len(bundled.calibration.scorers))


def test_a_pair_links_like_its_better_form(bundled: Linker) -> None:
    """`Koch/Köchin` is as sure as `Koch`."""
    pair, alone = bundled.link_all(["Koch/Köchin", "Koch"])
    assert pair.candidates[0].uri == alone.candidates[0].uri
    assert pair.candidates[0].probability == pytest.approx(alone.candidates[0].probability, abs=0.05)


def test_two_jobs_are_both_candidates(tiny: Linker) -> None:
    """`cook / bus driver` names two jobs, which share the probability."""
    first, second = tiny.link("cook / bus driver").candidates[:2]
    assert {first.uri, second.uri} == {"cook", "bus"}
    assert first.probability + second.probability > 0.9
    assert second.probability > 0.1


def test_each_of_two_jobs_has_a_link_of_its_own(tiny: Linker, bundled: Linker) -> None:
    """In the order of the title, as if it stood alone; a title of one job has none."""
    one, two, *_ = tiny.link_all(["cook", "bus driver / cook", "nurse"])
    assert one.jobs == ()
    assert [(job.title, job.best and job.best.uri) for job in two.jobs] == [("bus driver", "bus"), ("cook", "cook")]
    assert two.jobs[1].probability == pytest.approx(tiny.link("cook").probability, abs=1e-6)
    assert [job.level for job in bundled.link("baker / qwrtz").jobs] == ["occupation", ""]
    three = bundled.link_all(["Koch | Kellner", "driver cum cook", "Koch/Köchin"])
    codes = [[job.best and job.best.isco for job in result.jobs] for result in three]
    assert codes == [["5120", "5131"], ["8322", "5120"], []]


def test_neither_of_two_jobs_wins_by_its_name(tiny: Linker) -> None:
    """Each has half of its probability alone."""
    both = {candidate.uri: candidate.probability for candidate in tiny.link("cook / bus driver").candidates}
    for title in ("cook", "bus driver"):
        alone = tiny.link(title).candidates[0]
        assert both[alone.uri] == pytest.approx(alone.probability / 2, abs=0.05)


def test_a_name_of_the_taxonomy_comes_before_an_equal_one_of_the_lexicon(
    tiny_taxonomy: Taxonomy, tiny_fitted: Linker
) -> None:
    """Their odds are those of two names of the taxonomy, times e to the power of what it loses."""
    names = tiny_taxonomy.tables.names
    row = names[names["text"] == "cook"].iloc[[0]]
    further = tiny_taxonomy.with_names(row.assign(concept=tiny_taxonomy.number("bus"), preferred=False))
    odds = []
    for taxonomy in (further, Taxonomy(further.manifest, further.tables)):
        linker = Linker(taxonomy, NameIndex.build(taxonomy), tiny_fitted.calibration)
        by_uri = {candidate.uri: candidate for candidate in linker.link("cook").candidates}
        assert by_uri["bus"].evidence.from_lexicon == (taxonomy is further)
        odds.append(by_uri["cook"].probability / by_uri["bus"].probability)
    assert odds[0] == pytest.approx(odds[1] * np.exp(NameRivals().lexicon))


def test_a_whole_name_comes_before_an_equal_part_of_another(tiny_taxonomy: Taxonomy, tiny_fitted: Linker) -> None:
    """`cook` is a name, and of `bus driver/cook` a part."""
    names = tiny_taxonomy.tables.names
    row = names[names["text"] == "cook"].iloc[[0]].assign(concept=tiny_taxonomy.number("bus"))
    odds = []
    for text in ("cook", "bus driver/cook"):
        both = tiny_taxonomy.with_names(row.assign(text=text))
        taxonomy = Taxonomy(both.manifest, both.tables)  # whose own name it is
        linker = Linker(taxonomy, NameIndex.build(taxonomy), tiny_fitted.calibration)
        by_uri = {candidate.uri: candidate for candidate in linker.link("cook").candidates}
        odds.append(by_uri["cook"].probability / by_uri["bus"].probability)
    assert odds[1] > 2 * odds[0]


def test_an_exactly_equal_name_is_sure(bundled: Linker) -> None:
    """Even if cleaning would remove a part of it."""
    assert bundled.link("Maurer").candidates[0].probability >= EXACT_NAME - 1e-9


def test_an_equal_name_counts_beside_a_more_similar_form(bundled: Linker) -> None:
    """The slash makes two forms; `UI dizaineris` is more similar to other names of the occupation."""
    best = bundled.link("UX/UI dizaineris").candidates[0]
    assert (best.isco, best.evidence.name) == ("2513", "UX/UI dizaineris")
    assert best.probability >= EXACT_NAME - 1e-9


@pytest.mark.parametrize(
    ("title", "aside"),
    [
        ("Senior Cook (m/w/d)", ("(m/w/d)", "Senior")),
        ("cook", ()),
        ("cook - Leeds - £30k", ("£30k", "Leeds")),
        ("Cook full time", ("full time",)),
    ],
)
def test_pieces_set_aside(tiny: Linker, title: str, aside: tuple[str, ...]) -> None:
    """In the order of removal."""
    assert tiny.link(title).set_aside == aside


def test_dirt_does_not_change_the_link(tiny: Linker) -> None:
    """A clean and a dirty title are equally sure."""
    clean, dirty = tiny.link_all(["Busfahrer", "Senior Busfahrer (m/w/d) in Köln - Vollzeit - Ref. 4711"])
    assert dirty.candidates[0].uri == clean.candidates[0].uri == "bus"
    assert dirty.candidates[0].probability == pytest.approx(clean.candidates[0].probability, abs=0.01)


def test_an_occupation_without_isco_can_be_linked(
    tiny_taxonomy: Taxonomy, tiny_index: NameIndex, tiny_fitted: Linker
) -> None:
    """Its code is '', and it counts for no group."""
    tables = dataclasses.replace(tiny_taxonomy.tables, concepts=tiny_taxonomy.tables.concepts.assign(isco=""))
    free = Linker(
        Taxonomy(tiny_taxonomy.manifest, tables),
        tiny_index,
        dataclasses.replace(tiny_fitted.calibration, threshold=0.999),
    )
    result = free.link("cook")
    assert (result.candidates[0].uri, result.candidates[0].isco) == ("cook", "")
    assert result.abstained
    assert result.group is None


def test_without_an_encoder_letters_and_words_decide(tiny_fitted: Linker, tiny: Linker) -> None:
    """The scores and the system's name say so."""
    best = tiny_fitted.link("Koch").candidates[0]
    assert (best.uri, list(best.evidence.scores)) == (
        "cook",
        ["char", "word", "fuzzy", "preferred", "names", "exact", "near"],
    )
    assert tiny_fitted.system == "jobmatch lexical"
    assert tiny.system.startswith("jobmatch lexical + jobmatch-titles-")


def test_threads_share_a_linker(tiny: Linker) -> None:
    """Every answer is the one of a single thread."""
    titles = [title for title, _ in EXACT] + [f"cook number {number:x}" for number in range(20)]
    alone = [tiny.link(title) for title in titles]
    with ThreadPoolExecutor(8) as pool:
        for one, other in zip(alone, pool.map(tiny.link, titles), strict=True):
            assert_same(one, other)


def test_an_abbreviation_is_read_in_words(bundled: Linker) -> None:
    """The evidence gives the reading; a name that equals it equals the title."""
    best = bundled.link("HGV").candidates[0]
    assert (best.isco, best.evidence.read_as) == ("8332", "heavy goods vehicle driver")
    assert best.probability >= EXACT_NAME - 1e-9


def test_the_evidence_of_a_gendered_title_does_not_depend_on_its_batch(bundled: Linker) -> None:
    """The encoder reads both forms alike; rounding in a batch must not prefer one of them."""
    names = set()
    others = ["Koch", "nurse, night shift", "Bäcker und Konditor", "C++ developer"]
    for n in range(len(others)):
        [result] = bundled.link_all([*others[:n], "Verkäufer/in", *others[n:]])[n : n + 1]
        names.add(result.candidates[0].evidence.name)
    assert len(names) == 1


def test_two_parts_are_turned_where_that_gives_a_name(bundled: Linker) -> None:
    """Otherwise the title stays unchanged."""
    manager = bundled.link("Manager, Sales").candidates[0]
    assert (manager.isco, manager.evidence.read_as) == ("1221", "sales manager")
    assert manager.probability >= EXACT_NAME - 1e-9
    assert all(not candidate.evidence.read_as for candidate in bundled.link("Baker, Mushrooms").candidates)


def test_clipped_words_are_spelt_out(bundled: Linker) -> None:
    """One or several, with a dot or in capitals; a name with the clipped words comes first."""
    for title in ("Asst Store Mgr", "asst. store mgr.", "ASST STORE MGR (m/f/d)"):
        result = bundled.link(title)
        assert (result.best and result.best.isco, result.candidates[0].evidence.read_as) == (
            "1420",
            "assistant store manager",
        )
    assert bundled.link("Dir of Nursing").seniority == "director"
    assert bundled.link("Sales Rep").candidates[0].evidence.read_as == ""


def test_the_meanings_of_an_abbreviation_share_the_probability(bundled: Linker) -> None:
    """Neither of two is linked, though each is a name."""
    result = bundled.link("PM")
    assert (result.level, result.candidates[0].probability < 0.6) == ("", True)
    assert {"project manager", "product manager"} <= {candidate.evidence.read_as for candidate in result.candidates}
    assert sum(candidate.probability for candidate in result.candidates) <= 1


def test_a_title_with_head_is_a_manager(bundled: Linker) -> None:
    """Unless a name equals the title: a head chef is a chef."""
    for title in ("Deputy Head of Finance", "Leiter Einkauf", "Directeur des ventes", "Chief Marketing Officer"):
        result = bundled.link(title)
        assert (result.candidates[0].isco[0], bool(result.level)) == ("1", True), title
    assert bundled.link("Senior Cook").candidates[0].isco == "5120"
    assert bundled.link("Head Chef").candidates[0].isco == "3434"
    assert bundled.link("Film Director").candidates[0].isco == "2654"
    assert bundled.link("Senior Cook").seniority == "senior"


def test_a_name_has_no_readings(bundled: Linker) -> None:
    """A title that is a name, after cleaning, is scored without readings."""
    for title in ("Head Chef", "PA", "Head of Finance (m/f/d)"):
        assert all(not candidate.evidence.read_as for candidate in bundled.link(title).candidates)


def test_names_of_the_lexicon_are_marked(bundled: Linker) -> None:
    """The evidence says which source a name has."""
    names = bundled.taxonomy.name_texts[: bundled.taxonomy.n_own_names]
    assert bundled.taxonomy.n_own_names < len(bundled.taxonomy.name_texts)
    for title in ("cook", "HCA"):
        evidence = bundled.link(title).candidates[0].evidence
        assert evidence.from_lexicon == (evidence.name not in names)
    assert bundled.link("HCA").candidates[0].evidence.from_lexicon
