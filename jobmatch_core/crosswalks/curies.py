"""Short forms of URIs, such as `ESCO:1234` for `http://data.europa.eu/esco/occupation/1234`."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from urllib.parse import quote, unquote

from jobmatch_core.crosswalks.mapping import MappingSet

SOURCE, TARGET = "SOURCE", "TARGET"
KNOWN = MappingProxyType({"ESCO": "http://data.europa.eu/esco/occupation/", "ISCO": "http://data.europa.eu/esco/isco/"})
VOCABULARIES = MappingProxyType(
    {
        "skos": "http://www.w3.org/2004/02/skos/core#",
        "semapv": "https://w3id.org/semapv/vocab/",
        "sssom": "https://w3id.org/sssom/",
    }
)
_SAFE = "/.-_~"  # in addition to letters and digits
_WEB = re.compile(r"https?://[^\s<>\"{}|\\^`]+")
_ANY_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]+")
_NAMESPACE = re.compile(r"(.*[/#])([^/#]+)")


def is_uri(text: str) -> bool:
    """Return whether a text is a URI; codes such as `0110.1` are not."""
    return bool(_WEB.fullmatch(text))


def is_absolute(text: str) -> bool:
    """Return whether a text is a URI of any scheme, such as a URN."""
    return bool(_ANY_URI.fullmatch(text))


def uri_of(code: str, base: str) -> str:
    """Return a web address as it is, and a code behind the base, with signs escaped that no URI may have."""
    return code if is_uri(code) else base + quote(code, safe=_SAFE)


def code_of(uri: str, base: str) -> str:
    """Return what `uri_of` was given."""
    return unquote(uri.removeprefix(base)) if base and uri.startswith(base) else uri


def prefixes_of(mappings: MappingSet) -> dict[str, str]:
    """Return prefix -> start of URIs, for all URIs of a crosswalk."""
    prefixes = {**VOCABULARIES, SOURCE: mappings.source_base, TARGET: mappings.target_base}
    uris = [uri_of(item.target, mappings.target_base) for item in mappings.mappings if item.target]
    uris += [item.source for item in mappings.mappings if is_uri(item.source)]
    for uri in uris:
        if shortened(uri, prefixes) != uri:
            continue
        prefix = next(((name, start) for name, start in KNOWN.items() if _local(uri, start)), None)
        if prefix is None and (match := _NAMESPACE.fullmatch(uri)):
            prefix = f"NS{len(prefixes)}", match[1]
        if prefix:
            prefixes[prefix[0]] = prefix[1]
    return prefixes


def shortened(uri: str, prefixes: Mapping[str, str]) -> str:
    """Return a URI's short form by the longest prefix; the URI itself if no prefix fits."""
    fitting = [(name, start) for name, start in prefixes.items() if _local(uri, start)]
    if not fitting:
        return uri
    name, start = max(fitting, key=lambda item: len(item[1]))
    return f"{name}:{uri.removeprefix(start)}"


def expanded(curie: str, prefixes: Mapping[str, str]) -> str:
    """Return the URI of a short form; a text with an unknown prefix stays."""
    name, colon, local = curie.partition(":")
    return prefixes[name] + local if colon and name in prefixes else curie


def has_unknown_prefix(curie: str, prefixes: Mapping[str, str]) -> bool:
    """Return whether a text is neither a web address, nor a URN, nor a short form with a declared prefix."""
    return not (is_uri(curie) or curie.startswith("urn:") or curie.partition(":")[0] in prefixes)


def _local(uri: str, start: str) -> str:
    return uri.removeprefix(start) if start and uri.startswith(start) else ""
