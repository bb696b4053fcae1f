"""Focus on a text field that has just appeared."""

import streamlit as st

_PATIENCE_MS = 1500  # a dialog moves the focus itself while it opens
_JS = f"""
const focused = new WeakSet();  // the elements that the component was mounted in

export default function ({{ data, parentElement }}) {{
  if (focused.has(parentElement)) return;
  focused.add(parentElement);
  const begun = performance.now();
  let held = 0;
  const timer = setInterval(() => {{
    const field = document.querySelector(`.st-key-${{data.key}} :is(input, textarea)`);
    if (field && document.activeElement !== field) {{ field.focus(); held = 0; }} else if (field) held += 1;
    if (held > 4 || performance.now() - begun > {_PATIENCE_MS}) clearInterval(timer);
  }}, 30);
}}
"""
_focus = st.components.v2.component("jobmatch_focus", js=_JS)


def on(key: str) -> None:
    """Focus the text field of a key, once, when it appears."""
    _focus(data={"key": key}, key=f"script_focus_{key}")
