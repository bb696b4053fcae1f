"""The manifests by which clients learn what the service can do."""

from typing import Any

from jobmatch.serve.reconcile.recon_candidates import TYPES
from jobmatch.serve.reconcile.recon_previews import HEIGHT, WIDTH
from jobmatch.serve.reconcile.recon_query import MOST_QUERIES
from jobmatch_core import __version__
from jobmatch_core.taxonomy import Taxonomy

OLD, NEW = "0.2", "1.0-draft"
_DEFAULT_TYPES = [{"id": each.id, "name": each.name} for each in TYPES]
_SUGGESTED = ("entity", "type", "property")


def old_manifest(taxonomy: Taxonomy, address: str, calls: str) -> dict[str, Any]:
    """Return the manifest of version 0.2.

    Args:
        taxonomy: the taxonomy.
        address: the service's own address.
        calls: the address below which clients call it: the same, or one with a key.
    """
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
        "decisions": {"url": f"{address}/decisions"},  # our extension
    }


def new_manifest(taxonomy: Taxonomy, address: str) -> dict[str, Any]:
    """Return the manifest of the draft of version 1.0; *address* is the service's own."""
    return {
        "versions": [NEW],
        **_common(taxonomy),
        "view": {"url": f"{address}/preview?id={{id}}"},
        "preview": {"width": WIDTH, "height": HEIGHT},
        "suggest": dict.fromkeys(_SUGGESTED, True),
        "extend": {
            "proposeProperties": True,
            "propertySettings": [
                {"id": name, "name": label, "type": kind, "default": default, "helpText": text}
                for name, label, kind, default, text in _SETTINGS
            ],
        },
        "standardizedScore": True,
        "decisions": {"url": f"{address}/decisions"},  # our extension
    }


def identifier_space(taxonomy: Taxonomy, address: str) -> str:
    """Return the beginning that the URIs of all concepts share; the service's own address where they share none."""
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
        "defaultTypes": _DEFAULT_TYPES,
        "batchSize": MOST_QUERIES,
    }


_SETTINGS = (
    ("limit", "Limit", "number", 0, "Maximum number of values of a row; 0 for all"),
    ("language", "Language", "text", "en", "Two letters, such as de: language of descriptions, groups and skills"),
)
