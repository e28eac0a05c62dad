"""Which command lines are Hermes' own, and which profile they are about (as in hermes_cli/main.py)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hermesweb.hermes.errors import Unreadable
from hermesweb.hermes.files import read_file
from hermesweb.hermes.homes import DEFAULT, root_of

_PROGRAMS = frozenset(
    f"{name}{suffix}"
    for name in ("hermes", "hermes-agent", "hermes-gateway", "hermes-acp", "hermes-iot", "hermes-desktop")
    for suffix in ("", ".exe", ".py")
)
_MODULES = (
    "hermes_cli",
    "tui_gateway",
    "gateway.run",
    "acp_adapter",
    "run_agent",
    "mcp_serve",
    "batch_runner",
)
_SCRIPTS = ("/hermes_cli/main.py", *(f"/{module.replace('.', '/')}.py" for module in _MODULES))
_INTERPRETERS = ("python", "pypy")
_OPTIONS_WITH_VALUE = frozenset(("-W", "-X"))

# These show and change every profile of the home, whichever they were started for.
_FOR_ALL_PROFILES = frozenset(("dashboard", "serve", "desktop"))


# Any other word may be a part of what somebody asked the agent, and is not repeated.
_WORDS = (
    "dashboard serve desktop acp auth backup chat config cron curator doctor gateway kanban mcp memory"
    " profile sessions setup skills tui update whatsapp"
)


@dataclass(frozen=True)
class Command:
    """A Hermes command line: the subcommand, if it is a known one, and the profile it names, if any."""

    word: str
    profile: str | None

    @property
    def for_all_profiles(self) -> bool:
        return self.word in _FOR_ALL_PROFILES


@dataclass(frozen=True)
class Target:
    """The home a process works on: the path of its root as the process sees it, and the profile; None for
    the one that `hermes profile use` chose, if any."""

    root: str
    profile: str | None


def hermes_command(argv: Sequence[str]) -> Command | None:
    """The Hermes command in a command line, None if it is some other program."""
    rest = _after_program(argv)
    if rest is None:
        return None
    profile: str | None = None
    words: list[str] = []
    tokens = iter(rest)
    for token in tokens:
        if token in ("-p", "--profile"):
            profile = next(tokens, None)
        elif token.startswith(("--profile=", "-p=")):
            profile = token.partition("=")[2]
        elif not token.startswith("-"):
            words.append(token)
    return Command(next((word for word in words if word in _WORDS.split()), ""), profile)


def target_of(command: Command, environ: Mapping[str, str]) -> Target | None:
    """The home and profile a process started with `environ` works on, None if that cannot be told."""
    written = environ.get("HERMES_HOME", "").strip()
    if not written and not environ.get("HOME"):
        return None
    home = Path(written) if written else Path(environ["HOME"]) / ".hermes"
    if not home.is_absolute():
        return None
    root = root_of(home)
    own = home.name if home != root else None
    return Target(str(root), command.profile or own)


def sticky_profile(root: Path) -> str:
    """The profile `hermes profile use` chose. It may have chosen another since a process began."""
    try:
        name = read_file(root / "active_profile", root=root, limit=1_000).decode("utf-8", "replace").strip()
    except Unreadable:
        return DEFAULT
    return name or DEFAULT


def _after_program(argv: Sequence[str]) -> Sequence[str] | None:
    """What follows the name of the program, None if that is not Hermes."""
    if not argv:
        return None
    if _is_script(argv[0]):
        return argv[1:]
    if not argv[0].rpartition("/")[2].lower().startswith(_INTERPRETERS):
        return None
    return _after_interpreter(argv)


def _after_interpreter(argv: Sequence[str]) -> Sequence[str] | None:
    index = 1
    while index < len(argv) and argv[index].startswith("-"):
        option = argv[index]
        if option in ("-m", "-c") and index + 1 < len(argv):
            is_hermes = _is_module(argv[index + 1]) if option == "-m" else "hermes_cli" in argv[index + 1]
            return argv[index + 2 :] if is_hermes else None
        index += 2 if option in _OPTIONS_WITH_VALUE else 1
    return argv[index + 1 :] if index < len(argv) and _is_script(argv[index]) else None


def _is_module(name: str) -> bool:
    return any(name == module or name.startswith(f"{module}.") for module in _MODULES)


def _is_script(path: str) -> bool:
    path = path.replace("\\", "/")
    return path.rpartition("/")[2].lower() in _PROGRAMS or f"/{path}".endswith(_SCRIPTS)
