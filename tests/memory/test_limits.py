import pytest

from hermesweb.hermes.config import MISSING, Config
from memory.limits import RELEASES, TARGETS, Rules, Target, effective_limit, percent, usage_text


def config(**memory: object) -> Config:
    return Config({"memory": memory})


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize(("target", "default"), [("memory", 2200), ("user", 1375)])
def test_the_default(target: Target, default: int, release: Rules) -> None:
    limit = effective_limit(Config(), target, release)
    assert (limit.value, limit.effect, limit.configured, limit.certain) == (default, "default", MISSING, True)


@pytest.mark.parametrize("release", RELEASES)
def test_each_store_has_its_own(release: Rules) -> None:
    both = config(memory_char_limit=3200, user_char_limit=900)
    limits = [effective_limit(both, target, release) for target in TARGETS]
    assert [(limit.value, limit.effect) for limit in limits] == [(3200, "configured"), (900, "configured")]


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize(("written", "value"), [(0, 0), (-5, -5), (32.5, 32.5), (True, 1), (False, 0)])
def test_odd_numbers_are_honoured_as_they_stand(written: object, value: float, release: Rules) -> None:
    limit = effective_limit(config(memory_char_limit=written), "memory", release)
    assert (limit.value, limit.effect, limit.configured) == (value, "as_it_stands", written)
    assert not isinstance(limit.value, bool)


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("written", ["3200", "abc", "", None, [3200], {"a": 1}])
def test_what_is_no_number_loads_nothing(written: object, release: Rules) -> None:
    limit = effective_limit(config(memory_char_limit=written), "memory", release)
    assert (limit.value, limit.effect, limit.because) == (None, "nothing_loads", "memory.memory_char_limit")
    assert limit.configured == written


def test_a_bad_limit_of_one_store_can_keep_out_the_other() -> None:
    bad_memory, bad_user = config(memory_char_limit="3200"), config(user_char_limit="1375")
    assert effective_limit(bad_memory, "user", "0.19").because == "memory.memory_char_limit"
    assert effective_limit(bad_memory, "user", "0.22").because == "memory.memory_char_limit"
    assert effective_limit(bad_user, "memory", "0.19").because == "memory.user_char_limit"
    assert effective_limit(bad_user, "memory", "0.22").because is None


def test_an_empty_store_does_no_harm_in_0_19() -> None:
    holding: frozenset[Target] = frozenset({"user"})
    bad = config(memory_char_limit="3200")
    assert effective_limit(bad, "user", "0.19", holding).because is None
    assert effective_limit(bad, "user", "0.22", holding).because == "memory.memory_char_limit"


def test_the_key_to_mend_is_the_store_s_own() -> None:
    both = config(memory_char_limit="a", user_char_limit="b")
    assert effective_limit(both, "user", "0.19").because == "memory.user_char_limit"
    assert effective_limit(both, "user", "0.22").because == "memory.user_char_limit"


@pytest.mark.parametrize("release", RELEASES)
def test_the_review_interval_can_stop_the_load_too(release: Rules) -> None:
    assert effective_limit(config(nudge_interval=None), "user", release).because == "memory.nudge_interval"
    assert effective_limit(config(nudge_interval="5"), "user", release).because is None


@pytest.mark.parametrize("section", [[], ["a"], "text", 5, False])
def test_a_section_that_is_no_mapping(section: object) -> None:
    odd = Config({"memory": section})
    assert effective_limit(odd, "memory", "0.19").because == "memory"
    assert effective_limit(odd, "memory", "0.22").effect == "default"


@pytest.mark.parametrize("release", RELEASES)
def test_an_empty_section(release: Rules) -> None:
    assert effective_limit(Config({"memory": None}), "memory", release).effect == "default"


def test_a_broken_file_leaves_0_22_uncertain() -> None:
    broken = Config(problem="broken")
    assert effective_limit(broken, "memory", "0.19").certain
    assert not effective_limit(broken, "memory", "0.22").certain
    assert not effective_limit(Config(problem="unreadable"), "memory", "0.19").certain


@pytest.mark.parametrize(
    ("used", "limit", "text"),
    [
        (1474, 2200, "67% — 1,474/2,200 chars"),
        (0, 2200, "0% — 0/2,200 chars"),
        (2200, 2200, "100% — 2,200/2,200 chars"),
        (2201, 2200, "100% — 2,201/2,200 chars"),
        (9, 0, "0% — 9/0 chars"),
        (9, -5, "0% — 9/-5 chars"),
        (9, 32.5, "27% — 9/32.5 chars"),
        (29, 100, "28% — 29/100 chars"),  # not 29: Hermes divides first, in floating point
        (9, float("inf"), "0% — 9/inf chars"),
        (9, float("nan"), "0% — 9/nan chars"),
    ],
)
def test_usage_reads_as_in_the_prompt(used: int, limit: float, text: str) -> None:
    assert usage_text(used, limit) == text


def test_a_limit_close_to_nothing_is_full() -> None:
    assert percent(9, 5e-324) == 100
    assert percent(9, None) == 0
