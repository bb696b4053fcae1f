"""The workbench's front end, which `jobmatch app` starts."""

from pathlib import Path

import streamlit as st

from pages.shared import demo_note, language, sign_in
from pages.shared.language import _
from pages.shared.page_list import PAGES

# before the navigation, whose own icon for the tab would be fetched from elsewhere
st.set_page_config(page_icon="💼", layout="wide")
language.settle()
pages = {
    folder: st.Page(
        f"pages/{folder}/{folder}.py",
        title=_(entry.title),
        icon=f":material/{entry.icon}:",
        default=not number,
        visibility="visible" if sign_in.may_see(folder) else "hidden",
    )
    for number, (folder, entry) in enumerate(PAGES.items())
}
page = st.navigation(list(pages.values()), position="top")
st.set_page_config(page_title=f"{page.title} · jobmatch")
st.html(Path(__file__).parent / "pages" / "theme.css")
demo_note.mark()
sign_in.show_page(next(folder for folder, listed in pages.items() if listed is page), page.title, page.run)
