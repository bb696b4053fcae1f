"""Quotas: number of judgments per pair, and shares of annotators."""

from dataclasses import dataclass

from jobmatch_core.errors import LabellingError

MOST_JUDGMENTS = 20  # of a pair


@dataclass(frozen=True, slots=True)
class Quotas:
    """Quotas of the work on pairs: goals, which nobody is prevented from exceeding.

    Raises LabellingError if the number or a share cannot be reached, or an annotator has two shares.
    """

    judgments: int = 1  # number of annotators who should judge each pair
    # share of all judgments, from 0 to 1, by annotator; the rest is open to everybody
    shares: tuple[tuple[str, float], ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.judgments <= MOST_JUDGMENTS:
            raise LabellingError(
                f"Each pair can have 1 to {MOST_JUDGMENTS} judgments; {self.judgments} were requested."
            )
        names = [name for name, _ in self.shares]
        if len(set(names)) < len(names):
            raise LabellingError("An annotator has two shares; give each annotator one.")
        for name, share in self.shares:
            if not 0 < share <= 1 / self.judgments:
                raise LabellingError(
                    f"The share of {name!r} is {100 * share:g}%. Nobody judges a pair twice, so with "
                    f"{self.judgments} per pair a share is more than 0% and at most {100 / self.judgments:.4g}%."
                )
        if sum(share for _, share in self.shares) > 1 + 1e-9:
            raise LabellingError("The shares add up to more than 100%; lower some.")

    def share(self, annotator: str) -> float | None:
        """Return an annotator's share of all judgments; None without one."""
        return dict(self.shares).get(annotator)


NO_QUOTAS = Quotas()  # each pair is judged once, by anybody
