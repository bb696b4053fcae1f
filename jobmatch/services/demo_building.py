"""Building of a demo's home: a made-up month of a small agency, through the services that users' own data take.

A folder without the mark of a demo is never touched, and a home whose building was interrupted is built again.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from db.label_store import LabelStore
from jobmatch.services.demo_home import DemoHome, DemoText, read_demo, write_demo
from jobmatch.services.launch import RETRAIN, start_towers, tower_recipes
from jobmatch.services.runs import TrainingRuns
from jobmatch_core.demo.annotators import ANNOTATORS, POLICY, judgments, pairs_to_judge
from jobmatch_core.demo.postings import agency_postings
from jobmatch_core.demo.recruiter import RECRUITER, choices
from jobmatch_core.demo.titles import TITLE_COLUMN, agency_titles, title_rows
from jobmatch_core.demo.wording import load_agency
from jobmatch_core.entities import Judgment, Progress, no_progress
from jobmatch_core.errors import JobMatchError, SettingsError
from jobmatch_core.io.folders import claimed, make_folder, remove_whole
from jobmatch_core.io.user_store import TextStore
from jobmatch_core.labelling.judging import decided
from jobmatch_core.labelling.snapshot import Snapshots
from jobmatch_core.linking import Linker, open_linker
from jobmatch_core.linking.list_store import ListStore
from jobmatch_core.linking.review import ListOptions, Review
from jobmatch_core.marketplace.demo.generator import DEMO, DemoSpec, demo_blocks
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.model_store.model_spec import UNTRAINED
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, Taxonomy

LIST_NAME = "A made-up month of an agency"
_POSTINGS = "postings"  # kind of text of the page 'Job descriptions'
_AT_ONCE = 100  # titles between two reports of progress

Step = Callable[[str], AbstractContextManager[Progress]]  # what is done, in words -> its progress


@dataclass(frozen=True, slots=True)
class DemoSize:
    """Numbers of a demo: titles, those decided on, postings, pairs, and the marketplace's projects and freelancers."""

    titles: int = 400
    decided: int = 180
    postings: int = 30
    pairs: int = 200
    projects: int = 80
    freelancers: int = 800


def open_demo(
    settings: Settings,
    own: Settings,
    *,
    size: DemoSize | None = None,
    step: Step = lambda what: nullcontext(no_progress),
    fresh: bool = False,
    until: date | None = None,
    runs: TrainingRuns | None = None,
) -> DemoHome:
    """Return the demo in a home; it is built if there is none, or if its building was interrupted.

    Args:
        settings: the demo's home, without a label store or vector store elsewhere.
        own: settings of the user's own home.
        size: numbers of what is made up.
        step: called with what is done; returns the progress to report.
        fresh: build it again.
        until: last day of the month; today by default.
        runs: trainings of the demo's home.

    Raises:
        SettingsError: the folder is the user's own or holds other files, or another command builds the demo in it.
        JobMatchError: a part of it cannot be built.
    """
    home = settings.home
    _refuse_own(settings, own.home)
    with claimed(home):
        demo = read_demo(settings)
        if demo and not fresh and _is_whole(settings):
            return demo
        _make_room(settings)
        return _Building(
            settings, size or DemoSize(), until or date.today(), step, runs or TrainingRuns(settings)
        ).build()


def _refuse_own(settings: Settings, own: Path) -> None:
    home = settings.home
    if home == own and not settings.demo.exists():
        raise SettingsError(
            f"{home} is the folder of your own data, which the demo never touches; give another --home."
        )
    if home != own and (own.is_relative_to(home) or home.is_relative_to(own)):
        raise SettingsError(
            f"The demo in {home} and your own data in {own} cannot share a folder; give another --home."
        )


def _is_whole(settings: Settings) -> bool:
    try:
        MarketplaceStore.open(settings).manifest(DEMO)
    except JobMatchError:
        return False
    return settings.may_have_labels


def _make_room(settings: Settings) -> None:
    home = settings.home
    if home.exists() and any(home.iterdir()):
        if not settings.demo.exists():
            raise SettingsError(
                f"{home} exists and holds no demo, so nothing was changed; give an empty or a new folder as --home."
            )
        runs = TrainingRuns(settings)
        if (last := runs.latest()) is not None and last.running:
            runs.stop(last)
        remove_whole(home)
    make_folder(home)
    write_demo(settings, DemoHome())


@dataclass(frozen=True, slots=True)
class _Building:
    settings: Settings
    size: DemoSize
    until: date
    step: Step
    runs: TrainingRuns

    def build(self) -> DemoHome:
        size = self.size
        with self.step("Reading job titles in 40 languages") as progress:
            linker = open_linker(settings=self.settings, progress=progress)
        with self.step(f"Linking {size.titles:,} made-up titles to occupations") as progress:
            list_id = self._link_list(linker, progress)
        with self.step(f"Writing {size.postings:,} made-up postings") as progress:
            postings = self._store_postings(linker.taxonomy)
            progress(size.postings, size.postings)
        with self.step(f"Inventing {size.projects:,} projects and {size.freelancers:,} freelancers") as progress:
            self._store_marketplace(linker.taxonomy, progress)
        with self.step(f"Judging {size.pairs:,} pairs as two made-up annotators") as progress:
            snapshot = self._judge_pairs()
            progress(size.pairs, size.pairs)
        training = self._start_training(snapshot)
        demo = DemoHome(True, list_id, postings, snapshot, training)
        write_demo(self.settings, demo)
        return demo

    def _link_list(self, linker: Linker, progress: Progress) -> str:
        titles = agency_titles(self.size.titles, self.until)
        options = ListOptions(BUNDLED_ID)
        stored = ListStore.open(self.settings).new(title_rows(titles), TITLE_COLUMN, options, LIST_NAME)
        review = stored.review
        while review.running:
            review.step(linker, _AT_ONCE)
            progress(len(review.results), len(titles))
        self._decide(review, [title.group for title in titles], linker.version)
        return stored.id

    def _decide(self, review: Review, groups: Sequence[str], model: str) -> None:
        chosen = choices(review, groups, range(min(self.size.decided, len(groups))))
        review.decide(chosen, RECRUITER)
        self._record(
            judgment
            for number, choice in chosen.items()
            for judgment in decided(review.results[number], choice, RECRUITER, policy=POLICY, model=model)
        )

    def _record(self, given: Iterable[Judgment]) -> None:
        with LabelStore.open(self.settings.label_store) as store:
            store.record_all(given)

    def _store_postings(self, taxonomy: Taxonomy) -> tuple[DemoText, ...]:
        store = TextStore.open(_POSTINGS, self.settings)
        return tuple(
            DemoText(
                store.add({"title": posting.title, "description": posting.description}), posting.title, posting.language
            )
            for posting in agency_postings(taxonomy, self.size.postings)
        )

    def _store_marketplace(self, taxonomy: Taxonomy, progress: Progress) -> None:
        spec = DemoSpec(self.size.projects, self.size.freelancers, languages=tuple(load_agency().wordings))
        blocks = demo_blocks(taxonomy, spec, progress=progress)
        MarketplaceStore.open(self.settings).save(DEMO, blocks, origin=spec.origin(taxonomy), generated=True)

    def _judge_pairs(self) -> str:
        market = MarketplaceStore.open(self.settings).load(DEMO)
        pairs = pairs_to_judge(market, self.size.pairs)
        for annotator in ANNOTATORS:
            self._record(judgments(market, pairs, annotator, self.until))
        with LabelStore.open(self.settings.label_store) as store, store.all_current() as current:
            return Snapshots(self.settings).freeze_current(current).name

    def _start_training(self, snapshot: str) -> str:
        recipe = next(recipe for recipe in tower_recipes() if recipe.name == RETRAIN)
        try:
            run = start_towers(
                self.runs, recipe, marketplace=DEMO, snapshot=snapshot, start=UNTRAINED, who=ANNOTATORS[0].name
            )
        except SettingsError:  # Windows has no trainings in the background
            return ""
        return run.request.model
