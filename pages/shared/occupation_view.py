"""Details of an occupation: group, description, skills, names and URI."""

import pandas as pd
import streamlit as st

from jobmatch_core.entities import Occupation, Skill
from jobmatch_core.text.folding import visible
from jobmatch_core.text.languages import language_name
from pages.shared.widgets import group_trail, plain, readable

_DESCRIPTION_LIMIT = 5000
_LIST_HEIGHT = 260
_SHORT_LIST = 10  # longer lists of skills get a scroll bar


def show(occupation: Occupation, key: str) -> None:
    """Draw an occupation.

    Args:
        occupation: what to draw.
        key: makes the widgets' keys unique.
    """
    if occupation.isco_path:
        st.caption(f"ISCO-08 group: {group_trail(occupation.isco_path)}")
    else:
        st.caption("No ISCO-08 group is known for this occupation.")
    if occupation.description:
        st.markdown(plain(occupation.description, limit=_DESCRIPTION_LIMIT))
    _skills(occupation.skills)
    _names(occupation, key)
    _address(occupation, key)


def _skills(skills: tuple[Skill, ...]) -> None:
    if not skills:
        st.caption("This taxonomy lists no skills for this occupation.")
        return
    columns = st.columns(2)
    for column, essential, label in zip(columns, (True, False), ("Essential", "Optional"), strict=True):
        names = [skill.name for skill in skills if skill.essential is essential]
        with column:
            st.markdown(f"**{label} skills** ({len(names)})")
            with st.container(height=_LIST_HEIGHT if len(names) > _SHORT_LIST else "content", border=False):
                st.caption("  \n".join(plain(name) for name in names) or "None.")


def _names(occupation: Occupation, key: str) -> None:
    languages = len({form.language for form in occupation.names})
    st.markdown(f"**All names** ({len(occupation.names):,} in {languages} language{'s' if languages != 1 else ''})")
    table = pd.DataFrame(
        {
            "Language": [language_name(form.language) for form in occupation.names],
            "Name": [form.text for form in occupation.names],
            "Kind": ["preferred name" if form.preferred else "other name" for form in occupation.names],
        }
    )
    st.dataframe(
        readable(table), hide_index=True, height=min(_LIST_HEIGHT, 37 + 35 * max(len(table), 1)), key=f"{key}_names",
        column_config={"Name": st.column_config.TextColumn(width="large")},
    )  # fmt: skip


def _address(occupation: Occupation, key: str) -> None:
    st.code(visible(occupation.uri), language=None, wrap_lines=True)
    if occupation.uri.startswith(("http://", "https://")):
        st.link_button("Open its web page", occupation.uri, key=f"{key}_link", icon=":material/open_in_new:")
