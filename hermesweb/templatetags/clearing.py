"""A run of clearing, for the page of its job."""

from django import template

from hermesweb.jobs.models import Job
from hermesweb.privacy.clear_progress import Clearing
from hermesweb.privacy.clear_progress import clearing_of as look

register = template.Library()


@register.simple_tag
def clearing_of(job: Job) -> Clearing:
    return look(job)
