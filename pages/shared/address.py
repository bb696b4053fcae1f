"""State of a page in its address, so that views can be shared and Back returns to the previous view.

Streamlit adds a history entry for every change of the address. A script replaces this within a page: an act, such as
another title, adds an entry; any other change, such as a setting, replaces the last one.
"""

import time
from dataclasses import dataclass, replace
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

_ACTS = frozenset({"title", "list", "posting", "project", "text", "group", "occupation"})
_VISIT_KEY = "address_visit"
_ACTS_KEY = "address_acts"
_JS = """
function takeOver() {
  const push = history.pushState.bind(history);
  history.pushState = (state, unused, url) => {  // Streamlit's own entries, for each change within a page
    if (new URL(url, location.href).pathname !== location.pathname) push(state, unused, url);
  };
  return { push, at: 0, acts: 0 };
}
export default function ({ data }) {
  window.jobmatchAddress ??= takeOver();
  const last = window.jobmatchAddress;
  if (data.at <= last.at) return;  // drawn again, not written again
  // a counter, because a later run may replace the run of an act before it is drawn; a new session starts at 0
  const acted = data.acts !== last.acts && data.acts > 0;
  [last.at, last.acts] = [data.at, data.acts];
  if (data.query === location.search.slice(1)) return;
  const url = location.pathname + (data.query && "?" + data.query);
  if (acted) last.push({}, "", url);
  else history.replaceState({}, "", url);
}
"""
_history = st.components.v2.component("jobmatch_address", js=_JS)


@dataclass(frozen=True, slots=True)
class _Written:
    value: str = ""  # last written or adopted value of a parameter
    before: str = ""  # the value before it, which a quick click may still carry
    visit: int = 0  # visit to a page in which it was written; 0 for an adopted value


def adopt(keys: dict[str, str]) -> None:
    """Copy parameters of the address into the session's state if a link, Back, Forward or another page changed them.

    Args:
        keys: Parameter of the address -> key of the session's state.
    """
    context = get_script_run_ctx()
    visit, returned = _visit(), context is not None and context.is_history_navigation
    for parameter, key in keys.items():
        value, written = st.query_params.get(parameter, ""), _written(key)
        fresh = returned or (bool(value) and (written.visit != visit or value != written.before))
        if fresh and value != written.value:
            st.session_state[key] = value
            _remember(key, value, visit=0)


def write(keys: dict[str, str]) -> None:
    """Write the session's state into the address, without empty values; *keys* as in `adopt`."""
    visit = _visit()
    query = {parameter: st.query_params.get_all(parameter) for parameter in st.query_params}
    wanted, acted, arrived = dict(query), False, False
    for parameter, key in keys.items():
        value, written = str(st.session_state.get(key) or ""), _written(key)
        arrived |= written.visit != visit
        acted |= parameter in _ACTS and written.visit == visit and value != written.value
        _remember(key, value, visit=visit)
        if not value:
            wanted.pop(parameter, None)
        elif wanted.get(parameter, [""])[-1] != value:
            wanted[parameter] = [value]
    if wanted != query and not arrived:  # on arrival the script may not be there yet, and Streamlit would add an entry
        st.query_params.from_dict(wanted)
    acts = st.session_state[_ACTS_KEY] = st.session_state.get(_ACTS_KEY, 0) + acted
    _history(
        data={"query": urlencode(wanted, doseq=True), "acts": acts, "at": time.time_ns() // 1000}, key="script_address"
    )


def _visit() -> int:
    # opening another page begins another visit
    context = get_script_run_ctx()
    page = context.page_script_hash if context else ""
    last, number = st.session_state.get(_VISIT_KEY, ("", 0))
    if page != last or not number:
        number += 1
        st.session_state[_VISIT_KEY] = (page, number)
    return int(number)


def _written(key: str) -> _Written:
    written: _Written = st.session_state.get(f"address of {key}", _Written())
    return written


def _remember(key: str, value: str, *, visit: int) -> None:
    written = _written(key)
    if value != written.value:
        written = _Written(value, written.value)
    st.session_state[f"address of {key}"] = replace(written, visit=visit)
