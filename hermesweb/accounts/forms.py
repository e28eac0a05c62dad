import functools
from datetime import timedelta
from html import escape
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.contrib.auth.forms import SetPasswordMixin
from django.forms.utils import flatatt
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

from hermesweb.accounts.models import Household, Person


def taken(username: str, but: int | None = None) -> bool:
    """Whether somebody else has this name, in whatever capitals."""
    others = Person.objects.exclude(pk=but) if but else Person.objects.all()
    return others.filter(username__iexact=username).exists()


class ChoosePassword(SetPasswordMixin, forms.ModelForm):  # type: ignore[type-arg]  # generic in stubs only
    """A name and a password for the person whom the first link signed in."""

    username = forms.CharField(
        label=_("Name"),
        max_length=150,
        validators=[Person.username_validator],
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )
    password1, password2 = SetPasswordMixin.create_password_fields(
        label1=_("Password"), label2=_("Password, once more")
    )

    class Meta:
        model = Person
        fields = ["username"]

    def clean_username(self) -> str:
        username: str = self.cleaned_data["username"]
        if taken(username, self.instance.pk):
            raise forms.ValidationError(_("Somebody else has this name."))
        return username

    def clean(self) -> dict[str, Any] | None:
        self.validate_passwords()
        return super().clean()

    def _post_clean(self) -> None:
        super()._post_clean()  # type: ignore[misc]  # ModelForm has it; the stubs hide it
        self.validate_password_for_user(self.instance, "password1")

    def save(self, commit: bool = True) -> Person:
        return self.set_password_and_save(self.instance, commit=commit)  # type: ignore[no-any-return]


class Invitation(forms.Form):
    """Somebody new, or another link for somebody who has not come yet."""

    DAYS = [("1", _("One day")), ("3", _("Three days")), ("7", _("A week"))]

    username = forms.CharField(
        label=_("Name"),
        max_length=150,
        validators=[Person.username_validator],
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
        help_text=_("They can choose another one when they use the link."),
    )
    days = forms.ChoiceField(label=_("The link works for"), choices=DAYS)

    def __init__(self, *args: Any, person: Person | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if person:
            del self.fields["username"]

    def clean_username(self) -> str:
        username: str = self.cleaned_data["username"]
        if taken(username):
            raise forms.ValidationError(_("Somebody else has this name."))
        return username

    @property
    def lasts(self) -> timedelta:
        return timedelta(days=int(self.cleaned_data["days"]))


class HouseholdForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in stubs only
    """What holds for everybody."""

    KEPT = [(90, _("90 days")), (365, _("A year")), (1825, _("Five years")), (0, _("For ever"))]

    second_factor_required = forms.BooleanField(
        label=_("Everybody needs a second factor"),
        required=False,
        help_text=_("Who has none is led to set one up and sees nothing else until then."),
    )
    activity_days = forms.TypedChoiceField(
        label=_("The activity is kept for"),
        choices=KEPT,
        coerce=int,
        help_text=_("Older lines are removed once a day. That this was done is a line of its own."),
    )

    class Meta:
        model = Household
        fields = ["second_factor_required", "activity_days"]


class LongSelect(forms.Select):
    """A list of hundreds: a template for each of them takes longer than all the rest of its page."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        chosen = " selected"
        options = (
            f'<option value="{escape(each)}"{chosen if each == (value or "") else ""}>{escape(str(words))}</option>'
            for each, words in self.choices
        )
        flags = flatatt({**self.build_attrs(self.attrs, attrs), "name": name})
        return mark_safe(f"<select{flags}>{''.join(options)}</select>")  # noqa: S308  each part is escaped


class OwnWords(forms.ModelForm):  # type: ignore[type-arg]  # generic in stubs only
    """Language and time zone of one person."""

    language = forms.ChoiceField(label=_("Language"), required=False)
    zone = forms.ChoiceField(label=_("Time zone"), required=False, widget=LongSelect)

    class Meta:
        model = Person
        fields = ["language", "zone"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # A language is called by its own name, so that whoever needs it finds it.
        languages = [("", _("As the browser asks")), ("en", "English"), ("de", "Deutsch")]
        machine = _("That of the machine: %(zone)s") % {"zone": settings.TIME_ZONE}
        zones = [("", machine), *((name, name.replace("_", " ")) for name in zones_offered())]
        self.fields["language"].choices = languages  # type: ignore[attr-defined]
        self.fields["zone"].choices = zones  # type: ignore[attr-defined]


@functools.cache
def zones_offered() -> tuple[str, ...]:
    """Places, not the names that are kept for old machines."""
    areas = ("Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian")
    offered = (*areas, "Pacific")
    return tuple(sorted(zone for zone in available_timezones() if zone == "UTC" or zone.startswith(offered)))
