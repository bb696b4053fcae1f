"""Descriptions of postings: sentences with weights, nearest titles and occupations."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from msgspec import Struct

from jobmatch.services.background_call import Background, LoadCache
from jobmatch_core.descriptions.attention import AttentionView
from jobmatch_core.descriptions.explanation_answer import Sentence, answered_sentences
from jobmatch_core.descriptions.hiring_sentences import hiring_title
from jobmatch_core.descriptions.job_postings import find_job_posting, posting_of_document
from jobmatch_core.descriptions.nearest import Near, TitleSpace, open_title_space
from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.descriptions.segments import segments
from jobmatch_core.descriptions.skill_extractor import SkillExtractor, has_english_skills
from jobmatch_core.descriptions.skills import SkillMatcher, skill_names
from jobmatch_core.entities import LinkResult, Progress, no_progress
from jobmatch_core.io.text_files import with_line_feeds
from jobmatch_core.linking import Linker
from jobmatch_core.linking.link_answer import Link, Named, answered_link
from jobmatch_core.linking.posting_linker import SHIPPED_HINT_WEIGHTS, SHIPPED_WEIGHTS, PostingLinker, PostingWeights
from jobmatch_core.model_store.model_spec import ModelKind, find_model
from jobmatch_core.search.search_encoder import SearchDescriptions
from jobmatch_core.search.search_models import load_search_encoder, search_model_state
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.markup import plain_line, plain_text
from jobmatch_core.titles.encoder import shipped_encoder

if TYPE_CHECKING:
    from jobmatch_core.descriptions.description_model import DescriptionModel
    from jobmatch_core.descriptions.explanation import Explanation

SkillReaders = tuple[SkillMatcher, SkillExtractor | None]
_DESCRIBERS = 4  # side by side on the page
_HINTS = 2
_SKILLS = 2  # taxonomies; the skill names of a full ESCO take 300 MB
_TITLE_LETTERS = 80
# what no title ends or begins with
_ENDINGS, _BULLETS = (".", "!", "?", ":", ";", ",", "…", "。", "！", "？"), ("•", "- ", "* ")
MOST_EFFECTS = 150  # sentences; the time of the effects grows with their cube, to 2 s for 150


@dataclass(frozen=True, slots=True)
class PostingDescriber:
    """A model of descriptions, with the names of a taxonomy in the language *show*, and a linker of postings."""

    key: Hashable  # identifies the model, the taxonomy, the linker and the language
    model: "DescriptionModel"  # model of titles and descriptions
    space: TitleSpace  # the names, encoded as titles
    linker: PostingLinker
    show: str  # language of the names

    @property
    def calibrated(self) -> bool:
        """True if the probabilities fit the model, because it reads with the shipped encoder."""
        return self.model.encoder.name == shipped_encoder().name

    def describe(self, posting: Posting, top: int, progress: Progress = no_progress) -> "DescribedPosting":
        """Describe a posting with at most *top* titles and candidates, and with effects up to `MOST_EFFECTS` sentences.

        Errors that *progress* raises end the work.
        """
        from jobmatch_core.descriptions.explanation import explain  # torch takes seconds

        effects = len(segments(posting.description)) <= MOST_EFFECTS
        explanation = explain(self.model, posting, self.space, effects=effects, progress=progress)
        nearest = self.space.titles(explanation.description.vector, top)
        linked = self.linker.link(posting.title, posting.description, show=self.show, top=top)
        return DescribedPosting(explanation, nearest, linked)


class DescribeAnswer(Struct, frozen=True):
    """Description of a posting, as `jobmatch describe --json` prints it."""

    title: str
    model: str
    sentences: tuple[Sentence, ...]
    layers: int
    heads: int
    rank_correlation: float | None
    nearest_titles: tuple[Near, ...]
    link: Link


@dataclass(frozen=True, slots=True)
class DescribedPosting:
    """A posting with its explanation, the nearest titles (best first), and its occupations."""

    explanation: "Explanation"
    nearest: tuple[Near, ...]
    linked: LinkResult

    def answer(self, named: Named = str) -> DescribeAnswer:
        """Return the answer of `jobmatch describe --json`; *named* returns the name of an annotator."""
        explanation, view = self.explanation, AttentionView()
        attention = explanation.description.attention
        return DescribeAnswer(
            title=explanation.posting.title,
            model=explanation.model,
            sentences=answered_sentences(explanation, view),
            layers=attention.n_layers if attention else 0,
            heads=attention.n_heads if attention else 0,
            rank_correlation=explanation.agreement(view),
            nearest_titles=self.nearest,
            link=answered_link(self.linked, named),
        )


class DescribingService:
    """Opens describers of postings and linkers of short descriptions, each once for all threads of this process."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._describers = LoadCache[PostingDescriber](_DESCRIBERS)
        self._hints = LoadCache[PostingLinker](_HINTS)
        self._skills = LoadCache[SkillReaders](_SKILLS)

    def check(self, model: str) -> None:
        """Raise ModelError if there is no such model, without loading it; '' is the default one."""
        self._stamp(model)

    def open(self, model: str, linker: Linker, show: str, progress: Progress = no_progress) -> PostingDescriber:
        """Open a describer in this thread; the first time, the taxonomy is encoded and cached.

        *model* is a name as for `load_posting_model`; the linker has own names if these are used; *show* is the names'
        language. Progress counts names and descriptions.

        Raises ModelError if the model is missing or damaged.
        """
        from jobmatch_core.descriptions.posting_models import load_posting_model  # torch takes seconds

        key = self._key(model, linker, show)  # before the model is loaded, which may be stored again meanwhile
        loaded = load_posting_model(model, self._settings)
        caching = loaded.keeping_vectors(self._settings)
        space = open_title_space(linker.taxonomy, caching.encoder, show, progress=progress)
        weights = PostingWeights.load(SHIPPED_WEIGHTS)
        fused = PostingLinker(linker, loaded, weights, taxonomy_encoder=caching, progress=progress)
        return PostingDescriber(key, loaded, space, fused, show)

    def opening(self, model: str, linker: Linker, show: str) -> Background[PostingDescriber]:
        """Open a describer in the background, or return the one that is open; arguments and errors as of `open`."""
        key = self._key(model, linker, show)
        return self._describers.loading(key, lambda progress: self.open(model, linker, show, progress))

    def opening_hints(self, linker: Linker) -> Background[PostingLinker]:
        """Open a linker of general titles with short descriptions in the background; *linker* as for `open`."""
        key = *_state(linker), *search_model_state(self._settings)
        return self._hints.loading(key, lambda progress: self._open_hints(linker, progress))

    def opening_skills(self, taxonomy: Taxonomy) -> Background[SkillReaders]:
        """Open a taxonomy's matcher of skill names and its extractor, None without English names, in the background.

        The result raises ModelError if the shipped model is damaged.
        """

        def open_it(progress: Progress) -> SkillReaders:
            has_english = has_english_skills(taxonomy)
            extractor = SkillExtractor.open(taxonomy, progress=progress) if has_english else None
            return SkillMatcher(skill_names(taxonomy)), extractor

        return self._skills.loading((taxonomy.id, taxonomy.manifest.created), open_it)

    def _open_hints(self, linker: Linker, progress: Progress) -> PostingLinker:
        encoder = SearchDescriptions(load_search_encoder(settings=self._settings))
        weights = PostingWeights.load(SHIPPED_HINT_WEIGHTS)
        return PostingLinker(linker, encoder, weights, general_titles=True, progress=progress)

    def _key(self, model: str, linker: Linker, show: str) -> Hashable:
        return model, self._stamp(model), *_state(linker), show

    def _stamp(self, model: str) -> int:
        kinds = ModelKind.DESCRIPTIONS, ModelKind.ENCODER
        return find_model(model, self._settings, *kinds).stamp if model else 0


def _state(linker: Linker) -> tuple[str, str, str]:
    return linker.taxonomy.id, linker.taxonomy.manifest.created, linker.state


def posting_of(name: str, text: str, title: str = "") -> Posting:
    """Read a posting from text, HTML or Markdown, or a JobPosting from JSON or a page that has one.

    Without a title, the first line is the title if a blank line follows, or if it has at most 80 letters, does not end
    like a sentence, and the next line does not begin in lower case; else the job that the first sentence says is wanted
    ('We are hiring a nurse.'). Line breaks become line feeds.
    """
    if document := find_job_posting(text):
        posting = posting_of_document(name, document)
        return replace(posting, title=plain_line(title).strip() or posting.title)
    text = plain_text(with_line_feeds(text)).strip()
    first, _, rest = text.partition("\n")
    wanted = hiring_title(text)
    if not (title.strip() or wanted) and rest and _is_title(first.strip(), rest.partition("\n")[0].strip()):
        return Posting(name, first.strip(), rest.strip())
    return Posting(name, plain_line(title).strip() or wanted, text)


def _is_title(first: str, following: str) -> bool:
    if not following:
        return True
    is_sentence = first.endswith(_ENDINGS) or first.startswith(_BULLETS)
    return len(first) <= _TITLE_LETTERS and not is_sentence and not following[:1].islower()
