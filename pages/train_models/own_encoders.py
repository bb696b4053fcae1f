"""Encoders of one's own: the list, the form that adds one, the pages that can use it, and the removal."""

from pathlib import Path

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from jobmatch.services.encoder_addition import EncoderAddition
from jobmatch_core.benchmarks.scoreboard.scoreboard import PUBLISHED_TASK
from jobmatch_core.encoders.added_encoder import (
    LOADING,
    AddedEncoder,
    add_encoder,
    add_packed_encoder,
    added_encoders,
    check_name,
    remove_encoder,
)
from jobmatch_core.errors import JobMatchError, ModelError
from jobmatch_core.io.folders import folder_word
from jobmatch_core.settings import UPLOAD_LIMIT_MB, Settings
from pages.shared import resources, sign_in
from pages.shared.choices import select_segment
from pages.shared.language import N_, _, numeral, plural, translated
from pages.shared.moments import moment
from pages.shared.page_links import page_link
from pages.shared.widgets import confirm, dialog, error_box, errors_shown, plain, time_left
from pages.train_models.run_step import START_KEY
from pages.train_models.words import KIND_KEY, TOWERS

_JOB_KEY, _RESULT_KEY = "encoder_job", "encoder_result"  # result: name of the added encoder, or an error
_FORMS_KEY = "encoder_forms"  # number of forms that were used; new keys empty and close the form
_ZIP, _ON_SERVER = "zip", "folder"
_WAYS = {_ZIP: N_("Upload a ZIP file"), _ON_SERVER: N_("Folder on the server")}
_POLL_SECONDS = 0.2
_MB = 10**6
_MOST_NAMED = 5


def show() -> None:
    """Draw the encoders; for administrators also the form that adds one."""
    st.markdown(_("## Your own encoders"))
    st.caption(
        _(
            "A sentence-transformers model reads titles and texts on the pages that choose a model, as "
            "soon as it is added."
        )
    )
    place = st.container()  # above the form, which fills a window
    if sign_in.may("administer"):
        _add()
    with place:
        _running()
        encoders = added_encoders(Settings.from_environment())
        _result(encoders)
    for encoder in encoders:
        _row(encoder)
    if not encoders and not sign_in.may("administer"):
        st.caption(_("There is none yet. An administrator can add one."))


def _add() -> None:
    number = st.session_state.get(_FORMS_KEY, 0)
    with st.expander(_("Add a model"), icon=":material/add:", key=f"encoder_form_{number}"):
        way = select_segment(_("Where the model is"), translated(_WAYS), "encoder_way")
        source = _uploaded(number) if way == _ZIP else _folder_on_server(number)
        name = source.stem if isinstance(source, Path) else Path(source.name).stem if source else ""
        suggested = folder_word(name).strip("-.")[:64]
        with st.container(horizontal=True, vertical_alignment="bottom"):
            typed = st.text_input(
                _("Name"),
                key=f"encoder_name_{number}",
                width=320,
                placeholder=suggested or _("such as our-encoder"),
                help=_("By this name, pages and the command line take the model: letters, digits, dots and dashes."),
            ).strip()
            clicked = st.button(
                _("Add the model"),
                key="encoder_add",
                icon=":material/add:",
                disabled=source is None or _JOB_KEY in st.session_state,
            )
        if clicked and source is not None:
            _start(typed or suggested, source)


def _uploaded(number: int) -> UploadedFile | None:
    return st.file_uploader(
        _("The model's folder as a ZIP file, up to {upload_limit_mb} MB", upload_limit_mb=UPLOAD_LIMIT_MB),
        type="zip",
        key=f"encoder_zip_{number}",
        help=_(
            "The folder that model.save_pretrained(FOLDER) of sentence-transformers writes, with weights "
            "as safetensors. Code and pickles in it are left out. Models above the limit are added by "
            "their folder on the server."
        ),
    )


def _folder_on_server(number: int) -> Path | None:
    typed = st.text_input(
        _("Path of the model's folder"),
        key=f"encoder_folder_{number}",
        placeholder="/models/our-encoder",
        help=_("On the machine on which jobmatch runs. The folder is copied; code and pickles in it are left out."),
    ).strip()
    return Path(typed) if typed else None


def _start(name: str, source: UploadedFile | Path) -> None:
    settings = Settings.from_environment()
    with errors_shown():
        check_name(name, settings)
        st.session_state.pop(_RESULT_KEY, None)
        if isinstance(source, Path):
            if not source.is_absolute():
                raise ModelError(
                    _("{source} is not the whole path of a folder; begin with / or a drive.", source=repr(str(source)))
                )
            st.session_state[_JOB_KEY] = EncoderAddition(
                name, lambda stage, progress: add_encoder(name, source, settings, stage=stage, progress=progress)
            )
        else:
            st.session_state[_JOB_KEY] = EncoderAddition(
                name,
                lambda stage, progress: add_packed_encoder(
                    name, source, source.name, settings, stage=stage, progress=progress
                ),
            )


def _running() -> None:
    # it continues while the user looks elsewhere
    job: EncoderAddition | None = st.session_state.get(_JOB_KEY)
    if job is None:
        return
    bar = st.progress(0.0, text=_words(job))
    while not job.background.wait(_POLL_SECONDS):
        bar.progress(job.share, text=_words(job))
    try:
        st.session_state[_RESULT_KEY] = job.background.result().word
        st.session_state[_FORMS_KEY] = st.session_state.get(_FORMS_KEY, 0) + 1
    except JobMatchError as error:
        st.session_state[_RESULT_KEY] = error
    del st.session_state[_JOB_KEY]
    st.rerun()


def _words(job: EncoderAddition) -> str:
    name, work = plain(job.name), job.background
    if job.stage == LOADING:
        return _(
            "2 of 2: loading {name} once, to see that it works … {seconds} s so far",
            name=name,
            seconds=numeral(job.seconds),
        )
    if not work.total:
        return _("1 of 2: reading the files of {name} …", name=name)
    left = time_left(work.done, work.total, work.reported - work.begun) if work.done < work.total else ""
    words = _(
        "1 of 2: {stage} {name} … {done} of {total}",
        stage=_(job.stage).lower(),
        name=name,
        done=_megabytes(work.done),
        total=_megabytes(work.total),
    )
    return f"{words} · {left}" if left else words


def _result(encoders: list[AddedEncoder]) -> None:
    result = st.session_state.get(_RESULT_KEY)
    if isinstance(result, JobMatchError):
        error_box(result)
    for encoder in encoders:
        if encoder.name == result:
            st.success(
                _("Added **{name}**. It can be used now on these pages:", name=plain(encoder.name)),
                icon=":material/check:",
            )
            with st.container(horizontal=True, vertical_alignment="center"):
                _places(encoder, key="added")


def _row(encoder: AddedEncoder) -> None:
    with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"encoder_{encoder.name}"):
        over = (
            plural(" · {n} model trained over it", " · {n} models trained over it", len(encoder.needed_by))
            if encoder.needed_by
            else ""
        )
        st.markdown(
            _(
                "**{name}** · :small[{size} · added {added}{over}]",
                name=plain(encoder.name),
                size=_megabytes(encoder.size),
                added=moment(encoder.added.isoformat()),
                over=over,
            )
        )
        st.space("stretch")
        with st.popover(_("Use it"), icon=":material/open_in_new:", key=f"encoder_use_{encoder.name}"):
            _places(encoder, key=encoder.name)
        if sign_in.may("administer") and st.button(
            _("Remove …"), key=f"encoder_remove_{encoder.name}", icon=":material/delete:", type="tertiary"
        ):
            _confirm(encoder)


def _places(encoder: AddedEncoder, *, key: str) -> None:
    page_link("latent_map", query={"model": encoder.name})
    page_link("latent_map", _("Latent map, 'Another model'"), {"analysis": "model", "against": encoder.name})
    page_link("job_descriptions", query={"model": encoder.name, "section": "models"})
    measuring = {"task": PUBLISHED_TASK, "section": "measure", "system": f"encoder:{encoder.name}"}
    page_link("scoreboard", _("Scoreboard, 'Measure'"), measuring)
    if encoder.reads_words:
        st.button(
            _("Train on it"),
            key=f"encoder_train_{key}",
            icon=":material/model_training:",
            type="tertiary",
            on_click=st.session_state.update,
            args=({KIND_KEY: TOWERS, START_KEY: encoder.name},),
            help=_(
                "Selects it under 'Start from' above. Find freelancers can use it once a model was trained over it."
            ),
        )
    else:
        st.caption(_("Find freelancers cannot use it: it has no vectors of single words."))


@dialog(N_("Remove this model?"), icon=":material/delete:")
def _confirm(encoder: AddedEncoder) -> None:
    st.markdown(
        _(
            "**{name}** is deleted from this server and can then no longer be chosen on any page. "
            "Figures that were measured with it stay. To use it again, add it again.",
            name=plain(encoder.name),
        )
    )
    if encoder.needed_by:
        named = ", ".join(f"**{plain(name)}**" for name in encoder.needed_by[:_MOST_NAMED])
        more = (
            _(" and {n_needed_by} more", n_needed_by=numeral(len(encoder.needed_by) - _MOST_NAMED))
            if len(encoder.needed_by) > _MOST_NAMED
            else ""
        )
        st.warning(
            _(
                "Trained over it, and useless without it: {named}{more}. Pages that use one of them end with an error.",
                named=named,
                more=more,
            ),
            icon=":material/warning:",
        )
    confirm(_("Remove"), "encoder_remove", _remove, encoder.name, cancel=_("Keep it"))


def _remove(name: str) -> None:
    try:
        if not sign_in.may("administer"):  # the role may have changed since the question
            raise ModelError(sign_in.needed_for("administer"))
        remove_encoder(name, Settings.from_environment())
    except JobMatchError as error:
        st.session_state[_RESULT_KEY] = error
        return
    resources.forget_models()
    st.session_state.pop(_RESULT_KEY, None)
    st.toast(_("Removed {name}.", name=plain(name)), icon=":material/delete:")


def _megabytes(size: int) -> str:
    return _("{size} MB", size=numeral(size / _MB)) if size >= _MB else _("under 1 MB")
