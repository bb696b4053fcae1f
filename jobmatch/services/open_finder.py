"""What finds a marketplace's freelancers, opened, with the words for its scores."""

from dataclasses import dataclass

from jobmatch_core.entities import Project
from jobmatch_core.retrieval.finder import Finder
from jobmatch_core.retrieval.score_words import ScoreWords


@dataclass(frozen=True, slots=True)
class OpenFinder:
    """What finds a marketplace's freelancers.

    Attributes:
        key: another one of another model or marketplace.
        finder: of the freelancers.
        words: for scores of projects that say their category, where there is a history to take them from.
        words_without_category: for those that do not.
    """

    key: str
    finder: Finder
    words: ScoreWords | None
    words_without_category: ScoreWords | None

    def words_for(self, project: Project) -> ScoreWords | None:
        """Return the words for a project's scores."""
        return self.words if project.category else self.words_without_category
