"""The form of the page 'Job descriptions' and the sentences that it draws."""

import json
from typing import Any

from streamlit.testing.v1 import AppTest


def paste(app: AppTest, text: str) -> AppTest:
    """Enter a text and press 'Read the posting'."""
    app.text_area(key="describe_text").set_value(text)
    return app.button(key="describe_read").click().run()


def rows(app: AppTest) -> list[dict[str, Any]]:
    """Return the sentences as the page hands them to its component."""
    drawn = [each.proto for each in app.get("bidi_component") if each.proto.component_name == "jobmatch_sentences"]
    return [dict(row) for proto in drawn for row in json.loads(proto.json)["rows"]]
