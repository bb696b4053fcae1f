"""The encoder by its name in options and requests."""

from typing import Literal

from jobmatch_core.entities import Encoder

SHIPPED, NO_ENCODER = "shipped", "none"


def chosen_encoder(name: str) -> Encoder | Literal["shipped"] | None:
    """Return the encoder of a name, as `open_linker` takes it; raises LinkingError if it cannot be loaded."""
    if name == SHIPPED:
        return "shipped"
    if name == NO_ENCODER:
        return None
    from jobmatch_core.encoders.loading import TITLES, load_encoder

    return "shipped" if name == TITLES else load_encoder(name)
