"""For templates: a deletion out of its job."""

from django import template

from hermesweb.jobs.models import Job
from sessions.deletion_result import DeletionView, view_of

register = template.Library()


@register.simple_tag
def deletion_of(job: Job) -> DeletionView:
    return view_of(job)
