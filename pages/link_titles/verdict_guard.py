"""Guard of the review desk's verdicts, in the browser: what is pressed before the next title is drawn does not count.

The server cannot tell: while a decision is saved and the next title drawn, a button has the arguments of that title as
soon as the script is past it, but the browser still shows the last one.
"""

import time

import streamlit as st

_START_MS = 500
_JS = """
const VERDICTS = ":is(.st-key-accept, .st-key-none_of_these, .st-key-group_enough, [class*=st-key-pick_]) button";
let sentUntil = 0;  // a press takes a moment to start the script, and may start nothing

export default function ({ data }) {  // in every run
  sentUntil = 0;
  window.jobmatchVerdicts?.abort();
  const gone = window.jobmatchVerdicts = new AbortController();
  const isRunning = () => document.querySelector("[data-testid=stApp]").dataset.testScriptState !== "notRunning";
  const press = (event) => {
    const now = performance.now();
    if (event.repeat || isRunning() || now < sentUntil) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else {
      sentUntil = now + data.startMs;
    }
  };
  const key = (event) => {
    const field = event.composedPath()[0].closest?.("input, textarea, select, [contenteditable=true]");
    if (field || event.ctrlKey || event.metaKey || event.altKey) return;
    const pressed = ["Enter", " "].includes(event.key) && event.target.closest?.(VERDICTS);
    if (data.keys.includes(event.key.toLowerCase()) || (pressed && event.repeat)) press(event);
  };
  const click = (event) => {
    if (event.isTrusted && event.target.closest?.(VERDICTS)) press(event);  // a shortcut's click is not
  };
  window.addEventListener("keydown", key, { capture: true, signal: gone.signal });
  window.addEventListener("click", click, { capture: true, signal: gone.signal });
  return () => gone.abort();
}
"""
_guard = st.components.v2.component("jobmatch_verdict_guard", js=_JS)


def guard() -> None:
    """Guard the keys and buttons of the verdicts in the panel."""
    data = {"keys": list("ang123456789"), "startMs": _START_MS, "drawn": time.monotonic()}
    _guard(data=data, key="script_verdict_guard")
