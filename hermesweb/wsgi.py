"""What gunicorn serves."""

import gc
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hermesweb.settings")
application = get_wsgi_application()

from hermesweb.warm import load_pages  # noqa: E402  (models in it need the application)

# Before the processes part, so that they share it; the collector would give each a copy of its own.
load_pages()
gc.collect()
gc.freeze()
