"""The page 'Label pairs': verdicts, undo, notes, queues, agreement, settling, history; and what it says when empty."""

import csv
import io
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote
from uuid import uuid4

import pytest
from streamlit.testing.v1 import AppTest

from db.filters import JudgmentFilter
from db.label_store import LabelStore
from jobmatch.services import annotation_desk
from jobmatch.services.annotation_desk import Desk
from jobmatch_core.entities import Judgment, Pair, PairKind, Provenance, Verdict
from jobmatch_core.errors import LabelStoreError
from jobmatch_core.labelling.label_files import read_labels
from jobmatch_core.labelling.own_candidates import Proposal
from jobmatch_core.labelling.queues import POLICIES
from jobmatch_core.marketplace.demo.generator import DemoSpec, demo_blocks
from jobmatch_core.marketplace.marketplace import Block
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.quotas import NO_QUOTAS, Quotas
from jobmatch_core.retrieval.freelancer_index import open_finder
from jobmatch_core.retrieval.match_models import UNTRAINED, load_match_model
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from jobmatch_core.towers.two_towers import TwoTowers
from pages.label_pairs import history_tab, keys
from pages.label_pairs.guidelines import formatted
from pages.shared import given_pairs, markets
from tests import made_marketplace
from tests.pages.test_find_freelancers import EVIL
from tests.pages.test_link_titles import texts

Open = Callable[..., AppTest]


@pytest.fixture(scope="session")
def label_home(installed_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a small demo marketplace whose freelancers are encoded; to be copied, not changed."""
    settings = Settings(tmp_path_factory.mktemp("label"))
    shutil.copytree(installed_home / "taxonomies", settings.home / "taxonomies")
    taxonomy, spec = TaxonomyStore.open(settings).load(BUNDLED_ID), DemoSpec(projects=12, freelancers=80)
    store = MarketplaceStore.open(settings)
    store.save("demo", demo_blocks(taxonomy, spec), origin=spec.origin(taxonomy), generated=True)
    open_finder("demo", load_match_model(UNTRAINED, settings), settings=settings)
    return settings.home


@pytest.fixture(scope="session")
def untrained(label_home: Path) -> TwoTowers:
    """The model, read once for all tests."""
    return load_match_model(UNTRAINED, Settings(label_home))


@pytest.fixture
def market(label_home: Path, untrained: TwoTowers, home: Path, monkeypatch: pytest.MonkeyPatch) -> MarketplaceStore:
    """The small demo marketplace in the test's own home."""
    monkeypatch.delenv("JOBMATCH_DB", raising=False)
    monkeypatch.setattr(markets, "load_match_model", lambda word, settings: untrained)
    for name in ("marketplaces", "vectors"):
        shutil.copytree(label_home / name, home / name)
    return MarketplaceStore.open(Settings(home))


@pytest.fixture
def store(home: Path) -> Iterator[LabelStore]:
    """The store that the page writes to."""
    with LabelStore.open(Settings(home).label_store) as store:
        yield store


@pytest.fixture
def page(
    app: AppTest, market: MarketplaceStore, cookies: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> Open:  # fmt: skip
    """Open the page as somebody, with parameters in the address; verdicts count as soon as a pair is shown."""
    monkeypatch.setattr(annotation_desk, "SHORTEST_LOOK", 0.0)

    def opened(annotator: str = "me", **parameters: str) -> AppTest:
        cookies["jobmatch_annotator"] = quote(annotator)
        del app.query_params["taxonomy"]
        app.switch_page("pages/label_pairs/label_pairs.py")
        app.query_params.update(parameters)
        return app.run()

    return opened


def press(app: AppTest, verdict: Verdict) -> AppTest:
    """Press a verdict's button, whose key goes on with the number of the pair."""
    [button] = [each for each in app.button if each.key and each.key.startswith(f"label_{verdict}_")]
    return button.click().run()


def seen(app: AppTest) -> tuple[str, str]:
    """Return the ids of the pair at hand."""
    app.session_state["label_ids"] = True
    app.run()
    left, right = app.code
    app.session_state["label_ids"] = False
    return str(left.value), str(right.value)


def progress(app: AppTest) -> str:
    """What is said above the bar."""
    return str(app.get("progress")[0].proto.text)


def judgment(verdict: Verdict, annotator: str, right: str = "f1", *, day: int = 0, **more: object) -> Judgment:
    """Return a judgment of the demo's first project, so many days ago."""
    pair = Pair(PairKind.PROJECT_FREELANCER, "demo", "p000001", right)
    made = Judgment(
        str(uuid4()), pair, verdict, annotator, datetime.now(UTC) - timedelta(days=day), Provenance("random")
    )
    return replace(made, **more)


def test_opens_with_a_pair_to_judge(page: Open) -> None:
    """The most uncertain one, both sides beside each other, and who judges."""
    app = page()
    assert not app.exception
    shown = texts(app)
    assert "Must have, " in shown
    assert "Why this pair: most uncertain" in shown
    assert "similarity" not in shown
    verdicts = [each for each in app.button if each.key and re.fullmatch(r"label_\w+_1", each.key)]
    assert [each.proto.type for each in verdicts] == ["secondary"] * 4
    assert shown.count("synthetic") == 2
    assert progress(app).startswith("**0 of 50 today** · ")
    assert "left in this queue" in progress(app)
    app.run()
    assert app.query_params["marketplace"] == ["demo"] or app.query_params["marketplace"] == "demo"


def test_verdicts_are_kept_with_their_provenance(page: Open, store: LabelStore) -> None:
    """Of the pair that was shown, by whoever judged, with the model, its score, and the time that it took."""
    app = page(annotator="Ann")
    wanted = []
    for verdict in (Verdict.POSITIVE, Verdict.NEGATIVE, Verdict.UNSURE, Verdict.SKIP):
        wanted.append((*seen(app), verdict))
        app.pills(key="label_reasons").set_value(["experience"])
        app = press(app, verdict)
        assert f"Saved: {_word(verdict)}." in texts(app)
        assert app.pills(key="label_reasons").value == []
    kept = store.judgments()[::-1]
    assert [(each.pair.left, each.pair.right, each.verdict) for each in kept] == wanted
    assert {each.annotator for each in kept} == {"Ann"}
    assert {each.reasons for each in kept} == {("experience",)}
    for each in kept:
        assert each.provenance.policy == "uncertain"
        assert each.provenance.model.startswith("untrained-")
        assert each.provenance.score is not None
        assert each.seconds is not None
    assert progress(app).startswith("**3 of 50 today** · ")


def test_the_models_figures_come_after_the_verdict(page: Open) -> None:
    """Of the pair before; reviewers see them at once, and the way to the model's ranking."""
    app = page(annotator="Ann")
    before = r"The model's similarity: 0\.\d\d, rank \d+ in its project \(untrained"
    assert not re.search(before, texts(app))
    app = press(app, Verdict.POSITIVE)
    assert re.search("Saved: fits. " + before, texts(app))
    app.toggle(key="label_reviewing").set_value(True).run()
    assert re.search("Why this pair: most uncertain · " + before, texts(app))


def test_a_press_on_a_pair_that_was_just_shown_is_not_counted(
    page: Open, store: LabelStore, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    """Quietly said; the pair stays."""
    app = page()
    pair = seen(app)
    monkeypatch.setattr(annotation_desk, "SHORTEST_LOOK", 3600.0)
    app = press(app, Verdict.POSITIVE)
    assert keys.TOO_SOON in texts(app)
    assert (store.count(), seen(app)) == (0, pair)


def test_only_pairs_in_languages_that_are_read(page: Open, cookies: dict[str, str], market: MarketplaceStore) -> None:
    """Chosen on the page, or by the browser's cookie."""
    app = page()
    everything = _left(app)
    app.multiselect(key="label_languages").set_value(["de", "en"]).run()
    assert 0 < _left(app) < everything
    cookies["jobmatch_languages"] = "de%2Cen"
    other = AppTest.from_file(str(Path(__file__).parents[2] / "app.py"), default_timeout=30)
    other.run()
    other.switch_page("pages/label_pairs/label_pairs.py").run()
    assert other.multiselect(key="label_languages").value == ["de", "en"]
    records = market.load("demo")
    left, right = seen(other)
    assert records.projects[records.project_rows[left]].language in ("de", "en")
    assert records.freelancers[records.freelancer_rows[right]].language in ("de", "en")


def _left(app: AppTest) -> int:
    [count] = re.findall(r"([\d,]+) left in this queue", progress(app))
    return int(count.replace(",", ""))


def test_a_name_is_asked_for_before_the_first_pair(page: Open, cookies: dict[str, str], store: LabelStore) -> None:
    """An address of before, with a name in it, answers nothing; nothing is leased before."""
    app = page("")
    app.query_params["annotator"] = "anna"
    app.run()
    assert not [each for each in app.button if each.key and each.key.startswith("label_positive")]
    app.text_input(key="annotator_form_field").set_value("Ann")
    app.button(key="annotator_form_go").click().run()
    press(app, Verdict.POSITIVE)
    assert [each.annotator for each in store.judgments()] == ["Ann"]
    assert "annotator" not in app.query_params


def _word(verdict: Verdict) -> str:
    return {"positive": "fits", "negative": "lacks skills", "unsure": "not sure", "skip": "skipped"}[verdict]


def test_undo_shows_the_pair_again(page: Open, store: LabelStore) -> None:
    """With its reasons; nothing is deleted."""
    app = page()
    pair = seen(app)
    app.pills(key="label_reasons").set_value(["field"])
    app = press(app, Verdict.POSITIVE)
    assert seen(app) != pair
    app.button(key="label_undo").click().run()
    assert "Undone: fits." in texts(app)
    assert seen(app) == pair
    assert app.pills(key="label_reasons").value == ["field"]
    assert store.current() == []
    assert store.count() == 2
    assert app.button(key="label_undo").disabled


def test_reasons_do_not_go_to_the_next_pair(page: Open, store: LabelStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even where the verdict is kept and the next pair cannot be had at once."""
    app = page()
    app.pills(key="label_reasons").set_value(["field"])
    with monkeypatch.context() as patch:
        advance, calls = Desk.advance, list[Desk]()

        def failing_once(desk: Desk) -> None:
            calls.append(desk)
            if len(calls) == 1:
                raise LabelStoreError("The label store is locked.")
            advance(desk)

        patch.setattr(Desk, "advance", failing_once)
        app = press(app, Verdict.POSITIVE)
    assert app.pills(key="label_reasons").value == []
    assert [each.reasons for each in store.judgments()] == [("field",)]
    assert "Saved: fits." in texts(app)
    assert "The label store is locked." in texts(app)


def test_reasons_stay_where_the_verdict_is_not_kept(page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pair is before her as it was."""

    def failing(self: LabelStore, judgment: Judgment) -> bool:
        raise LabelStoreError("The label store is locked.")

    app = page()
    pair = seen(app)
    app.pills(key="label_reasons").set_value(["field"])
    with monkeypatch.context() as patch:
        patch.setattr(LabelStore, "record", failing)
        app = press(app, Verdict.POSITIVE)
    assert "The label store is locked." in texts(app)
    assert "Saved: " not in texts(app)
    assert app.pills(key="label_reasons").value == ["field"]
    assert seen(app) == pair


def test_a_note_goes_with_the_verdict(page: Open, store: LabelStore) -> None:
    """While it is written the keys of the pair rest."""
    app = page()
    app.button(key="label_note").click().run()
    assert [each.disabled for each in app.button if each.key and each.key.startswith("label_positive")] == [True]
    app.text_input(key="label_note_text_1").set_value("ask her 1st").run()
    assert "note: ask her 1st" in texts(app)
    press(app, Verdict.UNSURE)
    assert store.judgments()[0].note == "ask her 1st"


def test_guidelines_are_read_and_changed(page: Open, store: LabelStore) -> None:
    """The first are ours; whoever writes others is named, and the earlier stay."""
    app = page(annotator="Ann")
    app.button(key="label_guidelines").click().run()
    assert "Nobody has written guidelines yet" in texts(app)
    app.segmented_control(key="label_guidelines_view").set_value("Edit").run()
    assert app.text_area(key="label_guidelines_text").value.startswith("# What to judge")
    app.text_area(key="label_guidelines_text").set_value("# Ours\n- be **kind** <b>x</b>")
    app.button(key="label_guidelines_save").click().run()
    written = store.guidelines()
    assert written is not None
    assert (written.author, written.text) == ("Ann", "# Ours\n- be **kind** <b>x</b>")
    app.button(key="label_guidelines").click().run()
    assert "By Ann, today" in texts(app)


def test_guidelines_show_what_is_not_theirs_letter_by_letter() -> None:
    """Headings, lists and bold words are kept; pictures, links, HTML are not."""
    shown = formatted("# Head\n\n1. one ![x](http://a.org/x.png)\n- **two** [y](http://a.org)\n> <b>z</b>\n  - in")
    lines = [line.rstrip() for line in shown.split("\n")]
    assert lines[0] == "## Head"
    assert lines[2].startswith("1. one \\!\\[x\\]\\(http")
    assert lines[3].startswith("- **two** \\[y\\]")
    assert lines[4] == "> \\<b\\>z\\<\\/b\\>"
    assert lines[5] == "  - in"


@pytest.mark.parametrize("policy", [policy for policy in POLICIES if policy not in ("models-disagree",)])
def test_every_queue_gives_pairs_or_says_why_not(page: Open, store: LabelStore, policy: str) -> None:
    """And its name is stored with what is judged."""
    app = page(queue=policy, annotator="Ann")
    assert not app.exception
    if policy == "second-opinion":
        assert "This queue is empty." in texts(app)
        assert "nobody else has judged" in texts(app)
        app.button(key="label_go_random").click().run()
        policy = "random"
    press(app, Verdict.NEGATIVE)
    assert [each.provenance.policy for each in store.judgments()] == [policy]


def test_models_disagree_needs_a_second_model(page: Open) -> None:
    """It says so, and the page stands."""
    app = page(queue="models-disagree")
    assert not app.exception
    assert "a second model is needed" in texts(app)
    app.selectbox(key="label_queue").set_value("random").run()
    assert "Must have, " in texts(app)


def test_a_second_opinion_is_blind(page: Open, store: LabelStore) -> None:
    """No score, no verdict of anybody; neither is stored as shown."""
    freelancer = MarketplaceStore.open(Settings(Path(store._database.path or "").parent)).load("demo").freelancers[0].id
    store.record(judgment(Verdict.NEGATIVE, "Bob", freelancer, note="secret"))
    app = page(queue="second-opinion", annotator="Ann")
    app.slider(key="label_share").set_value(100).run()
    assert "Second opinion: somebody else has judged this pair" in texts(app)
    assert "similarity" not in texts(app)
    assert "secret" not in texts(app)
    assert seen(app) == ("p000001", freelancer)
    press(app, Verdict.POSITIVE)
    [mine] = store.judgments(JudgmentFilter(annotator="Ann"))
    assert mine.provenance == Provenance("second-opinion")


def test_two_people_are_shown_different_pairs(page: Open, cookies: dict[str, str]) -> None:
    """Who takes another name gets another pair, and gives back the one before."""
    app = page(annotator="Ann")
    first = seen(app)
    other = AppTest.from_file(str(Path(__file__).parents[2] / "app.py"), default_timeout=30)
    cookies["jobmatch_annotator"] = "Bob"
    other.run()
    other.switch_page("pages/label_pairs/label_pairs.py").run()
    assert seen(other) != first
    app.text_input(key="annotator_field").set_value("Eva").run()
    assert seen(app) == first
    assert "annotator" not in app.query_params


def test_all_done(page: Open, store: LabelStore) -> None:
    """A queue that is gone through says so, what next, and can still be taken back."""
    app = page(project="p000001", freelancer=_freelancers(store)[0])
    assert "Why this pair: chosen" in texts(app)
    app = press(app, Verdict.POSITIVE)
    assert "You have gone through the 1 chosen pairs." in texts(app)
    assert store.judgments()[0].provenance == Provenance("chosen")
    app.button(key="label_undo").click().run()
    assert "Why this pair: chosen" in texts(app)
    app = press(app, Verdict.NEGATIVE)
    app.button(key="label_no_given").click().run()
    assert "Why this pair: most uncertain" in texts(app)
    assert "project" not in app.query_params


def _freelancers(store: LabelStore) -> list[str]:
    home = Path(store._database.path or "").parent
    return [each.id for each in MarketplaceStore.open(Settings(home)).load("demo").freelancers]


def test_pairs_from_another_page(page: Open, app: AppTest, store: LabelStore) -> None:
    """With the provenance that they come with; one that was judged before says so."""
    ids = _freelancers(store)
    store.record(judgment(Verdict.NEGATIVE, "Ann", ids[0]))
    proposals = [
        Proposal(judgment(Verdict.SKIP, "", each).pair, Provenance("find-freelancers", "m", rank, 0.5))
        for rank, each in enumerate(ids[:2], 1)
    ]
    app.session_state["label_given"] = given_pairs.Given("demo", tuple(proposals))
    app = page(annotator="Ann")
    assert "your earlier verdict: lacks skills" in texts(app)
    app = press(app, Verdict.POSITIVE)
    assert "This replaces your earlier verdict (lacks skills" in texts(app)
    app = press(app, Verdict.POSITIVE)
    assert [each.provenance for each in store.current()] == [each.provenance for each in proposals[::-1]]


def test_texts_of_others_are_shown_letter_by_letter(
    page: Open, market: MarketplaceStore, store: LabelStore
) -> None:  # fmt: skip
    """Whatever a project, a profile, a skill, an annotator or the policy of an imported judgment is called."""
    projects, freelancers = made_marketplace.projects(1), made_marketplace.freelancers()
    block = Block(
        projects=[replace(each, title=EVIL, description=f"{EVIL}\n" * 30) for each in projects],
        freelancers=[
            replace(each, title=EVIL, description=f"עברית {EVIL}", category_name=EVIL) for each in freelancers
        ],
    )
    market.save("evil", [block], origin={})
    app = page(marketplace="evil", annotator="<b>A</b> **x**\x00")
    assert not app.exception
    for element in app.markdown:
        assert "<b>" not in element.value.replace("\\<b\\>", "")
        assert "](http" not in element.value
    press(app, Verdict.POSITIVE)
    [own] = store.judgments()
    store.record(replace(own, id=str(uuid4()), at=datetime.now(UTC), provenance=Provenance(_POLICY)))
    app.segmented_control(key="label_view").set_value("history").run()
    assert not app.exception
    assert sum("\\<b\\>p\\<" in each.label for each in app.expander) == 1
    assert not any("<b>p" in each.label or "](http" in each.label for each in app.expander)
    app.segmented_control(key="label_view").set_value("label").run()
    app.button(key="label_undo").click().run()
    [why] = [each.value for each in app.caption if "Why this pair" in each.value]
    assert "\\<b\\>p\\<" in why
    assert "](http" not in why


_POLICY = "<b>p</b> [z](http://a.org)"


def test_an_empty_marketplace(page: Open, market: MarketplaceStore) -> None:
    """Says what is missing."""
    market.save("empty", [Block()], origin={})
    app = page(marketplace="empty")
    assert not app.exception
    assert "This marketplace has no pairs." in texts(app)


def test_a_store_that_cannot_be_used_says_so(page: Open, home: Path) -> None:
    """In the page's box, and the page stands."""
    (home / "jobmatch.db").write_bytes(b"no database" * 1000)
    app = page()
    assert not app.exception
    assert "is not a database of SQLite" in " ".join(each.value for each in app.error)


def test_agreement_of_nobody(page: Open, store: LabelStore) -> None:
    """Says how to get some."""
    app = page(view="agreement")
    assert "No pair has been judged by two people yet" in texts(app)
    assert "There are no disagreements" in texts(app)


def test_agreement_and_settling(page: Open, store: LabelStore) -> None:
    """Three agree but for one pair, which is settled by a new row, and unsettled again."""
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
    workload = next(each.value for each in app.dataframe if "Verdicts an hour" in each.value)
    assert workload["Verdicts"].to_list() == [6, 6, 6]
    assert "note: <b>no" in texts(app)
    key = store.current(JudgmentFilter(annotator="Ann"), limit=1)[0].id
    app.text_input(key=f"label_settle_note_{key}").set_value("Bob is right")
    app.button(key=f"label_settle_positive_{key}").click().run()
    [settled] = store.judgments(JudgmentFilter(adjudicates=True))
    assert (settled.verdict, settled.annotator, settled.note) == (Verdict.POSITIVE, "Judge", "Bob is right")
    assert settled.provenance.policy == "adjudication"
    assert "Disagreements to settle: 0" in texts(app)
    app.button(key="label_settle_undo").click().run()
    assert "Disagreements to settle: 1" in texts(app)
    assert store.count() == 21


def test_two_annotators_have_cohens_kappa(page: Open, store: LabelStore) -> None:
    """Of the two of them, beside the others."""
    for number, right in enumerate(_freelancers(store)[:4]):
        store.record(judgment(Verdict.POSITIVE if number % 2 else Verdict.NEGATIVE, "Ann", right))
        store.record(judgment(Verdict.POSITIVE if number > 1 else Verdict.NEGATIVE, "Bob", right))
    app = page(view="agreement")
    values = {metric.label: metric.value for metric in app.metric}
    assert values["Cohen's kappa"] == "0.00"  # two of four are the same, as chance would have it
    assert values["Same verdict"] == "50%"


def test_history_is_filtered(page: Open, store: LabelStore) -> None:
    """By who, what and text; and all of it comes back."""
    ids = _freelancers(store)
    store.record(judgment(Verdict.POSITIVE, "Ann", ids[0], note="a good one"))
    store.record(judgment(Verdict.NEGATIVE, "Bob", ids[1]))
    app = page(view="history")
    assert "2 judgments" in texts(app)
    app.selectbox(key="label_who").set_value("Bob").run()
    assert "1 judgments" in texts(app)
    app.selectbox(key="label_verdict").set_value("positive").run()
    assert "No judgments match these filters." in texts(app)
    app.button(key="label_history_all").click().run()
    app.text_input(key="label_text").set_value("GOOD").run()
    assert "1 judgments" in texts(app)
    assert app.query_params["text"] in ("GOOD", ["GOOD"])


def test_who_changes_their_mind_adds_a_row(page: Open, store: LabelStore) -> None:
    """With the provenance of the first; others' judgments cannot be changed."""
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
    app.session_state[f"label_row_{changed.id}"] = True
    app.run()
    app.button(key=f"label_undo_{changed.id}").click().run()
    assert sum("withdrawn since" in each.label for each in app.expander) == 1
    assert store.current(JudgmentFilter(annotator="me")) == [mine]


@pytest.mark.parametrize("elsewhere", [False, True])
def test_what_counts_again_can_be_taken_back(page: Open, store: LabelStore, elsewhere: bool) -> None:
    """By its last undo; where that was done in another tab, nothing is, and it is said."""
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
    """Nine judgments, four a page: three pages; the oldest first is the newest first turned round."""
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
    """Return the ids of the judgments that are listed."""
    return [each.proto.id.rsplit("label_row_", 1)[1] for each in app.expander if "label_row_" in each.proto.id]


def test_quotas_are_set_on_the_page(page: Open, store: LabelStore) -> None:
    """Judgments per pair, and shares by name; what cannot be reached is said, and changes nothing."""
    app = page(view="agreement", annotator="Ann")
    app.number_input(key="label_quota_judgments").set_value(2)
    app.multiselect(key="label_quota_people").set_value(["Ann"]).run()
    app.number_input(key="label_quota_share_Ann").set_value(60.0)
    app.button(key="label_quota_save").click().run()
    assert "share of 'Ann' is 60 %" in texts(app)
    assert "at most 50 %" in texts(app)
    assert store.quotas() == NO_QUOTAS
    app.number_input(key="label_quota_share_Ann").set_value(25.0)
    app.button(key="label_quota_save").click().run()
    assert store.quotas() == Quotas(2, (("Ann", 0.25),))
    assert "Set by Ann, today" in texts(app)
    store.set_quotas(Quotas(3), "Bob")  # elsewhere
    app.run()
    assert app.number_input(key="label_quota_judgments").value == 3
    assert app.multiselect(key="label_quota_people").value == []


def test_my_queue(page: Open, store: LabelStore) -> None:
    """Is offered to who has a share, here of one judgment, ends with it, and leads on to the pairs of others."""
    app = page(annotator="Ann")
    assert "label_own_share" not in [each.key for each in app.toggle]
    everything = _left(app)
    store.set_quotas(Quotas(2, (("Ann", 0.5 / everything),)), "Eva")
    app.run()
    assert _left(app) == everything
    assert "Each pair is judged by 2 people" in texts(app)
    app.toggle(key="label_own_share").set_value(True).run()
    assert _left(app) == 1
    press(app, Verdict.POSITIVE)
    assert "Your share of this queue is judged" in texts(app)
    app.button(key="label_any_share").click().run()
    assert _left(app) == everything - 1


def test_the_second_of_two_judgments_is_blind(page: Open, store: LabelStore) -> None:
    """With two judgments per pair, what somebody else has judged comes first, with neither score nor verdict."""
    store.set_quotas(Quotas(2), "Eva")
    freelancer = _freelancers(store)[0]
    store.record(judgment(Verdict.NEGATIVE, "Bob", freelancer, note="secret"))
    app = page(annotator="Ann")
    assert seen(app) == ("p000001", freelancer)
    assert "Second opinion: somebody else has judged this pair" in texts(app)
    assert "similarity" not in texts(app)
    assert "secret" not in texts(app)


def test_downloads_come_back_as_they_were(home: Path, market: MarketplaceStore, store: LabelStore, page: Open) -> None:
    """In the order of recording, and no cell of the CSV is a formula."""
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
) -> None:  # fmt: skip
    """The undos of its rows come with them, whole chains of them, and nothing else."""
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
    """Says what would be there."""
    assert "Nothing has been judged yet" in texts(page(view="history"))


@pytest.mark.parametrize("view", ["label", "agreement", "history"])
def test_every_view_stands_alone(page: Open, view: str) -> None:
    """An unknown queue, category, model or view in the address is passed over."""
    app = page(view=view, queue="no such", category="no such", model="no such", who="no such", verdict="no such")
    assert not app.exception
