"""The services that config.yaml names (hermes_cli/config.py)."""

from collections.abc import Iterator, Mapping

from hermesweb.hermes.config import Config
from hermesweb.hermes.remote_place import RemotePlace, place
from hermesweb.hermes.stores.catalogue import stores

# Chosen by Hermes itself, or the built-in one.
_NO_SERVICE = frozenset({"", "auto", "main", "local", "none", "default", "builtin", "built-in", "off"})
_LOCAL_SPEECH = _NO_SERVICE | {"piper", "neutts", "kittentts", "whisper", "faster-whisper"}
_LOCAL_SANDBOX = _NO_SERVICE | {"docker", "singularity", "podman"}
_DEEPEST = 6
_REMOTE_IDS = frozenset(each.id for each in stores() if each.where == "remote")


def configured_places(config: Config) -> Iterator[RemotePlace]:
    """The services that are set up now; what Hermes uses without being told is not among them."""
    for key in ("model", "providers", "custom_providers", "fallback_providers", "fallback_model"):
        yield from _models(config.get(key, None))
    for key in ("auxiliary", "delegation", "moa"):
        yield from _models(config.get(key, None))
    yield from _memory(config)
    for key in ("web.backend", "web.search_backend", "web.extract_backend", "browser.cloud_provider"):
        yield from _named(config, key, "search-browse", _NO_SERVICE)
    for key in ("tts.provider", "stt.provider", "image_gen.provider", "video_gen.provider"):
        yield from _named(config, key, "speech-image", _LOCAL_SPEECH)
    yield from _named(config, "terminal.backend", "sandbox-cloud", _LOCAL_SANDBOX)
    yield from _tool_servers(config)


def memory_store_of(name: str) -> str | None:
    """The id of the store at the service of the memory provider `name`; None for one without a service."""
    if name.lower() == "holographic":
        return None
    identity = f"provider-{name.lower()}-remote"
    return identity if identity in _REMOTE_IDS else "memory-provider"


def _models(section: object, depth: int = 0, called: str = "") -> Iterator[RemotePlace]:
    """Every mapping below that names a provider or an address."""
    if depth > _DEEPEST:
        return
    if isinstance(section, Mapping):
        address = _text(section.get("base_url")) or _text(section.get("url"))
        service = _text(section.get("provider")) or (called or _text(section.get("name")) if address else "")
        if address or service.lower() not in _NO_SERVICE:
            yield place("model-provider", "configured", service, address)
        for name, below in section.items():
            yield from _models(below, depth + 1, _text(name))
    elif isinstance(section, list):
        for below in section:
            yield from _models(below, depth + 1)


def _memory(config: Config) -> Iterator[RemotePlace]:
    name = _text(config.get("memory.provider", None))
    if name.lower() not in _NO_SERVICE and (store := memory_store_of(name)):
        yield place(store, "configured", name)


def _named(config: Config, key: str, store: str, not_these: frozenset[str]) -> Iterator[RemotePlace]:
    name = _text(config.get(key, None))
    if name.lower() not in not_these:
        yield place(store, "configured", name)


def _tool_servers(config: Config) -> Iterator[RemotePlace]:
    servers = config.get("mcp_servers", None)
    for name, settings in servers.items() if isinstance(servers, Mapping) else ():
        if isinstance(settings, Mapping) and (address := _text(settings.get("url"))):
            yield place("mcp-servers", "configured", _text(name), address)


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""
