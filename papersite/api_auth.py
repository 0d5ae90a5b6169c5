"""Who may call what of the API: a session with a permission (and CSRF), or `Authorization: Bearer TOKEN` with a scope.

`auth=personal`, `auth=operate`, or `auth=needs(SCOPE, PERMISSION)` on an operation or a router; `reads` is for what is
public. `request.auth` is then an `ApiActor`. Nothing is looked up of what was asked for before this is settled, so
that no refusal tells whether it exists.
"""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest
from ninja.security.base import AuthBase
from ninja.utils import check_csrf

from papersite.api_errors import ApiError, ErrorOut
from papersite.api_tokens import find_token, note_use, why_not_in_force
from papersite.models import ApiToken, TokenScope

# What an operation with such an `auth` can answer besides its own.
REFUSALS: dict[int, Any] = {401: ErrorOut, 403: ErrorOut}
_MALFORMED = "Write the header as `Authorization: Bearer TOKEN`."
_UNKNOWN = "This token is unknown."


@dataclass(frozen=True, slots=True)
class ApiActor:
    """Who calls: a signed-in person or a token; `name` is for logs."""

    name: str
    user: AbstractBaseUser | None
    token: ApiToken | None


@dataclass(frozen=True, slots=True)
class Credentials:
    """What the Authorization header brought: a token that counts, or in English why it counts for nothing."""

    token: ApiToken | None
    fault: str | None


class BearerToken(AuthBase):
    """A token with a scope; without an Authorization header of that kind the next way is tried."""

    openapi_type = "http"
    openapi_scheme = "bearer"
    openapi_description = "A token, made in the admin or by `manage.py api_token`."

    def __init__(self, scope: TokenScope) -> None:
        """Keep the scope that is needed."""
        super().__init__()
        self.scope = scope

    def __call__(self, request: HttpRequest) -> ApiActor | None:
        """Return the token as the one who calls.

        Raises:
            ApiError: 401 where it does not count, 403 where its scope is another.
        """
        found = bearer_credentials(request)
        if found is None:
            return None
        if found.token is None:
            raise ApiError(401, "unauthorized", found.fault or _UNKNOWN)
        if found.token.scope != self.scope:
            raise ApiError(
                403,
                "forbidden",
                f"This needs a token with the scope `{self.scope}`; this one has `{found.token.scope}`.",
            )
        return ApiActor(f"token {found.token.name}", None, found.token)


class Session(AuthBase):
    """A signed-in person with a permission; whatever writes needs the CSRF token too."""

    openapi_type = "apiKey"
    openapi_in = "cookie"
    openapi_name = settings.SESSION_COOKIE_NAME
    openapi_description = "Signed in at `/admin/`; calls that write send the cookie `csrftoken` as `X-CSRFToken` too."

    def __init__(self, permission: str) -> None:
        """Keep the permission that is needed."""
        super().__init__()
        self.permission = permission

    def __call__(self, request: HttpRequest) -> ApiActor:
        """Return the person who calls.

        Raises:
            ApiError: 401 where nobody is signed in, 403 without CSRF token or permission.
        """
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or not request.user.is_authenticated:
            raise ApiError(401, "unauthorized", "Sign in, or send `Authorization: Bearer TOKEN`.")
        if check_csrf(request) is not None:
            raise ApiError(403, "csrf_failed", "Send the cookie `csrftoken` as the header `X-CSRFToken` too.")
        if not request.user.has_perm(self.permission):
            raise ApiError(403, "forbidden", f"This needs the permission `{self.permission}`.")
        return ApiActor(request.user.get_username(), request.user, None)


def needs(scope: TokenScope, permission: str) -> list[AuthBase]:
    """Return what `auth=` takes: a token with this scope, or a person with this permission."""
    return [BearerToken(scope), Session(permission)]


def bearer_credentials(request: HttpRequest) -> Credentials | None:
    """Return what a Bearer header brought, looked up once a request; None without one, as with a proxy's own Basic."""
    if not hasattr(request, "_bearer_credentials"):
        request._bearer_credentials = _credentials(request)  # type: ignore[attr-defined]
    return request._bearer_credentials  # type: ignore[attr-defined]


def _credentials(request: HttpRequest) -> Credentials | None:
    scheme, _blank, text = request.META.get("HTTP_AUTHORIZATION", "").strip().partition(" ")
    if scheme.lower() != "bearer":
        return None
    text = text.strip()
    if not text or len(text.split()) > 1:
        return Credentials(None, _MALFORMED)
    token = find_token(text)
    if token is None:
        return Credentials(None, _UNKNOWN)
    gone = why_not_in_force(token)
    if gone is not None:
        return Credentials(None, f"This token {gone}.")
    note_use(token)
    return Credentials(token, None)


reads = None
personal = needs(TokenScope.PERSONAL, "papers.personal")
operate = needs(TokenScope.OPERATE, "operations.operate")
