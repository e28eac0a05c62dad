from django.apps import AppConfig


class SessionsConfig(AppConfig):
    """Hermes' sessions. The label differs from the folder: django.contrib.sessions has that one."""

    name = "sessions"
    label = "hermes_sessions"
