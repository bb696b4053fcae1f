"""`jobmatch describe`: what makes a posting the job that it is."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jobmatch.cli.link import NoOwnNamesOption, stored_own_names
from jobmatch.cli.options import JsonOption, PostingModelOption
from jobmatch.cli.output import print_json, print_line, print_table, progress_bar
from jobmatch.services.describing import description_to_json, posting_of
from jobmatch_core.descriptions.attention import AttentionView
from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.entities import LinkResult
from jobmatch_core.errors import DataFileError
from jobmatch_core.io.text_files import read_text
from jobmatch_core.linking import open_linker
from jobmatch_core.linking.posting_linker import PostingLinker
from jobmatch_core.linking.posting_weights import PostingWeights
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID
from jobmatch_core.text.locales import ENGLISH, checked_language

if TYPE_CHECKING:
    from jobmatch_core.descriptions.explanation import Explanation
    from jobmatch_core.descriptions.nearest import Near

_SHOWN = 90  # letters of a sentence in the table


def describe(
    path: Annotated[Path, typer.Argument(help="A text file with the posting, in any language.")],
    title: Annotated[
        str | None, typer.Option(help="Of the posting; its first line, set off by a blank one, where not given.")
    ] = None,
    model: PostingModelOption = "",
    taxonomy: Annotated[str, typer.Option(help="What to link to; see `jobmatch taxonomy list`.")] = BUNDLED_ID,
    show: Annotated[str, typer.Option(help="The language of the names in the answer.")] = ENGLISH,
    top: Annotated[int, typer.Option(min=1, max=100, help="How many titles and occupations at most.")] = 5,
    no_own_names: NoOwnNamesOption = False,
    json: JsonOption = False,
) -> None:
    """Show a posting's sentences with their weights, the nearest titles, and the occupations that it is linked to.

    Example: jobmatch describe posting.txt --taxonomy esco-1.0.3
    """
    show = checked_language(show)
    posting = read_posting(path, title)

    from jobmatch_core.descriptions.explanation import explain  # torch takes seconds
    from jobmatch_core.descriptions.nearest import open_title_space
    from jobmatch_core.descriptions.posting_models import load_posting_model

    with progress_bar("Getting ready", hidden=json) as progress:
        loaded = load_posting_model(model)
        linker = open_linker(taxonomy, progress=progress)
    if not no_own_names:
        linker = linker.with_own_names(stored_own_names(taxonomy))
    caching = loaded.keeping_vectors(Settings.from_environment())
    with progress_bar("Reading the taxonomy", hidden=json) as progress:
        space = open_title_space(linker.taxonomy, caching.encoder, show, progress=progress)
        fused = PostingLinker(linker, loaded, PostingWeights.shipped(), taxonomy_encoder=caching, progress=progress)
    explanation = explain(loaded, posting, space)
    nearest = space.titles(explanation.description.vector, top)
    linked = fused.link(posting.title, posting.description, show=show, top=top)
    if json:
        print_json(description_to_json(explanation, nearest, linked))
    else:
        _print(explanation, nearest, linked)


def read_posting(path: Path, title: str | None) -> Posting:
    """Read a text file; its first line is the title where a blank line follows and none is given.

    Raises:
        DataFileError: it cannot be read as text.
    """
    try:
        text = read_text(path, "utf-8-sig").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise DataFileError(path, f"this is no text in UTF-8 that can be read ({error})") from error
    if not (text or title):
        raise DataFileError(path, "there is no text in it; expected a posting")
    return posting_of(path.name, text, title)


def _print(explanation: "Explanation", nearest: "tuple[Near, ...]", linked: LinkResult) -> None:
    view = AttentionView()
    weights = explanation.weights(view)
    rows = [
        (
            str(place + 1),
            "-" if weights is None else f"{weights[place]:.3f}",
            "-" if explanation.shifts is None else f"{explanation.shifts[place]:.3f}",
            role.value,
            segment.content[:_SHOWN],
        )
        for place, (segment, role) in enumerate(zip(explanation.description.segments, explanation.roles, strict=True))
    ]
    print_table(("", "attention", "effect", "about", "sentence"), rows, title=f"Sentences, read by {explanation.model}")
    if agreement := explanation.agreement_words(view):
        print_line(f"Rank correlation of attention and effect: {agreement}")
    print_table(("nearest title", "likeness"), [(each.text, f"{each.likeness:.3f}") for each in nearest])
    found = [
        (each.name, each.isco, f"{each.probability:.2f}", f"{each.evidence.scores.get('title', 0.0):.0%}")
        for each in linked.candidates
    ]
    what = "Occupations by title and description" + (" (none is sure enough)" if linked.abstained else "")
    print_table(("occupation", "ISCO", "probability", "by the title"), found, title=what)
