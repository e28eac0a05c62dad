from typing import Any

from django.core.management.base import BaseCommand
from django.utils import translation

from hermesweb.privacy.store_doc import stores_doc


class Command(BaseCommand):
    help = "Print docs/stores.md from the catalogue of stores."
    requires_system_checks = []
    requires_migrations_checks = False

    def handle(self, *args: Any, **options: Any) -> None:
        with translation.override("en"):
            self.stdout.write(stores_doc(), ending="")
