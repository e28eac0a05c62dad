"""Settings of hermesweb. Everything a person may set is an environment variable: see docs/settings.md."""

import os
import sys
from pathlib import Path

import tzlocal
from csp.constants import NONE, SELF
from django.contrib.messages import constants as messages
from django.utils.translation import gettext_lazy as _

from hermesweb import environment

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_FOLDER = environment.data_folder(os.environ)
WORK_FOLDER = DATA_FOLDER / "scratch"

READ_ONLY = environment.flag(os.environ, "HERMESWEB_READ_ONLY")
ALLOW_HTTP = environment.flag(os.environ, "HERMESWEB_ALLOW_HTTP")
TLS_FILES = (os.environ.get("HERMESWEB_TLS_CERT", ""), os.environ.get("HERMESWEB_TLS_KEY", ""))
PROXIES = environment.networks(os.environ, "HERMESWEB_TRUSTED_PROXY")
TRUSTED_PROXY = bool(PROXIES)
ENCRYPTED = bool(all(TLS_FILES) or TRUSTED_PROXY)

DEBUG = False
SECRET_KEY = environment.secret_key(DATA_FOLDER)
LOCAL_HOSTS = ["hermesweb.localhost", "localhost", "127.0.0.1", "[::1]"]
OWN_HOSTS = environment.words(os.environ, "HERMESWEB_HOSTS")
ALLOWED_HOSTS = LOCAL_HOSTS + OWN_HOSTS
SUB_PATH = environment.sub_path(os.environ, "HERMESWEB_PATH")  # "/memory", "" at the root of a host
FORCE_SCRIPT_NAME = SUB_PATH or None
WEB_PROCESSES = environment.whole_number(os.environ, "HERMESWEB_WEB_PROCESSES", 1, 64)
WORKERS = environment.whole_number(os.environ, "HERMESWEB_WORKERS", 1, 64)

INSTALLED_APPS = [
    "hermesweb",
    "hermesweb.accounts",
    "hermesweb.activity",
    "hermesweb.jobs",
    "hermesweb.privacy",
    "memory",
    "sessions",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "csp",
    "django_extensions",
    "django_htmx",
    "django_tasks",
    "django_tasks_db",
]

MIDDLEWARE = [
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "hermesweb.middleware.keep_nothing",
    # Below these: it answers by itself, to plain HTTP and to a wrong host.
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "hermesweb.accounts.middleware.end_old_sign_ins",
    "hermesweb.accounts.middleware.in_ones_own_language",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "hermesweb.middleware.come_again",
    "hermesweb.middleware.say_wrong_method",
    "hermesweb.masking.mask_for_reviewers",
    "hermesweb.accounts.middleware.remember_who_asks",
    "hermesweb.middleware.AccessMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]

ROOT_URLCONF = "hermesweb.urls"
WSGI_APPLICATION = "hermesweb.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "hermesweb.context.shell",
            ],
        },
    },
]
# Every message is a notice with an icon: its level names both.
MESSAGE_TAGS = {
    messages.SUCCESS: "removed",
    messages.INFO: "",
    messages.WARNING: "caution",
    messages.ERROR: "blocked",
}

if database_url := os.environ.get("DATABASE_URL"):
    DATABASES = {"default": environment.database(database_url, conn_max_age=60, conn_health_checks=True)}
else:
    DATABASES = {
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": str(DATA_FOLDER / "hermesweb.sqlite3"),
            "CONN_MAX_AGE": 60,
            # WAL and IMMEDIATE: with the defaults several writers get "database is locked" by the thousand.
            # secure_delete: what a person removes from our own tables is overwritten too.
            "OPTIONS": {
                "timeout": 20,
                "transaction_mode": "IMMEDIATE",
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA secure_delete=ON",
            },
        }
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# The limits of sign-in attempts are shared by all processes, so they live in the database.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "hermesweb_cache",
        # With the default of 300 somebody with many addresses could push the limits of others out, and their own.
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    }
}

# -- people and sign-in
AUTH_USER_MODEL = "accounts.Person"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "homes"
ACCOUNT_ADAPTER = "hermesweb.accounts.adapter.Adapter"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_EMAIL_NOTIFICATIONS = False
ACCOUNT_SESSION_REMEMBER = False
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"
ACCOUNT_REAUTHENTICATION_TIMEOUT = 600
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_METHODS = {"password"}
# Per address, and per account only together with the address (the key): a limit per account alone would let anybody
# lock the right person out.
ACCOUNT_RATE_LIMITS = {
    "login": "60/m/ip",
    "login_failed": "20/5m/ip,40/h/key",
    "reauthenticate": "20/5m/user",
    "change_password": "10/m/user",
}
# A sign-in ends when nothing was asked for this long, and in any case after this long.
IDLE_SECONDS = 60 * environment.whole_number(os.environ, "HERMESWEB_SIGN_IN_IDLE_MINUTES", 60, 1440)
SIGN_IN_SECONDS = 60 * 60 * environment.whole_number(os.environ, "HERMESWEB_SIGN_IN_HOURS", 12, 24 * 30)
MFA_ADAPTER = "hermesweb.accounts.second_factor.Adapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_RECOVERY_CODES_SHOW_ONCE = True
MFA_TOTP_ISSUER = "hermesweb"
MFA_TOTP_TOLERANCE = 1  # clocks of phones go a little wrong
# Browsers give passkeys to encrypted pages and to *.localhost only; the library knows the first and "localhost".
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not ENCRYPTED

# -- cookies and headers
# Cookies ignore ports: the demo beside the real one must not sign it out.
COOKIE = "hermesweb-demo" if environment.flag(os.environ, "HERMESWEB_DEMO") else "hermesweb"
# __Host- is for cookies of a whole host; below a path they are for that path alone.
COOKIE_START = "" if not ENCRYPTED else "__Secure-" if SUB_PATH else "__Host-"
COOKIE_PATH = f"{SUB_PATH}/"
SESSION_COOKIE_NAME = f"{COOKIE_START}{COOKIE}"
SESSION_COOKIE_PATH = COOKIE_PATH
SESSION_COOKIE_AGE = SIGN_IN_SECONDS
SESSION_COOKIE_SAMESITE = "Strict"
SESSION_COOKIE_SECURE = ENCRYPTED
SESSION_EXPIRE_AT_BROWSER_CLOSE = True
CSRF_COOKIE_NAME = f"{COOKIE_START}{COOKIE}-csrf"
CSRF_COOKIE_PATH = COOKIE_PATH
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Strict"
CSRF_COOKIE_SECURE = ENCRYPTED
CSRF_FAILURE_VIEW = "hermesweb.views.csrf_failure"
LANGUAGE_COOKIE_NAME = "hermesweb-language"
LANGUAGE_COOKIE_PATH = COOKIE_PATH
LANGUAGE_COOKIE_SAMESITE = "Strict"
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
SECURE_REFERRER_POLICY = "same-origin"  # no-referrer would make every plain form send "Origin: null"
SECURE_HSTS_SECONDS = 31_536_000 if ENCRYPTED else 0
SECURE_SSL_REDIRECT = ENCRYPTED
SECURE_REDIRECT_EXEMPT = [rf"^{SUB_PATH.lstrip('/')}/?health/$"]  # asked for on this machine, without TLS
# What other hosts of the same domain do, and what browser makers put on their lists, is not ours to say.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
if TRUSTED_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    ALLAUTH_TRUSTED_PROXY_COUNT = 1
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 4 * 1024 * 1024
FILE_UPLOAD_HANDLERS = ["hermesweb.uploads.NoFiles"]
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

# -- our own files
STATIC_URL = f"{SUB_PATH}/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = True  # nothing to collect: a checkout runs as it is
WHITENOISE_AUTOREFRESH = False
WHITENOISE_ALLOW_ALL_ORIGINS = False
WHITENOISE_MAX_AGE = 0  # asked again each time, answered "not modified": an update is seen at once

# -- words, numbers, times
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("de", _("German"))]
LOCALE_PATHS = [BASE_DIR / "hermesweb" / "locale"]
FORMAT_MODULE_PATH = ["hermesweb.formats"]
TIME_ZONE = tzlocal.get_localzone_name() or "UTC"
USE_TZ = True

# `validate_templates` looks at ours, not at those of features of a library that are not installed.
VALIDATE_TEMPLATES_IGNORE_APPS = ["allauth"]

# -- long work
TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}

# -- logs hold no addresses with tokens and no words of anybody: see hermesweb.logs
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"()": "hermesweb.logs.WithoutWords"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "stream": sys.stderr, "formatter": "plain"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "django": {"handlers": [], "level": "WARNING", "propagate": True},
        "django.request": {"handlers": [], "level": "ERROR", "propagate": True},
        "django.server": {"handlers": [], "level": "ERROR", "propagate": True},
        "django.security": {"handlers": [], "level": "ERROR", "propagate": True},
        "django_tasks": {"handlers": [], "level": "ERROR", "propagate": True},
        "django_tasks_db": {"handlers": [], "level": "ERROR", "propagate": True},
    },
}
