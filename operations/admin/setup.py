"""The set-up page: the settings in force, the versions, and a trial of what the site needs."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from operations.admin.access import OPERATE, VIEW_SETUP, console_page
from operations.admin.audit import record
from operations.settings_in_force import settings_report
from operations.trial import FREE_STEPS, STEPS, StepOutcome, try_step
from operations.versions import versions


@require_safe
@console_page(view=VIEW_SETUP)
def setup(request: HttpRequest) -> HttpResponse:
    """Show the settings, the versions and what can be tried."""
    return _page(request, {})


@require_POST
@console_page(view=OPERATE)
def try_setup(request: HttpRequest) -> HttpResponse:
    """Try the step that is named, or all that cost nothing, and show how each ended; as JSON where that is wanted."""
    names = _asked(request.POST.get("step", ""))
    outcomes = {name: try_step(name) for name in names}
    for outcome in outcomes.values():
        record(request, _in_words(outcome))
    if request.accepts("text/html"):
        return _page(request, outcomes)
    return JsonResponse({"outcomes": [_as_json(outcome) for outcome in outcomes.values()]})


def _asked(step: str) -> tuple[str, ...]:
    if step and step not in STEPS:
        raise BadRequest("there is no such step")
    return (step,) if step else FREE_STEPS


def _in_words(outcome: StepOutcome) -> str:
    result = _("正常") if outcome.ok else _("失败")
    return _("试运行“%(step)s”：%(result)s") % {"step": outcome.label, "result": result}


def _as_json(outcome: StepOutcome) -> dict[str, Any]:
    return {"name": outcome.name, "ok": outcome.ok, "seconds": outcome.seconds, "message": outcome.message}


def _page(request: HttpRequest, outcomes: dict[str, StepOutcome]) -> HttpResponse:
    context = {
        **admin.site.each_context(request),
        "title": _("设置与检查"),
        "report": settings_report(),
        "versions": versions(),
        "steps": [{"name": name, "step": step, "outcome": outcomes.get(name)} for name, step in STEPS.items()],
        "may_try": request.user.has_perm(OPERATE),
    }
    return TemplateResponse(request, "admin/console/setup.html", context)
