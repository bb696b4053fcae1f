"""Values stored between visits in the site's cookies. They are neither secret nor trusted."""

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
    """Return a cookie's value at the start of the session; '' if there was none."""
    return unquote(st.context.cookies.get(name, ""), errors="replace")


def save(name: str, value: str) -> None:
    """Store a value in the browser, or remove it if it is empty. Must be called in every run."""
    changed = f"cookie {name} changed"
    if value != read(name):
        st.session_state[changed] = True
    if st.session_state.get(changed):
        age = _MAX_AGE if value else 0
        _writer(data={"name": name, "value": quote(value, safe=""), "age": age}, key=f"script_cookie_{name}")
