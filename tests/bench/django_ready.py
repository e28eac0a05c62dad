"""Imported before anything that is about models: benches are no pytest, which sets Django up."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hermesweb.settings")
django.setup()
