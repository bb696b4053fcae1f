"""The table of the reconciliation calls."""

from dataclasses import replace
from http import HTTPStatus
from typing import Any

from jobmatch.serve.access.key_address import KEYED_PATH
from jobmatch.serve.operations import Endpoint, Operation, Parameter
from jobmatch.serve.reconcile.jsonp import SCRIPT
from jobmatch.serve.reconcile.recon_calls import DRAFT_PATH, PATH, DecisionBatch, ReconCalls
from jobmatch.serve.reconcile.recon_properties import ExtensionQuery
from jobmatch.serve.reconcile.recon_query import QueryBatch

_TAXONOMY = Parameter("taxonomy", "Id of the taxonomy.", "path")
_KEY = Parameter("key", "Key with the role viewer and the scope reconcile alone.", "path")
_WHAT = Parameter("what", "entity, type or property.", "path")
_ID = Parameter("id", "Id of the entity.")
_LANGUAGE = Parameter("language", "Language of names.", default="en")
_CALLBACK = Parameter("callback", "Name of a function, for JSONP.", default="")
_PREFIX = [Parameter("prefix", "Letters.", default=""), Parameter("cursor", "Suggestions to skip.", default="0")]
_PROPOSED = [Parameter("type", "Id of the type.", default=""), Parameter("limit", "Most properties.", default="")]
_HTML = "text/html"
_MISSING = {HTTPStatus.NOT_FOUND: "There is no such taxonomy, or no such entity."}
_WRONG_TYPE = {HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "The request is no JSON."}
_FOREIGN = {HTTPStatus.FORBIDDEN: "It comes from a page of another site."}


def operations(calls: ReconCalls) -> dict[str, list[Operation]]:
    """Return the operations of both versions by the path that they stand below.

    Those that only read in version 0.2 are also there for a key in the address.
    """

    def get(path: str, endpoint: Endpoint, summary: str, *parameters: Parameter, media: str = "") -> Operation:
        answer: dict[str, Any] = {"media": media} if media else {"answer": dict[str, Any]}
        if _CALLBACK in parameters:
            answer["other_media"] = SCRIPT
        return Operation(
            "GET", f"/{{taxonomy}}{path}", endpoint, summary, parameters=[_TAXONOMY, *parameters], errors=_MISSING,
            **answer,
        )  # fmt: skip

    def post(path: str, endpoint: Endpoint, summary: str, body: Any = None, status: int = 200) -> Operation:  # noqa: ANN401
        return Operation(
            "POST", f"/{{taxonomy}}{path}", endpoint, summary, dict[str, Any], body, status, [_TAXONOMY],
            errors={**_MISSING, **_WRONG_TYPE, **_FOREIGN},
        )  # fmt: skip

    queries = [Parameter(name, "JSON, as the protocol says.", default="") for name in ("queries", "extend")]
    suggest = ("/suggest/{what}", calls.reconcile_suggest, "Suggest entities, types or properties as somebody types.")
    preview = ("/preview", calls.reconcile_preview, "Show an entity, as HTML.")
    evidence = Parameter("query", "A title, to show the evidence that it means the entity.", default="")
    decide = ("/decisions", calls.reconcile_decide, "Record verdicts on matches.", DecisionBatch, HTTPStatus.CREATED)
    draft = [
        get("", calls.reconcile_manifest, "Show the manifest."),
        post("/match", calls.reconcile_match, "Match queries.", QueryBatch),
        get(*suggest, _WHAT, *_PREFIX, _LANGUAGE),
        get(*preview, _ID, evidence, _LANGUAGE, media=_HTML),
        post("/extend", calls.reconcile_extend, "Get properties of entities.", ExtensionQuery),
        get("/extend/propose", calls.reconcile_properties, "List the properties that entities have.", *_PROPOSED),
        post(*decide),
    ]
    old = [
        get("", calls.reconcile_by_get, "Show the manifest; match, or get properties.", *queries, _CALLBACK),
        post("", calls.reconcile_by_form, "Match queries, or get properties, by a form."),
        get(*suggest, _WHAT, *_PREFIX, _LANGUAGE, _CALLBACK),
        get("/flyout/{what}", calls.reconcile_flyout, "Describe something in some lines.", _WHAT, _ID, _CALLBACK),
        get(*preview, _ID, evidence, _LANGUAGE, media=_HTML),
        get(
            "/properties", calls.reconcile_properties, "List the properties that entities have.", *_PROPOSED, _CALLBACK
        ),
    ]
    drafted = [replace(each, name=f"{each.endpoint.__name__}_draft") for each in draft]
    keyed = [
        replace(each, name=f"{each.endpoint.__name__}_by_key", parameters=[_KEY, *each.parameters]) for each in old
    ]
    return {DRAFT_PATH: drafted, KEYED_PATH: keyed, PATH: [*old, post(*decide)]}
