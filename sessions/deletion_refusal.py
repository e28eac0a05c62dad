"""Why a command deleted nothing, in words."""

from django.utils.translation import gettext as _

from hermesweb.hermes.errors import HermesError
from hermesweb.privacy.wiping.place import NotHere
from hermesweb.sentences import state_sentence
from sessions.deletion_run import HermesRuns, TooLittleSpace
from sessions.deletion_schema import DeletionRefused
from sessions.deletion_words import problem_of, refused, too_little_space


def refusal(problem: HermesError) -> str:
    """Why nothing was deleted."""
    match problem:
        case HermesRuns():
            return _("Hermes runs, or it cannot be told that it does not. Stop it, or say --while-running.")
        case TooLittleSpace():
            return too_little_space(vars(problem.space))
        case DeletionRefused():
            return refused(problem.why, problem.name)
        case NotHere():
            return problem_of({"problem": problem.why}) or problem.why
    return state_sentence(problem)
