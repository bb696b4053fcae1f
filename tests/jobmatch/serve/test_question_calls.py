"""`/api/v1/question` and `/api/v1/answer`: a survey's form that asks back."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from jobmatch.serve.v1.messages import AnsweredAnswer, QuestionAnswer
from jobmatch.services.linking import LinkingService
from jobmatch_core.entities import LinkResult
from jobmatch_core.linking import Linker
from tests.core.questions.made_candidates import candidate, unsure
from tests.jobmatch.serve.test_v1_calls import described, problem

TITLE = "stock keeping books"


@pytest.fixture(autouse=True)
def open_title(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave one title open between stock clerks, shelf fillers and accountants."""
    link = Linker.link

    def made(self: Linker, title: object, **options: Any) -> LinkResult:
        if title != TITLE:
            return link(self, title, **options)
        uri = self.taxonomy.group_uri
        shares = {"4321": 0.4, "9334": 0.3, "2411": 0.1}
        made = [candidate(uri(code), code, share) for code, share in shares.items()]
        return unsure(*made, title=TITLE)

    monkeypatch.setattr(Linker, "link", made)


def asked(client: TestClient, **fields: object) -> Any:
    """Return the answer to a request for the question on the open title."""
    response = client.post("/api/v1/question", json={"title": TITLE, **fields})
    assert response.status_code == 200, response.text
    described(response.json(), QuestionAnswer)
    return response.json()


def test_a_question_and_its_answer(client: TestClient, service: LinkingService) -> None:
    """Asked in English and in German; the answer links the title, and nothing is stored."""
    english, german = asked(client), asked(client, language="de")["question"]
    assert (english["link"]["level"], english["link"]["abstained"]) == ("", True)
    question = english["question"]
    assert question["text"] == "Which of these describes your work best?"
    assert (question["none"], question["in_english"]) == ("None of these", False)
    assert (german["text"], german["none"], german["language"]) == (
        "Was davon tun Sie hauptsächlich?",
        "Nichts davon",
        "de",
    )
    assert question["options"][0]["source"] == "definition of ISCO-08 group 4321"
    answer = client.post("/api/v1/answer", json={"title": TITLE, "question": question["id"], "option": 1}).json()
    described(answer, AnsweredAnswer)
    assert answer["judgments"] == []
    assert answer["link"]["candidates"][0]["isco"] == answer["link"]["coding"]["code"] == "9334"
    none = client.post("/api/v1/answer", json={"title": TITLE, "question": question["id"], "option": None}).json()
    assert none["link"]["level"] == ""
    assert not service.settings.may_have_labels or service.labels().count() == 0


def test_a_recorded_answer_is_one_respondents(client: TestClient, service: LinkingService) -> None:
    """A judgment with its own policy and the chosen option, which later links do not take as accepted."""
    question = asked(client)["question"]
    body = {"title": TITLE, "question": question["id"], "option": 1, "record": True}
    assert "`annotator` is required" in problem(client.post("/api/v1/answer", json=body), 400)
    answer = client.post("/api/v1/answer", json=body | {"annotator": "Ann"}).json()
    [judgment] = service.labels().judgments()
    assert answer["judgments"] == [judgment.id]
    assert (judgment.provenance.policy, judgment.annotator) == ("question", "Ann")
    assert judgment.note == f"answered: {question['options'][1]['text']}"
    [link] = client.post("/api/v1/link", json={"titles": [TITLE]}).json()["results"]
    assert all("accepted" not in each["evidence"] for each in link["candidates"])


def test_linked_titles_and_texts_without_a_job_have_no_question(client: TestClient) -> None:
    """Markup is a text without a job and has no question either."""
    for title in ("Krankenschwester", "student", "asdf", "<script>alert(1)</script>", "\u202eesrun"):
        answer = client.post("/api/v1/question", json={"title": title}).json()
        assert answer["question"] is None
        assert answer["link"]["title"] == title


@pytest.mark.parametrize(
    ("changed", "status", "detail"),
    [
        ({"question": "another"}, 409, "ask for it again"),
        ({"option": 4}, 409, "options 0 to 2"),
        ({"option": -2}, 400, "option"),
        ({"title": "Krankenschwester"}, 409, "ask for it again"),
        ({"language": "klingon"}, 400, "klingon"),
        ({"uris": []}, 400, "uris"),
    ],
)
def test_answers_that_do_not_fit(client: TestClient, changed: dict[str, Any], status: int, detail: str) -> None:
    """The message says what to do."""
    body = {"title": TITLE, "question": asked(client)["question"]["id"], "option": 1} | changed
    assert detail in problem(client.post("/api/v1/answer", json=body), status)
