"""Announcements of results to screen readers, through one polite live region in the browser's page."""

import streamlit as st

# The region outlives reruns: screen readers announce changed text, not a region that comes with its text.
_SCRIPT = """
export default function ({ data }) {
    let region = document.getElementById("jobmatch-announcer");
    if (!region) {
        region = document.createElement("div");
        region.id = "jobmatch-announcer";
        region.setAttribute("role", "status");
        region.setAttribute("aria-live", "polite");
        region.style.cssText = "position:fixed;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)";
        document.body.appendChild(region);
    }
    if (region.textContent !== data) region.textContent = data;
}
"""
_component = st.components.v2.component("jobmatch_announcer", js=_SCRIPT)


def announce(text: str) -> None:
    """Announce a result, once each time that the text changes; call it at most once in a run."""
    _component(key="script_announcer", data=text)
