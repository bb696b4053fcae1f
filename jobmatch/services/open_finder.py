"""An open finder of a marketplace's freelancers, with the words for its scores."""

from dataclasses import dataclass

from jobmatch_core.entities import Project
from jobmatch_core.retrieval.finder import Finder
from jobmatch_core.retrieval.score_words import ScoreWords


@dataclass(frozen=True, slots=True)
class OpenFinder:
    """A finder of a marketplace's freelancers, with the words for its scores.

    Attributes:
        key: identifier of the model and marketplace.
        finder: finder of the freelancers.
        words: words for scores of projects with a category, if there is a history to derive them from.
        words_without_category: words for scores of projects without one.
    """

    key: str
    finder: Finder
    words: ScoreWords | None
    words_without_category: ScoreWords | None

    def words_for(self, project: Project) -> ScoreWords | None:
        """Return the words for a project's scores."""
        return self.words if project.category else self.words_without_category
