"""The small parts of every page."""

from datetime import UTC, datetime

from django import template
from django.template.defaultfilters import date
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from hermesweb import homes, record
from hermesweb.hermes.ids import encode_id
from hermesweb.listening import is_loopback

register = template.Library()
register.filter("shown", record.shown)


@register.simple_tag
def icon(name: str) -> SafeString:
    return format_html('<svg class="icon" aria-hidden="true"><use href="#icon-{}"/></svg>', name)


@register.filter
def moment(seconds: float | None) -> str:
    """UTC seconds as a day and time in the zone of who reads it."""
    if seconds is None:
        return ""
    try:
        return date(localtime(datetime.fromtimestamp(seconds, UTC)), "DATETIME_FORMAT")
    except (ValueError, OverflowError, OSError):
        return _("no readable time")


@register.filter
def called(title: str, began: float | None) -> str:
    """What a conversation is called where only its name stands: its title, else when it began."""
    if title:
        return record.shown(title)
    when = moment(began)
    return _("Conversation of %(when)s") % {"when": when} if when else _("Conversation without a title")


@register.filter
def home_label(key: str) -> str:
    """What the home with this key is called."""
    return record.shown(homes.label_of(key))


@register.filter
def whence(address: str) -> str:
    """Where a request came from: an address, or this machine."""
    return _("this machine") if is_loopback(address) else address


@register.filter
def day(seconds: float | None) -> str:
    """UTC seconds as a day in the zone of who reads it."""
    return moment(seconds).rpartition(",")[0] or moment(seconds)


@register.filter
def address_part(text: str) -> str:
    """Any text as a part of an address."""
    return encode_id(text)


@register.filter
def exact(text: str) -> SafeString:
    """Stored text with every character visible."""
    return record.record_html(text)
