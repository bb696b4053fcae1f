"""Positions of labels without overlaps."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from jobmatch_core.maps.density import Frame

_LETTER, _LINE = 0.62, 1.35  # width and height of a letter, as a share of the size of the type
_STEPS = 14  # tried up and down, half a line each


@dataclass(frozen=True, slots=True)
class Label:
    """A text at a place, more important the more points it stands for."""

    text: str
    x: float
    y: float
    points: int


@dataclass(frozen=True, slots=True)
class Box:
    """The area of a label in the picture."""

    left: float
    right: float
    bottom: float
    top: float

    def meets(self, other: "Box") -> bool:
        """Return whether two boxes overlap."""
        return (
            self.left < other.right and other.left < self.right and self.bottom < other.top and other.bottom < self.top
        )


def label_box(label: Label, unit_x: float, unit_y: float) -> Box:
    """Return the area of a label, centred on its position.

    Args:
        label: the text and its position.
        unit_x: font size as a share of the picture's width.
        unit_y: font size as a share of the picture's height.
    """
    half_width, half_height = len(label.text) * _LETTER * unit_x / 2, _LINE * unit_y / 2
    return Box(label.x - half_width, label.x + half_width, label.y - half_height, label.y + half_height)


def placed(labels: Sequence[Label], frame: Frame, unit_x: float, unit_y: float) -> list[Label]:
    """Return labels at positions where none overlaps another or is cut off; labels without room are left out.

    Labels of most points come first. Each stays in place if there is room, else moves up or down, as little as
    possible.

    Args:
        labels: labels at their preferred positions.
        frame: displayed part of the plane.
        unit_x: font size as a share of the picture's width.
        unit_y: font size as a share of the picture's height.
    """
    found: list[Label] = []
    taken: list[Box] = []
    for label in sorted(labels, key=lambda each: (-each.points, each.text)):
        for step in range(_STEPS):
            shift = (step + 1) // 2 * (1 if step % 2 else -1) * _LINE * unit_y / 2
            moved = _inside(replace(label, y=label.y + shift), frame, unit_x)
            box = label_box(moved, unit_x, unit_y)
            if not any(box.meets(other) for other in taken):
                found.append(moved)
                taken.append(box)
                break
    return found


def _inside(label: Label, frame: Frame, unit_x: float) -> Label:
    """Move a label sideways until the frame holds all of it; centre it where the frame is too narrow."""
    half_width = len(label.text) * _LETTER * unit_x / 2
    left, right = frame.left + half_width, frame.right - half_width
    return replace(label, x=min(max(label.x, left), right) if left <= right else (frame.left + frame.right) / 2)
