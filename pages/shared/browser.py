"""Browser scripts: cookies, focus, announcements to screen readers, sending text while typing.

The scripts are constants without a visible part; variables reach them as data.
"""

from urllib.parse import quote, unquote

import streamlit as st

_MAX_AGE = 365 * 24 * 60 * 60  # seconds
_COOKIE_JS = """
export default function ({ data }) {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${data.name}=${data.value}; Path=/; Max-Age=${data.age}; SameSite=Lax${secure}`;
}
"""
_HEADER_HEIGHT = 36  # pixels of a table
_PATIENCE_MS = 1500  # a dialog moves the focus itself while it opens
_FOCUS_JS = f"""
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
# After a choice a select box keeps the focus, so a letter would filter its list instead of being a shortcut.
_LEAVE_JS = """
export default function () {
  const gone = new AbortController();
  const leave = (frames = 30) => requestAnimationFrame(() => {  // the box closes once it has taken the choice
    const field = document.activeElement;
    if (!field?.closest('[data-testid="stSelectbox"]')) return;
    if (field.getAttribute("aria-expanded") !== "true") field.blur();
    else if (frames) leave(frames - 1);
  });
  const listen = (name, chooses) => document.addEventListener(
    name, (event) => { if (chooses(event)) leave(); }, { capture: true, signal: gone.signal }
  );
  listen("click", (event) => event.target.closest('[role="option"]'));
  listen("keydown", (event) => event.key === "Enter" && event.target.closest('[data-testid="stSelectbox"]'));
  return () => gone.abort();
}
"""
# A key goes to a search box of the page; Enter leaves it, so that letters and digits are shortcuts again.
_SLASH_JS = """
export default function ({ data }) {
  const gone = new AbortController();
  const field = () => document.querySelector(`.st-key-${data.key} input`);
  const typing = (element) => element?.closest("input, textarea, select, [contenteditable=true]");
  document.addEventListener("keydown", (event) => {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key.toLowerCase() === data.sign && plain && !typing(document.activeElement) && field()) {
      event.preventDefault();
      field().focus();
      field().select();
    } else if (["Enter", "Escape"].includes(event.key) && document.activeElement === field()) {
      setTimeout(() => field()?.blur());  // after Streamlit has taken the text
    }
  }, { signal: gone.signal });
  return () => gone.abort();
}
"""
# The region survives reruns, because screen readers announce changed text, but not a new region.
_ANNOUNCER_JS = """
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
# Streamlit's page says that it is English; screen readers and hyphenation go by this.
_LANGUAGE_JS = """
export default function ({ data }) {
  document.documentElement.lang = data;
}
"""
# Streamlit sends a text area only on blur or Ctrl+Enter; the script presses Ctrl+Enter after typing.
_WAIT_MS = 250
_SEND_JS = """
export default function ({ data }) {
  const gone = new AbortController();
  let waiting;
  const send = (area) => area.dispatchEvent(new KeyboardEvent(
    "keydown", { key: "Enter", code: "Enter", keyCode: 13, ctrlKey: true, bubbles: true, cancelable: true }
  ));
  document.addEventListener("input", (event) => {
    if (!event.target.closest(`.st-key-${data.key} textarea`)) return;
    clearTimeout(waiting);
    waiting = setTimeout(() => send(event.target), data.wait);
  }, { signal: gone.signal });
  return () => gone.abort();
}
"""
# Streamlit's table stays where it was scrolled to when a row is selected for it.
_SIGHT_JS = """
let shown;  // its row was scrolled to, and whoever scrolls away from it may

export default function ({ data }) {
  const scroller = document.querySelector(`.st-key-${data.key} .dvn-scroller`);
  if (!scroller || shown === data.row) return;
  shown = data.row;
  const top = data.row * data.height, room = scroller.clientHeight - data.header;
  if (top < scroller.scrollTop) scroller.scrollTop = top;
  if (top + data.height > scroller.scrollTop + room) scroller.scrollTop = top + data.height - room;
}
"""
_writer = st.components.v2.component("jobmatch_cookie", js=_COOKIE_JS)
_focus = st.components.v2.component("jobmatch_focus", js=_FOCUS_JS)
_leaver = st.components.v2.component("jobmatch_leave_selects", js=_LEAVE_JS)
_slash = st.components.v2.component("jobmatch_slash", js=_SLASH_JS)
_scroller = st.components.v2.component("jobmatch_in_sight", js=_SIGHT_JS)
_announcer = st.components.v2.component("jobmatch_announcer", js=_ANNOUNCER_JS)
_language = st.components.v2.component("jobmatch_language", js=_LANGUAGE_JS)
_sender = st.components.v2.component("jobmatch_live_text", js=_SEND_JS)


def read_cookie(name: str) -> str:
    """Return a cookie's value at the start of the session; '' if there was none."""
    return unquote(st.context.cookies.get(name, ""), errors="replace")


def save_cookie(name: str, value: str) -> None:
    """Store a cookie in the browser, or remove it if *value* is empty. Must be called in every run."""
    changed = f"cookie {name} changed"
    if value != read_cookie(name):
        st.session_state[changed] = True
    if st.session_state.get(changed):
        age = _MAX_AGE if value else 0
        _writer(data={"name": name, "value": quote(value, safe=""), "age": age}, key=f"script_cookie_{name}")


def focus(key: str) -> None:
    """Focus the text field with this key when it first appears."""
    _focus(data={"key": key}, key=f"script_focus_{key}")


def leave_selects() -> None:
    """Remove the focus from a select box after a choice, so that the page's shortcuts work."""
    _leaver(key="script_leave_selects")


def search_by_key(sign: str, key: str) -> None:
    """Let a key of the keyboard focus a text field; Enter or Escape leaves it.

    Args:
        sign: The key of the keyboard, such as '/', in lower case.
        key: Key of the field, or of the container around it.
    """
    _slash(data={"key": key, "sign": sign}, key=f"script_slash_{key}")


def keep_in_sight(key: str, row: int, height: int) -> None:
    """Scroll a table to a row when another one is given than before.

    Args:
        key: Key of the table.
        row: Position of the row, from 0.
        height: Height of a row in pixels.
    """
    _scroller(data={"key": key, "row": row, "height": height, "header": _HEADER_HEIGHT}, key=f"script_sight_{key}")


def announce(text: str) -> None:
    """Announce a text to screen readers when it changes; call it at most once in a run."""
    _announcer(key="script_announcer", data=text)


def set_language(code: str) -> None:
    """Set the language that the page says it is in."""
    _language(data=code, key="script_language")


def send_changes(key: str) -> None:
    """Send the text of the text area with this key whenever it changes."""
    _sender(data={"key": key, "wait": _WAIT_MS}, key=f"script_sender_{key}")
