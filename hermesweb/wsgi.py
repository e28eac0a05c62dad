"""What gunicorn serves."""

import gc
import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from hermesweb.front import behind

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hermesweb.settings")
application = behind(get_wsgi_application(), settings.PROXIES, settings.SUB_PATH)

from hermesweb.warm import load_pages  # noqa: E402  (models in it need the application)

# Before the processes part, so that they share it; the collector would give each a copy of its own.
load_pages()
gc.collect()
gc.freeze()
