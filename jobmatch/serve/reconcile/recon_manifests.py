"""The manifests of the reconciliation service; entities as HTML for previews and flyouts, with escaped texts."""

from base64 import b64encode
from hashlib import sha256
from html import escape
from typing import Any

from jobmatch.serve.reconcile.recon_candidates import TYPES, public_words
from jobmatch.serve.reconcile.recon_query import BATCH_SIZE
from jobmatch_core import __version__
from jobmatch_core.entities import LinkResult, Occupation, SurfaceForm
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.text.locales import language_name

WIDTH, HEIGHT = 430, 300  # pixels
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    "Referrer-Policy": "no-referrer",  # the address may hold a key
}
_ASK_WITH_FRAGMENT = (
    "if (location.hash) location.replace(location.pathname + location.search + encodeURIComponent(location.hash))"
)
_SCRIPT_HASH = b64encode(sha256(_ASK_WITH_FRAGMENT.encode()).digest()).decode()
UNKNOWN_HEADERS = HEADERS | {"Content-Security-Policy": f"default-src 'none'; script-src 'sha256-{_SCRIPT_HASH}'"}
_STYLE = "body{font:13px/1.4 sans-serif;margin:8px}h1{font-size:16px;margin:0}th{text-align:left;vertical-align:top}"
_FLYOUT_STYLE = "font:13px/1.4 sans-serif;padding:4px 8px;overflow-wrap:anywhere"
_LONGEST_DESCRIPTION = 600  # characters
OLD, NEW = "0.2", "1.0-draft"
_SUGGESTED = ("entity", "type", "property")
_SETTINGS = (
    ("limit", "Limit", "number", 0, "Maximum number of values of a row; 0 for all"),
    ("language", "Language", "text", "en", "Two letters, such as de: language of descriptions, groups and skills"),
)


def unknown(identifier: str) -> str:
    """Return a page for an unknown entity.

    OpenRefine does not encode links to entities, so the browser keeps the fragment after a `#`. This page asks again
    with it.
    """
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Unknown entity</title></head>'
        f"<body><p>There is no entity {escape(identifier)}.</p><script>{_ASK_WITH_FRAGMENT}</script></body></html>"
    )


def preview(taxonomy: Taxonomy, entity: Occupation, show: str, link: LinkResult | None) -> str:
    """Return a page about an entity in the language *show*, with the evidence that the title of *link* means it."""
    return (
        f'<!DOCTYPE html><html lang="{escape(show)}"><head><meta charset="utf-8"><title>{escape(entity.name)}</title>'
        f"<style>{_STYLE}</style></head><body><h1>{escape(entity.name)}</h1>{_evidence_html(entity, link)}"
        f"{_summary_html(taxonomy, entity)}{_names_html(entity, show)}</body></html>"
    )


def flyout(taxonomy: Taxonomy, entity: Occupation) -> str:
    """Return lines about an entity, for OpenRefine's flyouts."""
    return _small(f"<p><strong>{escape(entity.name)}</strong></p>{_summary_html(taxonomy, entity)}")


def named_flyout(name: str, what: str, about: str) -> str:
    """Return a line about a type or a property, and another with the text *about* unless it is empty."""
    more = f"<p>{escape(about)}</p>" if about else ""
    return _small(f"<p><strong>{escape(name)}</strong> ({escape(what)})</p>{more}")


def _small(html: str) -> str:
    # OpenRefine's flyouts are narrow, and their own font is large
    return f'<div style="{_FLYOUT_STYLE}">{html}</div>'


def _summary_html(taxonomy: Taxonomy, entity: Occupation) -> str:
    path = " › ".join(f"{group.code} {group.name}" for group in entity.isco_path)
    description = entity.description
    if len(description) > _LONGEST_DESCRIPTION:
        description = f"{description[:_LONGEST_DESCRIPTION]}…"
    lines = (f"{entity.code} · {entity.uri} · {taxonomy.manifest.name} {taxonomy.manifest.version}", path, description)
    return "".join(f"<p>{escape(line)}</p>" for line in lines if line)


def _evidence_html(entity: Occupation, link: LinkResult | None) -> str:
    if link is None:
        return ""
    candidate = next((candidate for candidate in link.candidates if candidate.uri == entity.uri), None)
    if candidate is None:
        return f"<p>“{escape(link.title)}” does not match this entity.</p>"
    evidence = candidate.evidence
    reason = f"{100 * candidate.probability:.0f}%, by “{evidence.name}” ({public_words(evidence)})"
    return f"<p>“{escape(link.title)}”: {escape(reason)}</p>"


def _names_html(entity: Occupation, show: str) -> str:
    languages: dict[str, list[SurfaceForm]] = {}
    for name in entity.names:
        languages.setdefault(name.language, []).append(name)
    rows = "".join(
        f'<tr><th>{escape(language_name(language))}</th><td lang="{escape(language)}" dir="auto">'
        f"{escape(', '.join(name.text for name in names))}</td></tr>"
        for language, names in sorted(languages.items(), key=lambda item: (item[0] != show, language_name(item[0])))
    )
    return f"<table>{rows}</table>"


def old_manifest(taxonomy: Taxonomy, address: str, calls: str) -> dict[str, Any]:
    """Return the manifest of version 0.2; clients call the service's own address, or another one with a key."""
    return {
        "versions": [OLD],
        **_common(taxonomy),
        "identifierSpace": identifier_space(taxonomy, address),
        "schemaSpace": f"{address}/types/",
        "view": {"url": f"{calls}/preview?id={{{{id}}}}"},
        "preview": {"url": f"{calls}/preview?id={{{{id}}}}", "width": WIDTH, "height": HEIGHT},
        "suggest": {
            what: {
                "service_url": calls,
                "service_path": f"/suggest/{what}",
                "flyout_service_url": calls,
                "flyout_service_path": f"/flyout/{what}?id=${{id}}",
            }
            for what in _SUGGESTED
        },
        "extend": {
            "propose_properties": {"service_url": calls, "service_path": "/properties"},
            "property_settings": [
                {"name": name, "label": label, "type": kind, "default": default, "help_text": text}
                for name, label, kind, default, text in _SETTINGS
            ],
        },
        "decisions": {"url": f"{address}/decisions"},  # an extension
    }


def new_manifest(taxonomy: Taxonomy, address: str) -> dict[str, Any]:
    """Return the manifest of the draft of version 1.0; *address* is the service's."""
    return {
        "versions": [NEW],
        **_common(taxonomy),
        "view": {"url": f"{address}/preview?id={{id}}"},
        # the draft has no `url`, but its test bench expects one in the syntax of version 0.2
        "preview": {"url": f"{address}/preview?id={{{{id}}}}", "width": WIDTH, "height": HEIGHT},
        "suggest": dict.fromkeys(_SUGGESTED, True),
        "extend": {
            "proposeProperties": True,
            "propertySettings": [
                {"id": name, "name": label, "type": kind, "default": default, "helpText": text}
                for name, label, kind, default, text in _SETTINGS
            ],
        },
        "standardizedScore": True,
        "decisions": {"url": f"{address}/decisions"},  # an extension
    }


def identifier_space(taxonomy: Taxonomy, address: str) -> str:
    """Return the common prefix of the URIs of all concepts; a path of the service if there is none."""
    first, last = min(taxonomy.uris), max(taxonomy.uris)
    shared = 0
    while shared < len(first) and first[: shared + 1] == last[: shared + 1]:
        shared += 1
    space = first[: max(first.rfind("/", 0, shared), first.rfind("#", 0, shared)) + 1]
    return space if "://" in space.removesuffix("://") else f"{address}/entities/"


def _common(taxonomy: Taxonomy) -> dict[str, Any]:
    return {
        "name": f"{taxonomy.manifest.name} {taxonomy.manifest.version} (jobmatch)",
        "serviceVersion": __version__,
        "defaultTypes": TYPES,
        "batchSize": BATCH_SIZE,
    }
