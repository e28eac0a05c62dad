"""Taking single settings out of config.yaml and leaving every other byte of it as it is."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import yaml

from hermesweb.hermes.errors import HermesError
from hermesweb.hermes.safe_yaml import BadYaml, load_yaml

Path = tuple[str, ...]  # the keys that lead to a setting

# What a person wrote in their own words (`personality-config` of the catalogue). Hermes' own files name them at
# the top or under `agent`.
_OWN_WORDS: Final = frozenset(
    ("personalities", "environment_hint", "coding_instructions", "platform_hints", "quick_commands")
)
_KEY_NAMES = re.compile(r"(?:^|_)(?:api_?key|token|secret|password|passwd|credentials?)$", re.IGNORECASE)


# Not frozen: Python itself sets the traceback on an exception that is on its way.
@dataclass(eq=False)
class NotEditable(HermesError):
    """The settings cannot be taken out without touching others: `why` is "broken" or "flow_style"."""

    why: str


def holds_own_words(path: Path) -> bool:
    """Whether the setting at `path` is free text of a person, or a command they allowed for ever."""
    top = path[1:] if path[:1] == ("agent",) else path
    return len(top) == 1 and top[0] in _OWN_WORDS | {"command_allowlist"}


def holds_key(path: Path) -> bool:
    """Whether the setting at `path` is a key, a token or a password, by its name."""
    return bool(_KEY_NAMES.search(path[-1]))


def without(text: str, wanted: Callable[[Path], bool]) -> str:
    """`text` without the settings whose path is wanted; itself if there are none. Raises NotEditable."""
    try:
        before = load_yaml(text).value
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except (BadYaml, yaml.YAMLError) as error:
        raise NotEditable("broken") from error
    if not isinstance(node, yaml.MappingNode):
        return text
    cuts = list(_cuts(text, node, (), wanted))
    for start, end, instead in reversed(cuts):
        text = text[:start] + instead + text[end:]
    if cuts and _pruned(before, (), wanted) != _after(text):
        raise NotEditable("flow_style")
    return text


def blanked(text: str, wanted: Callable[[Path], bool]) -> str:
    """`text` with `""` in place of every single value whose path is wanted, also within lists; itself if there
    are none. Raises NotEditable."""
    try:
        before = load_yaml(text).value
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except (BadYaml, yaml.YAMLError) as error:
        raise NotEditable("broken") from error
    places = sorted(set(_values(node, (), wanted)), reverse=True)
    for start, end in places:
        text = text[:start] + '""' + text[end:]
    if places and _emptied(before, (), wanted) != _after(text):
        raise NotEditable("flow_style")
    return text


def _values(node: yaml.Node | None, path: Path, wanted: Callable[[Path], bool]) -> Iterator[tuple[int, int]]:
    if isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _values(item, path, wanted)
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from _values(value, (*path, str(key.value)), wanted)
    elif isinstance(node, yaml.ScalarNode) and node.value and path and wanted(path):
        if node.style in ("|", ">"):
            raise NotEditable("flow_style")
        yield node.start_mark.index, node.end_mark.index


def _emptied(value: Any, path: Path, wanted: Callable[[Path], bool]) -> Any:
    if isinstance(value, dict):
        return {key: _emptied(inner, (*path, str(key)), wanted) for key, inner in value.items()}
    if isinstance(value, list):
        return [_emptied(inner, path, wanted) for inner in value]
    return "" if value not in ("", None) and path and wanted(path) else value


def _after(text: str) -> Any:
    try:
        return load_yaml(text).value or {}
    except BadYaml as error:
        raise NotEditable("flow_style") from error


def _cuts(
    text: str, node: yaml.MappingNode, path: Path, wanted: Callable[[Path], bool]
) -> Iterator[tuple[int, int, str]]:
    """From where to where each wanted setting stands, and what is left in its place."""
    goes = [wanted((*path, str(key.value))) for key, _ in node.value]
    if path and goes and all(goes):  # a mapping without settings needs to be written
        yield node.start_mark.index, _end(text, node), "{}\n"
        return
    for (key, value), gone in zip(node.value, goes, strict=True):
        if gone:
            start = text.rfind("\n", 0, key.start_mark.index) + 1
            if text[start : key.start_mark.index].strip() or node.flow_style:
                raise NotEditable("flow_style")
            yield start, _end(text, value), ""
        elif isinstance(value, yaml.MappingNode):
            yield from _cuts(text, value, (*path, str(key.value)), wanted)


def _end(text: str, node: yaml.Node) -> int:
    """The end of the last line of a value; a block ends where the next thing begins, blank lines and all."""
    end = node.end_mark.index
    if end and text[end - 1] != "\n" and not text[text.rfind("\n", 0, end) + 1 : end].strip():
        return text.rfind("\n", 0, end) + 1  # the indentation of what comes next
    if end and text[end - 1] == "\n":
        return end
    found = text.find("\n", end)
    return len(text) if found < 0 else found + 1


def _pruned(value: Any, path: Path, wanted: Callable[[Path], bool]) -> Any:
    if not isinstance(value, dict):
        return value
    return {
        key: _pruned(inner, (*path, str(key)), wanted)
        for key, inner in value.items()
        if not wanted((*path, str(key)))
    }
