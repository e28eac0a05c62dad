"""How to stop what works on a profile: by what started it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from hermesweb.hermes.homes import Profile, find_profile, home_at
from hermesweb.hermes.processes import ProcessTable
from hermesweb.hermes.running import Running
from hermesweb.hermes.signs import Evidence
from hermesweb.hermes.stopping import Stop, how_to_stop

USER_UNIT = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/hermes-gateway.service\n"
MACHINE_UNIT = "0::/system.slice/hermes-gateway.service\n"
TERMINAL = "0::/user.slice/user-1000.slice/session-3.scope\n"
DOCKER = "0::/system.slice/docker-0123456789ab0123456789ab0123456789ab0123456789ab0123456789ab0123.scope\n"


@pytest.fixture
def stop(tmp_path: Path) -> Callable[..., list[str]]:
    """stop(code, group) -> the commands for a process with that sign, started in that control group."""
    root = tmp_path / ".hermes"
    (root / "profiles/work").mkdir(parents=True)

    def ask(code: str, group: str = TERMINAL, *, profile: str = "default", answer: str = "yes") -> list[str]:
        folder = tmp_path / "proc/77"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "cgroup").write_text(group)
        (tmp_path / "proc/stat").write_text("btime 0\n")
        signs = (Evidence(code, {"pid": 77} if answer == "yes" else {}),)
        running = Running(answer, signs)  # type: ignore[arg-type]
        return [each.command for each in found(find_profile(home_at(root), profile), running, tmp_path)]

    return ask


def found(profile: Profile, running: Running, folder: Path) -> tuple[Stop, ...]:
    return how_to_stop(profile, running, os_home=folder / "login", table=ProcessTable(folder / "proc"))


@pytest.mark.parametrize(
    ("code", "group", "command"),
    [
        ("gateway_lock", USER_UNIT, "systemctl --user stop hermes-gateway.service"),
        ("gateway_pid", MACHINE_UNIT, "sudo systemctl stop hermes-gateway.service"),
        ("gateway_lock", DOCKER, "docker stop 0123456789ab"),
        ("gateway_lock", TERMINAL, "hermes gateway stop"),
        ("open_database", TERMINAL, "kill 77"),
        ("process", "", "kill 77"),
    ],
)
def test_by_what_started_it(stop: Callable[..., list[str]], code: str, group: str, command: str) -> None:
    assert stop(code, group) == [command]


def test_the_gateway_of_a_named_profile(stop: Callable[..., list[str]]) -> None:
    assert stop("gateway_lock", profile="work") == ["hermes -p work gateway stop"]
    assert stop("served_by_root", profile="work") == ["hermes gateway stop"]


def test_where_it_cannot_be_told_the_services_that_are_set_up(
    stop: Callable[..., list[str]], tmp_path: Path
) -> None:
    assert stop("hidden_processes", answer="unknown") == ["hermes gateway stop"]
    units = tmp_path / "login/.config/systemd/user"
    units.mkdir(parents=True)
    (units / "hermes-gateway.service").write_text("[Service]")
    assert stop("hidden_processes", answer="unknown") == [
        "systemctl --user stop hermes-gateway.service",
        "hermes gateway stop",
    ]


def test_on_macos_the_agent_that_would_start_it_again(stop: Callable[..., list[str]], tmp_path: Path) -> None:
    agents = tmp_path / "login/Library/LaunchAgents"
    agents.mkdir(parents=True)
    (agents / "ai.hermes.gateway.plist").write_text("")
    assert stop("gateway_lock", "") == ["launchctl bootout gui/$(id -u)/ai.hermes.gateway"]


def test_a_home_at_another_place_and_names_that_need_quotes(tmp_path: Path) -> None:
    root = tmp_path / "a home"
    root.mkdir()
    running = Running("unknown", (Evidence("hidden_processes"),))
    (stop,) = found(find_profile(home_at(root), "default"), running, tmp_path)
    assert stop.command == f"HERMES_HOME='{root}' hermes gateway stop"


def test_nothing_to_stop(stop: Callable[..., list[str]]) -> None:
    assert stop("gateway_lock", answer="no") == []
