"""Words about conversations that templates of other parts need too."""

from django import template

from sessions.words import source_name

register = template.Library()
register.filter("source_name", source_name)
