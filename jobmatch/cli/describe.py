"""`jobmatch describe`: the sentences of a posting with their weights, and its occupations."""

from pathlib import Path
from typing import Annotated

import typer

from jobmatch.cli.link import AlsoOption, NoOwnNamesOption, codes_of, linking_here
from jobmatch.cli.options import JsonOption, PostingModelOption
from jobmatch.cli.output import print_json, print_line, print_table, progress_bar, three_decimals
from jobmatch.services.describing import DescribedPosting, DescribingService, posting_of
from jobmatch.services.linking import LinkOptions
from jobmatch_core.descriptions.attention import AttentionView
from jobmatch_core.descriptions.job_postings import coded_document, find_job_posting
from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.errors import DataFileError, SettingsError
from jobmatch_core.io.text_files import read_text
from jobmatch_core.io.text_source import translated_read_errors
from jobmatch_core.linking.other_codes import with_other_codes
from jobmatch_core.taxonomy import BUNDLED_ID
from jobmatch_core.text.locales import ENGLISH, checked_language

_SHOWN = 90  # characters of a sentence in the table


def describe(
    path: Annotated[
        Path,
        typer.Argument(help="File with the posting: text, HTML, Markdown or JSON-LD, in any language."),
    ],
    title: Annotated[
        str | None, typer.Option(help="Title of the posting; by default a short first line that is no sentence.")
    ] = None,
    model: PostingModelOption = "",
    taxonomy: Annotated[str, typer.Option(help="Taxonomy to link to; see `jobmatch taxonomy list`.")] = BUNDLED_ID,
    show: Annotated[str, typer.Option(help="Language of the names in the answer.")] = ENGLISH,
    top: Annotated[int, typer.Option(min=1, max=100, help="Maximum number of titles and occupations.")] = 5,
    no_own_names: NoOwnNamesOption = False,
    also: AlsoOption = None,
    json_ld: Annotated[
        bool, typer.Option("--json-ld", help="Print the posting as schema.org's JobPosting with the codes of its link.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Show a posting's sentences with their weights, the nearest titles, and its occupations.

    Example: jobmatch describe posting.txt --taxonomy esco-1.0.3

    Example: jobmatch describe page.html --json-ld --also onet.tsv
    """
    if also and not json_ld:
        raise SettingsError("--also requires --json-ld.")
    codes = codes_of(also) if also else ()
    show = checked_language(show)
    posting, text = _read(path, title)
    options = LinkOptions(taxonomy, own_names=not no_own_names)
    with linking_here() as linking:
        describing = DescribingService(linking.settings)
        describing.check(model)
        with progress_bar("Getting ready", hidden=json or json_ld) as progress:
            linker = linking.open(options, progress)
        with progress_bar("Reading the taxonomy", hidden=json or json_ld) as progress:
            describer = describing.open(model, linker, show, progress)
        described = describer.describe(posting, top)
        if json_ld:
            [link] = with_other_codes([described.linked], codes)
            document, other_set = find_job_posting(text), also.stem if also else ""
            print_json(coded_document(posting, link, linker.taxonomy, show, other_set=other_set, document=document))
        elif json:
            print_json(described.answer(linking.naming(options)))
        else:
            _print(described)


# the posting of a file, and the file's text; raises DataFileError if it is not text, or empty
def _read(path: Path, title: str | None) -> tuple[Posting, str]:
    try:
        with translated_read_errors(path):
            text = read_text(path, "utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataFileError(path, f"this is not text in UTF-8 ({error})") from error
    posting = posting_of(path.name, text, title or "")
    if not (posting.title or posting.description):
        raise DataFileError(path, "the file is empty; expected a posting")
    return posting, text


def _print(described: DescribedPosting) -> None:
    explanation, view = described.explanation, AttentionView()
    weights = explanation.weights(view)
    rows = [
        (
            str(place + 1),
            three_decimals(None if weights is None else weights[place]),
            three_decimals(None if explanation.shifts is None else explanation.shifts[place]),
            role.value,
            segment.content[:_SHOWN],
        )
        for place, (segment, role) in enumerate(zip(explanation.description.segments, explanation.roles, strict=True))
    ]
    print_table(("", "attention", "effect", "about", "sentence"), rows, title=f"Sentences, read by {explanation.model}")
    if agreement := explanation.agreement_words(view):
        print_line(f"Rank correlation of attention and effect: {agreement}")
    print_table(("nearest title", "likeness"), [(title.text, f"{title.likeness:.3f}") for title in described.nearest])
    occupations = [
        (
            candidate.name,
            candidate.isco,
            f"{candidate.probability:.2f}",
            f"{candidate.evidence.scores.get('title', 0.0):.0%}",
        )
        for candidate in described.linked.candidates
    ]
    heading = "Occupations by title and description" + (" (none is sure enough)" if described.linked.abstained else "")
    print_table(("occupation", "ISCO", "probability", "by the title"), occupations, title=heading)
