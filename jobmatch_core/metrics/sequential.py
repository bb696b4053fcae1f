"""Interval of a share that holds at every look, so that a comparison may be watched and stopped at any time.

An interval for a fixed number of observations is wrong if somebody looks after each and stops at the first 'better'.
This one inverts the mixture martingale of the binomial (Robbins 1970): a share p is rejected once the observations are
20 times as likely under a uniform mixture of all shares as under p, which happens with probability at most 1 / 20 at
any time, for the true p (Ville's inequality).
"""

from dataclasses import dataclass
from math import ceil, log

from scipy.optimize import brentq
from scipy.special import betaln, xlog1py, xlogy

LEVEL = 0.95
EVEN = 0.5
_LOG_BOUND = -log(1 - LEVEL)
_TOLERANCE = 1e-12  # distance of the roots from 0 and 1


@dataclass(frozen=True, slots=True)
class ShareInterval:
    """A share of wins, and the ends of its 95 % interval, which holds at every look."""

    # wins, losses: number of observations
    wins: int
    losses: int
    # low, high: ends of the interval; 0 and 1 without observations
    low: float
    high: float

    @property
    def share(self) -> float:
        """The share of wins; a half without observations."""
        return self.wins / self.n if self.n else EVEN

    @property
    def n(self) -> int:
        """Number of observations."""
        return self.wins + self.losses

    @property
    def decided(self) -> bool:
        """True if the interval excludes a half."""
        return not self.low <= EVEN <= self.high


def share_interval(wins: int, losses: int) -> ShareInterval:
    """Return the interval of a share from the observations so far."""
    if not wins + losses:
        return ShareInterval(0, 0, 0.0, 1.0)

    def above_bound(share: float) -> float:
        return _log_martingale(wins, losses, share) - _LOG_BOUND

    peak = wins / (wins + losses)  # the martingale is smallest there
    low = brentq(above_bound, _TOLERANCE, peak) if wins else 0.0
    high = brentq(above_bound, peak, 1 - _TOLERANCE) if losses else 1.0
    return ShareInterval(wins, losses, float(low), float(high))


def observations_needed(share: float, most: int) -> int | None:
    """Return the number of observations that decide that *share* is not a half; None if more than *most*."""

    def above_bound(n: float) -> float:
        return _log_martingale(share * n, (1 - share) * n, EVEN) - _LOG_BOUND

    return ceil(brentq(above_bound, 0, most)) if above_bound(most) > 0 else None


def _log_martingale(wins: float, losses: float, share: float) -> float:
    return float(betaln(wins + 1, losses + 1) - xlogy(wins, share) - xlog1py(losses, -share))
