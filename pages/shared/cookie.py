"""Values that the browser keeps between visits, in cookies of its own site. None of them is a secret or a proof."""

from urllib.parse import quote, unquote

import streamlit as st

_MAX_AGE = 365 * 24 * 60 * 60  # seconds
_JS = """
export default function ({ data }) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${data.name}=${data.value}; Path=/; Max-Age=${data.age}; SameSite=Lax${secure}`;
}
"""
_writer = st.components.v2.component("jobmatch_cookie", js=_JS)


def read(name: str) -> str:
    """Return a cookie as it was when the session began; '' where there was none."""
    return unquote(st.context.cookies.get(name, ""), errors="replace")


def keep(name: str, value: str) -> None:
    """Have the browser keep a value, or forget it where it is empty. Call it in every run, so that it stays drawn."""
    changed = f"cookie {name} changed"
    if value != read(name):
        st.session_state[changed] = True
    if st.session_state.get(changed):
        age = _MAX_AGE if value else 0
        _writer(data={"name": name, "value": quote(value, safe=""), "age": age}, key=f"script_cookie_{name}")
