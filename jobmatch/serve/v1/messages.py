"""Types of the requests to `/api/v1`, and of the answers that the command line does not give."""

from dataclasses import replace
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, field

from jobmatch.services.encoder_choice import SHIPPED
from jobmatch.services.link_jobs import JobOptions
from jobmatch.services.linking import LinkOptions
from jobmatch_core.entities import Place, Verdict
from jobmatch_core.judgment_origin import Origin
from jobmatch_core.linking.coding import CodeForm
from jobmatch_core.linking.context import ContextColumns, Titled, titled
from jobmatch_core.linking.link_answer import Link
from jobmatch_core.questions.question import Question
from jobmatch_core.questions.wording import wording
from jobmatch_core.retrieval.matches import MatchOrder
from jobmatch_core.search_events import SearchKind
from jobmatch_core.taxonomy import BUNDLED_ID, Manifest
from jobmatch_core.text.locales import ENGLISH, checked_language
from jobmatch_core.vector_stores.vector_store import Filters, Within

# limits of a request, whose work grows with titles, characters and candidates
MOST_TITLES = 1000
MOST_LETTERS = 35_000  # characters of all titles together
MOST_CANDIDATES = 10_000  # titles times `top`
LONGEST_TEXT = 200_000  # characters of a posting or a project

# names only: the server would read a path and fetch a URL
Word = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._+-]{0,199}$")]
OptionalWord = Annotated[str, Meta(pattern=r"^([A-Za-z0-9][A-Za-z0-9 ._+-]{0,199})?$")]
Title = Annotated[str, Meta(max_length=10_000)]
# texts beside a title, by name
Beside = Annotated[dict[Annotated[str, Meta(min_length=1, max_length=100)], Title], Meta(max_length=20)]
Text = Annotated[str, Meta(max_length=LONGEST_TEXT)]
Codes = Annotated[tuple[str, ...], Meta(max_length=100)]
Top = Annotated[int, Meta(ge=1, le=100)]
TableFormat = Literal["csv", "xlsx", "parquet", "jsonl"]


class LinkChoices(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of linking, with the defaults of `jobmatch link`."""

    taxonomy: Word = BUNDLED_ID
    languages: Codes = ()
    show: str = ENGLISH
    top: Top = 5
    encoder: Word = SHIPPED
    groups: bool = False
    precision: Annotated[float, Meta(gt=0, lt=1)] | None = None
    own_names: bool = True
    also: Annotated[str, Meta(max_length=100)] = ""

    def options(self) -> LinkOptions:
        """Return the options; raises SettingsError for an unknown language."""
        return LinkOptions(
            self.taxonomy,
            tuple(map(checked_language, self.languages)),
            checked_language(self.show),
            self.top,
            self.encoder,
            self.groups,
            self.precision,
            self.own_names,
            also=self.also,
        )


class LinkRequest(LinkChoices, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Titles to link."""

    titles: Annotated[list[Title], Meta(min_length=1, max_length=MOST_TITLES)]
    context: list[Beside] = []

    def __post_init__(self) -> None:
        """Refuse titles that would take too long, and a context for other than all titles."""
        if len(self.context) not in (0, len(self.titles)):
            raise ValueError(
                f"context has {len(self.context):,} objects for {len(self.titles):,} titles; send one for each, {{}} "
                "for none"
            )
        letters = sum(map(len, self.titles)) + sum(len(text) for beside in self.context for text in beside.values())
        if letters > MOST_LETTERS:
            raise ValueError(
                f"titles and context have {letters:,} characters in total; send at most {MOST_LETTERS:,} at once"
            )
        if len(self.titles) * self.top > MOST_CANDIDATES:
            raise ValueError(
                f"{len(self.titles):,} titles with {self.top} candidates each are more than {MOST_CANDIDATES:,}; send "
                "fewer titles at once, or a lower top"
            )

    def titled(self) -> list[Titled]:
        """Return the titles, each in its context if it has one."""
        return list(map(titled, self.titles, self.context)) if self.context else list(self.titles)


class JobRequest(LinkChoices, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options of a job, in the field `options` of its form."""

    out: TableFormat | Literal[""] = ""
    column: Annotated[str, Meta(max_length=1000)] | None = None
    encoding: Annotated[str, Meta(max_length=40)] | None = None
    header_row: Annotated[int, Meta(ge=0, le=1000)] | None = None
    sheet: Annotated[str, Meta(max_length=100)] | None = None
    separator: Annotated[str, Meta(max_length=20)] = ""
    code_form: CodeForm = CodeForm.SHORT
    context: dict[str, str] = {}

    def job_options(self) -> JobOptions:
        """Return the options; raises SettingsError for an unknown language."""
        return JobOptions(
            replace(self.options(), code_form=self.code_form, context=ContextColumns.of(self.context)),
            self.out,
            self.column,
            self.encoding,
            self.header_row,
            sheet=self.sheet,
            separator=self.separator,
        )


class DescribeRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A posting to describe: text, HTML or Markdown.

    By default its first line is the title if a blank line follows, or if it has at most 80 letters, does not end like a
    sentence, and the next line does not begin in lower case.
    """

    text: Text
    title: Title | None = None
    model: OptionalWord = ""
    taxonomy: Word = BUNDLED_ID
    show: str = ENGLISH
    top: Top = 5
    own_names: bool = True


class MatchRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A project, as a text or as a record of named fields, and filters of freelancers."""

    project: Text | dict[str, Any]
    marketplace: Word = "demo"
    model: OptionalWord = ""
    categories: Codes = ()
    families: Codes = ()
    languages: Codes = ()
    countries: Codes = ()
    near: Place | None = None
    within_km: float | None = None
    available_by: str = ""
    max_day_rate: float | None = None
    limit: Annotated[int, Meta(ge=1, le=1000)] = 20
    order: MatchOrder = MatchOrder.MUST_HAVES

    def __post_init__(self) -> None:
        """Refuse a record whose JSON has more characters than the maximum of a text."""
        if isinstance(self.project, str):
            return
        letters = len(msgspec.json.encode(self.project).decode())
        if letters > LONGEST_TEXT:
            raise ValueError(f"the project has {letters:,} characters; send at most {LONGEST_TEXT:,}")

    def filters(self) -> Filters:
        """Return the filters.

        Raises:
            SettingsError: a language is unknown.
            MatchingError: a filter is invalid.
        """
        return Filters(
            categories=self.categories,
            families=self.families,
            languages=tuple(map(checked_language, self.languages)),
            countries=tuple(code.upper() for code in self.countries),
            within=Within(self.near, self.within_km) if self.near and self.within_km is not None else None,
            available_by=self.available_by,
            max_day_rate=self.max_day_rate,
        )


class SearchRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A search: the query and the collection to search."""

    query: Annotated[str, Meta(min_length=1, max_length=10_000)]
    kind: SearchKind = field(default=SearchKind.OCCUPATIONS, name="in")
    taxonomy: Word = BUNDLED_ID
    marketplace: Word = "demo"
    show: str = ENGLISH
    limit: Annotated[int, Meta(ge=1, le=200)] = 10

    @property
    def source(self) -> str:
        """Id of the taxonomy, or name of the marketplace."""
        return self.taxonomy if self.kind is SearchKind.OCCUPATIONS else self.marketplace


class DecisionRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A verdict on a title's link to an occupation.

    Without a URI, no occupation fits the title, and all candidates of the linker are judged negative. The origin says
    whether the annotator looked at this title or decided on many at once; models are measured only with the former.
    """

    title: Annotated[str, Meta(min_length=1, max_length=1000)]
    uri: Annotated[str, Meta(max_length=1000)] | None = None
    verdict: Verdict = Verdict.POSITIVE
    taxonomy: Word = BUNDLED_ID
    annotator: Annotated[str, Meta(max_length=100)] = ""
    note: Annotated[str, Meta(max_length=1000)] = ""
    origin: Origin = Origin.LOOKED_AT


class QuestionRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A title that may need a question.

    `language` is that of the title, in which the question is asked where the taxonomy has texts in it, by default the
    language of the name that matched; `show` is the language of the names in the answer.
    """

    title: Annotated[str, Meta(min_length=1, max_length=1000)]
    taxonomy: Word = BUNDLED_ID
    language: str = ""
    show: str = ENGLISH

    def options(self) -> LinkOptions:
        """Return the options; raises SettingsError for an unknown language."""
        return LinkOptions(self.taxonomy, show=checked_language(self.show))

    def spoken(self) -> str:
        """Return the language of the title, '' if it is not given; raises SettingsError for an unknown language."""
        return checked_language(self.language) if self.language else ""


class AnswerRequest(QuestionRequest, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An answer to a question on a title, with the fields of its request.

    `option` is the number of the chosen option, from 0; null means that none fits. With `record` an answer that links
    the title is stored as a judgment; it needs the role annotator, and the respondent's consent.
    """

    question: Annotated[str, Meta(max_length=100)]
    option: Annotated[int, Meta(ge=0, le=100)] | None = None
    record: bool = False
    annotator: Annotated[str, Meta(max_length=100)] = ""


class AskedOption(Struct, frozen=True):
    """An option: its text, where that is from, and the occupations that it stands for."""

    text: str
    source: str
    uris: tuple[str, ...]


class AskedQuestion(Struct, frozen=True):
    """A question: `text`, the options, and the text of the last option, that none fits.

    `in_english` is true where the taxonomy has no texts in the title's language; `gain` is how much the answer is
    expected to raise the highest probability.
    """

    id: str
    text: str
    language: str
    in_english: bool
    options: tuple[AskedOption, ...]
    none: str
    gain: float


class QuestionAnswer(Struct, frozen=True):
    """The link of a title, and the question that would settle it; null if it is linked, or no question would."""

    link: Link
    question: AskedQuestion | None


class AnsweredAnswer(Struct, frozen=True):
    """The link of a title after the answer, and the ids of the recorded judgments."""

    link: Link
    judgments: list[str]


def asked_question(question: Question | None) -> AskedQuestion | None:
    """Return a question as it stands in an answer."""
    if question is None:
        return None
    words = wording(question.language)
    return AskedQuestion(
        question.id,
        words.question,
        question.language,
        question.language != question.wanted,
        tuple(AskedOption(option.text, option.source, option.uris) for option in question.options),
        words.none,
        round(question.gain, 4),
    )


class TaxonomiesAnswer(Struct, frozen=True):
    """The installed taxonomies."""

    taxonomies: list[Manifest]


class CrosswalkRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Name and target of the mappings in an SSSOM file, in the field `options` of its form."""

    name: Annotated[str, Meta(min_length=1, max_length=100)]
    taxonomy: Word = BUNDLED_ID


class CrosswalkAnswer(Struct, frozen=True):
    """A stored crosswalk; `id` is the `also` of links."""

    id: str
    name: str
    taxonomy: str
    created: str


class CrosswalksAnswer(Struct, frozen=True):
    """The stored crosswalks, the last decided on first."""

    crosswalks: list[CrosswalkAnswer]


class DecisionAnswer(Struct, frozen=True):
    """The ids of the recorded judgments, by which they can be withdrawn."""

    judgments: list[str]


class JobAnswer(Struct, frozen=True):
    """A job and its progress; `sheet` is null for files without sheets, `warning` reports damaged characters."""

    id: str
    name: str
    state: str
    done: int
    total: int
    error: str
    updated: str
    column: str
    encoding: str
    header_row: int
    sheet: str | None
    other_sheets: tuple[str, ...]
    warning: str
    taxonomy: str
    created: str
