from django.apps import AppConfig


class SessionsConfig(AppConfig):
    """Hermes' sessions. The label differs from the folder: django.contrib.sessions has that one."""

    name = "sessions"
    label = "hermes_sessions"

    def ready(self) -> None:
        from django.conf import settings

        from sessions.process_turns import keep_turns_in

        keep_turns_in(settings.DATA_FOLDER / "turns")
