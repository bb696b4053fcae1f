"""What pages show of core's own words, of which core does not know that they are translated."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from jobmatch.access.principal import Role
from jobmatch.services.launch import search_recipes, tower_recipes
from jobmatch.services.production_rate import coder_label
from jobmatch_core import link_reasons
from jobmatch_core.audit.report import PUBLISHED, UNKNOWN
from jobmatch_core.benchmarks.datasets.tasks import TASKS
from jobmatch_core.benchmarks.production.coders import DICTIONARY, LINKER
from jobmatch_core.benchmarks.production.coding_report import LEVEL_NAMES
from jobmatch_core.benchmarks.scoreboard.entries import SETTINGS, Source
from jobmatch_core.benchmarks.systems.system import VOCABULARY_SEEN
from jobmatch_core.crosswalks.mapping import PREDICTED, SENTENCES, STATES
from jobmatch_core.crosswalks.review import OPEN, SECOND_REVIEW, TO_REVIEW
from jobmatch_core.descriptions.segments import SentenceRole
from jobmatch_core.encoders.added_encoder import COPYING, LOADING, UNPACKING
from jobmatch_core.entities import PairKind, Seniority
from jobmatch_core.io.ownership import Act
from jobmatch_core.judgment_origin import ORIGIN_WORDS
from jobmatch_core.labelling.coefficients import NO_OVERLAP, ONE_VERDICT
from jobmatch_core.labelling.exports import ANSWERS
from jobmatch_core.labelling.judging import REASONS
from jobmatch_core.labelling.labels import Resolution
from jobmatch_core.labelling.queues import POLICIES
from jobmatch_core.linking.decisions import STATUSES
from jobmatch_core.maps.figure import WORDS
from jobmatch_core.maps.items import FIELDS
from jobmatch_core.metrics.comparisons import Outcome
from jobmatch_core.metrics.ranking import METRICS
from jobmatch_core.ranking.features import FEATURES
from jobmatch_core.retraining.list_comparison import NAME
from jobmatch_core.retrieval.match_reasons import FAIR, SECTION_GROUPS, STRONG, WEAK
from jobmatch_core.search_events import SearchKind
from jobmatch_core.taxonomy.versions import Change

_CODE = (Path(__file__).parents[2] / "jobmatch", Path(__file__).parents[2] / "jobmatch_core")
# functions whose constant arguments are shown, with the place of the argument
_PASSED = (
    ("stage", 0),
    ("Part", 1),
    ("Part", 3),
    ("_judged_part", 0),
    ("Cue", 0),
    ("Cue", 2),
    ("Cue", 3),
    ("MapFigure", 0),
)
_COLUMNS = ("id", "text", "stands for", "surrounded by")  # of a map's points


def core_texts() -> Iterator[str]:
    """Yield each text, in a fixed order; a text may come several times."""
    for words in (Role, SearchKind, Seniority, SentenceRole, PairKind, Resolution, Outcome, Change):
        yield from map(str, words)
    yield from (Act.RENAME, Act.DELETE, Act.SHARE, *STATUSES)
    reasons = (text for name, text in vars(link_reasons).items() if name.isupper() and isinstance(text, str))
    yield from (reason for reason in reasons if not reason.endswith(" "))
    yield from (*PREDICTED, *STATES, *SENTENCES.values(), OPEN, TO_REVIEW, SECOND_REVIEW)
    yield from REASONS.values()
    yield from (answer for answers in ANSWERS.values() for answer in answers.values())
    yield from (text for policy in POLICIES.values() for text in (policy.label, policy.help, policy.empty))
    yield from ORIGIN_WORDS.values()
    yield from (STRONG, FAIR, WEAK, *(name for names in SECTION_GROUPS.values() for name in names), *FEATURES)
    yield from (*FIELDS, *_COLUMNS, *WORDS)
    yield from (metric.meaning for metric in METRICS.values())
    yield from (text for task in TASKS.values() for text in (task.label, task.files))
    yield from (
        *SETTINGS,
        *get_args(Source),
        *LEVEL_NAMES.values(),
        coder_label(LINKER),
        coder_label(DICTIONARY),
        VOCABULARY_SEEN,
    )
    yield from (recipe.purpose for recipe in (*tower_recipes(), *(file for file, _recipe in search_recipes())))
    yield from (NAME, PUBLISHED, *UNKNOWN, NO_OVERLAP, ONE_VERDICT, UNPACKING, COPYING, LOADING)
    yield from _passed()


def _passed() -> Iterator[str]:
    """Yield the constants that core's functions are called with, argument by argument of `_PASSED`."""
    passed: dict[tuple[str, int], list[str]] = {argument: [] for argument in _PASSED}
    for path in sorted(path for folder in _CODE for path in folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            for place, argument in enumerate(node.args):
                texts = passed.get((_name(node.func), place))
                if texts is not None and isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    texts.append(argument.value)
    for texts in passed.values():
        yield from texts


def _name(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
