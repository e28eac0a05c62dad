"""How to stop what works on a profile: by the service that started it, or by its process. Only looks.

A service that is not stopped through its manager is started again by it (hermes_cli/gateway.py, from 0.13 on).
"""

import re
import shlex
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from hermesweb.hermes.homes import DEFAULT, Profile
from hermesweb.hermes.processes import ProcessTable
from hermesweb.hermes.running import Running

Kind = Literal[
    "systemd_user",  # a unit of the user that Hermes runs as
    "systemd",  # a unit of the machine
    "launchd",
    "container",
    "gateway",  # started by hand
    "process",  # a chat, or another program that has the files open
]
_GATEWAY_SIGNS: Final = ("gateway_lock", "gateway_pid", "served_by_root", "cron_lock", "board_lock")
_UNIT: Final = re.compile(r"/(?P<unit>[A-Za-z0-9@:._\\-]+\.service)(?:/|$)")
_CONTAINER: Final = re.compile(r"(?:/docker/|/docker-|/libpod-|cri-containerd-)(?P<id>[0-9a-f]{12,64})")
_USER_UNITS: Final = (".config/systemd/user", ".local/share/systemd/user")
_MACHINE_UNITS: Final = Path("/etc/systemd/system")


@dataclass(frozen=True)
class Stop:
    """One thing to stop, with the command for a terminal on that machine. `pid` 0: it is set up as a service and
    not seen to run."""

    kind: Kind
    name: str
    pid: int
    command: str


def how_to_stop(
    profile: Profile, running: Running, *, os_home: Path, table: ProcessTable | None = None
) -> tuple[Stop, ...]:
    """Each thing once, services first. Nothing for "no". Raises nothing."""
    if running.answer == "no":
        return ()
    table = table or ProcessTable()
    found: dict[str, Stop] = {}
    for sign in running.evidence:
        pid = sign.fields.get("pid")
        if isinstance(pid, int) and pid > 0:
            stop = _of_process(profile, pid, sign.code, table, os_home)
            found.setdefault(stop.command, stop)
    if not found:
        for stop in (*services(profile, os_home), _gateway(profile, 0)):
            found.setdefault(stop.command, stop)
    managed = {stop.pid for stop in found.values() if stop.kind not in ("process", "gateway")}
    kept = [stop for stop in found.values() if stop.kind != "process" or stop.pid not in managed]
    return tuple(sorted(kept, key=lambda stop: stop.kind == "process"))


def services(profile: Profile, os_home: Path) -> Iterator[Stop]:
    """The services of Hermes' gateway that are set up for this profile by their names."""
    name = "" if profile.name == DEFAULT else f"-{profile.name}"
    unit = f"hermes-gateway{name}.service"
    if any(_is_file(os_home / folder / unit) for folder in _USER_UNITS):
        yield Stop("systemd_user", unit, 0, f"systemctl --user stop {shlex.quote(unit)}")
    if _is_file(_MACHINE_UNITS / unit):
        yield Stop("systemd", unit, 0, f"sudo systemctl stop {shlex.quote(unit)}")
    label = f"ai.hermes.gateway{name}"
    if _is_file(os_home / "Library/LaunchAgents" / f"{label}.plist"):
        yield Stop("launchd", label, 0, f"launchctl bootout gui/$(id -u)/{shlex.quote(label)}")


def _of_process(profile: Profile, pid: int, code: str, table: ProcessTable, os_home: Path) -> Stop:
    groups = table.groups(pid)
    if container := _CONTAINER.search(groups):
        name = container["id"][:12]
        return Stop("container", name, pid, f"docker stop {name}")
    units = [unit for unit in _UNIT.findall(groups) if not unit.startswith("user@")]
    if units:
        of_user = "/user@" in groups
        stop = "systemctl --user stop" if of_user else "sudo systemctl stop"
        return Stop(
            "systemd_user" if of_user else "systemd", units[-1], pid, f"{stop} {shlex.quote(units[-1])}"
        )
    if code in _GATEWAY_SIGNS:
        for service in services(profile, os_home):
            if service.kind == "launchd":
                return Stop("launchd", service.name, pid, service.command)
        return _gateway(profile, pid, of_root=code == "served_by_root")
    return Stop("process", str(pid), pid, f"kill {pid}")


def _gateway(profile: Profile, pid: int, *, of_root: bool = False) -> Stop:
    """Hermes' own command, for the home and the profile in question."""
    usual = profile.home.root.name == ".hermes"
    home = "" if usual else f"HERMES_HOME={shlex.quote(str(profile.home.root))} "
    option = "" if of_root or profile.name == DEFAULT else f"-p {shlex.quote(profile.name)} "
    return Stop("gateway", profile.name, pid, f"{home}hermes {option}gateway stop")


def _is_file(path: Path) -> bool:
    with suppress(OSError):
        return path.is_file()
    return False
