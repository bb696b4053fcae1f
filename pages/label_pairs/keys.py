"""Keyboard guard of the current pair, in the browser: stops premature verdicts, and lets letters pick reasons.

Only the browser knows when a pair is drawn. The guard stops a verdict's key or click until `_READING_MS` after that.
"""

import time

import streamlit as st

from jobmatch_core.labelling.judging import REASONS
from pages.shared.language import N_, _

_READING_MS = 400
TOO_SOON = N_("Not counted: this pair had only just appeared. Read it, then press again.")
VERDICTS_KEY, REASONS_KEY = "label_verdicts", "label_reasons"
REASON_KEYS = dict(zip(REASONS, "MESFLPDT", strict=True))
_MESSAGE_MS = 2500  # duration of the message on a stopped press
_CSS = """
#said { position: fixed; bottom: 1rem; left: 50%; transform: translateX(-50%); padding: .4rem .8rem; z-index: 10;
  border-radius: var(--st-base-radius); background: var(--st-secondary-background-color); color: var(--st-text-color);
  border: 1px solid var(--st-border-color); font: .875rem var(--st-font); }
#said:empty { display: none; }
"""
_JS = """
const guards = new WeakMap();  // by the element that the component is mounted in

class Guard {
  constructor(root) {
    this.root = root;
    this.said = root.querySelector("#said");
    this.since = Infinity;  // when the pair became visible
    this.listeners = [
      [window, "keydown", (event) => this.key(event)], [window, "click", (event) => this.click(event)],
      [document, "visibilitychange", () => this.show()],
    ];
    for (const [target, name, listener] of this.listeners) target.addEventListener(name, listener, true);
  }

  update(data) {
    const same = this.data?.pair === data.pair;
    this.data = data;
    if (same && this.since !== Infinity) return;  // else another pair, or one whose verdict was not stored
    this.since = Infinity;
    delete this.said.dataset.ready;
    requestAnimationFrame(() => requestAnimationFrame(() => this.show()));  // once it is painted
  }

  show() {
    clearTimeout(this.timer);
    this.since = document.visibilityState === "visible" ? performance.now() : Infinity;
    const pair = this.data.pair;
    this.timer = setTimeout(() => { if (this.seen()) this.said.dataset.ready = pair; }, this.data.readingMs + 20);
  }

  seen() { return performance.now() - this.since >= this.data.readingMs; }

  left() {
    if (this.root.isConnected) return false;
    for (const [target, name, listener] of this.listeners) target.removeEventListener(name, listener, true);
    return true;
  }

  key(event) {
    const typing = event.composedPath()[0].matches?.("input, textarea, select, [contenteditable=true]");
    if (this.left() || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("[role=dialog]")) return;  // the buttons are disabled while one is open
    if (this.data.verdictKeys.includes(event.key)) this.judge(event);
    const place = this.data.reasonKeys.indexOf(event.key.toUpperCase());
    const pill = document.querySelectorAll(`.st-key-${this.data.reasons} button`)[place];
    if (pill && !event.repeat) pill.click();
  }

  click(event) {
    const shortcut = !event.isTrusted;  // its key was heard above
    if (this.left() || shortcut || !event.target.closest?.(`.st-key-${this.data.verdicts} button:enabled`)) return;
    this.judge(event);
  }

  judge(event) {
    if (this.seen() && !event.repeat) {
      this.since = Infinity;  // one verdict a pair
      this.say("");
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!event.repeat) this.say(this.data.tooSoon);
  }

  say(text) {
    clearTimeout(this.quiet);
    this.said.textContent = text;
    this.quiet = setTimeout(() => { this.said.textContent = ""; }, this.data.saidMs);
  }
}

export default function ({ data, parentElement }) {
  if (!guards.has(parentElement)) guards.set(parentElement, new Guard(parentElement));
  guards.get(parentElement).update(data);
}
"""
_guard = st.components.v2.component("jobmatch_label_keys", html='<div id="said" role="status"></div>', css=_CSS, js=_JS)


def guard(pair: str) -> None:
    """Guard the keys of a pair. Call it after the pair is drawn.

    Args:
        pair: Identifier that changes with each pair shown to the annotator.
    """
    _guard(
        data={
            "pair": pair,
            "readingMs": _READING_MS,
            "saidMs": _MESSAGE_MS,
            "verdictKeys": list("1234"),
            "reasonKeys": list(REASON_KEYS.values()),
            "verdicts": VERDICTS_KEY,
            "reasons": REASONS_KEY,
            "tooSoon": _(TOO_SOON),
            "drawn": time.monotonic(),  # changes in every run, so that the script runs also after a failed verdict
        },
        key="label_guard",
    )
