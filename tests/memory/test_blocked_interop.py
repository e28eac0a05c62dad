"""The rules of 0.19 against the scanner of the installed Hermes, on texts nobody has labelled."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.blocked import findings

pytestmark = pytest.mark.interop

HERMES = """
import json, sys
from tools.threat_patterns import scan_for_threats
for line in sys.stdin:
    print(json.dumps(sorted(set(scan_for_threats(json.loads(line), "strict")))), flush=True)
"""
CASES = Path(__file__).parents[1] / "cases" / "threats.jsonl"
LABELLED = [json.loads(line)["text"] for line in CASES.read_text(encoding="utf-8").splitlines()]
PIECES = sorted({piece for text in LABELLED if len(text) < 500 for piece in text.split()})
SPACES = (
    " ",
    " ",
    " ",
    " ",
    "  ",
    "\n",
    "\t",
    "",
    "-",
    "_",
    ".",
    "\u00a0",
    "\x1c",
    "\u200d",
    "\u0131",
    "='",
    ': "',
)

MIXTURES = st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(SPACES)), min_size=1, max_size=16).map(
    lambda pairs: "".join(piece + space for piece, space in pairs)
)
Ask = Callable[[str], list[str]]


@st.composite
def changed(draw: st.DrawFn) -> str:
    """A labelled text with a few of its characters changed, or a piece of it said twice."""
    text = draw(st.sampled_from([text for text in LABELLED if len(text) < 500]))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 6)))
        instead = draw(st.sampled_from(SPACES) | st.sampled_from(PIECES) | st.just(text[start:end] * 2))
        text = text[:start] + instead + text[end:]
    return text


@pytest.fixture(scope="module")
def hermes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    folder = tmp_path_factory.mktemp("hermes")
    environ = {"HERMES_HOME": str(folder), "HOME": str(folder), "PATH": os.environ["PATH"]}
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-c", HERMES], stdin=pipe, stdout=pipe, text=True, cwd=folder, env=environ
    ) as process:
        assert process.stdin
        assert process.stdout

        def ask(text: str) -> list[str]:
            process.stdin.write(json.dumps(text) + "\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        yield ask


several = settings(
    max_examples=1000, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@several
@given(text=MIXTURES)
def test_mixtures(hermes: Ask, text: str) -> None:
    assert findings(text, "0.19") == hermes(text)


@several
@given(text=changed())
def test_changed_texts(hermes: Ask, text: str) -> None:
    assert findings(text, "0.19") == hermes(text)


@settings(several, max_examples=200)
@given(text=st.text(max_size=200))
def test_any_text(hermes: Ask, text: str) -> None:
    assert findings(text, "0.19") == hermes(text)
