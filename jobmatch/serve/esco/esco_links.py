"""Addresses of resources and of pages of results, as HAL links."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from starlette.datastructures import URL

from jobmatch.serve.esco.esco_query import EscoQuery

Json = dict[str, Any]
PATH = "/esco/api"
OCCUPATION, SKILL, CONCEPT, TAXONOMY = "occupation", "skill", "concept", "taxonomy"  # of resources, as in addresses
_SAFE = ":/"  # in a URI that is a parameter: ESCO leaves them as they are


@dataclass(frozen=True, slots=True)
class Links:
    """Links to resources.

    Attributes:
        root: address of the service, without a slash at its end.
        language: language of the linked resources.
        version: version of ESCO that was asked for; '' for the newest.
    """

    root: str
    language: str
    version: str

    def resource(self, kind: str, uri: str, title: str, **more: str) -> Json:
        """Return a link to a resource."""
        address = f"{self.root}/resource/{kind}?uri={quote(uri, safe=_SAFE)}&language={self.language}"
        version = f"&selectedVersion=v{quote(self.version)}" if self.version else ""
        return {"href": address + version, "uri": uri, "title": title, **more}


def page_links(address: URL, query: EscoQuery, total: int) -> Json:
    """Return the links to a page of results, and to those before and after it."""
    last = max(0, (total - 1) // query.limit)

    def page(number: int) -> Json:
        return {"href": str(address.include_query_params(offset=number, limit=query.limit))}

    links = {"self": {"href": str(address)}, "first": page(0), "last": page(last)}
    if query.page > 0:
        links["prev"] = page(min(query.page - 1, last))
    if query.page < last:
        links["next"] = page(query.page + 1)
    return links
