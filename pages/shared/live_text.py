"""Text areas that send their text shortly after typing, so that the page beside them is up to date.

Streamlit sends a text only when the box is left or Ctrl+Enter is pressed. The script of the component below presses
Ctrl+Enter in the browser once nothing was typed for a moment. It is a constant, and reads no text.
"""

import streamlit as st

_WAIT_MS = 250
_JS = """
export default function ({ data }) {
  const gone = new AbortController();
  let waiting;
  const send = (area) => area.dispatchEvent(new KeyboardEvent(
    "keydown", { key: "Enter", code: "Enter", keyCode: 13, ctrlKey: true, bubbles: true, cancelable: true }
  ));
  document.addEventListener("input", (event) => {
    if (!event.target.closest(`.st-key-${data.key} textarea`)) return;
    clearTimeout(waiting);
    waiting = setTimeout(() => send(event.target), data.wait);
  }, { signal: gone.signal });
  return () => gone.abort();
}
"""
_sender = st.components.v2.component("jobmatch_live_text", js=_JS)


def send_changes(key: str) -> None:
    """Send the text of the text area with this key whenever it has changed."""
    _sender(data={"key": key, "wait": _WAIT_MS}, key=f"script_sender_{key}")
