"""`jobmatch search`: occupations, freelancers and projects by a few words."""

from typing import Annotated

import typer

from jobmatch.cli.options import JsonOption
from jobmatch.cli.output import print_json, print_line, print_table, progress_bar
from jobmatch.services.searching import SearchingService
from jobmatch_core.errors import SettingsError
from jobmatch_core.search.search_answer import search_answer
from jobmatch_core.search.search_index import SearchHit, facts_of, why_found
from jobmatch_core.search.search_items import Record, item_title
from jobmatch_core.search_events import SearchKind
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID
from jobmatch_core.text.locales import ENGLISH, checked_language


def search(
    query: Annotated[str, typer.Argument(help="Text to search for, in any language.")],
    kind: Annotated[SearchKind, typer.Option("--in", help="Collection to search.")] = SearchKind.OCCUPATIONS,
    taxonomy: Annotated[
        str, typer.Option(help="Taxonomy of the occupations; see `jobmatch taxonomy list`.")
    ] = BUNDLED_ID,
    marketplace: Annotated[
        str, typer.Option(help="Marketplace of the freelancers or projects; see `jobmatch marketplace list`.")
    ] = "demo",
    show: Annotated[str, typer.Option(help="Language of the occupations shown.")] = ENGLISH,
    limit: Annotated[int, typer.Option(min=1, max=200, help="Maximum number of results.")] = 10,
    json: JsonOption = False,
) -> None:
    """Search occupations by their tasks, freelancers and projects by a few words, in any language.

    Example: jobmatch search "someone who repairs lifts"

    Example: jobmatch search "logo designer" --in freelancers --limit 5 --json
    """
    if not query.strip():
        raise SettingsError("The query is empty; give some words.")
    language = checked_language(show)
    source = taxonomy if kind is SearchKind.OCCUPATIONS else marketplace
    with progress_bar("Indexing", hidden=json) as progress:
        index = SearchingService(Settings.from_environment()).open(kind, source, progress)
    hits = index.search(query, limit=limit)
    if json:
        print_json(search_answer(query, kind, source, index.model, hits, language))
    elif hits:
        _print(hits, language)
    else:
        print_line(
            f"Nothing found in {len(index):,} {kind} of {source}: no word of the query, or one with similar "
            "spelling, occurs there, and the encoder knows none of them. Try other words or another language."
        )


def _print(hits: list[SearchHit[Record]], language: str) -> None:
    rows = [
        (hit.rank, item_title(hit.record, language), " · ".join(facts_of(hit.record)), why_found(hit), hit.record.id)
        for hit in hits
    ]
    print_table(("", "found", "", "why", "id"), rows)
