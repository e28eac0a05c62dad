from django.apps import AppConfig


class HermeswebConfig(AppConfig):
    name = "hermesweb"

    def ready(self) -> None:
        from hermesweb import checks  # noqa: F401  registers the system checks
