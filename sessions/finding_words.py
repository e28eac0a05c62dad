"""Kinds of findings as words, the gravest first."""

from django.utils.translation import gettext_lazy

KINDS = {
    "private_key": gettext_lazy("Private keys"),
    "token": gettext_lazy("Keys and tokens"),
    "password": gettext_lazy("Passwords"),
    "iban": gettext_lazy("Bank accounts"),
    "card": gettext_lazy("Payment cards"),
    "email": gettext_lazy("E-mail addresses"),
    "phone": gettext_lazy("Telephone numbers"),
}
ONE = {
    "private_key": gettext_lazy("Private key"),
    "token": gettext_lazy("Key or token"),
    "password": gettext_lazy("Password"),
    "iban": gettext_lazy("Bank account"),
    "card": gettext_lazy("Payment card"),
    "email": gettext_lazy("E-mail address"),
    "phone": gettext_lazy("Telephone number"),
}
