"""Every code of the pure modules has a sentence."""

import re
from pathlib import Path
from typing import Any, get_args

import pytest

from hermesweb import overview, picture, sentences
from hermesweb.hermes import config, errors, homes
from hermesweb.hermes.errors import BadHomesSetting, Unreadable
from hermesweb.hermes.groups import GROUPS
from hermesweb.hermes.homes import Place
from hermesweb.hermes.measure import Size
from hermesweb.hermes.running import Evidence, Running
from hermesweb.jobs.work import plain_fields
from memory import rule_words
from memory.blocked import RULES
from sessions import errors as state
from sessions import schema_notes

EVIDENCE = re.findall(r'"([a-z_]{4,})"', Evidence.__doc__ or "")
FIELDS = {"pid": 4711, "program": "pyt\u202ehon", "command": "hermes\nchat", "kind": "nfs4"}
SOMEWHERE = Path("/home/velfolder/state.db")


def every(kind: type) -> list[type]:
    return [kind, *(deeper for below in kind.__subclasses__() for deeper in every(below))]


def example(kind: type) -> Any:
    more = {
        "why": "hot_journal" if kind is state.StateNeedsCopy else "link",
        "message": "velmessage",
        "code": "X",
    }
    more |= {"seconds": 1.5, "needed": 7, "free": 3}
    wanted = [name for name in kind.__init__.__annotations__ if name in more]
    return kind(SOMEWHERE, **{name: more[name] for name in wanted})


STATE_ERRORS = [kind for kind in every(state.StateError) if kind is not state.StateError]


@pytest.mark.parametrize("code", EVIDENCE)
def test_every_sign_has_a_sentence_on_one_line(code: str) -> None:
    sentence = sentences.evidence_sentence(Evidence(code, FIELDS))
    assert "without a description" not in sentence
    assert "%" not in sentence
    assert "\n" not in sentence
    assert "\u202e" not in sentence


def test_the_signs_are_those_that_the_modules_give() -> None:
    source = "".join(path.read_text() for path in Path(homes.__file__).parent.glob("*.py"))
    assert set(re.findall(r'Evidence\(\s*"([a-z_]+)"', source)) <= set(EVIDENCE)
    assert len(EVIDENCE) > 10


def test_a_sign_of_a_later_version_is_said_to_be_unknown() -> None:
    assert "new_sign" in sentences.evidence_sentence(Evidence("new_sign"))


def test_the_same_sign_twice_is_one_line() -> None:
    running = Running("unknown", (Evidence("hidden_processes"), Evidence("hidden_processes")))
    assert len(sentences.running_words(running).lines) == 1


@pytest.mark.parametrize("why", get_args(errors.Why))
@pytest.mark.parametrize("more", [{}, {"offset": 7}, {"size": 7_000_000}])
def test_every_reason_not_to_read_has_a_sentence(why: errors.Why, more: dict[str, int]) -> None:
    sentence = sentences.unreadable_sentence(Unreadable(SOMEWHERE, why, **more))
    assert sentence.endswith(".")
    assert "velfolder" not in sentence


@pytest.mark.parametrize("kind", STATE_ERRORS)
def test_every_problem_of_state_db_has_a_sentence(kind: type) -> None:
    sentence = sentences.state_sentence(example(kind))
    assert sentence.endswith(".")
    assert sentence != "state.db was not read."
    assert "%" not in sentence.replace("%(", "(")


@pytest.mark.parametrize("why", get_args(state.CopyReason))
def test_every_reason_for_a_copy_has_a_sentence(why: state.CopyReason) -> None:
    assert sentences.copy_sentence(why) != sentences.copy_sentence("")


@pytest.mark.parametrize("kind", [*STATE_ERRORS, errors.NoSuchHome, errors.NoSuchProfile])
def test_a_failed_job_says_why_from_codes_and_numbers_alone(kind: type) -> None:
    problem = example(kind) if kind in STATE_ERRORS else kind(SOMEWHERE)
    outcome = {"problem": kind.__name__, **plain_fields(problem)}
    assert "vel" not in str(outcome)
    sentence = sentences.job_problem(outcome)
    assert sentence.endswith(".")
    assert "went wrong in hermesweb" not in sentence


def test_a_fault_of_a_job_leads_to_the_log() -> None:
    assert "log" in sentences.job_problem({"problem": "fault"})
    assert sentences.job_problem({}) == ""


@pytest.mark.parametrize("why", get_args(BadHomesSetting.__annotations__["why"]))
def test_every_wrong_setting_of_homes_has_a_sentence(why: Any) -> None:
    sentence = sentences.bad_homes_setting(BadHomesSetting("a\u202e=b", why))
    assert "HERMESWEB_HOMES=" in sentence
    assert "\u202e" not in sentence


@pytest.mark.parametrize("what", get_args(homes.What))
def test_every_place_has_words(what: homes.What) -> None:
    assert sentences.place_sentence(Place("HERMES_HOME", Path("/srv/hermes\n"), what)).count("\n") == 0
    assert sentences.place_sentence(Place("HERMES_HOME", None, what))


def test_every_group_has_a_row_in_the_picture() -> None:
    assert list(picture.KINDS) == [group for group in picture.KINDS if group in GROUPS]
    assert set(picture.KINDS) == set(GROUPS)
    rows = picture.rows_of({group: Size(1, 1_000) for group in GROUPS})
    assert len({row.name for row in rows}) == len(GROUPS)


@pytest.mark.parametrize(
    ("size", "width"), [(0, 0), (1, 1), (1_000, 1), (10_000, 20), (10**9, 120), (10**12, 120)]
)
def test_a_bar_grows_by_powers_of_ten(size: int, width: int) -> None:
    assert picture.width_of(size) == width


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_words(rule: str) -> None:
    assert rule_words.words_of(rule) != rule_words.words_of("a rule of a later version")


def test_there_are_no_words_for_rules_that_are_not() -> None:
    assert set(rule_words.WORDS) <= set(RULES)


def test_every_note_about_the_schema_is_said_or_left_out_on_purpose() -> None:
    assert set(get_args(schema_notes.Code)) - set(overview.NOTES) == {"no_column"}


@pytest.mark.parametrize("problem", get_args(config.Problem))
def test_every_problem_of_the_configuration_has_a_sentence(problem: str) -> None:
    assert overview.config_sentence(problem).startswith("config.yaml ")
