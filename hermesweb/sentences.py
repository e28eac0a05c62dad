"""Codes of the pure modules as sentences: first what is, then what it means, then what a person can do."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _

from hermesweb.hermes.errors import BadHomesSetting, HermesError, Unreadable, Why
from hermesweb.hermes.homes import Place
from hermesweb.hermes.running import Evidence, Running
from hermesweb.hermes.writing import NotWritten
from hermesweb.record import shown
from sessions import errors as state
from sessions.deletion_schema import DeletionRefused
from sessions.deletion_words import refused


@dataclass(frozen=True)
class Words:
    """Whether Hermes runs, and how that is known, in words."""

    answer: str
    lines: tuple[str, ...]


def running_words(running: Running) -> Words:
    return Words(running.answer, tuple(dict.fromkeys(evidence_sentence(one) for one in running.evidence)))


def evidence_sentence(evidence: Evidence) -> str:
    sentences = {
        "gateway_lock": _("gateway.lock is held by process %(pid)s"),
        "cron_lock": _("a scheduled job runs: cron/.tick.lock is held by process %(pid)s"),
        "board_lock": _("kanban/.dispatcher.lock is held by process %(pid)s"),
        "gateway_pid": _("gateway.pid names process %(pid)s, and it is alive"),
        "served_by_root": _("the gateway of the root, process %(pid)s, serves this profile"),
        "open_chat": _("a chat is open in process %(pid)s"),
        "spawned": _("process %(pid)s was started by Hermes for this home"),
        "open_database": _("process %(pid)s (%(program)s) holds state.db open"),
        "open_log": _("process %(pid)s (%(program)s) holds a log open"),
        "process": _("process %(pid)s is %(command)s"),
        "hidden_processes": _("processes of other users cannot be seen from here"),
        "process_not_readable": _("the open files of process %(pid)s cannot be seen"),
        "process_home_unknown": _("process %(pid)s is %(command)s, but not for which home"),
        "locks_not_shown": _("this machine does not show which files are locked"),
        "remote_file_system": _(
            "the home lies on a network file system (%(kind)s): other machines may use it"
        ),
        "folder_unreadable": _("the folder cannot be read"),
    }
    sentence = sentences.get(evidence.code, _("a sign without a description: %(code)s"))
    return sentence % {
        "code": evidence.code,
        **{name: shown(value) for name, value in evidence.fields.items()},
    }


def unreadable_sentence(problem: Unreadable) -> str:
    """Why a file of a home was not read."""
    if problem.why == "undecodable" and problem.offset is not None:
        return _("It is not valid UTF-8: byte %(offset)s cannot be decoded.") % {"offset": problem.offset}
    if problem.why == "too_large" and problem.size is not None:
        return _("It is too large to be shown (%(size)s).") % {"size": filesizeformat(problem.size)}
    return {
        "missing": _("It is not there."),
        "permission": _("This user may not read it."),
        "not_a_file": _("It is not a regular file, so it was not opened."),
        "not_a_folder": _("Something on its path is not a folder."),
        "link": _("It is a link, and links are not followed."),
        "outside": _("It lies outside the home."),
        "database": _("It is a database and is read in another way."),
        "too_large": _("It is too large to be shown."),
        "undecodable": _("It is not valid UTF-8."),
        "io": _("The disk reports an error."),
    }[problem.why]


def not_written_sentence(problem: NotWritten) -> str:
    """Why a file of a home was not written or removed. Nothing was changed then."""
    own = {
        "read_only": _("The file system is mounted read-only."),
        "full": _("The disk is full."),
        "foreign_owner": _(
            "The file would belong to the user of hermesweb, not to the owner of the home, and Hermes could not use it."
        ),
        "mounted": _("The file is a mount of its own, as containers make it, and cannot be replaced."),
        "changed": _("Another file is there than the one you saw."),
        "permission": _("This user may not write there."),
    }
    name = shown(problem.path.name)
    if problem.why in own:
        return f"{name}: {own[problem.why]}"
    return f"{name}: {unreadable_sentence(Unreadable(problem.path, cast(Why, problem.why)))}"


def state_sentence(problem: HermesError) -> str:
    """Why state.db was not read, and what can be done."""
    for kind, sentence in state_sentences():
        if isinstance(problem, kind):
            return sentence(problem)
    return _("state.db was not read.")


def state_sentences() -> Iterator[tuple[type[HermesError], Callable[..., str]]]:
    yield state.StateMissing, lambda p: _("There is no state.db: this profile has no conversations yet.")
    yield (
        state.StateEmpty,
        lambda p: _("state.db is an empty file. Hermes makes its tables when it starts next."),
    )
    yield (
        state.StateBeingCleaned,
        lambda p: _(
            "Deleted words are being removed from state.db right now. It can be read again in a few seconds."
        ),
    )
    yield state.StateNotWritable, lambda p: write_sentence(p.why)
    yield (
        state.StateLocked,
        lambda p: _("state.db is locked by another program. Nothing was changed; try again in a moment."),
    )
    yield (
        state.StateChanging,
        lambda p: _(
            "state.db was written to while it was read, three times in a row. Try again in a moment."
        ),
    )
    yield (
        state.StateNotDatabase,
        lambda p: _("The file called state.db is no SQLite database. It was not changed."),
    )
    yield state.StateUnreadable, lambda p: "state.db: " + unreadable_sentence(Unreadable(p.path, p.why))
    yield (
        state.StateDamaged,
        lambda p: (
            _(
                "state.db is damaged. SQLite says: “%(message)s”. Nothing was changed. Hermes repairs it at its next "
                "start from 0.17 on, and leaves a copy beside it."
            )
            % {"message": shown(p.message)}
        ),
    )
    yield state.StateNeedsCopy, lambda p: copy_sentence(p.why)
    yield DeletionRefused, lambda p: refused(p.why, p.name)
    yield (
        state.StateTimeout,
        lambda p: (
            _("state.db did not answer within %(seconds)s seconds, so the question was given up.")
            % {"seconds": round(p.seconds)}
        ),
    )
    yield (
        state.NoSpace,
        lambda p: (
            _("A copy needs %(needed)s, and the disk has %(free)s free. Nothing was copied.")
            % {"needed": filesizeformat(p.needed), "free": filesizeformat(p.free)}
        ),
    )
    yield state.CopyFailed, lambda p: _("Copying state.db failed. Nothing was left behind.")


def job_problem(outcome: Mapping[str, Any]) -> str:
    """Why a job failed, from the code and the numbers it left."""
    code, fields = outcome.get("problem"), {k: v for k, v in outcome.items() if k != "problem"}
    if not code:
        return ""
    if code == "another_place":
        return _("Another home stands at this place now, so the job was not carried out.")
    if code == "no_phrase":
        return _("What was looked for is not known any more. Start the trace again.")
    if code in ("NoSuchHome", "NoSuchProfile"):
        return _("The home or the profile is not there any more.")
    if code == "DeletionRefused":
        return refused(str(fields.get("why", "")), "")
    kind = getattr(state, code, None)
    if kind is state.StateDamaged or kind is state.CopyFailed:
        fields = {"message": "", "code": ""} if kind is state.StateDamaged else {"message": ""}
    if kind is None:
        return _("Something went wrong in hermesweb. Its log has the place.")
    return state_sentence(kind(Path(), **fields))


def write_sentence(why: str) -> str:
    reason = {
        "foreign_owner": _(
            "It belongs to another user, and what is made beside it would keep that user's Hermes out."
        ),
        "read_only": _("The disk is mounted so that it can only be read."),
        "permission": _("This user may not write there."),
        "full": _("The disk is full."),
    }
    begin = _("state.db was not changed.")
    return f"{begin} {reason.get(why, '')}".strip()


def copy_sentence(why: str) -> str:
    reason = {
        "wal_without_index": _("Its newest rows are in state.db-wal, and the index of that file is missing."),
        "index_unreadable": _("Its newest rows are in state.db-wal, whose index this user may not read."),
        "index_unusable": _("Its newest rows are in state.db-wal, whose index has to be built again."),
        "hot_journal": _("A program ended in the middle of a change, which has to be rolled back first."),
    }.get(why, "")
    return " ".join(
        part
        for part in (
            _("state.db cannot be read in place without changing something."),
            reason,
            _("A private work copy in the data folder of hermesweb can be read; the home stays as it is."),
        )
        if part
    )


def bad_homes_setting(problem: BadHomesSetting) -> str:
    reason = {
        "no_path": _("it names no path"),
        "not_absolute": _("its path does not start with /"),
        "quoting": _("its quotes do not match"),
        "too_wide": _("it is the root of the disk or a login's own folder, which is no Hermes home"),
        "twice": _("it is named twice, or is a link to a home that is named too"),
    }[problem.why]
    return _(
        "The setting of the homes cannot be used. In “%(part)s”: %(reason)s. It looks like this: "
        'HERMESWEB_HOMES="Home server=/srv/hermes,Laptop=/mnt/laptop"'
    ) % {"part": shown(problem.part), "reason": reason}


def place_what(place: Place) -> str:
    return {
        "not_set": _("is not set"),
        "bad_setting": _("cannot be understood"),
        "missing": _("is not there"),
        "no_folder": _("is not a folder"),
        "not_a_home": _("is a folder, but has no config.yaml, state.db or memories/"),
        "unreadable": _("cannot be read by this user"),
        "home": _("is a Hermes home"),
    }[place.what]


def place_sentence(place: Place) -> str:
    if place.path is None:
        return f"{place.name} {place_what(place)}"
    return f"{place.name}: {str(place.path)!r} {place_what(place)}"
