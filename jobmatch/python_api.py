"""Functions of the Python API that put several parts of jobmatch together; `import jobmatch` has them all.

Each takes *settings*, the locations of stored files, which are those of the environment by default.
"""

from pathlib import Path

from db.label_store import LabelStore
from jobmatch.services.describing import DescribingService, PostingDescriber
from jobmatch.services.link_decisions import LinkDecision, decision_judgments
from jobmatch.services.linking import LinkingService
from jobmatch.services.matching import MatchingService
from jobmatch_core.benchmarks.datasets.tasks import TASKS, find_benchmarks
from jobmatch_core.benchmarks.scoreboard.results import Evaluation
from jobmatch_core.benchmarks.scoreboard.run import evaluate as evaluate_on
from jobmatch_core.benchmarks.systems.catalogue import open_system
from jobmatch_core.entities import Judgment, Progress, Verdict, no_progress
from jobmatch_core.errors import SettingsError
from jobmatch_core.linking import Linker
from jobmatch_core.marketplace.marketplace_import import MarketplaceFiles, import_blocks
from jobmatch_core.marketplace.marketplace_store import MarketplaceManifest, MarketplaceStore
from jobmatch_core.retrieval.finder import Finder
from jobmatch_core.search.search_index import SearchIndex
from jobmatch_core.search.search_items import Record
from jobmatch_core.search.search_store import open_search as open_search_of_kind
from jobmatch_core.search_events import SearchKind
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from jobmatch_core.text.locales import ENGLISH

_POLICY = "python"  # of judgments, in place of a page's name


def import_marketplace(
    name: str,
    *,
    projects: Path | str,
    freelancers: Path | str,
    interactions: Path | str | None = None,
    taxonomy: str = BUNDLED_ID,
    replace: bool = False,
    settings: Settings | None = None,
) -> MarketplaceManifest:
    """Import a marketplace from tables with the columns of docs/cli.md, and return its manifest.

    Args:
        name: lower-case letters, digits, dots and hyphens.
        projects: file of projects.
        freelancers: file of freelancers.
        interactions: file of interactions; training needs one, finding does not.
        taxonomy: id of the taxonomy of skills and categories.
        replace: replace a marketplace of the same name.
        settings: locations of stored files.

    Raises:
        DataFileError: a file cannot be read, lacks a column, or has an invalid cell.
        MarketplaceError: the name is invalid or taken.
        TaxonomyError: there is no such taxonomy.
    """
    settings = settings or Settings.from_environment()
    store = MarketplaceStore.open(settings)
    store.refuse(name, replace=replace)
    files = MarketplaceFiles(Path(projects), Path(freelancers), Path(interactions) if interactions else None)
    origin = {"taxonomy": taxonomy} | {kind: path.name for kind, path in files.by_kind().items()}
    blocks = import_blocks(files, TaxonomyStore.open(settings).load(taxonomy))
    return store.save(name, blocks, origin=origin, replace=replace)


def open_finder(
    marketplace: str, model: str = "", *, settings: Settings | None = None, progress: Progress = no_progress
) -> Finder:
    """Open the finder of a marketplace's freelancers, ordered by the model's own ranker; new ones are encoded first.

    Args:
        marketplace: name of the marketplace.
        model: name or folder of a model, as for `jobmatch match`; by default the one in use.
        settings: locations of stored files.
        progress: called with freelancers encoded and freelancers to encode.

    Raises:
        MarketplaceError: there is no such marketplace, or it is damaged.
        ModelError: the model is missing or damaged.
        MatchingError: the marketplace has no freelancers, or the index cannot be stored.
    """
    linking = LinkingService(settings or Settings.from_environment())
    return MatchingService(linking).open(marketplace, model, progress=progress)


def open_describer(
    linker: Linker,
    model: str = "",
    *,
    show: str = ENGLISH,
    settings: Settings | None = None,
    progress: Progress = no_progress,
) -> PostingDescriber:
    """Open a describer of postings; the first time, the taxonomy's names are encoded and cached.

    Args:
        linker: linker of titles, whose taxonomy the answers are from.
        model: name or folder of a model of descriptions, as for `jobmatch describe`; by default the one in use.
        show: language of the names.
        settings: locations of stored files.
        progress: called with the number of names and descriptions done, and their total.

    Raises ModelError if the model is missing or damaged.
    """
    return DescribingService(settings or Settings.from_environment()).open(model, linker, show, progress)


def open_search(
    kind: SearchKind | str,
    source: str = BUNDLED_ID,
    *,
    settings: Settings | None = None,
    progress: Progress = no_progress,
) -> SearchIndex[Record]:
    """Open the search in a taxonomy or a marketplace; a missing index is built.

    Args:
        kind: `occupations`, `freelancers` or `projects`.
        source: id of the taxonomy, or name of the marketplace.
        settings: locations of stored files.
        progress: called with texts encoded and texts to encode.

    Raises:
        SettingsError: there is no such kind.
        TaxonomyError, MarketplaceError: there is no such source, or it is damaged.
        SearchError: the index cannot be stored.
    """
    try:
        search_kind = SearchKind(kind)
    except ValueError as error:
        raise SettingsError(f"Nothing can be searched as '{kind}'; choose one of {', '.join(SearchKind)}.") from error
    return open_search_of_kind(search_kind, source, settings=settings, progress=progress)


def open_labels(*, settings: Settings | None = None) -> LabelStore:
    """Open the store of judgments, `JOBMATCH_DB` or a file under `JOBMATCH_HOME`; use it in a `with` statement.

    Raises LabelStoreError if it cannot be opened.
    """
    return LabelStore.open((settings or Settings.from_environment()).label_store)


def judge_title(
    labels: LabelStore,
    linker: Linker,
    title: str,
    uri: str | None,
    annotator: str,
    *,
    verdict: Verdict | str = Verdict.POSITIVE,
    note: str = "",
) -> list[Judgment]:
    """Record whether a title means an occupation, and return the judgments that were recorded.

    Args:
        labels: the store of judgments.
        linker: linker of titles, whose current answer is kept with the judgment.
        title: the title as typed.
        uri: URI of an occupation or a unit group; None if no occupation fits.
        annotator: name of the person.
        verdict: `positive`, `negative`, `unsure` or `skip`.
        note: free text.

    Raises:
        SettingsError: there is no such verdict.
        TaxonomyError: the taxonomy does not have the URI.
        LabelStoreError: the store cannot be written to.
    """
    try:
        decision = LinkDecision(title, uri, Verdict(verdict), note)
    except ValueError as error:
        raise SettingsError(f"There is no verdict '{verdict}'; choose one of {', '.join(Verdict)}.") from error
    [judgments] = decision_judgments(linker, [decision], annotator, _POLICY)
    labels.record_all(judgments)
    return judgments


def evaluate(
    system: str, task: str, path: Path | str, *, taxonomy: str = "", settings: Settings | None = None
) -> list[Evaluation]:
    """Return a system's results on the datasets of a task, of each by name and by occupation; none is stored.

    Args:
        system: name of a system, as for `jobmatch evaluate --system`.
        task: `melo` or another ranking task of `jobmatch evaluate`.
        path: a dataset's folder, or a folder of datasets.
        taxonomy: id of the taxonomy to rank; by default that of the dataset's URIs.
        settings: locations of stored files.

    Raises:
        SettingsError: there is no such system or task.
        DataFileError: there is no dataset, or it cannot be read.
        TaxonomyError: the dataset needs a taxonomy that is not installed.
    """
    settings = settings or Settings.from_environment()
    if task not in TASKS:
        raise SettingsError(f"There is no task '{task}'; choose one of {', '.join(TASKS)}.")
    benchmarks = find_benchmarks(task, Path(path), taxonomy, settings)
    opened = open_system(system, settings=settings)
    return [evaluate_on(opened, benchmark.read()) for benchmark in benchmarks]
