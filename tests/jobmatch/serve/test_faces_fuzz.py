"""Any request to ESCO's or the reconciliation face that the description allows, or nearly allows, is answered.

`FUZZED=5000 pytest tests/jobmatch/serve/test_faces_fuzz.py` sends more.
"""

from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from jobmatch.serve.serve_config import Limits, ServeConfig
from jobmatch.serve.server import build_api
from jobmatch.services.linking import LinkingService
from jobmatch_core.settings import Settings
from tests.jobmatch.serve.conftest import ADDRESS
from tests.jobmatch.serve.made_esco import DEVELOPER, ESCO, PYTHON, UNIT_GROUP
from tests.jobmatch.serve.test_v1_fuzz import REQUESTS, requests_of

_ESCO_ID = "esco-1.2.1"
_URIS = (DEVELOPER, PYTHON, UNIT_GROUP, f"{ESCO}concept-scheme/skills", f"{ESCO}concept-scheme/isco")
_WORDS: dict[str, tuple[str, ...]] = {
    "taxonomy": (_ESCO_ID, _ESCO_ID, _ESCO_ID, "isco-08"),
    "what": ("entity", "type", "property"),
    "kind": ("occupation", "skill", "concept", "taxonomy"),
    "type": ("occupation", "skill", "concept", "isco-group"),
    "id": _URIS,
    "uri": _URIS,
    "uris": _URIS,
    "isInScheme": _URIS,
    "relation": ("hasEssentialSkill", "isOptionalForOccupation", "narrowerConcept", "hasTopConcept"),
    "limit": ("1", "3", "1000"),
    "offset": ("0", "1", "999999999"),
    "cursor": ("0", "3"),
    "full": ("true", "false"),
    "alt": ("true", "false"),
    "language": ("de", "en-GB", "sv"),
    "selectedVersion": ("latest", "v1.2", "v1.0.9"),
    "callback": ("cb", "a.b", "alert(1)"),
    "queries": ('{"q0": {"query": "coder"}}', '{"a": {"query": "2512", "limit": 3, "type": ["isco-group"]}}', "{}"),
    "extend": ('{"ids": ["x"], "properties": [{"id": "isco-1"}]}',),
}  # values of parameters that lead somewhere


@pytest.mark.thorough
@pytest.mark.parametrize("face", ["/esco/api", "/reconcile"])
def test_every_request_is_answered(own_esco_home: Path, face: str) -> None:
    """With a described status and media type."""
    seen: set[tuple[str, bool]] = set()
    service = LinkingService(Settings(own_esco_home))
    config = ServeConfig(limits=Limits(requests_a_minute=0))
    with TestClient(build_api(service, config), base_url=ADDRESS) as client:
        calls = requests_of(client.get("/api/openapi.json").json(), face)

        def answered(request: dict[str, Any], values: dict[str, str]) -> None:
            path = request["path"]
            for name, value in request["path_parameters"].items():
                path = path.replace(f"{{{name}}}", quote(values.get(name) or value.strip("./") or "x", safe=""))
            query = {name: values.get(name, value) for name, value in request["query"].items()}
            body = {} if request["method"] == "get" else {"json": request["body"]}
            response = client.request(request["method"].upper(), path, params=query, **body)
            seen.add((f"{request['method']} {request['path']}", response.is_success))
            assert response.status_code != HTTPStatus.INTERNAL_SERVER_ERROR
            described = request["described"][str(response.status_code)]
            media = response.headers["content-type"].partition(";")[0]
            assert media in {*described["content"], "text/javascript"}

        values = st.fixed_dictionaries({}, optional={name: st.sampled_from(words) for name, words in _WORDS.items()})
        for requests in calls:
            some = settings(
                max_examples=REQUESTS // len(calls) + 5, deadline=None, suppress_health_check=list(HealthCheck)
            )
            some(given(requests, values)(answered))()
    assert len({call for call, _ in seen}) == len(calls)
    assert any(succeeded for _, succeeded in seen)
