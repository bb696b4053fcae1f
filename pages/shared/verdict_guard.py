"""Guard of a desk's verdicts, in the browser: what is pressed before the next item is drawn does not count.

Enter accepts, unless a field, a button or the table has the focus.

A notice says so. The press is not kept for the next item, which nobody has seen when it was made.

The server cannot tell: while a decision is saved and the next item drawn, a button has the arguments of that item as
soon as the script is past it, but the browser still shows the last one.
"""

import time

import streamlit as st

from pages.shared.language import _

_START_MS = 500
_JS = """
const VERDICTS = ":is(.st-key-accept, .st-key-none_of_these, .st-key-group_enough, [class*=st-key-pick_]) button";
const STEPPED = ".st-key-desk_rows [data-testid=stDataFrame], .st-key-verdicts";  // elsewhere arrows have another use
const STEPS = { ArrowUp: ".st-key-back button", ArrowDown: ".st-key-skip button" };
const NOTICE_MS = 3000;
const NOTICE = "jobmatch-not-counted";
let sentUntil = 0;  // a press takes a moment to start the script, and may start nothing

function tell(text) {
  let notice = document.getElementById(NOTICE);
  if (!notice) {
    notice = document.createElement("div");
    notice.id = NOTICE;
    notice.setAttribute("role", "status");
    notice.style.cssText = "position:fixed;right:2rem;bottom:13rem;z-index:1000;padding:0.5rem 0.75rem;" +
      "border-radius:0.5rem;background:#31333f;color:#ffffff;font:14px sans-serif;pointer-events:none";
    document.body.appendChild(notice);
  }
  notice.textContent = text;
  notice.hidden = false;
  clearTimeout(window.jobmatchNotice);
  window.jobmatchNotice = setTimeout(() => { notice.textContent = ""; notice.hidden = true; }, NOTICE_MS);
}

export default function ({ data }) {  // in every run
  sentUntil = 0;
  window.jobmatchVerdicts?.abort();
  const gone = window.jobmatchVerdicts = new AbortController();
  const isRunning = () => document.querySelector("[data-testid=stApp]").dataset.testScriptState !== "notRunning";
  const press = (event, shown) => {
    const now = performance.now();
    if (event.repeat || isRunning() || now < sentUntil) {
      event.preventDefault();
      event.stopImmediatePropagation();
      tell(data.notCounted.replace("{pressed}", shown));
    } else {
      sentUntil = now + data.startMs;
    }
  };
  const key = (event) => {
    const field = event.composedPath()[0].closest?.("input, textarea, select, [contenteditable=true]");
    if (field || event.ctrlKey || event.metaKey || event.altKey) return;
    if (STEPS[event.key] && !isRunning() && (event.target === document.body || event.target.closest?.(STEPPED))) {
      event.preventDefault();
      document.querySelector(STEPS[event.key])?.click();
    }
    const pressed = ["Enter", " "].includes(event.key) && event.target.closest?.(VERDICTS);
    const accepts = event.key === "Enter" && event.target === document.body;
    const known = accepts || data.keys.includes(event.key.toLowerCase());
    if (known || (pressed && event.repeat)) press(event, known ? event.key.toUpperCase() : data.theKey);
    if (accepts && !event.defaultPrevented) document.querySelector(".st-key-accept button")?.click();
  };
  const click = (event) => {  // a shortcut's is not trusted
    if (event.isTrusted && event.target.closest?.(VERDICTS)) press(event, data.theClick);
  };
  window.addEventListener("keydown", key, { capture: true, signal: gone.signal });
  window.addEventListener("click", click, { capture: true, signal: gone.signal });
  return () => gone.abort();
}
"""
_guard = st.components.v2.component("jobmatch_verdict_guard", js=_JS)


def guard(*keys: str) -> None:
    """Guard the buttons of the verdicts in the panel, and their keys in lower case, such as 'a' and 'enter'."""
    texts = {
        "notCounted": _("{pressed} was not counted: the next one was not in sight yet."),
        "theKey": _("The key"),
        "theClick": _("The click"),
    }
    data = {"keys": keys, "startMs": _START_MS, "drawn": time.monotonic(), **texts}
    _guard(data=data, key="script_verdict_guard")
