"""Who the owner is: the person with the permission `papers.personal`."""

from django.conf import settings
from django.http import HttpRequest

PERMISSION = "papers.personal"


def is_owner(request: HttpRequest) -> bool:
    """Tell whether the owner asks; without a session's cookie no session is looked at."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return False
    return request.user.has_perm(PERMISSION)
