"""For templates: a deletion out of its job."""

from functools import partial

from django import template

from hermesweb.hermes.homes import Profile
from hermesweb.jobs.models import Job
from sessions import deletion_result, left_over_result
from sessions.deletion_names import called_now
from sessions.deletion_result import DeletionView
from sessions.left_over_work import KIND

register = template.Library()


@register.simple_tag
def deletion_of(job: Job, profile: Profile) -> DeletionView:
    names = partial(called_now, profile)
    return left_over_result.view_of(job, names) if job.kind == KIND else deletion_result.view_of(job, names)
