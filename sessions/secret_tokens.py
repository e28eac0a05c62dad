"""What tokens look like, from the documentation of the services that give them out.

Tried first: `detect-secrets` and `betterleaks`. Neither knows the project keys of OpenAI (`sk-proj-…`); the
first brings along a client for the network, the second 54 MB of another language's machine code.

Each shape has a literal hint: without it the shape is not even looked for. A shape cannot begin in the middle
of the characters it is made of, so each stretch is walked over once.
"""

import re
from collections.abc import Iterator
from typing import Final

Span = tuple[int, int]

_B: Final = r"(?<![A-Za-z0-9_-])"  # not in the middle
_SHAPES: Final = (
    # OpenAI, Anthropic, OpenRouter and those who took over the form
    ("sk-", rf"{_B}sk-(?:proj|svcacct|admin|ant|or-v1|lf|None)-[A-Za-z0-9_-]{{20,400}}"),
    ("sk-", rf"{_B}sk-(?=[A-Za-z0-9_-]{{0,60}}[0-9])[A-Za-z0-9]{{16,200}}(?:[-_][A-Za-z0-9_-]{{1,200}})?"),
    ("gh", rf"{_B}gh[pousr]_[A-Za-z0-9]{{36,255}}"),
    ("github_pat_", rf"{_B}github_pat_[A-Za-z0-9_]{{22,255}}"),
    ("glpat-", rf"{_B}glpat-[A-Za-z0-9_.-]{{20,255}}"),
    ("A", rf"{_B}(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{{16}}(?![A-Za-z0-9_-])"),
    ("AIza", rf"{_B}AIza[A-Za-z0-9_-]{{35}}(?![A-Za-z0-9_-])"),
    ("ya29.", rf"{_B}ya29\.[A-Za-z0-9_-]{{20,400}}"),
    ("GOCSPX-", rf"{_B}GOCSPX-[A-Za-z0-9_-]{{20,60}}"),
    ("xox", rf"{_B}xox[abeoprs]-[A-Za-z0-9-]{{10,250}}"),
    ("xapp-", rf"{_B}xapp-[A-Za-z0-9-]{{20,250}}"),
    ("hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_]{20,200}"),
    ("hf_", rf"{_B}hf_[A-Za-z0-9]{{30,60}}(?![A-Za-z0-9_-])"),
    ("gsk_", rf"{_B}gsk_[A-Za-z0-9]{{40,100}}"),
    ("xai-", rf"{_B}xai-[A-Za-z0-9]{{60,120}}"),
    ("pplx-", rf"{_B}pplx-[A-Za-z0-9]{{40,80}}"),
    ("r8_", rf"{_B}r8_[A-Za-z0-9]{{36,60}}"),
    ("tvly-", rf"{_B}tvly-[A-Za-z0-9-]{{20,80}}"),
    ("nvapi-", rf"{_B}nvapi-[A-Za-z0-9_-]{{50,120}}"),
    ("_live_", rf"{_B}(?:sk|rk|pk)_live_[A-Za-z0-9]{{16,250}}"),
    ("_test_", rf"{_B}(?:sk|rk)_test_[A-Za-z0-9]{{16,250}}"),
    ("whsec_", rf"{_B}whsec_[A-Za-z0-9+/=]{{24,120}}"),
    ("SG.", rf"{_B}SG\.[A-Za-z0-9_-]{{20,24}}\.[A-Za-z0-9_-]{{39,50}}"),
    ("key-", rf"{_B}key-[0-9a-f]{{32}}(?![A-Za-z0-9_-])"),
    ("npm_", rf"{_B}npm_[A-Za-z0-9]{{36}}(?![A-Za-z0-9_-])"),
    ("pypi-", rf"{_B}pypi-[A-Za-z0-9_-]{{50,400}}"),
    ("dop_v1_", rf"{_B}dop_v1_[0-9a-f]{{64}}"),
    ("shp", rf"{_B}shp(?:at|ca|pa|ss)_[0-9a-fA-F]{{32}}"),
    ("AGE-SECRET-KEY-1", rf"{_B}AGE-SECRET-KEY-1[A-Z0-9]{{58}}"),
    (":AA", rf"{_B}[0-9]{{8,10}}:AA[A-Za-z0-9_-]{{32,35}}(?![A-Za-z0-9_-])"),  # bots of Telegram
    (".", rf"{_B}[MNO][A-Za-z0-9_-]{{23,27}}\.[A-Za-z0-9_-]{{6}}\.[A-Za-z0-9_-]{{27,40}}"),  # of Discord
    ("eyJ", rf"{_B}eyJ[A-Za-z0-9_-]{{10,4000}}\.eyJ[A-Za-z0-9_-]{{10,8000}}\.[A-Za-z0-9_-]{{5,4000}}"),
    ("earer", r"(?<![A-Za-z0-9])[Bb]earer +(?=[^\s0-9]{0,200}[0-9])(?P<value>[A-Za-z0-9._~+/=-]{20,4000})"),
)
_COMPILED: Final = tuple((hint, re.compile(shape)) for hint, shape in _SHAPES)

# What a token begins with, for everybody to see.
_STARTS: Final = re.compile(
    r"sk-(?:proj|svcacct|admin|ant|or-v1|lf|None)-|sk-|gh[pousr]_|github_pat_|glpat-|A[KSBC][IC]A|AIza|ya29\."
    r"|GOCSPX-|xox[abeoprs]-|xapp-|hf_|gsk_|xai-|pplx-|r8_|tvly-|nvapi-|[srp]k_(?:live|test)_|whsec_|SG\."
    r"|key-|npm_|pypi-|dop_v1_|shp(?:at|ca|pa|ss)_|AGE-SECRET-KEY-1"
)

_BEGIN: Final = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_END: Final = re.compile(r"-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_BODY: Final = re.compile(
    r"(?:[A-Za-z0-9+/=:,\s-]|\\[nrt])*"
)  # also with its line ends written out, as in JSON
_LONGEST_KEY: Final = 20_000


def tokens(text: str) -> Iterator[Span]:
    """Where tokens are."""
    for hint, shape in _COMPILED:
        if hint in text:
            for found in shape.finditer(text):
                yield found.span("value") if "value" in shape.groupindex else found.span()


def private_keys(text: str) -> Iterator[Span]:
    """Where private keys are, with their first and last lines; also those that were cut off."""
    begin = _BEGIN.search(text) if "PRIVATE KEY" in text else None
    while begin:
        body = _BODY.match(text, begin.end(), begin.end() + _LONGEST_KEY)
        end = body.end() if body else begin.end()
        mark = text.find("-----END", begin.end(), end + 8)
        last = _END.match(text, mark) if mark >= 0 else None
        yield begin.start(), last.end() if last else end
        begin = _BEGIN.search(text, max(last.end() if last else end, begin.end()))


def public_start(token: str) -> str:
    """How a token begins, as far as that only tells whose it is."""
    found = _STARTS.match(token)
    return found[0] if found else ""
