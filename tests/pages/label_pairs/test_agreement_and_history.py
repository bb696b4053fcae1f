"""Agreement, adjudication, history and downloads on the page 'Label pairs'."""

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from db.history import JudgmentFilter
from db.label_store import LabelStore
from jobmatch_core.entities import Pair, PairKind, Verdict
from jobmatch_core.labelling.label_files import read_labels
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from pages.label_pairs import history_tab
from pages.shared.judging import verdict_word
from tests.pages.label_pairs.conftest import Open, judgment
from tests.pages.label_pairs.test_label_queues import _freelancers
from tests.pages.observed import texts


def test_agreement_of_nobody(page: Open, store: LabelStore) -> None:
    """Without shared pairs the view says how to get some."""
    app = page(view="agreement")
    assert "No pair has been judged by two people yet" in texts(app)
    assert "0 pairs" not in texts(app)
    assert "disagreements" not in texts(app)


def test_agreement_on_titles_speaks_of_titles(page: Open, store: LabelStore) -> None:
    """A second person judges them on 'Link titles'; the chart of two has the words that were pressed there."""
    pairs = [Pair(PairKind.TITLE_OCCUPATION, "isco-08", "cook", f"uri {number}") for number in range(2)]
    store.record_all([replace(judgment(Verdict.POSITIVE, "Ann"), pair=pair) for pair in pairs])
    app = page(view="agreement")
    assert "judge the same titles on 'Link titles' under their own name" in texts(app)
    store.record_all([replace(judgment(Verdict.NEGATIVE, "Bob"), pair=pair) for pair in pairs])
    app.run()
    chart = next(each.proto.spec for each in app.get("plotly_chart") if "Verdicts of both" in each.proto.spec)
    assert verdict_word(Verdict.NEGATIVE, PairKind.TITLE_OCCUPATION) in chart
    assert verdict_word(Verdict.NEGATIVE) not in chart


def test_agreement_and_settling(page: Open, store: LabelStore) -> None:
    """Three annotators disagree on one pair; an adjudication settles it and is withdrawn again."""
    ids = _freelancers(store)
    for number in range(6):
        for name in ("Ann", "Bob", "Eva"):
            store.record(judgment(Verdict(("positive", "negative")[number % 2]), name, ids[number], day=number))
    store.record(judgment(Verdict.NEGATIVE, "Ann", ids[0], note="<b>no</b>", reasons=("field",)))
    app = page(view="agreement", annotator="Judge")
    assert not app.exception
    values = {metric.label: metric.value for metric in app.metric}
    # five pairs agree wholly, one in one of three pairings: (5 + 1/3) / 6
    assert values["Same verdict"] == "89%"
    assert set(values) == {"Same verdict", "Fleiss' kappa", "Krippendorff's alpha"}
    assert app.dataframe[0].value["Annotator"].to_list() == ["Ann", "Bob", "Eva"]
    assert "Disagreements to settle: 1" in texts(app)
    workload = next(each.value for each in app.dataframe if "Verdicts per hour" in each.value)
    assert workload["Verdicts"].to_list() == [6, 6, 6]
    assert "note: <b>no" in texts(app)
    key = store.current(JudgmentFilter(annotator="Ann"), limit=1)[0].id
    app.text_input(key=f"label_settle_note_{key}").set_value("Bob " * 1000)
    app.button(key=f"label_settle_positive_{key}").click().run()
    assert "it has 3,999 characters, and at most 2,000 are stored" in texts(app)
    assert store.judgments(JudgmentFilter(adjudicates=True)) == []
    app.text_input(key=f"label_settle_note_{key}").set_value("Bob is right")
    app.button(key=f"label_settle_positive_{key}").click().run()
    [settled] = store.judgments(JudgmentFilter(adjudicates=True))
    assert (settled.verdict, settled.annotator, settled.note) == (Verdict.POSITIVE, "Judge", "Bob is right")
    assert settled.provenance.policy == "adjudication"
    assert "There are no disagreements to settle." in texts(app)
    app.button(key="label_settle_undo").click().run()
    assert "Disagreements to settle: 1" in texts(app)
    assert store.count() == 21


@pytest.mark.parametrize("name", ["Ann", " bob"])
def test_a_disputant_settles_nothing(page: Open, store: LabelStore, name: str) -> None:
    """An annotator of the pair cannot settle it, even under a typed name without sign-in."""
    [of] = _freelancers(store)[:1]
    store.record_all([judgment(Verdict.POSITIVE, "Ann", of), judgment(Verdict.NEGATIVE, "Bob", of)])
    app = page(view="agreement", annotator=name)
    assert "Disagreements to settle: 1" in texts(app)
    assert "another reviewer settles it" in texts(app)
    assert not [each for each in app.button if each.key.startswith("label_settle_")]


def test_two_annotators_have_cohens_kappa(page: Open, store: LabelStore) -> None:
    """For two annotators the view shows Cohen's kappa beside the other coefficients."""
    for number, right in enumerate(_freelancers(store)[:4]):
        store.record(judgment(Verdict.POSITIVE if number % 2 else Verdict.NEGATIVE, "Ann", right))
        store.record(judgment(Verdict.POSITIVE if number > 1 else Verdict.NEGATIVE, "Bob", right))
    app = page(view="agreement")
    values = {metric.label: metric.value for metric in app.metric}
    assert values["Cohen's kappa"] == "0.00"  # two of four are the same, as chance would have it
    assert values["Same verdict"] == "50%"
    assert "4 pairs are too few to tell whether the labels are reliable" in texts(app)
    assert "Alpha without this annotator" not in app.dataframe[0].value  # nobody else is left to agree
    assert "label_two" not in [each.key for each in app.selectbox]


def test_many_pairs_have_a_verdict_on_their_agreement(page: Open, store: LabelStore) -> None:
    """The labels of two who always agree are reliable; those of two who never do are not."""
    ids = _freelancers(store)[:20]
    for number, right in enumerate(ids):
        for name in ("Ann", "Bob"):
            store.record(judgment(Verdict.POSITIVE if number % 2 else Verdict.NEGATIVE, name, right))
    app = page(view="agreement")
    assert "the labels are reliable" in texts(app)
    for number, right in enumerate(ids):
        store.record(judgment(Verdict.NEGATIVE if number % 2 else Verdict.POSITIVE, "Bob", right))
    app.run()
    assert "annotators understand the guidelines differently" in texts(app)
    alpha = next(metric.value for metric in app.metric if metric.label == "Krippendorff's alpha")
    assert alpha.startswith("−0.9")


def test_history_is_filtered(page: Open, store: LabelStore) -> None:
    """Filters by annotator, verdict and text select judgments; 'Show all' clears them."""
    ids = _freelancers(store)
    store.record(judgment(Verdict.POSITIVE, "Ann", ids[0], note="a good one"))
    store.record(judgment(Verdict.NEGATIVE, "Bob", ids[1]))
    app = page(view="history")
    assert "2 judgments" in texts(app)
    app.selectbox(key="label_who").set_value("Bob").run()
    assert "1 judgment, with" in texts(app)
    app.selectbox(key="label_verdict").set_value("positive").run()
    assert "No judgments match these filters." in texts(app)
    app.button(key="label_history_all").click().run()
    app.text_input(key="label_text").set_value("GOOD").run()
    assert "1 judgment, with" in texts(app)
    assert app.query_params["text"] in ("GOOD", ["GOOD"])


def test_who_changes_their_mind_adds_a_row(page: Open, store: LabelStore) -> None:
    """The new judgment has the provenance of the first; judgments of others cannot be changed."""
    mine, other = judgment(Verdict.POSITIVE, "me", _freelancers(store)[0]), judgment(Verdict.NEGATIVE, "Bob")
    store.record_all([other, mine])
    app = page(view="history")
    app.session_state[f"label_row_{mine.id}"] = True
    app.session_state[f"label_row_{other.id}"] = True
    app.run()
    assert "Only Bob can change this" in texts(app)
    assert "these are their ids" in texts(app)  # there is no freelancer f1
    app.button(key=f"label_change_negative_{mine.id}").click().run()
    [changed] = store.current(JudgmentFilter(annotator="me"))
    assert (changed.verdict, changed.pair, changed.provenance) == (Verdict.NEGATIVE, mine.pair, mine.provenance)
    assert store.count() == 3
    assert ["changed since" in each.label for each in app.expander if mine.id in each.proto.id] == [True]
    assert sum("changed since" in each.label for each in app.expander) == 1
    app.session_state[f"label_row_{mine.id}"] = True
    app.run()
    assert "A later judgment of the same annotator on this pair counts instead." in texts(app)
    assert not [each for each in app.button if each.key and each.key.endswith(mine.id)]  # it is changed already
    app.session_state[f"label_row_{changed.id}"] = True
    app.run()
    app.button(key=f"label_undo_{changed.id}").click().run()
    assert sum("withdrawn since" in each.label for each in app.expander) == 1
    assert store.current(JudgmentFilter(annotator="me")) == [mine]
    assert not [each for each in app.expander if "changed since" in each.label]  # the first counts again


@pytest.mark.first_case
@pytest.mark.parametrize("elsewhere", [False, True])
def test_what_counts_again_can_be_taken_back(page: Open, store: LabelStore, elsewhere: bool) -> None:
    """Withdrawing the withdrawal is possible; if another tab did so already, the page says so and changes nothing."""
    mine = judgment(Verdict.POSITIVE, "me")
    store.record(mine)
    undo = store.undo("me")
    assert undo is not None
    again = store.undo("me", undo.id)
    assert again is not None
    app = page(view="history")
    app.session_state[f"label_row_{mine.id}"] = True
    app.run()
    if elsewhere:
        store.undo("me", again.id)
    app.button(key=f"label_undo_{mine.id}").click().run()
    assert not app.error
    assert store.current() == []
    assert [each.value for each in app.toast] == ["This judgment is already withdrawn."] * elsewhere
    assert store.count() == 4


def test_history_has_pages_either_way(page: Open, store: LabelStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nine judgments fill three pages of four; the oldest first is the reverse of the newest first."""
    monkeypatch.setattr(history_tab, "_ROWS", 4)
    made = [judgment(Verdict.POSITIVE, "Ann", f"f{number}", day=number) for number in range(9)]
    store.record_all(made[::-1])
    app = page(view="history")
    newest = _rows(app)
    assert newest == [each.id for each in made[:4]]
    app.button(key="label_history_next").click().run()
    app.button(key="label_history_next").click().run()
    assert "9 to 9 of 9" in texts(app)
    assert _rows(app) == [each.id for each in made[8:]]
    app.segmented_control(key="label_history_order").set_value("Oldest first").run()
    assert _rows(app) == [each.id for each in made[:1]]
    app.button(key="label_history_previous").click().run()
    app.button(key="label_history_previous").click().run()
    assert _rows(app) == [each.id for each in made[5:]][::-1]


def _rows(app: AppTest) -> list[str]:
    """Return the ids of the listed judgments."""
    return [each.proto.id.rsplit("label_row_", 1)[1] for each in app.expander if "label_row_" in each.proto.id]


def test_downloads_come_back_as_they_were(home: Path, market: MarketplaceStore, store: LabelStore, page: Open) -> None:
    """Downloads keep the order of recording, and no CSV cell is a formula."""
    made = [judgment(Verdict.POSITIVE, "=1+1", f"f{n}", day=n, note="=HYPERLINK(1)") for n in range(3)]
    store.record_all(made)
    page(view="history")
    for ending in ("csv", "jsonl"):
        file = home / f"judgments.{ending}"
        file.write_bytes(history_tab.downloaded(JudgmentFilter(), ending))
        assert list(read_labels(file)) == made
    rows = list(csv.DictReader(io.StringIO((home / "judgments.csv").read_text("utf-8-sig"))))
    assert {row["note"] for row in rows} == {"'=HYPERLINK(1)"}


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
@pytest.mark.parametrize("which", [JudgmentFilter(verdict=Verdict.POSITIVE), JudgmentFilter(text="good")])
def test_a_part_that_is_downloaded_revives_nothing(
    home: Path, store: LabelStore, which: JudgmentFilter, ending: str
) -> None:
    """A filtered download includes the whole chains of withdrawals of its judgments, and nothing else."""
    gone, again, stands = (judgment(Verdict.POSITIVE, "Ann", f"f{n}", day=3 - n, note="a good one") for n in range(3))
    other = judgment(Verdict.NEGATIVE, "Ann", "f9")
    store.record_all([gone, again, stands, other])
    for each in (gone, again, other):
        undo = store.undo("Ann", each.id)
        assert undo is not None
        if each is again:
            store.undo("Ann", undo.id)
    file = home / f"judgments.{ending}"
    file.write_bytes(history_tab.downloaded(which, ending))
    with LabelStore.open(home / "elsewhere.db") as elsewhere:
        assert elsewhere.record_all(read_labels(file)) == 6
        assert elsewhere.current() == store.current() == [stands, again]


def test_an_empty_history(page: Open) -> None:
    """The view says what will be listed here."""
    assert "Nothing has been judged yet" in texts(page(view="history"))
