from django.apps import AppConfig


class ActivityConfig(AppConfig):
    name = "hermesweb.activity"

    def ready(self) -> None:
        from hermesweb.activity import signals  # noqa: F401
