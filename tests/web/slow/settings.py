"""The settings of hermesweb, with a slow job and a faulty page, and a hasher that is not slow on purpose."""

from hermesweb.settings import *  # noqa: F403

INSTALLED_APPS = [*INSTALLED_APPS, "tests.web.slow"]  # noqa: F405
ROOT_URLCONF = "tests.web.slow.urls"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
