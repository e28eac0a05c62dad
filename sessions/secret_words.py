"""Passwords that are called so, in a text or in code, and e-mail addresses."""

import re
from collections.abc import Iterator
from typing import Final

Span = tuple[int, int]

_CALLED_SO: Final = (
    r"pass(?:word|wd|phrase|code|wort)|pwd|kennwort|mot de passe|contrase(?:ñ|n)a|senha|wachtwoord|hasło"
    r"|пароль|密码|密碼|口令|パスワード|비밀번호"
)
_KEY: Final = (
    r"(?:secret|private|access|api|auth|client|account|encryption|refresh)(?:[_ -]?(?:key|token|secret)){1,3}"
    r"|token|secret"
)
_QUOTES: Final = "\"'`\\\\“”„«»"
_VALUE: Final = rf"(?P<value>[^\s{_QUOTES},;<>(){{}}\[\]|]{{4,200}})"
_WORD_AND_VALUE: Final = re.compile(
    rf"(?<![^\W_])(?:(?P<password>{_CALLED_SO})|{_KEY})[{_QUOTES}]{{0,4}}"
    rf"(?: {{0,3}}(?::=|=>|[:=：])[ \t]{{0,3}}|(?P<is> (?:is|ist|lautet|est|es|was|war):? {{1,2}}))"
    rf"(?P<quote>[{_QUOTES}]{{0,4}}){_VALUE}"
)
_HINTS: Final = re.compile(rf"{_CALLED_SO}|key|token|secret")
_NO_SECRET: Final = re.compile(
    r"\$|%|\*|•|…|\.\.\.|@|/|https?:|x{3}|your|my[_-]|env|process\.|os\.|getenv|config|settings|self\.|args\.|"
    r"none|null|true|false|undefined|string|str\b|required|optional|placeholder|example|redacted|hidden|masked|"
    r"changeme|secret_|token_|password",
    re.IGNORECASE,
)

_DOMAIN: Final = re.compile(r"@((?:[A-Za-z0-9-]{1,63}\.){1,8}([A-Za-z]{2,24}))(?![A-Za-z0-9@-])")
_LOCAL: Final = re.compile(r"[A-Za-z0-9._%+'-]{1,64}\Z")
_NO_DOMAIN: Final = frozenset(
    ("png", "jpg", "jpeg", "gif", "svg", "webp", "service", "timer", "socket", "py", "js", "ts", "css", "md")
)


def passwords(text: str) -> Iterator[Span]:
    """Where a value stands after a word for password, key or token, and looks like one."""
    if "://" in text:
        yield from _in_addresses(text)
    lower = text.lower()
    if len(lower) != len(text):  # a letter that has no small one of the same length
        lower = text
    for found in _WORD_AND_VALUE.finditer(lower) if _HINTS.search(lower) else ():
        value = text[found.start("value") : found.end("value")].rstrip(".,:;?!" if found["is"] else ".,:;")
        if _secret(value, bool(found["password"]), bool(found["quote"]), bool(found["is"])):
            yield found.start("value"), found.start("value") + len(value)


def _secret(value: str, password: bool, quoted: bool, said: bool) -> bool:
    if _NO_SECRET.match(value) or len(value) < (6 if password else 12):
        return False
    digits, letters = any(map(str.isdigit, value)), any(map(str.isalpha, value))
    if not password:
        return digits and letters
    mixed = value.lower() != value and value[1:].lower() != value[1:]
    signs = any(not each.isalnum() and each not in "_-." for each in value)
    if said:
        return (digits and letters) or (mixed and signs)
    return digits or mixed or signs or quoted


_IN_ADDRESS: Final = re.compile(r"://[^\s/:@\"'<>]{0,100}:(?P<value>[^\s/@\"'<>]{1,200})@(?=[\w\[])")


def _in_addresses(text: str) -> Iterator[Span]:
    for found in _IN_ADDRESS.finditer(text):
        if not found["value"].startswith(("$", "{", "<", "*")):
            yield found.span("value")


def emails(text: str) -> Iterator[Span]:
    """Where e-mail addresses are; not the names of pictures, of units, or of git's login."""
    for found in _DOMAIN.finditer(text) if "@" in text else ():
        local = _LOCAL.search(text, max(found.start() - 64, 0), found.start())
        if local and local[0].strip(".'") and local[0] != "git" and found[2].lower() not in _NO_DOMAIN:
            yield local.start() + len(local[0]) - len(local[0].lstrip(".'")), found.end()
