"""Tokens of the API: made, found by what a script sends, and revoked.

A token is `ps_` and eight hexadecimal digits, by which people know it again, then the secret of 256 random bits. What
is stored is the SHA-256 of it all: of so many random bits a slow hash would protect nothing more.
"""

import datetime as dt
import hashlib
import hmac
import logging
import re
import secrets

from django.db import IntegrityError, OperationalError, transaction
from django.db.models import Q
from django.utils import timezone

from papersite.models import ApiToken, TokenScope

LONGEST_NAME = 100
LONGEST_DAYS = 3650
# Characters of what is looked at; a token has 55.
_LONGEST_TOKEN = 200
_SECRET_BYTES = 32
_PREFIX = re.compile(r"ps_[0-9a-f]{8}", re.ASCII)
# The time of the last use is written at most so often: it is for people, and each time is a write.
_USE_NOTED = dt.timedelta(minutes=1)

logger = logging.getLogger(__name__)


class UnusableName(ValueError):
    """A name that no token can have."""


class NameTaken(ValueError):
    """Another token that was not revoked has this name."""


class UnknownToken(LookupError):
    """No token has this name or prefix."""


def create_token(name: str, scope: TokenScope, *, days: int | None, by: str | None) -> tuple[ApiToken, str]:
    """Make a token that ends after `days` (None: never); return its row, and the token, which is kept nowhere.

    Raises:
        UnusableName: the name is blank, too long or looks like a prefix.
        NameTaken: see there.
    """
    name = checked_name(name)
    prefix = f"ps_{secrets.token_hex(4)}"
    text = f"{prefix}_{secrets.token_urlsafe(_SECRET_BYTES)}"
    now = timezone.now()
    row = ApiToken(
        name=name,
        prefix=prefix,
        token_hash=_hash(text),
        scope=scope,
        created_by=by,
        created_at=now,
        ends_at=None if days is None else now + dt.timedelta(days=days),
    )
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError as error:
        raise NameTaken(f"there is a token named {name!r}; revoke it first, or take another name") from error
    return row, text


def checked_name(name: str) -> str:
    """Return the name with single blanks.

    Raises:
        UnusableName: see there.
    """
    folded = " ".join(name.split())
    if not folded or len(folded) > LONGEST_NAME or not folded.isprintable():
        raise UnusableName(f"a name has 1 to {LONGEST_NAME} characters that can be printed")
    if _PREFIX.fullmatch(folded):
        raise UnusableName("a name may not look like the beginning of a token")
    return folded


def find_token(text: str) -> ApiToken | None:
    """Return the token whose secret this is, whether or not it is still in force; None where it is none of ours."""
    wanted = _hash(text[:_LONGEST_TOKEN])
    found = ApiToken.objects.filter(token_hash=wanted).first()
    return found if found is not None and hmac.compare_digest(found.token_hash, wanted) else None


def why_not_in_force(token: ApiToken) -> str | None:
    """Return in English why a token counts no more, or None where it does."""
    if token.revoked_at is not None:
        return f"was revoked on {token.revoked_at:%Y-%m-%d}"
    if token.ends_at is not None and token.ends_at <= timezone.now():
        return f"ended on {token.ends_at:%Y-%m-%d}"
    return None


def note_use(token: ApiToken) -> None:
    """Keep that a token was used now, at most once a minute, whatever number of processes see it."""
    now = timezone.now()
    long_ago = now - _USE_NOTED
    if token.last_used_at is not None and token.last_used_at > long_ago:
        return
    unused = Q(last_used_at__isnull=True) | Q(last_used_at__lte=long_ago)
    try:
        ApiToken.objects.filter(unused, pk=token.pk).update(last_used_at=now)
    except OperationalError:  # a busy or full disk stops no reading
        logger.warning("the use of the token %s could not be noted", token.prefix)


def revoke(name_or_prefix: str) -> ApiToken:
    """Revoke the token of this name or prefix, and return it; done twice it is the same as done once.

    Raises:
        UnknownToken: see there.
    """
    wanted = " ".join(name_or_prefix.split())
    named = ApiToken.objects.filter(Q(name=wanted) | Q(prefix=wanted)).order_by("-pk")
    token = named.filter(revoked_at__isnull=True).first() or named.first()
    if token is None:
        raise UnknownToken(f"no token has the name or prefix {wanted[:LONGEST_NAME]!r}")
    revoke_all([token.pk])
    token.refresh_from_db()
    return token


def revoke_all(keys: list[int]) -> int:
    """Revoke these tokens, and return how many were still in force or had merely ended."""
    return ApiToken.objects.filter(pk__in=keys, revoked_at__isnull=True).update(revoked_at=timezone.now())


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()
