"""Django's settings, made from `papersite.configuration`."""

import datetime as dt
import os
import sys
from math import ceil
from typing import NoReturn
from urllib.parse import urlsplit

from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy
from pydantic import ValidationError

from papersite.configuration import PROJECT_DIR, Configuration, unknown_settings


def _refuse(*lines: str) -> NoReturn:
    """End with exit code 2, naming the settings at fault."""
    sys.stderr.write("These settings cannot be used:\n" + "".join(f"  {line}\n" for line in lines))
    raise SystemExit(2)


def _read_configuration() -> Configuration:
    named = os.environ.get("PAPERSITE_ENV_FILE")
    if named and not os.access(named, os.R_OK):  # else the defaults would be taken in silence
        _refuse(f"PAPERSITE_ENV_FILE: {named} cannot be read")
    try:
        return Configuration()
    except ValidationError as error:
        _refuse(
            *(
                f"PAPERSITE_{'_'.join(str(part) for part in problem['loc'][:1]).upper()}: {problem['msg']}"
                for problem in error.errors()
            )
        )
    except UnicodeDecodeError:
        _refuse(f"{Configuration.model_config['env_file']}: the file is not UTF-8")


def _prepare_data_dir(configuration: Configuration) -> str:
    """Make the folder that everything is written to, and return the secret key kept in it."""
    try:
        # For this user alone: sessions, notes, and papers that must not be passed on.
        configuration.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not os.access(configuration.data_dir, os.W_OK | os.X_OK):
            raise PermissionError(f"nothing can be written in {configuration.data_dir}")
        return configuration.secret()
    except OSError as error:
        _refuse(f"PAPERSITE_DATA_DIR: {error}")


PAPERSITE = _read_configuration()
for _name in unknown_settings():
    sys.stderr.write(f"{_name} is no setting of Papersite; is it misspelt?\n")
SECRET_KEY = _prepare_data_dir(PAPERSITE)

BASE_DIR = PROJECT_DIR
DEBUG = PAPERSITE.debug
ALLOWED_HOSTS = list(PAPERSITE.allowed_hosts)
CSRF_TRUSTED_ORIGINS: list[str] = []
if PAPERSITE.base_url:
    _base = urlsplit(PAPERSITE.base_url)
    CSRF_TRUSTED_ORIGINS.append(f"{_base.scheme}://{_base.netloc}")
    if _base.hostname and _base.hostname not in ALLOWED_HOSTS:
        ALLOWED_HOSTS.append(_base.hostname)
    if _base.scheme == "https":
        SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
        SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
        # A month: long enough to be of use, and over soon where TLS is given up.
        SECURE_HSTS_SECONDS = 30 * 24 * 3600

INSTALLED_APPS = [
    "papersite.apps.PapersiteAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "csp",
    "axes",
    "django_q",
    "ninja",  # serves the pages that describe the API, without a CDN
    "papersite.apps.PapersiteConfig",
    "papers",
    "operations",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "papersite.api_errors.ApiErrorsMiddleware",
    "papersite.api_rate.ApiRateMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "papersite.language.SiteLanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",  # last: it puts its own answer in place of the sign-in page
]

# Pages of other sites may call the API where the operator names them; never with the visitor's cookies.
if PAPERSITE.api_origins:
    MIDDLEWARE.insert(
        MIDDLEWARE.index("django.middleware.gzip.GZipMiddleware"), "corsheaders.middleware.CorsMiddleware"
    )
CORS_URLS_REGEX = r"^/api/"
CORS_ALLOWED_ORIGINS = PAPERSITE.api_origins
CORS_ALLOW_CREDENTIALS = False
CORS_ALLOW_METHODS = ["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"]
CORS_ALLOW_HEADERS = ["accept", "authorization", "content-type", "if-modified-since", "if-none-match"]
CORS_EXPOSE_HEADERS = ["Allow", "ETag", "Last-Modified", "Location", "Retry-After", "WWW-Authenticate"]

ROOT_URLCONF = "papersite.urls"
WSGI_APPLICATION = "papersite.wsgi.application"

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
            ],
        },
    },
]

DATABASES = {
    "default": {
        "ENGINE": "papersite.sqlite",
        "NAME": PAPERSITE.database_path,
        "CONN_MAX_AGE": 600,
        "OPTIONS": {
            # IMMEDIATE: a transaction takes the write lock at its start, so that two writers wait for
            # each other in place of failing with "database is locked" half-way.
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": (
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA temp_store=MEMORY; "
                "PRAGMA cache_size=-20000; PRAGMA journal_size_limit=67108864"
            ),
        },
        # A file, since tests with threads cannot share a database in memory.
        "TEST": {"NAME": PAPERSITE.data_dir / "test.sqlite3"},
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",  # first: it refuses before a password is looked at
    "django.contrib.auth.backends.ModelBackend",
]
LOGIN_URL = "admin:login"
LOGIN_REDIRECT_URL = "admin:index"

# Throttled sign-in; papersite/sign_in.py says by what is counted.
AXES_HANDLER = "papersite.sign_in.SignInHandler"
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"], "ip_address"]
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = dt.timedelta(minutes=15)
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_RESET_ON_SUCCESS = True
AXES_CLIENT_IP_CALLABLE = "papersite.client_address.throttled_address"
AXES_USERNAME_FORM_FIELD = "username"
AXES_USERNAME_CALLABLE = "papersite.sign_in.name_tried"
AXES_CLIENT_STR_CALLABLE = "papersite.sign_in.in_words"
AXES_LOCKOUT_CALLABLE = "papersite.sign_in.locked_out"
# Never stored, beside the password; the account tried has a column of its own.
AXES_SENSITIVE_PARAMETERS = ["username", "ip_address", "csrfmiddlewaretoken"]
AXES_ENABLE_ADMIN = False  # operations/admin/sign_ins.py has pages that only show
AXES_VERBOSE = False

LANGUAGE_CODE = PAPERSITE.language_code
LANGUAGES = [("zh-hans", "简体中文"), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "locale"]
# The choice of a reader is kept for a year.
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SAMESITE = "Lax"
TIME_ZONE = PAPERSITE.time_zone
USE_I18N = True
FORMAT_MODULE_PATH = "papersite.formats"
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = PAPERSITE.data_dir / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
# Where the one stylesheet and the one script of the readers' pages are put together; see papersite/bundles.py.
STATIC_BUNDLES = PAPERSITE.data_dir / "bundles"
STATICFILES_FINDERS = [
    "papersite.bundles.BundleFinder",
    "papersite.bundles.PartsFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "papersite.static_files.StaticFilesStorage"},
}
WHITENOISE_MANIFEST_STRICT = False
# Served also where nothing was collected, as in a first try with runserver.
WHITENOISE_USE_FINDERS = True

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
# Only people who run the site sign in; whoever forgot to sign out somewhere is out after a week.
SESSION_COOKIE_AGE = 7 * 24 * 3600

# Longest time one task may take: the agent's own limit, and what downloads, text and checks may add.
TASK_SECONDS = PAPERSITE.agent_timeout + 3600
# Room for the crawl and the sweep beside summaries that take minutes.
TASK_WORKERS = PAPERSITE.summary_workers + 2
_QUEUE_LIMIT = 2
Q_CLUSTER = {
    "name": "papersite",
    "orm": "default",
    "workers": TASK_WORKERS,
    "queue_limit": _QUEUE_LIMIT,
    "bulk": 1,
    "max_attempts": 1,
    "ack_failures": True,
    "catch_up": False,
    "save_limit": 0,
    "recycle": 100,
    "poll": 1,
    "guard_cycle": 1,
    "timeout": TASK_SECONDS,
    # Counted from the moment a task leaves the table, so the time it waits in memory is added.
    "retry": TASK_SECONDS * (1 + ceil((_QUEUE_LIMIT + 1) / TASK_WORKERS)) + 60,
    "label": gettext_lazy("队列任务"),
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {"httpx": {"level": "WARNING"}, "httpcore": {"level": "WARNING"}, "axes": {"level": "WARNING"}},
}
