"""Two network namespaces with a cable between them, which can be cut; only root may make them."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import pytest

_CABLE = "cable"  # name of the device at both of its ends


@dataclass(frozen=True, slots=True)
class Host:
    """One end of the cable.

    Attributes:
        name: name of its namespace.
        address: its IP address, of the range for documentation.
    """

    name: str
    address: str

    @property
    def prefix(self) -> tuple[str, ...]:
        """What a command begins with to run there."""
        return ("ip", "netns", "exec", self.name)

    @contextmanager
    def cut(self) -> Iterator[None]:
        """Let nothing through the cable for a while; connections stay open, as both ends know nothing of it."""
        _ip("-n", self.name, "link", "set", _CABLE, "down")
        try:
            yield
        finally:
            _ip("-n", self.name, "link", "set", _CABLE, "up")


@contextmanager
def two_hosts() -> Iterator[tuple[Host, Host]]:
    """Make them for a while; skips the test where that is not possible."""
    if os.geteuid() != 0 or shutil.which("ip") is None:
        pytest.skip("only root may make network namespaces, by the command ip of Debian's package iproute2")
    hosts = [Host(f"jobmatch-{os.getpid()}-{number}", f"192.0.2.{number}") for number in (1, 2)]
    with ExitStack() as made:
        for host in hosts:
            if refused := _ip("netns", "add", host.name, check=False):
                pytest.skip(f"no network namespace can be made here: {refused}")
            made.callback(_ip, "netns", "delete", host.name)
        one, other = (host.name for host in hosts)
        if refused := _ip(*f"link add {_CABLE} netns {one} type veth peer {_CABLE} netns {other}".split(), check=False):
            pytest.skip(f"no two namespaces can be connected here: {refused}")
        for host in hosts:
            _ip("-n", host.name, "address", "add", f"{host.address}/30", "dev", _CABLE)
            for device in ("lo", _CABLE):
                _ip("-n", host.name, "link", "set", device, "up")
        yield hosts[0], hosts[1]


def _ip(*arguments: str, check: bool = True) -> str:
    """Run the command and return its complaint, '' for none."""
    return subprocess.run(["ip", *arguments], capture_output=True, text=True, check=check).stderr.strip()
