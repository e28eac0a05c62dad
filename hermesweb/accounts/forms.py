from typing import Any

from django import forms
from django.contrib.auth.forms import SetPasswordMixin
from django.utils.translation import gettext_lazy as _

from hermesweb.accounts.models import Person


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
        if Person.objects.filter(username__iexact=username).exclude(pk=self.instance.pk).exists():
            raise forms.ValidationError(_("Somebody else has this name."))
        return username

    def clean(self) -> dict[str, Any] | None:
        self.validate_passwords()
        return super().clean()

    def _post_clean(self) -> None:
        super()._post_clean()  # type: ignore[misc]  # ModelForm has it; the stubs hide it
        self.validate_password_for_user(self.instance)

    def save(self, commit: bool = True) -> Person:
        return self.set_password_and_save(self.instance, commit=commit)  # type: ignore[no-any-return]
