"""The settings of hermesweb, with a slow job and a faulty page."""

from hermesweb.settings import *  # noqa: F403

INSTALLED_APPS = [*INSTALLED_APPS, "tests.web.slow"]  # noqa: F405
ROOT_URLCONF = "tests.web.slow.urls"
