"""Models of postings, shared by all sessions: description model, space of titles, linker of postings."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jobmatch.services.background_call import Background
from jobmatch_core.descriptions.posting_models import PostingModelChoice, load_posting_model
from jobmatch_core.descriptions.posting_skills import skill_names
from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.descriptions.segments import segments
from jobmatch_core.descriptions.skills import SkillMatcher
from jobmatch_core.entities import Progress
from jobmatch_core.linking import Linker
from jobmatch_core.linking.posting_linker import PostingLinker
from jobmatch_core.linking.posting_weights import PostingWeights
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import Taxonomy
from pages.shared import resources
from pages.shared.widgets import finished, plain

if TYPE_CHECKING:
    from jobmatch_core.descriptions.description_model import DescriptionModel
    from jobmatch_core.descriptions.explanation import Explanation
    from jobmatch_core.descriptions.nearest import TitleSpace

_MANY_SENTENCES = 64  # more take a network more than half a second to leave out one by one
_UNSEEN_SECONDS = 0.1
MODEL_NAMES = {
    "jdan": "JDAN, bundled", "mean": "Mean over sentences", "max": "Maximum over sentences",
    "document": "Whole document",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Describer:
    """One model with one taxonomy's names in one language.

    Attributes:
        key: another one of another model, taxonomy or language.
        model: of titles and descriptions.
        space: the names, as titles.
        linker: of whole postings.
        language: of the names.
    """

    key: tuple[object, ...]
    model: "DescriptionModel"
    space: "TitleSpace"
    linker: PostingLinker
    language: str


def model_name(choice: PostingModelChoice) -> str:
    """Return a model's display name."""
    return MODEL_NAMES.get(choice.word, choice.word)


def opened(linker: Linker, choice: PostingModelChoice, language: str) -> Describer:
    """Return a describer; a progress bar is shown while it is prepared, once.

    Raises:
        ModelError: the model cannot be used.
    """
    settings, taxonomy = Settings.from_environment(), linker.taxonomy
    key = (settings, taxonomy.id, taxonomy.manifest.created, linker.state, choice, language)
    work = resources.describing(key, lambda progress: _open(key, linker, choice, language, settings, progress))
    return finished(work, f"Reading occupations with {plain(model_name(choice))}")


def explained(describer: Describer, posting: Posting) -> "Explanation":
    """Return a posting's sentences with their weights, and their effects; a long one's when these are there."""
    from jobmatch_core.descriptions.explanation import explain  # torch takes seconds

    model, space = describer.model, describer.space
    if model.network is None or len(segments(posting.description)) <= _MANY_SENTENCES:
        return resources.explained((describer.key, posting), lambda: explain(model, posting, space))
    work = effects_of(describer, posting)
    if work.wait(_UNSEEN_SECONDS):
        return work.result()
    return resources.explained((describer.key, posting, "quick"), lambda: explain(model, posting, space, effects=False))


def effects_of(describer: Describer, posting: Posting) -> "Background[Explanation]":
    """Begin to leave out each sentence of a long posting, or return what has begun."""
    from jobmatch_core.descriptions.explanation import explain

    return resources.describing(
        (describer.key, posting, "effects"), lambda progress: explain(describer.model, posting, describer.space)
    )


def skill_matcher(taxonomy: Taxonomy) -> SkillMatcher:
    """Return the matcher of a taxonomy's skills in texts."""
    key = (Settings.from_environment(), "skills", taxonomy.id, taxonomy.manifest.created)
    work = resources.describing(key, lambda progress: SkillMatcher(skill_names(taxonomy)))
    return finished(work, "Reading skill names")


def _open(
    key: tuple[object, ...],
    linker: Linker,
    choice: PostingModelChoice,
    language: str,
    settings: Settings,
    progress: Progress,
) -> Describer:
    from jobmatch_core.descriptions.title_space import open_title_space

    model = load_posting_model(choice.word, settings)
    caching = model.keeping_vectors(settings)
    space = open_title_space(linker.taxonomy, caching.encoder, language, progress=progress)
    fused = PostingLinker(linker, model, PostingWeights.shipped(), taxonomy_encoder=caching, progress=progress)
    return Describer(key, model, space, fused, language)
